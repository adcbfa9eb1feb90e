"""The suite `robots`: robots as the world ships them, limp and held, beside MuJoCo.

Each scene is run by Espalier with two schemes, and by MuJoCo with the settings of its file and with
those that its guide recommends (robot_scenes.py). The programs take turns; times are thread CPU time,
of the median round. What the steps were worth stands beside them.
"""

import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

import robot_scenes

WARNINGS = 4  # of a scene that are shown; the JSON has all of them
TIMES = ("seconds", "median_step", "slowest_step")


def _run(program, case, core):
    try:
        done = subprocess.run([program, case], capture_output=True, text=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    except OSError as error:
        return {"failure": str(error)}
    if done.returncode != 0:
        return {"failure": done.stderr.strip() or f"ended with {done.returncode}"}
    return json.loads(done.stdout)


def _programs(options, peers, files):
    """{(engine, drive): [program, case]}; "before SCHEME" is another build of ours."""
    found = {}
    for (engine, drive), file in files.items():
        if engine in robot_scenes.SCHEMES:
            found[engine, drive] = options.build / "bin/bench_robots", file
            if options.before:
                found[f"before {engine}", drive] = options.before / "bin/bench_robots", file
        elif "mujoco" in peers.suites["robots"]:
            found[engine, drive] = peers.suites["robots"]["mujoco"], file
    return found


def _measure(programs, rounds, core):
    """{key: figures}; a round there, the next back, so that a slow minute of the machine meets all
    of them alike."""
    taken = {}
    for k in range(rounds):
        for key in (list(programs) if k % 2 == 0 else reversed(programs)):
            taken.setdefault(key, []).append(_run(*programs[key], core))
    found = {}
    for key, figures in taken.items():
        found[key] = figures[0]
        failed = next((f for f in figures if "failure" in f), None)
        if failed:
            found[key] = failed
            continue
        for time in TIMES:
            found[key][time] = statistics.median(f[time] for f in figures)
        found[key]["rate"] = figures[0]["steps"] / found[key]["seconds"]
    return found


def _row(scene, scheme, drive, found, prepared, versions):
    ours = found.get((scheme, drive), {})
    row = {"suite": "robots", "case": scene.name, "group": scene.group, "metric": drive,
           "scheme": scheme, "dt": prepared.dt, "tolerance": robot_scenes.TOLERANCE, "ours": ours,
           "peers": {}, "ratios": {}, "warnings": prepared.warnings}
    version = versions.get("MuJoCo")
    for engine, label in (("MuJoCo own", f"MuJoCo {version} own"),
                          ("MuJoCo guide", f"MuJoCo {version} guide"),
                          (f"before {scheme}", "before")):
        theirs = found.get((engine, drive))
        if theirs is None:
            continue
        row["peers"][label] = theirs
        if "rate" in ours and "rate" in theirs:
            row["ratios"][label] = ours["rate"] / theirs["rate"]
    if prepared.without:
        row["without"] = prepared.without
    return row


def chosen(options, known):
    return [scene for scene in known if not options.task or scene.name in options.task]


def run(options, peers, folder):
    rows = []
    for scene in chosen(options, robot_scenes.scenes()):
        row = {"suite": "robots", "case": scene.name, "group": scene.group}
        if not scene.path.exists():
            continue  # run.py says so
        print(f"robots: {scene.name} ...", file=sys.stderr)
        try:
            prepared = robot_scenes.prepare(
                scene, folder / scene.name.replace("/", "-"), options.build, options.quick)
        except ValueError as error:
            rows.append({**row, "failure": f"Espalier cannot read it: {error}"})
            continue
        found = _measure(_programs(options, peers, prepared.files), 1 if options.quick else
                         options.rounds or 3, options.core)
        rows += [_row(scene, scheme, drive, found, prepared, peers.versions)
                 for scheme in robot_scenes.SCHEMES for drive in robot_scenes.DRIVES]
    return rows


def _number(x, form="{:.3g}"):
    return "" if x is None else form.format(x)


def _flagged(figures):
    return f"{figures['flagged']}/{figures['steps']}" if "flagged" in figures else ""


def mean(ratios):
    """The geometric mean."""
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def table(rows):
    heads = ["scene", "", "scheme", "steps/s", "residual", "flagged", "contacts", "slowest", "peer",
             "steps/s", "contacts", "flagged", "slowest", "ratio"]
    cells = []
    notes = []
    for row in rows:
        if "failure" in row:
            notes.append(f"{row['case']}: {row['failure']}")
            continue
        if "without" in row:
            notes.append(f"{row['case']} {row['metric']}, {row['scheme']}: no MuJoCo: "
                         f"{row['without']}")
        ours = row["ours"]
        notes += [f"{row['case']} {row['metric']}, {row['scheme']}, {label}: {figures['failure']}"
                  for label, figures in (("Espalier", ours), *row["peers"].items())
                  if "failure" in figures]
        first = [row["case"], row["metric"], row["scheme"], _number(ours.get("rate"), "{:,.0f}"),
                 _number(ours.get("residual"), "{:.1e}"), _flagged(ours),
                 _number(ours.get("contacts"), "{:.1f}"), _slowest(ours)]
        for k, (label, theirs) in enumerate(row["peers"].items() or [("", {})]):
            cells.append([*(first if k == 0 else [""] * len(first)), label,
                          _number(theirs.get("rate"), "{:,.0f}"),
                          _number(theirs.get("contacts"), "{:.1f}"), _flagged(theirs),
                          _slowest(theirs), _number(row["ratios"].get(label), "{:.2f}")])
    widths = [max(len(line[i]) for line in [heads, *cells]) for i in range(len(heads))]
    for line in [heads, *cells]:
        print("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip())
    print()
    for note in notes:
        print(note)
    for case, warnings in {row["case"]: row.get("warnings", ()) for row in rows}.items():
        told = list(dict.fromkeys(warnings))
        for warning in told[:WARNINGS]:
            print(f"{case}: as Espalier reads it: {warning}")
        if len(told) > WARNINGS:
            print(f"{case}: and {len(told) - WARNINGS} warnings more (espalier check)")
    _summary(rows)


def _slowest(figures):
    """How many times the median step the slowest takes."""
    if "slowest_step" not in figures:
        return ""
    return f"{figures['slowest_step'] / figures['median_step']:.1f}x"


def _means(rows, scheme):
    """Prints the geometric means of a scheme's ratios."""
    labels = list(dict.fromkeys(label for row in rows for label in row["ratios"]))
    for label in labels:
        for name, among in (("all", rows), *((drive, [r for r in rows if r["metric"] == drive])
                                             for drive in robot_scenes.DRIVES)):
            ratios = {f"{r['case']} {r['metric']}": r["ratios"][label] for r in among
                      if label in r["ratios"]}
            if ratios:
                worst = min(ratios, key=ratios.get)
                print(f"{scheme} beside {label}, {name}: geometric mean "
                      f"{mean(ratios.values()):.2f} of {len(ratios)}, "
                      f"{sum(x < 1 for x in ratios.values())} below 1, "
                      f"least {ratios[worst]:.2f} ({worst})")


def _summary(rows):
    measured = [row for row in rows if "ours" in row]
    print()
    for scheme in robot_scenes.SCHEMES:
        _means([row for row in measured if row["scheme"] == scheme], scheme)
    good = [r["ours"] for r in measured if "steps" in r["ours"]]
    steps, flagged = sum(f["steps"] for f in good), sum(f["flagged"] for f in good)
    if steps:
        slow = max(good, key=lambda f: f["slowest_step"] / f["median_step"])
        where = next(r for r in measured if r["ours"] is slow)
        print(f"flagged: {flagged} of {steps} steps ({flagged / steps:.1e}); slowest step: "
              f"{_slowest(slow)} the median ({where['case']} {where['metric']}, {where['scheme']})")
    for row in measured:
        for flag, count in row["ours"].get("flags", {}).items():
            print(f"  {row['case']} {row['metric']}, {row['scheme']}: {flag}, {count} steps")
        if row["ours"].get("unknown"):
            print(f"  {row['case']} {row['metric']}, {row['scheme']}: not there: "
                  f"{', '.join(row['ours']['unknown'])}")
