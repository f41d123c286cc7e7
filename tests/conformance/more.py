#!/usr/bin/env python3
"""more.py - the ten further runs of 26.11 in the form of the others.

    tests/conformance/more.py GOLDEN OUT

GOLDEN is oracle-26.11/golden: NAME.json (what was asked and what became of it) and NAME.log (the controller's own words,
to a hundredth of a second). For each, OUT/scenarios/NAME and OUT/26.11/NAME are written with the files that records.c
reads. Two names are taken by recorded scenarios: they become more_fairtree and more_reservations.

What the log does not tell is put where the other records show it: sweeps of time limits and calculations of priority at
their periods after the controller's start. Lines of one hundredth keep their order, some microseconds apart.
"""
import csv
import json
import os
import re
import shlex
import sys

RENAMED = {"fairtree": "more_fairtree", "reservations": "more_reservations"}
# A fault of that snapshot keeps count3 and count2 of hetero from ever starting (see the README of the records); behind
# waits for them. The scenario is recorded up to them.
CUT = {"hetero": 99}
# of the host that recorded, not of the scenario
HOST = re.compile(
    r"(Slurm\w*(Host|Port|User|Parameters|Debug)|SlurmctldTimeout|SlurmdUser|AuthType|CredType|ProctrackType|JobAcct\w+|"
    r"ReturnToService|MessageTimeout|AccountingStorage(Type|Host|Port)|PropagateResourceLimits|LogTimeFormat|"
    r"DebugFlags|ClusterName|PluginDir|StateSaveLocation|Mpi\w*|TaskPlugin|SwitchType)=", re.I)


