"""Swings a pole up and balances it by sampling: model-predictive path integral control (MPPI).

    python examples/mppi.py                     6 s of the robot, then out/mppi/swing_up.html
    python examples/mppi.py --samples 512 --seed 3

At every control step a batch of worlds starts at the state of the robot; each tries the current plan
with noise of its own, and the plan becomes the mean of what they tried, weighted by exp(-cost / lambda)
(Williams, Aldrich, Theodorou, "Model Predictive Path Integral Control", 2017). The noise is a first-order
autoregressive process, so that neighbouring forces are alike. The same seed gives the same run on
the same machine. Exit status 1: the pole does not stand at the end.
"""
import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import espalier

ROBOT = Path(__file__).resolve().parents[1] / "models/cartpole/cartpole.urdf"
NSTEP = 4  # steps of the physics for a control
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Options:
    samples: int = 256
    horizon: int = 60  # controls
    noise: float = 8.0  # N, standard deviation of a force in the sample with the most
    correlation: float = 0.8  # of a force's noise with that of the next control
    temperature: float = 0.02  # lambda, as a fraction of the samples' mean cost above the best
    limit: float = 20.0  # N
    threads: int = 1


def make_world() -> espalier.World:
    """The pole hangs, and the cart stands in the middle of its rail."""
    world = espalier.World()
    world.time_step = 0.005
    robot = world.add_articulated_system(ROBOT)
    robot.q = [0.0, np.pi]
    return world


def cost(q: NDArray[Any], u: NDArray[Any], force: Floats) -> Floats:
    """Of a moment, [...]: q and u [..., 2] behind the control, force [...]. 0 for a pole at rest on top."""
    x, angle = q[..., 0], q[..., 1]
    off_rail = np.maximum(np.abs(x) - 1.7, 0)
    total: Floats = (20 * (1 - np.cos(angle)) + x**2 + 0.3 * u[..., 0]**2 + 0.2 * u[..., 1]**2
                     + 1000 * off_rail + 0.002 * force**2)
    return total


class Mppi:
    """A plan of forces on the cart, improved at each call."""

    def __init__(self, world: espalier.World, options: Options, seed: int) -> None:
        self.options = options
        self.batch = espalier.Batch(world, options.samples, mode="throughput", threads=options.threads)
        self.plan = np.zeros(options.horizon)
        self._random = np.random.default_rng(seed)

    def act(self, state: espalier.State) -> tuple[float, float]:
        """The force (N) for the next control, and the mean cost of a moment in the best sample."""
        tried = np.clip(self.plan[:, None] + self._noise(), -self.options.limit, self.options.limit)
        controls = np.zeros((*tried.shape, self.batch.nu))
        controls[..., 0] = tried
        self.batch.reset(state=state)
        taken = self.batch.rollout(controls, nstep=NSTEP, record=("q", "u", "flags"))
        costs = cost(taken["q"], taken["u"], tried).mean(axis=0)
        costs[(taken["flags"] != 0).any(axis=0)] = np.inf  # worlds that failed have no say
        best = costs.min()
        if not np.isfinite(best):
            raise RuntimeError("no sample could be simulated: take a smaller time step or less noise")
        spread = (costs[np.isfinite(costs)] - best).mean()
        weights = np.exp(-(costs - best) / max(self.options.temperature * spread, 1e-9))
        plan = tried @ (weights / weights.sum())
        force = float(plan[0])
        self.plan = np.append(plan[1:], plan[-1])
        return force, float(best)

    def _noise(self) -> Floats:
        """[horizon, samples]; from none, so that the plan itself is tried, to options.noise: wide noise
        finds the way up, narrow noise keeps the pole still."""
        options = self.options
        noise = self._random.normal(0, options.noise, (options.horizon, options.samples))
        fresh = np.sqrt(1 - options.correlation**2)
        for t in range(1, options.horizon):
            noise[t] = options.correlation * noise[t - 1] + fresh * noise[t]
        return noise * np.linspace(0, 1, options.samples) ** 2


def angle_from_top(angle: float) -> float:
    """rad, in [-pi, pi]; 0: the pole stands."""
    return float(np.remainder(angle + np.pi, 2 * np.pi) - np.pi)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--samples", type=int, default=Options.samples, help="worlds of the batch")
    parser.add_argument("--seconds", type=float, default=6.0, help="of simulated time")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/mppi"))
    return parser.parse_args()


def main() -> int:
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    world = make_world()
    robot = world.systems[0]
    planner = Mppi(world, Options(samples=args.samples, threads=args.threads), args.seed)
    controls = round(args.seconds / (NSTEP * world.time_step))
    errors = []  # rad, after each control
    began = time.perf_counter()
    with world.record(args.out / "swing_up.esp", name="cartpole swings up") as run:
        for count in range(controls):
            force, best = planner.act(world.state)
            robot.set_generalized_force([force, 0.0])
            world.step(NSTEP)
            errors.append(abs(angle_from_top(robot.q[1])))
            if count % 25 == 24:
                print(f"{world.time:5.2f} s  cost {best:8.4f}  force {force:6.2f} N  "
                      f"cart {robot.q[0]:6.3f} m  pole {np.degrees(errors[-1]):6.2f} degrees from the top",
                      flush=True)
    run.read().to_html(args.out / "swing_up.html")
    wall = time.perf_counter() - began
    last = errors[-min(len(errors), 50):]
    stands = max(last) < np.radians(5)
    print(f"{controls} controls of {args.samples} samples in {wall:.1f} s; in the last "
          f"{len(last) * NSTEP * world.time_step:.2f} s the pole is at most "
          f"{np.degrees(max(last)):.2f} degrees from the top: "
          f"{'it stands' if stands else 'it does not stand'}")
    print(f"{args.out / 'swing_up.html'} is written")
    return 0 if stands else 1


if __name__ == "__main__":
    sys.exit(main())
