"""MuJoCo's answers in Espalier's conventions. The model is built body by body from the tree, so
that the fixed links keep their frames and the inertias keep all their digits."""

import mujoco
import numpy as np

import conventions

_PARTS = {"revolute": mujoco.mjtJoint.mjJNT_HINGE, "prismatic": mujoco.mjtJoint.mjJNT_SLIDE}
_WHOLES = {"spherical": mujoco.mjtJoint.mjJNT_BALL, "floating": mujoco.mjtJoint.mjJNT_FREE}
_SMOOTH_ONLY = (
    mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    | mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER)


def _principal(link):
    """Principal moments of inertia and their axes, right-handed."""
    moments, axes = np.linalg.eigh(link.inertia)
    axes[:, 2] *= np.linalg.det(axes)
    return moments, axes


def _set_inertia(body, link):
    """Where the link is, with a unit inertia; set_masses then writes the true one into the
    compiled model, because the compiler refuses what violates the triangle inequality by a
    rounded digit, and massless links between joints, though the engine can do both."""
    body.explicitinertial = True
    body.mass = 1.0
    body.ipos = link.com
    body.iquat = conventions.quaternion_from_rotation(_principal(link)[1])
    body.inertia = [1.0, 1.1, 1.2]


def set_masses(model, tree):
    for name, link in tree.links.items():
        body = model.body(_base_name(tree) if name == tree.root else name).id
        model.body_mass[body] = link.mass
        model.body_inertia[body] = _principal(link)[0]
    mujoco.mj_setConst(model, mujoco.MjData(model))


def _base_name(tree):
    """Not the root's own name, for MuJoCo's is `world` whatever the file says."""
    return "base of " + tree.root


def build_spec(tree):
    for joint in tree.joints:
        if joint.kind in MujocoPeer.without and joint.kind != "floating":
            raise ValueError(f"{joint.name} is {joint.kind}, which MuJoCo does not have")
        in_world = joint.parent == tree.root and not joint.p.any() and np.all(joint.R == np.eye(3))
        if joint.kind == "floating" and not in_world:
            raise ValueError(f"{joint.name} floats, and not in the world's own frame")
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.compiler.fusestatic = False
    spec.compiler.balanceinertia = False

    def grow(body, link):
        _set_inertia(body, tree.links[link])
        for joint in tree.children(link):
            # MuJoCo lets only children of its own world float.
            parent = spec.worldbody if joint.kind == "floating" else body
            child = parent.add_body(name=joint.child, pos=joint.p,
                                    quat=conventions.quaternion_from_rotation(joint.R))
            add(child, joint)

    def add(body, joint):
        if joint.kind in _WHOLES:
            body.add_joint(name=joint.name, type=_WHOLES[joint.kind], armature=joint.rotor_inertia)
        for k, (kind, axis) in enumerate(joint.parts):
            body.add_joint(name=f"{joint.name} {k}" if k else joint.name, type=_PARTS[kind],
                           axis=axis, armature=joint.rotor_inertia)
        grow(body, joint.child)

    base = spec.worldbody.add_body(name=_base_name(tree))
    if tree.fixed_base:
        grow(base, tree.root)
    else:
        add(base, tree.movable[0])
    return spec


def build_model(tree):
    model = build_spec(tree).compile()
    set_masses(model, tree)
    model.opt.disableflags |= _SMOOTH_ONLY
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    return model


class MujocoPeer:
    name = "mujoco"
    without = ("helical", "floating")  # the latter within a tree

    def __init__(self, tree):
        self.tree, self.joints = tree, tree.movable
        self.model = build_model(tree)
        self.data = mujoco.MjData(self.model)
        self.places = {}
        for joint in self.joints:
            model_joint = self.model.joint(joint.name)
            self.places[joint.name] = (model_joint.qposadr[0], model_joint.dofadr[0], joint.nq)
        self.conventions = conventions.of_mujoco(self.joints, self.places, self.model.nq,
                                                 self.model.nv)
        self.bodies = {j.name: self.model.body(j.child).id for j in tree.joints}
        self.energy_at_rest = 0.0
        if tree.fixed_base:
            self.energy_at_rest = self.answer(**conventions.rest(self.joints))["potential_energy"]

    def answer(self, q, u, tau):
        model, data = self.model, self.data
        c = self.conventions
        data.qpos, data.qvel, data.qfrc_applied = c.q_to(q), c.u_to(q, u), c.tau_to(q, tau)
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        result = {
            "M": c.mass_matrix_from(q, M),
            "h": c.nonlinearities_from(q, u, M, data.qfrc_bias),
            "udot": c.udot_from(q, u, data.qacc),
            "kinetic_energy": data.energy[1],
            "potential_energy": data.energy[0] - self.energy_at_rest,
            "frames": {name: self._frame(q, i) for name, i in self.bodies.items()},
        }
        if not self.tree.fixed_base:
            result["com"] = data.subtree_com[1].copy()
        return result

    def _frame(self, q, body):
        model, data = self.model, self.data
        linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_jac(model, data, linear, angular, data.xpos[body], body)
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, velocity, 0)
        return {
            "position": data.xpos[body].copy(), "rotation": data.xmat[body].reshape(3, 3).copy(),
            "velocity": velocity[3:], "angular_velocity": velocity[:3],
            "jacobian": self.conventions.jacobian_from(q, linear), "rotational_jacobian": self.conventions.jacobian_from(q, angular),
        }
