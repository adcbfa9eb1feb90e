#!/usr/bin/env python3
"""Espalier beside its peers: the suites, each program pinned to one core, peers in the same run.

    bench/run.py SUITE [--json FILE] [--quick] ...     SUITE: dynamics, contact, simbenchmark,
                                                        loops, robots, batch, batch_scaling, viewer,
                                                        python, all

Programs take turns in several rounds; every figure is the median over the rounds of the median of
many repetitions of about a millisecond of thread CPU time (0.3 s for whole steps, so that both
engines run warm; a whole run each for piles and for simbenchmark; for robots docs/benchmarks.md
tells). Lanes are given per world.
"""

import argparse
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
for folder in (HERE, HERE / "peers", ROOT / "tests/peers"):
    sys.path.insert(0, str(folder))

import batch_cases
import batch_scaling
import batch_suite
import google
import loops
import python_calls
import robot_scenes
import robot_suite
import robots
import scenes
import simbenchmark
import viewer
import wheels

WORK = ROOT / "build/bench"

# Our metric -> the peer's benchmarks that answer the same question; the fastest counts.
PINOCCHIO = {
    "kinematics": ["kinematics/velocities"], "inverse_dynamics": ["rnea"], "factor": ["factor"],
    "crba": ["crba/local", "crba/world"], "forward_dynamics": ["aba/local", "aba/world"],
    "dynamics": ["dynamics/local", "dynamics/world"],
}
MUJOCO = {
    "kinematics": ["kinematics/velocities"], "inverse_dynamics": ["rnea"], "crba": ["crba"],
    "forward_dynamics": ["aba"], "dynamics": ["dynamics"],
}
LANES = ("lanes_double", "lanes_float")


def row(suite, case, metric, scalar, value, unit, peer=None, peer_value=None):
    ratio = value / peer_value if peer_value else None
    return {"suite": suite, "case": case, "metric": metric, "scalar": scalar, "value": value,
            "unit": unit, "peer": peer, "peer_value": peer_value, "ratio": ratio}


def fastest(measured, wanted, label):
    """(name of the peer with its winning flavour, ns) of all programs and benchmarks wanted."""
    found = [(ns, flavour, name) for flavour, results in measured.items()
             for name, (ns, _) in results.items() if name in wanted]
    if not found:
        return None
    ns, flavour, name = min(found)
    how = [flavour] if flavour else []
    how += [name.split("/")[1]] if len(wanted) > 1 else []
    return label + (f" ({', '.join(how)})" if how else ""), ns


def robot_name(path):
    folder, stem = path.parent.name, path.stem
    return stem if stem.startswith(folder) or folder in ("urdf", "robots") else f"{folder}/{stem}"


def default_robots():
    own = robots.own()
    shared = robots.shared()
    wanted = ["anymal_b/anymal.urdf", "ur5/ur5_robot.urdf", "simple_humanoid/simple_humanoid.urdf",
              "talos/talos_reduced.urdf"]
    found = [shared[name] for name in wanted if name in shared]
    return found or [own[f"{name}/{name}.urdf"] for name in ("strider", "arm7", "biped")]


def export(path, folder, peers):
    """The robot as each peer's program reads it: {peer: file}."""
    import urdf_tree
    tree = urdf_tree.read(path)
    files = {}
    folder.mkdir(parents=True, exist_ok=True)
    if peers.pinocchio:
        import pinocchio_peer
        files["pinocchio"] = folder / "robot.txt"
        pinocchio_peer.build_model(tree).saveToText(str(files["pinocchio"]))
    if peers.mujoco:
        import mujoco
        import mujoco_peer
        files["mujoco"] = folder / "robot.mjb"
        model = mujoco_peer.build_model(urdf_tree.merged(tree))  # MuJoCo at its fastest
        model.opt.enableflags = 0
        mujoco.mj_saveModel(model, str(files["mujoco"]))
    return files


def programs_of(peers, files, extra=()):
    found = {}
    for kind in ("pinocchio", "mujoco"):
        for flavour, program in getattr(peers, kind).items():
            if kind in files:
                found[kind, flavour] = [program, files[kind], *extra]
    return found


def of_kind(results, kind):
    return {flavour: found for (k, flavour), found in results.items() if k == kind}


