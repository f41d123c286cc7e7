/* tokentable.h - the rows of tokentable_test.c */

/* ---- main pass ---- */
/* nothing asks for a pass when a begin time is over */
{.token = "sched_interval=20", .with = "bf_interval=-1",
 .jobs = J("a", 1, SIZE(1, 1, 10) ", \"begin\": \"now+10\""),
 .off = "a -",
 .on = "a@20 n1"},
{.token = "sched_min_interval=5000000", .with = "bf_interval=-1",
 .jobs = J("a", 1, SIZE(1, 1, 10)) ", "
  J("b", 3, SIZE(1, 1, 10)),
 .off = "a@1 n1; b@3 n1",
 .on = "a@1 n1; b@6 n1"},
{.token = "batch_sched_delay=8", .with = "bf_interval=-1",
 .jobs = J("a", 1, SIZE(1, 1, 10)) ", "
  J("b", 3, SIZE(1, 1, 10)),
 .off = "a@1 n1; b@3 n1",
 .on = "a@8 n1; b@8 n1"},
{.token = "default_queue_depth=1", .with = "bf_interval=-1",
 .jobs = J("a", 1, SIZE(1, 1, 40)) ", "
  J("b", 1, SIZE(1, 1, 40)) ", "
  J("c", 1, SIZE(1, 1, 40)),
 .off = "a@1 n1; b@1 n1; c@1 n1",
 .on = "a@1 n1; b@1 n1; c@41 n1"},
{.token = "partition_job_depth=1", .with = "bf_interval=-1",
 .jobs = J("a", 1, SIZE(1, 1, 40)) ", "
  J("b", 1, SIZE(1, 1, 40)) ", "
  J("c", 1, SIZE(1, 1, 40) ", \"partition\": \"q\""),
 .off = "a@1 n1; b@1 n1; c@1 n4",
 .on = "a@1 n1; b@41 n1; c@1 n4"},
{.token = "max_sched_time=1", .with = "bf_interval=-1",
 .keys = "\"controller_cost\": \"main_job=400000\", ",
 .jobs = J("a", 1, SIZE(1, 1, 40)) ", "
  J("b", 1, SIZE(1, 1, 40)) ", "
  J("c", 1, SIZE(1, 1, 40)) ", "
  J("d", 1, SIZE(1, 1, 40)) ", "
  J("e", 1, SIZE(1, 1, 40)),
 .off = "a@1 n1; b@1 n1; c@2 n1; d@2 n1; e@3 n2",
 .on = "a@1 n1; b@1 n1; c@2 n1; d@41 n1; e@42 n1"},
{.token = "sched_max_job_start=1", .with = "bf_interval=-1",
 .jobs = J("a", 1, SIZE(1, 1, 40)) ", "
  J("b", 1, SIZE(1, 1, 40)) ", "
  J("c", 1, SIZE(1, 1, 40)),
 .off = "a@1 n1; b@1 n1; c@1 n1",
 .on = "a@1 n1; b@41 n1; c@81 n1"},
/* S3: the end of a job asks for a pass at once, or raises the counter */
{.token = "defer", .with = "bf_interval=-1,batch_sched_delay=20",
 .keys = "\"release\": \"message\", ",
 .jobs = J("a", 1, SIZE(16, 1, 5)) ", "
  J("b", 2, SIZE(16, 1, 5)),
 .off = "a@20 n[1-4]; b@25 n[1-4]",
 .on = "a@20 n[1-4]; b@40 n[1-4]"},
{.token = "defer_batch", .with = "bf_interval=-1,batch_sched_delay=20",
 .keys = "\"release\": \"message\", ",
 .jobs = J("a", 1, SIZE(16, 1, 5)) ", "
  J("b", 2, SIZE(16, 1, 5)),
 .off = "a@20 n[1-4]; b@25 n[1-4]",
 .on = "a@20 n[1-4]; b@40 n[1-4]"},
{.token = "build_queue_timeout", .elsewhere = "the queue is built in no time"},
{.token = "assoc_limit_stop", .elsewhere = "limits_test.c"},
{.token = "bf_min_age_reserve=100", .with = "bf_interval=-1",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@151 n1; d@151 n2",
 .on = "a@1 n1; b@101 n[1-4]; c@3 n2; d@3 n3"},
{.token = "bf_min_prio_reserve=4294967000", .with = "bf_interval=-1",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@151 n1; d@151 n2",
 .on = "a@1 n1; b@101 n[1-4]; c@3 n2; d@3 n3"},
