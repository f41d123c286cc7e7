/* resv_command.c - scontrol create, update and delete of reservations (lifecycle C63-C65) */
#include "sched/resv_draft.h"

#include <string.h>

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)
#define MAX_PAST 600 /* seconds that a start may lie back */

/* ---- time ---- */

/* "skip": the occurrence that runs or comes next is passed over. */
static bool skip_one(struct resv_draft *d)
{
	struct reservation *r = d->r;
	if (!(r->flags & RESV_RECURRING))
		return resv_refused(d, "Reservation given is not skipable, try deleting instead");
	sec_t length = r->end - r->start;
	r->start = resv_next_start(r, r->start);
	r->end = r->start + length;
	return true;
}

/* Recorded: "duration+=" and "-=" count whole minutes from those it had; one that would be over by now ends now. */
static sec_t end_of(const struct resv_draft *d, sec_t length)
{
	const struct reservation *r = d->r;
	if (d->minutes == NO_VAL)
		return d->has_end ? d->end : d->has_start ? r->start + length : r->end;
	sec_t given = job_limit_seconds(d->minutes);
	if (!d->minutes_sign)
		return r->start + given;
	given = length / 60 * 60 + (d->minutes_sign == '+' ? given : -given);
	return MAX(r->start + given, d->c->now_s);
}

static bool settle_times(struct resv_draft *d)
{
	struct reservation *r = d->r;
	sec_t length = r->end - r->start;
	if (d->create && !d->has_start)
		return resv_misread(d, "A start time must be given");
	if (d->create && !d->has_end && d->minutes == NO_VAL)
		return resv_misread(d, "An end time or duration must be given");
	if (d->has_start && d->has_end && d->start > d->end)
		return resv_misread(d, "Start time cannot be after end time");
	if (d->has_start && d->has_end && d->minutes != NO_VAL && d->start + job_limit_seconds(d->minutes) != d->end)
		return resv_misread(d, "StartTime + Duration does not equal EndTime");
	if (!d->create && d->has_start && !(r->flags & RESV_FLAG(TIME_FLOAT)) && r->start <= d->c->now_s)
		return resv_refused(d, "Reservation already started");
	if (d->skip && !skip_one(d))
		return false;
	if (d->has_start)
		r->start = d->start;
	r->end = end_of(d, length);
	if (r->flags & RESV_FLAG(TIME_FLOAT))
		r->float_by = d->has_start ? r->start - d->c->now_s : r->float_by;
	if (r->end < r->start || (d->has_start && r->start < d->c->now_s - MAX_PAST))
		return resv_refused(d, "Invalid time specified");
	return true;
}

/* Recorded: each user named, or in a group named, needs an association with each account named. */
static bool user_fits(const struct resv_draft *d, const char *user)
{
	for (char **a = d->r->accounts.names; a && *a; a++)
		if (!acct_find(d->c->cl->acct, user, *a, NULL))
			return resv_refused(d, "Invalid account or account/partition combination specified");
	return true;
}

static bool accounts_fit(const struct resv_draft *d)
{
	const struct name_list *users = &d->r->users, *groups = &d->r->groups;
	if (!d->c->cl->acct || users->deny || d->r->accounts.deny)
		return true;
	for (char **u = users->names; u && *u; u++)
		if (!user_fits(d, *u))
			return false;
	for (char **g = groups->names; g && *g; g++) {
		GHashTable *members = g_hash_table_lookup(d->c->cl->groups, *g);
		GHashTableIter it;
		gpointer user;
		if (!members)
			continue;
		g_hash_table_iter_init(&it, members);
		while (g_hash_table_iter_next(&it, &user, NULL))
			if (!user_fits(d, user))
				return false;
	}
	return true;
}

static bool may_be_used(struct resv_draft *d)
{
	const struct reservation *r = d->r;
	const struct name_list *all[] = {&r->users, &r->groups, &r->accounts, &r->qos, &r->partitions};
	bool any = false;
	for (guint i = 0; i < G_N_ELEMENTS(all); i++)
		any = any || (all[i]->names && *all[i]->names);
	if (d->create && d->has_users && d->has_groups)
		return resv_misread(d, "Users and Groups are mutually exclusive.  You can have one or the other, but not both");
	if (!any && d->create)
		return resv_misread(d, "Either Users/Groups%s and/or Accounts must be specified",
		                    d->c->p->version == SLURM_22_05 ? "" : ", AllowedPartitions, QOS");
	if (!any)
		return resv_refused(d, "Reservation request lacks users, groups or accounts");
	if (r->users.names && *r->users.names && r->groups.names && *r->groups.names)
		return resv_refused(d, "Reservations can't have users and groups specified, only one or the other");
	return accounts_fit(d);
}

/* ---- the commands ---- */

static char **copy_names(char **names)
{
	return names ? g_strdupv(names) : NULL;
}

static struct reservation *copy(const struct controller *c, const struct reservation *r)
{
	struct reservation *n = g_new(struct reservation, 1);
	*n = *r;
	n->name = g_strdup(r->name);
	n->nodes = bitset_copy(r->nodes);
	n->cores = NULL;
	n->users.names = copy_names(r->users.names);
	n->accounts.names = copy_names(r->accounts.names);
	n->qos.names = copy_names(r->qos.names);
	n->partitions.names = copy_names(r->partitions.names);
	n->groups.names = copy_names(r->groups.names);
	n->comment = g_strdup(r->comment);
	n->features = g_strdup(r->features);
	n->licenses = r->licenses ? g_memdup2(r->licenses, (license_kinds(c->cl) + 1) * sizeof *r->licenses) : NULL;
	n->licenses_text = g_strdup(r->licenses_text);
	return n;
}

