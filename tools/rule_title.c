/* rule_title.c - see rule_title.h. */
#include "tools/rule_title.h"
#include <glib.h>
#include <string.h>

bool rule_is_numbered(const char *id)
{
	return *id && strchr("SBENCPLR", *id) && g_ascii_isdigit(id[1]);
}
const char *rule_title(const char *id)
{
	(void)id;
	return NULL;
}
