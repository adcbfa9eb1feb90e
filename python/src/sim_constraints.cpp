// Constraints (espalier/compat/arboris/constraint.h), those of Python among them.

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "espalier/compat/arboris/ball_and_socket.h"
#include "espalier/compat/arboris/embedded_loops.h"
#include "espalier/compat/arboris/joint_limits.h"
#include "espalier/compat/arboris/slip_force.h"
#include "espalier/compat/arboris/soft_finger.h"
#include "python_constraint.h"
#include "sim_frames.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

using Rows = std::tuple<Eigen::MatrixXd, Eigen::VectorXd>;

const Membership& memberOf(const sim::Constraint& constraint) {
  const auto* member = dynamic_cast<const Membership*>(&constraint);
  ESPALIER_REQUIRE(member, "the Simulation itself asks this constraint");
  return *member;
}
sim::Constraint& idle(sim::Constraint& constraint) {
  const auto* member = dynamic_cast<const Membership*>(&constraint);
  if (member && member->simulation) member->simulation->requireAccess();
  return constraint;
}
const sim::Constraint& idle(const sim::Constraint& constraint) {
  return idle(const_cast<sim::Constraint&>(constraint));
}
bool isOfPython(const sim::Constraint& constraint) {
  return dynamic_cast<const PythonConstraint*>(&constraint) != nullptr;
}

void update(sim::Constraint& constraint, double dt) {
  if (auto* own = dynamic_cast<PythonConstraint*>(&constraint)) {
    ESPALIER_REQUIRE(own->simulation, "update() comes after the constraint was added");
    own->simulation->requireAccess();
    return own->updateOfBase(dt);
  }
  memberOf(constraint).requireInit("update()");
  constraint.update(dt);
}

Rows rowsOf(const sim::Constraint& constraint) {
  if (isOfPython(constraint)) notImplemented("a constraint has a method rows()");
  memberOf(constraint).requireInit("rows()");
  Rows rows{
      Eigen::MatrixXd::Zero(constraint.ndol(), memberOf(constraint).simulation->engine().ndof()),
      Eigen::VectorXd::Zero(constraint.ndol())};
  constraint.rows(std::get<0>(rows), std::get<1>(rows));
  return rows;
}

Eigen::VectorXd solve(sim::Constraint& constraint, const Eigen::VectorXd& vel,
                      const Eigen::MatrixXd& admittance, double dt) {
  if (isOfPython(constraint))
    notImplemented("a constraint has a method solve(vel, admittance, dt)");
  memberOf(constraint).requireInit("solve()");
  const Eigen::Index n = constraint.ndol();
  ESPALIER_REQUIRE(vel.size() == n && admittance.rows() == n && admittance.cols() == n,
                   "vel and admittance are of ndol = " + std::to_string(n) + " directions");
  ESPALIER_REQUIRE(vel.allFinite() && admittance.allFinite() && dt > 0 && std::isfinite(dt),
                   "vel, admittance and dt are finite, and dt is positive");
  Eigen::VectorXd dforce = Eigen::VectorXd::Zero(n);
  constraint.solve(vel, admittance, dt, dforce);
  return dforce;
}

const sim::Frame& frameOf(nb::handle frame) {
  return requireCast<FrameObject&>(frame, "a frame is wanted").frame();
}

template <class T, class... More>
void constructContact(T* self, nb::handle frame0, const espalier::Shape& shape0, nb::handle frame1,
                      const espalier::Shape& shape1, More&&... more) {
  const sim::Frame& first = frameOf(frame0);
  const sim::Frame& second = frameOf(frame1);
  new (self) T(first, shape0, second, shape1, std::forward<More>(more)...);
  self->needs = {nb::borrow(frame0), nb::borrow(frame1)};
}

using Frame = nb::handle_t<FrameObject>;

void requireAlpha(const Eigen::VectorXd& a, const Eigen::MatrixXd& b, double mu) {
  ESPALIER_REQUIRE(a.allFinite() && b.allFinite() && mu >= 0 && std::isfinite(mu),
                   "velocities, admittances and friction are finite, and friction is not negative");
}
void requireRadii(const Eigen::Vector3d& e) {
  ESPALIER_REQUIRE(e.allFinite() && (e.array() > 0).all(),
                   "the radii of the friction ellipsoid are positive");
}

