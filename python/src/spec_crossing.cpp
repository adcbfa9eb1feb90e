// Crossing for the types of model/spec/spec.h, shapes and states; options_crossing.cpp has the others.

#include "spec_crossing.h"

namespace espalier::python {

namespace {
template <class... S>
constexpr auto crossingsOf(std::type_identity<std::variant<S...>>) {
  return std::tuple{&Crossing<S>::isInstance..., &Crossing<S>::to..., &Crossing<S>::from...};
}
}  // namespace
/// Instantiates those of all shapes.
[[gnu::used]] const auto shape_crossings = crossingsOf(std::type_identity<Shape>());

template struct Crossing<TerrainProperties>;
template struct Crossing<InertialSpec>;
template struct Crossing<CollisionSpec>;
template struct Crossing<VisualSpec>;
template struct Crossing<LinkSpec>;
template struct Crossing<JointLimits>;
template struct Crossing<JointDynamics>;
template struct Crossing<ActuatorSpec>;
template struct Crossing<MimicSpec>;
template struct Crossing<MediumSpec>;
template struct Crossing<JointSpec>;
template struct Crossing<LoopSpec>;
template struct Crossing<CouplingSpec>;
template struct Crossing<ConstraintSpec>;
template struct Crossing<WrapSurface>;
template struct Crossing<TendonSpec::Term>;
template struct Crossing<TendonSpec::Point>;
template struct Crossing<TendonSpec::Wrap>;
template struct Crossing<TendonSpec::Way>;
template struct Crossing<TendonSpec>;
template struct Crossing<TransmissionSpec>;
template struct Crossing<IgnoredPair>;
template struct Crossing<SystemSpec>;
template struct Crossing<MaterialPairSpec>;
template struct Crossing<BodySpec>;
template struct Crossing<PlacedSystemSpec>;
template struct Crossing<WorldSpec>;
template struct Crossing<SphericalLimits>;
template struct Crossing<RigidInertia<double>>;
template struct Crossing<State>;
template struct Crossing<Child::Joint>;
template struct Crossing<Child::Body>;
template struct Crossing<Child>;

}  // namespace espalier::python
