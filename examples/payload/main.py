"""Identification of a payload by ten point masses in the hand, which stand for any rigid body if
some may be negative: the torques of a kilogram at each are known, so those measured, less those of
the empty arm, are a sum of ten columns, which least squares weighs.
    python examples/payload/main.py
"""
import numpy as np
import espalier

spec = espalier.io.load_robot("models/arm7/arm7.urdf")
model = espalier.compile(spec)
payload = espalier.InertialSpec(mass=1.8, I=np.diag([0.004, 0.006, 0.008]))
payload.X_LC[:3, 3] = [0.03, -0.02, 0.15]
spec.links.append(espalier.LinkSpec(name="payload", inertial=payload))
spec.joints.append(espalier.JointSpec(name="grip", parent="link7", child="payload"))  # fixed
world = espalier.World()
arm = world.add_articulated_system(spec)
arm.joint_friction = arm.joint_damping = np.zeros(7)
arm.set_pd_gains(400, 40)
points = 0.1 * np.vstack([np.zeros((1, 3)), np.eye(3), -np.eye(3), 1 - np.eye(3)])  # m, in the hand
columns, torques = [], []
for i in range(2000):
    arm.set_pd_target(0.6 * np.sin((2 + 0.7 * np.arange(7)) * i * 0.001))
    q, u = arm.q, arm.u
    world.step()
    middle = espalier.ModelDynamics(model, (q + arm.q) / 2, (u + arm.u) / 2)  # of the step
    udot = arm.generalized_acceleration
    torques.append(arm.applied_generalized_force - middle.inverse_dynamics(udot))
    angular, linear = np.split(middle.frame_acceleration("joint7", udot), 2)
    w, r = middle.frame_velocity("joint7")[:3], points @ middle.frame_pose("joint7")[:3, :3].T
    force = linear + np.cross(angular, r) + np.cross(w, np.cross(w, r)) - world.gravity  # per kg
    wrenches = np.hstack([np.cross(r, force), force])
    columns.append(middle.frame_jacobian("joint7").T @ wrenches.T)
masses = np.linalg.lstsq(np.vstack(columns), np.hstack(torques))[0]
centre = points.T @ masses / masses.sum()
S = (points - centre).T @ np.diag(masses) @ (points - centre)  # second moments
print(f"mass     {masses.sum():.4f} kg (true: 1.8)")
print("centre   {:.4f} {:.4f} {:.4f} m (0.03 -0.02 0.15)".format(*centre))
print("inertia  {:.5f} {:.5f} {:.5f} kg m^2 (0.004 0.006 0.008)".format(*np.trace(S) - np.diag(S)))
