"""Robot files that nobody here wrote, tried as a user would, and held against MuJoCo and Pinocchio.

    others.py [--without NAME ...] FOLDER ...

Every URDF, SDF and MJCF file below the folders is checked and simulated for half a second; its mass matrix
and bias are compared with MuJoCo's or Pinocchio's; a world of MJCF or SDF is stepped as an accurate batch, whose bits are
those of a World, and as a throughput batch. Files that a peer refuses, too, are not counted. Prints what does not
hold, a line each, and a summary; exit code 1 where something does not. Of MJCF files the speed beside MuJoCo's is told.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/peers"), str(ROOT / "tests")]

import numpy as np

import compare
import conventions
import espalier_cli
import urdf_tree

try:
    import mujoco
    from mjcf_peer import Peer as MujocoFile
    from pinocchio_peer import PinocchioPeer
except ImportError:
    sys.exit("others.py needs MuJoCo and Pinocchio (pip install mujoco pin)")

STATES, TIME = 5, 0.5  # states that are compared; s of a simulation
SPEED_STEPS = 1000  # of a run whose speed is told
PATIENCE = 60  # s a call
APART = 1e-8  # of M and h
DRIFT = 1e-2  # m or rad, of throughput mode in BATCH_STEPS: its solver ends at 1e-3 m/s
BATCH_STEPS, WORLDS = 30, 5


def kind_of(path):
    text = path.read_text(errors="replace")
    return next((kind for tag, kind in (("<mujoco", "mjcf"), ("<robot", "urdf"), ("<sdf", "sdf"))
                 if tag in text), None)


def command(*words):
    """What `espalier WORDS --json` prints; {} where it is no JSON or takes too long."""
    try:
        done = subprocess.run([espalier_cli.BINARY, *words, "--json"], capture_output=True, text=True,
                              errors="replace", timeout=PATIENCE)
        return json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return {}


def mujoco_model(path):
    """None of a file that is no MJCF, or that MuJoCo refuses."""
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None


def first_error(answer):
    remarks = answer.get("diagnostics", []) + [
        d for file in answer.get("files", []) for d in file.get("diagnostics", [])]
    return next((d["what"] for d in remarks if d["severity"] == "error"), "no answer")


def apart_from_mujoco(path, folder):
    """Of M and h of a tree; None of what loops close, or where `compute` takes other states."""
    peer = MujocoFile(path)
    model = peer.model
    if model.neq > 0 or model.nv == 0:
        return None
    # The places of several mechanisms, and of a free joint with dynamics, count from where they are drawn.
    free = model.jnt_dofadr[model.jnt_type == mujoco.mjtJoint.mjJNT_FREE]
    dynamics = model.dof_damping + model.dof_armature + model.dof_frictionloss
    if model.ntree > 1 or dynamics[free].any():
        return None
    return _apart(path, folder, peer.joints, peer.answer, ("M", "h"))


def apart_from_pinocchio(path, folder):
    try:
        tree = urdf_tree.read(path)
        if all(link.is_massless for link in tree.links.values()):
            return None  # its collision shapes weigh something here
        peer = PinocchioPeer(tree)
    except Exception:  # what the peer's reader does not know
        return None
    return _apart(path, folder, tree.movable, peer.answer, ("M", "h"))


def _apart(path, folder, joints, answer, keys):
    rng = np.random.default_rng(11)
    states = [conventions.random_state(joints, rng) for _ in range(STATES)]
    try:
        ours = espalier_cli.compute(path, states, folder)
    except AssertionError as refusal:  # loops and mimics leave fewer numbers
        return None if "is needed" in str(refusal) else float("inf")
    worst = 0
    for state, own in zip(states, ours, strict=True):
        theirs = answer(**state)
        worst = max(worst, *(compare.relative_difference(own[key], theirs[key]) for key in keys))
    return worst


BATCH = """
import json, sys, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[2])
import numpy as np, espalier

def load():  # as espalier sim: what overlaps at the start never collides
    world = espalier.World(sys.argv[1])
    for thing in world.objects:
        if isinstance(thing, espalier.ArticulatedSystem):
            thing.ignore_overlaps()
    return world

