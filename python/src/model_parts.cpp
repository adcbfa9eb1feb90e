// Parts of a Model: bodies, frames, collision bodies, tendons; read only.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "espalier/model/model.h"
#include "model_object.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

void bindBodyInfos(nb::module_& m) {
  nb::class_<BodyInfo>(m, "BodyInfo", "A body and the joint that carries it.")
      .def_ro("name", &BodyInfo::name, "of the link the joint carries; the root link for body 0")
      .def_ro("joint", &BodyInfo::joint, "of the joint; empty for body 0")
      .def_ro("R_LC", &BodyInfo::R_LC, "(3, 3) axes of the engine's frame C in the link's")
      .def_ro("limits", &BodyInfo::limits, "JointLimits")
      .def_ro("dynamics", &BodyInfo::dynamics, "JointDynamics, spring_mount filled")
      .def_ro("actuator", &BodyInfo::actuator, "ActuatorSpec or None")
      .def_prop_ro(
          "axes",
          [](const BodyInfo& b) {
            return Mat3d{b.axes[0], b.axes[1], b.axes[2]};
          },
          "(3, 3) unit, one a row, in the joint frame as authored")
      .def_ro("spec_joint", &BodyInfo::specJoint, "index in SystemSpec.joints; -1 for body 0")
      .def("__repr__", [](const BodyInfo& b) {
        return "BodyInfo('" + b.name + "'" + (b.joint.empty() ? "" : " on '" + b.joint + "'") + ")";
      });
  nb::class_<FrameInfo>(m, "FrameInfo", "A frame fixed to a body: of a joint, or of a link.")
      .def_ro("name", &FrameInfo::name, "of the joint or link")
      .def_ro("body", &FrameInfo::body, "index")
      .def_ro("X_LF", &FrameInfo::X_LF, "(4, 4) pose in the link, as authored")
      .def_ro("X_CF", &FrameInfo::X_CF, "(4, 4) pose in the engine's axes of the body")
      .def_ro("parent", &FrameInfo::parent, "link of the joint; empty for a link's own frame")
      .def_ro("child", &FrameInfo::child, "link of the joint; empty for a link's own frame")
      .def_ro("kind", &FrameInfo::kind, "JointKind of the joint")
      .def_ro("rotor", &FrameInfo::rotor, "index in Model.rotors: it turns with it; -1: none")
      .def("__repr__", [](const FrameInfo& f) { return "FrameInfo('" + f.name + "')"; });
  nb::class_<CollisionInfo>(m, "CollisionInfo", "A collision body.")
      .def_ro("name", &CollisionInfo::name, "LINK/i")
      .def_ro("body", &CollisionInfo::body, "index")
      .def_ro("X_LG", &CollisionInfo::X_LG, "(4, 4) pose in the link, as authored")
      .def_ro("X_CG", &CollisionInfo::X_CG, "(4, 4) pose in the engine's axes of the body")
      .def_ro("shape", &CollisionInfo::shape, "a copy")
      .def_ro("material", &CollisionInfo::material, "of contact")
      .def_ro("group", &CollisionInfo::group, "bits")
      .def_ro("mask", &CollisionInfo::mask, "bits")
      .def("__repr__", [](const CollisionInfo& c) { return "CollisionInfo('" + c.name + "')"; });
  nb::class_<HeldWeight>(m, "HeldWeight", "Weight that a force takes off a body.")
      .def_ro("body", &HeldWeight::body, "index")
      .def_ro("mass", &HeldWeight::mass, "kg, what is taken off")
      .def_ro("centre_L", &HeldWeight::centre_L, "(3,) m, where, as authored")
      .def_ro("centre_C", &HeldWeight::centre_C, "(3,) m, in the engine's axes");
  nb::class_<DragBox>(m, "DragBox", "A link in a medium: the box with its mass and inertia.")
      .def_ro("body", &DragBox::body, "index")
      .def_ro("mass", &DragBox::mass, "kg, of the link alone")
      .def_ro("moments", &DragBox::moments, "(3,) kg m^2, principal")
      .def_ro("size", &DragBox::size, "(3,) m")
      .def_ro("X_LB", &DragBox::X_LB, "(4, 4) centre and principal axes, as authored")
      .def_ro("X_CB", &DragBox::X_CB, "(4, 4) the same in the engine's axes");
  nb::class_<IgnoredBodies>(m, "IgnoredBodies", "Two bodies of a robot that never collide, a < b.")
      .def_ro("a", &IgnoredBodies::a, "index")
      .def_ro("b", &IgnoredBodies::b, "index")
      .def_ro("reason", &IgnoredBodies::reason, "for listings");
}

