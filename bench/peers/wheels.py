"""The peers' programs, built on demand: Pinocchio and MuJoCo against their PyPI wheels, Bullet
against the distribution's package."""

import dataclasses
import importlib.metadata
import importlib.util
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
COMPILERS = {"gcc": "g++", "clang": "clang++"}
SUITES = ("simbenchmark", "contact")


@dataclasses.dataclass
class Peers:
    """What could be built: the versions, and the programs of the dynamics suite by flavour and of
    the other suites by peer."""
    versions: dict
    pinocchio: dict  # "clang, vector" -> program
    mujoco: dict     # "" -> program
    suites: dict     # "simbenchmark", "contact" -> {"mujoco", "bullet" -> program}
    missing: list    # reasons


def _prefix(module, distribution, up):
    """(folder, version) of a wheel by asking Python for the module, or (None, None)."""
    spec = importlib.util.find_spec(module)
    if spec is None:
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


def _compile(name, compiler, pinocchio, mujoco, bullet):
    folder = BUILD / f"bench-peers-{name}"
    options = [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DPINOCCHIO_PREFIX={pinocchio or ''}",
               f"-DMUJOCO_PREFIX={mujoco or ''}", f"-DWITH_BULLET={'ON' if bullet else 'OFF'}"]
    subprocess.run(["cmake", "-S", HERE, "-B", folder, *options], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--parallel", "2"], check=True,
                   stdout=subprocess.DEVNULL)
    return folder


def build():
    # .../cmeel.prefix/lib/python3.x/site-packages/pinocchio/__init__.py and .../mujoco/__init__.py
    pinocchio, pinocchio_version = _prefix("pinocchio", "pin", 4)
    mujoco, mujoco_version = _prefix("mujoco", "mujoco", 0)
    bullet = _bullet_version()
    peers = Peers({}, {}, {}, {suite: {} for suite in SUITES}, [])
    if pinocchio and not (pinocchio / "include/pinocchio").is_dir():
        pinocchio = None
    for found, name, version in ((pinocchio, "Pinocchio", pinocchio_version),
                                 (mujoco, "MuJoCo", mujoco_version)):
        if found:
            peers.versions[name] = version
        else:
            peers.missing.append(f"{name}: its PyPI wheel is not installed here")
    if bullet:
        peers.versions["Bullet"] = bullet
    else:
        peers.missing.append("Bullet: the package libbullet-dev, in double precision, is not here")
    if not peers.versions:
        return peers
    for name, compiler in COMPILERS.items():
        if shutil.which(compiler) is None:
            peers.missing.append(f"{compiler}: not installed, so the peers are built without it")
            continue
        # MuJoCo and Bullet are compiled already; one set of programs that call them is enough.
        others = {} if any(peers.suites.values()) else {"mujoco": mujoco, "bullet": bullet}
        folder = _compile(name, compiler, pinocchio, others.get("mujoco"), others.get("bullet"))
        for suite in SUITES:
            peers.suites[suite] |= {peer: folder / f"{peer}_{suite}"
                                    for peer, found in others.items() if found}
        if others.get("mujoco"):
            peers.mujoco[""] = folder / "mujoco_bench"
        if pinocchio:
            for variant in ("vector", "scalar"):
                peers.pinocchio[f"{name}, {variant}"] = folder / f"pinocchio_{variant}"
    return peers
