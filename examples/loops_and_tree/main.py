"""A robot with its real loops, and the same robot as a tree: its loops left out, as simulators of
trees need it. Both start in one pose under the same PD on the same motors. Where rods carry the
load, in Cassie's shanks or at a biped's ankles, the tree's legs give way.
    python examples/loops_and_tree/main.py [examples/loops_and_tree/biped.xml or Cassie's scene.xml]
"""
import sys
import numpy as np
import espalier


def hold_motors(robot: espalier.ArticulatedSystem, spec: espalier.SystemSpec) -> None:
    """The motors hold their joints: the file's actuators, or else joints marked independent."""
    motors = [motor.joint for motor in spec.transmissions]
    motors += [joint.name for joint in spec.joints if joint.independent]
    gains = np.zeros(robot.dof)
    gains[[robot.generalized_velocity_index(joint) for joint in motors]] = 1
    robot.set_pd_gains(1000 * gains, 30 * gains)
    robot.set_pd_target(robot.q, 0 * gains)


file = sys.argv[1] if len(sys.argv) > 1 else "examples/loops_and_tree/biped.xml"
spec = espalier.io.load_world(file)
spec.time_step = 0.001
real_world = espalier.World(spec)
real = real_world.system(0)
spec.systems[0].q = real.spanning_coordinate  # of all joints
spec.systems[0].system.loops.clear()
tree_world = espalier.World(spec)
tree = tree_world.system(0)

print(f"degrees of freedom: {real.dof} with loops, {tree.dof} as a tree")
for robot in (real, tree):
    hold_motors(robot, spec.systems[0].system)
for i in range(7):
    print(f"{i / 2:.1f} s: base at {real.base_position[2]:.4f} m with loops, "
          f"{tree.base_position[2]:.4f} m as a tree")
    real_world.step(500)
    tree_world.step(500)
print(f"largest gap of a loop: {real.closure_residual:.1e} m")
