/* scenario.c - fuzz target: the JSON of a scenario file, up to its values. */
#include "scenarios/scenario_json.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *path = fuzz_file(data, size);

	for (enum scenario_kind kind = SCENARIO_FILE; kind <= SCENARIO_RECORD; kind++) {
		struct json_text text = {0};
		struct scenario_values values;
		struct diag *d = diag_new();

		if (json_text_read(&text, path, d))
			scenario_values_read(&text, kind, &values, d);
		json_text_clear(&text);
		diag_free(d);
	}
	fuzz_file_free(path);
	return 0;
}
