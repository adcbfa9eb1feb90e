// espalier.cluster_joint and espalier.loop_constraint.

#include "espalier/compat/grbda/cluster_joints.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "espalier/compat/grbda/cluster_spec.h"
#include "espalier/dynamics/loops/cluster_motion.h"
#include "spec_casters.h"
#include "trace_call.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

using Numbers = std::vector<double>;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Dense dense(const DenseMatrix<double>& m) {
  Dense out(m.rows(), m.columns());
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.columns(); ++j) out(i, j) = m(i, j);
  return out;
}
DenseMatrix<double> matrix(const Eigen::MatrixXd& m) {
  DenseMatrix<double> out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
  for (int i = 0; i < out.rows(); ++i)
    for (int j = 0; j < out.columns(); ++j) out(i, j) = m(i, j);
  return out;
}

/// A tape, or the tape of a function of `inputs` numbers.
Tape tapeOf(nb::handle phi, int inputs) {
  return nb::isinstance<Tape>(phi) ? nb::cast<Tape>(phi) : traceCall(phi, inputs);
}

void bindConstraintBase(nb::module_& m) {
  using Base = LoopConstraint::Base;
  nb::class_<ConstraintValues<double>>(m, "ConstraintValues", "phi, K, G, k and g at one place.")
      .def_ro("phi", &ConstraintValues<double>::phi, "(rows,)")
      .def_prop_ro(
          "K", [](const ConstraintValues<double>& v) { return dense(v.K); }, "(rows, nv)")
      .def_prop_ro(
          "G", [](const ConstraintValues<double>& v) { return dense(v.G); }, "(nv, ny)")
      .def_ro("k", &ConstraintValues<double>::k, "(rows,)")
      .def_ro("g", &ConstraintValues<double>::g, "(nv,)");
  nb::class_<Base>(m, "Base", "A loop constraint; it never changes, cluster joints share it.")
      .def_prop_ro("num_spanning_pos", &Base::numSpanningPos, "number of all coordinates")
      .def_prop_ro("num_spanning_vel", &Base::numSpanningVel, "number of all rates")
      .def_prop_ro("num_independent_pos", &Base::numIndependentPos, "number of coordinates y")
      .def_prop_ro("num_independent_vel", &Base::numIndependentVel, "number of rates ydot")
      .def_prop_ro("num_constraints", &Base::numConstraints, "number of rows of phi")
      .def_prop_ro("is_explicit", &Base::isExplicit,
                   "whether gamma(y) needs no place to start from")
      .def(
          "gamma",
          [](const Base& c, const Numbers& y, const std::optional<Numbers>& near) {
            return near ? c.gamma(y, *near) : c.gamma(y);
          },
          "y"_a, "near"_a = nb::none(),
          "(nq,) all coordinates of y. Of an implicit constraint those nearest to `near` (nq,); "
          "ValueError where none is given, or |phi| < 1e-13 is not reached from there.")
      .def("independent_of", &Base::independentOf, "q"_a,
           "y of all coordinates (nq,) on the constraint.")
      .def("phi", &Base::phi, "q"_a, "(num_constraints,) at q (nq,).")
      .def(
          "K", [](const Base& c, const Numbers& q) { return dense(c.K(q)); }, "q"_a,
          "(num_constraints, nv) d phi by the rates, at q (nq,).")
      .def(
          "G", [](const Base& c, const Numbers& q) { return dense(c.G(q)); }, "q"_a,
          "(nv, num_independent_vel) u = G ydot, at q (nq,).")
      .def("k", &Base::k, "q"_a, "u"_a, "(num_constraints,) -Kdot u at q (nq,), u (nv,).")
      .def("g", &Base::g, "q"_a, "u"_a, "(nv,) Gdot ydot at q (nq,), u (nv,).")
      .def("at", nb::overload_cast<const Numbers&, const Numbers&>(&Base::at, nb::const_), "q"_a,
           "u"_a, "ConstraintValues: all of them at once; u spanning.")
      .def("__repr__", [](nb::handle self) {
        const auto& c = nb::cast<const Base&>(self);
        return nb::str("<loop_constraint.{}: {} rates, {} independent>")
            .format(self.type().attr("__name__"), c.numSpanningVel(), c.numIndependentVel());
      });
}

