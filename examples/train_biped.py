"""Teaches a humanoid with belts to its knees and push rods to its ankles to walk, with PPO in numpy.

    python examples/train_biped.py                      30 minutes or Ctrl-C, then walk.html
    python examples/train_biped.py --updates 50 --seed 7

Writes into the folder --out what train_cassie.py writes.
"""
import sys
from pathlib import Path

from walk_training import batch_options, parser, run

from espalier.learn import BipedWalk, BipedWalkOptions


def main() -> int:
    args = parser(__doc__ or "", out=Path("out/biped"), minutes=30.0).parse_args()
    options = BipedWalkOptions(**batch_options(args))
    return run(args, BipedWalk, options, speed=0.6)


if __name__ == "__main__":
    sys.exit(main())