void bindBases(nb::module_& m) {
  nb::class_<sim::Constraint, PythonConstraintOf<sim::Constraint>>(
      m, "Constraint", nb::type_slots(collected<sim::Constraint>),
      "What lives in a few directions of its own: it says how they move, v = J nu + drift, and is "
      "asked again and again what change of its force would be right, all others held. Of "
      "Stepping.ARBORIS.\n\n"
      "Derive from it, and write ndol, rows(self), solve(self, vel, admittance, dt) and "
      "update(self, "
      "dt); init(self, simulation) where it is needed. rows() returns J (ndol, ndof), or the tuple "
      "(J, drift (ndol,)); solve() returns the change of force (ndol,), which is then made. "
      "is_active "
      "may be set in update(). What they raise comes out of update_constraints() or init().")
      .def(nb::init<std::string>(), "name"_a = "")
      .def_prop_ro("name", &sim::Constraint::getName)
      .def(
          "enable", [](sim::Constraint& c) { idle(c).enable(); }, "It may push, as at first.")
      .def(
          "disable", [](sim::Constraint& c) { idle(c).disable(); }, "It does not push.")
      .def_prop_ro("is_enabled", &sim::Constraint::isEnabled)
      .def(
          "init",
          [](sim::Constraint& c, SimulationObject& simulation) {
            if (isOfPython(c)) return;
            ESPALIER_REQUIRE(memberOf(c).simulation == &simulation,
                             "the constraint was not added to this Simulation");
            c.init(simulation.idleEngine());
          },
          "simulation"_a, "Called once, before the first step.")
      .def_prop_ro(
          "ndol",
          [](const sim::Constraint& c) {
            if (isOfPython(c)) notImplemented("a constraint says its number of directions: ndol");
            return idle(c).ndol();
          },
          "How many directions it constrains; fixed after init().")
      .def("update", &update, "dt"_a,
           "At the state of update_dynamic(): geometry, and the force to start from. Every step.")
      .def_prop_rw(
          "is_active",
          [](const sim::Constraint& c) {
            const auto* own = dynamic_cast<const PythonConstraint*>(&c);
            return own ? own->activeOfBase() : idle(c).isActive();
          },
          [](sim::Constraint& c, bool active) {
            auto* own = dynamic_cast<PythonConstraint*>(&c);
            if (!own || dynamic_cast<sim::PointContact*>(&c))
              throw nb::attribute_error("is_active follows from the geometry");
            own->isPushing = active;
          },
          "Whether it may push in this step; asked after update().")
      // Derived classes return one array or two, or any sequence of numbers.
      .def("rows", &rowsOf, nb::sig("def rows(self) -> typing.Any"),
           "J (ndol, ndof) and drift (ndol,) of the present geometry.")
      .def(
          "solve", &solve, "vel"_a, "admittance"_a, "dt"_a,
          nb::sig("def solve(self, vel: numpy.typing.NDArray[numpy.float64], admittance: "
                  "numpy.typing.NDArray[numpy.float64], dt: float) -> typing.Any"),
          "The change of force (ndol,), already made.\n\n"
          "vel: (ndol,) velocities at the end of the step with the forces as they are; admittance: "
          "(ndol, ndol) change of vel per force; dt: s.")
      .def_prop_rw(
          "force", [](const sim::Constraint& c) { return idle(c).force(); },
          [](sim::Constraint& c, const Eigen::VectorXd& force) {
            auto* own = dynamic_cast<PythonConstraint*>(&c);
            if (!own) throw nb::attribute_error("the force follows from solve()");
            ESPALIER_REQUIRE(
                force.size() == idle(c).force().size() && force.allFinite(),
                "force has ndol = " + std::to_string(c.force().size()) + " finite numbers");
            own->setForce(force);
          },
          "Of this step (ndol,); zero where it is not active. J' force is its generalised force. "
          "May "
          "be set in update() of a class of Python, to say what to start from.")
      .def(
          "release", [](sim::Constraint& c) { idle(c).release(); }, "Force zero.");

  nb::class_<sim::PointContact, sim::Constraint, PythonConstraintOf<sim::PointContact>>(
      m, "PointContact", nb::type_slots(collected<sim::PointContact>),
      "A contact of two shapes at their nearest points, as far as geometry goes. Derive from it as "
      "from Constraint, for a contact law of your own; update() and is_active are there. The "
      "contact "
      "frame is at shape 0's point, its z towards shape 1; forces act on body 1 and, reversed, on "
      "body 0.")
      .def(
          "__init__",
          [](sim::PointContact* self, Frame frame0, const espalier::Shape& shape0, Frame frame1,
             const espalier::Shape& shape1, double proximity, const std::string& name) {
            constructContact(static_cast<PythonConstraintOf<sim::PointContact>*>(self), frame0,
                             shape0, frame1, shape1, proximity, name);
          },
          "frame0"_a, "shape0"_a, "frame1"_a, "shape1"_a, "proximity"_a = 0.02, "name"_a = "",
          "Shapes sit at the frames, which are on different bodies. proximity: m.")
      .def_prop_ro(
          "sdist", [](const sim::PointContact& c) { return idle(c), c.sdist(); },
          "Distance, m, of the last update; infinite where the shapes are far apart.")
      .def_prop_ro(
          "contact_pose", [](const sim::PointContact& c) { return idle(c), c.contactPose(); },
          "The contact frame (4, 4), world.");
}

}  // namespace

