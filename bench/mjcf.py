"""A URDF of primitives as the MJCF of one floating body tree, for MuJoCo beside Espalier.

Fixed links are merged into what carries them, so that MuJoCo runs at its fastest; shapes of a
parent and its child never collide, as in both engines. Limits and motors stay behind. Hinges that
follow one another over massless links become joints of one body: MuJoCo has no massless bodies that
move, and needs none there. Loops become `connect`, points that coincide: what a pin of a planar
linkage asks for; fixed ones `weld`.
"""

import xml.etree.ElementTree as ET

import conventions
import mujoco
import numpy as np
import urdf_tree

_GEOMS = {"sphere": mujoco.mjtGeom.mjGEOM_SPHERE, "box": mujoco.mjtGeom.mjGEOM_BOX,
          "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER, "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE}


def _numbers(element, name, default=""):
    return np.array([float(x) for x in element.get(name, default).split()])


def _size(shape):
    if shape.tag == "box":
        return _numbers(shape, "size") / 2
    radius = float(shape.get("radius"))
    if shape.tag == "sphere":
        return [radius, 0, 0]
    return [radius, float(shape.get("length") or shape.get("height")) / 2, 0]


def _carriers(tree):
    """Link -> (the movable link it is welded to, its rotation and place there)."""
    by_child = {joint.child: joint for joint in tree.joints}
    found = {}
    for link in tree.links:
        name, R, p = link, np.eye(3), np.zeros(3)
        while name in by_child and by_child[name].nv == 0:
            joint = by_child[name]
            name, R, p = joint.parent, joint.R @ R, joint.p + joint.R @ p
        found[link] = name, R, p
    return found


def _set_inertia(body, link):
    moments, axes = np.linalg.eigh(link.inertia)
    axes[:, 2] *= np.linalg.det(axes)
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = link.mass, link.com, moments
    body.iquat = conventions.quaternion_from_rotation(axes)


def _massless_chain(tree, joint):
    """The joint and those that follow it, until a link has mass."""
    chain = [joint]
    while tree.links[chain[-1].child].is_massless:
        (after,) = tree.children(chain[-1].child)
        chain.append(after)
    return chain


def _seen_from_the_last(chain):
    """Rotation and place of every joint's frame in the last one's, all at zero."""
    R, p, found = np.eye(3), np.zeros(3), []
    for joint in reversed(chain):
        found.append((R, p))
        R = R @ joint.R.T
        p = p - R @ joint.p
    return reversed(found)


def spec(urdf, damping=False, closing=None):
    """The model as an MjSpec, its root under the world with a free joint. With `damping`, joints
    have what their <dynamics> says: damping, stiffness and rotor inertia. `closing`: how stiff loops
    are, {"solref": ..., "solimp": ...}; what is not there is MuJoCo's default."""
    tree = urdf_tree.parse(urdf)
    movable = urdf_tree.merged(tree)
    result = mujoco.MjSpec()
    result.compiler.degree = False
    bodies = {}
    dynamics = {joint.get("name"): joint.find("dynamics")
                for joint in ET.fromstring(urdf).findall("joint")}

    def grow(body, link):
        bodies[link] = body
        _set_inertia(body, movable.links[link])
        for joint in movable.children(link):
            chain = _massless_chain(movable, joint)
            R, p = np.eye(3), np.zeros(3)
            for each in chain:
                R, p = R @ each.R, p + R @ each.p
            child = body.add_body(name=chain[-1].child, pos=p,
                                  quat=conventions.quaternion_from_rotation(R))
            for each, (R_CJ, p_CJ) in zip(chain, _seen_from_the_last(chain), strict=True):
                ((kind, axis),) = each.parts
                assert kind == "revolute", f"{each.name}: only hinges are needed here"
                made = child.add_joint(name=each.name, axis=R_CJ @ axis, pos=p_CJ)
                given = dynamics[each.name]
                if damping and given is not None:
                    made.damping = [float(given.get("damping", "0")), 0, 0]
                    made.stiffness = [float(given.get("stiffness", "0")), 0, 0]
                    made.armature = float(given.get("rotor_inertia", "0"))
            grow(child, chain[-1].child)

    root = result.worldbody.add_body(name=tree.root)
    root.add_freejoint()
    grow(root, tree.root)
    carriers = _carriers(tree)
    for link in ET.fromstring(urdf).findall("link"):
        carrier, R_CL, p_CL = carriers[link.get("name")]
        for collision in link.findall("collision"):
            origin = collision.find("origin")
            at = origin if origin is not None else collision
            R = R_CL @ urdf_tree.rotation_from_rpy(_numbers(at, "rpy", "0 0 0"))
            shape = collision.find("geometry")[0]
            bodies[carrier].add_geom(
                type=_GEOMS[shape.tag], size=_size(shape),
                pos=p_CL + R_CL @ _numbers(at, "xyz", "0 0 0"),
                quat=conventions.quaternion_from_rotation(R))
    for loop in ET.fromstring(urdf).findall("loop"):
        made = _close(result, loop, bodies, carriers)
        for key, value in (closing or {}).items():
            setattr(made, key, value)
    return result


def _close(result, loop, bodies, carriers):
    is_fixed = loop.get("type") == "fixed"
    assert is_fixed or loop.get("type") in ("point", "spherical", "revolute"), loop.get("name")
    ends = []
    for end in ("predecessor", "successor"):
        carrier, R, p = carriers[loop.find(end).get("link")]
        origin = loop.find(f"{end}/origin")
        at, turn = np.zeros(3), np.eye(3)
        if origin is not None:
            at = _numbers(origin, "xyz", "0 0 0")
            turn = urdf_tree.rotation_from_rpy(_numbers(origin, "rpy", "0 0 0"))
        ends.append(f"{loop.get('name')} {end}")
        bodies[carrier].add_site(name=ends[-1], pos=p + R @ at,
                                 quat=conventions.quaternion_from_rotation(R @ turn))
    kind = mujoco.mjtEq.mjEQ_WELD if is_fixed else mujoco.mjtEq.mjEQ_CONNECT
    return result.add_equality(type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE,
                               name1=ends[0], name2=ends[1])


def text(urdf, damping=False, closing=None):
    model = spec(urdf, damping, closing)
    model.compile()
    return model.to_xml()
