/* lint_test.c - every check of whypend lint fires where it should and stays silent beside it (the table of
 * lint_checks.c). */
#include "tests/unit/lint_helper.h"
#include "tools/lint_out.h"
#include <cjson/cJSON.h>

#define N LINT_NOTE
#define W LINT_WARNING
#define E LINT_ERROR
#define SP(text) CLEAN "SchedulerParameters=" text "\n"
/* the site of the limits: everything enforced */
#define LIM CLEAN ENFORCE

static const struct lint_case cases[] = {
    /* backfill */
    {"bf-window-short", W, HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=2-0 DefaultTime=30\n", NULL,
     NULL, NULL},
    {"bf-window-short", NONE,
     HEAD MEM NODES
     "SchedulerParameters=bf_window=2880\nPartitionName=p Nodes=ALL Default=YES MaxTime=2-0 DefaultTime=30\n",
     NULL, NULL, NULL},
    {"bf-window-short", W, HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=2-0 DefaultTime=30\n", NULL,
     NULL, "SchedulerParameters.bf_window=60"},
    {"bf-window-short", NONE,
     HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=2-0 DefaultTime=30\nSchedulerType=sched/builtin\n",
     NULL, NULL, NULL},
    {"time-unlimited", W, HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES\n", NULL, NULL, NULL},
    {"time-unlimited", N, HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES DefaultTime=30\n", NULL, NULL, NULL},
    {"time-unlimited", NONE, CLEAN, NULL, NULL, NULL},
    {"default-time-missing", N, HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=120\n", NULL, NULL, NULL},
    {"default-time-missing", NONE,
     HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=120\nJobSubmitPlugins=require_timelimit\n", NULL,
     NULL, NULL},
    {"bf-resolution-coarse", W, SP("bf_resolution=2400"), NULL, NULL, NULL},
    {"bf-resolution-coarse", NONE, SP("bf_resolution=600"), NULL, NULL, NULL},
    {"bf-off", W, SP("bf_interval=-1"), NULL, NULL, NULL},
    {"bf-off", N, CLEAN "SchedulerType=sched/builtin\n", NULL, NULL, NULL},
    {"bf-off", NONE, SP("bf_interval=30"), NULL, NULL, NULL},
    {"bf-interval-long", N, SP("bf_interval=600"), NULL, NULL, NULL},
    {"bf-interval-long", NONE, SP("bf_interval=60"), NULL, NULL, NULL},
    {"bf-assoc-hides-user", W, SP("bf_max_job_user=10,bf_max_job_assoc=20"), NULL, NULL, NULL},
    {"bf-assoc-hides-user", NONE, SP("bf_max_job_assoc=20"), NULL, NULL, NULL},
    {"bf-node-space-small", W, SP("bf_node_space_size=100"), NULL, NULL, NULL},
    {"bf-node-space-small", NONE, SP("bf_node_space_size=1000"), NULL, NULL, NULL},
    {"bf-cap-below-depth", N, SP("bf_max_job_part=10"), NULL, NULL, NULL},
    {"bf-cap-below-depth", N, SP("bf_max_job_user=10"), USERS, NULL, NULL},
    {"bf-cap-below-depth", NONE, SP("bf_max_job_user=10,bf_max_job_test=20"), USERS, NULL, NULL},
    {"bf-min-prio-unreachable", W, SP("bf_min_prio_reserve=5000"), NULL, NULL, NULL},
    {"bf-min-prio-unreachable", NONE, SP("bf_min_prio_reserve=500"), NULL, NULL, NULL},
    {"bf-min-age-long", N, SP("bf_min_age_reserve=86400"), NULL, NULL, NULL},
    {"bf-min-age-long", NONE, SP("bf_min_age_reserve=600"), NULL, NULL, NULL},
    {"bf-array-none", W, SP("bf_max_job_array_resv=0"), NULL, NULL, NULL},
    {"bf-array-none", NONE, SP("bf_max_job_array_resv=1"), NULL, NULL, NULL},
    {"licenses-unplanned", N, CLEAN "Licenses=matlab:4\n", NULL, NULL, NULL},
    {"licenses-unplanned", NONE, SP("bf_licenses") "Licenses=matlab:4\n", NULL, NULL, NULL},
    /* the main scheduler */
    {"defer-delay", N, SP("defer"), NULL, NULL, NULL},
    {"defer-delay", NONE, SP("bf_continue"), NULL, NULL, NULL},
    {"queue-depth-short", W, SP("default_queue_depth=1") GPUS GPART, NULL, NULL, NULL},
    {"queue-depth-short", NONE, SP("default_queue_depth=2") GPUS GPART, NULL, NULL, NULL},
    {"sched-interval-long", W, SP("sched_interval=-1"), NULL, NULL, NULL},
    {"sched-interval-long", N, SP("sched_interval=600"), NULL, NULL, NULL},
    {"sched-interval-long", NONE, SP("sched_interval=120"), NULL, NULL, NULL},
    {"partition-depth-small", N, SP("partition_job_depth=3"), NULL, NULL, NULL},
    {"partition-depth-small", NONE, SP("partition_job_depth=100"), NULL, NULL, NULL},
    {"complete-wait", W, CLEAN "CompleteWait=32\n", NULL, NULL, NULL},
    {"complete-wait", N, CLEAN "CompleteWait=4\n", NULL, NULL, NULL},
    {"complete-wait", NONE, SP("reduce_completing_frag") "CompleteWait=32\n", NULL, NULL, NULL},
    {"over-time-limit", W, CLEAN "OverTimeLimit=UNLIMITED\n", NULL, NULL, NULL},
    {"over-time-limit", N, HEAD MEM NODES "PartitionName=p Nodes=ALL MaxTime=60 OverTimeLimit=5 Default=YES\n", NULL,
     NULL, NULL},
    {"over-time-limit", NONE, CLEAN "OverTimeLimit=0\n", NULL, NULL, NULL},
    {"array-fills-job-count", W, CLEAN "MaxArraySize=100001\n", NULL, NULL, NULL},
    {"array-fills-job-count", NONE, CLEAN "MaxArraySize=100001\nMaxJobCount=200000\n", NULL, NULL, NULL},
    {"assoc-limit-stop", W, SP("assoc_limit_stop") ENFORCE, USERS, NULL, NULL},
    {"assoc-limit-stop", NONE, SP("assoc_limit_stop"), USERS, NULL, NULL},
    {"enforce-part-limits-no", N, CLEAN, NULL, NULL, "EnforcePartLimits=NO"},
    {"enforce-part-limits-no", NONE, CLEAN, NULL, NULL, NULL},
    /* priority */
    {"prio-basic-weights", W, CLEAN, NULL, NULL, "PriorityType=priority/basic"},
    {"prio-basic-weights", NONE, HEAD MEM NODES PART, NULL, NULL, NULL},
    {"prio-no-weights", N, CLEAN, NULL, NULL, "PriorityWeightAge="},
    {"prio-no-weights", NONE, CLEAN, NULL, NULL, NULL},
    {"prio-saturates", W, CLEAN "PriorityWeightJobSize=4000000000\nPriorityWeightPartition=4000000000\n", NULL, NULL,
     NULL},
    {"prio-saturates", NONE, CLEAN "PriorityWeightJobSize=4000000000\n", NULL, NULL, NULL},
    {"prio-saturates", W, CLEAN "PriorityWeightQOS=1000000\nPriorityFlags=NO_NORMAL_QOS\n", "add qos h priority=5000\n",
     NULL, NULL},
    {"prio-vanishes", W, CLEAN, NULL, NULL, "PriorityWeightAge=5"},
    {"prio-vanishes", NONE, CLEAN, NULL, NULL, "PriorityWeightAge=700"},
    {"prio-vanishes", W, CLEAN "PriorityWeightTRES=CPU=3\n", NULL, NULL, NULL},
    {"prio-vanishes", NONE, CLEAN "PriorityWeightTRES=CPU=3000\n", NULL, NULL, NULL},
    {"prio-vanishes", W, CLEAN "PriorityWeightQOS=100\n", "add qos h priority=100000\nadd qos i priority=99999\n", NULL,
     NULL},
    {"prio-never-overtakes", N, CLEAN "PriorityWeightQOS=5000\n", "add qos h priority=10\n", NULL, NULL},
    {"prio-never-overtakes", NONE, CLEAN "PriorityWeightQOS=500\n", "add qos h priority=10\n", NULL, NULL},
    {"prio-never-overtakes", N,
     CLEAN "PriorityWeightPartition=9000\nPartitionName=q Nodes=n1 PriorityJobFactor=10 MaxTime=60 DefaultTime=10\n",
     NULL, NULL, NULL},
    {"prio-weight-constant", W, CLEAN "PriorityWeightPartition=1000\n", NULL, NULL, NULL},
    {"prio-weight-constant", W, CLEAN "PriorityWeightQOS=1000\n", USERS, NULL, NULL},
    {"prio-weight-constant", W, CLEAN "PriorityWeightAssoc=1000\n", USERS, NULL, NULL},
    {"prio-weight-constant", NONE, CLEAN "PriorityWeightQOS=1000\n", "add qos h priority=10\n", NULL, NULL},
    {"prio-factor-unweighted", W, CLEAN, "add qos h priority=10\n", NULL, NULL},
    {"prio-factor-unweighted", W,
     CLEAN GPUS "PartitionName=g Nodes=g[1-2] MaxTime=60 DefaultTime=10 PriorityJobFactor=5\n", NULL, NULL, NULL},
    {"prio-factor-unweighted", NONE, CLEAN "PriorityWeightQOS=500\n", "add qos h priority=10\n", NULL, NULL},
    {"tier-before-priority", N, CLEAN "PartitionName=q Nodes=n1 PriorityTier=5 MaxTime=60 DefaultTime=10\n", NULL, NULL,
     NULL},
    {"tier-before-priority", NONE, CLEAN GPUS "PartitionName=g Nodes=g[1-2] PriorityTier=5 MaxTime=60 DefaultTime=10\n",
     NULL, NULL, NULL},
    {"max-age", W, CLEAN "PriorityMaxAge=0\n", NULL, NULL, NULL},
    {"max-age", NONE, CLEAN "PriorityMaxAge=1-0\n", NULL, NULL, NULL},
    /* usage */
    {"fairshare-unenforced", W, CLEAN "PriorityWeightFairshare=1000\n", NULL, NULL,
     "AccountingStorageType=accounting_storage/none"},
    {"fairshare-unenforced", W, CLEAN "PriorityWeightFairshare=1000\n", USERS, NULL, NULL},
    {"fairshare-unenforced", NONE, LIM "PriorityWeightFairshare=1000\n", USERS, NULL, NULL},
    {"age-no-accounting", W, CLEAN, NULL, NULL, "AccountingStorageType=accounting_storage/none"},
    {"age-no-accounting", NONE, CLEAN, NULL, NULL, NULL},
    {"usage-uncharged", W, CLEAN "AccountingStorageEnforce=associations\nPriorityWeightFairshare=1000\n", USERS, NULL,
     NULL},
    {"usage-uncharged", NONE, LIM "PriorityWeightFairshare=1000\n", USERS, NULL, NULL},
    {"half-life", E, LIM "PriorityWeightFairshare=1000\nPriorityDecayHalfLife=0\n", USERS, NULL, NULL},
    {"half-life", N, LIM "PriorityWeightFairshare=1000\nPriorityDecayHalfLife=1:00:00\n", USERS, NULL, NULL},
    {"half-life", NONE, LIM "PriorityWeightFairshare=1000\nPriorityDecayHalfLife=0\nPriorityUsageResetPeriod=MONTHLY\n",
     USERS, NULL, NULL},
    {"calc-period-long", W, CLEAN "PriorityCalcPeriod=60\n", NULL, NULL, NULL},
    {"calc-period-long", NONE, CLEAN "PriorityCalcPeriod=5\n", NULL, NULL, NULL},
    {"billing-no-gpu", W, LIM "PriorityWeightFairshare=1000\n" GPUS GPART, USERS, NULL, NULL},
    {"billing-no-gpu", NONE,
     LIM "PriorityWeightFairshare=1000\n" GPUS
         "PartitionName=g Nodes=g[1-2] MaxTime=60 DefaultTime=9 TRESBillingWeights=CPU=1,GRES/gpu=2\n",
     USERS, NULL, NULL},
    {"billing-mem-per-mib", W,
     HEAD MEM NODES
     "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 TRESBillingWeights=CPU=1,Mem=0.25\n",
     NULL, NULL, NULL},
    {"billing-mem-per-mib", NONE,
     HEAD MEM NODES
     "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 TRESBillingWeights=CPU=1,Mem=0.25G\n",
     NULL, NULL, NULL},
    {"max-tres-no-weights", W, CLEAN "PriorityFlags=MAX_TRES\n", NULL, NULL, NULL},
    {"max-tres-no-weights", NONE,
     HEAD MEM NODES "PriorityFlags=MAX_TRES\nPartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 "
                    "TRESBillingWeights=CPU=1\n",
     NULL, NULL, NULL},
    {"shares-odd", W, LIM "PriorityWeightFairshare=1000\n", USERS "modify user set fairshare=0 where name=bob\n", NULL,
     NULL},
    {"shares-odd", N, LIM "PriorityWeightFairshare=1000\n",
     USERS "add account b fairshare=parent\nadd user eve account=b\n", NULL, NULL},
    {"shares-odd", NONE, LIM "PriorityWeightFairshare=1000\n", USERS, NULL, NULL},
    /* limits */
    {"limits-unenforced", W, CLEAN, USERS "modify account a set GrpJobs=4\n", NULL, NULL},
    {"limits-unenforced", NONE, LIM, USERS "modify account a set GrpJobs=4\n", NULL, NULL},
    {"qos-unenforced", W, CLEAN "AccountingStorageEnforce=limits\n",
     USERS "add qos h priority=9\nmodify account a set qos=normal\n", NULL, NULL},
    {"qos-unenforced", NONE, LIM, USERS "add qos h priority=9\nmodify account a set qos=normal\n", NULL, NULL},
    {"limit-never-met", E, LIM, USERS "modify qos normal set MinTRESPerJob=cpu=8 MaxTRESPerJob=cpu=4\n", NULL, NULL},
    {"limit-never-met", E, LIM, USERS "modify qos normal set MinTRESPerJob=cpu=33\n", NULL, NULL},
    {"limit-never-met", W, LIM, USERS "modify qos normal set MaxTRESPerUser=cpu=0\n", NULL, NULL},
    {"limit-never-met", W, LIM, USERS "modify account a set GrpTRES=cpu=0\n", NULL, NULL},
    {"limit-never-met", W, LIM, USERS "modify qos normal set MaxWall=0\n", NULL, NULL},
    {"limit-never-met", NONE, LIM, USERS "modify qos normal set MinTRESPerJob=cpu=4 MaxTRESPerJob=cpu=8\n", NULL, NULL},
    {"limit-below-node", W,
     HEAD MEM NODES ENFORCE "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 QOS=pq\n",
     USERS "add qos pq MaxTRESPerUser=cpu=4\n", NULL, NULL},
    {"limit-below-node", E,
     HEAD MEM NODES ENFORCE
     "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 QOS=pq OverSubscribe=EXCLUSIVE\n",
     USERS "add qos pq MaxTRESPerUser=cpu=4\n", NULL, NULL},
    {"limit-below-node", NONE,
     HEAD MEM NODES ENFORCE "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 QOS=pq\n",
     USERS "add qos pq MaxTRESPerUser=cpu=8\n", NULL, NULL},
    {"limit-above-cluster", N, LIM, USERS "modify account a set GrpTRES=cpu=33\n", NULL, NULL},
    {"limit-above-cluster", NONE, LIM, USERS "modify account a set GrpTRES=cpu=32\n", NULL, NULL},
    {"limit-typed-gres", N,
     LIM "AccountingStorageTRES=gres/gpu,gres/gpu:a\nNodeName=h1 CPUs=8 Gres=gpu:a:2 RealMemory=9000\nNodeName=h2 "
         "CPUs=8 Gres=gpu:b:2 RealMemory=9000\n",
     USERS "modify account a set GrpTRES=gres/gpu:a=1\n", NULL, NULL},
    {"limit-typed-gres", NONE,
     LIM "AccountingStorageTRES=gres/gpu,gres/gpu:a\nNodeName=h1 CPUs=8 Gres=gpu:a:2 RealMemory=9000\n",
     USERS "modify account a set GrpTRES=gres/gpu:a=1\n", NULL, NULL},
    {"limit-hidden-by-qos", N, LIM, USERS "modify qos normal set MaxJobsPerUser=4\nmodify account a set MaxJobs=9\n",
     NULL, NULL},
    {"limit-hidden-by-qos", NONE, LIM, USERS "modify account a set MaxJobs=9\n", NULL, NULL},
    {"qos-hidden-by-part-qos", N,
     HEAD MEM NODES ENFORCE "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 QOS=pq\n",
     USERS "add qos pq MaxTRESPerUser=cpu=16\nmodify qos normal set MaxTRESPerUser=cpu=24\n", NULL, NULL},
    {"qos-hidden-by-part-qos", NONE,
     HEAD MEM NODES ENFORCE "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 QOS=pq\n",
     USERS "add qos pq MaxTRESPerUser=cpu=16\nmodify qos normal set MaxTRESPerUser=cpu=24 Flags=OverPartQOS\n", NULL,
     NULL},
    {"assoc-run-mins-dead", W, LIM, USERS "modify account a set MaxTRESRunMins=cpu=100\n", NULL, NULL},
    {"assoc-run-mins-dead", NONE, LIM, USERS "modify account a set GrpTRESRunMins=cpu=100\n", NULL, NULL},
    {"run-mins-no-default-time", W, HEAD MEM NODES ENFORCE "PartitionName=p Nodes=ALL Default=YES MaxTime=60\n",
     USERS "modify account a set GrpTRESRunMins=cpu=100\n", NULL, NULL},
    {"run-mins-no-default-time", NONE, LIM, USERS "modify account a set GrpTRESRunMins=cpu=100\n", NULL, NULL},
    {"budget-kills", W, LIM, USERS "modify account a set GrpTRESMins=cpu=100\n", NULL, NULL},
    {"budget-kills", NONE, CLEAN "AccountingStorageEnforce=safe,qos\n",
     USERS "modify account a set GrpTRESMins=cpu=100\n", NULL, NULL},
    {"budget-refills", N, LIM, USERS "modify account a set GrpTRESMins=cpu=100\n", NULL, NULL},
    {"budget-refills", N, LIM, USERS "modify qos normal set GrpTRESMins=cpu=100 Flags=NoDecay\n", NULL, NULL},
    {"budget-refills", NONE, LIM "PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=MONTHLY\n",
     USERS "modify account a set GrpTRESMins=cpu=100\n", NULL, NULL},
    {"limit-waits-forever", N, LIM, USERS "modify qos normal set MaxTRESPerJob=cpu=8\n", NULL, NULL},
    {"limit-waits-forever", NONE, LIM, USERS "modify qos normal set MaxTRESPerJob=cpu=8 Flags=DenyOnLimit\n", NULL,
     NULL},
    {"usage-threshold-weighted", W, LIM "PriorityWeightFairshare=1000\n",
     USERS "modify qos normal set UsageThreshold=0.5 Flags=EnforceUsageThreshold\n", NULL, NULL},
    {"usage-threshold-weighted", NONE, LIM,
     USERS "modify qos normal set UsageThreshold=0.5 Flags=EnforceUsageThreshold\n", NULL, NULL},
    {"min-prio-unreachable", W, LIM, USERS "modify qos normal set MinPrioThresh=5000\n", NULL, NULL},
    {"min-prio-unreachable", NONE, LIM, USERS "modify qos normal set MinPrioThresh=500\n", NULL, NULL},
    {"qos-wall-above-partitions", W, LIM, USERS "modify qos normal set MaxWall=240\n", NULL, NULL},
    {"qos-wall-above-partitions", NONE, LIM, USERS "modify qos normal set MaxWall=240 Flags=PartitionTimeLimit\n", NULL,
     NULL},
    /* partitions */
    {"partition-overlap", N, CLEAN "PartitionName=q Nodes=n1 MaxTime=60 DefaultTime=9\n", NULL, NULL, NULL},
    {"partition-overlap", W, CLEAN "SchedulerType=sched/builtin\nPartitionName=q Nodes=n1 MaxTime=60 DefaultTime=9\n",
     NULL, NULL, NULL},
    {"partition-overlap", NONE, CLEAN "PartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9\n", NULL, NULL, NULL},
    {"partition-closed", W, CLEAN "PartitionName=q MaxTime=60 DefaultTime=9\n", NULL, NULL, NULL},
    {"partition-closed", N, CLEAN "PartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9 State=DOWN\n", NULL, NULL,
     NULL},
    {"partition-closed", NONE, CLEAN, NULL, NULL, NULL},
    {"partition-default", N, HEAD MEM NODES "PartitionName=p Nodes=ALL MaxTime=60 DefaultTime=9\n", NULL, NULL, NULL},
    {"partition-default", W,
     HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 RootOnly=YES\n", NULL, NULL, NULL},
    {"partition-default", N,
     LIM "PartitionName=q Nodes=n[1-4] Default=YES MaxTime=60 DefaultTime=9 AllowAccounts=a\n", USERS, NULL, NULL},
    {"partition-default", NONE, CLEAN, NULL, NULL, NULL},
    {"partition-never-fits", E,
     HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 MinNodes=5\n", NULL, NULL, NULL},
    {"partition-never-fits", E,
     HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 MinNodes=3 MaxNodes=2\n", NULL,
     NULL, NULL},
    {"partition-never-fits", NONE,
     HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 MinNodes=2 MaxNodes=3\n", NULL,
     NULL, NULL},
    {"nodes-unreachable", W, CLEAN GPUS, NULL, NULL, NULL},
    {"nodes-unreachable", NONE, CLEAN GPUS GPART, NULL, NULL, NULL},
    {"accounts-unknown", E, LIM "PartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9 AllowAccounts=zz\n", USERS, NULL,
     NULL},
    {"accounts-unknown", W, LIM "PartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9 AllowAccounts=a,zz\n", USERS,
     NULL, NULL},
    {"accounts-unknown", NONE, LIM "PartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9 AllowAccounts=a\n", USERS,
     NULL, NULL},
    {"accounts-unenforced", W, CLEAN "PartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9 AllowAccounts=a\n", USERS,
     NULL, NULL},
    {"accounts-unenforced", NONE, LIM "PartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9 AllowAccounts=a\n", USERS,
     NULL, NULL},
    /* memory and CPUs */
    {"def-mem-missing", W, HEAD NODES PART, NULL, NULL, NULL},
    {"def-mem-missing", NONE, CLEAN, NULL, NULL, NULL},
    {"def-mem-missing", NONE,
     HEAD NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 OverSubscribe=EXCLUSIVE\n", NULL, NULL,
     NULL},
    {"def-mem-strands", W, HEAD NODES PART "DefMemPerCPU=16000\n", NULL, NULL, NULL},
    {"def-mem-strands", E, HEAD NODES PART "DefMemPerNode=100000\n", NULL, NULL, NULL},
    {"def-mem-strands", W,
     HEAD MEM GPUS "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 DefMemPerGPU=20000\n", NULL, NULL,
     NULL},
    {"def-mem-strands", W,
     HEAD MEM NODES GPUS "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 DefMemPerGPU=20000\n", NULL, NULL,
     NULL},
    {"def-mem-strands", NONE, HEAD NODES PART "DefMemPerCPU=8000\n", NULL, NULL, NULL},
    {"def-cpu-per-gpu", W, CLEAN GPUS GPART "DefCpuPerGPU=4\n", NULL, NULL, NULL},
    {"def-cpu-per-gpu", NONE, CLEAN GPUS GPART "DefCpuPerGPU=2\n", NULL, NULL, NULL},
    {"max-mem-per-cpu", W, CLEAN "MaxMemPerCPU=2000\n", NULL, NULL, NULL},
    {"max-mem-per-cpu", N, CLEAN "MaxMemPerCPU=8000\n", NULL, NULL, NULL},
    {"max-mem-per-cpu", NONE, CLEAN "MaxMemPerNode=8000\n", NULL, NULL, NULL},
    {"mem-not-counted", W, CLEAN, NULL, NULL, "SelectTypeParameters=CR_Core"},
    {"mem-not-counted", N, HEAD NODES PART, NULL, NULL, "SelectTypeParameters=CR_Core"},
    {"mem-not-counted", NONE, CLEAN, NULL, NULL, NULL},
    {"oversubscribe", W,
     HEAD NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 OverSubscribe=FORCE:2\n", NULL, NULL,
     "SelectTypeParameters=CR_Core"},
    {"oversubscribe", N,
     HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 OverSubscribe=FORCE:2\n", NULL,
     NULL, NULL},
    {"oversubscribe", NONE,
     HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 OverSubscribe=NO\n", NULL, NULL,
     NULL},
    {"gpu-node-weight", W,
     HEAD MEM NODES
     "NodeName=g1 CPUs=8 RealMemory=9000 Gres=gpu:4\nPartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9\n",
     NULL, NULL, NULL},
    {"gpu-node-weight", N,
     HEAD MEM NODES
     "NodeName=z1 CPUs=8 RealMemory=9000 Gres=gpu:4\nPartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9\n",
     NULL, NULL, NULL},
    {"gpu-node-weight", NONE, HEAD MEM NODES GPUS "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9\n",
     NULL, NULL, NULL},
    /* nodes */
    {"real-memory-missing", E, HEAD "NodeName=n[1-4] CPUs=8\n" PART, NULL, NULL, NULL},
    {"real-memory-missing", NONE, CLEAN, NULL, NULL, NULL},
    {"threads", N,
     HEAD MEM "NodeName=n[1-4] CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=64000\n" PART, NULL, NULL,
     NULL},
    {"threads", N,
     HEAD MEM "NodeName=n[1-4] CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=64000\n" PART, NULL, NULL,
     NULL},
    {"threads", NONE, CLEAN, NULL, NULL, NULL},
    {"gres-cores-socket", W, CLEAN GPUS GPART, NULL,
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-1\nName=gpu File=/dev/nvidia[2-3] Cores=4-7\n", NULL},
    {"gres-cores-socket", NONE, CLEAN GPUS GPART, NULL,
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\nName=gpu File=/dev/nvidia[2-3] Cores=4-7\n", NULL},
    {"gres-links-asymmetric", W,
     HEAD MEM
     "NodeName=g1 CPUs=8 RealMemory=64000 Gres=gpu:2\nPartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9\n",
     NULL, "Name=gpu File=/dev/nvidia0 Links=-1,4\nName=gpu File=/dev/nvidia1 Links=2,-1\n", NULL},
    {"gres-links-asymmetric", NONE,
     HEAD MEM
     "NodeName=g1 CPUs=8 RealMemory=64000 Gres=gpu:2\nPartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9\n",
     NULL, "Name=gpu File=/dev/nvidia0 Links=-1,4\nName=gpu File=/dev/nvidia1 Links=4,-1\n", NULL},
    {"gpu-less-sockets", N, CLEAN GPUS GPART, NULL, "Name=gpu File=/dev/nvidia[0-3] Cores=0-3\n", NULL},
    {"gpu-less-sockets", W, CLEAN GPUS GPART, NULL, "Name=gpu File=/dev/nvidia[0-3] Cores=0-3\n",
     "SelectTypeParameters=CR_Core_Memory,ENFORCE_BINDING_GRES"},
    {"gpu-less-sockets", NONE, CLEAN GPUS GPART, NULL,
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\nName=gpu File=/dev/nvidia[2-3] Cores=4-7\n", NULL},
    {"core-spec", N,
     HEAD MEM "NodeName=n[1-4] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=64000 CoreSpecCount=2\n" PART, NULL, NULL,
     NULL},
    {"core-spec", NONE, CLEAN, NULL, NULL, NULL},
    {"gpu-untracked", W, CLEAN GPUS GPART, NULL, NULL, "AccountingStorageTRES="},
    {"gpu-untracked", NONE, CLEAN GPUS GPART, NULL, NULL, NULL},
    {"node-state", E, CLEAN GPUS GPART, NULL, "Name=gpu File=/dev/nvidia[0-1]\n", NULL},
    {"node-state", N, CLEAN "DownNodes=n1 State=DOWN Reason=fan\n", NULL, NULL, NULL},
    {"node-state", NONE, CLEAN GPUS GPART, NULL, "Name=gpu File=/dev/nvidia[0-3]\n", NULL},
    /* preemption */
    {"preempt-no-list", W, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n", USERS "add qos h priority=9\n", NULL,
     NULL},
    {"preempt-no-list", NONE, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "add qos h priority=9 preempt=normal\n", NULL, NULL},
    {"preempt-no-tier", W, CLEAN "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n", NULL, NULL, NULL},
    {"preempt-no-tier", W,
     CLEAN "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n" GPUS
           "PartitionName=g Nodes=g[1-2] PriorityTier=9 MaxTime=60 DefaultTime=9\n",
     NULL, NULL, NULL},
    {"preempt-no-tier", NONE,
     CLEAN "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nPartitionName=q Nodes=n1 PriorityTier=9 "
           "MaxTime=60 DefaultTime=9\n",
     NULL, NULL, NULL},
    {"preempt-one-sided", W, LIM, USERS "add qos h priority=9 preempt=normal\n", NULL, NULL},
    {"preempt-one-sided", W,
     HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 PreemptMode=REQUEUE\n", NULL, NULL,
     NULL},
    {"preempt-one-sided", NONE, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "add qos h priority=9 preempt=normal\n", NULL, NULL},
    {"preempt-suspend-memory", W, LIM "PreemptType=preempt/qos\nPreemptMode=SUSPEND,GANG\n",
     USERS "add qos h priority=9 preempt=normal\n", NULL, NULL},
    {"preempt-suspend-memory", NONE, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "add qos h priority=9 preempt=normal\n", NULL, NULL},
    {"preempt-exempt-long", W, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\nPreemptExemptTime=3:00:00\n",
     USERS "add qos h priority=9 preempt=normal\n", NULL, NULL},
    {"preempt-exempt-long", W, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "add qos h priority=9 preempt=normal\nmodify qos normal set MaxWall=10 PreemptExemptTime=00:10:00\n", NULL,
     NULL},
    {"preempt-exempt-long", NONE, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\nPreemptExemptTime=0:30:00\n",
     USERS "add qos h priority=9 preempt=normal\n", NULL, NULL},
    {"grace-ignored", W,
     LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\nPartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9 "
         "GraceTime=60\n",
     USERS "add qos h preempt=normal\n", NULL, NULL},
    {"grace-ignored", W, LIM "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n",
     USERS "modify qos normal set GraceTime=60\n", NULL, NULL},
    {"grace-ignored", NONE, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "modify qos normal set GraceTime=60\n", NULL, NULL},
    {"grace-long", N, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "modify qos normal set GraceTime=3600\n", NULL, NULL},
    {"grace-long", NONE, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "modify qos normal set GraceTime=60\n", NULL, NULL},
    {"preempt-requeue-off", W, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\nJobRequeue=0\n", USERS, NULL, NULL},
    {"preempt-requeue-off", NONE, LIM "PreemptType=preempt/qos\nPreemptMode=CANCEL\nJobRequeue=0\n", USERS, NULL, NULL},
    {"preempt-cycle", W, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "add qos h preempt=normal\nmodify qos normal set preempt=h\n", NULL, NULL},
    {"preempt-cycle", NONE, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n", USERS "add qos h preempt=normal\n",
     NULL, NULL},
    {"preempt-order-clamped", N, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "add qos h priority=70000\nadd qos i priority=80000\n", NULL, NULL},
    {"preempt-order-clamped", NONE, LIM "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n",
     USERS "add qos h priority=60000\nadd qos i priority=80000\n", NULL, NULL},
    {"gang-idle", N, CLEAN "PreemptMode=GANG\n", NULL, NULL, NULL},
    {"gang-idle", NONE,
     HEAD MEM NODES
     "PreemptMode=GANG\nPartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=9 OverSubscribe=FORCE:2\n",
     NULL, NULL, NULL},
    /* the readers */
    {"unknown-token", W, SP("bf_max_job_tets=9"), NULL, NULL, NULL},
    {"unknown-token", NONE, SP("bf_max_job_test=9"), NULL, NULL, NULL},
    {"reader-warning", N, CLEAN "CacheGroups=1\n", NULL, NULL, NULL},
    {"reader-warning", NONE, CLEAN, NULL, NULL, NULL},
};

static void test_cases(void **state)
{
	(void)state;
	guint wrong = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		wrong += !lint_holds(&cases[i], NULL);
	assert_int_equal(wrong, 0);
}

static void test_clean(void **state)
{
	const struct lint_case sites[] = {{"none", NONE, CLEAN, NULL, NULL, NULL},
	                                  {"none", NONE, LIM, USERS, NULL, NULL}};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(sites); i++) {
		GPtrArray *all = lint_texts(&sites[i], NULL);

		for (guint k = 0; k < all->len; k++)
			print_error("  %s: %s\n", ((struct lint_finding *)all->pdata[k])->check->id,
			            ((struct lint_finding *)all->pdata[k])->what);
		assert_int_equal(all->len, 0);
		g_ptr_array_unref(all);
	}
}

/* ---- upgrades ---- */

static void test_upgrade(void **state)
{
	static const struct lint_case up[] = {
	    {"upgrade-refused", E, CLEAN "CacheGroups=1\n", NULL, NULL, NULL},
	    {"upgrade-refused", E, CLEAN, NULL, NULL, "SelectType=select/cons_res"},
	    {"upgrade-refused", NONE, CLEAN "GetEnvTimeout=2\n", NULL, NULL, NULL},
	    {"upgrade-ignored", N, CLEAN "GetEnvTimeout=2\n", NULL, NULL, NULL},
	    {"upgrade-ignored", NONE, CLEAN, NULL, NULL, NULL},
	    {"upgrade-renamed", N, CLEAN "PartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9 Shared=NO\n", NULL,
	     NULL, NULL},
	    {"upgrade-renamed", N, SP("preempt_youngest_first"), NULL, NULL, NULL},
	    {"upgrade-renamed", NONE, CLEAN, NULL, NULL, NULL},
	    {"upgrade-defaults", W, CLEAN, NULL, NULL, "PriorityType="},
	    {"upgrade-defaults", W, "PriorityType=priority/basic\n" NODES PART, NULL, NULL, NULL},
	    {"upgrade-defaults", NONE, CLEAN, NULL, NULL, NULL},
	    {"upgrade-decides", N, CLEAN, NULL, NULL, NULL},
	    {"upgrade-decides", NONE, CLEAN "SchedulerType=sched/builtin\n", NULL, NULL, "PriorityType=priority/basic"},
	};
	struct lint_run_options o = {.upgrade = {2205, 2605}, .version = SLURM_22_05};

	(void)state;
	guint wrong = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(up); i++)
		wrong += !lint_holds(&up[i], &o);
	assert_int_equal(wrong, 0);
	o.upgrade = (struct lint_upgrade){2205, 0}; /* not asked */
	for (gsize i = 0; i < G_N_ELEMENTS(up); i++) {
		struct lint_case silent = up[i];

		silent.level = NONE;
		assert_true(lint_holds(&silent, &o));
	}
	o.upgrade = (struct lint_upgrade){2411, 2505}; /* only what these change */
	const struct lint_case later = {"upgrade-defaults", NONE, CLEAN, NULL, NULL, "PriorityType="};
	assert_true(lint_holds(&later, &o));
}

/* ---- traces ---- */

/* A submission at AT seconds that started at START and ran for RUN seconds; limit in minutes. */
static void add_job(struct lint_trace *t, sec_t at, sec_t start, sec_t run, uint32_t limit, const char *options)
{
	struct submission *s = submission_new();

	s->at = at * USEC;
	s->outcome.real_start = start;
	s->outcome.real_end = start ? start + run : 0;
	s->outcome.run_time = run * USEC;
	s->request->time_limit = limit;
	char **list = g_strsplit(options ? options : "", " ", -1);
	for (char **o = list; *o && **o; o++) {
		char **pair = g_strsplit(*o, "=", 2);

		assert_true(job_request_set(s->request, pair[0], pair[1], NULL));
		g_strfreev(pair);
	}
	g_strfreev(list);
	lint_trace_add(t, s);
	submission_free(s);
}

/* N jobs at once, each of which waits WAIT seconds. */
static struct lint_trace *queue_of(guint n, sec_t wait, sec_t run, uint32_t limit, const char *options)
{
	struct lint_trace *t = lint_trace_new();

	for (guint i = 0; i < n; i++)
		add_job(t, 1000000 + i, 1000000 + i + wait, run, limit, options);
	lint_trace_finish(t);
	return t;
}

static guint trace_wrong;

static void expect_with(const char *id, int level, const char *conf, struct lint_trace *t)
{
	const struct lint_case k = {id, level, conf, NULL, NULL, NULL};
	const struct lint_run_options o = {.trace = t};

	trace_wrong += !lint_holds(&k, &o);
	lint_trace_free(t);
}

static void test_trace_checks(void **state)
{
	(void)state;
	expect_with("bf-depth-short", W, SP("bf_max_job_test=20"), queue_of(60, 3600, 60, 30, NULL));
	expect_with("bf-depth-short", NONE, SP("bf_max_job_test=100"), queue_of(60, 3600, 60, 30, NULL));
	expect_with("bf-resolution-coarse", W, SP("bf_resolution=600"), queue_of(9, 10, 60, 5, NULL));
	expect_with("bf-resolution-coarse", NONE, SP("bf_resolution=300"), queue_of(9, 10, 60, 5, NULL));
	expect_with("default-time-missing", W, HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=120\n",
	            queue_of(9, 10, 60, NO_VAL, NULL));
	expect_with("default-time-missing", N, HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=120\n",
	            queue_of(9, 10, 60, 5, NULL));
	expect_with("defer-delay", W, SP("defer"), queue_of(9, 10, 20, 5, NULL));
	expect_with("defer-delay", N, SP("defer"), queue_of(9, 10, 2000, 50, NULL));
	expect_with("queue-depth-short", N, SP("default_queue_depth=10") GPUS GPART, queue_of(60, 3600, 60, 30, NULL));
	expect_with("queue-depth-short", NONE, SP("default_queue_depth=100") GPUS GPART,
	            queue_of(60, 3600, 60, 30, NULL));
	expect_with("complete-wait", W, CLEAN "CompleteWait=4\n", queue_of(60, 10, 10, 30, NULL)); /* a job a second */
	expect_with("max-job-count-small", E, CLEAN "MaxJobCount=50\nMaxArraySize=10\n",
	            queue_of(60, 3600, 60, 30, NULL));
	expect_with("max-job-count-small", NONE, CLEAN "MaxJobCount=500\nMaxArraySize=10\n",
	            queue_of(60, 3600, 60, 30, NULL));
	expect_with("enforce-part-limits-no", W, HEAD MEM NODES PART "EnforcePartLimits=NO\n",
	            queue_of(9, 10, 60, 500, NULL));
	expect_with("dependency-stays", N, HEAD MEM NODES PART "DependencyParameters=max_depend_depth=10\n",
	            queue_of(9, 10, 60, 5, "dependency=singleton"));
	expect_with("dependency-stays", NONE, CLEAN, queue_of(9, 10, 60, 5, "dependency=singleton"));
	expect_with("max-age", N, CLEAN "PriorityWeightJobSize=50000\nPriorityMaxAge=30-0\n",
	            queue_of(9, 600, 60, 5, NULL));
	expect_with("max-age", NONE, CLEAN "PriorityWeightJobSize=1000\nPriorityMaxAge=1:00:00\n",
	            queue_of(9, 600, 60, 5, NULL));
#define SPEC HEAD MEM "NodeName=n[1-4] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=64000 CoreSpecCount=2\n" PART
	expect_with("core-spec", W, SPEC, queue_of(9, 600, 60, 5, "nodes=1 ntasks-per-node=8"));
	expect_with("core-spec", N, SPEC, queue_of(9, 600, 60, 5, "nodes=1 ntasks-per-node=6"));
	assert_int_equal(trace_wrong, 0);
}

static void test_trace_numbers(void **state)
{
	struct lint_trace *t = lint_trace_new();

	(void)state;
	add_job(t, 100, 200, 50, 5, NULL);               /* waits 100..200, runs ..250 */
	add_job(t, 150, 200, 50, 5, "array=0-9:2,20%3"); /* 6 tasks */
	add_job(t, 400, 500, 50, NO_VAL, NULL);
	lint_trace_finish(t);
	assert_int_equal(t->n, 8);
	assert_int_equal(t->waiting, 200);
	assert_int_equal(t->peak, 2);
	assert_int_equal(t->peak_jobs, 7); /* 1 and 6 tasks run together */
	assert_true(lint_depth_share(t, 0) == 1.0);
	assert_true(lint_depth_share(t, 1) == 0.25);
	assert_true(lint_depth_share(t, 2) == 0);
	assert_int_equal(lint_depth_at(t, 0.25), 2);
	assert_int_equal(lint_depth_at(t, 0.5), 1);
	lint_trace_free(t);
	t = lint_trace_new(); /* no starts are told: nothing is known of the queue */
	add_job(t, 100, 0, 50, 5, NULL);
	lint_trace_finish(t);
	assert_true(lint_depth_share(t, 0) == 0);
	assert_int_equal(lint_depth_at(t, 0.1), 0);
	lint_trace_free(t);
}

/* ---- the rest ---- */

static void test_untracked(void **state)
{
	GPtrArray *names = g_ptr_array_new();
	struct lint_case k = {"limit-tres-untracked",
	                      E,
	                      LIM "AccountingStorageTRES=gres/gpu,gres/mig\n",
	                      USERS "modify account a set GrpTRES=gres/mig=4\n",
	                      NULL,
	                      NULL};
	const struct lint_run_options o = {.untracked = names};

	(void)state;
	g_ptr_array_add(names, (gpointer) "gres/mig");
	GPtrArray *all = lint_texts(&k, &o);
	const struct lint_finding *f = lint_find(all, k.id);
	assert_non_null(f);
	assert_int_equal(f->line, 4); /* of the accounting file */
	g_ptr_array_unref(all);
	g_ptr_array_unref(names);
	k.level = NONE;
	assert_true(lint_holds(&k, NULL));
}

static void test_topology(void **state)
{
	static const struct {
		const char *topology;
		int level;
	} sites[] = {{"SwitchName=a Nodes=n[1-2]\n", W},
	             {"SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n", N},
	             {"SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=c Switches=a,b\n", NONE}};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(sites); i++) {
		char *dir = dir_new(), *conf = dir_file(dir, "slurm.conf", CLEAN "TopologyPlugin=topology/tree\n"),
		     *topo = dir_file(dir, "topology.conf", sites[i].topology);
		struct diag *d = diag_new();
		struct cluster *c = slurmconf_read(conf, NULL, d);
		assert_clean(d);
		struct lint_files *files = lint_files_read(conf, NULL, NULL, NULL);
		struct lint_site site = {c, files, NULL, NULL, NULL, {0, 0}};
		GPtrArray *all = lint_run(&site);
		const struct lint_finding *f = lint_find(all, "topology-gaps");
		assert_int_equal(f ? (int)f->level : NONE, sites[i].level);
		g_ptr_array_unref(all);
		lint_files_free(files);
		cluster_free(c);
		diag_free(d);
		g_free(conf);
		g_free(topo);
		dir_drop(dir);
	}
}

/* The finding names the line that makes it so: own lines, DEFAULT lines, the accounting file, --set. */
static void test_places(void **state)
{
	static const struct {
		struct lint_case k;
		const char *file; /* its end */
		guint line;
	} places[] = {
	    {{"bf-window-short", W,
	      "NodeName=n[1-4] CPUs=8 RealMemory=9000\n# comment\nPartitionName=DEFAULT MaxTime=7-0\nPartitionName=p "
	      "Nodes=ALL Default=YES\n",
	      NULL, NULL, NULL},
	     "slurm.conf",
	     3},
	    {{"bf-window-short", W,
	      "NodeName=n[1-4] CPUs=8 RealMemory=9000\nPartitionName=p Nodes=ALL Default=YES \\\nMaxTime=7-0\n", NULL,
	      NULL, NULL},
	     "slurm.conf",
	     3},
	    {{"bf-window-short", W,
	      "NodeName=n[1-4] CPUs=8 RealMemory=9000\nPartitionName=p Nodes=ALL Default=YES "
	      "MaxTime=7-0\nSchedulerParameters=bf_window=60\n",
	      NULL, NULL, NULL},
	     "slurm.conf",
	     3},
	    {{"bf-off", W, CLEAN, NULL, NULL, "SchedulerParameters.bf_interval=-1"},
	     "SchedulerParameters.bf_interval=-1",
	     0},
	    {{"shares-odd", W, LIM "PriorityWeightFairshare=9\n", USERS "modify user set fairshare=0 where name=bob\n",
	      NULL, NULL},
	     "acct",
	     4},
	    {{"limit-never-met", E, LIM,
	      "QOS - 'normal':Priority=5\nQOS - 'x':MinTRESPerJob=cpu=99:Priority=3\nCluster - 't':Fairshare=1\n", NULL,
	      NULL},
	     "acct",
	     2},
	    {{"gpu-less-sockets", N, CLEAN GPUS GPART, NULL,
	      "# one socket\nNodeName=g[1-2] Name=gpu File=/dev/nvidia[0-3] Cores=0-3\n", NULL},
	     "gres.conf",
	     2},
	    {{"unknown-token", W, "ClusterName=x\nSchedulerParameters=bf_windwo=9\n" NODES PART, NULL, NULL, NULL},
	     "slurm.conf",
	     2},
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		GPtrArray *all = lint_texts(&places[i].k, NULL);
		const struct lint_finding *f = lint_find(all, places[i].k.id);

		if (!f || f->line != places[i].line || !g_str_has_suffix(f->file, places[i].file))
			fail_msg("%s: %s:%u, wanted %s:%u", places[i].k.id, f ? f->file : "(silent)", f ? f->line : 0,
			         places[i].file, places[i].line);
		g_ptr_array_unref(all);
	}
}

/* Many findings of one check are cut, and the last tells how many more. */
static void test_cut(void **state)
{
	GString *conf = g_string_new(HEAD MEM NODES);
	struct lint_case k = {"time-unlimited", W, NULL, NULL, NULL, NULL};
	guint n = 0;

	(void)state;
	for (int i = 0; i < 20; i++)
		g_string_append_printf(conf, "PartitionName=p%d Nodes=ALL%s\n", i, i ? "" : " Default=YES");
	k.conf = conf->str;
	GPtrArray *all = lint_texts(&k, NULL);
	const struct lint_finding *last = NULL;
	for (guint i = 0; i < all->len; i++)
		if (g_str_equal(((struct lint_finding *)all->pdata[i])->check->id, k.id)) {
			last = all->pdata[i];
			n++;
		}
	assert_int_equal(n, 8);
	assert_non_null(strstr(last->what, "and 12 more"));
	g_ptr_array_unref(all);
	g_string_free(conf, TRUE);
}

/* What is printed for programs can be read back, also when a file holds bytes that are no UTF-8. */
static void test_json(void **state)
{
	const struct lint_case k = {"unknown-token", W, SP("b\xff\"\x01x=9,defer"), NULL, NULL, NULL};
	GPtrArray *all = lint_texts(&k, NULL);
	char *text = lint_json(all, 7), *plain = lint_text(all, 7);
	cJSON *o = cJSON_Parse(text), *list = cJSON_GetObjectItem(o, "findings");

	(void)state;
	assert_non_null(o);
	assert_true(g_utf8_validate(text, -1, NULL));
	assert_int_equal(cJSON_GetArraySize(list), all->len);
	assert_int_equal(cJSON_GetObjectItem(o, "checks")->valueint, 7);
	assert_int_equal(cJSON_GetObjectItem(o, "warnings")->valueint, lint_count(all, LINT_WARNING));
	for (guint i = 0; i < all->len; i++) {
		static const char *const keys[] = {"id", "level", "file", "what", "why", "set", "rule"};
		const cJSON *x = cJSON_GetArrayItem(list, (int)i);

		for (gsize n = 0; n < G_N_ELEMENTS(keys); n++)
			assert_true(cJSON_IsString(cJSON_GetObjectItem(x, keys[n])));
		assert_non_null(cJSON_GetObjectItem(x, "line"));
	}
	assert_non_null(strstr(plain, "[unknown-token]\n    why:  "));
	cJSON_Delete(o);
	cJSON_free(text);
	g_free(plain);
	g_ptr_array_unref(all);
	text = lint_list_json();
	o = cJSON_Parse(text);
	assert_true(cJSON_GetArraySize(o) >= 40);
	cJSON_Delete(o);
	cJSON_free(text);
}

/* Files that are large in everything: each check of pairs must end. */
static void test_large(void **state)
{
	GString *conf = g_string_new(HEAD MEM ENFORCE
	                             "PreemptType=preempt/qos\nPreemptMode=REQUEUE\nPriorityWeightQOS=1000000\n"
	                             "PriorityWeightFairshare=1\n"),
	        *acct = g_string_new("add account a\n");
	struct lint_case k = {"none", NONE, NULL, NULL, NULL, NULL};
	gint64 begin = g_get_monotonic_time();

	(void)state;
	for (int i = 0; i < 3000; i++) {
		g_string_append_printf(conf, "NodeName=n%d CPUs=8 RealMemory=%d Gres=gpu:4\n", i, 10 + i);
		g_string_append_printf(
		    acct, "add qos q%d priority=%d MaxTRESPerUser=cpu=%d MinTRESPerJob=cpu=9 preempt=normal\n", i, i,
		    i % 7);
	}
	for (int i = 0; i < 1500; i++)
		g_string_append_printf(conf, "PartitionName=p%d Nodes=n[%d-%d] PriorityTier=%d QOS=q%d\n", i, i, i + 20,
		                       i, i);
	for (int i = 0; i < 20000; i++)
		g_string_append_printf(acct, "add user u%d account=a fairshare=0 MaxJobs=3 GrpTRES=cpu=0\n", i);
	k.conf = conf->str;
	k.acct = acct->str;
	GPtrArray *all = lint_texts(&k, NULL);
	assert_true(all->len > 20 && all->len < 500);
	g_ptr_array_unref(all);
	g_string_free(conf, TRUE);
	g_string_free(acct, TRUE);
	assert_true(g_get_monotonic_time() - begin < 60 * G_USEC_PER_SEC);
}

/* Files with a damaged byte that the readers still take: any finding, but no crash. */
static void test_damaged(void **state)
{
	static const char text[] =
	    LIM GPUS GPART "PartitionName=DEFAULT QOS=x\nPartitionName=q Nodes=n1 AllowAccounts=a\n"
	                   "SchedulerParameters=defer,bf_window=60\nPriorityWeightQOS=9\n";
	static const char users[] = USERS "add qos x GrpTRES=cpu=9,gres/gpu=3 MaxWall=60 preempt=normal\n";
	guint read = 0, seed = 12345;

	(void)state;
	for (int n = 0; n < 1000; n++) {
		char *conf = g_strdup(text), *acct = g_strdup(users), *victim = n % 2 ? conf : acct;
		size_t len = strlen(victim);
		struct diag *d = diag_new();

		seed = seed * 1103515245 + 12345;
		victim[(seed >> 8) % len] = (char)(1 + (seed >> 4) % 255);
		char *dir = dir_new(), *path = quick_file(dir, "slurm.conf", conf),
		     *accounts = quick_file(dir, "acct", acct);
		struct slurmconf_options o = {.accounting_path = accounts};
		struct cluster *c = slurmconf_read(path, &o, d);
		if (c) {
			struct lint_files *files = lint_files_read(path, NULL, accounts, NULL);
			struct lint_site site = {c, files, NULL, d->warnings, NULL, {2205, 2611}};

			g_ptr_array_unref(lint_run(&site));
			lint_files_free(files);
			cluster_free(c);
			read++;
		}
		diag_free(d);
		g_free(path);
		g_free(accounts);
		dir_drop(dir);
		g_free(conf);
		g_free(acct);
	}
	assert_true(read > 50);
}

/* Every check has its cases: firing and not firing. Ids are unique and well-formed. */
static void test_table(void **state)
{
	static const char *const elsewhere[] = {"bf-depth-short",
	                                        "max-job-count-small",
	                                        "dependency-stays",
	                                        "limit-tres-untracked",
	                                        "topology-gaps",
	                                        "upgrade-refused",
	                                        "upgrade-ignored",
	                                        "upgrade-renamed",
	                                        "upgrade-defaults",
	                                        "upgrade-decides",
	                                        NULL};
	guint n = 0;

	(void)state;
	for (const struct lint_check *k = lint_checks; k->id; k++, n++) {
		bool fires = g_strv_contains(elsewhere, k->id), silent = fires;

		for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
			fires |= g_str_equal(cases[i].id, k->id) && cases[i].level != NONE;
			silent |= g_str_equal(cases[i].id, k->id) && cases[i].level == NONE;
		}
		if (!fires || !silent)
			fail_msg("%s has no case that %s", k->id, fires ? "is silent" : "fires");
		assert_ptr_equal(lint_check_find(k->id), k);
		assert_true(*k->title && *k->rule && k->run);
		assert_int_equal(strspn(k->id, "abcdefghijklmnopqrstuvwxyz-"), strlen(k->id));
	}
	assert_true(n >= 40);
	assert_null(lint_check_find("no-such-check"));
}

static void test_words(void **state)
{
	enum lint_level level;
	uint32_t r;

	(void)state;
	assert_true(lint_level_parse("Warning", &level) && level == LINT_WARNING);
	assert_false(lint_level_parse("info", &level));
	assert_true(lint_release_parse("26.05", &r) && r == 2605);
	assert_false(lint_release_parse("26.5", &r));
	assert_false(lint_release_parse("26", &r));
	assert_false(lint_release_parse("new", &r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_clean),     cmocka_unit_test(test_cases),         cmocka_unit_test(test_upgrade),
	    cmocka_unit_test(test_untracked), cmocka_unit_test(test_trace_numbers), cmocka_unit_test(test_trace_checks),
	    cmocka_unit_test(test_topology),  cmocka_unit_test(test_places),        cmocka_unit_test(test_cut),
	    cmocka_unit_test(test_large),     cmocka_unit_test(test_damaged),       cmocka_unit_test(test_table),
	    cmocka_unit_test(test_words),     cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
