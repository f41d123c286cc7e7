/*
 * random_events.h - the part of random_site.h that draws events: reservations, updates, commands of all kinds. random_site.h includes it when the site is known.
 */
#ifndef TESTS_UNIT_RANDOM_EVENTS_H
#define TESTS_UNIT_RANDOM_EVENTS_H

/* Parts of nodes, with GPUs. */
static void draw_parts(const struct site *site, GString *j)
{
	if (site->n_b && one_in(2))
		g_string_append_printf(j, " nodes=b[1-%d] trespernode=gres/gpu=%d", between(1, site->n_b), between(1, 4));
	else if (one_in(3))
		g_string_append_printf(j, " nodecnt=%d trespernode=gres/gpu=1,cpu=%d", between(1, 2), between(1, 2));
	else
		g_string_append_printf(j, " tres=gres/gpu=%d", between(1, 5));
	if (one_in(3))
		g_string_append_printf(j, " tres=cpu=%d", between(1, 4));
}

/* Reservation r<K> is made, and sometimes changed or taken away again. */
static void draw_reservation(const struct site *site, int k, GString *j)
{
	static const char *const FLAGS[] = {"maint", "flex", "overlap", "ignore_jobs", "magnetic", "purge_comp=60", "daily", "hourly",
	                                    "time_float", "replace", "maint,ignore_jobs", "magnetic,flex,ignore_jobs", "no_hold_jobs"};
	int at = one_in(2) ? 0 : between(0, site->hour), first = between(1, site->n_a), last = between(first, site->n_a);

	g_string_append_printf(j, ",\n  {\"at\": %d, \"cmd\": \"scontrol create reservation=r%d users=%s", at, k, one_in(2) ? "alice,bob" : "-dave");
	g_string_append_printf(j, " starttime=now+%d duration=%d", one_in(3) ? 0 : between(0, 1500), PICK(1, 3, 10, 10, 30));
	if (one_in(6))
		g_string_append_printf(j, " nodecnt=%d", between(1, 2));
	else if (one_in(6))
		g_string_append_printf(j, " corecnt=%d", between(1, 6));
	else if (one_in(6))
		g_string_append_printf(j, " nodes=a%d corecnt=%d", first, between(1, 4));
	else if (site->gpus && one_in(2))
		draw_parts(site, j);
	else if (site->licenses && one_in(4))
		g_string_append(j, " licenses=app:2");
	else if (one_in(8))
		g_string_append(j, " nodes=ALL");
	else
		g_string_append_printf(j, " nodes=a[%d-%d]", first, last);
	if (one_in(2))
		g_string_append_printf(j, " flags=%s", FLAGS[draw() % G_N_ELEMENTS(FLAGS)]);
	g_string_append(j, "\"}");
	if (one_in(3))
		g_string_append_printf(j, ",\n  {\"at\": %d, \"cmd\": \"scontrol delete reservation=r%d\"}", at + between(1, 900), k);
	else if (one_in(3))
		g_string_append_printf(j, ",\n  {\"at\": %d, \"cmd\": \"scontrol update reservation=r%d duration=%d\"}", at + between(1, 900), k,
		                       between(1, 40));
}

/* A change of accounts, QOS or limits. */
static void draw_change(const struct site *site, GString *j)
{
	static const char *const QOS_NAMES[] = {"few", "small", "narrow", "group"};
	const char *qos = QOS_NAMES[draw() % 4];

	switch (between(0, 6)) {
	case 0:
		g_string_append_printf(j, "sacctmgr modify qos %s set GrpTRES=cpu=%d", qos, PICK(-1, 2, 8));
		break;
	case 1:
		g_string_append_printf(j, "sacctmgr modify qos %s set MaxTRESPerUser=cpu=%d,node=%d priority=%d", qos,
		                       PICK(-1, 4, 8), PICK(-1, 1, 3), between(0, 60));
		break;
	case 2:
		g_string_append_printf(j, "sacctmgr modify user bob set MaxJobs=%d fairshare=%d", PICK(-1, 0, 2),
		                       between(1, 9));
		break;
	case 3:
		g_string_append_printf(j, "sacctmgr modify account root set qos%s%s", one_in(2) ? "+=" : "-=", qos);
		break;
	case 4:
		g_string_append_printf(j, "sacctmgr modify account acct set qos=normal,%s", qos);
		break;
	case 5:
		g_string_append_printf(j, "sacctmgr add user dora%d account=acct fairshare=%d", between(1, 9),
		                       between(1, 9));
		break;
	default:
		g_string_append_printf(j, "sacctmgr modify account other set parent=acct GrpTRES=cpu=%d",
		                       PICK(-1, 4, 16));
		break;
	}
	(void)site;
}