def dynamics(options, peers):
    rows = []
    for path in options.robot or default_robots():
        path = pathlib.Path(path).resolve()
        case = robot_name(path)
        print(f"dynamics: {case} ...", file=sys.stderr)
        programs = programs_of(peers, export(path, WORK / case, peers))
        programs["espalier", ""] = [options.build / "bin/bench_dynamics", path]
        results = google.run_interleaved(programs, options.rounds or 5, 9, 0.001, options.core)
        rows += dynamics_rows(case, results, peers)
    return rows


def dynamics_rows(case, results, peers):
    """Ours are named metric/scalar and count their worlds. Scalars are held against the peers,
    lanes against our own double."""
    ours = {tuple(name.split("/")): ns / counters.get("worlds", 1)
            for name, (ns, counters) in results["espalier", ""].items()}
    rows = []
    for (metric, scalar), ns in ours.items():
        add = lambda peer=None, value=None: rows.append(
            row("dynamics", case, metric, scalar, ns, "ns", peer, value))
        if scalar in LANES:
            add("espalier double", ours[metric, "double"])
            continue
        rivals = [fastest(of_kind(results, kind), table.get(metric, []),
                          f"{label} {peers.versions.get(label)}")
                  for kind, table, label in (("pinocchio", PINOCCHIO, "Pinocchio"),
                                             ("mujoco", MUJOCO, "MuJoCo"))]
        rivals = [rival for rival in rivals if rival]
        for rival in rivals:
            add(*rival)
        if not rivals:
            add()
    return rows


UNITS = {"items_per_second": "steps/s", "base_height": "m", "mean_height": "m",
         "foot_creep": "m/s", "depth": "m", "speed": "m/s", "contacts": "1", "residual": "m/s",
         "sweeps": "1", "unconverged": "1"}


def contact(options, peers):
    """Steps per second and, beside them, what the steps were worth."""
    programs = {"espalier": options.build / "bin/bench_contact", **peers.suites["contact"]}

    def wanted(cases):
        names = options.task or ()
        return [case for case in cases if not names or case["espalier"]["name"] in names]

    suites = {"robots": wanted(scenes.robot_cases(WORK / "contact", options.quick)),
              "piles": wanted(scenes.pile_cases(options.quick))}
    rounds = 1 if options.quick else options.rounds or 5
    rows = []
    for suite, cases in suites.items():
        runs = {}
        for engine, program in programs.items():
            own = [case[engine] for case in cases if engine in case]
            if own:
                file = WORK / f"contact/{suite}-{engine}.json"
                file.write_text(json.dumps(own, indent=1))
                runs[engine, ""] = [program, file]
        print(f"contact: {suite} ...", file=sys.stderr)
        settings = (rounds, 3, 0.3) if suite == "robots" else (min(rounds, 3), 1, 0.01)
        results = google.run_interleaved(runs, *settings, options.core)
        schemes = {case["espalier"]["name"]: case["espalier"]["scheme"] for case in cases}
        rows += contact_rows(results, schemes, peers)
    return rows


def contact_rows(results, schemes, peers):
    labels = {"mujoco": f"MuJoCo {peers.versions.get('MuJoCo')}",
              "bullet": f"Bullet {peers.versions.get('Bullet')}"}
    rows = []
    for name, (_, counters) in results.get(("espalier", ""), {}).items():
        case, scalar = name.split("/")[:2]
        rivals = [(label, results[engine, ""][name][1]) for engine, label in labels.items()
                  if name in results.get((engine, ""), {})]
        for key, unit in UNITS.items():
            if key not in counters:
                continue
            metric = "step" if key == "items_per_second" else key
            known = [(label, rival[key]) for label, rival in rivals if key in rival]
            for peer, value in known or [(None, None)]:
                made = row("contact", case, metric, scalar, counters[key], unit, peer, value)
                rows.append({**made, "scheme": schemes[case]})
    return rows


def simbenchmark_suite(options, peers):
    return simbenchmark.run(options, peers, WORK / "simbenchmark")


WORTH = {"closure": "m", "residual": "m/s", "unconverged": "1", "contacts": "1",
         "base_height": "m", "travelled": "m"}


