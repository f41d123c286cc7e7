/* accounting.c - fuzz target: an accounting file of any kind: sacctmgr commands, a dump, tables of sacctmgr and sshare,
 * QOS as JSON. */
#include "models/accounting.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct diag *d = diag_new();
	struct tres_table *t = tres_table_new();

	tres_add(t, "gres/gpu");
	struct acct *a = acct_new(t);
	accounting_read_text(text, "accounting", a, d);
	acct_free(a);
	tres_table_free(t);
	diag_free(d);
	g_free(text);
	return 0;
}
