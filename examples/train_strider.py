"""Teaches a quadruped to walk over rough ground, from nothing, with PPO in numpy.

    python examples/train_strider.py                    10 minutes or Ctrl-C, then walk.html
    python examples/train_strider.py --flat --minutes 3
    python examples/train_strider.py --updates 50 --seed 7

Writes into the folder --out: policy.npz, curve.csv, curve.svg, walk.esp and walk.html. The same seed
and the same number of updates give the same curve to the bit on the same machine; the fingerprint
that is printed at the end tells.
"""
import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the trainer has threads of its own

import numpy as np

from espalier.learn import (Playback, Policy, Ppo, PpoConfig, Progress, RolloutEnv, StriderWalk,
                            StriderWalkOptions)
from espalier.learn.curve import draw_curve, fingerprint, write_curve
from espalier.learn.tasks.strider_trial import walk_options, walk_trial

CORES = len(os.sched_getaffinity(0))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--envs", type=int, default=1024, help="quadrupeds at once")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--updates", type=int, help="in place of --minutes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/strider"))
    parser.add_argument("--flat", action="store_true", help="on a plane")
    parser.add_argument("--mode", choices=["throughput", "accurate"], default="throughput")
    parser.add_argument("--scalar", choices=["float", "double"], default=None,
                        help="float in throughput mode, double in accurate mode")
    parser.add_argument("--threads", type=int, default=CORES)
    return parser.parse_args()


def report(progress: Progress) -> None:
    """One line an update."""
    rate = progress.steps / progress.seconds
    print(f"{progress.update:5d}  {progress.steps / 1e6:7.2f} M steps  {rate:8.0f} steps/s  "
          f"{progress.seconds:5.0f} s  reward {progress.reward:7.4f}  "
          f"episode {progress.episode_steps:6.1f} steps  std {progress.std:.2f}  "
          f"KL {progress.divergence:.4f}  rate {progress.learning_rate:.1e}", flush=True)


def show(policy: Policy, options: StriderWalkOptions, out: Path, seconds: float = 15.0) -> None:
    """Records one that walks at 1 m/s, with the mass and the friction of its model."""
    task = StriderWalk(1, replace(walk_options(options, 1.0), load=(1, 1), friction=(1, 1)))
    world = task.make_world()
    playback = Playback(task, world, policy, seed=2)
    with world.record(out / "walk.esp", name="strider walks") as run:
        for _ in range(round(seconds / options.control_step)):
            if not playback.act():
                break  # it fell, or left the terrain
    run.read().to_html(out / "walk.html")


def main() -> int:
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.scalar is None:
        args.scalar = "float" if args.mode == "throughput" else "double"
    options = StriderWalkOptions(rough=not args.flat, mode=args.mode, scalar=args.scalar,
                                 threads=args.threads)
    task = StriderWalk(args.envs, options)
    config = PpoConfig(initial_std=0.5, entropy_weight=0.0, threads=args.threads)
    trainer = Ppo(RolloutEnv(task), config, seed=args.seed)
    minutes = None if args.updates else args.minutes
    curve: list[Progress] = []

    def follow(progress: Progress) -> None:
        curve.append(progress)
        report(progress)

    try:
        trainer.train(updates=args.updates, minutes=minutes, report=follow)
    except KeyboardInterrupt:
        print("stopped; what was learnt until now is written")
    if not curve:
        return 1
    trainer.policy.save(args.out / "policy.npz")
    write_curve(args.out / "curve.csv", curve)
    print(f"{len(curve)} updates in {curve[-1].seconds:.0f} s, curve {fingerprint(curve)}")
    trial = walk_trial(trainer.policy, options, worlds=min(256, args.envs))
    print(f"at 1 m/s for 10 s: {trial.worlds - trial.fell} of {trial.worlds} did not fall, "
          f"mean speed {np.mean(trial.speed):.2f} m/s")
    try:
        draw_curve(args.out / "curve.svg", curve, f"StriderWalk, seed {args.seed}")
    except ModuleNotFoundError as error:
        print(f"no curve.svg: {error}; pip install matplotlib", file=sys.stderr)
    show(trainer.policy, options, args.out)
    print(f"policy, curve and {args.out / 'walk.html'} are written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
