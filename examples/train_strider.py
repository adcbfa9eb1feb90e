"""Teaches a quadruped to walk over rough ground, from nothing, with PPO in numpy.

    python examples/train_strider.py                    10 minutes or Ctrl-C, then walk.html
    python examples/train_strider.py --flat --minutes 3
    python examples/train_strider.py --updates 50 --seed 7

Writes into the folder --out: policy.npz, curve.csv, curve.svg, walk.esp and walk.html. The same seed
and the same number of updates give the same curve to the bit on the same machine; the fingerprint
that is printed at the end tells.
"""
import sys
from pathlib import Path

from walk_training import batch_options, parser, run

from espalier.learn import StriderWalk, StriderWalkOptions


def main() -> int:
    arguments = parser(__doc__ or "", out=Path("out/strider"), minutes=10.0)
    arguments.add_argument("--flat", action="store_true", help="on a plane")
    args = arguments.parse_args()
    options = StriderWalkOptions(rough=not args.flat, **batch_options(args))
    return run(args, StriderWalk, options, speed=1.0)


if __name__ == "__main__":
    sys.exit(main())
