"""Calls everything that the package binds with what it should refuse: wrong shapes and types, NaN,
None, removed objects, objects of other worlds, indices far away. Whatever happens must be a result or
an exception; a crash, a hang, or a SystemError is a failure.

    python python/tests/fuzz_calls.py --seconds 600            # from a random seed
    python python/tests/fuzz_calls.py --seed 17 --seconds 0    # one run again

A run is a process of its own with a seed: it fills a pool of objects, calls at random, and puts
results into the pool. What it is about to call is written down first, so that the last line names the
call that did not come back. A call of a seed depends on those before it.
"""

from __future__ import annotations

import argparse
import copy
import enum
import faulthandler
import gc
import inspect
import os
import pickle
import random
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
import types
import warnings
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ESPALIER_BUILD", ROOT / "build" / "release"))
CALLS = 1500
LIMIT_S = 120  # of a run; one takes a few seconds
MEMORY = 6 << 30  # bytes of address space

# name: why it is not called.
LEFT_OUT = {
    "view": "opens a browser",
    "show": "opens a browser",
    "main": "the command, which ends the process",
    "run_command": "the command, which ends the process",
    "launch_server": "waits for a page",
    "wait_for_turn": "waits for a page",
    "hibernate": "sleeps",
    "integrate_world_threads": "waits for pages",
    "simulate": "has its own end, which may be far away",
    "compile_again_": "for pickles alone",
}
# Arguments that say how often something is done.
COUNTS = re.compile(r"^(n|steps|count|num.*|max_.*|attempts|samples|size|rows|columns|resolution.*)$")


# ---- what calls are made with


def numbers(rng: random.Random, np):
    """An array of any shape, with what arrays may hold."""
    shape = rng.choice([(), (0,), (1,), (2,), (3,), (4,), (6,), (7,), (7,), (12,), (31,), (3, 3),
                        (4, 4), (4, 4), (6, 7), (2, 0), (5, 3), (2, 2, 2)])
    gen = np.random.default_rng(rng.getrandbits(32))
    kind = rng.random()
    if kind < 0.5:
        x = gen.normal(size=shape)
    elif kind < 0.6:
        x = np.zeros(shape)
    elif kind < 0.7:
        x = np.full(shape, rng.choice([np.nan, np.inf, -np.inf, 1e300, -1e300, 5e-324]))
    elif kind < 0.8:
        x = np.ones(shape, dtype=rng.choice(["int8", "float32", "complex128", "bool", "object"]))
    elif kind < 0.9:
        x = np.eye(*((shape + (3, 3))[:2])) if len(shape) == 2 else gen.normal(size=shape)
    else:
        x = gen.normal(size=(shape[0] * 2 if shape else 2,) + shape[1:])[::2]
    return x if rng.random() < 0.7 else x.tolist()


def scalar(rng: random.Random):
    return rng.choice([
        0, 1, -1, 2, 3, 5, 7, 99, -(2**31), 2**31 - 1, 2**40, 2**63, 2**70, 0.0, -0.0, 0.5, 1e-3, 1e-300,
        1e300, float("nan"), float("inf"), float("-inf"), True, False])


def junk(rng: random.Random, np):
    """Anything."""
    kind = rng.randrange(12)
    if kind < 3:
        return numbers(rng, np)
    if kind < 6:
        return scalar(rng)
    if kind == 6:
        return rng.choice(["", "nothing", "joint1", "tool_mount", "<robot/>", "<", "\0", "x" * 3000,
                           "\udcff", "world", "default", "é"])
    if kind == 7:
        return rng.choice([b"", b"\xff\x00", (), [], {}, set(), {"joint1": [0] * 6}, {None: None},
                           [None], [[1], [2, 3]], ["joint1", "tool_mount"], range(3), object()])
    if kind == 8:
        return rng.choice([lambda *a, **k: None, lambda *a, **k: 1 / 0, lambda *a: a, print,
                           int, type, lambda q: q * 2 if q is not None else q])
    if kind == 9:
        return np.dtype(float)
    return None


# ---- one run


