"""Two robots of one URDF template: a short one with three wheels a side and a long one with seven.
Both drive straight, then turn on the spot.
    python examples/tracked_robot/main.py
"""
import numpy as np
import espalier

world = espalier.World()
world.time_step = 0.002
world.add_ground()


def add_robot(wheels: int, length: float, y: float) -> espalier.ArticulatedSystem:
    """A robot with so many wheels a side, its motors holding speeds: a gain on velocity alone."""
    robot = world.add_articulated_system(
        "models/tracked_robot/tracked_robot.urdf",
        parameters={"wheels": wheels, "length": length})  # the others as the template has them
    robot.base_position = [0, y, 0.28]
    robot.set_pd_gains(0, 20)
    return robot


def drive(robot: espalier.ArticulatedSystem, left: float, right: float, time: float) -> None:
    """Runs for a time with the wheels of either side at a speed (rad/s)."""
    wheels = (robot.dof - 6) // 2
    robot.set_pd_target(robot.q, np.repeat([0, left, right], [6, wheels, wheels]))
    world.step(round(time / world.time_step))


for robot in [add_robot(3, 0.8, -2), add_robot(7, 1.8, 2)]:
    drive(robot, 0, 0, 0.5)  # settle
    start = robot.base_position
    drive(robot, 5, 5, 2)
    distance, R = np.linalg.norm(robot.base_position - start), robot.base_orientation
    drive(robot, -5, 5, 1)
    turn = R.T @ robot.base_orientation
    print(f"{(robot.dof - 6) // 2} wheels a side, {robot.total_mass:.1f} kg: "
          f"drove {distance:.2f} m, then turned by {np.arctan2(turn[1, 0], turn[0, 0]):.2f} rad")
    drive(robot, 0, 0, 0.5)  # brake
