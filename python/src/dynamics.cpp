// The dynamics of a Model by itself: class ModelDynamics and its helpers. The functions of
// espalier.dynamics (python/espalier/dynamics.py) are calls of it.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.h"
#include "casters.h"
#include "espalier/robot/model_coordinates.h"
#include "espalier/robot/model_dynamics.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// By the name of a joint or a link, or by an index in Model::frames.
const FrameInfo& frameOf(const Model& model, nb::handle frame) {
  std::string name;
  if (nb::try_cast(frame, name)) return findFrame(model, name);
  int index = 0;
  if (!nb::try_cast(frame, index))
    throw nb::type_error("a frame is the name of a joint or link, or an index in Model.frames");
  if (index < 0 || index >= static_cast<int>(model.frames.size()))
    throw nb::index_error("there is no frame of this index");
  return model.frames[index];
}
std::vector<const FrameInfo*> framesOf(const Model& model, nb::handle frames) {
  if (nb::isinstance<nb::str>(frames)) throw nb::type_error("frames are given as a list");
  std::vector<const FrameInfo*> list;
  for (nb::handle frame : frames) list.push_back(&frameOf(model, frame));
  return list;
}

/// {frame: wrench}; None for none.
std::vector<FrameWrench> wrenchesOf(const Model& model, std::optional<nb::dict> external) {
  std::vector<FrameWrench> wrenches;
  if (!external) return wrenches;
  for (auto [frame, numbers] : *external) {
    Force<double> wrench;
    if (!nb::try_cast(numbers, wrench)) {
      PyErr_Clear();
      throw nb::value_error("a wrench is six numbers: N m, then N at the frame's origin");
    }
    wrenches.emplace_back(&frameOf(model, frame), wrench);
  }
  return wrenches;
}

using Numbers = Eigen::VectorXd;
using External = std::optional<nb::dict>;

void bindState(nb::class_<ModelDynamics>& type) {
  type.def(
          "__init__",
          [](ModelDynamics* self, std::shared_ptr<const Model> model, const Numbers& q,
             const std::optional<Numbers>& u) {
            if (u)
              new (self) ModelDynamics(std::move(model), q, *u);
            else
              new (self) ModelDynamics(std::move(model), q);
          },
          "model"_a, "q"_a, "u"_a = nb::none(),
          "q (nq,) of the independent joints, or with loops (spanning nq,) of all joints, from "
          "which the "
          "dependent ones start; u (nv,), zero where None. ValueError for other sizes, numbers "
          "that are "
          "not finite, and loops that do not close.")
      .def_prop_ro(
          "model",
          [](const ModelDynamics& d) { return std::const_pointer_cast<Model>(d.shared()); },
          "the Model")
      .def_prop_ro("coordinate", &ModelDynamics::coordinate, "q (nq,), quaternions unit")
      .def_prop_ro("velocity", &ModelDynamics::velocity, "u (nv,)")
      .def_prop_ro("spanning_coordinate", &ModelDynamics::spanningCoordinate,
                   "q of all joints, dependent ones too (spanning nq,)")
      .def_prop_ro("spanning_velocity", &ModelDynamics::spanningVelocity,
                   "u of all joints (spanning nv,)")
      .def("stepped", &ModelDynamics::stepped, "dq"_a,
           "q of all joints (spanning nq,) after a step dq (nv,) of the independent ones, the "
           "dependent ones to first order; ModelDynamics(model, that) closes the loops.")
      .def("__repr__", [](const ModelDynamics& d) {
        return "ModelDynamics of '" + d.model().name + "', " + std::to_string(d.model().publicNv) +
               " dofs";
      });
}

