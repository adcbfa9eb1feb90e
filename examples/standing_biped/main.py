"""Inverse dynamics of a robot that floats: a biped stands and is pushed, without PD in its motors.

Accelerations that bring it back to its pose are chosen; M udot + h = S' tau + J' f gives torques
tau and wrenches f on the feet: the base has no motors, so its six rows say f, the others tau.
    python examples/standing_biped/main.py
"""
import numpy as np
import espalier

world = espalier.World()
world.time_step = 0.001
world.add_ground()
robot = world.add_articulated_system("models/biped/biped.urdf")
robot.base_position = [0, 0, 0.8853]
for side in "LR":
    for joint, angle in (("hip_pitch", -0.35), ("knee", 0.7), ("ankle_pitch", -0.35)):
        robot.joint(f"{side}_{joint}").joint_angle = angle
pose = robot.q

for i in range(4001):
    q = robot.q  # back: from q to the pose, base position, its rotation vector, joints
    back = np.concatenate([pose[:3] - q[:3], -2 * q[4:7], pose[7:] - q[7:]])
    force = robot.compute_inverse_dynamics(100 * back - 20 * robot.u)  # M udot + h
    J = np.vstack([jacobian(f"{side}_ankle_roll") for side in "LR" for jacobian in
                   (robot.dense_frame_rotational_jacobian, robot.dense_frame_jacobian)])
    f = np.linalg.lstsq(J[:, :6].T, force[:6])[0]  # the smallest wrenches there are
    robot.generalized_force = force - J.T @ f  # the first six are zero
    if 1000 <= i < 1200:
        robot.set_external_force(0, [60, 0, 0])  # N, on the pelvis
    world.step()
    if i % 500 == 0:
        ground = sum(contact.impulse[2] for contact in world.contacts) / 0.001
        print(f"{i / 1000:.1f} s: pelvis at {q[0]:+.4f} {q[2]:.4f} m, "
              f"feet planned {f[5] + f[11]:.2f} N, measured {ground:.2f} N")
print(f"weight {robot.total_mass * 9.81:.2f} N")
