/* cgroupconf.c - fuzz target: the text of a cgroup.conf, or of that section of scontrol show config. */
#include "models/cgroupconf.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct diag *d = diag_new();
	struct cgroup_conf *c = cgroup_conf_new();

	cgroup_conf_read_text(c, text, "/nonexistent/cgroup.conf", d);
	g_free(cgroup_conf_show(c));
	cgroup_conf_free(c);
	diag_free(d);
	g_free(text);
	return 0;
}
