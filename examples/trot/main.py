"""The contact forces of a trot: diagonal legs of a quadruped step together, the vertical force on
each foot is drawn, and the ground's impulse compared with that of weight and change of momentum.
    python examples/trot/main.py [forces.png]"""
import sys
import matplotlib.pyplot as plt
import numpy as np
import espalier


def gait(time: float) -> list[float]:
    """Angles of all joints: each leg, of two sides of 0.3 m, shortens and swings."""
    phase = 2 * np.pi * (2 * time + np.array([0, 0.5, 0.5, 0]))  # LF, RF, LH, RH
    bend = np.arccos((0.5 - 0.05 * np.maximum(0, np.sin(phase))) / 0.6) * [1, 1, -1, -1]
    legs = np.stack([0 * bend, bend + 0.06 * np.cos(phase), -2 * bend], axis=1)
    return [0, 0, 0.53, 1, 0, 0, 0, *legs.ravel().tolist()]


world = espalier.World()
world.add_ground()
robot = world.add_articulated_system("models/strider/strider.urdf")
robot.set_pd_gains(500, 15)
robot.q = gait(0)
legs = ["LF", "RF", "LH", "RH"]
shanks = [robot.body_idx(f"{leg}_shank") for leg in legs]
force = np.zeros((4000, 4))
for i in range(4000):
    robot.set_pd_target(gait(i * 0.001))
    world.step()
    for contact in robot.contacts():
        force[i, shanks.index(contact.local_body_index)] += contact.impulse_on_this[2] / 0.001
print(f"walked {robot.base_position[0]:.3f} m in 4 s")
print(f"impulse of the ground      {force.sum() * 0.001:.4f} N s")
print("weight, change of momentum "
      f"{robot.total_mass * 9.81 * 4 + robot.linear_momentum[2]:.4f} N s")  # it began at rest
if len(sys.argv) > 1:
    for i, axes in enumerate(plt.subplots(4, sharex=True, sharey=True)[1]):
        axes.fill_between(np.linspace(3, 4, 1000), force[3000:, i], color=f"C{[0, 1, 1, 0][i]}")
        axes.set(ylabel=f"{legs[i]} (N)", ylim=(0, 400), xlabel="t (s)" if i == 3 else "")
    plt.savefig(sys.argv[1])