static void draw_update(const struct site *site, int job, int other, GString *j)
{
	static const char *const QOS_NAMES[] = {"normal", "few", "small", "narrow", "group"};

	switch (between(0, 5)) {
	case 0:
		g_string_append_printf(j, "scontrol top @j%d,@j%d", job, other);
		break;
	case 1:
		g_string_append_printf(j, "scontrol update job=@j%d qos=%s", job, QOS_NAMES[draw() % 5]);
		break;
	case 2:
		g_string_append_printf(j, "scontrol update job=@j%d partition=p%d", job, between(0, site->n_parts - 1));
		break;
	case 3:
		g_string_append_printf(j, "scontrol update job=@j%d numcpus=%d", job, between(1, 12));
		break;
	case 4:
		g_string_append_printf(j, "scontrol update job=@j%d sitefactor=%d", job, between(-500, 500));
		break;
	default:
		g_string_append_printf(j, "scontrol update job=@j%d minmemorynode=%d", job, PICK(100, 1000, 9000));
		break;
	}
}

static void draw_event(const struct site *site, int i, int n_jobs)
{
	GString *j = site->json;
	int job = between(0, n_jobs - 1), at = between(0, site->hour + 600), node = between(1, site->n_a);

	g_string_append_printf(j, "%s\n  {\"at\": %d, \"cmd\": \"", i ? "," : "", at);
	switch (between(0, site->accounting->len ? 12 : 11)) {
	case 12:
		draw_change(site, j);
		break;
	case 10:
	case 11:
		draw_update(site, job, between(0, n_jobs - 1), j);
		break;
	case 0:
		g_string_append_printf(j, "scontrol %s @j%d", one_in(2) ? "suspend" : "resume", job);
		break;
	case 1:
		g_string_append_printf(j, "scontrol %s @j%d", one_in(2) ? "hold" : "uhold", job);
		break;
	case 2:
	case 3:
		g_string_append_printf(j, "scontrol release @j%d", job);
		break;
	case 4:
		g_string_append_printf(j, "scancel @j%d", job);
		break;
	case 5:
		g_string_append_printf(j, "scontrol %s @j%d", one_in(2) ? "requeue" : "requeuehold", job);
		break;
	case 6:
		g_string_append_printf(j, "scontrol update job=@j%d timelimit=%d", job, between(1, 60));
		break;
	case 7:
		if (i % 3 == 0)
			g_string_append_printf(j, "%s a%d", between(0, 500) < 250 ? "node_kill" : "node_start", node);
		else if (i % 3 == 1)
			g_string_append_printf(j, "outage %d", between(1, 500));
		else
			g_string_append_printf(j, "scontrol update job=@j%d nice=%d", job, between(0, 500));
		break;
	case 8:
		g_string_append_printf(j, "scontrol update partition=p%d %s", between(0, site->n_parts - 1),
		                       one_in(3)   ? "state=down"
		                       : one_in(2) ? "maxtime=45"
		                                   : "state=up");
		break;
	default:
		g_string_append_printf(j, "scontrol update node=a%d state=%s reason=test", node,
		                       one_in(3)   ? "down"
		                       : one_in(2) ? "drain"
		                                   : "resume");
		break;
	}
	g_string_append(j, "\"}");
}

static void draw_power_events(struct site *site, bool first)
{
	static const char *const STATES[] = {"power_up", "power_down", "power_down_asap", "power_down_force"};

	for (int i = between(0, 5); i > 0; i--, first = false) {
		g_string_append_printf(site->json, "%s\n  {\"at\": %d, \"cmd\": \"", first ? "" : ",", between(0, site->hour + 600));
		int node = between(1, site->n_a);
		if (one_in(2))
			g_string_append_printf(site->json, "scontrol update node=a%d state=%s", node, STATES[draw() % 4]);
		else if (one_in(5))
			g_string_append_printf(site->json, "scontrol cancel_reboot a%d", node);
		else
			g_string_append_printf(site->json, "scontrol reboot %s%sreason=test a%d", one_in(2) ? "ASAP " : "",
			                       one_in(4)   ? "nextstate=DOWN "
			                       : one_in(2) ? "nextstate=RESUME "
			                                   : "",
			                       node);
		g_string_append(site->json, "\"}");
	}
}

