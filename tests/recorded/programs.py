#!/usr/bin/env python3
# suspend|resume|reboot of emulated nodes: stop their slurmd, start it again with -b after a while
import os, re, subprocess, sys, time
what = os.path.basename(sys.argv[0])
conf = os.environ.get("SLURM_CONF")
work = os.path.dirname(os.path.dirname(conf)) if conf else None
def log(*a):
    open(work + "/log/progs.log", "a").write("%.2f %s\n" % (time.time(), " ".join(map(str, a))))
    open("/tmp/programs.log", "a").write("%.2f %s\n" % (time.time(), " ".join(map(str, a))))
if what == "reboot":
    p = os.getppid()
    args = open("/proc/%d/cmdline" % p).read().split("\0")
    i = 0
    while "-N" not in args and p > 1:
        p = int(re.search(r"PPid:\s+(\d+)", open("/proc/%d/status" % p).read()).group(1))
        args = open("/proc/%d/cmdline" % p).read().split("\0")
    nodes = [args[args.index("-N") + 1]]
    if not conf:
        conf = args[args.index("-f") + 1]; work = os.path.dirname(os.path.dirname(conf))
else:
    nodes = subprocess.run(["scontrol", "show", "hostnames", sys.argv[1]], capture_output=True, text=True).stdout.split()
log(what, *nodes)
if os.fork(): sys.exit(0)
os.setsid()
for n in nodes:
    if what in ("suspend", "reboot"):
        for d in os.listdir("/proc"):
            if d.isdigit():
                try: a = open("/proc/%s/cmdline" % d).read().split("\0")
                except OSError: continue
                if a and a[0].endswith("slurmd") and "-N" in a and a[a.index("-N") + 1] == n:
                    try: os.kill(int(d), 9)
                    except OSError: pass
if what == "suspend": sys.exit(0)
time.sleep(7 if what == "resume" else 10)
for n in nodes:
    if what == "resume" and n == "n03" and not os.path.exists(work + "/n03ok"):
        open(work + "/n03ok", "w").close()
        log("n03 stays dead")
        continue
    log("boot", n)
    env = dict(os.environ, SLURM_CONF=conf, PATH="/usr/sbin:/usr/bin:/sbin:/bin")
    subprocess.Popen(["slurmd", "-D", "-b", "-N", n, "-f", conf], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