/* short of licences ends the pass */
{.token = "bf_licenses",
 .jobs = J("a", 1, SIZE(1, 1, 40) ", \"licenses\": \"app\"") ", "
  J("b", 1, SIZE(1, 1, 40) ", \"licenses\": \"app\"") ", "
  J("c", 1, SIZE(1, 1, 40)),
 .off = "a@1 n1; b@41 n1; c@1 n1",
 .on = "a@1 n1; b@41 n1; c@10 n2",
 .on_22 = "a@1 n1; b@41 n2; c@10 n2"},
{.token = "reduce_completing_frag", .with = "bf_interval=-1",
 .conf = "CompleteWait=20\nPartitionName=r Nodes=n[1-2]\n",
 .keys = "\"epilog_latency\": 40, ",
 .jobs = J("a", 1, SIZE(4, 1, 5) ", \"partition\": \"r\"") ", "
  J("b", 8, SIZE(4, 1, 5) ", \"partition\": \"q\""),
 .off = "a@1 n1; b@46 n4",
 .on = "a@1 n1; b@8 n4"},
{.token = "max_rpc_cnt", .elsewhere = "there are no RPCs"},
/* so many tasks get records of their own */
{.token = "correspond_after_task_cnt=12",
 .jobs = J("a", 1, SIZE(1, 1, 10) ", \"array\": \"0-13\", \"hold\": true") ", "
  J("b", 1, SIZE(1, 1, 10) ", \"array\": \"0-13\", \"depends\": \"aftercorr:@a\""),
 .off = "a -; b_0 -; b_1 -; b_2 -; b_3 -; b_4 -; b_5 -; b_6 -; b_7 -; b_8 -; b_9 -; b -",
 .on = "a -; b_0 -; b_1 -; b_2 -; b_3 -; b_4 -; b_5 -; b_6 -; b_7 -; b_8 -; b_9 -; b_10 -; b_11 -; b -"},
{.token = "bb_array_stage_cnt", .elsewhere = "burst buffers are not modelled"},
{.token = "bf_hetjob_prio=max", .with = "sched_interval=-1",
 .conf = "PartitionName=t Nodes=n[1-2] PriorityTier=5\nPartitionName=s Nodes=n3\n",
 .jobs = J("b", 1, WHOLE(1, 1, 40) ", \"partition\": \"s\"") ", "
  J("h", 2, WHOLE(1, 1, 40) ", \"partition\": \"s\", \"het\": [{\"nodes\": 1, \"partition\": \"t\"}]"),
 .off = "b@10 n3; h+0@50 n3; h+1@50 n1",
 .on = "b@50 n3; h+0@10 n3; h+1@10 n1"},
{.token = "bf_hetjob_immediate", .with = "sched_interval=-1",
 .keys = "\"controller_cost\": \"bf_job=2000000\", ",
 .jobs = J("h", 1, SIZE(1, 1, 40) ", \"het\": [{\"ntasks\": 1}]") ", "
  J("i", 2, SIZE(1, 1, 40)) ", "
  J("j", 2, SIZE(1, 1, 40)),
 .off = "h+0@19 n1; h+1@19 n2; i@17 n3; j@19 n3",
 .on = "h+0@14 n1; h+1@14 n2; i@17 n3; j@19 n3",
 .off_22 = "h+0@19 n1; h+1@19 n3; i@17 n3; j@19 n3"},
{.token = "ignore_prefer_validation", .elsewhere = "tokens_test.c, ignored_validation"},
{.token = "ignore_constraint_validation", .elsewhere = "tokens_test.c, ignored_validation"},
{.token = "interval=70", .with = NULL, .elsewhere = "S38: estimates of sched/builtin alone, builtin_test.c, how_often"},

