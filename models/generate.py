#!/usr/bin/env python3
"""Writes models/<name>/<name>.urdf and nominal.json of every robot from models/recipes.

  models/generate.py [FOLDER]    FOLDER: where to write; this script's own folder by default
"""

import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from recipes import (  # noqa: E402
    arboris, arm7, beest, biped, cartpole, cassie_like, chain20, delta, differential_leg, double_pendulum, geared,
    geared_biped, gripper, linkage_arm, planar, quadruped, strider, tello,
)
from recipes.robot import number  # noqa: E402

RECIPES = (
    strider.make, quadruped.make, arm7.make, biped.make, double_pendulum.make, cartpole.make,
    chain20.make, arboris.simplearm, arboris.snake, lambda: arboris.snake(free=True), arboris.human36,
    planar.four_bar, planar.triple_rocker, planar.parallelogram, planar.slider_crank,
    planar.five_bar, planar.six_bar, geared.revolute_with_rotor, geared.revolute_pair_with_rotor,
    geared.revolute_triple_with_rotor, geared.geared_strider, geared_biped.make,
    differential_leg.make, delta.make, gripper.make, linkage_arm.make, beest.make, beest.steered,
    tello.hip, tello.leg, cassie_like.make,
)


def files():
    """Relative path -> text, of all that is generated."""
    made = {}
    for recipe in RECIPES:
        robot = recipe()
        q = [float(number(x)) for x in robot.nominal()]
        made[f"{robot.name}/{robot.name}.urdf"] = robot.urdf()
        made[f"{robot.name}/nominal.json"] = json.dumps({"q": q}) + "\n"
    return made


def main():
    parser = argparse.ArgumentParser(description="Writes the files of all models.")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE,
                        help="where they go (default: beside this program)")
    folder = parser.parse_args().folder
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
