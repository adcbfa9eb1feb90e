"""Shows a policy in a browser or as a file: one that comes with espalier, or one that has been learnt.

    python examples/play.py                                          serves a page, Ctrl-C ends
    python examples/play.py --task CassieWalk --html walk.html --seconds 20
    python examples/play.py out/strider/policy.npz --speed 0.5 --turn 0.5 --level 4
"""
import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import espalier
from espalier.learn import (BipedWalk, BipedWalkOptions, CassieWalk, CassieWalkOptions, Playback, Policy,
                            StriderWalk, StriderWalkOptions, baseline)
from espalier.learn.commands import CommandOptions
from espalier.learn.pushes import PushOptions


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("policy", type=Path, nargs="?", help="by default the one that comes with espalier")
    parser.add_argument("--task", choices=["StriderWalk", "CassieWalk", "BipedWalk"], default="StriderWalk")
    parser.add_argument("--speed", type=float, default=0.8, help="m/s ahead")
    parser.add_argument("--side", type=float, default=0.0, help="m/s to the left")
    parser.add_argument("--turn", type=float, default=0.0, help="rad/s to the left")
    parser.add_argument("--flat", action="store_true", help="StriderWalk on a plane")
    parser.add_argument("--level", type=int, default=2, help="of StriderWalk's terrain at most, from 0")
    parser.add_argument("--push", type=float, default=0.0, help="N s, largest push every 6 s")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--html", type=Path, help="writes a page instead of serving one")
    parser.add_argument("--seconds", type=float, default=15.0, help="of the page that is written")
    parser.add_argument("--port", type=int, default=8080)
    return parser.parse_args()


def write_page(playback: Playback, seconds: float, file: Path) -> None:
    actions = round(seconds / playback.task.options.control_step)
    with tempfile.TemporaryDirectory() as folder:
        with playback.world.record(Path(folder) / "run.esp", name="walk") as run:
            for _ in range(actions):
                if not playback.act():
                    break
        recording = run.read()
        recording.to_html(file)
    end = ", where it fell or left the terrain" if playback.episodes else ""
    print(f"{file}: {recording.times.max():.1f} s{end}")


def main() -> int:
    args = arguments()
    command = CommandOptions(vx=(args.speed, args.speed), vy=(args.side, args.side),
                             yaw_rate=(args.turn, args.turn), least=0, seconds=1e6)
    options: dict[str, Any] = {
        "mode": "accurate", "scalar": "double", "threads": 1, "commands": command,
        "pushes": PushOptions(impulse=args.push), "load": (1, 1), "friction": (1, 1)}
    task: StriderWalk | CassieWalk | BipedWalk
    if args.task == "CassieWalk":
        task = CassieWalk(1, CassieWalkOptions(**options))
    elif args.task == "BipedWalk":
        task = BipedWalk(1, BipedWalkOptions(**options))
    else:
        task = StriderWalk(1, StriderWalkOptions(rough=not args.flat, highest_start=args.level, **options))
    policy = Policy.load(args.policy) if args.policy else baseline(args.task)
    playback = Playback(task, task.make_world(), policy, seed=args.seed)
    if args.html:
        write_page(playback, args.seconds, args.html)
        return 0
    with espalier.view(playback.world, port=args.port, name=args.task) as server:
        try:
            while True:
                playback.act(server.step)
        except KeyboardInterrupt:
            return 0


if __name__ == "__main__":
    sys.exit(main())