void bindConstraints(nb::module_& m) {
  using Base = LoopConstraint::Base;
  bindConstraintBase(m);
  nb::class_<LoopConstraint::Static, Base>(m, "Static", "G and K constant, g = k = 0.")
      .def(
          "__init__",
          [](LoopConstraint::Static* self, const Eigen::MatrixXd& G, const Eigen::MatrixXd& K) {
            new (self) LoopConstraint::Static(matrix(G), matrix(K));
          },
          "G"_a, "K"_a, "G (nv, ny), K (nv - ny, nv) with K G = 0 and full rank, else ValueError.");
  nb::class_<LoopConstraint::Free, Base>(
      m, "Free", "Nothing is tied: seven positions (x y z, quaternion w x y z), six velocities.")
      .def(nb::init<>());
  nb::class_<LoopConstraint::Generic, Base>(m, "Generic",
                                            "A user's own phi(q) = 0 or q = gamma(y).")
      .def(
          "__init__",
          [](LoopConstraint::Generic* self, const std::vector<bool>& isIndependent, nb::handle phi,
             const std::vector<int>& quaternions) {
            const Tape tape = tapeOf(phi, static_cast<int>(isIndependent.size()));
            new (self) LoopConstraint::Generic(isIndependent, tape, quaternions);
          },
          "is_independent"_a, "phi"_a, "quaternions"_a = std::vector<int>(),
          "Implicit. is_independent: of each coordinate; phi: a function of all coordinates, "
          "traced "
          "once, or a Tape, of as many numbers as there are dependent rates; quaternions: the "
          "first "
          "coordinate of each spherical joint, w x y z.")
      .def_static(
          "from_gamma",
          [](int independent, nb::handle gamma) {
            return LoopConstraint::Generic::fromGamma(tapeOf(gamma, independent));
          },
          "independent"_a, "gamma"_a,
          "Explicit: gamma, a function or Tape of `independent` numbers, gives all coordinates of "
          "y, "
          "each y among them.");
  nb::class_<LoopConstraint::FourBar, Base>(m, "FourBar",
                                            "A planar four-bar. q: first joint of the first path, "
                                            "joint of the second path, second joint of "
                                            "the first path.")
      .def(nb::init<const std::array<double, 2>&, double, const std::array<double, 2>&, int>(),
           "path1"_a, "path2"_a, "offset"_a, "independent"_a,
           "path1 (2,), path2: lengths of the links, m; offset (2,) where the second path begins; "
           "independent: place in q.");
  nb::class_<LoopConstraint::TelloDifferential, Base> tello(
      m, "TelloDifferential",
      "q: rotor 1, rotor 2, joint 1, joint 2; y: the rotors behind their gears.");
  using Kind = LoopConstraint::TelloDifferential::Kind;
  nb::enum_<Kind>(tello, "Kind", "Which drive of the robot.")
      .value("HIP", Kind::HIP)
      .value("KNEE_ANKLE", Kind::KNEE_ANKLE);
  tello.def(nb::init<Kind, double>(), "kind"_a, "gear_ratio"_a = 6.0)
      .def("rotors_at", &LoopConstraint::TelloDifferential::rotorsAt, "joints"_a,
           "(2,) the rotors, before their gears, that hold the joints (2,). ValueError where the "
           "rods "
           "do not reach.");
}

