/* update_shown.c - scontrol update job: what is only shown, and what this cluster does not have; see update_job.h */
#include "sched/update_job.h"

static bool set_shown(struct update *u, gsize offset)
{
	update_text((char **)(void *)((char *)job_own_request(u->j) + offset), u->value);
	return true;
}

bool update_name(struct update *u, GError **error)
{
	(void)error;
	struct job_request *r = job_own_request(u->j);
	g_free(r->name);
	u->j->name = r->name = g_strdup(u->value);
	return true;
}

bool update_comment(struct update *u, GError **error)
{
	(void)error;
	return set_shown(u, offsetof(struct job_request, comment));
}

bool update_admin_comment(struct update *u, GError **error)
{
	return u->admin ? set_shown(u, offsetof(struct job_request, admin_comment)) : denied(error);
}

/* Recorded: without accounting nothing shows it. */
bool update_wckey(struct update *u, GError **error)
{
	(void)error;
	return !u->c->cl->acct || !u->c->p->has_accounting || set_shown(u, offsetof(struct job_request, wckey));
}

bool update_workdir(struct update *u, GError **error)
{
	(void)error;
	return set_shown(u, offsetof(struct job_request, workdir));
}

bool update_output(struct update *u, GError **error)
{
	(void)error;
	return set_shown(u, offsetof(struct job_request, output));
}

bool update_mail_user(struct update *u, GError **error)
{
	(void)error;
	return set_shown(u, offsetof(struct job_request, mail_user));
}

bool update_mail_type(struct update *u, GError **error)
{
	(void)error;
	struct job_request *r = job_own_request(u->j);
	g_free(r->mail_type);
	r->mail_type = g_ascii_strcasecmp(u->value, "none") ? g_ascii_strup(u->value, -1) : NULL;
	return true;
}

bool update_delay_boot(struct update *u, GError **error)
{
	(void)error;
	uint32_t minutes;
	if (duration_parse_minutes(u->value, &minutes))
		job_own_request(u->j)->delay_boot = minutes;
	return true;
}

/* N7; recorded: refused without AllowSpecResourcesUsage. */
static bool leave_alone(struct update *u, bool threads, GError **error)
{
	struct job *j = u->j;
	if (!u->c->p->allow_spec)
		return denied(error);
	struct job_request *r = job_own_request(j);
	r->core_spec = (uint32_t)CLAMP(update_number(u->value), 0, UINT16_MAX);
	r->thread_spec = threads;
	demand_sharing(u->c, j);
	u->demand = true;
	return true;
}

bool update_core_spec(struct update *u, GError **error)
{
	return leave_alone(u, false, error);
}

bool update_thread_spec(struct update *u, GError **error)
{
	return leave_alone(u, true, error);
}

bool update_cluster_features(struct update *u, GError **error)
{
	(void)u;
	return REFUSE(error, "Unspecified error");
}

bool update_burst_buffer(struct update *u, GError **error)
{
	(void)u;
	return REFUSE(error, NOT_SUPPORTED);
}
