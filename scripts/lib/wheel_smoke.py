"""What scripts/wheel asks of an installed package: python -I wheel_smoke.py CHECKOUT. A robot falls onto
the ground, the command answers, and the viewer's page is there; nothing of the checkout is used."""
import importlib.metadata
import math
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(sys.argv[1])
sys.path[:] = [entry for entry in sys.path if entry != str(Path(__file__).parent)]

import numpy as np  # noqa: E402

import espalier  # noqa: E402
from espalier.learn import make_task  # noqa: E402

BALL_WITH_ARM = """
<robot name="ball_with_arm">
  <link name="ball">
    <inertial><mass value="1"/><inertia ixx="0.004" iyy="0.004" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="arm">
    <inertial><origin xyz="0 0 0.1"/><mass value="0.1"/>
      <inertia ixx="0.0004" iyy="0.0004" izz="0.0001" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="shoulder" type="continuous">
    <parent link="ball"/><child link="arm"/><axis xyz="0 1 0"/><dynamics damping="0.01"/>
  </joint>
</robot>
"""


def check(is_true, what):
    if not is_true:
        sys.exit(f"smoke test: {what}")


def main():
    package = Path(espalier.__file__).resolve()
    environment = Path(sys.prefix).resolve()
    check(package.is_relative_to(environment), f"{package} is not of {environment}")
    inside = [entry for entry in sys.path if Path(entry).resolve().is_relative_to(CHECKOUT)
              and not Path(entry).resolve().is_relative_to(environment)]
    check(not inside, f"the checkout is on sys.path: {inside}")
    check(espalier.__version__ == importlib.metadata.version("espalier"), "two versions")

    world = espalier.World()
    world.add_ground()
    robot = world.add_articulated_system(BALL_WITH_ARM)
    start = np.array([0, 0, 0.5, 1, 0, 0, 0, 0.3])
    robot.generalized_coordinate = start
    for _ in range(round(2 / world.time_step)):
        world.integrate()
    height = robot.generalized_coordinate[2]
    check(math.isclose(height, 0.1, abs_tol=2e-3), f"the ball lies at {height} m instead of 0.1 m")
    contacts = world.contacts
    check(len(contacts) == 1, f"{len(contacts)} contacts instead of 1")

    # Its models are in the package; gymnasium is not there, and not needed.
    observation = make_task("StriderWalk", 4, rough=False).begin(0)
    check(np.isfinite(observation).all(), f"the striders observe {observation}")

    said = subprocess.run([sys.executable, "-I", "-m", "espalier", "--help"], capture_output=True,
                          text=True)
    check(said.returncode == 0 and "sim" in said.stdout, f"python -m espalier: {said.stderr}")
    command = subprocess.run([Path(sys.executable).parent / "espalier", "--version"],
                             capture_output=True, text=True)
    check(command.returncode == 0 and espalier.__version__ in command.stdout,
          f"the command espalier: {command.stdout}{command.stderr}")
    check(len(espalier.page_html()) > 100_000, "the viewer's page is not in the library")
    print(f"    espalier {espalier.__version__} simulates: the ball lies at {height:.4f} m")


main()
