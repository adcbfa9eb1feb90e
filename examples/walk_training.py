"""Shared by train_strider.py, train_cassie.py and train_biped.py: arguments, training, trial, files."""
import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the trainer has threads of its own

import numpy as np

from espalier.learn import Playback, Policy, Ppo, PpoConfig, Progress, RolloutEnv
from espalier.learn.curve import draw_curve, fingerprint, write_curve
from espalier.learn.tasks.walk_trial import walk_options, walk_trial

CORES = len(os.sched_getaffinity(0))


def parser(description: str, out: Path, minutes: float) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=description.split("\n")[0])
    made.add_argument("--envs", type=int, default=1024, help="robots at once")
    made.add_argument("--minutes", type=float, default=minutes)
    made.add_argument("--updates", type=int, help="in place of --minutes")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--out", type=Path, default=out)
    made.add_argument("--mode", choices=["throughput", "accurate"], default="throughput")
    made.add_argument("--scalar", choices=["float", "double"], default=None,
                      help="float in throughput mode, double in accurate mode")
    made.add_argument("--threads", type=int, default=CORES)
    made.add_argument("--from", dest="start", type=Path, help="a policy to go on with")
    return made


def batch_options(args: argparse.Namespace) -> dict[str, Any]:
    """Options of a task that say how its worlds are stepped."""
    scalar = args.scalar or ("float" if args.mode == "throughput" else "double")
    return {"mode": args.mode, "scalar": scalar, "threads": args.threads}


def report(progress: Progress) -> None:
    """One line an update."""
    rate = progress.steps / progress.seconds
    print(f"{progress.update:5d}  {progress.steps / 1e6:7.2f} M steps  {rate:8.0f} steps/s  "
          f"{progress.seconds:5.0f} s  reward {progress.reward:7.4f}  "
          f"episode {progress.episode_steps:6.1f} steps  std {progress.std:.2f}  "
          f"KL {progress.divergence:.4f}  rate {progress.learning_rate:.1e}", flush=True)


def show(kind: Any, policy: Policy, options: Any, speed: float, out: Path, seconds: float = 15.0) -> None:
    """Records one robot that walks straight ahead, with the mass and the friction of its model."""
    task = kind(1, replace(walk_options(options, speed), load=(1, 1), friction=(1, 1)))
    world = task.make_world()
    playback = Playback(task, world, policy, seed=2)
    with world.record(out / "walk.esp", name=kind.__name__) as run:
        for _ in range(round(seconds / options.control_step)):
            if not playback.act():
                break  # it fell, or left the terrain
    run.read().to_html(out / "walk.html")


def run(args: argparse.Namespace, kind: Any, options: Any, speed: float) -> int:
    """Trains a policy for the task `kind`, tries it at a speed, m/s, and writes all that came of it."""
    args.out.mkdir(parents=True, exist_ok=True)
    task = kind(args.envs, options)
    config = PpoConfig(initial_std=0.5, entropy_weight=0.0, threads=args.threads)
    start = Policy.load(args.start) if args.start else None
    trainer = Ppo(RolloutEnv(task), config, seed=args.seed, policy=start)
    curve: list[Progress] = []

    def follow(progress: Progress) -> None:
        curve.append(progress)
        report(progress)

    try:
        trainer.train(updates=args.updates, minutes=None if args.updates else args.minutes, report=follow)
    except KeyboardInterrupt:
        print("stopped; what was learnt until now is written")
    if not curve:
        return 1
    trainer.policy.save(args.out / "policy.npz")
    write_curve(args.out / "curve.csv", curve)
    print(f"{len(curve)} updates in {curve[-1].seconds:.0f} s, curve {fingerprint(curve)}")
    trial = walk_trial(kind, trainer.policy, options, speed=speed, worlds=min(256, args.envs))
    print(f"at {speed:g} m/s for 10 s: {trial.worlds - trial.fell.sum()} of {trial.worlds} did not fall, "
          f"mean speed {np.mean(trial.speed):.2f} m/s")
    try:
        draw_curve(args.out / "curve.svg", curve, f"{kind.__name__}, seed {args.seed}")
    except ModuleNotFoundError as error:
        print(f"no curve.svg: {error}; pip install matplotlib", file=sys.stderr)
    show(kind, trainer.policy, options, speed, args.out)
    print(f"policy, curve and {args.out / 'walk.html'} are written")
    return 0