/* Partitions u0 to u2 come, change and go; nodes change. Beside the other draws, too. */
static void draw_partition_update(const struct site *site, GString *j)
{
	static const char *const KEYS[] = {"state=inactive", "state=drain", "maxnodes=2", "maxnodes=unlimited", "minnodes=0", "defaulttime=3", "prioritytier=9",
	                                   "prioritytier=1 priorityjobfactor=40", "preemptmode=off", "preemptmode=requeue", "gracetime=20", "oversubscribe=no",
	                                   "oversubscribe=force:2", "oversubscribe=yes:3", "oversubscribe=exclusive", "allowaccounts=acct", "denyaccounts=acct",
	                                   "allowaccounts=ALL denyaccounts=", "allowqos=normal", "allowqos=ALL", "denyqos=few", "qos=few", "qos=", "lln=yes", "lln=no",
	                                   "rootonly=yes", "rootonly=no reqresv=no", "reqresv=yes", "exclusiveuser=yes", "exclusiveuser=no", "overtimelimit=1",
	                                   "defmempernode=500", "defmempercpu=100 maxmempercpu=2000", "maxmempernode=0", "maxcpuspernode=2",
	                                   "maxcpuspernode=unlimited", "tresbillingweights=CPU=2", "alternate=p0", "default=yes", "hidden=yes", "nodes=ALL",
	                                   "nodes=a1", "jobdefaults=DefCpuPerGPU=2"};
	int which = between(0, 9);

	if (which < 5)
		g_string_append_printf(j, "scontrol update partition=p%d %s", between(0, site->n_parts - 1), KEYS[draw() % G_N_ELEMENTS(KEYS)]);
	else if (which < 6)
		g_string_append_printf(j, "scontrol update partition=u%d nodes=a[1-%d] state=up", between(0, 2), between(1, site->n_a));
	else if (which < 7)
		g_string_append_printf(j, "scontrol update partition=p0 nodes=ALL state=up rootonly=no reqresv=no allowaccounts=ALL allowqos=ALL");
	else if (which < 9)
		g_string_append_printf(j, "scontrol create partition=u%d nodes=%s%s prioritytier=%d", between(0, 2), one_in(2) ? "ALL" : "a1", one_in(3) ? " default=yes" : "",
		                       between(1, 9));
	else
		g_string_append_printf(j, "scontrol delete partition=%c%d", one_in(4) ? 'p' : 'u', between(0, 2));
}

static void draw_node_update(const struct site *site, GString *j)
{
	static const char *const STATES[] = {"idle", "undrain", "resume", "future", "fail reason=x", "drain reason=x", "down reason=x", "noresp", "cancel_reboot"};
	int node = between(1, site->n_a);

	switch (between(0, 5)) {
	case 0:
		g_string_append_printf(j, "scontrol update node=a[%d-%d] weight=%d", node, between(node, site->n_a), between(0, 20));
		break;
	case 1:
		g_string_append_printf(j, "scontrol update node=a%d availablefeatures=old,ib,new activefeatures=%s", node, one_in(2) ? "new,ib" : "old");
		break;
	case 2:
		g_string_append_printf(j, "scontrol update node=a%d gres=%s comment=hi", node, one_in(2) ? "" : "gpu:2");
		break;
	default:
		g_string_append_printf(j, "scontrol update node=a%d state=%s", node, STATES[draw() % G_N_ELEMENTS(STATES)]);
		break;
	}
}

static void draw_updates(const struct site *site, GString *j, int n_jobs)
{
	for (int i = between(1, 12); i > 0; i--) {
		g_string_append_printf(j, "%s\n  {\"at\": %d, \"cmd\": \"", j->str[j->len - 1] == '[' ? "" : ",", between(0, site->hour + 300));
		if (one_in(5))
			g_string_append_printf(j, "scontrol update job=@j%d partition=u%d,p0", between(0, n_jobs - 1), between(0, 2));
		else if (one_in(3))
			draw_node_update(site, j);
		else
			draw_partition_update(site, j);
		g_string_append(j, "\"}");
	}
}

static void draw_again_events(struct site *site, int n_jobs, bool first)
{
	for (int i = between(2, 9); i > 0; i--, first = false) {
		int job = between(0, n_jobs - 1), node = between(1, site->n_a);
		g_string_append_printf(site->json, "%s\n  {\"at\": %d, \"cmd\": \"", first ? "" : ",", between(0, site->hour + 600));
		if (one_in(3))
			g_string_append_printf(site->json, "scontrol requeue %s@j%d", one_in(3) ? "Incomplete " : "", job);
		else if (one_in(2))
			g_string_append_printf(site->json, "scontrol requeuehold %s@j%d", one_in(2) ? "State=SpecialExit " : "", job);
		else
			g_string_append_printf(site->json, "scontrol update node=a%d state=%s reason=test", node, one_in(2) ? "down" : "resume");
		g_string_append(site->json, "\"}");
	}
}