/* ---- backfill ---- */
{.token = "bf_interval=30",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1",
 .on = "a@1 n1; b@101 n[1-4]; c@30 n2; d@151 n1"},
{.token = "bf_max_time=1", .with = "sched_interval=-1",
 .keys = "\"controller_cost\": \"bf_job=600000\", ",
 .jobs = GAP,
 .off = "a@10 n1; b@112 n[1-4]; c@11 n2; d@166 n1",
 .on = "a@10 n1; b@111 n[1-4]; c@22 n2; d@165 n1",
 .off_22 = "a@10 n1; b@112 n[1-4]; c@11 n2; d@163 n1",
 .on_22 = "a@10 n1; b@111 n[1-4]; c@22 n2; d@162 n1"},
/* b lies beyond the window: d is not kept away from its nodes */
{.token = "bf_window=1",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1",
 .on = "a@1 n1; b@101 n[1-4]; c@10 n2; d@10 n3"},
{.token = "bf_resolution=300",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1",
 .on = "a@1 n1; b@101 n[1-4]; c@151 n1; d@151 n2"},
{.token = "bf_max_job_test=1",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1",
 .on = "a@1 n1; b@101 n[1-4]; c@151 n1; d@151 n2"},
{.token = "bf_node_space_size=2",
 .jobs = GAP ", " J("e", 4, SIZE(4, 1, 10)),
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1; e@10 n3",
 .on = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1; e@151 n2"},
{.token = "bf_max_job_part=1",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1",
 .on = "a@1 n1; b@101 n[1-4]; c@151 n1; d@151 n2"},
{.token = "bf_max_job_user=1",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1",
 .on = "a@1 n1; b@101 n[1-4]; c@151 n1; d@151 n2"},
{.token = "bf_max_job_user_part=1",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1",
 .on = "a@1 n1; b@101 n[1-4]; c@151 n1; d@151 n2"},
{.token = "bf_max_job_assoc=1",
 .jobs = GAP,
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1",
 .on = "a@1 n1; b@101 n[1-4]; c@151 n1; d@151 n2"},
{.token = "bf_max_job_start=1",
 .jobs = GAP ", " J("e", 3, SIZE(4, 1, 30)),
 .off = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1; e@10 n3",
 .on = "a@1 n1; b@101 n[1-4]; c@10 n2; d@151 n1; e@20 n3"},
/* b_0 is planned on n1 and n2, b_1 on n3 and n4 or not at all: c wants n3 */
{.token = "bf_max_job_array_resv=1",
 .jobs = J("a", 1, WHOLE(2, 2, 100) ", \"nodelist\": \"n[1-2]\"") ", "
  J("f", 1, WHOLE(1, 3, 170) ", \"nodelist\": \"n4\"") ", "
  J("b", 2, WHOLE(2, 2, 50) ", \"array\": \"0-1\"") ", "
  J("c", 3, SIZE(1, 5, 50)),
 .off = "a@1 n[1-2]; b_0@101 n[1-2]; b_1@151 n[1-2]; c@110 n3; f@1 n4",
 .on = "a@1 n[1-2]; b_0@101 n[1-2]; b_1@151 n[1-2]; c@10 n3; f@1 n4",
 .off_22 = "a@1 n[1-2]; b_0@101 n[1-2]; b_1@151 n[1-2]; c@101 n3; f@1 n4"},
/* b is planned on n1, e behind it on n1 and n2 or not at all */
{.token = "bf_job_part_count_reserve=1", .with = "sched_interval=-1",
 .jobs = J("a", 1, WHOLE(1, 2, 100)) ", "
  J("b", 2, WHOLE(1, 2, 50) ", \"nodelist\": \"n1\"") ", "
  J("c", 4, WHOLE(1, 10, 30) ", \"nodelist\": \"n2\"") ", "
  J("e", 3, WHOLE(2, 2, 50) ", \"nodelist\": \"n[1-2]\""),
 .off = "a@10 n1; b@110 n1; c@210 n2; e@160 n[1-2]",
 .on = "a@10 n1; b@110 n1; c@10 n2; e@160 n[1-2]",
 .on_22 = "a@10 n1; b@114 n1; c@10 n2; e@164 n[1-2]"}, /* backfill rests, until a ping wakes it */
/* b is planned in s and in t, or in s alone: c wants a node of t */
{.token = "bf_one_resv_per_job",
 .conf = "PartitionName=s Nodes=n[1-2]\nPartitionName=t Nodes=n[3-4]\n",
 .jobs = J("a", 1, WHOLE(3, 2, 100) ", \"nodelist\": \"n[1,2,4]\"") ", "
  J("b", 2, WHOLE(2, 2, 50) ", \"partition\": \"s,t\"") ", "
  J("c", 3, SIZE(1, 10, 50)),
 .off = "a@1 n[1-2,4]; b@101 n[1-2]; c@101 n3",
 .on = "a@1 n[1-2,4]; b@101 n[1-2]; c@10 n3"},
{.token = "bf_continue", .with = "sched_interval=-1,bf_yield_interval=1000000,bf_yield_sleep=1000000",
 .keys = "\"controller_cost\": \"bf_job=600000\", ",
 .jobs = GAP ", " J("e", 10.5, SIZE(1, 1, 10)) ", "
  J("f", 11.5, SIZE(1, 1, 10)),
 .off = "a@10 n1; b@116 n[1-4]; c@23 n2; d@169 n1; e@25 n3; f@27 n3",
 .on = "a@10 n1; b@115 n[1-4]; c@12 n2; d@169 n1; e@26 n3; f@26 n3",
 .off_22 = "a@10 n1; b@116 n[1-4]; c@23 n2; d@167 n1; e@25 n3; f@27 n3",
 .on_22 = "a@10 n1; b@115 n[1-4]; c@12 n2; d@167 n1; e@26 n3; f@26 n3"},
{.token = "bf_yield_interval=500000", .with = "sched_interval=-1,bf_continue",
 .keys = "\"controller_cost\": \"bf_job=600000\", ",
 .jobs = GAP,
 .off = "a@10 n1; b@112 n[1-4]; c@11 n2; d@166 n1",
 .on = "a@10 n1; b@118 n[1-4]; c@12 n2; d@172 n1",
 .off_22 = "a@10 n1; b@112 n[1-4]; c@11 n2; d@163 n1",
 .on_22 = "a@10 n1; b@118 n[1-4]; c@12 n2; d@168 n1"},
{.token = "bf_yield_sleep=4000000", .with = "sched_interval=-1,bf_continue,bf_yield_interval=500000",
 .keys = "\"controller_cost\": \"bf_job=600000\", ",
 .jobs = GAP,
 .off = "a@10 n1; b@118 n[1-4]; c@12 n2; d@172 n1",
 .on = "a@10 n1; b@125 n[1-4]; c@19 n2; d@183 n1",
 .off_22 = "a@10 n1; b@118 n[1-4]; c@12 n2; d@168 n1",
 .on_22 = "a@10 n1; b@125 n[1-4]; c@19 n2; d@176 n1"},
{.token = "bf_yield_rpc_cnt", .elsewhere = "there are no RPCs"},
/* b is planned on n1 to n3 from 121, or on n3, n4 and n1: c wants a CPU of n4 */
{.token = "bf_busy_nodes",
 .jobs = J("a", 1, WHOLE(2, 2, 100) ", \"nodelist\": \"n[1-2]\"") ", "
  J("f3", 1, SIZE(1, 60, 390) ", \"nodelist\": \"n3\"") ", "
  J("f4", 1, SIZE(1, 60, 390) ", \"nodelist\": \"n4\"") ", "
  J("b", 2, SIZE(9, 2, 50) ", \"nodes\": 3, \"ntasks_per_node\": 3") ", "
  J("c", 3, SIZE(1, 10, 50)),
 .off = "a@1 n[1-2]; b@101 n[1-3]; c@10 n4; f3@1 n3; f4@1 n4",
 .on = "a@1 n[1-2]; b@101 n[1-3]; c@101 n1; f3@1 n3; f4@1 n4"},
/* b is planned on n1 and n4 from 140, or on n2 and n4 from 121: c would be on n4 from 70 to 130 */
{.token = "bf_running_job_reserve",
 .jobs = J("f", 1, WHOLE(1, 60, 390) ", \"nodelist\": \"n3\"") ", "
  J("a2", 1, WHOLE(1, 2, 119) ", \"nodelist\": \"n2\"") ", "
  J("a1", 20, WHOLE(1, 2, 119) ", \"nodelist\": \"n1\"") ", "
  J("b", 25, WHOLE(2, 2, 50)) ", "
  J("c", 63, SIZE(1, 1, 60)),
 .off = "a1@20 n1; a2@1 n2; b@130 n[2,4]; c@70 n4; f@1 n3",
 .on = "a1@20 n1; a2@1 n2; b@120 n[2,4]; c@139 n1; f@1 n3",
 .off_22 = "a1@20 n1; a2@1 n2; b@123 n[2,4]; c@63 n4; f@1 n3"},
/* B34: b is planned on n1, n2, n4 from 301, or on n1, n3, n4 from 241: c would be on n4 from 10 to 250 */
{.token = "bf_window_linear=10",
 .jobs = J("a1", 1, WHOLE(1, 1, 59) ", \"nodelist\": \"n1\"") ", "
  J("a2", 1, WHOLE(1, 5, 299) ", \"nodelist\": \"n2\"") ", "
  J("a3", 1, WHOLE(1, 4, 239) ", \"nodelist\": \"n3\"") ", "
  J("b", 2, WHOLE(3, 2, 50)) ", "
  J("c", 3, SIZE(1, 4, 60)),
 .off = "a1@1 n1; a2@1 n2; a3@1 n3; b@240 n[1,3-4]; c@10 n4",
 .on = "a1@1 n1; a2@1 n2; a3@1 n3; b@240 n[1,3-4]; c@290 n1"},
/* b may use reservation r, and is planned there or only elsewhere: c wants n2, which is of r */
{.token = "bf_allow_magnetic_slot",
 .jobs = J2("f", 2, WHOLE(2, 60, 390)) ", "
  J("a", 3, WHOLE(1, 2, 100)) ", "
  J("b", 4, WHOLE(2, 2, 50)) ", "
  J("c", 5, SIZE(1, 10, 50)),
 .events = "{\"at\": 1, \"cmd\": \"scontrol create reservation reservationname=r starttime=now duration=60 nodes=n[1-2] users=u1 flags=magnetic\"}",
 .off = "a@3 n1; b@103 n[1-2]; c@10 n2; f@2 n[3-4]",
 .on = "a@3 n1; b@103 n[1-2]; c@153 n1; f@2 n[3-4]",
 .on_22 = "a@3 n1; b@103 n[1-2]; c@10 n2; f@2 n[3-4]"},
{.token = "bf_topopt_enable", .elsewhere = "topopt_test.c, the_lowest_score: the plan of one job and with it that of the next"},
{.token = "bf_topopt_iterations", .elsewhere = "topopt_test.c, iterations"},
{.token = "time_min_as_soft_limit", .elsewhere = "tokens_test.c, time_min_as_soft_limit and soft_limit_of_a_start"},
