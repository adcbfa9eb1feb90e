// Joint objects (espalier/compat/arboris/joint_objects.h).

#include "joints.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "espalier/compat/arboris/simulation.h"
#include "simulation_object.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

template <std::size_t rows, std::size_t columns>
Mat<rows, columns> matrixOf(const std::array<std::array<double, columns>, rows>& a) {
  Mat<rows, columns> m;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = a[i][j];
  return m;
}
Vec<6> vectorOf(const Twist& t) {
  Vec<6> v;
  std::copy(t.begin(), t.end(), v.data());
  return v;
}

/// Numbers of Python in a shape; a single number will do where there is room for one.
void readNumbers(nb::handle from, const std::vector<Py_ssize_t>& shape, double* to,
                 const char* what) {
  Py_ssize_t count = 1;
  for (const Py_ssize_t n : shape) count *= n;
  ArrayReader array, number;
  auto result = array.read(from, shape, true);
  const ArrayReader* read = &array;
  if (result == ArrayReader::WRONG_SHAPE && count == 1 &&
      number.read(from, {}, true) == ArrayReader::READ) {
    result = ArrayReader::READ;
    read = &number;
  }
  if (result == ArrayReader::NO_NUMBERS)
    throw nb::type_error((std::string(what) + " is made of numbers").c_str());
  if (result == ArrayReader::WRONG_SHAPE)
    throw nb::value_error((std::string(what) + ": " + array.fault()).c_str());
  std::copy(read->data(), read->data() + count, to);
}

template <class Joint>
class JointOf : public AnyJoint {
  static constexpr bool is_free = std::is_same_v<Joint, FreeJoint>;
  using Gpos = std::remove_cvref_t<decltype(std::declval<const Joint&>().gpos())>;
  using Gvel = std::remove_cvref_t<decltype(std::declval<const Joint&>().gvel())>;

 public:
  static inline const char* class_name = "";
  Joint joint;

  const char* className() const override { return class_name; }
  int ndof() const override { return Joint::ndof(); }
  bool isFree() const override { return is_free; }
  JointKind kind() const override {
    if constexpr (is_free)
      return JointKind::Floating;
    else
      return joint.kind();
  }
  std::vector<Vec3d> axes() const override {
    if constexpr (is_free)
      return {};
    else
      return {joint.axes().begin(), joint.axes().begin() + info(joint.kind()).axes};
  }
  // The numbers are this object's own; a joint object hands out constant ones to keep them valid,
  // which check() does here.
  double* gpos() override {
    if constexpr (is_free)
      return const_cast<double*>(joint.gpos()[0].data());
    else
      return const_cast<double*>(joint.gpos().data());
  }
  double* gvel() override { return const_cast<double*>(joint.gvel().data()); }
  void setGpos(nb::handle from) override {
    Gpos gpos;
    if constexpr (is_free)
      readNumbers(from, {4, 4}, gpos[0].data(), "gpos");
    else
      readNumbers(from, {Joint::ndof()}, gpos.data(), "gpos");
    joint.setGpos(gpos);
  }
  void setGvel(nb::handle from) override {
    Gvel gvel;
    readNumbers(from, {Joint::ndof()}, gvel.data(), "gvel");
    joint.setGvel(gvel);
  }
  void integrate(double dt) override {
    check();
    joint.integrate(dt);
  }
  void check() override {
    joint.setGpos(Gpos(joint.gpos()));
    joint.setGvel(Gvel(joint.gvel()));
  }

  Eigen::Matrix4d pose() const override { return matrixOf(joint.pose()); }
  Eigen::Matrix4d ipose() const override { return matrixOf(joint.ipose()); }
  Vec<6> twist() const override { return vectorOf(joint.twist()); }
  Vec<6> itwist() const override { return vectorOf(joint.itwist()); }
  MatDyn jacobian() const override { return matrixOf(joint.jacobian()); }
  MatDyn djacobian() const override { return matrixOf(joint.djacobian()); }
  Mat<6, 6> iadjoint() const override { return matrixOf(joint.iadjoint()); }
  Mat<6, 6> idadjoint() const override { return matrixOf(joint.idadjoint()); }
  JointSpec spec(const std::string& jointName, const std::string& parent, const std::string& child,
                 const Transformd& X_PJ) const override {
    return joint.spec(jointName, parent, child, X_PJ);
  }

  void link(sim::Simulation& engine, const sim::Frame& frame0, const sim::Frame& frame1,
            const std::string& linkName) override {
    // Python owns it; the Simulation's object keeps a reference to that.
    engine.addLink(frame0, std::shared_ptr<Joint>(&joint, [](Joint*) {}), frame1, linkName);
  }
};

