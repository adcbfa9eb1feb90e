"""Pinocchio's answers in Espalier's conventions."""

import numpy as np
import pinocchio as pin

import conventions
import urdf_tree

_FRAMES = {True: pin.FrameType.JOINT, False: pin.FrameType.FIXED_JOINT}  # by: has coordinates


_WHOLES = {"spherical": pin.JointModelSpherical, "floating": pin.JointModelFreeFlyer}
_PARTS = {
    "revolute": lambda axis, pitch: pin.JointModelRevoluteUnaligned(*axis),
    "prismatic": lambda axis, pitch: pin.JointModelPrismaticUnaligned(*axis),
    "helical": lambda axis, pitch: pin.JointModelHelicalUnaligned(*axis, pitch),
}


def _joint_model(joint):
    if joint.kind in _WHOLES:
        return _WHOLES[joint.kind]()
    parts = [_PARTS[kind](axis, joint.pitch) for kind, axis in joint.parts]
    if len(parts) == 1:
        return parts[0]
    sequence = pin.JointModelComposite()
    for part in parts:
        sequence.addJoint(part)
    return sequence


def model_from_reader(tree):
    """The model as Pinocchio's own URDF reader makes it, rotor inertias added."""
    text = urdf_tree.without_geometry(tree.text)
    if tree.fixed_base:
        model = pin.buildModelFromXML(text)
    else:
        model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer(), urdf_tree.ROOT_JOINT)
    for joint in tree.movable:
        iv = model.joints[model.getJointId(joint.name)].idx_v
        model.armature[iv:iv + joint.nv] = joint.rotor_inertia
    return model


def model_from_tree(tree):
    """The model joint by joint, for the dialect's joints that Pinocchio's reader refuses."""
    model = pin.Model()

    def inertia(link):
        if link.mass == 0:
            return pin.Inertia(0.0, link.com, link.inertia)
        # By parameters, because pin.Inertia(m, c, I) refuses inertias that are flat up to rounding.
        about_origin = link.inertia + link.mass * (link.com @ link.com * np.eye(3)
                                                   - np.outer(link.com, link.com))
        lower = about_origin[[0, 1, 1, 2, 2, 2], [0, 0, 1, 0, 1, 2]]
        return pin.Inertia.FromDynamicParameters(
            np.concatenate([[link.mass], link.mass * link.com, lower]))

    def grow(link, joint_id, X_JL, parent_frame):
        if not tree.links[link].is_massless:
            model.appendBodyToJoint(joint_id, inertia(tree.links[link]), X_JL)
        for joint in tree.children(link):
            X = X_JL * pin.SE3(joint.R, joint.p)
            if joint.nv == 0:
                frame = pin.Frame(joint.name, joint_id, parent_frame, X, pin.FrameType.FIXED_JOINT)
                grow(joint.child, joint_id, X, model.addFrame(frame))
            else:
                add(joint, joint_id, X, parent_frame)

    def add(joint, parent_id, X, parent_frame):
        joint_id = model.addJoint(parent_id, _joint_model(joint), X, joint.name)
        iv = model.joints[joint_id].idx_v
        model.armature[iv:iv + joint.nv] = joint.rotor_inertia
        grow(joint.child, joint_id, pin.SE3.Identity(), model.addJointFrame(joint_id, parent_frame))

    if tree.fixed_base:
        grow(tree.root, 0, pin.SE3.Identity(), 0)
    else:
        add(tree.movable[0], 0, pin.SE3.Identity(), 0)
    return model


def build_model(tree):
    return model_from_reader(tree) if tree.is_standard else model_from_tree(tree)


class PinocchioPeer:
    name = "pinocchio"
    without = ()

    def __init__(self, tree, model=None):
        self.tree, self.joints = tree, tree.movable
        self.model = model or build_model(tree)
        self.data = self.model.createData()
        self.without_rotors = self.model.copy()
        self.without_rotors.armature[:] = 0
        if self.model.nv != tree.nv:
            raise ValueError(f"{self.model.nv} dofs where the file has {tree.nv}")
        self.places = {}
        for joint in self.joints:
            model_joint = self.model.joints[self.model.getJointId(joint.name)]
            self.places[joint.name] = (model_joint.idx_q, model_joint.idx_v, model_joint.nq)
        self.conventions = conventions.of_pinocchio(self.joints, self.places, self.model.nq,
                                                    self.model.nv)
        self.frames = {j.name: self.model.getFrameId(j.name, _FRAMES[j.nv > 0])
                       for j in tree.joints}
        self.energy_at_rest = 0.0
        if tree.fixed_base:
            self.energy_at_rest = self.answer(**conventions.rest(self.joints))["potential_energy"]

    def answer(self, q, u, tau):
        model, data = self.model, self.data
        c = self.conventions
        q_v, v = c.q_to(q), c.u_to(q, u)
        a = pin.aba(model, data, q_v, v, c.tau_to(q, tau)).copy()
        b = pin.nonLinearEffects(model, data, q_v, v).copy()
        upper = np.triu(pin.crba(model, data, q_v))
        M = upper + np.triu(upper, 1).T
        pin.computeJointJacobians(model, data, q_v)
        pin.forwardKinematics(model, data, q_v, v)
        pin.updateFramePlacements(model, data)
        result = {
            "M": c.mass_matrix_from(q, M),
            "h": c.nonlinearities_from(q, u, M, b),
            "udot": c.udot_from(q, u, a),
            "kinetic_energy": self._kinetic_energy(v),
            "potential_energy": pin.computePotentialEnergy(model, data) - self.energy_at_rest,
            "frames": {name: self._frame(q, i) for name, i in self.frames.items()},
        }
        if not self.tree.fixed_base:
            result["com"] = pin.centerOfMass(model, data, q_v).copy()
        return result

    def _kinetic_energy(self, v):
        """Of the bodies by Pinocchio, of the rotors here: its sum (4.1) leaves out the rotors of
        joints about a general axis, though its M has them."""
        bodies = pin.computeKineticEnergy(self.without_rotors, self.data)
        return bodies + v @ (self.model.armature * v) / 2

    def _frame(self, q, i):
        aligned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        J_v = pin.getFrameJacobian(self.model, self.data, i, aligned)
        # Of one dof it comes as a vector.
        J = self.conventions.jacobian_from(q, J_v.reshape(6, self.model.nv))
        velocity = pin.getFrameVelocity(self.model, self.data, i, aligned)
        placement = self.data.oMf[i]
        return {
            "position": placement.translation.copy(), "rotation": placement.rotation.copy(),
            "velocity": velocity.linear.copy(), "angular_velocity": velocity.angular.copy(),
            "jacobian": J[:3], "rotational_jacobian": J[3:],
        }
