"""Teaches a biped with Cassie's springs and rods to walk, from nothing, with PPO in numpy.

    python examples/train_cassie.py                     30 minutes or Ctrl-C, then walk.html
    python examples/train_cassie.py --updates 50 --seed 7
    python examples/train_cassie.py --from out/cassie/policy.npz --minutes 10

Writes into the folder --out: policy.npz, curve.csv, curve.svg, walk.esp and walk.html. The same seed
and the same number of updates give the same curve to the bit on the same machine; the fingerprint
that is printed at the end tells.
"""
import sys
from pathlib import Path

from walk_training import batch_options, parser, run

from espalier.learn import CassieWalk, CassieWalkOptions


def main() -> int:
    args = parser(__doc__ or "", out=Path("out/cassie"), minutes=30.0).parse_args()
    options = CassieWalkOptions(**batch_options(args))
    return run(args, CassieWalk, options, speed=0.7)


if __name__ == "__main__":
    sys.exit(main())