template <class Joint>
void bindOne(nb::module_& m, const char* name, const char* doc) {
  using Bound = JointOf<Joint>;
  Bound::class_name = name;
  nb::class_<Bound, AnyJoint>(m, name, doc)
      .def(
          "__init__",
          [](Bound* self, nb::object gpos, nb::object gvel, std::optional<std::string> jointName) {
            Bound made;
            if (!gpos.is_none()) made.setGpos(gpos);
            if (!gvel.is_none()) made.setGvel(gvel);
            made.name = std::move(jointName);
            new (self) Bound(std::move(made));
          },
          "gpos"_a = nb::none(), "gvel"_a = nb::none(), "name"_a = nb::none(),
          nb::sig("def __init__(self, gpos: numpy.typing.ArrayLike | None = None, gvel: "
                  "numpy.typing.ArrayLike | None = None, name: str | None = None) -> None"),
          "At gpos and gvel: sequences of ndof numbers, or one number for one dof; zero where left "
          "out. A free joint's gpos is a (4, 4) pose.");
}

/// A view of numbers that live as long as the joint.
nb::object viewOf(nb::handle self, double* numbers, bool isPose, int count) {
  const std::size_t square[2] = {4, 4}, line[1] = {static_cast<std::size_t>(count)};
  const nb::ndarray<nb::numpy, double> view(numbers, isPose ? 2 : 1, isPose ? square : line, self);
  return nb::cast(view, nb::rv_policy::reference);
}

AnyJoint& idle(AnyJoint& joint) {
  if (joint.simulation) joint.simulation->requireAccess();
  return joint;
}
const AnyJoint& idle(const AnyJoint& joint) { return idle(const_cast<AnyJoint&>(joint)); }

std::string text(nb::handle self) {
  const AnyJoint& joint = requireCast<AnyJoint&>(self, "a joint is wanted");
  const auto list = [](nb::object array) {
    return nb::cast<std::string>(nb::str(array.attr("tolist")()));
  };
  std::string out = std::string(joint.className()) + "(gpos=" + list(self.attr("gpos")) +
                    ", gvel=" + list(self.attr("gvel"));
  if (joint.name) out += ", name='" + *joint.name + "'";
  return out + ")";
}

}  // namespace

