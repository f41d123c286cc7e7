/* conforigin.c - see conforigin.h. */
#include "models/conforigin.h"

static void origin_free(void *data)
{
	struct conf_origin *o = data;

	g_free(o->key);
	g_free(o->value);
	g_free(o->file);
	g_free(o);
}

struct conf_origins *conf_origins_new(void)
{
	struct conf_origins *o = g_new0(struct conf_origins, 1);

	o->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, origin_free);
	return o;
}

void conf_origins_free(struct conf_origins *o)
{
	if (!o)
		return;
	g_hash_table_unref(o->by_key);
	g_free(o->path);
	g_free(o);
}

void conf_origins_put(struct conf_origins *o, const char *key, const char *value, const char *file, guint line)
{
	struct conf_origin *new = g_new0(struct conf_origin, 1);

	new->key = g_strdup(key);
	new->value = g_strdup(value);
	new->file = g_strdup(file);
	new->line = line;
	g_hash_table_replace(o->by_key, g_ascii_strdown(key, -1), new);
}

const struct conf_origin *conf_origins_get(const struct conf_origins *o, const char *key)
{
	char *lower = g_ascii_strdown(key, -1);
	const struct conf_origin *found = g_hash_table_lookup(o->by_key, lower);

	g_free(lower);
	return found;
}
