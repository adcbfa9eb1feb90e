"""Mechanisms of the tests of espalier.sim, and their equations written again with numpy.

A mechanism is a list of Links; Kinematics has the pose, the Jacobian and its rate of every body by
adjoints of products of exponentials, and M and N by the sums that define them.
"""
from dataclasses import dataclass

import numpy as np
from espalier import sim


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def exp(twist):
    """exp of a twist [w, v], by the series of the matrix."""
    A = np.zeros((4, 4))
    A[:3, :3], A[:3, 3] = skew(twist[:3]), twist[3:]
    halvings = max(0, int(np.ceil(np.log2(np.linalg.norm(A) + 1e-300))) + 3)
    A /= 2**halvings
    total, term = np.eye(4), np.eye(4)
    for k in range(1, 16):
        term = term @ A / k
        total += term
    for _ in range(halvings):
        total = total @ total
    return total


def transl(*p):
    H = np.eye(4)
    H[:3, 3] = p
    return H


def Ad(H):
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = H[:3, :3]
    A[3:, :3] = skew(H[:3, 3]) @ H[:3, :3]
    return A


def twist_of(H, dH):
    """The body twist [w, v] of a pose that changes by dH per second."""
    V = np.linalg.inv(H) @ dH
    return np.array([V[2, 1], V[0, 2], V[1, 0], *V[:3, 3]])


def mass_matrix(m, c, about):
    """[I, m [c]; -m [c], m] of a body with these moments about its centre c."""
    C = skew(c)
    M = np.zeros((6, 6))
    M[:3, :3] = np.diag(about) - m * C @ C
    M[:3, 3:], M[3:, :3], M[3:, 3:] = m * C, -m * C, m * np.eye(3)
    return M


@dataclass
class Link:
    """A hinge about z, its frame r on the parent, and a body whose frame is n."""

    parent: int  # -1: the ground
    H_pr: np.ndarray
    mass: np.ndarray
    q: float = 0.0
    u: float = 0.0


def rod(length, m):
    """A box, a tenth as wide as long along y, from its end."""
    w = length / 10
    across = m * (length**2 + w**2) / 12
    return mass_matrix(m, [0, length / 2, 0], [across, m * w**2 / 6, across])


def three_links():
    """Hinges about z, along y."""
    return [
        Link(-1, np.eye(4), rod(0.5, 1.0), 0.5, 2.5),
        Link(0, transl(0, 0.5, 0), rod(0.4, 0.8), 1.0, -1.0),
        Link(1, transl(0, 0.4, 0), rod(0.2, 0.2), 2 / 3, -0.5),
    ]


def twisted_links():
    """A tree in space: hinges about axes in all directions."""
    turn = exp(np.array([0.3, 1.1, -0.4, 0, 0, 0]))
    inertia = mass_matrix(1.3, [0.05, 0.2, -0.1], [0.04, 0.02, 0.03])
    return [
        Link(-1, turn, inertia, 0.4, 1.5),
        Link(0, transl(0, 0.5, 0.1) @ turn, inertia, -0.7, -2.0),
        Link(0, transl(0.1, 0.2, 0) @ turn.T, inertia, 0.2, 0.8),
        Link(2, transl(0, 0, 0.3) @ turn, inertia, 1.1, -1.2),
    ]


class Mechanism:
    """The links by the engine: world, simulation, bodies and joints."""

    def __init__(self, links, stepping=sim.Stepping.ARBORIS, gravity=(0, -9.81, 0)):
        import espalier

        self.world = espalier.World()
        self.world.gravity = gravity
        self.simulation = sim.Simulation(self.world, stepping)
        self.bodies, self.joints = [], []
        for k, link in enumerate(links):
            parent = self.simulation.ground if link.parent < 0 else self.bodies[link.parent]
            body = self.simulation.add_body(f"body{k}", link.mass)
            joint = espalier.RzJoint(link.q, link.u, name=f"joint{k}")
            self.simulation.add_link(sim.SubFrame(parent, link.H_pr), joint, body)
            self.bodies.append(body)
            self.joints.append(joint)
        self.simulation.init()


class Kinematics:
    """The same by numpy, at q and u."""

    def __init__(self, links, q, u):
        self.links, self.q, self.u = links, np.array(q, float), np.array(u, float)
        self.poses, self.J, self.dJ = [], [], []
        for b, (link, angle) in enumerate(zip(links, self.q)):
            parent = np.eye(4) if link.parent < 0 else self.poses[link.parent]
            self.poses.append(parent @ link.H_pr @ exp(np.array([0, 0, angle, 0, 0, 0])))
            self.J.append(self._jacobian(b))
        for b in range(len(links)):
            self.dJ.append(self._rate(b))

    def _above(self, b):
        while b >= 0:
            yield b
            b = self.links[b].parent

    def _jacobian(self, b):
        """Each hinge's own twist, about z of the body that it carries, taken to body b."""
        J = np.zeros((6, len(self.links)))
        for k in self._above(b):
            J[:, k] = Ad(np.linalg.inv(self.poses[b]) @ self.poses[k])[:, 2]
        return J

    def _rate(self, b):
        """d/dt Ad(H_bk) = Ad(H_bk) ad(T_k - Ad(H_kb) T_b)."""
        dJ = np.zeros((6, len(self.links)))
        for k in self._above(b):
            H = np.linalg.inv(self.poses[b]) @ self.poses[k]
            T = self.J[k] @ self.u - Ad(np.linalg.inv(H)) @ self.J[b] @ self.u
            ad = np.kron(np.eye(2), skew(T[:3]))
            ad[3:, :3] = skew(T[3:])
            dJ[:, k] = Ad(H) @ ad[:, 2]
        return dJ

    def M(self):
        return sum(J.T @ link.mass @ J for J, link in zip(self.J, self.links))

    def N(self):
        """arboris' form: sum J' (M_b dJ + N_b J), N_b = Ad' blkdiag([w] I_c, m [w]) Ad at the
        centre c."""
        total = np.zeros((len(self.links),) * 2)
        for J, dJ, link in zip(self.J, self.dJ, self.links):
            m = link.mass[5, 5]
            c = np.array([link.mass[2, 4], link.mass[0, 5], link.mass[1, 3]]) / m
            W = skew((J @ self.u)[:3])
            to_c = Ad(transl(*-c))
            at_c = np.zeros((6, 6))
            I_c = (np.linalg.inv(to_c).T @ link.mass @ np.linalg.inv(to_c))[:3, :3]
            at_c[:3, :3], at_c[3:, 3:] = W @ I_c, m * W
            total += J.T @ (link.mass @ dJ + to_c.T @ at_c @ to_c @ J)
        return total

    def weight(self, gravity):
        return sum(
            J.T @ link.mass @ np.concatenate(([0, 0, 0], H[:3, :3].T @ gravity))
            for J, H, link in zip(self.J, self.poses, self.links)
        )