def write_csv(path, head, rows):
    with open(path, "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(head)
        w.writerows(rows)


def write_lines(path, rows):
    with open(path, "w") as f:
        for r in rows:
            f.write(json.dumps(r) + "\n")


def exit_of(job):
    """As sacct has it: the signal that ended a job from outside is not its own."""
    outside = job["JobState"] in ("CANCELLED", "PREEMPTED", "TIMEOUT")
    return "0:0" if outside and job["ExitCode"] == "0:15" else job["ExitCode"]


class Run:
    def __init__(self, golden, name):
        self.d = json.load(open(os.path.join(golden, name + ".json")))
        self.cut(CUT.get(name))
        self.t0 = self.d["t0"]
        self.log = self.read_log(os.path.join(golden, name + ".log"))
        self.lead = -self.log[0][0]
        self.round_down()
        self.submits = [e for e in self.d["events"] if e["kind"] == "submit"]
        self.label = {}  # job id as submitted -> label of it
        seen = {}
        for e in self.submits:
            if e["rc"] == 0:
                n = seen[e["name"]] = seen.get(e["name"], 0) + 1
                self.label[e["out"]] = e["name"] if n == 1 else "%s#%d" % (e["name"], n)

    def cut(self, end):
        """Nothing from second END on."""
        if end is None:
            return
        d = self.d
        gone = {e["out"] for e in d["events"] if e["t"] >= end}
        d["events"] = [e for e in d["events"] if e["t"] < end]
        d["jobs"] = [j for j in d["jobs"] if j["id"] not in gone]
        d["samples"]["rows"] = [r for r in d["samples"]["rows"] if r[0] < end]
        d["node_states"] = [r for r in d["node_states"] if r[0] < end]
        d["ended"] = end

    def read_log(self, path):
        """[seconds, text]: lines of one hundredth of a second in order, 0.1 ms apart, 3 ms into it."""
        lines, last, k = [], None, 0
        for line in open(path, errors="replace"):
            m = re.match(r"\s*(-?\d+\.\d+) (.*)", line)
            if m and float(m.group(1)) < self.d["ended"]:
                k = k + 1 if m.group(1) == last else 0
                last = m.group(1)
                lines.append((round(float(last) + 0.003 + 0.0001 * min(k, 60), 4), m.group(2)))
        return lines

    def round_down(self):
        """7.00 may have been 6.996: a job that it started or ended says so."""
        times = {k: {j["id"]: j[k] for j in self.d["jobs"]} for k in ("StartTime", "EndTime")}
        early = set()
        for t, text in self.log:
            m = re.match(r"(sched: Allocate|_job_complete:) JobId=(\w+)", text)
            key = "StartTime" if m and m.group(1)[0] == "s" else "EndTime"
            if m and t - int(t) < 0.01 and times[key].get(m.group(2)) == int(t) - 1:
                early.add(int(t))
        self.log = [(round(t - 0.009, 4) if int(t) in early and t - int(t) < 0.0091 else t, text) for t, text in self.log]

    def name_of(self, job):
        """7, 1_3, 1_3(9), 1_* -> label"""
        job = re.sub(r"\(\d+\)$", "", job)
        base, _, task = job.partition("_")
        label = self.label.get(base, base)
        return label if task in ("", "*") else label + "_" + task

    # ---- the scenario ----

    def users(self):
        users = []
        for e in self.submits:
            if e["user"] not in users:
                users.append(e["user"])
        return users

    def named(self, text):
        """{arr} -> @arr"""
        return re.sub(r"\{(\w+)\}", r"@\1", text)

    def job(self, e):
        j = {"name": e["name"], "at": e["t"], "user": e["user"], "run": e["sleep"]}
        words, extra = shlex.split(self.named(e["opts"])), []
        while words:
            w = words.pop(0)
            if w in ("-d", "--dependency"):
                j["depends"] = words.pop(0)
            elif w.startswith("--dependency="):
                j["depends"] = w.split("=", 1)[1]
            elif w.startswith("--array="):
                j["array"] = w.split("=", 1)[1]
            else:
                extra.append(w)
        if extra:
            j["extra"] = extra
        m = re.match(r"sleep (\d+); exit (\d+)", e.get("wrap", ""))
        if m:
            j["run"], j["exit"] = int(m.group(1)), int(m.group(2))
        return j

    def late_accounts(self):
        """Accounts were added after slurmctld had begun, which is seen only where fair-share weighs (P45d)."""
        weighs = any(re.match(r"PriorityWeightFairshare=[1-9]", l) for l in self.d["slurm_conf"])
        return self.d["sacctmgr"] if weighs else []

    def write_scenario(self, out):
        d = self.d
        os.makedirs(out)
        with open(os.path.join(out, "slurm.conf"), "w") as f:
            f.write("# %s\n" % d["desc"])
            f.writelines(l + "\n" for l in d["slurm_conf"] if not HOST.match(l))
        if d["gres_conf"]:
            with open(os.path.join(out, "gres.conf"), "w") as f:
                f.writelines(l.replace("@DEV@/gpu", "/dev/nvidia") + "\n" for l in d["gres_conf"])
        if d["topology_conf"]:
            with open(os.path.join(out, d["topology_conf"][0]), "w") as f:
                f.write(d["topology_conf"][1])
        setup = self.late_accounts()
        with open(os.path.join(out, "assoc.sacctmgr"), "w") as f:
            if setup:
                f.write('# the accounts were added after slurmctld had begun (P45d): see "setup" in jobs.json\n')
            else:
                f.writelines(l + "\n" for l in d["sacctmgr"])
        events = [e for e in d["events"] if e["kind"] != "submit"]
        lines = ['{"about": %s,' % json.dumps(d["desc"]), ' "users": %s,' % json.dumps(self.users())]
        if setup:
            lines += [' "setup": [', ",\n".join("  " + json.dumps("sacctmgr -i " + l) for l in setup), " ],"]
        lines += [' "jobs": [']
        lines.append(",\n".join("  " + json.dumps(self.job(e)) for e in self.submits))
        lines.append(' ],\n "events": [')
        lines.append(",\n".join("  " + json.dumps({"at": e["t"], "cmd": self.named(e["cmd"])}) for e in events))
        lines.append(' ],\n "snapshots": [],\n "until": %d}' % int(d["ended"]))
        with open(os.path.join(out, "jobs.json"), "w") as f:
            f.write("\n".join(lines) + "\n")

    # ---- looks at the queue ----

    def looks(self):
        """All times at which the queue was looked at: only changes were kept, the looks between are filled in."""
        times = sorted({r[0] for r in self.d["samples"]["rows"]} | {r[0] for r in self.d["node_states"]})
        gaps = [round(b - a) for a, b in zip(times, times[1:]) if round(b - a) > 0]
        step = max(set(gaps), key=gaps.count)
        filled = []
        for a, b in zip(times, times[1:] + [self.d["ended"]]):
            filled.append(a)
            t = a + step
            while t < b - step / 2:
                filled.append(round(t, 1))
                t += step
        return filled

    def rows_of(self):
        by_job = {}
        for r in self.d["samples"]["rows"]:
            by_job.setdefault(r[1], []).append(r)
        return by_job

    @staticmethod
    def row_at(rows, t):
        found = None
        for r in rows:
            if r[0] <= t + 1e-9:
                found = r
        return found

    def write_looks(self, out):
        by_job, pending = self.rows_of(), []
        for t in self.looks():
            for job, rows in by_job.items():
                r = self.row_at(rows, t)
                if r and r[3] == "PENDING":
                    pending.append({"t": t, "job": job, "label": self.name_of(job), "reason": r[4],
                                    "priority": r[5], "est_start": r[6], "sched_nodes": r[7] or None})
        write_lines(os.path.join(out, "pending.jsonl"), pending)
        write_lines(os.path.join(out, "timeline.jsonl"),
                    [{"t": r[0], "job": r[1], "label": self.name_of(r[1]), "state": r[3], "reason": r[4],
                      "nodes": r[8], "priority": r[5]} for r in self.d["samples"]["rows"]])
        return pending

    @staticmethod
    def held(looks, pending):
        """run-oracle's reasons_held: see records.c."""
        kept, now, first, last = [], None, 0, 0
        for t, reason in pending + [(None, None)]:
            if reason == now and t is not None:
                last = t
                continue
            if now and last - first >= 2 and (not kept or kept[-1] != now):
                kept.append(now)
            now, first, last = reason, t, t
        return ">".join(kept)

    # ---- jobs ----

    def write_jobs(self, out, pending):
        looks, rows, alloc = self.looks(), [], []
        runs = {}
        head = self.d["sacct"][0].split("|")
        for line in self.d["sacct"][1:]:
            row = dict(zip(head, line.split("|")))
            runs.setdefault(row["JobID"], []).append(row)
        seen = {}
        for p in pending:
            seen.setdefault(p["label"], []).append((p["t"], p["reason"], p["priority"]))
        for j in self.d["jobs"]:
            rows += self.job_rows(j, runs.get(j["id"], []), seen, looks)
            alloc += self.alloc_rows(j, runs.get(j["id"], []))
        write_csv(os.path.join(out, "jobs.csv"),
                  "label,job,user,account,partition,qos,submit,eligible,start,end,state,exit,nodes,alloc_tres,"
                  "timelimit,priority_first,priority_last,suspended,reasons_held,reasons_seen".split(","), rows)
        write_lines(os.path.join(out, "alloc.jsonl"), sorted(alloc, key=lambda a: a["t"]))

    def job_rows(self, j, runs, seen, looks):
        label = self.name_of(j["id"])
        if j["id"] not in self.label and j["id"].partition("_")[0] not in self.label:
            return [[j["name"] + "!refused", j["id"], j["UserId"]] + [""] * 17]
        mine = seen.get(label, [])
        held = self.held(looks, [(t, reason) for t, reason, _ in mine])
        first = mine[0][2] if mine else j["Priority"]
        common = (j["UserId"], j["Account"], j["Partition"], j["QOS"])
        tail = (j["TimeLimit"], first, j["Priority"], "00:00:00", held, held)
        out = []
        for k, r in enumerate(runs or [None]):
            last = k == len(runs) - 1 or not runs
            start, end = (j["StartTime"], j["EndTime"]) if last else (r["Start"], r["End"])
            state = j["JobState"] if last else r["State"].split(" ")[0]
            if state in ("PENDING", "RUNNING", "SUSPENDED"):
                end = None
            if state == "PENDING" or not j.get("NodeList"):
                start = None
            nodes = j.get("NodeList") if last else r["NodeList"]
            out.append([label, j["id"], *common, r["Submit"] if r else j["SubmitTime"], j["EligibleTime"],
                        "" if start is None else start, "" if end is None else end, state,
                        exit_of(j) if last else "0:0", nodes or "", j.get("AllocTRES", ""), *tail])
        return out

    def alloc_rows(self, j, runs):
        out = []
        starts = [int(r["Start"]) for r in runs[:-1]] + [j["StartTime"]]
        for a in j.get("alloc") or []:
            k = int(a["restarts"])
            if k < len(starts):
                out.append({"t": a["seen"], "job": j["id"], "label": self.name_of(j["id"]), "start": starts[k],
                            "nodes": [{"nodes": n[0], "cpu_ids": n[1], "mem_mb": n[2], "gres": n[3]}
                                      for n in a["nodes"]], "TRES": a["tres"]})
        return out

    # ---- the controller ----

    def came(self, e):
        """When the controller had a submission: before sbatch came back, and before a look that shows it."""
        looks = [r[0] for r in self.d["samples"]["rows"] if r[1].partition("_")[0] == e["out"]]
        t = min(e["at"] - 0.02, min(looks, default=1e9) + 0.045)
        j = next((j for j in self.d["jobs"] if e["rc"] == 0 and j["id"].partition("_")[0] == e["out"]), None)
        if j and j["Restarts"] == "0":
            t = min(max(t, j["SubmitTime"] + 0.01), j["SubmitTime"] + 0.99)
        return t

    def happenings(self):
        out = []
        for e in self.submits:
            t = self.came(e)
            if e["rc"] == 0:
                out.append((t, "submit", self.label[e["out"]], "", ""))
            elif "Batch job submission failed" in e["out"]:
                out.append((t, "submit_refused", "", "", e["out"].split("failed: ", 1)[1]))
        backfilling = None
        for t, text in self.log:
            job = lambda m: self.name_of(m.group(1))
            if m := re.search(r"BACKFILL: test for JobId=(\S+)", text):
                backfilling = job(m)
            elif re.search(r"_start_job: BACKFILL: Jobs backfilled since boot", text) and backfilling:
                out.append((t, "alloc_backfill", self.started(backfilling, t, out), "", ""))
            elif m := re.match(r"sched: Allocate JobId=(\S+) NodeList=(\S+)", text):
                out.append((t, "alloc_main", job(m), m.group(2), ""))
            elif m := re.match(r"_job_complete: JobId=(\S+) (W\w+ \d+)", text):
                out.append((t, "job_end", job(m), "", m.group(2)))
            elif m := re.match(r"_job_complete: JobId=(\S+) done", text):
                out.append((t, "job_complete", job(m), "", ""))
            elif m := re.match(r"preempted JobId=(\S+) has been (\w+)", text):
                out.append((t, "preempted", job(m), "", m.group(2)))
            elif m := re.match(r"Time limit exhausted for JobId=(\S+)", text):
                out.append((t - 0.001, "time_limit_sweep", "", "", ""))
                out.append((t, "time_limit", job(m), "", ""))
            elif text.startswith("sched: Created"):
                out.append((t, "note", "", "", text))
        out += self.messages(out)
        out += self.periodic(out)
        return sorted(out, key=lambda h: h[0])

    def messages(self, out):
        """A quick pass between the turns of the loop: the epilog message of the first job that ended within 0.1 s before it asked for it."""
        ends, found = [h for h in out if h[1] == "job_complete"], []
        for _, t, kind, *_ in self.passes():
            near = [h for h in ends if 0 <= t - h[0] < 0.1]
            if kind == "main_quick" and 0.06 < (t + 0.01) % 1 and near:
                ends.remove(near[0])
                found.append((t, "epilog_message", near[0][2], "", ""))
        return found

    def started(self, head, t, out):
        """The task that backfill split off: of those that began in this second by backfill the lowest not told yet."""
        told = {h[2] for h in out if h[1].startswith("alloc")}
        tasks = [j for j in self.d["jobs"] if self.name_of(j["id"]).startswith(head + "_") and
                 j["StartTime"] == int(t) and j["Scheduler"] == "Backfill"]
        tasks.sort(key=lambda j: int(j["id"].partition("_")[2]))
        for j in tasks:
            if self.name_of(j["id"]) not in told:
                return self.name_of(j["id"])
        return head

    def periodic(self, out):
        """A sweep each 30 s, at whole seconds as 26.11 does; priorities each minute after the start."""
        more, known = [], [h[0] for h in out if h[1] == "time_limit_sweep"]
        phase = known[0] if known else -round(self.lead) + 30.004
        t = phase % 30
        while t < self.d["ended"]:
            if not any(abs(t - k) < 1 for k in known):
                more.append((round(t, 3), "time_limit_sweep", "", "", ""))
            t += 30
        t = 60 - self.lead - 0.1 # fairtree: the cycle at 56.54 had the priorities of the tick of second 56
        while t < self.d["ended"]:
            more.append((round(t, 3), "priority_recalc", "", "", ""))
            t += 60
        return more

    def passes(self):
        out, kinds = [], (("Running job scheduler for default depth", "main_quick"),
                          ("Running job scheduler for full queue", "main_full"),
                          ("_attempt_backfill: beginning", "backfill"))
        for t, text in self.log:
            for words, kind in kinds:
                if words in text:
                    out.append([len(out), t, kind, t, "", "", 0])
            if m := re.search(r"_attempt_backfill: (\d+) jobs to backfill", text):
                out[-1][4] = int(m.group(1))
            elif m := re.search(r"completed testing (\d+)\(\d+\) jobs, usec=(\d+)", text):
                out[-1][3], out[-1][5] = round(out[-1][1] + int(m.group(2)) / 1e6, 4), int(m.group(1))
            elif "_start_job: BACKFILL: Jobs backfilled since boot" in text:
                out[-1][6] += 1
        return out

    def write_passes(self, out):
        passes, steps = self.passes(), {}
        write_csv(os.path.join(out, "passes.csv"), ["pass", "t", "kind", "end", "queue", "tested", "started"], passes)
        now, job = None, None
        starts = iter(passes)
        at = {p[1]: p[0] for p in passes}
        for t, text in self.log:
            now = at.get(t, now)
            m = re.search(r"BACKFILL: JobId=(\S+) to start at (\d+), end at (\d+) on nodes (\S+) in", text)
            if m:
                job = self.name_of(m.group(1))
                steps.setdefault(now, []).append(
                    {"what": "plan", "job": job, "start": int(m.group(2)) - self.t0,
                     "end": int(m.group(3)) - self.t0, "nodes": m.group(4)})
        write_lines(os.path.join(out, "decisions.jsonl"),
                    [{"pass": n, "t": t, "kind": kind, "steps": steps.get(n, [])} for n, t, kind, *_ in starts])

    def write_snapshots(self, out):
        """sshare -alP and sprio as "id|partition|user|priority|age|fairshare|size|partition|qos|tres|nice", where they fell on a second."""
        account = {j["UserId"].partition("(")[0]: j["Account"] for j in self.d["jobs"]}
        for p in self.d["prio"] if self.late_accounts() else []:
            second = int(p["t"]) # the runner looks 0.08 s after it: nothing may have come or ended in between
            if p["t"] < 1 or p["t"] - second > 0.35 or any(
                    second + 0.05 < h[0] <= p["t"] + 0.1 for h in self.happenings() if h[1] in ("submit", "job_end")):
                continue
            os.makedirs(os.path.join(out, "snapshots"), exist_ok=True)
            name = os.path.join(out, "snapshots", "t%04d." % int(p["t"]))
            with open(name + "sshare.txt", "w") as f:
                f.writelines(l + "\n" for l in p["sshare"])
            with open(name + "sprio.txt", "w") as f:
                for l in p["sprio"]:
                    c = l.split("|")
                    f.write(" ".join([*c[:3], account[c[2]], c[3], "0", c[4], "0", *c[5:8], "normal", c[8], c[10], c[9]]) + "\n")

    def write_record(self, out):
        os.makedirs(out)
        self.write_snapshots(out)
        pending = self.write_looks(out)
        self.write_jobs(out, pending)
        self.write_passes(out)
        write_csv(os.path.join(out, "controller_events.csv"), ["t", "event", "job", "node", "detail"],
                  [("%.4f" % h[0], *h[1:]) for h in self.happenings()])
        write_lines(os.path.join(out, "events.jsonl"),
                    [{"t": "setup", "cmd": "sacctmgr -i " + l, "rc": 0, "out": ""} for l in self.late_accounts()] +
                    [{"t": e["at"], "cmd": self.named(e["cmd"]), "rc": e["rc"], "out": e["out"]}
                     for e in self.d["events"] if e["kind"] != "submit"])
        write_lines(os.path.join(out, "submits.jsonl"),
                    [{"at": e["t"], "t": e["t"], "done": round(self.came(e) + 0.002, 3), "name": e["name"],
                      "jobid": e["out"] if e["rc"] == 0 else None, "error": None if e["rc"] == 0 else e["out"]}
                     for e in self.submits])
        with open(os.path.join(out, "meta.json"), "w") as f:
            json.dump({"slurm": self.d["version"], "t0_after_slurmctld_start": round(self.lead, 2),
                       "lead_from_backfill": True, # the first line of these logs is that of its thread
                       "slurmdbd": True, "speed": 1.0, "until": int(self.d["ended"]),
                       "t0_seconds_into_hour": {"run1": self.t0 % 3600}}, f, indent=1)
            f.write("\n")


def main(golden, out):
    for file in sorted(os.listdir(golden)):
        if file.endswith(".log"):
            name = file[:-4]
            run = Run(golden, name)
            name = RENAMED.get(name, name)
            run.write_scenario(os.path.join(out, "scenarios", name))
            run.write_record(os.path.join(out, "26.11", name))


main(*sys.argv[1:])