void bindJointBase(nb::module_& m) {
  using Base = ClusterJoint::Base;
  nb::class_<Base>(m, "Base", "A cluster joint.")
      .def("update_kinematics", &Base::updateKinematics, "position"_a, "velocity"_a,
           "Sets S, vJ, cJ, G, g, K, k. position, velocity: independent ones (position: of an "
           "explicit constraint), or all of them. ValueError where all of them do not agree with "
           "the "
           "constraint to 1e-8; nothing has changed then.")
      .def_prop_ro(
          "S", [](const Base& j) { return dense(j.S()); }, "(6N, ny) vJ = S ydot")
      .def_prop_ro("vJ", &Base::vJ, "(6N,) twists of the bodies over their output body")
      .def_prop_ro("cJ", &Base::cJ, "(6N,) rate of vJ's numbers at yddot = 0")
      .def_prop_ro(
          "G", [](const Base& j) { return dense(j.G()); }, "(nv, ny)")
      .def_prop_ro(
          "K", [](const Base& j) { return dense(j.K()); }, "(rows, nv)")
      .def_prop_ro("g", &Base::g, "(nv,)")
      .def_prop_ro("k", &Base::k, "(rows,)")
      .def_prop_ro("spanning_position", &Base::spanningPosition, "(nq,) all coordinates")
      .def_prop_ro("spanning_velocity", &Base::spanningVelocity, "(nv,) all rates")
      .def(
          "pose",
          [](const Base& j, int body) {
            if (body < 0 || body >= j.numBodies())
              throw nb::index_error("the cluster has no such body");
            return j.pose(body);
          },
          "body"_a, "(4, 4) of a body in its output body.")
      .def_prop_ro("num_bodies", &Base::numBodies, "N")
      .def_prop_ro("num_positions", &Base::numPositions, "number of independent coordinates")
      .def_prop_ro("num_velocities", &Base::numVelocities, "ny")
      .def_prop_ro("bodies", &Base::bodies, "list of ClusterBody, copies")
      .def_prop_ro("loop_constraint", &Base::loopConstraint, nb::rv_policy::reference_internal,
                   "what ties its coordinates")
      .def("__repr__", [](nb::handle self) {
        const auto& j = nb::cast<const Base&>(self);
        return nb::str("<cluster_joint.{}: {} bodies, {} independent rates>")
            .format(self.type().attr("__name__"), j.numBodies(), j.numVelocities());
      });
}

void bindJoints(nb::module_& m) {
  using Base = ClusterJoint::Base;
  bindJointBase(m);
  nb::class_<ClusterJoint::Free, Base>(m, "Free",
                                       "A floating base. q: x y z, quaternion w x y z; its "
                                       "velocity is the twist in its own coordinates.")
      .def(nb::init<>());
  nb::class_<ClusterJoint::Revolute, Base>(m, "Revolute", "One hinge.")
      .def(nb::init<const ClusterBody&>(), "link"_a);
  nb::class_<ClusterJoint::RevolutePair, Base>(m, "RevolutePair",
                                               "Two links in series, not tied. q: link 1, link 2.")
      .def(nb::init<const ClusterBody&, const ClusterBody&>(), "link_1"_a, "link_2"_a);
  nb::class_<ClusterJoint::RevoluteWithRotor, Base>(m, "RevoluteWithRotor",
                                                    "A geared joint. q: link, rotor; y: link.")
      .def(nb::init<const GearedTransmissionModule&>(), "module"_a);
  nb::class_<ClusterJoint::RevolutePairWithRotor, Base>(
      m, "RevolutePairWithRotor",
      "Two links in series driven by belts. q: link 1, rotor 1, rotor 2, link 2; y: the links.")
      .def(nb::init<const ParallelBeltTransmissionModule<1>&,
                    const ParallelBeltTransmissionModule<2>&>(),
           "proximal"_a, "distal"_a);
  nb::class_<ClusterJoint::RevoluteTripleWithRotor, Base>(
      m, "RevoluteTripleWithRotor",
      "Three links in series driven by belts. q: links 1, 2, 3, rotors 1, 2, 3; y: the links.")
      .def(nb::init<const ParallelBeltTransmissionModule<1>&,
                    const ParallelBeltTransmissionModule<2>&,
                    const ParallelBeltTransmissionModule<3>&>(),
           "proximal"_a, "intermediate"_a, "distal"_a);
  nb::class_<ClusterJoint::TelloDifferential, Base> tello(
      m, "TelloDifferential",
      "q: rotor 1, rotor 2, link 1, link 2; y: the rotors behind their gears.");
  tello.attr("Kind") = nb::type<LoopConstraint::TelloDifferential::Kind>();
  tello
      .def(nb::init<ClusterJoint::TelloDifferential::Kind, const TelloDifferentialModule&>(),
           "kind"_a, "module"_a)
      .def_prop_ro("differential", &ClusterJoint::TelloDifferential::differential,
                   nb::rv_policy::reference_internal, "its loop constraint");
  nb::class_<ClusterJoint::FourBar, Base>(m, "FourBar",
                                          "A planar four-bar in the xy plane of its frame. q: "
                                          "first link of the first path, link of the "
                                          "second path, second link of the first path.")
      .def(
          nb::init<const std::array<double, 2>&, double, const std::array<double, 2>&, int,
                   const Transformd&>(),
          "path1"_a, "path2"_a, "offset"_a, "independent"_a, "X_PF"_a = identityTransform<double>(),
          "path1 (2,), path2: lengths of the links, m; offset (2,) where the second path begins; "
          "independent: place in q; X_PF (4, 4) where the first joint stands, in the output body.");
  nb::class_<ClusterJoint::Generic, Base>(m, "Generic", "Any bodies, any joints, any constraint.")
      .def(
          "__init__",
          [](ClusterJoint::Generic* self, std::vector<ClusterBody> bodies,
             std::shared_ptr<LoopConstraint::Base> constraint) {
            new (self) ClusterJoint::Generic(
                std::move(bodies),
                std::shared_ptr<const LoopConstraint::Base>(std::move(constraint)));
          },
          "bodies"_a, "constraint"_a,
          "bodies: list of ClusterBody, parents first. A constraint that knows which coordinates "
          "are "
          "quaternions of spherical joints.");
}

