/* job_borrow.c - columns of long queues without an allocation a cell: text in the job's record or in a buffer. */
#include "tools/job_fields.h"
#include <string.h>

static struct table_text whole(const char *text)
{
	return (struct table_text){text, strlen(text)};
}

static struct table_text or_empty(const char *text)
{
	return text ? whole(text) : (struct table_text){"", 0};
}

/* Decimal digits of N at the end of BUFFER. */
static struct table_text number(uint32_t n, char buffer[TABLE_BUFFER])
{
	char *end = buffer + TABLE_BUFFER, *p = end;

	do {
		*--p = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	return (struct table_text){p, (size_t)(end - p)};
}

/* Counts that cell_count gives a suffix are left to it. */
static struct table_text count(uint32_t n, char buffer[TABLE_BUFFER])
{
	return n >= 1024 && n % 512 == 0 ? (struct table_text){0} : number(n, buffer);
}

static bool waits(const struct job *j)
{
	return j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING);
}

static const char *reason_of(const struct job *j)
{
	return j->reason_text && *j->reason_text ? j->reason_text : reason_name(j->reason);
}

/* "(Priority)" of what waits; none when it is long, or nodes are shown. */
static struct table_text reason_list(const struct job *j, char buffer[TABLE_BUFFER])
{
	if (!waits(j))
		return (struct table_text){0};
	const char *text = reason_of(j);
	size_t n = strlen(text);

	if (n + 2 > TABLE_BUFFER)
		return (struct table_text){0};
	buffer[0] = '(';
	memcpy(buffer + 1, text, n);
	buffer[n + 1] = ')';
	return (struct table_text){buffer, n + 2};
}

struct table_text job_field_borrow(void *row, int field, char buffer[TABLE_BUFFER])
{
	const struct job_ref *r = row;
	const struct job *j = r->job;

	switch (JOB_FIELDS[field].letter) {
	case 'i':
		return j->array || j->het || r->task != NO_VAL ? (struct table_text){0} : number(r->id, buffer);
	case 'A':
		return number(r->id, buffer);
	case 'P':
		return whole(r->partition);
	case 'j':
		return or_empty(j->name);
	case 'u':
		return or_empty(j->user);
	case 'a':
		return or_empty(j->account);
	case 'Q':
		return number(r->priority, buffer);
	case 't':
		return whole(r->state);
	case 'T':
		return whole(job_state_shown(j));
	case 'M':
		return waits(j) ? (struct table_text){"0:00", 4} : (struct table_text){0};
	case 'D':
		return count(job_node_count(r->view, j), buffer);
	case 'C':
		return count(job_cpu_count(j), buffer);
	case 'r':
		return whole(reason_of(j));
	case 'R':
		return r->joined ? (struct table_text){0} : reason_list(j, buffer);
	default:
		return (struct table_text){0};
	}
}
