"""SimBenchmark's tasks: Espalier's errors against its bars, and its time beside its peers'.

Published: RaiSim's figures of 2018 (error, s for the whole run, on another machine: an i7-7700HQ),
from the data of SimBenchmark. Errors are as defined at the head of bench/simbenchmark/*.cpp.
"""

import dataclasses
import json
import os
import statistics
import subprocess
import sys

import scenes

FLIGHT = ("MIDPOINT", "TRAPEZOID", "RUNGE_KUTTA_4")
BOTH = ("MIDPOINT", "TRAPEZOID")


@dataclasses.dataclass(frozen=True)
class Task:
    name: str
    unit: str
    published: tuple
    schemes: tuple = BOTH
    bars: dict = dataclasses.field(default_factory=dict)  # scheme -> largest error; "": of all
    dt: float = 1e-3
    mujoco: tuple = ("Euler",)
    bullet: bool = False
    robot: bool = False
    seeds: int = 1
    peers_are_quick: bool = False  # of what takes them minutes the beginning tells enough

    def bar(self, scheme):
        return self.bars.get(scheme, self.bars.get(""))


TASKS = (
    Task("rolling_xy", "(m/s)^2", (4.14e-7, 0.308), bars={"": 1e-9}, mujoco=("Euler elliptic",),
         bullet=True),
    Task("rolling_y", "(m/s)^2", (4.13e-7, 0.323), bars={"": 1e-9}, mujoco=("Euler elliptic",),
         bullet=True),
    Task("bouncing", "J^2", (0.0186, 0.235), bars={"": 1e-12}, bullet=True),
    Task("666", "m^2", (1.35e-4, 1.51), bars={"": 1e-4}, bullet=True, seeds=5),
    Task("elastic_666", "J^2", (8.37, 0.655), bars={"": 1e-6}, bullet=True, seeds=5),
    Task("momentum", "(kg m/s)^2", (4.68e-5, 0.058), bars={"": 1e-20}, robot=True,
         mujoco=("Euler", "RK4")),
    Task("energy", "J^2", (0.0118, 0.015), FLIGHT, {"": 1e-6, "RUNGE_KUTTA_4": 1e-14}, robot=True,
         mujoco=("Euler", "RK4")),
    Task("anymal_pd", "m/s", (None, 0.408), ("MIDPOINT",), dt=5e-3, robot=True),
    Task("anymal_pd_2x2", "m/s", (None, 2.04), ("MIDPOINT",), dt=5e-3, robot=True),
    Task("kapla", "s", (0.0, 2880.0), ("MIDPOINT",), {"": 0.0}, dt=1e-2, bullet=True,
         peers_are_quick=True),
)

# A box around the base, so that the ball of the momentum task meets more than four feet.
TRUNK = ('<collision><origin xyz="0 0 0"/><geometry><box size="0.53 0.27 0.24"/></geometry>'
         "</collision></link>")


def robots_of(folder):
    """{name: {engine: file}}: the project's own quadruped, and ANYmal itself where it is."""
    urdfs = {"quadruped": scenes.own("quadruped")}
    if shared := scenes.anymal():
        urdfs["anymal"] = shared.replace("</link>", TRUNK, 1)
    return {name: scenes.write_robot(folder / name, urdf) for name, urdf in urdfs.items()}


def names():
    """Of all tasks, and {task and robot: file} of what is left out because the robot is not here."""
    absent = {} if scenes.ANYMAL.exists() else {
        f"{task.name} (anymal)": scenes.ANYMAL for task in TASKS if task.robot}
    return [task.name for task in TASKS], absent


def run_once(command, core):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    if done.returncode != 0:
        return {"failure": done.stderr.strip() or f"ended with {done.returncode}"}
    return json.loads(done.stdout)


def measure(runs, rounds, core):
    """{key: figures} of {key: command}, all in turns; the seconds are the median of the rounds."""
    found = {}
    for k in range(rounds):
        for key in (list(runs) if k % 2 == 0 else reversed(runs)):
            found.setdefault(key, []).append(run_once(runs[key], core))
    for key, figures in found.items():
        times = [f["seconds"] for f in figures if "seconds" in f]
        found[key] = {**figures[0], **({"seconds": statistics.median(times)} if times else {})}
    return found


def commands(task, options, peers, files):
    """{(engine, scheme): command} of one task and one robot."""
    runs = {}

    def add(engine, program, scheme, is_quick, seeds=1):
        robot = ["--robot", files[engine]] if files else []
        runs[engine, scheme] = [program, task.name, scheme, task.dt, *robot, "--seeds", seeds,
                                *(["--quick"] if is_quick else [])]

    for scheme in task.schemes:
        add("espalier", options.build / "bin/bench_simbenchmark", scheme, options.quick,
            1 if options.quick else task.seeds)
    others = {"mujoco": task.mujoco, "bullet": ("SI",) if task.bullet else ()}
    for peer, program in peers.suites["simbenchmark"].items():
        for scheme in others[peer] if not files or peer in files else ():
            add(peer, program, scheme, options.quick or task.peers_are_quick)
    return runs