void bindJointObjects(nb::module_& m) {
  nb::class_<AnyJoint>(
      m, "JointObject",
      "An ideal joint between a reference frame r and a new frame n, with its coordinates gpos and "
      "velocities gvel. Twists are [angular, linear]. Made as one of its derived classes.")
      .def_rw("name", &AnyJoint::name, "Of the joint, or None.", nb::arg().none())
      .def_prop_ro("ndof", &AnyJoint::ndof, "Number of degrees of freedom.")
      .def_prop_rw(
          "gpos",
          [](nb::handle self) {
            AnyJoint& joint = idle(requireCast<AnyJoint&>(self, "gpos and gvel are a joint's"));
            return viewOf(self, joint.gpos(), joint.isFree(), joint.ndof());
          },
          [](AnyJoint& joint, nb::handle gpos) { idle(joint).setGpos(gpos); },
          nb::for_getter(nb::sig("def gpos(self) -> numpy.typing.NDArray[numpy.float64]")),
          nb::for_setter(nb::sig("def gpos(self, gpos: numpy.typing.ArrayLike, /) -> None")),
          "Coordinates (ndof,), rad or m; of a FreeJoint H_rn (4, 4). A view: what is written into "
          "it counts. Assigned, any sequence will do, and one number for one dof.\n\n"
          "Raises ValueError for another shape, numbers that are not finite and what is no pose.")
      .def_prop_rw(
          "gvel",
          [](nb::handle self) {
            AnyJoint& joint = idle(requireCast<AnyJoint&>(self, "gpos and gvel are a joint's"));
            return viewOf(self, joint.gvel(), false, joint.ndof());
          },
          [](AnyJoint& joint, nb::handle gvel) { idle(joint).setGvel(gvel); },
          nb::for_getter(nb::sig("def gvel(self) -> numpy.typing.NDArray[numpy.float64]")),
          nb::for_setter(nb::sig("def gvel(self, gvel: numpy.typing.ArrayLike, /) -> None")),
          "Velocities (ndof,), rad/s or m/s: rates of gpos; of a FreeJoint its twist. A view, as "
          "gpos is.")
      .def(
          "integrate", [](AnyJoint& joint, double dt) { idle(joint).integrate(dt); }, "dt"_a,
          "gpos += dt gvel; a FreeJoint's gpos = gpos exp(dt gvel).  dt: s")
      .def(
          "integrate",
          [](AnyJoint& joint, nb::handle gvel, double dt) {
            ESPALIER_REQUIRE(std::isfinite(dt), "dt is finite, not " + std::to_string(dt));
            idle(joint).setGvel(gvel);
            joint.integrate(dt);
          },
          "gvel"_a, "dt"_a,
          nb::sig("def integrate(self, gvel: numpy.typing.ArrayLike, dt: float) -> None"),
          "Takes these velocities, then integrate(dt).")
      .def_prop_ro(
          "pose", [](const AnyJoint& joint) { return idle(joint).pose(); }, "H_rn (4, 4): n in r.")
      .def_prop_ro(
          "ipose", [](const AnyJoint& joint) { return idle(joint).ipose(); },
          "H_nr (4, 4): r in n, the inverse of pose.")
      .def_prop_ro(
          "twist", [](const AnyJoint& joint) { return idle(joint).twist(); },
          "T_nr (6,): of n over r, in n at n's origin; jacobian @ gvel.")
      .def_prop_ro(
          "itwist", [](const AnyJoint& joint) { return idle(joint).itwist(); },
          "T_rn (6,): of r over n, in r at r's origin; -adjoint(pose) @ twist.")
      .def_prop_ro(
          "jacobian", [](const AnyJoint& joint) { return idle(joint).jacobian(); },
          "J (6, ndof): twist per gvel, in n.")
      .def_prop_ro(
          "djacobian", [](const AnyJoint& joint) { return idle(joint).djacobian(); },
          "Rate of jacobian along gvel (6, ndof).")
      .def_prop_ro(
          "iadjoint", [](const AnyJoint& joint) { return idle(joint).iadjoint(); },
          "Ad(H_nr) (6, 6): takes twists in r to n.")
      .def_prop_ro(
          "idadjoint", [](const AnyJoint& joint) { return idle(joint).idadjoint(); },
          "Rate of iadjoint (6, 6): -ad(twist) @ iadjoint.")
      .def("spec", &AnyJoint::spec, "name"_a, "parent"_a, "child"_a,
           "X_PJ"_a = identityTransform<double>(),
           "This joint as a JointSpec between two links, r at X_PJ (4, 4) in the parent; n is the "
           "child's frame. gpos and gvel are the state's, and not in it.")
      .def_prop_ro("kind", &AnyJoint::kind, "JointKind")
      .def_prop_ro("axes", &AnyJoint::axes,
                   "In r (k, 3): the axis of a hinge or slider, or those of turns in sequence.")
      .def("__repr__", &text);

  bindOne<RxJoint>(m, "RxJoint", "A hinge about x.");
  bindOne<RyJoint>(m, "RyJoint", "A hinge about y.");
  bindOne<RzJoint>(m, "RzJoint", "A hinge about z.");
  bindOne<RzRyJoint>(m, "RzRyJoint", "A cardan joint: about z, then y.");
  bindOne<RzRxJoint>(m, "RzRxJoint", "A cardan joint: about z, then x.");
  bindOne<RyRxJoint>(m, "RyRxJoint", "A cardan joint: about y, then x.");
  bindOne<RzRyRxJoint>(m, "RzRyRxJoint",
                       "A ball and socket by three turns: about z, then y, then x. Singular where "
                       "the second is a right angle.");
  bindOne<TxJoint>(m, "TxJoint", "A slider along x.");
  bindOne<TyJoint>(m, "TyJoint", "A slider along y.");
  bindOne<TzJoint>(m, "TzJoint", "A slider along z.");
  bindOne<TxTyTzJoint>(m, "TxTyTzJoint", "A translation in space.");
  bindOne<FreeJoint>(m, "FreeJoint",
                     "No constraint: gpos is H_rn (4, 4) itself, gvel (6,) the twist of n over r "
                     "in n.");

  m.def(
      "adjoint",
      [](const Eigen::Matrix4d& H) {
        Matrix4 rows;
        for (std::size_t i = 0; i < 4; ++i)
          for (std::size_t j = 0; j < 4; ++j)
            rows[i][j] = H(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        return matrixOf(adjoint(rows));
      },
      "H_ab"_a, "Ad(H_ab) (6, 6) of a pose (4, 4): takes a twist in b at b's origin to a at a's.");
  m.def(
      "inverse_pose", [](const Transformd& H_ab) { return inverse(H_ab); }, "H_ab"_a,
      "H_ba (4, 4), the inverse of a pose.");
}

}  // namespace espalier::python