static bool settle(struct resv_draft *d, const struct resv_setting *set, uint32_t n)
{
	bool ok = true;
	d->cores = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (uint32_t i = 0; i < n && ok; i++)
		ok = resv_draft_set(d, set[i].key, set[i].value);
	ok = ok && settle_times(d) && may_be_used(d) && resv_draft_nodes(d);
	g_array_unref(d->cores);
	g_clear_pointer(&d->wants, g_array_unref);
	return ok;
}

static void changed(struct controller *c, struct reservation *r)
{
	if (r)
		r->made = c->now;
	c->resv_changes++;
	resv_turns_passed(c);
	for (guint i = 0; i < c->resvs->len; i++) {
		struct reservation *r = c->resvs->pdata[i];
		r->flagged = resv_active_at(r, c->now_s);
	}
	resv_set_node_flags(c);
	c->counter++;
	c->config_version++;
	ctl_touch(c);
}

/* As Slurm names one without a name: first user, group (recorded) or account, and its number. */
static char *make_name(const struct reservation *r)
{
	const char *who = r->users.names && *r->users.names         ? *r->users.names
	                  : r->groups.names && *r->groups.names     ? *r->groups.names
	                  : r->accounts.names && *r->accounts.names ? *r->accounts.names
	                                                            : "resv";
	return g_strdup_printf("%s_%u", who, r->id);
}

bool controller_create_reservation(struct controller *c, const struct resv_setting *set, uint32_t n, usec_t now,
                                   char **name, GError **error)
{
	ctl_enter(c, now);
	struct reservation *r = g_new0(struct reservation, 1);
	r->nodes = bitset_new(c->cl->n_nodes);
	r->name = g_strdup(name && *name ? *name : "");
	r->purge_after = 300;
	struct resv_draft d = {.c = c, .r = r, .create = true, .minutes = NO_VAL, .error = error};
	bool ok = settle(&d, set, n);
	if (ok && *r->name && resv_find(c, r->name))
		ok = resv_refused(&d, "Duplicate reservation name");
	if (!ok) {
		resv_free(r);
		return false;
	}
	r->id = c->next_resv_id++;
	if (!*r->name) {
		g_free(r->name);
		r->name = make_name(r);
		if (name)
			*name = g_strdup(r->name);
	}
	g_ptr_array_add(c->resvs, r);
	changed(c, r);
	return true;
}

/* C65: pending jobs that may no longer use R are held. */
static void hold_excluded(struct controller *c, const struct reservation *r)
{
	for (struct job *j = c->pending.head; j; j = j->next) {
		bool names = false;
		for (uint32_t i = 0; i < j->n_resvs; i++)
			names = names || j->resvs[i] == r;
		if (!names || resv_access(c, r, j))
			continue;
		j->priority = 0;
		struct blocker b = blocker_resv(r, RESV_NO_ACCESS);
		job_blocked(c, j, REASON_RESERVATION_DELETED, NULL, &b);
	}
}

bool controller_update_reservation(struct controller *c, const char *name, const struct resv_setting *set, uint32_t n,
                                   usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct reservation *r = resv_find(c, name);
	if (!r)
		return REFUSE(error, "%sslurm_update error: Requested reservation is invalid",
		              c->p->version == SLURM_22_05 ? "Error updating the reservation: Requested reservation is invalid\n" : "");
	struct reservation *fresh = copy(c, r);
	struct resv_draft d = {.c = c, .r = fresh, .minutes = NO_VAL, .error = error};
	bool ok = settle(&d, set, n);
	if (ok) {
		if (!d.has_nodes && !d.node_cnt && !fresh->cores) { /* kept as they were */
			fresh->cores = r->cores;
			r->cores = NULL;
		}
		struct reservation old = *r;
		*r = *fresh;
		*fresh = old;
	}
	resv_free(fresh);
	if (!ok)
		return false;
	if (c->p->version != SLURM_22_05) /* recorded: there they wait for what may come */
		hold_excluded(c, r);
	changed(c, r);
	return true;
}

bool controller_delete_reservation(struct controller *c, const char *name, usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct reservation *r = resv_find(c, name);
	if (!r)
		return REFUSE(error, "delete_reservation reservation: Requested reservation is invalid");
	if (r->running || (c->p->version == SLURM_22_05 && resv_is_wanted(c, r))) /* recorded: 22.05 minds jobs that wait for it */
		return REFUSE(error, "delete_reservation reservation: Requested reservation is in use");
	resv_remove(c, r);
	changed(c, NULL);
	return true;
}

static bool has_account(const struct controller *c, const struct name_list *l, const char *user)
{
	for (char **a = l->names; c->cl->acct && *a; a++)
		if (acct_find(c->cl->acct, user, *a, NULL))
			return true;
	return false;
}

bool controller_user_may_delete(const struct controller *c, const char *name, const char *user)
{
	const struct reservation *r = resv_find(c, name);
	if (!r || !(r->flags & RESV_FLAG(USER_DELETE)))
		return false;
	const struct name_list *u = &r->users, *a = &r->accounts;
	bool by_name = !u->names || g_strv_contains((const char *const *)u->names, user) != u->deny;
	return by_name && (!a->names || has_account(c, a, user) != a->deny);
}
