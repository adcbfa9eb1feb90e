"""The workspace of a delta robot: where its tool can be while its motors keep their limits. The
motors' angles are scanned to and fro, since loops close from the posture before: a jump may end on
another branch, with a platform askew. The volume is the sum of |det J| over the cells of the scan,
J = d(tool) / d(motors).

    python examples/delta_workspace/main.py [workspace.png]
"""
import itertools
import sys
import matplotlib.pyplot as plt
import numpy as np
import espalier

robot = espalier.World().add_articulated_system("models/delta/delta.urdf")
lower, upper = robot.joint_limits[1]  # those of all three motors
cells = 16
step = (upper - lower) / cells
angles = lower + (np.arange(cells) + 0.5) * step

tools, volume = [], 0.0
for i, j, k in itertools.product(range(cells), repeat=3):
    robot.q = angles[[i, j if i % 2 == 0 else cells - 1 - j, k if j % 2 == 0 else cells - 1 - k]]
    tools.append(robot.frame_position("tool_mount"))
    volume += abs(np.linalg.det(robot.dense_frame_jacobian("tool_mount"))) * step**3
x, y, z = np.transpose(tools)
print(f"x from {x.min():.4f} to {x.max():.4f} m, z from {z.min():.4f} to {z.max():.4f} m")
print(f"volume {volume:.6f} m^3")

axes = plt.figure(figsize=(6, 6)).add_subplot(projection="3d")
axes.scatter(x, y, z, c=z, s=4)
axes.set(xlabel="x (m)", ylabel="y (m)", zlabel="z (m)")
if len(sys.argv) > 1:
    plt.savefig(sys.argv[1], bbox_inches="tight")
