/* expect.c - fuzz target: the list "expect" of a scenario file, read against a cluster and jobs, and put in words. */
#include "scenarios/expect.h"
#include "tests/fuzz/input.h"
#include <string.h>

/* Four nodes with GPUs, two jobs; made once. */
static struct scenario *scenario(void)
{
	static struct scenario *s;
	static const char *const labels[] = {"small", "wide"};

	if (s)
		return s;
	s = g_new0(struct scenario, 1);
	s->cluster = cluster_new(SLURM_26);
	struct node_config *k = cluster_add_config(s->cluster);
	for (int i = 1; i <= 4; i++) {
		char *name = g_strdup_printf("n%d", i);

		cluster_add_node(s->cluster, name, k);
		g_free(name);
	}
	k->cpus = k->cores = k->cores_per_socket = 8;
	k->sockets = k->cpus_per_core = 1;
	cluster_add_partition(s->cluster, "p")->nodes_text = g_strdup("ALL");
	if (!cluster_finish(s->cluster, NULL))
		abort();
	s->submissions = g_ptr_array_new();
	for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
		struct submission *sub = submission_new();

		sub->label = g_strdup(labels[i]);
		g_ptr_array_add(s->submissions, sub);
	}
	s->sim.until = 1000 * USEC;
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scenario *s = scenario();
	char *path = fuzz_file(data, size);
	struct json_text text = {0};
	struct diag *d = diag_new();
	const cJSON *list;

	if (json_text_read(&text, path, d)) {
		list = cJSON_GetObjectItemCaseSensitive(text.root, "expect");
		if (cJSON_IsArray(list))
			scenario_read_expect(&text, list, s, d);
	}
	for (guint i = 0; s->expect && i < s->expect->len; i++) {
		const struct expect *e = s->expect->pdata[i];
		char *words = expect_words(e);

		if (!e->line || !e->column || !*words)
			abort();
		g_free(words);
	}
	g_clear_pointer(&s->expect, g_ptr_array_unref);
	json_text_clear(&text);
	diag_free(d);
	fuzz_file_free(path);
	return 0;
}
