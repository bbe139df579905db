import { loadPyodide } from "pyodide";
import { readFileSync } from "node:fs";
const t0=performance.now(); const L=(n)=>console.log(n, Math.round(performance.now()-t0));
const lib = readFileSync("/tmp/team/exp/library.zip");
const stdLibURL = "/tmp/team/exp/library.zip";
const py = await loadPyodide({ stdLibURL, env:{HOME:"/data", PYTHONTZPATH:"/app/zoneinfo"} }); L("pyodide");
py.FS.mkdirTree("/data"); py.mountNodeFS("/app","/tmp/team/exp/app");
py.runPython(`
import sys, time, builtins
sys.path.insert(0,"/app")
before=len(sys.modules)
# import timing
import importlib._bootstrap as b
stack=[]; rows=[]
orig=b._find_and_load_unlocked
def timed(name, import_):
    t=time.perf_counter(); stack.append(0.0)
    try: return orig(name, import_)
    finally:
        d=time.perf_counter()-t; own=d-stack.pop()
        if stack: stack[-1]+=d
        rows.append((d,own,name))
b._find_and_load_unlocked=timed
from scorekeeper.alone import gateway
t=time.perf_counter()
gateway.begin({}, "/data", "/cards/")
print("begin", time.perf_counter()-t, len(sys.modules)-before)
t=time.perf_counter(); import games.urls; print("urls", time.perf_counter()-t, len(sys.modules))
print("-- cumulative")
for d,o,n in sorted(rows, reverse=True)[:45]: print(f"{d*1000:.0f} {o*1000:.1f} {n}")
print("-- own")
for o,d,n in sorted(((o,d,n) for d,o,n in rows), reverse=True)[:45]: print(f"{o*1000:.1f} {d*1000:.0f} {n}")
from collections import Counter
c=Counter(); k=Counter()
for d,o,n in rows: c[n.split('.')[0]]+=o; k[n.split('.')[0]]+=1
print([(n,round(v*1000),k[n]) for n,v in c.most_common(40)])
`);