def verdict(error, bar):
    if bar is None:
        return ""
    return "ok" if isinstance(error, float) and error <= bar else "misses"


def rows_of(task, robot, found, peers):
    case = f"{task.name} ({robot})" if robot else task.name
    labels = {"mujoco": f"MuJoCo {peers.versions.get('MuJoCo')}",
              "bullet": f"Bullet {peers.versions.get('Bullet')}"}
    rivals = {key: figures for key, figures in found.items() if key[0] != "espalier"}
    for (engine, scheme), figures in found.items():
        if engine != "espalier":
            continue
        speed = figures["steps"] / figures["seconds"] if figures.get("seconds") else None
        row = {"suite": "simbenchmark", "case": case, "metric": f"error {scheme}",
               "scalar": "double", "value": figures.get("error"), "unit": task.unit,
               "scheme": scheme, "dt": task.dt, "bar": task.bar(scheme),
               "published": task.published, "steps_per_second": speed, **figures}
        row["verdict"] = verdict(row["value"], row["bar"])
        row["peers"] = [{"peer": labels[e], "scheme": s, **f} for (e, s), f in rivals.items()]
        peer = next(iter(row["peers"]), {})
        pace = peer["steps"] / peer["seconds"] if peer.get("seconds") else None
        row |= {"peer": peer.get("peer"), "peer_value": peer.get("error"),
                "ratio": speed / pace if speed and pace else None}
        yield row


def run(options, peers, folder):
    rows = []
    robots = robots_of(folder)
    for task in TASKS:
        if options.task and task.name not in options.task:
            continue
        for robot, files in (robots if task.robot else {None: None}).items():
            print(f"simbenchmark: {task.name}{f', {robot}' if robot else ''} ...", file=sys.stderr)
            found = measure(commands(task, options, peers, files), options.rounds or 1,
                            options.core)
            rows += rows_of(task, robot, found, peers)
    return rows


def _number(x):
    return "" if x is None else x if isinstance(x, str) else f"{x:.3g}"


def _pace(x):
    return "" if x is None else f"{x:,.0f}"


def missed(rows):
    """The cases whose bar nothing meets: by MIDPOINT or by TRAPEZOID, or by a scheme that has a bar
    of its own."""
    groups = {}
    for row in rows:
        if row["bar"] is not None:
            own = row["scheme"] if row["scheme"] not in BOTH else " or ".join(BOTH)
            groups.setdefault(f"{row['case']} {own}", []).append(row["verdict"] == "ok")
    return [name for name, met in groups.items() if not any(met)], len(groups)


def table(rows):
    """Ours in each row; the peers' lines beside the first of each case."""
    heads = ["task", "scheme", "dt", "error", "bar", "verdict", "steps/s", "seconds",
             "RaiSim 2018", "peer", "error", "steps/s", "seconds"]
    cells, told = [], set()
    for row in rows:
        published = " / ".join(_number(x) for x in row["published"] if x is not None) + " s"
        ours = [row["case"], row["scheme"], _number(row["dt"]),
                row.get("failure") or _number(row["value"]), _number(row["bar"]), row["verdict"],
                _pace(row["steps_per_second"]), _number(row.get("seconds")), published]
        theirs = row["peers"] if row["case"] not in told else []
        told.add(row["case"])
        for k, peer in enumerate(theirs or [{}]):
            seconds = peer.get("seconds")
            cells.append((ours if k == 0 else [""] * len(ours)) + [
                f"{peer['peer']} {peer['scheme']}" if peer else "",
                peer.get("failure") or _number(peer.get("error")),
                _pace(peer["steps"] / seconds) if seconds else "", _number(seconds)])
    widths = [max(len(line[i]) for line in [heads, *cells]) for i in range(len(heads))]
    for line in [heads, *cells]:
        print("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip())
    print()
    for row in rows:
        worth = {k: row[k] for k in ("height", "moved", "stood", "base_height", "residual",
                                     "unconverged", "contacts", "depth") if k in row}
        print(f"{row['case']} {row['scheme']}: "
              + ", ".join(f"{k} {_number(v)}" for k, v in worth.items()))
    failed, count = missed(rows)
    print(f"\n{count - len(failed)} of {count} bars are met"
          + (f"; not: {', '.join(failed)}" if failed else ""))
