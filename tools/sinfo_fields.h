/*
 * sinfo_fields.h - the columns of sinfo (spec command-output.md 3): texts of a row, which stands for some nodes of a
 * partition.
 */
#ifndef TOOLS_SINFO_FIELDS_H
#define TOOLS_SINFO_FIELDS_H
#include "tools/job_fields.h"
#include "tools/sinfo_out.h"

struct sinfo_sheet { /* what all rows share */
	const struct job_view *view;
	const struct sinfo_options *o;
	struct table *columns;
};
struct sinfo_row {
	const struct sinfo_sheet *sheet;
	const struct partition *part; /* the first one */
	struct bitset *nodes;         /* may be empty */
	uint32_t rank;                /* order of its state */
	bool by_node;
	char *key;
};

extern const struct table_field SINFO_FIELDS[];
extern const guint N_SINFO_FIELDS;
/* DATA is a struct sinfo_row. g_free. */
char *sinfo_field_text(void *data, int field);
/* Do rows with different texts in it stay apart? EXACT: those of sizes too. */
bool sinfo_field_splits(guint field, bool exact, bool v22);
/* The column of a letter; -1 = none. */
int sinfo_field_letter(char letter);
/* Has the format a column that tells partitions apart? */
bool sinfo_splits_partitions(const struct table *t);
/* The raw state number's order, highest first (default sort "#P,-t"). */
uint32_t sinfo_state_rank(const struct controller *c, const struct node *n);
#endif
