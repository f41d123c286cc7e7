/* job_borrow.c - columns of long queues without an allocation a cell: text in the job's record or in a buffer. */
#include "tools/job_fields.h"
#include <string.h>

/* Decimal digits of N at the end of BUFFER. */
static const char *number(uint64_t n, char buffer[TABLE_BUFFER])
{
	char *p = buffer + TABLE_BUFFER;

	*--p = '\0';
	do {
		*--p = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	return p;
}

/* "(Priority)" of what waits; NULL when it is long, or nodes are shown. */
static const char *reason_or_null(const struct job *j, char buffer[TABLE_BUFFER])
{
	const char *text = j->reason_text && *j->reason_text ? j->reason_text : reason_name(j->reason);
	size_t n = strlen(text);

	if (j->state != JOB_PENDING || j->flags & JOB_COMPLETING || n + 3 > TABLE_BUFFER)
		return NULL;
	buffer[0] = '(';
	memcpy(buffer + 1, text, n);
	strcpy(buffer + n + 1, ")");
	return buffer;
}

const char *job_field_borrow(void *row, int field, char buffer[TABLE_BUFFER])
{
	const struct job_ref *r = row;
	const struct job *j = r->job;

	switch (JOB_FIELDS[field].letter) {
	case 'i':
		return j->array || j->het || r->task != NO_VAL ? NULL : number(j->id, buffer);
	case 'A':
		return number(j->id, buffer);
	case 'P':
		return r->partition;
	case 'j':
		return j->name ? j->name : "";
	case 'u':
		return j->user ? j->user : "";
	case 'a':
		return j->account ? j->account : "";
	case 't':
		return r->state;
	case 'T':
		return job_state_shown(j);
	case 'M':
		return j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING) ? "0:00" : NULL;
	case 'D':
		return number(job_node_count(r->view, j), buffer);
	case 'C':
		return number(job_cpu_count(j), buffer);
	case 'r':
		return j->reason_text && *j->reason_text ? j->reason_text : reason_name(j->reason);
	case 'R':
		return reason_or_null(j, buffer);
	default:
		return NULL;
	}
}
