// Enumerations of Specs, and functions of a Spec as a whole.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "diagnostics.h"
#include "espalier/model/compile/compile_cache.h"
#include "espalier/model/spec/check_spec.h"
#include "spec_casters.h"
#include "tree_text.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

void bindEnumerations(nb::module_& m) {
  nb::enum_<JointKind> jointKinds(m, "JointKind",
                                  "What a joint leaves free; its coordinates q and rates u.");
  for (const JointKindInfo& row : joint_kinds)
    jointKinds.value(inCapitals(row.name).c_str(), row.kind, row.meaning);
  nb::enum_<LoopKind>(m, "LoopKind", "What the joint that closes a loop leaves free.")
      .value("POINT", LoopKind::POINT, "origins coincide: 3 rows")
      .value("FIXED", LoopKind::FIXED, "frames coincide: 6 rows")
      .value("REVOLUTE", LoopKind::REVOLUTE, "turns about the axis: 5 rows")
      .value("PRISMATIC", LoopKind::PRISMATIC, "slides along the axis: 5 rows")
      .value("CYLINDRICAL", LoopKind::CYLINDRICAL, "turns about and slides along the axis: 4 rows")
      .value("UNIVERSAL", LoopKind::UNIVERSAL, "turns about the axis and axis2 of B: 4 rows")
      .value("PLANAR", LoopKind::PLANAR, "slides across the axis and turns about it: 3 rows")
      .value("SCREW", LoopKind::SCREW, "slides along the axis by pitch m/rad: 5 rows");
  nb::enum_<BodyType>(m, "BodyType", "What a body does with forces.")
      .value("STATIC", BodyType::STATIC, "never moves")
      .value("KINEMATIC", BodyType::KINEMATIC, "moves as told")
      .value("DYNAMIC", BodyType::DYNAMIC, "obeys Newton");
  using Type = Child::Joint::Type;
  nb::enum_<Type>(m, "ChildJointType", "Kinds of a Child's joint: Joint.Type.")
      .value("FIXED", Type::FIXED)
      .value("REVOLUTE", Type::REVOLUTE)
      .value("PRISMATIC", Type::PRISMATIC)
      .value("SPHERICAL", Type::SPHERICAL)
      .value("FLOATING", Type::FLOATING);
}

template <std::size_t N>
std::vector<std::string> texts(const std::array<const char*, N>& all, int n) {
  return {all.begin(), all.begin() + n};
}

void bindJointKinds(nb::module_& m) {
  nb::class_<JointKindInfo>(m, "JointKindInfo", "A row of the table of joint kinds.")
      .def_ro("kind", &JointKindInfo::kind, "JointKind")
      .def_ro("name", &JointKindInfo::name, "as files say it")
      .def_ro("nq", &JointKindInfo::nq, "number of coordinates")
      .def_ro("nv", &JointKindInfo::nv, "number of dofs")
      .def_ro("axes", &JointKindInfo::axes, "how many of JointSpec.axes it reads")
      .def_ro("meaning", &JointKindInfo::meaning, "of q and u, in words")
      .def_ro("slides", &JointKindInfo::slides,
              "its first dofs are translations, m; the others are rotations, rad")
      .def_ro("quaternion", &JointKindInfo::quaternion,
              "place of w in q and of the angular velocity in u; -1: no quaternion")
      .def_prop_ro(
          "coordinates", [](const JointKindInfo& k) { return texts(k.coordinates, k.nq); },
          "list[str]: what follows the joint's name in the names of its coordinates")
      .def_prop_ro(
          "dofs",
          [](const JointKindInfo& k) {
            return k.quaternion < 0 ? texts(k.coordinates, k.nv) : texts(k.dofs, k.nv);
          },
          "list[str]: the same of its dofs");
  m.def(
      "info", [](JointKind kind) { return info(kind); }, "kind"_a, "The row of a joint kind.");
  nb::list kinds;
  for (const JointKindInfo& kind : joint_kinds) kinds.append(nb::cast(kind));
  m.attr("JOINT_KINDS") = nb::tuple(kinds);
  m.def("spherical_limits", &sphericalLimits, "limits"_a,
        "What the JointLimits of a spherical joint mean.");
  m.def(
      "fault_of", [](const SphericalLimits& limits) { return faultOf(limits); }, "limits"_a,
      "Why no rotation has such SphericalLimits, as the end of a sentence; empty where possible.");
  m.def("fault_of_spherical", &faultOfSpherical, "limits"_a,
        "The same of the JointLimits of a spherical joint.");
  m.def("is_out_of_reach", &isOutOfReach, "limits"_a,
        "Whether one of the SphericalLimits lies beyond what the angle can be.");
  m.def(
      "uses_axis", [](const SphericalLimits& limits) { return limits.useAxis(); }, "limits"_a);
}

/// Objects with the defaults of C++, to compare those of Python with.
nb::list defaults() {
  nb::list all;
  const auto add = [&]<class... T>() { (all.append(nb::cast(T())), ...); };
  [&]<class... S>(std::type_identity<std::variant<S...>>) {
    add.operator()<S...>();
  }(std::type_identity<Shape>());
  add.
  operator()<TerrainProperties, InertialSpec, CollisionSpec, VisualSpec, LinkSpec, JointLimits,
             JointDynamics, ActuatorSpec, MimicSpec, MediumSpec, JointSpec, LoopSpec, CouplingSpec,
             ConstraintSpec, WrapSurface, TendonSpec::Term, TendonSpec::Point, TendonSpec::Wrap,
             TendonSpec::Way, TendonSpec, TransmissionSpec, SystemSpec, MaterialPairSpec, BodySpec,
             PlacedSystemSpec, WorldSpec, SphericalLimits, RigidInertia<double>, State,
             Child::Joint, Child::Body, Child, io::LeastInertia, io::ReadingLimits, io::UrdfOptions,
             io::MjcfOptions, io::SdfOptions, io::WorldOptions, ClusterBody,
             GearedTransmissionModule, TelloDifferentialModule>();
  return all;
}

}  // namespace

void bindSpec(nb::module_& m) {
  bindEnumerations(m);
  bindJointKinds(m);
  m.attr("unlimited") = unlimited;
  m.def(
      "check_spec",
      [](const SystemSpec& spec) {
        Diagnostics diagnostics;
        checkSpec(spec, diagnostics);
        return diagnostics;
      },
      "spec"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Every problem of a SystemSpec, as Diagnostics: names, tree, joints, inertias, shapes, "
      "sizes.");
  m.def("to_spec", &toSpec, "root"_a, "joint_order"_a = std::vector<std::string>(),
        "ignored_pairs"_a = std::vector<std::pair<std::string, std::string>>(),
        "The tree of a Child as a SystemSpec: links and joints from the root down. joint_order: "
        "names "
        "of the joints that move; ignored_pairs: names of links that never collide.");
  m.def(
      "spec_tree", [](const SystemSpec& spec) { return treeText(spec); }, "spec"_a,
      "Links and joints of a SystemSpec as a tree, and what closes its loops.");
  m.def(
      "content_of",
      [](const SystemSpec& spec) {
        const std::string content = contentOf(spec);
        return nb::bytes(content.data(), content.size());
      },
      "spec"_a, "All that compile() reads of a SystemSpec, as bytes: equal bytes, equal models.");
  m.def("defaults_", &defaults, "Objects with the defaults of C++, for tests.");
}

}  // namespace espalier::python