class Run:
    def __init__(self, seed: int, log: int) -> None:
        sys.path.insert(0, str(BUILD / "python"))
        import numpy as np

        import espalier

        self.np, self.espalier = np, espalier
        self.rng, self.log = random.Random(seed), log
        self.pool: list[object] = []
        self.sizes = [3, 4, 6]
        self.tally: Counter[str] = Counter()
        self.odd: dict[str, str] = {}
        self.modules = [m for name, m in sorted(sys.modules.items())
                        if name.split(".")[0] == "espalier" and m is not None]
        self.functions = self._functions()
        self.classes = [c for c in self.functions if isinstance(c, type)]
        self._fill()

    def _functions(self) -> list[object]:
        found = {}
        for module in self.modules:
            for name in sorted(vars(module)):
                thing = getattr(module, name)
                home = getattr(thing, "__module__", "") or ""
                if callable(thing) and home.startswith("espalier") and not name.startswith("_"):
                    if name not in LEFT_OUT and not isinstance(thing, types.ModuleType):
                        found[id(thing)] = thing
        return list(found.values())

    def _fill(self) -> None:
        """Models, and worlds with robots and bodies, some of them removed again."""
        e, models = self.espalier, ROOT / "models"
        for name in ("arm7", "biped", "delta", "five_bar"):
            file = models / name / f"{name}.urdf"
            model = e.load(file, diagnostics=e.Diagnostics())
            self.sizes += [model.public_nq, model.public_nv, model.nq, model.nv]
            self.pool += [model, e.ModelDynamics(model, e.dynamics.neutral_coordinate(model))]
            self.pool.append(e.io.load_robot(file, diagnostics=e.Diagnostics()))
        for _ in range(2):
            world = e.World()
            self.pool.append(world)
            self._try(lambda w=world: self.pool.append(w.add_ground()))
            for name in ("arm7", "biped", "five_bar"):
                self._try(lambda w=world, n=name: self.pool.append(
                    w.add_articulated_system(str(models / n / f"{n}.urdf"))))
            for make in ("add_sphere", "add_box"):
                args = (0.1, 1.0) if make == "add_sphere" else (0.1, 0.2, 0.3, 1.0)
                self._try(lambda w=world, m=make, a=args: self.pool.append(getattr(w, m)(*a)))
            self._try(lambda w=world: w.remove_object(self.pool[-1]))
            for _ in range(3):
                self._try(world.integrate)

    def _try(self, f) -> None:
        try:
            f()
        except Exception:  # what is not there in this build is not fuzzed
            self.tally["not set up"] += 1

    # ---- arguments

    def _argument(self, name: str, annotation: str) -> object:
        """Mostly of the type that is asked for."""
        rng, np = self.rng, self.np
        if rng.random() < 0.15:
            return rng.choice(self.pool) if rng.random() < 0.5 else junk(rng, np)
        if COUNTS.match(name):
            return rng.choice([0, 1, 2, 3, -1, 10, None, 1.5])
        wanted = re.findall(r"espalier[\w.]*\.(\w+)", annotation)
        if wanted:
            fitting = [o for o in self.pool if type(o).__name__ in wanted]
            kinds = [c for c in self.classes if c.__name__ in wanted and issubclass(c, enum.Enum)]
            if kinds and rng.random() < 0.9:
                return rng.choice(list(rng.choice(kinds)) or [None])
            if fitting and rng.random() < 0.9:
                return rng.choice(fitting)
        if "ArrayLike" in annotation or "NDArray" in annotation or "Array" in annotation:
            if rng.random() < 0.5:  # of a size that somebody has
                n = rng.choice(self.sizes)
                gen = np.random.default_rng(rng.getrandbits(32))
                return 10.0 ** rng.choice([-1, 0, 0, 0, 3]) * gen.normal(size=n)
            return numbers(rng, np)
        if "bool" in annotation:
            return rng.random() < 0.5
        if "str" in annotation and rng.random() < 0.8:
            return rng.choice(["joint1", "tool_mount", "link1", "five_bar", "", "nothing", "default",
                               "<robot name='r'><link name='world'/></robot>", "file.out", "l_foot"])
        if "float" in annotation or "int" in annotation:
            return scalar(rng)
        return rng.choice(self.pool) if rng.random() < 0.4 else junk(rng, np)

    def _arguments(self, callee: object) -> tuple[list[object], dict[str, object]]:
        """By one of its signatures, or any."""
        rng = self.rng
        signatures = getattr(callee, "__nb_signature__", None)
        if isinstance(callee, type):
            signatures = getattr(callee.__init__, "__nb_signature__", signatures)
        names: list[tuple[str, str, bool]] = []
        if signatures:
            text = rng.choice(signatures)[0]
            for part in re.split(r",\s*(?![^\[]*\])", text[text.find("(") + 1 : text.rfind(")")]):
                name, _, annotation = part.partition(":")
                if name.strip() not in ("self", "", "/", "*"):
                    names.append((name.strip(), annotation, "=" in annotation))
        else:
            try:
                for p in inspect.signature(callee).parameters.values():
                    if p.name != "self" and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                        names.append((p.name, str(p.annotation), p.default is not p.empty))
            except (TypeError, ValueError):
                names = [("x", "", False)] * rng.randrange(4)
        if rng.random() < 0.05:
            given = [junk(rng, self.np) for _ in range(rng.randrange(6))]
            if getattr(callee, "__name__", "") in ("integrate", "step"):  # steps by the billion
                given = [x for x in given if not isinstance(x, int)]
            return given, {}
        given, named = [], {}
        for name, annotation, optional in names:
            if optional and rng.random() < 0.5:
                continue
            value = self._argument(name, annotation)
            if optional and re.fullmatch(r"[a-zA-Z]\w*", name):
                named[name] = value
            elif not named:
                given.append(value)
        return given, named

    # ---- calls

    def _say(self, what: str) -> None:
        line = what.encode("utf-8", "replace")[:2000]
        os.pwrite(self.log, line.ljust(2000) + b"\n", 0)

    def _describe(self, arguments: list[object], named: dict[str, object]) -> str:
        def short(x: object) -> str:
            if type(x).__module__.startswith("espalier"):
                return f"<{type(x).__name__}>"
            return repr(x)[:80]
        listed = [short(a) for a in arguments] + [f"{k}={short(v)}" for k, v in named.items()]
        return "(" + ", ".join(listed) + ")"

    def _do(self, what: str, action) -> None:
        self._say(what)
        try:
            result = action()
        except SystemError as error:
            raise AssertionError(f"SystemError at {what}: {error}") from error
        except RecursionError:
            self.tally["RecursionError"] += 1
        except Exception as error:
            self.tally[type(error).__name__] += 1
            if str(error).startswith(("std::", "bad_")) or "std::bad" in str(error):
                self.odd.setdefault(what, f"{type(error).__name__}: {error}")
        else:
            self.tally["result"] += 1
            self._keep(result)

    def _keep(self, result: object) -> None:
        things = list(result)[:3] if isinstance(result, (list, tuple)) else [result]
        for thing in things:
            if type(thing).__module__.startswith("espalier"):
                self.pool.append(thing)
        if len(self.pool) > 400:  # the first ones stay
            del self.pool[self.rng.randrange(40, len(self.pool))]

    def _method(self) -> None:
        rng = self.rng
        if rng.random() < 0.3:  # of all kinds alike, not by how many there are
            kind = rng.choice(sorted({type(o).__name__ for o in self.pool}))
            target = rng.choice([o for o in self.pool if type(o).__name__ == kind])
        else:
            target = rng.choice(self.pool)
        names = [n for n in dir(type(target)) if n not in LEFT_OUT and (not n.startswith("_"))]
        if not names:
            return
        name = rng.choice(names)
        owner = f"{type(target).__name__}.{name}"
        attribute = inspect.getattr_static(type(target), name, None)
        if isinstance(attribute, (classmethod, staticmethod)) or callable(attribute):
            bound = getattr(target, name)
            given, named = self._arguments(attribute if callable(attribute) else bound)
            self._do(owner + self._describe(given, named), lambda: bound(*given, **named))
        elif rng.random() < 0.5:
            self._do(owner, lambda: getattr(target, name))
        else:
            setter = getattr(attribute, "fset", None)
            annotation = str(getattr(setter, "__nb_signature__", ""))
            value = self._argument(name, annotation)
            self._do(f"{owner} = {self._describe([value], {})}",
                     lambda: setattr(target, name, value))

    def _function(self) -> None:
        callee = self.rng.choice(self.functions)
        given, named = self._arguments(callee)
        name = getattr(callee, "__name__", str(callee))
        self._do(name + self._describe(given, named), lambda: callee(*given, **named))

    def _special(self) -> None:
        rng, target = self.rng, self.rng.choice(self.pool)
        other = rng.choice(self.pool) if rng.random() < 0.5 else junk(rng, self.np)
        name, action = rng.choice([
            ("repr", lambda: repr(target) and None), ("str", lambda: str(target) and None),
            ("hash", lambda: hash(target)), ("==", lambda: target == other),
            ("len", lambda: len(target)), ("iter", lambda: list(target)[:50]),
            ("[]", lambda: target[other]), ("in", lambda: other in target),
            ("copy", lambda: copy.copy(target)), ("deepcopy", lambda: copy.deepcopy(target)),
            ("pickle", lambda: pickle.loads(pickle.dumps(target))),
            ("bool", lambda: bool(target)), ("del", lambda: self._forget()),
            ("new", lambda: type(target).__new__(type(target))),
            ("setstate", lambda: target.__setstate__(other)),
            ("attribute", lambda: setattr(target, "no_such_name", other)),
            ("+", lambda: target + other), ("*", lambda: other * target)])
        self._do(f"{name} of {type(target).__name__} with {self._describe([other], {})}", action)

    def _forget(self) -> None:
        del self.pool[self.rng.randrange(len(self.pool) // 2, len(self.pool))]
        gc.collect()

    def _beside_a_step(self) -> None:
        """Calls while another thread steps a world."""
        worlds = [o for o in self.pool if type(o).__name__ == "World"]
        if not worlds:
            return
        world = self.rng.choice(worlds)

        def steps() -> None:
            for _ in range(20):
                try:
                    world.integrate()
                except Exception:
                    return
        thread = threading.Thread(target=steps)
        thread.start()
        for _ in range(20):
            self._method()
        self._say("waiting for the thread that steps")
        thread.join()

    def go(self) -> None:
        # For the test that a crash is seen.
        crash_at = int(os.environ.get("ESPALIER_FUZZ_CRASH_AT", CALLS))
        for i in range(CALLS):
            kind = self.rng.random()
            if i == crash_at:
                self._do("a crash on purpose", os.abort)
            if kind < 0.6:
                self._method()
            elif kind < 0.88:
                self._function()
            elif kind < 0.995:
                self._special()
            else:
                self._beside_a_step()
        self._say("at the end: objects are freed in any order")
        self.rng.shuffle(self.pool)
        while self.pool:
            self.pool.pop()
        gc.collect()
        self._say("at the end of the process")
        print("tally", dict(self.tally))
        for what, why in self.odd.items():
            print("odd", why, "at", what)


def run_child(seed: int, log: str) -> None:
    faulthandler.enable()
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["ESPALIER_CACHE"] = "off"
    with tempfile.TemporaryDirectory() as folder:
        file = os.open(log, os.O_RDWR)
        os.chdir(folder)
        null = os.open(os.devnull, os.O_WRONLY)
        said = os.dup(1)
        os.dup2(null, 1)  # lists that calls print
        run = Run(seed, file)
        run.go()
        sys.stdout.flush()
        os.dup2(said, 1)
        for what, why in run.odd.items():
            print(f"odd: {why} at {what}")
        print("tally: " + ", ".join(f"{k} {v}" for k, v in sorted(run.tally.items())))
        sys.stdout.flush()
        os.chdir("/")


# ---- the runs


def run_seed(seed: int) -> tuple[str | None, str]:
    """None, or how it failed; and what it said."""
    with tempfile.NamedTemporaryFile() as log:
        command = [sys.executable, __file__, "--child", str(seed), log.name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S,
                                  errors="replace")
        except subprocess.TimeoutExpired:
            last = Path(log.name).read_text(errors="replace").strip()
            return f"seed {seed}: hangs in {last}", ""
        if done.returncode == 0:
            return None, done.stdout
        last = Path(log.name).read_text(errors="replace").strip()
        said = [line for line in done.stderr.strip().splitlines() if "leaked" not in line]
        tail = "\n".join(said[-12:])
        return f"seed {seed}: ends with {done.returncode} in {last}\n{tail}", done.stdout


def fuzz(seconds: float, seed: int) -> tuple[list[str], Counter[str], int, int]:
    """Failures; odd answers by how often; runs; calls."""
    end, failures, runs, calls = time.monotonic() + seconds, [], 0, 0
    odd: Counter[str] = Counter()
    while True:
        failed, said = run_seed(seed)
        runs, seed = runs + 1, seed + 1
        if failed:
            failures.append(failed)
        for line in said.splitlines():
            if line.startswith("odd: "):
                odd[re.sub(r"\(.*", "", line[5:])] += 1
            if line.startswith("tally: "):
                calls += sum(int(n) for n in re.findall(r"(\d+)(?:,|$)", line))
        if time.monotonic() >= end:
            return failures, odd, runs, calls


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        run_child(int(options.child[0]), options.child[1])
        return 0
    seed = random.randrange(10**6) if options.seed is None else options.seed
    print(f"from seed {seed}", flush=True)
    failures, odd, runs, calls = fuzz(options.seconds, seed)
    for failure in failures:
        print(failure)
    for what, times in odd.most_common():
        print(f"odd, {times} times: {what}")
    print(f"{runs} runs, {calls} calls, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
