// Frames on bodies (espalier/compat/arboris/frame.h).

#include "sim_frames.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"

namespace espalier::python {

using namespace nb::literals;

sim::Frame& FrameObject::frame() const {
  simulationObject().requireAccess();
  return *frame_;
}

nb::object FrameObject::simulation() const {
  if (references_.empty()) throw std::runtime_error("the Simulation of this frame was destroyed");
  return references_[0];
}

SimulationObject& FrameObject::simulationObject() const {
  return nb::cast<SimulationObject&>(simulation());
}

nb::object bodyObject(const SimulationObject& simulation, sim::Body& body) {
  return nb::cast(BodyObject(simulation.self(), std::shared_ptr<sim::Frame>(&body, [](auto*) {})));
}

const Transformd& requirePose(const Transformd& X, const char* what) {
  const Mat3d& R = X.R;
  const double numbers[] = {dot(R.r0, R.r0) - 1,
                            dot(R.r1, R.r1) - 1,
                            dot(R.r2, R.r2) - 1,
                            dot(R.r0, R.r1),
                            dot(R.r1, R.r2),
                            dot(R.r2, R.r0),
                            dot(cross(R.r0, R.r1), R.r2) - 1};
  bool isPose = std::isfinite(X.p.x) && std::isfinite(X.p.y) && std::isfinite(X.p.z);
  for (const double wrong : numbers) isPose &= std::abs(wrong) < 1e-6;
  ESPALIER_REQUIRE(isPose, std::string(what) +
                               " is a pose: its rotation is orthonormal, of "
                               "determinant 1, and all numbers are finite");
  return X;
}

namespace {

template <class Object, class Frame>
void construct(Object* self, const FrameObject& body, const Transformd& bpose,
               const std::string& name) {
  new (self) Object(body.simulation(),
                    std::make_shared<Frame>(body.frame(), requirePose(bpose, "bpose"), name));
}

using Columns =
    std::tuple<std::vector<int>, std::vector<Motion<double>>, std::vector<Motion<double>>>;

Columns columnsAt(const FrameObject& object, const Vec3d& p) {
  Columns columns;
  for (const sim::Tree::Column& column : object.frame().columnsAt(p)) {
    std::get<0>(columns).push_back(column.dof);
    std::get<1>(columns).push_back(column.S);
    std::get<2>(columns).push_back(column.dS);
  }
  return columns;
}

std::string frameText(const FrameObject& object, const char* className) {
  return std::string("<") + className + " '" + object.frame().getName() + "'>";
}

}  // namespace

void bindSimFrames(nb::module_& m) {
  nb::class_<FrameObject>(
      m, "Frame", nb::type_slots(collected<FrameObject>),
      "A frame on a body of a Simulation. Poses are X_gf, ground from f; twists are [angular, "
      "linear] of f over the ground, in f's axes at f's origin: T = jacobian @ gvel + T_f/b. All "
      "speak of the state that update_dynamic() saw last.")
      .def_prop_ro("simulation", &FrameObject::simulation,
                   nb::sig("def simulation(self) -> Simulation"), "The Simulation it belongs to.")
      .def_prop_ro(
          "name", [](const FrameObject& f) { return f.frame().getName(); }, "May be empty.")
      .def_prop_ro(
          "bpose", [](const FrameObject& f) { return f.frame().bpose(); },
          "Pose in its body (4, 4).")
      .def_prop_ro(
          "pose", [](const FrameObject& f) { return f.frame().pose(); }, "X_gf (4, 4).")
      .def_prop_ro(
          "twist", [](const FrameObject& f) { return f.frame().twist(); }, "T (6,): rad/s, m/s.")
      .def_prop_ro(
          "jacobian", [](const FrameObject& f) { return f.frame().jacobian(); }, "J (6, ndof).")
      .def_prop_ro(
          "djacobian", [](const FrameObject& f) { return f.frame().djacobian(); },
          "Rate of jacobian (6, ndof).")
      .def(
          "twist_at", [](const FrameObject& f, const Vec3d& p) { return f.frame().twistAt(p); },
          "p"_a,
          "Twist (6,) in world axes at the point p (m, world) of a body that moves with this "
          "frame.")
      .def(
          "drift_at", [](const FrameObject& f, const Vec3d& p) { return f.frame().driftAt(p); },
          "p"_a, "The part of twist_at(p) that is not J nu: a moving frame's own.")
      .def("columns_at", &columnsAt, "p"_a,
           "The dofs (k,) that move the frame, root first, their columns of J (k, 6) in world axes "
           "at p, and the rates of these (k, 6) for a p that moves along.")
      .def(
          "is_on_body_of",
          [](const FrameObject& f, const FrameObject& other) {
            return f.frame().isOnBodyOf(other.frame());
          },
          "other"_a, "Whether the same body carries both.")
      .def(
          "__eq__",
          [](const FrameObject& f, nb::handle other) {
            return nb::isinstance<FrameObject>(other) &&
                   &f.frame() == &nb::cast<const FrameObject&>(other).frame();
          },
          nb::arg().none())
      .def("__hash__", [](const FrameObject& f) { return std::hash<const void*>()(&f.frame()); });

  nb::class_<BodyObject, FrameObject>(m, "Body", nb::type_slots(collected<BodyObject>),
                                      "A link, or the ground. Simulation.body(), ground and "
                                      "add_body() give it.")
      .def_prop_rw(
          "viscosity", [](const BodyObject& b) { return b.body().viscosity(); },
          [](BodyObject& b, const sim::Matrix6x6& viscosity) {
            b.simulationObject().idleEngine();
            b.body().setViscosity(viscosity);
          },
          "(6, 6): wrench of the surrounding medium = -viscosity @ twist, in the body's axes at "
          "its "
          "origin. Its symmetric part is positive semidefinite, or the medium gives energy.")
      .def_prop_ro(
          "is_viscous", [](const BodyObject& b) { return b.body().isViscous(); },
          "Whether viscosity is not zero.")
      .def("__repr__", [](const BodyObject& b) { return frameText(b, "Body"); });

  nb::class_<SubFrameObject, FrameObject>(m, "SubFrame", nb::type_slots(collected<SubFrameObject>),
                                          "A frame fixed to a body at bpose (4, 4).")
      .def("__init__", &construct<SubFrameObject, sim::SubFrame>, "body"_a, "bpose"_a,
           "name"_a = "", "body may be a SubFrame, too.")
      .def("__repr__", [](const SubFrameObject& f) { return frameText(f, "SubFrame"); });

  nb::class_<MovingSubFrameObject, FrameObject>(m, "MovingSubFrame",
                                                nb::type_slots(collected<MovingSubFrameObject>),
                                                "A frame moved against its body by the caller.")
      .def("__init__", &construct<MovingSubFrameObject, sim::MovingSubFrame>, "body"_a, "bpose"_a,
           "name"_a = "")
      .def(
          "set_bpose",
          [](MovingSubFrameObject& f, const Transformd& bpose, const sim::Vector6& btwist) {
            static_cast<sim::MovingSubFrame&>(f.frame()).setBpose(requirePose(bpose, "bpose"),
                                                                  btwist);
          },
          "bpose"_a, "btwist"_a = sim::Vector6(sim::Vector6::Zero()),
          "Where it is now (4, 4), and how it moves over its body (6,): [angular, linear] in its "
          "own "
          "axes at its origin.")
      .def("__repr__",
           [](const MovingSubFrameObject& f) { return frameText(f, "MovingSubFrame"); });
}

}  // namespace espalier::python
