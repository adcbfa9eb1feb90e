"""Finds the masses and the joints' damping of an arm from a recorded motion, by parallel rollouts.

    python examples/identify.py                          exact data
    python examples/identify.py --noise 1e-4 --seed 3    angles measured to 1e-4 rad

An arm of seven joints follows targets; its angles are the data. Its bodies' masses and its motors' kd are
not those of the model. Gauss-Newton finds them: every column of the Jacobian is a central difference of
two rollouts, and each perturbed set of parameters is one world of a batch. In a second batch of rollouts
the step is tried whole and with dampings of many sizes (Levenberg), and the best one is taken. Parameters
are factors on the model's values. Those that the motion does not show are named and stay as they are.
Exit status 1: it did not converge.
"""
import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import espalier

ROBOT = Path(__file__).resolve().parents[1] / "models/arm7/arm7.urdf"
KP = np.array([400, 400, 300, 300, 150, 100, 60])
KD = np.array([30, 30, 20, 20, 8, 5, 3])
NSTEP = 5  # steps of the physics between two samples
DIFFERENCE = 1e-5  # of a factor
CONVERGED = 1e-9  # whole step, largest change of a factor
STALLED = 1e-6  # the same where no step makes the residual smaller, as with noise
UNSEEN = 1e-8  # a singular value, relative to the largest, below which a direction is not seen
Floats = NDArray[np.float64]


class Model:
    """What the arm does for many sets of parameters at once."""

    def __init__(self, seconds: float, threads: int) -> None:
        world = espalier.World()
        world.time_step = 0.002
        robot = world.add_articulated_system(ROBOT)
        robot.q = [0, 0.4, 0, 1.5, 0, 1.24, 0]
        self.names = ([f"mass of {body}" for body in robot.body_names]
                      + [f"kd of {joint}" for joint in robot.movable_joint_names[-robot.dof:]])
        self.size = len(self.names)
        self.batch = espalier.Batch(world, 2 * self.size + 1, mode="accurate", threads=threads)
        time = np.arange(round(seconds / (NSTEP * world.time_step)))[:, None] * NSTEP * world.time_step
        joint = np.arange(robot.dof)
        self.targets = robot.q + 0.5 * np.sin((3 + 0.7 * joint) * time)

    def angles(self, factors: Floats) -> Floats:
        """[sets, samples]: the angles behind each target, for factors [sets, size]."""
        batch, bodies = self.batch, self.batch.bind("mass").shape[1]
        used = np.ones((len(batch), self.size))  # worlds that are not needed have the model's parameters
        used[:len(factors)] = factors
        batch.reset()
        batch.bind("mass")[:] = used[:, :bodies]
        batch.bind("kp")[:] = KP
        batch.bind("kd")[:] = KD * used[:, bodies:]
        taken = batch.rollout(self.targets, name="target_q", nstep=NSTEP, record=("q", "flags"))
        q: NDArray[Any] = taken["q"].transpose(1, 0, 2).reshape(len(batch), -1)
        q[(taken["flags"] != 0).any(axis=0)] = np.inf
        return q[:len(factors)]

    def jacobian(self, factors: Floats) -> tuple[Floats, Floats]:
        """The angles [samples], and their derivatives [samples, size]."""
        shifts = DIFFERENCE * np.eye(self.size)
        q = self.angles(factors + np.vstack([np.zeros(self.size), shifts, -shifts]))
        if not np.isfinite(q).all():
            raise RuntimeError("a rollout failed: the arm cannot be simulated near these parameters")
        plus, minus = q[1:1 + self.size], q[1 + self.size:]
        return q[0], (plus - minus).T / (2 * DIFFERENCE)


@dataclass(frozen=True)
class Fit:
    factors: Floats
    deviation: Floats  # standard, of each factor, from the residual; inf: not identifiable
    converged: bool


def fit(model: Model, data: Floats, iterations: int) -> Fit:
    """Gauss-Newton from the model's own parameters, damped where the whole step is worse."""
    factors, converged = np.ones(model.size), False
    print("iteration  residual (rad, rms)  largest change of a factor")
    for iteration in range(iterations):
        q, jacobian = model.jacobian(factors)
        residual = data - q
        left, singular, right = np.linalg.svd(jacobian, full_matrices=False)
        seen = singular > UNSEEN * singular[0]
        along, singular, right = left[:, seen].T @ residual, singular[seen], right[seen]
        damping = singular[0] * 10.0 ** -np.arange(len(model.batch) // 2)[:, None]
        damping[-1] = 0  # Gauss-Newton's whole step
        steps = (along * singular / (singular**2 + damping**2)) @ right
        tried = factors + steps
        tried[(tried < 0.05).any(axis=1)] = factors  # a body has mass
        errors = np.linalg.norm(data - model.angles(tried), axis=1)
        best = int(np.argmin(errors))
        change = float(np.abs(steps[best]).max())
        print(f"{iteration:9d}  {rms(residual):19.3e}  {change:10.3e}", flush=True)
        if errors[best] < np.linalg.norm(residual):
            factors = tried[best]
        full = float(np.abs(steps[-1]).max())
        if full < CONVERGED or errors[best] >= np.linalg.norm(residual):
            converged = full < STALLED
            break
    spread = rms(residual) * np.sqrt(((right / singular[:, None])**2).sum(axis=0))
    hidden = 1 - (right**2).sum(axis=0) > 1e-6
    return Fit(factors, np.where(hidden, np.inf, spread), converged)


def rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(values**2)))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="of motion")
    parser.add_argument("--noise", type=float, default=0.0, help="rad, of the measured angles")
    parser.add_argument("--iterations", type=int, default=20, help="at most")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the true parameters and the noise")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    random = np.random.default_rng(args.seed)
    model = Model(args.seconds, args.threads)
    true = random.uniform(0.7, 1.4, model.size)
    data = model.angles(true[None])[0]
    fitted = fit(model, data + random.normal(0, args.noise, data.shape), args.iterations)

    print(f"\n{'factor on':15s}    true    fitted  relative error  standard deviation")
    for name, truth, value, deviation in zip(model.names, true, fitted.factors, fitted.deviation):
        if np.isinf(deviation):
            print(f"{name:15s}  {truth:.4f}  not identifiable: this motion does not show it")
        else:
            print(f"{name:15s}  {truth:.4f}  {value:8.6f}  {abs(value / truth - 1):14.1e}  {deviation:18.1e}")
    known = np.isfinite(fitted.deviation)
    error = np.abs(fitted.factors / true - 1)[known].max()
    print(f"\n{known.sum()} of {model.size} parameters identified, largest relative error {error:.1e}; "
          f"{'converged' if fitted.converged else 'NOT converged'}")
    return 0 if fitted.converged else 1


if __name__ == "__main__":
    sys.exit(main())
