#include "espalier/visual/visual_objects.h"

#include <cmath>

#include "espalier/core/check.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

void requireLengths(const std::string& name, std::initializer_list<double> lengths) {
  for (double length : lengths)
    ESPALIER_REQUIRE(
        std::isfinite(length) && length > 0,
        "lengths of visual '" + name + "' must be positive, not " + std::to_string(length));
}

Vec<4> unit(const std::string& name, const Vec<4>& quaternion) {
  const double length = quaternion.norm();
  ESPALIER_REQUIRE(std::isfinite(length) && length > 0,
                   "the quaternion of visual '" + name + "' must be finite and not zero");
  return quaternion / length;
}

void requireFinite(const std::string& name, const Vec<3>& numbers) {
  ESPALIER_REQUIRE(numbers.allFinite(), "the numbers of visual '" + name + "' must be finite");
}

}  // namespace

Visual::Visual(std::string called, Kind kind, const Vec<3>& size, const Vec<4>& colour)
    : name(std::move(called)), color(colour), kind_(kind) {
  setSize(kind, size);
}

void Visual::setSize(Kind kind, const Vec<3>& size) {
  ESPALIER_REQUIRE(kind == kind_, "visual '" + name + "' is of another kind");
  requireLengths(name, {size[0], size[1], size[2]});
  size_ = size;
}
void Visual::setSphereSize(double radius) { setSize(Kind::SPHERE, Vec<3>(radius, radius, radius)); }
void Visual::setBoxSize(double x, double y, double z) { setSize(Kind::BOX, Vec<3>(x, y, z)); }
void Visual::setCylinderSize(double radius, double height) {
  setSize(kind_ == Kind::ARROW ? Kind::ARROW : Kind::CYLINDER, Vec<3>(radius, height, height));
}
void Visual::setCapsuleSize(double radius, double height) {
  setSize(Kind::CAPSULE, Vec<3>(radius, height, height));
}

void Visual::setPosition(const Vec<3>& position) {
  requireFinite(name, position);
  position_ = position;
}
void Visual::setOrientation(const Vec<4>& quaternion) { quaternion_ = unit(name, quaternion); }

Transformd Visual::pose() const {
  return {rotation(Quat<double>{quaternion_[0], quaternion_[1], quaternion_[2], quaternion_[3]}),
          position_};
}

VisualSpec Visual::look() const {
  ESPALIER_REQUIRE(color.allFinite(), "the colour of visual '" + name + "' must be finite");
  VisualSpec look;
  look.name = name;
  look.material = material;
  std::copy_n(color.data(), 4, look.rgba.begin());
  switch (kind_) {
    case Kind::SPHERE: look.shape = SphereShape{size_[0]}; break;
    case Kind::BOX: look.shape = BoxShape{size_}; break;
    case Kind::CYLINDER:
    case Kind::ARROW: look.shape = CylinderShape{size_[0], size_[1]}; break;
    case Kind::CAPSULE: look.shape = CapsuleShape{size_[0], size_[1]}; break;
    case Kind::MESH:
      look.shape = mesh_;
      look.meshScale = size_;
      break;
  }
  return look;
}

InstancedVisuals::InstancedVisuals(std::string called, VisualSpec shape, const Vec<4>& first,
                                   const Vec<4>& second)
    : name(std::move(called)), shape_(std::move(shape)) {
  setColors(first, second);
}
InstancedVisuals::Instance& InstancedVisuals::at(std::size_t index) {
  ESPALIER_REQUIRE(index < instances_.size(),
                   "'" + name + "' has " + std::to_string(instances_.size()) +
                       " instances and none of number " + std::to_string(index));
  return instances_[index];
}
void InstancedVisuals::addInstance(const Vec<3>& position, double colorWeight) {
  addInstance(position, Vec<4>(1, 0, 0, 0), Vec<3>(1, 1, 1), colorWeight);
}
void InstancedVisuals::addInstance(const Vec<3>& position, const Vec<4>& quaternion,
                                   const Vec<3>& scale, double colorWeight) {
  const std::size_t index = instances_.size();
  instances_.emplace_back();
  try {
    setPosition(index, position);
    setOrientation(index, quaternion);
    setScale(index, scale);
    setColorWeight(index, colorWeight);
  } catch (...) {
    instances_.pop_back();
    throw;
  }
}
void InstancedVisuals::removeInstance(std::size_t index) {
  at(index);
  instances_.erase(instances_.begin() + static_cast<std::ptrdiff_t>(index));
}
void InstancedVisuals::setPosition(std::size_t index, const Vec<3>& position) {
  requireFinite(name, position);
  at(index).position = position;
}
void InstancedVisuals::setOrientation(std::size_t index, const Vec<4>& quaternion) {
  at(index).quaternion = unit(name, quaternion);
}
void InstancedVisuals::setScale(std::size_t index, const Vec<3>& scale) {
  requireFinite(name, scale);
  at(index).scale = scale;
}
void InstancedVisuals::setColorWeight(std::size_t index, double weight) {
  ESPALIER_REQUIRE(weight >= 0 && weight <= 1,
                   "a colour weight lies in [0, 1], not " + std::to_string(weight));
  at(index).colorWeight = weight;
}
void InstancedVisuals::setColors(const Vec<4>& first, const Vec<4>& second) {
  ESPALIER_REQUIRE(first.allFinite() && second.allFinite(),
                   "the colours of '" + name + "' must be finite");
  first_ = first;
  second_ = second;
}
Vec<4> InstancedVisuals::colorOf(const Instance& instance) const {
  return first_ + (second_ - first_) * instance.colorWeight;
}

ArticulatedSystemVisual::ArticulatedSystemVisual(std::string called, const std::string& urdfFile,
                                                 const Vec<4>& colour)
    : name(std::move(called)),
      color(colour),
      world_(std::make_unique<World>()),
      robot_(world_->addArticulatedSystem(urdfFile)) {}
ArticulatedSystemVisual::~ArticulatedSystemVisual() = default;
void ArticulatedSystemVisual::setGeneralizedCoordinate(const Eigen::VectorXd& q) {
  robot_->setGeneralizedCoordinate(q);
}

}  // namespace espalier
