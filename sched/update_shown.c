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
	int64_t seconds;
	if (duration_parse_seconds(u->value, &seconds))
		job_own_request(u->j)->delay_boot = (uint32_t)CLAMP(seconds, 0, INT32_MAX);
	return true;
}

/* N7: without AllowSpecResourcesUsage nobody asks for specialized cores. */
bool update_core_spec(struct update *u, GError **error)
{
	(void)u;
	return denied(error);
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
