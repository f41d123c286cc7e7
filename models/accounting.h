/*
 * accounting.h - read the accounts, users, QOS and limits of a site into struct acct.
 *
 * Two kinds of file, told apart by content: a list of sacctmgr commands, one a line ("add account a parent=b
 * fairshare=3", "modify user set qos+=high where name=alice"), and what "sacctmgr dump" writes (spec
 * accounting-files.md section 1).
 */
#ifndef MODELS_ACCOUNTING_H
#define MODELS_ACCOUNTING_H
#include "sched/acct.h"
#include "sched/base/diag.h"
#include <stdbool.h>

#define ACCOUNTING_FILE_MAX (64u << 20)
#define ACCOUNTING_ENTITIES_MAX 200000u /* accounts, users and QOS in all */

/*
 * Add what the file at PATH (or TEXT, called NAME in messages) says to A, and refresh its derived values. All errors go
 * to D with file:line:column: unknown words and options (with "did you mean"), bad values, unknown parents, accounts
 * and QOS (section 5). True when there was none. A's TRES table must be complete: limits are stored by its kinds.
 */
bool accounting_read(const char *path, struct acct *a, struct diag *d);
bool accounting_read_text(const char *text, const char *name, struct acct *a, struct diag *d);
/* One sacctmgr command during a run: "sacctmgr -i modify qos long set grptres=cpu=64". False and ERROR, with A as it
 * was or partly changed, when it is not understood. */
bool accounting_command(struct acct *a, const char *command, GError **error);
#endif