/* KEY=VALUE of scontrol update job; some values are refused. */
static void draw_setting(const struct site *site, GString *u)
{
	static const char *const FIXED[] = {
	    "comment=x",        "name=j1",          "admincomment=y",    "wckey=w",          "requeue=0",         "requeue=1",        "contiguous=yes",
	    "contiguous=no",    "oversubscribe=no", "oversubscribe=yes", "features=ib",      "features=old|new",  "features=",        "prefer=new",
	    "prefer=",          "licenses=app:2",   "licenses=tool",     "licenses=",        "gres=gpu:1",        "gres=gpu:2",       "gres=",
	    "reservationname=r0", "reservationname=", "starttime=now",   "resetaccruetime",  "nice",              "priority=0",       "deadline=now+1000",
	    "endtime=now+300",  "timelimit=+5",     "timelimit=-3",      "timelimit=UNLIMITED", "timemin=2",      "timemin=0",        "switches=1@2",
	    "switches=0",       "nodelist=a1",      "nodelist=a[1-2]",   "nodelist=",        "excnodelist=a2",    "excnodelist=",     "qos=few",
	    "account=other",    "partition=p0",     "mintmpdisknode=0",  "mintmpdisknode=9", "minmemorycpu=300",  "minmemorynode=0",  "numnodes=1",
	    "reqthreads=1",     "reqsockets=1",     "reqcores=2",        "delayboot=2",      "mailtype=END",      "stdout=/x",        "workdir=/w",
	    "dependency=",      "dependency=singleton", "arraytaskthrottle=2", "corespec=1", "burstbuffer=x",     "bogus=1"};

	if (u->len)
		g_string_append_c(u, ' ');
	switch (between(0, 14)) {
	case 0:
		g_string_append_printf(u, "numnodes=%d", between(1, 3));
		break;
	case 1:
		g_string_append_printf(u, "numnodes=%d-%d", between(1, 3), between(2, 4));
		break;
	case 2:
		g_string_append_printf(u, "numcpus=%d%s", between(1, 16), one_in(3) ? "-20" : "");
		break;
	case 3:
		g_string_append_printf(u, "numtasks=%d", between(0, 9));
		break;
	case 4:
		g_string_append_printf(u, "cpuspertask=%d", between(1, 4));
		break;
	case 5:
		g_string_append_printf(u, "mincpusnode=%d", between(1, 9));
		break;
	case 6:
		g_string_append_printf(u, "starttime=now+%d", between(1, 900));
		break;
	case 7:
		g_string_append_printf(u, "dependency=%s:@j%d", one_in(2) ? "afterok" : "afterany", between(0, site->n_jobs - 1));
		break;
	case 8:
		g_string_append_printf(u, "tasksPerNode=%d", between(0, 4));
		break;
	case 9:
		g_string_append_printf(u, site->old ? "tresperjob=gres:gpu:%d" : "tresperjob=gres/gpu:%d", between(1, 5));
		break;
	case 10:
		g_string_append_printf(u, site->old ? "trespertask=gres:gpu:%d" : "trespernode=gres/gpu:%d", between(1, 3));
		break;
	default:
		g_string_append(u, FIXED[draw() % G_N_ELEMENTS(FIXED)]);
		break;
	}
}

/* After all else, so that what other seeds mean stays. */
static void draw_job_updates(struct site *site)
{
	GString *all = g_string_new(NULL), *u = g_string_new(NULL);
	bool first = site->json->str[site->events_end - 1] == '[';

	for (int i = between(5, 60); i > 0; i--, first = false) {
		g_string_truncate(u, 0);
		for (int k = one_in(3) ? between(2, 4) : 1; k > 0; k--)
			draw_setting(site, u);
		g_string_append_printf(all, "%s\n  {\"at\": %d.%03d, \"cmd\": \"scontrol update job=@j%d %s\"%s}", first ? "" : ",",
		                       between(0, site->hour + 600), between(0, 999), between(0, site->n_jobs - 1), u->str,
		                       one_in(4) ? ", \"user\": \"alice\"" : "");
	}
	g_string_insert(site->json, (gssize)site->events_end, all->str);
	g_string_free(all, TRUE);
	g_string_free(u, TRUE);
}

#endif