void bindRotors(nb::module_& m) {
  nb::class_<RotorInfo> rotor(m, "RotorInfo",
                              "A geared rotor that is no body; its angle is a sum of others.");
  nb::class_<RotorInfo::Term>(rotor, "Term", "A share of the angle.")
      .def_ro("q", &RotorInfo::Term::q, "coordinate")
      .def_ro("u", &RotorInfo::Term::u, "dof")
      .def_ro("factor", &RotorInfo::Term::factor, "of the coordinate");
  rotor.def_ro("name", &RotorInfo::name, "of its link")
      .def_ro("joint", &RotorInfo::joint, "it turns on")
      .def_ro("body", &RotorInfo::body, "that carries it")
      .def_ro("terms", &RotorInfo::terms, "list of Term: its angle is sum of factor q + offset")
      .def_ro("offset", &RotorInfo::offset, "rad")
      .def_ro("X_LJ", &RotorInfo::X_LJ, "(4, 4) its joint at q = 0, in its carrier")
      .def_ro("axis", &RotorInfo::axis, "(3,) unit, in J")
      .def_ro("inertia", &RotorInfo::inertia, "kg m^2 about it")
      .def_ro("limits", &RotorInfo::limits, "JointLimits")
      .def(
          "angle",
          [](const RotorInfo& r, const std::vector<double>& q) {
            for (const RotorInfo::Term& term : r.terms)
              if (term.q >= static_cast<int>(q.size()))
                throw std::invalid_argument("q has too few numbers for this rotor");
            return r.angle(q.data());
          },
          "q"_a, "rad at the coordinates q of the model, internal order.")
      .def(
          "rate",
          [](const RotorInfo& r, const std::vector<double>& u) {
            for (const RotorInfo::Term& term : r.terms)
              if (term.u >= static_cast<int>(u.size()))
                throw std::invalid_argument("u has too few numbers for this rotor");
            return r.rate(u.data());
          },
          "u"_a, "rad/s at the velocities u of the model, internal order.");
}

void bindTendons(nb::module_& m) {
  nb::class_<TendonInfo> tendon(m, "TendonInfo", "A tendon in the numbers of the tree.");
  nb::class_<TendonInfo::End>(tendon, "End", "A point of a body or of the world.")
      .def_ro("body", &TendonInfo::End::body, "index; -1: the world")
      .def_ro("point_L", &TendonInfo::End::point_L, "(3,) m, as authored")
      .def_ro("point_C", &TendonInfo::End::point_C, "(3,) m, in the engine's axes");
  nb::class_<TendonInfo::Segment>(tendon, "Segment", "A straight piece.")
      .def_ro("from_", &TendonInfo::Segment::from, "End")
      .def_ro("to", &TendonInfo::Segment::to, "End")
      .def_ro("share", &TendonInfo::Segment::share, "of its length in the tendon's");
  nb::class_<TendonInfo::Wrap>(tendon, "Wrap", "A surface between two segments.")
      .def_ro("segment", &TendonInfo::Wrap::segment, "the first of the two")
      .def_ro("surface", &TendonInfo::Wrap::surface, "WrapSurface")
      .def_ro("centre", &TendonInfo::Wrap::centre, "End")
      .def_ro("R_L", &TendonInfo::Wrap::R_L, "(3, 3) axes of the surface, as authored")
      .def_ro("R_C", &TendonInfo::Wrap::R_C, "(3, 3) in the engine's axes")
      .def_ro("side", &TendonInfo::Wrap::side, "End or None");
  tendon.def_ro("spec", &TendonInfo::spec, "a copy of the TendonSpec")
      .def_ro("terms", &TendonInfo::terms, "list of RotorInfo.Term: of the joints that are bodies")
      .def_ro("offset", &TendonInfo::offset, "of the length")
      .def_ro("segments", &TendonInfo::segments, "list of Segment")
      .def_ro("wraps", &TendonInfo::wraps, "list of Wrap")
      .def(
          "joint_length",
          [](const TendonInfo& t, const std::vector<double>& q) {
            for (const RotorInfo::Term& term : t.terms)
              if (term.q >= static_cast<int>(q.size()))
                throw std::invalid_argument("q has too few numbers for this tendon");
            return t.jointLength(q.data());
          },
          "q"_a, "What the joints' coordinates make of its length.")
      .def(
          "joint_rate",
          [](const TendonInfo& t, const std::vector<double>& u) {
            for (const RotorInfo::Term& term : t.terms)
              if (term.u >= static_cast<int>(u.size()))
                throw std::invalid_argument("u has too few numbers for this tendon");
            return t.jointRate(u.data());
          },
          "u"_a, "What the joints' rates make of its rate.");
}

