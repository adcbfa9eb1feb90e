"""The peers' programs, built on demand: Pinocchio and MuJoCo against their PyPI wheels, Bullet
against the distribution's package. Only what is asked for is compiled."""

import dataclasses
import importlib.metadata
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
COMPILERS = {"gcc": "g++", "clang": "clang++"}
VARIANTS = ("vector", "scalar")  # of Pinocchio's program


@dataclasses.dataclass
class Peers:
    """What could be built: the versions, and the programs of the dynamics suite by flavour and of
    the other suites by peer."""
    versions: dict
    pinocchio: dict  # "clang, vector" -> program
    mujoco: dict     # "" -> program
    suites: dict     # "simbenchmark", "contact", "robots" -> {"mujoco", "bullet" -> program}
    missing: list    # reasons


def _prefix(module, distribution, up):
    """(folder, version) of a wheel by asking Python for the module, or (None, None)."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None, None
    return (pathlib.Path(spec.origin).resolve().parents[up],
            importlib.metadata.version(distribution))


def _bullet_version():
    """Of Bullet in double precision, or None."""
    if shutil.which("pkg-config") is None:
        return None
    asked = subprocess.run(["pkg-config", "--modversion", "bullet-float64"], capture_output=True,
                           text=True)
    return asked.stdout.strip() if asked.returncode == 0 else None


@dataclasses.dataclass
class _Found:
    pinocchio: pathlib.Path
    mujoco: pathlib.Path
    has_bullet: bool


def _compile(name, compiler, found, versions, targets):
    """The folder in which the targets stand. A folder that is configured is begun anew only where the
    options or the peers' versions are others, and make sees to what has changed."""
    folder = BUILD / f"bench-peers-{name}"
    options = [f"-DCMAKE_CXX_COMPILER={shutil.which(compiler)}",
               f"-DPINOCCHIO_PREFIX={found.pinocchio or ''}",
               f"-DMUJOCO_PREFIX={found.mujoco or ''}",
               f"-DWITH_BULLET={'ON' if found.has_bullet else 'OFF'}"]
    stamp = folder / "configured.json"
    wanted = {"options": options, "versions": versions}
    if not stamp.exists() or json.loads(stamp.read_text()) != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["cmake", "-S", HERE, "-B", folder, *options], check=True,
                       stdout=subprocess.DEVNULL)
        stamp.write_text(json.dumps(wanted))
    subprocess.run(["cmake", "--build", folder, "--parallel", "2",
                    *(word for target in targets for word in ("--target", target))], check=True,
                   stdout=subprocess.DEVNULL)
    return folder


def _look(peers):
    # .../cmeel.prefix/lib/python3.x/site-packages/pinocchio/__init__.py and .../mujoco/__init__.py
    pinocchio, pinocchio_version = _prefix("pinocchio", "pin", 4)
    if pinocchio and not (pinocchio / "include/pinocchio").is_dir():
        pinocchio = None
    mujoco, mujoco_version = _prefix("mujoco", "mujoco", 0)
    bullet = _bullet_version()
    for there, name, version in ((pinocchio, "Pinocchio", pinocchio_version),
                                 (mujoco, "MuJoCo", mujoco_version)):
        if there:
            peers.versions[name] = version
        else:
            peers.missing.append(f"{name}: its PyPI wheel is not installed here")
    if bullet:
        peers.versions["Bullet"] = bullet
    else:
        peers.missing.append("Bullet: the package libbullet-dev, in double precision, is not here")
    return _Found(pinocchio, mujoco, bool(bullet))


def build(wanted):
    """in  wanted  programs, of pinocchio, mujoco_bench and PEER_SUITE: "mujoco_contact",
                   "bullet_simbenchmark", ..."""
    peers = Peers({}, {}, {}, {}, [])
    found = _look(peers)
    there = {"mujoco": found.mujoco, "bullet": found.has_bullet}
    # MuJoCo and Bullet are compiled already; one set of programs that call them is enough.
    callers = sorted(name for name in wanted - {"pinocchio"} if there[name.split("_")[0]])
    with_pinocchio = "pinocchio" in wanted and found.pinocchio
    for suite in {name.split("_")[1] for name in wanted - {"pinocchio", "mujoco_bench"}}:
        peers.suites[suite] = {}
    for name, compiler in COMPILERS.items():
        targets = callers + [f"pinocchio_{v}" for v in VARIANTS if with_pinocchio]
        if not targets:
            break
        if shutil.which(compiler) is None:
            peers.missing.append(f"{compiler}: not installed, so the peers are built without it")
            continue
        print(f"building with {compiler}: {', '.join(targets)} (minutes, the first time) ...",
              file=sys.stderr)
        folder = _compile(name, compiler, found, peers.versions, targets)
        for program in callers:
            peer, suite = program.split("_")
            if suite == "bench":
                peers.mujoco[""] = folder / program
            else:
                peers.suites[suite][peer] = folder / program
        callers = []
        if with_pinocchio:
            for variant in VARIANTS:
                peers.pinocchio[f"{name}, {variant}"] = folder / f"pinocchio_{variant}"
    return peers
