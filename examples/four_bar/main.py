"""The coupler curves of a four-bar linkage. The crank turns once; the loop closes at every angle;
points of the coupler draw closed curves, compared with the closed form, the meeting of two circles.
    python examples/four_bar/main.py [curves.png]
"""
import sys
import matplotlib.pyplot as plt
import numpy as np
import espalier


def closed_form(crank: float, along: float, across: float) -> complex:
    """x + i z of a point along and across the coupler from the crank's pin, by geometry."""
    A, D = 0.12 * np.exp(1j * (np.pi / 3 - crank)), 0.40
    d = abs(D - A)
    a = (0.36**2 - 0.28**2 + d**2) / (2 * d)
    C = A + (D - A) / d * (a + 1j * np.sqrt(0.36**2 - a**2))
    return complex(A + (C - A) / 0.36 * (along + 1j * across) + 0.5j)


robot = espalier.World().add_articulated_system("models/four_bar/four_bar.urdf")
difference = 0.0
for across in (-0.10, -0.05, 0.0, 0.05, 0.10, 0.15):
    local = (0.314644 + 0.174927j) / 0.36 * (0.18 + 1j * across)  # in the coupler's frame
    curve = []
    for crank in np.radians(range(361)):
        robot.q = [crank]  # the other joints follow
        x, _, z = robot.position("coupler", [local.real, 0, local.imag])
        curve.append(complex(x, z))
        difference = max(difference, abs(curve[-1] - closed_form(crank, 0.18, across)))
    print(f"{across:+.2f} m across the coupler: a curve of {abs(np.diff(curve)).sum():.5f} m")
    plt.plot(np.real(curve), np.imag(curve), color=plt.colormaps["viridis"](3 * across + 0.4))
print(f"largest difference from the closed form: {difference:.1e} m")
pin = robot.position("coupler", [0.314644, 0, 0.174927])
links = np.array([[0, 0, 0.5], robot.frame_position("coupler"), pin, [0.4, 0, 0.5]])
plt.plot(links[:, 0], links[:, 2], "ko-")
plt.gca().set(aspect="equal", xlabel="x (m)", ylabel="z (m)")
if len(sys.argv) > 1:
    plt.savefig(sys.argv[1])
