"""Operational-space control (Khatib, 1987): the motors of an arm make its tool behave as a free
unit mass on a critically damped spring, so its distance to the goal is d(0) (1 + w t) exp(-w t).
    python examples/operational_space/main.py
"""
import numpy as np
import espalier

world = espalier.World()
world.time_step = 0.001
arm = world.add_articulated_system("models/arm7/arm7.urdf")
n = arm.dof
arm.joint_friction = np.zeros(n)  # losses that the law does not know of
arm.joint_damping = np.zeros(n)
arm.q = [0, 0.4, 0, 1.5, 0, 1.24, 0]

w = 4.0  # rad/s
start = arm.frame_position("tool_mount")
goal = start + [-0.15, 0.25, 0.2]
difference = 0.0
for i in range(2001):
    t, x = i * 0.001, arm.frame_position("tool_mount")
    distance = float(np.linalg.norm(goal - x))
    closed = float(np.linalg.norm(goal - start)) * (1 + w * t) * np.exp(-w * t)
    difference = max(difference, abs(distance - closed))
    if i % 400 == 0:
        print(f"{t:.1f} s: {distance:.4f} m to go, {closed:.4f} by the closed form")

    J, Minv = arm.dense_frame_jacobian("tool_mount"), arm.inverse_mass_matrix
    Jdot_u = arm.time_derivative_of_sparse_frame_jacobian("tool_mount").times(arm.u)
    Lambda = np.linalg.inv(J @ Minv @ J.T)
    a = w**2 * (goal - x) - 2 * w * J @ arm.u - Jdot_u
    N = np.eye(n) - J.T @ Lambda @ J @ Minv  # onto the torques that do not accelerate the tool
    damping = arm.mass_matrix @ (-5 * arm.u)
    arm.generalized_force = J.T @ Lambda @ a + N @ damping + arm.nonlinearities()
    world.step()
print(f"largest difference: {difference:.1e} m")
