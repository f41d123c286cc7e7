/*
 * rule_title.h - the numbered rules of Slurm's behaviour, each in a line: S main scheduler, B backfill, E preemption, N
 * node selection, C life cycle, P priority, L limits, R reasons.
 */
#ifndef TOOLS_RULE_TITLE_H
#define TOOLS_RULE_TITLE_H
#include <stdbool.h>

/* "B30" -> its words; of a part ("R14.5", "B22.1") those of the rule when it has none of its own. NULL = no such rule.
 * Static. */
const char *rule_title(const char *id);
/* Does ID look like a rule's: one of the letters above and a number, perhaps with a part ("R12e", "R14.5")? */
bool rule_is_numbered(const char *id);
#endif
