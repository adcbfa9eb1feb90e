"""A URDF as the MJCF of the same robot, for MuJoCo beside Espalier.

Fixed links are merged into what carries them, so that MuJoCo runs at its fastest; shapes of a
parent and its child never collide, as in both engines. Joints of one dof that follow one another
over massless links become joints of one body: MuJoCo has no massless bodies that move, and needs
none there. Of a joint of several dofs the first bears the name, the others "NAME 1", "NAME 2".
Loops become `connect`, points that coincide: what a pin of a planar linkage asks for; fixed ones
`weld`. Gears, belts and mimicking joints become fixed tendons of constant length.
"""

import dataclasses
import xml.etree.ElementTree as ET

import conventions
import mujoco
import numpy as np
import urdf_tree


@dataclasses.dataclass(frozen=True)
class Parts:
    """What of a URDF is taken beside bodies, joints, shapes and loops."""
    damping: bool = False  # damping, stiffness and rotor inertia of <dynamics>
    closing: dict = None   # of loops: {"solref": ..., "solimp": ...}; none: MuJoCo's defaults
    limits: bool = False   # <limit lower upper>
    friction: bool = False  # dry friction of <dynamics>


LEAST = 1e-6, 1e-9  # kg, kg m^2: MuJoCo has no moving bodies below 1e-15
WHOLE = Parts(damping=True, limits=True, friction=True)


_GEOMS = {"sphere": mujoco.mjtGeom.mjGEOM_SPHERE, "box": mujoco.mjtGeom.mjGEOM_BOX,
          "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER, "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE}
_JOINTS = {"revolute": mujoco.mjtJoint.mjJNT_HINGE, "prismatic": mujoco.mjtJoint.mjJNT_SLIDE,
           "spherical": mujoco.mjtJoint.mjJNT_BALL}


def _numbers(element, name, default=""):
    return np.array([float(x) for x in element.get(name, default).split()])


def _size(shape):
    if shape.tag == "box":
        return _numbers(shape, "size") / 2
    radius = float(shape.get("radius"))
    if shape.tag == "sphere":
        return [radius, 0, 0]
    return [radius, float(shape.get("length") or shape.get("height")) / 2, 0]


def _add_geom(result, body, shape, R, p):
    """Returns the geom of a URDF shape, which stands at R, p of the body."""
    quat = conventions.quaternion_from_rotation(R)
    if shape.tag != "mesh":
        return body.add_geom(type=_GEOMS[shape.tag], size=_size(shape), pos=p, quat=quat)
    vertices = _numbers(shape.find("vertices"), "value")
    triangles = [int(x) for x in shape.find("triangles").get("value").split()]
    mesh = result.add_mesh(name=f"mesh {len(result.meshes)}", uservert=vertices,
                           userface=triangles)
    # Open meshes and flat ones have no volume to speak of; a link's mass is its own anyhow.
    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
    return body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=mesh.name, pos=p, quat=quat)


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


def _named(joint):
    """[(name, kind, axis)] of what MuJoCo has for a joint, one for each dof or one ball."""
    if joint.kind == "spherical":
        return [(joint.name, "spherical", np.array([0.0, 0.0, 1.0]))]
    assert joint.parts and all(kind in _JOINTS for kind, _ in joint.parts), (
        f"MuJoCo has no joint for {joint.name}, which is {joint.kind}")
    return [(f"{joint.name} {k}" if k else joint.name, kind, axis)
            for k, (kind, axis) in enumerate(joint.parts)]


def _add_joints(body, joint, R, p, element, parts):
    """The joint, whose frame stands at R, p of the body it carries."""
    dynamics, limit = element.find("dynamics"), element.find("limit")
    for name, kind, axis in _named(joint):
        made = body.add_joint(name=name, type=_JOINTS[kind], axis=R @ axis, pos=p)
        of = lambda key: float(dynamics.get(key, "0")) if dynamics is not None else 0.0
        if parts.damping:
            made.damping, made.stiffness = [of("damping"), 0, 0], [of("stiffness"), 0, 0]
            made.armature = of("rotor_inertia")
        if parts.friction:
            made.frictionloss = of("friction")
        if (parts.limits and limit is not None and joint.kind in ("revolute", "prismatic")
                and limit.get("lower") is not None and limit.get("upper") is not None):
            made.range, made.limited = [float(limit.get("lower")), float(limit.get("upper"))], True