world = load()
steps, worlds = int(sys.argv[3]), int(sys.argv[4])
exact = espalier.Batch(world, worlds, mode="accurate", threads=1)
exact.step(nstep=steps)
q = np.array(exact.bind("q"))
said = {"alike": bool(np.array_equal(q, np.broadcast_to(q[0], q.shape)))}
try:
    fast = espalier.Batch(load(), worlds, mode="throughput", threads=1)
    fast.step(nstep=steps)
    said["drift"] = float(np.abs(np.array(fast.bind("q")) - q).max(initial=0))
except ValueError as refusal:
    if "throughput mode cannot step" not in str(refusal):
        raise
for _ in range(steps):
    world.integrate()
said["same"] = bool(np.array_equal(world.state.q, exact.state(0).q))
print(json.dumps(said))
"""


def batch(path):
    """Of accurate worlds whether they are alike, and a World alone's; how far throughput mode drifts."""
    module = espalier_cli.BINARY.parent.parent / "python"
    try:
        done = subprocess.run(
            [sys.executable, "-c", BATCH, path, module, str(BATCH_STEPS), str(WORLDS)],
            capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "a batch takes too long"
    if done.returncode != 0:
        return f"a batch ends with {done.returncode}: {done.stderr.strip()[-160:]}"
    said = json.loads(done.stdout.strip().splitlines()[-1])
    if not (said["alike"] and said["same"]):
        return "a batch's worlds are not those of a World"
    if said.get("drift", 0) > DRIFT:
        return f"throughput mode drifts by {said['drift']:.1e}"
    return None


def faster_than_mujoco(path, model, paths):
    run = command("sim", path, "--time", str(SPEED_STEPS * model.opt.timestep), *paths)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    begin = time.thread_time()
    for _ in range(run["steps"]):
        mujoco.mj_step(model, data)
    return (time.thread_time() - begin) / run["wall_time"]


def judge(path, kind, search):
    """(what does not hold, speed beside MuJoCo's); None where a peer refuses the file, too."""
    model = mujoco_model(path) if kind == "mjcf" else None
    if kind == "mjcf" and model is None:
        return None
    paths = [word for folder in search for word in ("--search", folder)]
    check = command("check", path, "--lenient", *paths)
    if not check.get("ok"):
        return f"refused: {first_error(check)}", None
    run = command("sim", path, "--time", str(TIME), *paths)
    if "steps" not in run:
        return f"does not run: {first_error(run)}", None
    with tempfile.TemporaryDirectory() as folder:
        compared = {"mjcf": apart_from_mujoco, "urdf": apart_from_pinocchio}.get(kind)
        apart = compared(path, pathlib.Path(folder)) if compared else None
    if apart is not None and not apart <= APART:
        return f"M or h are {apart:.1e} from the peer's", None
    fault = batch(path) if kind != "urdf" else None
    speed = faster_than_mujoco(path, model, paths) if model is not None and model.nv > 0 else None
    flags = ", ".join(flag["name"] for flag in run["flags"])
    return fault or (f"flagged: {flags}" if flags else None), speed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--without", action="append", default=[], help="folders of that name")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    tried, refused, faults, speeds = 0, 0, 0, []
    for folder in asked.folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".xml", ".urdf", ".sdf")):
            if not set(asked.without).isdisjoint(path.parts):
                continue
            kind = kind_of(path)
            found = judge(path, kind, [folder, path.parent]) if kind else None
            if found is None:
                refused += kind is not None
                continue
            fault, speed = found
            tried += 1
            faults += fault is not None and not fault.startswith("flagged")
            if speed is not None:
                speeds.append(speed)
            if fault or (speed or 1) < 1:
                print(f"{path}: {fault or f'{speed:.2f} of the speed of MuJoCo'}", flush=True)
    mean = np.exp(np.mean(np.log(speeds))) if speeds else float("nan")
    print(f"{tried} files tried, {faults} with a fault, {refused} that MuJoCo refuses; "
          f"{mean:.2f} times MuJoCo's speed in the geometric mean of {len(speeds)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
