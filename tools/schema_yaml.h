/*
 * schema_yaml.h - what json_print prints, as YAML in the layout of Slurm's --yaml (captured, 26.11): a tag before every value, lists no
 * deeper than their key. Strings that would mean something else are quoted.
 */
#ifndef TOOLS_SCHEMA_YAML_H
#define TOOLS_SCHEMA_YAML_H
#include <cjson/cJSON.h>
#include <glib.h>

/* The whole document, from "%YAML 1.1" to "...". g_free. */
char *yaml_document(const cJSON *item);
#endif