def spec(urdf, parts=Parts()):
    """The model as an MjSpec, its root under the world with a free joint, or fixed where the
    URDF's is."""
    tree, source = urdf_tree.parse(urdf), ET.fromstring(urdf)
    if source.find("constraint") is not None:
        raise ValueError("MuJoCo has no counterpart of <constraint>")
    movable = urdf_tree.merged(tree)
    result = mujoco.MjSpec()
    result.compiler.degree = False
    result.compiler.balanceinertia = True  # a rounded digit may break the triangle inequality
    result.compiler.boundmass, result.compiler.boundinertia = LEAST  # of links almost without
    bodies = {}
    elements = {joint.get("name"): joint for joint in source.findall("joint")}

    def grow(body, link):
        bodies[link] = body
        if link != tree.root or not tree.fixed_base:
            _set_inertia(body, movable.links[link])
        for joint in movable.children(link):
            chain = _massless_chain(movable, joint)
            R, p = np.eye(3), np.zeros(3)
            for each in chain:
                R, p = R @ each.R, p + R @ each.p
            child = body.add_body(name=chain[-1].child, pos=p,
                                  quat=conventions.quaternion_from_rotation(R))
            for each, (R_CJ, p_CJ) in zip(chain, _seen_from_the_last(chain), strict=True):
                _add_joints(child, each, R_CJ, p_CJ, elements[each.name], parts)
            grow(child, chain[-1].child)

    if tree.fixed_base:
        grow(result.worldbody, tree.root)
    else:
        root = result.worldbody.add_body(name=tree.root)
        root.add_freejoint()
        grow(root, tree.root)
    carriers = _carriers(tree)
    for link in source.findall("link"):
        carrier, R_CL, p_CL = carriers[link.get("name")]
        for collision in link.findall("collision"):
            origin = collision.find("origin")
            at = origin if origin is not None else collision
            R = R_CL @ urdf_tree.rotation_from_rpy(_numbers(at, "rpy", "0 0 0"))
            _add_geom(result, bodies[carrier], collision.find("geometry")[0], R,
                      p_CL + R_CL @ _numbers(at, "xyz", "0 0 0"))
    for loop in source.findall("loop"):
        made = _close(result, loop, bodies, carriers)
        for key, value in (parts.closing or {}).items():
            setattr(made, key, value)
    for coupling in source.findall("coupling"):
        _couple(result, coupling, movable, carriers)
    movable_names = {joint.name for joint in movable.joints}
    for joint in source.findall("joint"):
        # A joint that was made fixed may still have the mark.
        if (mimic := joint.find("mimic")) is not None and joint.get("name") in movable_names:
            _hold_sum(result, f"{joint.get('name')} mimic",
                      {joint.get("name"): 1.0,
                       mimic.get("joint"): -float(mimic.get("multiplier", "1"))},
                      float(mimic.get("offset", "0")))
    return result


def _hold_sum(result, name, coefficients, value):
    """Sum of coefficient times q is the value."""
    tendon = result.add_tendon(name=name)
    for joint, coefficient in coefficients.items():
        tendon.wrap_joint(joint, coefficient)
    result.add_equality(type=mujoco.mjtEq.mjEQ_TENDON, objtype=mujoco.mjtObj.mjOBJ_TENDON,
                        name1=name, data=[value, *([0.0] * (mujoco.mjNEQDATA - 1))])


def _couple(result, coupling, movable, carriers):
    """ratio (sum of q to the predecessor) + offset = sum of q to the successor."""
    by_child = {joint.child: joint for joint in movable.joints}

    def above(end):
        link, found = carriers[coupling.find(end).get("link")][0], {}
        while link in by_child:
            found[by_child[link].name] = 1.0
            link = by_child[link].parent
        return found

    before, after = above("predecessor"), above("successor")
    value = lambda tag, default: float(
        coupling.find(tag).get("value") if coupling.find(tag) is not None else default)
    common = before.keys() & after.keys()
    coefficients = {joint: 1.0 for joint in after if joint not in common}
    coefficients |= {joint: -value("ratio", 1) for joint in before if joint not in common}
    _hold_sum(result, coupling.get("name"), coefficients, value("offset", 0))


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
    model = spec(urdf, Parts(damping=damping, closing=closing))
    model.compile()
    return model.to_xml()
