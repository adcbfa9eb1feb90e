#include "espalier/io/urdf/shape_inertias.h"

#include <algorithm>

#include "espalier/geometry/hull_cache.h"
#include "espalier/io/spec_links.h"
#include "espalier/io/text/rotation_text.h"
#include "espalier/io/text/xml_reader.h"
#include "espalier/model/spec/check_report.h"

namespace espalier::io {
namespace {

bool isAllMassless(const SystemSpec& spec) {
  const auto isMoved = [](const JointSpec& joint) { return joint.kind != JointKind::Fixed; };
  const auto hasRotor = [](const JointSpec& j) { return j.dynamics.rotorInertia > 0; };
  const auto weighs = [](const LinkSpec& link) {
    if (!link.inertial) return false;
    const Sym3<double>& I = link.inertial->I;
    return link.inertial->mass != 0 || I.xx != 0 || I.yy != 0 || I.zz != 0;
  };
  return std::any_of(spec.joints.begin(), spec.joints.end(), isMoved) &&
         std::none_of(spec.joints.begin(), spec.joints.end(), hasRotor) &&
         std::none_of(spec.links.begin(), spec.links.end(), weighs);
}

/// The solid that a shape collides as: of a mesh its hull.
Shape solidOf(const Shape& shape) {
  const auto* mesh = std::get_if<MeshShape>(&shape);
  if (mesh == nullptr || mesh->data == nullptr) return shape;
  const auto hull = cachedHull(*mesh->data, mesh->maxHullVertices);
  if (hull == nullptr) return MeshShape{};  // flat
  MeshShape solid;
  solid.data = std::make_shared<const TriangleMesh>(hullSurface(*hull));
  return solid;
}

RigidInertia<double> inertiaOf(const LinkSpec& link) {
  RigidInertia<double> sum{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  for (const CollisionSpec& c : link.collisions) {
    const Shape solid = solidOf(c.shape);
    const double mass = density_of_shapes * volume(solid);
    if (mass > 0) sum += toParent(transpose(c.X_LG.R), c.X_LG.p, inertia(solid, mass));
  }
  return sum;
}

}  // namespace

void takeInertiasOfShapes(SystemSpec& spec, Diagnostics& diagnostics) {
  if (!isAllMassless(spec)) return;
  const LinkSpec* first = nullptr;
  for (LinkSpec& link : spec.links) {
    const RigidInertia<double> own = inertiaOf(link);
    if (!(own.m > 0)) continue;
    link.inertial = aboutCentre(own);
    if (first == nullptr) first = &link;
  }
  if (first == nullptr) return;
  diagnostics.add({Severity::Warning, fileOf(spec, *first), first->line,
                   "no link of " + shown(spec.name) +
                       " has a mass: links weigh what their collision shapes weigh at " +
                       shortest(density_of_shapes) + " kg/m^3, " + shortest(massOf(spec)) +
                       " kg in all",
                   "give the links an <inertial> where masses matter"});
}

}  // namespace espalier::io