void bindSimConstraints(nb::module_& m) {
  bindBases(m);

  using Ball = Member<sim::BallAndSocket>;
  nb::class_<Ball, sim::Constraint>(
      m, "BallAndSocket", nb::type_slots(collected<Ball>), nb::is_final(),
      "The origin of frame 1 stays on that of frame 0. In frame 0's axes; the force acts on body 1 "
      "and, reversed, on body 0. The whole gap is closed within the step.")
      .def(
          "__init__",
          [](Ball* self, Frame frame0, Frame frame1, const std::string& name) {
            new (self) Ball(frameOf(frame0), frameOf(frame1), name);
            self->needs = {nb::borrow(frame0), nb::borrow(frame1)};
          },
          "frame0"_a, "frame1"_a, "name"_a = "", "Both on different bodies.")
      .def_prop_ro(
          "gap", [](const Ball& c) { return idle(c), c.gap(); },
          "p_01 (3,), m, of the last update.");

  using Limits = Member<sim::JointLimits>;
  nb::class_<Limits, sim::Constraint>(
      m, "JointLimits", nb::type_slots(collected<Limits>), nb::is_final(),
      "lower <= q <= upper on every dof of some joints whose velocities are the rates of their "
      "coordinates. Active where a coordinate is nearer than proximity to a limit, or beyond.")
      .def(nb::init<std::vector<std::string>, Eigen::VectorXd, Eigen::VectorXd, double,
                    std::string>(),
           "joints"_a, "lower"_a, "upper"_a, "proximity"_a = 0.01, "name"_a = "",
           "Limits (n,), a number for each dof of the joints, rad or m.");

  using Finger = Member<sim::SoftFinger>;
  nb::class_<Finger, sim::PointContact>(
      m, "SoftFinger", nb::type_slots(collected<Finger>), nb::is_final(),
      "A contact with Coulomb friction that resists turning about its normal, too. force: (4,) "
      "m_z, "
      "f_x, f_y, f_z in the contact frame; friction lies in the ellipsoid sum (f_t / e)^2 <= (mu "
      "f_z)^2.")
      .def(
          "__init__",
          [](Finger* self, Frame frame0, const espalier::Shape& shape0, Frame frame1,
             const espalier::Shape& shape1, double mu, const Eigen::Vector3d& radii,
             double proximity, const std::string& name) {
            constructContact(self, frame0, shape0, frame1, shape1, mu, radii, proximity, name);
          },
          "frame0"_a, "shape0"_a, "frame1"_a, "shape1"_a, "mu"_a,
          "radii"_a = Eigen::Vector3d(1, 1, 1), "proximity"_a = 0.02, "name"_a = "",
          "radii: (3,) of the ellipsoid, m, 1, 1. proximity: m.");

  nb::class_<sim::EmbeddedLoops, sim::Constraint>(
      m, "EmbeddedLoops", nb::is_final(),
      "The closed loops of one robot, as a constraint between the joints of its spanning tree. The "
      "Simulation makes one for every robot with loops.")
      .def_prop_ro(
          "gap", [](const sim::EmbeddedLoops& c) { return c.gap(); },
          "phi (ndol,), m, rad, or 1 for directions, of the last update.");

  m.def(
      "slip_force",
      [](const Eigen::Matrix4d& Y, const Eigen::Vector4d& alpha, double mu,
         const Eigen::Vector3d& e) {
        requireAlpha(alpha, Y, mu);
        requireRadii(e);
        return Eigen::VectorXd(sim::slipForce(Y, alpha, mu, e));
      },
      "Y"_a, "alpha"_a, "mu"_a, "e"_a,
      "The force (4,) of a contact that slips, friction opposite to the slip.\n\n"
      "Y: (4, 4) admittance, rows m_z, f_x, f_y, f_z; alpha: (4,) velocity to be cancelled, its "
      "last "
      "with gap / dt, not positive; mu: friction; e: (3,) radii of the ellipsoid, m, 1, 1.");
  m.def(
      "soft_finger_force",
      [](const Eigen::Vector4d& force, const Eigen::Vector4d& vel,
         const Eigen::Matrix4d& admittance, double sdist, double dt, double mu,
         const Eigen::Vector3d& radii) {
        requireAlpha(vel, admittance, mu);
        requireAlpha(force, admittance, dt);
        requireRadii(radii);
        ESPALIER_REQUIRE(dt > 0 && std::isfinite(sdist), "dt is positive, and sdist finite");
        return Eigen::VectorXd(sim::softFingerForce(force, vel, admittance, sdist, dt, mu, radii));
      },
      "force"_a, "vel"_a, "admittance"_a, "sdist"_a, "dt"_a, "mu"_a, "radii"_a,
      "The force (4,) of one soft finger alone.\n\n"
      "force: (4,) to start from; vel: (4,) velocity with that force, rows m_z, f_x, f_y, f_z; "
      "admittance: (4, 4) what the force changes of it; sdist: m; dt: s.");
}

}  // namespace espalier::python