def loops_suite(options, peers):
    """Forward dynamics and whole steps, ns, of robots with closed loops and with geared rotors, alone
    and with several worlds in lanes; and what the steps were worth."""
    folder = WORK / "loops"
    folder.mkdir(parents=True, exist_ok=True)
    geared = [found for found in loops.geared(folder, options.quick)
              if not options.task or found[0]["espalier"]["name"] in options.task]
    cases = loops.cases(folder, options.build / "bin/bench_export", options.quick)
    cases += [case for full, plain, _ in geared for case in (full, plain)]
    programs = {"espalier": options.build / "bin/bench_contact",
                "mujoco": peers.suites["contact"].get("mujoco")}
    runs = {}
    for engine, program in programs.items():
        own = [case[engine] for case in cases if engine in case]
        if options.task:
            own = [case for case in own
                   if case["name"].removesuffix("_plain").removesuffix(scenes.EQUAL_ORDER)
                   in options.task]
        if program and own:
            file = folder / f"{engine}.json"
            file.write_text(json.dumps(own, indent=1))
            runs[engine, ""] = [program, file]
    for _, plain, urdf in geared:
        for key, program in programs_of(peers, export(urdf, urdf.parent, peers)).items():
            if key[0] == "pinocchio":
                runs[plain["espalier"]["name"], key[1]] = program
    print("loops ...", file=sys.stderr)
    rounds = 1 if options.quick else options.rounds or 5
    results = google.run_interleaved(runs, rounds, 3, 0.1 if options.quick else 0.3, options.core)
    return loops_rows(results, peers)


def loops_rows(results, peers):
    ours, theirs = (results.get((engine, ""), {}) for engine in ("espalier", "mujoco"))
    mujoco = f"MuJoCo {peers.versions.get('MuJoCo')}"
    per_step = lambda counters: 1e9 / counters["items_per_second"]
    rows = []
    for name, (ns, counters) in ours.items():
        case, *_, scalar = name.split("/")
        add = lambda *values: rows.append(row("loops", case, *values))
        is_forward = "/forward/" in name
        metric, unit = ("forward_dynamics", "ns") if is_forward else ("step", "ns")
        of_one = lambda ns, counters: (ns / counters.get("worlds", 1) if is_forward
                                       else per_step(counters))
        own = of_one(ns, counters)
        rivals = []
        in_double = name.replace(scalar, "double")
        if scalar in LANES:
            rivals.append(("espalier double", of_one(*ours[in_double])))
        if in_double in theirs and (name == in_double or not is_forward):
            rivals.append((mujoco, of_one(*theirs[in_double])))
        plain = name.replace(case, f"{case}_plain", 1)
        if plain in ours:
            rivals.append(("espalier, plain tree", of_one(*ours[plain])))
        if is_forward and scalar not in LANES:
            found = fastest(of_kind(results, f"{case.removesuffix('_plain')}_plain"),
                            PINOCCHIO["forward_dynamics"],
                            f"Pinocchio {peers.versions.get('Pinocchio')}, plain tree")
            rivals += [found] if found else []
        if name == "beest/double" and "strider_stand/double" in ours:
            rivals.append(("espalier, strider_stand", per_step(ours["strider_stand/double"][1])))
        for peer, value in rivals or [(None, None)]:
            add(metric, scalar, own, unit, peer, value)
        for key, worth in WORTH.items():
            if key in counters:
                known = theirs.get(in_double, (0, {}))[1].get(key)
                add(key, scalar, counters[key], worth, mujoco if known is not None else None,
                    known)
    return rows


def robots_suite(options, peers):
    return robot_suite.run(options, peers, WORK / "robots")


def viewer_suite(options, _):
    return viewer.run(options, row)


def batch(options, _):
    return batch_suite.run(options, row, WORK / "batch")


def scaling(options, _):
    return batch_scaling.run(options, row, WORK / "batch_scaling")


def python_suite(options, _):
    return python_calls.run(options, row)


SUITES = {"dynamics": dynamics, "contact": contact, "simbenchmark": simbenchmark_suite,
          "loops": loops_suite, "robots": robots_suite, "viewer": viewer_suite,
          "python": python_suite, "batch": batch, "batch_scaling": scaling}
