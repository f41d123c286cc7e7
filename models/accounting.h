/*
 * accounting.h - read the accounts, users, QOS and limits of a site into struct acct.
 *
 * Kinds of file, told apart by content (siteinput.h): a list of sacctmgr commands, one a line ("add account a parent=b
 * fairshare=3", "modify user set qos+=high where name=alice"); what "sacctmgr dump" writes (spec accounting-files.md
 * section 1); the tables of "sacctmgr -P show assoc", "show qos", "show user" and "show tres" (section 2), QOS as a JSON list
 * of objects with the columns of the table; and "sshare -a -l -P", whose RawUsage (and GrpTRESRaw) is the usage that
 * fair-share begins with. Several files together: names of QOS come first, then commands and dumps, then the values of QOS
 * tables, associations, users, and usage: where a dump and a table both state a value, the table wins.
 *
 * Of an association table without ParentName, Lineage or tree's blanks, accounts that nothing else places are put under root.
 * Without "wopinfo" rows repeat what they inherit: a Max* limit or QOS list equal to the account's is taken as inherited.
 * With it a QOS list is what is added to the inherited one (so recorded).
 * sshare alone, without associations, tells the tree and the shares too.
 */
#ifndef MODELS_ACCOUNTING_H
#define MODELS_ACCOUNTING_H
#include "sched/acct.h"
#include "sched/base/diag.h"
#include "sched/params.h"
#include <stdbool.h>

#define ACCOUNTING_FILE_MAX (64u << 20)
#define ACCOUNTING_ENTITIES_MAX 200000u /* accounts, users and QOS in all */

/*
 * Add what the file at PATH (or TEXT, called NAME in messages) says to A, and refresh its derived values. All errors go
 * to D with file:line:column: unknown words and options (with "did you mean"), bad values, unknown parents, accounts
 * and QOS (section 5). True when there was none. A's TRES table must be complete: limits are stored by its kinds.
 */
bool accounting_read(const char *path, struct acct *a, struct diag *d);
/* What A holds that the release of P does not have is an error of FILE. */
void accounting_check_release(const struct acct *a, const struct sched_params *p, const char *file, struct diag *d);
/* All that PATH stands for (site_acct_files), of cluster CLUSTER where a table has several (NULL: the first). False also when a
 * folder holds nothing. */
bool accounting_read_all(const char *path, const char *cluster, struct acct *a, struct diag *d);
bool accounting_read_text(const char *text, const char *name, struct acct *a, struct diag *d);
/* One sacctmgr command during a run: "sacctmgr -i modify qos long set grptres=cpu=64". False and ERROR, with A as it
 * was or partly changed, when it is not understood. */
bool accounting_command(struct acct *a, const char *command, GError **error);
/* By USER, who is no operator (NULL: who is): a coordinator changes users of his accounts and of those below them, accounts below his, and
 * coordinators there; what else is asked is refused (recorded on 22.05). */
bool accounting_command_by(struct acct *a, const char *command, const char *user, GError **error);
#endif
