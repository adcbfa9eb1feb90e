"""The peers' programs, built on demand against the headers and libraries of their PyPI wheels."""

import dataclasses
import importlib.metadata
import importlib.util
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
COMPILERS = {"gcc": "g++", "clang": "clang++"}


@dataclasses.dataclass
class Peers:
    """What could be built: the versions, and for each peer its programs by flavour."""
    versions: dict
    pinocchio: dict  # "clang, vector" -> program
    mujoco: dict     # "" -> program
    missing: list    # reasons


def _prefix(module, distribution, up):
    """(folder, version) of a wheel by asking Python for the module, or (None, None)."""
    spec = importlib.util.find_spec(module)
    if spec is None:
        return None, None
    return (pathlib.Path(spec.origin).resolve().parents[up],
            importlib.metadata.version(distribution))


def _compile(name, compiler, pinocchio, mujoco):
    folder = BUILD / f"bench-peers-{name}"
    options = [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DPINOCCHIO_PREFIX={pinocchio or ''}",
               f"-DMUJOCO_PREFIX={mujoco or ''}"]
    subprocess.run(["cmake", "-S", HERE, "-B", folder, *options], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--parallel", "2"], check=True,
                   stdout=subprocess.DEVNULL)
    return folder


def build():
    # .../cmeel.prefix/lib/python3.x/site-packages/pinocchio/__init__.py and .../mujoco/__init__.py
    pinocchio, pinocchio_version = _prefix("pinocchio", "pin", 4)
    mujoco, mujoco_version = _prefix("mujoco", "mujoco", 0)
    peers = Peers({}, {}, {}, [])
    if pinocchio and not (pinocchio / "include/pinocchio").is_dir():
        pinocchio = None
    for folder, name, version in ((pinocchio, "Pinocchio", pinocchio_version),
                                  (mujoco, "MuJoCo", mujoco_version)):
        if folder:
            peers.versions[name] = version
        else:
            peers.missing.append(f"{name}: its PyPI wheel is not installed here")
    if not peers.versions:
        return peers
    for name, compiler in COMPILERS.items():
        if shutil.which(compiler) is None:
            peers.missing.append(f"{compiler}: not installed, so the peers are built without it")
            continue
        # MuJoCo's library is compiled already; one program that calls it is enough.
        folder = _compile(name, compiler, pinocchio, None if peers.mujoco else mujoco)
        if mujoco and not peers.mujoco:
            peers.mujoco[""] = folder / "mujoco_bench"
        if pinocchio:
            for variant in ("vector", "scalar"):
                peers.pinocchio[f"{name}, {variant}"] = folder / f"pinocchio_{variant}"
    return peers