void bindClusterMotion(nb::module_& m) {
  nb::class_<ClusterMotion>(m, "ClusterMotion",
                            "How the N bodies of a cluster move over the body that carries it, "
                            "[angular; linear] in the axes of each body's link and at its origin.")
      .def_ro("bodies", &ClusterMotion::bodies, "list of int, N: bodies of the model")
      .def_ro("independent", &ClusterMotion::independent,
              "list of int, ny: the dof of all joints, authored order, that each ydot is")
      .def_prop_ro(
          "S", [](const ClusterMotion& c) { return dense(c.S); }, "(6N, ny) vJ = S ydot")
      .def_ro("vJ", &ClusterMotion::vJ, "(6N,)")
      .def_ro("cJ", &ClusterMotion::cJ, "(6N,) rate of vJ's numbers at yddot = 0");
  m.def(
      "cluster_motion",
      [](const Model& model, int cluster, const Numbers& q, const Numbers& u) {
        return clusterMotion(model, model.lowered, cluster, q, u);
      },
      "model"_a, "cluster"_a, "q"_a, "u"_a,
      "ClusterMotion of Model.mechanism.clusters[cluster]; q (nq,), u (nv,) of all joints, "
      "authored "
      "order, as ArticulatedSystem.spanning_coordinate. ValueError where they do not meet the "
      "loops "
      "to 1e-8.");
}

}  // namespace

void bindClusterJoints(nb::module_& parent) {
  nb::module_ constraints = parent.def_submodule("loop_constraint", "Loop constraints.");
  bindConstraints(constraints);
  nb::module_ joints = parent.def_submodule("cluster_joint", "Cluster joints.");
  bindJoints(joints);
  bindClusterMotion(parent);
  parent.def(
      "append_cluster",
      [](nb::handle system, const std::string& name, const std::string& output,
         const ClusterJoint::Base& cluster, const std::vector<LinkSpec>& links) {
        if (!Crossing<SystemSpec>::isInstance(system))
          throw nb::type_error("append_cluster() adds to a SystemSpec");
        SystemSpec added;
        appendCluster(added, name, output, cluster, links);
        const auto extend = [&](const char* list, const auto& parts) {
          for (const auto& part : parts) system.attr(list).attr("append")(part);
        };
        extend("links", added.links);
        extend("joints", added.joints);
        extend("constraints", added.constraints);
      },
      "system"_a, "name"_a, "output"_a, "cluster"_a, "links"_a,
      "Adds a cluster to a SystemSpec: its bodies as links, a joint LINK_joint for each, and, "
      "where "
      "something is tied, a constraint of this name. output: link that carries the cluster; links: "
      "a "
      "LinkSpec for each body. ValueError for cluster_joint.Free and for tied quaternions.");
}

}  // namespace espalier::python
