/* abbreviation.c - see abbreviation.h */
#include "sched/base/abbreviation.h"
#include <string.h>

const void *abbreviation_find(const void *table, size_t n, size_t size, const char *word, size_t length)
{
	const void *found = NULL;
	size_t times = 0;
	for (size_t i = 0; i < n; i++) {
		const void *element = (const char *)table + i * size;
		const char *name = *(const char *const *)element;
		if (strncmp(name, word, length) != 0)
			continue;
		if (name[length] == '\0')
			return element;
		found = element;
		times++;
	}
	return times == 1 ? found : NULL;
}
