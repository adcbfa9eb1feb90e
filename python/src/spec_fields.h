#pragma once

// The fields of the types that cross by their fields: names in Python, members in C++. Defaults and
// documentation stand in python/espalier/*.py; python/tests/test_spec.py compares the defaults.

#include <tuple>

#include "spec_casters.h"

namespace espalier::python {

template <class M>
struct NamedField {
  const char* name;
  M member;
};
template <class M>
constexpr NamedField<M> field(const char* name, M member) {
  return {name, member};
}

/// all: a tuple of NamedField.
template <class T>
struct FieldsOf;

#define ESPALIER_FIELDS(Type, ...)                            \
  template <>                                                 \
  struct FieldsOf<Type> {                                     \
    using T = Type;                                           \
    static constexpr auto all = std::make_tuple(__VA_ARGS__); \
  };

template <ParametricShape S>
struct FieldsOf<S> {
  static constexpr auto all =
      std::apply([](const auto&... p) { return std::make_tuple(field(p.name, p.member)...); },
                 S::parameters());
};
ESPALIER_FIELDS(MeshShape, field("file", &T::file), field("data", &T::data),
                field("is_convex", &T::isConvex), field("max_hull_vertices", &T::maxHullVertices),
                field("part", &T::part))
ESPALIER_FIELDS(Heightfield, field("data", &T::data))
ESPALIER_FIELDS(TerrainProperties, field("x_size", &T::xSize), field("y_size", &T::ySize),
                field("x_samples", &T::xSamples), field("y_samples", &T::ySamples),
                field("z_scale", &T::zScale), field("frequency", &T::frequency),
                field("fractal_octaves", &T::fractalOctaves),
                field("fractal_lacunarity", &T::fractalLacunarity),
                field("fractal_gain", &T::fractalGain), field("step_size", &T::stepSize),
                field("seed", &T::seed), field("height_offset", &T::heightOffset))

ESPALIER_FIELDS(InertialSpec, field("mass", &T::mass), field("X_LC", &T::X_LC), field("I", &T::I))
ESPALIER_FIELDS(CollisionSpec, field("name", &T::name), field("shape", &T::shape),
                field("X_LG", &T::X_LG), field("material", &T::material), field("group", &T::group),
                field("mask", &T::mask), field("line", &T::line),
                field("mesh_scale", &T::meshScale))
ESPALIER_FIELDS(VisualSpec, field("name", &T::name), field("shape", &T::shape),
                field("mesh_scale", &T::meshScale), field("X_LG", &T::X_LG),
                field("rgba", &T::rgba), field("material", &T::material), field("line", &T::line))
ESPALIER_FIELDS(LinkSpec, field("name", &T::name), field("inertial", &T::inertial),
                field("gravity_compensation", &T::gravityCompensation),
                field("collisions", &T::collisions), field("visuals", &T::visuals),
                field("line", &T::line), field("file", &T::file))
ESPALIER_FIELDS(JointLimits, field("lower", &T::lower), field("upper", &T::upper),
                field("effort", &T::effort), field("velocity", &T::velocity),
                field("swing", &T::swing), field("twist_lower", &T::twistLower),
                field("twist_upper", &T::twistUpper))
ESPALIER_FIELDS(JointDynamics, field("damping", &T::damping), field("friction", &T::friction),
                field("stiffness", &T::stiffness), field("spring_mount", &T::springMount),
                field("rotor_inertia", &T::rotorInertia))
ESPALIER_FIELDS(ActuatorSpec, field("kp", &T::kp), field("kd", &T::kd), field("target", &T::target),
                field("target_rate", &T::targetRate), field("feedforward", &T::feedforward),
                field("lower", &T::lower), field("upper", &T::upper))
ESPALIER_FIELDS(MimicSpec, field("joint", &T::joint), field("multiplier", &T::multiplier),
                field("offset", &T::offset))
ESPALIER_FIELDS(JointSpec, field("name", &T::name), field("kind", &T::kind),
                field("parent", &T::parent), field("child", &T::child), field("X_PJ", &T::X_PJ),
                field("axes", &T::axes), field("pitch", &T::pitch), field("limits", &T::limits),
                field("dynamics", &T::dynamics), field("mimic", &T::mimic),
                field("independent", &T::independent), field("actuator", &T::actuator),
                field("line", &T::line), field("file", &T::file))
ESPALIER_FIELDS(LoopSpec, field("name", &T::name), field("kind", &T::kind),
                field("predecessor", &T::predecessor), field("successor", &T::successor),
                field("X_PA", &T::X_PA), field("X_SB", &T::X_SB), field("axis", &T::axis),
                field("axis2", &T::axis2), field("pitch", &T::pitch),
                field("is_bilateral", &T::isBilateral), field("line", &T::line),
                field("file", &T::file))
ESPALIER_FIELDS(CouplingSpec, field("name", &T::name), field("predecessor", &T::predecessor),
                field("successor", &T::successor), field("ratio", &T::ratio),
                field("offset", &T::offset), field("line", &T::line), field("file", &T::file))
ESPALIER_FIELDS(ConstraintSpec, field("name", &T::name), field("joints", &T::joints),
                field("phi", &T::phi), field("line", &T::line), field("file", &T::file))
ESPALIER_FIELDS(WrapSurface, field("radius", &T::radius), field("is_cylinder", &T::isCylinder))
ESPALIER_FIELDS(TendonSpec::Term, field("joint", &T::joint), field("coefficient", &T::coefficient))
ESPALIER_FIELDS(TendonSpec::Point, field("link", &T::link), field("position", &T::position))
ESPALIER_FIELDS(TendonSpec::Wrap, field("after", &T::after), field("link", &T::link),
                field("X_LS", &T::X_LS), field("surface", &T::surface), field("side", &T::side))
ESPALIER_FIELDS(TendonSpec::Way, field("points", &T::points), field("divisor", &T::divisor),
                field("wraps", &T::wraps))
ESPALIER_FIELDS(TendonSpec, field("name", &T::name), field("terms", &T::terms),
                field("ways", &T::ways), field("lower", &T::lower), field("upper", &T::upper),
                field("stiffness", &T::stiffness), field("rest_lower", &T::restLower),
                field("rest_upper", &T::restUpper), field("damping", &T::damping),
                field("friction", &T::friction), field("actuator", &T::actuator),
                field("line", &T::line), field("file", &T::file))
ESPALIER_FIELDS(TransmissionSpec, field("name", &T::name), field("type", &T::type),
                field("joint", &T::joint), field("actuator", &T::actuator),
                field("reduction", &T::reduction), field("line", &T::line))
ESPALIER_FIELDS(IgnoredPair, field("first", &T::first), field("second", &T::second),
                field("reason", &T::reason))
ESPALIER_FIELDS(MediumSpec, field("density", &T::density), field("viscosity", &T::viscosity),
                field("wind", &T::wind))
ESPALIER_FIELDS(SystemSpec, field("name", &T::name), field("file", &T::file),
                field("links", &T::links), field("joints", &T::joints),
                field("joint_order", &T::jointOrder), field("loops", &T::loops),
                field("couplings", &T::couplings), field("constraints", &T::constraints),
                field("tendons", &T::tendons), field("transmissions", &T::transmissions),
                field("ignored_pairs", &T::ignoredPairs), field("self_collides", &T::selfCollides),
                field("fixed_base", &T::fixedBase), field("rotors_as_bodies", &T::rotorsAsBodies),
                field("X_WB", &T::X_WB), field("medium", &T::medium),
                field("unbounded", &T::unbounded))
ESPALIER_FIELDS(MaterialPairSpec, field("first", &T::first), field("second", &T::second),
                field("friction", &T::friction), field("restitution", &T::restitution),
                field("restitution_threshold", &T::restitutionThreshold),
                field("static_friction", &T::staticFriction),
                field("static_velocity", &T::staticVelocity),
                field("rolling_friction", &T::rollingFriction),
                field("spinning_friction", &T::spinningFriction), field("line", &T::line))
ESPALIER_FIELDS(BodySpec, field("name", &T::name), field("collisions", &T::collisions),
                field("visuals", &T::visuals), field("inertial", &T::inertial),
                field("type", &T::type), field("X_WB", &T::X_WB), field("velocity", &T::velocity),
                field("angular_velocity", &T::angularVelocity), field("line", &T::line),
                field("file", &T::file))
ESPALIER_FIELDS(PlacedSystemSpec, field("system", &T::system), field("q", &T::q), field("u", &T::u))
ESPALIER_FIELDS(WorldSpec, field("file", &T::file), field("systems", &T::systems),
                field("bodies", &T::bodies), field("materials", &T::materials),
                field("default_material", &T::defaultMaterial), field("gravity", &T::gravity),
                field("time_step", &T::timeStep), field("erp", &T::erp), field("slop", &T::slop),
                field("max_depenetration_velocity", &T::maxDepenetrationVelocity))
ESPALIER_FIELDS(SphericalLimits, field("angle", &T::angle), field("swing", &T::swing),
                field("twist_lower", &T::twistLower), field("twist_upper", &T::twistUpper))
ESPALIER_FIELDS(RigidInertia<double>, field("m", &T::m), field("h", &T::h), field("I", &T::I))
ESPALIER_FIELDS(State, field("q", &T::q), field("u", &T::u), field("time", &T::time),
                field("history", &T::history))

ESPALIER_FIELDS(Child::Joint, field("type", &T::type), field("name", &T::name),
                field("axis", &T::axis), field("pos_P", &T::pos_P), field("rot", &T::rot),
                field("limit", &T::limit), field("effort", &T::effort),
                field("velocity_limit", &T::velocity_limit), field("damping", &T::damping),
                field("friction", &T::friction), field("stiffness", &T::stiffness),
                field("spring_mount", &T::springMount), field("rotor_inertia", &T::rotor_inertia))
ESPALIER_FIELDS(Child::Body, field("inertial", &T::inertial), field("col_obj", &T::colObj),
                field("vis_obj", &T::visObj))
ESPALIER_FIELDS(Child, field("name", &T::name), field("body", &T::body), field("joint", &T::joint),
                field("child", &T::child), field("fixed_bodies", &T::fixedBodies))

ESPALIER_FIELDS(io::LeastInertia, field("mass", &T::mass), field("moment", &T::moment))
ESPALIER_FIELDS(io::ReadingLimits, field("file_bytes", &T::fileBytes),
                field("mesh_file_bytes", &T::meshFileBytes), field("triangles", &T::triangles),
                field("samples", &T::samples), field("attributes", &T::attributes),
                field("parameter_bytes", &T::parameterBytes), field("depth", &T::depth),
                field("text_bytes", &T::textBytes), field("elements", &T::elements),
                field("files", &T::files), field("numbers", &T::numbers),
                field("materials", &T::materials))
ESPALIER_FIELDS(io::UrdfOptions, field("search_paths", &T::searchPaths),
                field("parameters", &T::parameters), field("fixed_base", &T::fixedBase),
                field("load_meshes", &T::loadMeshes), field("joint_order", &T::jointOrder),
                field("budget", &T::budget), field("unbounded", &T::unbounded),
                field("least", &T::least), field("srdf", &T::srdf),
                field("hull_vertices", &T::hullVertices), field("keyframe", &T::keyframe),
                field("keeps_hinges", &T::keepsHinges))
ESPALIER_FIELDS(io::MjcfOptions, field("search_paths", &T::searchPaths),
                field("load_meshes", &T::loadMeshes), field("folder", &T::folder),
                field("fixed_base", &T::fixedBase), field("joint_order", &T::jointOrder),
                field("budget", &T::budget), field("unbounded", &T::unbounded),
                field("keyframe", &T::keyframe))
ESPALIER_FIELDS(io::SdfOptions, field("search_paths", &T::searchPaths),
                field("load_meshes", &T::loadMeshes), field("folder", &T::folder),
                field("fixed_base", &T::fixedBase), field("joint_order", &T::jointOrder),
                field("budget", &T::budget), field("unbounded", &T::unbounded))
ESPALIER_FIELDS(io::WorldOptions, field("parameters", &T::parameters),
                field("search_paths", &T::searchPaths), field("load_meshes", &T::loadMeshes),
                field("folder", &T::folder), field("budget", &T::budget),
                field("unbounded", &T::unbounded), field("hull_vertices", &T::hullVertices),
                field("keyframe", &T::keyframe))

ESPALIER_FIELDS(ClusterBody, field("parent", &T::parent), field("X_PJ", &T::X_PJ),
                field("axes", &T::axes), field("kind", &T::kind), field("pitch", &T::pitch))
ESPALIER_FIELDS(GearedTransmissionModule, field("link", &T::link), field("rotor", &T::rotor),
                field("gear_ratio", &T::gear_ratio))
ESPALIER_FIELDS(TelloDifferentialModule, field("rotor_1", &T::rotor_1),
                field("rotor_2", &T::rotor_2), field("link_1", &T::link_1),
                field("link_2", &T::link_2), field("gear_ratio", &T::gear_ratio))
template <int N>
struct FieldsOf<ParallelBeltTransmissionModule<N>> {
  using T = ParallelBeltTransmissionModule<N>;
  static constexpr auto all =
      std::make_tuple(field("link", &T::link), field("rotor", &T::rotor),
                      field("gear_ratio", &T::gear_ratio), field("belt_ratios", &T::belt_ratios));
};

#undef ESPALIER_FIELDS

}  // namespace espalier::python