void bindEquationOfMotion(nb::class_<ModelDynamics>& type) {
  type.def("mass_matrix", &ModelDynamics::massMatrix, "M (nv, nv), symmetric.")
      .def("inverse_mass_matrix", &ModelDynamics::inverseMassMatrix, "M^-1 (nv, nv).")
      .def("nonlinearities", &ModelDynamics::nonlinearities, "gravity"_a = standard_gravity,
           "h (nv,), N or N m: M udot + h = tau. gravity (3,) in m/s^2, world.")
      .def(
          "inverse_dynamics",
          [](const ModelDynamics& d, const Numbers& udot, const Vec3d& gravity, External external) {
            return d.inverseDynamics(udot, gravity, wrenchesOf(d.model(), external));
          },
          "udot"_a, "gravity"_a = standard_gravity, "external"_a = nb::none(),
          "tau (nv,) for udot (nv,): M udot + h - J' external. external is a dict of frames and "
          "wrenches (6,), N m then N at the frame's origin, world axes.")
      .def(
          "forward_dynamics",
          [](const ModelDynamics& d, const Numbers& tau, const Vec3d& gravity, External external) {
            return d.forwardDynamics(tau, gravity, wrenchesOf(d.model(), external));
          },
          "tau"_a, "gravity"_a = standard_gravity, "external"_a = nb::none(),
          "udot (nv,) for tau (nv,); external as of inverse_dynamics(). Bilateral loops hold.")
      .def(
          "generalized_force",
          [](const ModelDynamics& d, nb::dict external) {
            return d.generalizedForce(wrenchesOf(d.model(), external));
          },
          "external"_a, "J' external (nv,): the generalized force of wrenches at frames.")
      .def("inverse_dynamics_derivatives", &ModelDynamics::inverseDynamicsDerivatives, "udot"_a,
           "gravity"_a = standard_gravity, nb::call_guard<nb::gil_scoped_release>(),
           "DynamicsDerivatives of tau by q, u and udot, exact.")
      .def("forward_dynamics_derivatives", &ModelDynamics::forwardDynamicsDerivatives, "tau"_a,
           "gravity"_a = standard_gravity, nb::call_guard<nb::gil_scoped_release>(),
           "DynamicsDerivatives of udot by q, u and tau, exact. ValueError with bilateral loops.");
}

/// A query of one frame.
template <class R>
auto ofFrame(R (ModelDynamics::*f)(const FrameInfo&) const) {
  return [f](const ModelDynamics& d, nb::handle frame) -> R {
    return (d.*f)(frameOf(d.model(), frame));
  };
}

void bindFrames(nb::class_<ModelDynamics>& type) {
  type.def("body_pose", &ModelDynamics::bodyPose, "body"_a,
           "X_WB (4, 4) of a body, in its link's frame.")
      .def("frame_pose", ofFrame(&ModelDynamics::framePose), "frame"_a,
           "X_WF (4, 4). A frame is the name of a joint, or of a link where no joint is called so, "
           "or an "
           "index in Model.frames.")
      .def("frame_velocity", ofFrame(&ModelDynamics::frameVelocity), "frame"_a,
           "(6,) rad/s, then m/s of the frame's origin; world axes.")
      .def(
          "frame_acceleration",
          [](const ModelDynamics& d, nb::handle frame, const std::optional<Numbers>& udot) {
            return d.frameAcceleration(frameOf(d.model(), frame),
                                       udot ? *udot : Numbers::Zero(d.model().publicNv));
          },
          "frame"_a, "udot"_a = nb::none(),
          "(6,) rad/s^2, then m/s^2 of the frame's origin, world axes, at udot (nv,); where None "
          "at "
          "zero: dJ/dt u.")
      .def("frame_jacobian", ofFrame(&ModelDynamics::frameJacobian), "frame"_a,
           "J (6, nv), angular rows first: J u = frame_velocity().")
      .def("frame_jacobian_rate", ofFrame(&ModelDynamics::frameJacobianRate), "frame"_a,
           "dJ/dt along u (6, nv). ValueError for frames of geared rotors.")
      .def(
          "inverse_operational_inertia",
          [](const ModelDynamics& d, nb::iterable frames) {
            return d.inverseOperationalInertia(framesOf(d.model(), frames));
          },
          "frames"_a,
          "J M^-1 J' (6 n, 6 n) of n frames, angular rows first in each; world axes. ValueError "
          "for "
          "frames of geared rotors.");
}

void bindMomentum(nb::class_<ModelDynamics>& type) {
  type.def("kinetic_energy", &ModelDynamics::kineticEnergy, "J.")
      .def("potential_energy", &ModelDynamics::potentialEnergy, "gravity"_a = standard_gravity,
           "J, zero at the world's origin. gravity (3,) in m/s^2, world.")
      .def("centre_of_mass", &ModelDynamics::centreOfMass, "(3,) m, world.")
      .def("centre_of_mass_jacobian", &ModelDynamics::centreOfMassJacobian,
           "(3, nv): the velocity of the centre of mass is this times u.")
      .def("momentum", &ModelDynamics::momentum,
           "(6,) angular about the centre of mass, N m s, then linear, N s; world axes.")
      .def("momentum_matrix", &ModelDynamics::momentumMatrix,
           "A (6, nv), centroidal: A u = momentum().")
      .def(
          "momentum_rate",
          [](const ModelDynamics& d, const std::optional<Numbers>& udot) {
            return d.momentumRate(udot ? *udot : Numbers::Zero(d.model().publicNv));
          },
          "udot"_a = nb::none(),
          "(6,) N m, N: rate of momentum() at udot (nv,); where None at zero: dA/dt u.")
      .def("loops", &ModelDynamics::loops, "LoopEquationsAt this state.");
}