void bindTopology(nb::module_& m) {
  nb::class_<BodyTopology>(m, "BodyTopology", "A body's place in the tree.")
      .def_ro("parent", &BodyTopology::parent, "body that carries it; -1: none")
      .def_ro("kind", &BodyTopology::kind, "JointKind")
      .def_ro("q", &BodyTopology::q, "its first coordinate")
      .def_ro("u", &BodyTopology::u, "its first dof")
      .def_ro("nq", &BodyTopology::nq, "number of its coordinates")
      .def_ro("nv", &BodyTopology::nv, "number of its dofs");
  nb::class_<Topology>(m, "Topology", "The tree as integers; parents come before children.")
      .def_ro("nb", &Topology::nb, "number of bodies")
      .def_ro("nq", &Topology::nq, "number of coordinates")
      .def_ro("nv", &Topology::nv, "number of dofs")
      .def_ro("floating", &Topology::floating, "body 0 has the six dofs 0 .. 5")
      .def_ro("bodies", &Topology::bodies, "list of BodyTopology")
      .def_ro("balls", &Topology::balls, "list of int: bodies whose joints have a quaternion")
      .def_ro("dof_body", &Topology::dofBody, "list of int: body of each dof")
      .def_ro("dof_parent", &Topology::dofParent, "list of int: -1 at a root")
      .def_ro("dof_depth", &Topology::dofDepth, "list of int: number of ancestors");
  nb::class_<AuthoredBody>(m, "AuthoredBody", "A body and its joint as authored.")
      .def_ro("mass", &AuthoredBody::mass, "kg")
      .def_ro("com", &AuthoredBody::com, "(3,) m, in the link frame L")
      .def_ro("I", &AuthoredBody::I, "(3, 3) kg m^2 about com, axes of L")
      .def_ro("X_PJ", &AuthoredBody::X_PJ, "(4, 4) joint in the link of its carrier")
      .def_prop_ro(
          "axes",
          [](const AuthoredBody& b) {
            return Mat3d{b.axes[0], b.axes[1], b.axes[2]};
          },
          "(3, 3) one a row, in J, of any length")
      .def_ro("pitch", &AuthoredBody::pitch, "m/rad, helical only");
  nb::class_<Authored>(m, "Authored", "Inertias and joints in the frames of the file.")
      .def_ro("bodies", &Authored::bodies, "list of AuthoredBody")
      .def_ro("rotor_inertia", &Authored::rotorInertia, "(nv,) kg m^2 or kg, on the diagonal of M");
}