TABLES = {"simbenchmark": simbenchmark.table, "robots": robot_suite.table}
# suite -> (names of its cases, {case: file that is not here})
CASES = {"contact": lambda options: scenes.names(options.quick),
         "simbenchmark": lambda options: simbenchmark.names(),
         "loops": lambda options: loops.names(),
         "robots": lambda options: robot_scenes.names(),
         "batch": lambda options: batch_cases.names(options.quick)}


def programs_of_peers(suite, options):
    """What of peers/wheels.py a suite runs."""
    if suite == "loops":
        pinocchio = {"pinocchio"} if loops.needs_pinocchio(options.task) else set()
        return {"mujoco_contact"} | pinocchio
    return {"dynamics": {"pinocchio", "mujoco_bench"},
            "contact": {"mujoco_contact", "bullet_contact"},
            "simbenchmark": {"mujoco_simbenchmark", "bullet_simbenchmark"},
            "robots": {"mujoco_robots"}, "viewer": set(), "python": set(),
            "batch": set(), "batch_scaling": set()}[suite]


def unknown_tasks(suites, options):
    """What is wrong with --task; empty: nothing."""
    known = {name: CASES[name](options)[0] for name in suites if name in CASES}
    unknown = [task for task in options.task or ()
               if not any(task in names for names in known.values())]
    if not unknown:
        return ""
    lists = [f"  {name}: {', '.join(names)}" for name, names in known.items()]
    return "\n".join([f"no task {', '.join(map(repr, unknown))}; there are", *(
        lists or [f"  none in {', '.join(suites)}"])])


def not_here(suites, options):
    """A row for each case that is wanted and whose robot is not here; it is said at once."""
    rows = []
    for suite in suites:
        absent = CASES[suite](options)[1] if suite in CASES else {}
        for case, file in absent.items():
            if options.task and case not in options.task:
                continue
            print(f"{suite}: {case} is left out: {file} is not here", file=sys.stderr)
            rows.append({"suite": suite, "case": case, "absent": str(file)})
    return rows


def table(rows):
    def number(x):
        return "" if x is None else f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.3g}"

    heads = ["suite", "case", "metric", "scalar", "value", "unit", "peer", "peer value", "ratio"]
    cells = [[r["suite"], r["case"], r["metric"], r["scalar"], number(r["value"]), r["unit"],
              r["peer"] or "", number(r["peer_value"]), number(r["ratio"])] for r in rows]
    widths = [max(len(line[i]) for line in [heads, *cells]) for i in range(len(heads))]
    right = {4, 7, 8}
    for line in [heads, *cells]:
        print("  ".join(cell.rjust(w) if i in right else cell.ljust(w)
                        for i, (cell, w) in enumerate(zip(line, widths, strict=True))).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suite", choices=[*SUITES, "all"], nargs="?", default="all")
    parser.add_argument("--json", metavar="FILE", help="write the rows there, as a JSON list")
    parser.add_argument("--robot", metavar="FILE", action="append",
                        help="a URDF for the dynamics suite (may be given several times)")
    parser.add_argument("--rounds", type=int, help="5 by default, 1 for simbenchmark, 3 for robots")
    parser.add_argument("--task", metavar="NAME", action="append",
                        help="of all suites but dynamics, only this case (may be given several times)")
    parser.add_argument("--quick", action="store_true",
                        help="shorter runs and smaller piles: to see that all works")
    parser.add_argument("--before", type=pathlib.Path, metavar="FOLDER",
                        help="of the suite robots: another build folder of ours, run in turns")
    parser.add_argument("--plot", metavar="FILE", help="of the suite batch_scaling: a picture of it")
    parser.add_argument("--core", type=int, default=google.choose_core())
    parser.add_argument("--build", type=pathlib.Path, help="build folder with bin/bench_*",
                        default=pathlib.Path(os.environ.get("ESPALIER_BUILD",
                                                            ROOT / "build/release")))
    options = parser.parse_args()
    suites = list(SUITES) if options.suite == "all" else [options.suite]
    if wrong := unknown_tasks(suites, options):
        parser.error(wrong)
    rows = not_here(suites, options)
    peers = wheels.build(set().union(*(programs_of_peers(name, options) for name in suites)))
    for reason in peers.missing:
        print(f"without {reason}", file=sys.stderr)
    for name in suites:
        found = SUITES[name](options, peers)
        if found:
            TABLES.get(name, table)(found)
        rows += found
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