void bindResults(nb::module_& m) {
  nb::class_<DynamicsDerivatives>(
      m, "DynamicsDerivatives",
      "Derivatives (nv, nv) of forces or accelerations. A step of q is dt u: "
      "of quaternions a rotation vector from the left.")
      .def_ro("by_q", &DynamicsDerivatives::byQ, "row i, column j: d result_i / d q_j")
      .def_ro("by_u", &DynamicsDerivatives::byU, "by u")
      .def_ro("by_input", &DynamicsDerivatives::byInput, "by udot, which is M; or tau: M^-1");
  nb::class_<LoopEquationsAt>(
      m, "LoopEquationsAt",
      "Embedded loops at one state: phi(q) = 0, K u = 0, K udot = k for all "
      "joints; u = G y, udot = G ydot + g by the independent velocities y.")
      .def_ro("phi", &LoopEquationsAt::phi, "(rows,) m or rad")
      .def_ro("K", &LoopEquationsAt::K, "(rows, spanning nv)")
      .def_ro("k", &LoopEquationsAt::k, "(rows,)")
      .def_ro("G", &LoopEquationsAt::G, "(spanning nv, nv)")
      .def_ro("g", &LoopEquationsAt::g, "(spanning nv,)");
  nb::class_<JointPlace>(m, "JointPlace", "Where a joint's numbers are.")
      .def_ro("joint", &JointPlace::joint, "name; of a floating base its link's")
      .def_ro("kind", &JointPlace::kind, "JointKind")
      .def_ro("q", &JointPlace::q, "first among the independent coordinates; -1: dependent")
      .def_ro("u", &JointPlace::u, "first among the independent dofs; -1: dependent")
      .def_ro("spanning_q", &JointPlace::spanningQ, "first among the coordinates of all joints")
      .def_ro("spanning_u", &JointPlace::spanningU, "first among the dofs of all joints")
      .def_ro("nq", &JointPlace::nq, "number of its coordinates")
      .def_ro("nv", &JointPlace::nv, "number of its dofs")
      .def_ro(
          "X_WJ", &JointPlace::X_WJ,
          "(4, 4) of a floating joint on a fixed base: the frame from which its q counts, in the "
          "world; else the identity")
      .def_ro("lower", &JointPlace::lower,
              "limit of each coordinate, rad or m; -inf of quaternions")
      .def_ro("upper", &JointPlace::upper, "limit of each coordinate, rad or m; inf of quaternions")
      .def("__repr__", [](const JointPlace& place) {
        return std::string(info(place.kind).name) + " joint '" + place.joint + "': q[" +
               std::to_string(place.q) + "], u[" + std::to_string(place.u) + "]";
      });
}

void bindCoordinates(nb::module_& m) {
  m.def(
      "joint_places", &jointPlaces, "model"_a,
      "list of JointPlace, of all joints that move in the authored order; a floating base first.");
  m.def("neutral_coordinate", &neutralCoordinate, "model"_a,
        "q (nq,) with every joint at 0 or the identity; with loops as they were assembled.");
  m.def("random_coordinate", &randomCoordinate, "model"_a, "seed"_a, "spread"_a = 1.0,
        "q (nq,): angles and metres within spread, any orientation; the same for the same seed.");
  m.def("advanced", &advanced, "model"_a, "q"_a, "step"_a,
        "q (nq,) after a step (nv,), dt u: quaternions turn by a rotation vector from the left.");
  m.def("step_between", &stepBetween, "model"_a, "from_"_a, "to"_a,
        "The step (nv,) from one q (nq,) to another; rotation vectors of at most pi.");
}

}  // namespace

void bindDynamics(nb::module_& m) {
  bindResults(m);
  nb::class_<ModelDynamics> type(
      m, "ModelDynamics",
      "The dynamics of a Model by itself at one state: several quantities from one pass of "
      "kinematics. It "
      "never changes; any number of threads may ask it. The functions of espalier.dynamics are its "
      "methods, each at a state given.");
  bindState(type);
  bindEquationOfMotion(type);
  bindFrames(type);
  bindMomentum(type);
  bindCoordinates(m);
}

}  // namespace espalier::python