void bindMechanism(nb::module_& m) {
  nb::class_<Closure>(m, "Closure", "A loop between frame A on body a and frame B on body b.")
      .def_ro("kind", &Closure::kind, "LoopKind")
      .def_ro("a", &Closure::a, "body; -1: the world")
      .def_ro("b", &Closure::b, "body; -1: the world")
      .def_ro("X_LA", &Closure::X_LA, "(4, 4) in the body's link frame; z is the loop's axis")
      .def_ro("X_LB", &Closure::X_LB, "(4, 4) in the body's link frame; z is the loop's axis")
      .def_ro("X_CA", &Closure::X_CA, "(4, 4) in the engine's axes")
      .def_ro("X_CB", &Closure::X_CB, "(4, 4) in the engine's axes")
      .def_ro("axis2", &Closure::axis2, "(3,) in B, unit; universal only")
      .def_ro("pitch", &Closure::pitch, "m/rad, screw only")
      .def_ro("spec", &Closure::spec, "index in SystemSpec.loops");
  nb::class_<Coupling> coupling(m, "Coupling",
                                "sum of factor q = offset; or, with a tape, a row of phi(q) = 0.");
  nb::class_<Coupling::Term>(coupling, "Term", "A coordinate in it.")
      .def_ro("q", &Coupling::Term::q, "coordinate")
      .def_ro("u", &Coupling::Term::u, "dof")
      .def_ro("factor", &Coupling::Term::factor, "of the coordinate");
  coupling.def_ro("terms", &Coupling::terms, "list of Term")
      .def_ro("offset", &Coupling::offset, "rad or m")
      .def_ro("name", &Coupling::name, "for reports")
      .def_ro("line", &Coupling::line, "of the file")
      .def_ro("phi", &Coupling::phi, "Tape of one output, or None");
  nb::class_<Cluster>(m, "Cluster", "A smallest set of bodies that are solved together.")
      .def_ro("carrier", &Cluster::carrier, "the body outside that carries it; -1: the world")
      .def_ro("bodies", &Cluster::bodies, "list of int, ascending")
      .def_ro("dofs", &Cluster::dofs, "list of int: of the spanning tree, ascending")
      .def_ro("dropped", &Cluster::dropped, "number of rows that said nothing new")
      .def_prop_ro(
          "rows", [](const Cluster& c) { return c.rows.size(); },
          "number of linearly independent equations")
      .def_prop_ro(
          "independent",
          [](const Cluster& c) {
            std::vector<int> dofs;
            for (const int place : c.plan.independent) dofs.push_back(c.dofs[place]);
            return dofs;
          },
          "list of int: dofs of the spanning tree that are independent")
      .def_prop_ro("ny", &Cluster::ny, "number of independent dofs");
  nb::class_<Mechanism>(m, "Mechanism", "What ties the spanning tree beyond its joints.")
      .def_ro("closures", &Mechanism::closures, "list of Closure")
      .def_ro("couplings", &Mechanism::couplings, "list of Coupling")
      .def_ro("clusters", &Mechanism::clusters, "list of Cluster")
      .def_ro("cluster_of", &Mechanism::clusterOf, "list of int: of each body; -1: on its own")
      .def_ro("dof_of_y", &Mechanism::dofOfY, "list of int: the dof that each y is")
      .def_ro("assembled", &Mechanism::assembled,
              "(nq,) where all loops are closed, nearest to the neutral q")
      .def_ro("rows", &Mechanism::rows, "number of equations over all clusters");
  nb::class_<BilateralLoops>(m, "BilateralLoops", "Loops that rows of the contact problem keep.")
      .def_ro("closures", &BilateralLoops::closures, "list of Closure")
      .def_ro("assembled", &BilateralLoops::assembled,
              "(nq,) where they and the embedded loops are closed; empty where there are none")
      .def_prop_ro("is_empty", &BilateralLoops::isEmpty, "whether there are none");
}

}  // namespace

void bindModelParts(nb::module_& m) {
  bindBodyInfos(m);
  bindRotors(m);
  bindTendons(m);
  bindTopology(m);
  bindMechanism(m);
}

}  // namespace espalier::python
