#include "espalier/step/placed_geom.h"

#include "espalier/core/overloaded.h"
#include "espalier/step/sleeping.h"

namespace espalier {

double roundingOf(const Shape& shape) {
  return std::visit(Overloaded{[]<SolidShape S>(const S& s) { return S::skin(s.half()); },
                               [](const auto&) { return 0.0; }},
                    shape);
}

bool hasGeometry(const Shape& shape) {
  const auto* mesh = std::get_if<MeshShape>(&shape);
  return !mesh || mesh->data;  // a missing mesh file was remarked on by the importer
}

Shape asRobotShape(Shape shape) {
  if (auto* mesh = std::get_if<MeshShape>(&shape)) mesh->isConvex = true;
  return shape;
}

void refreshGeom(StepData& world, GeomId id) {
  PlacedGeom& geom = world.geom(id);
  geom.rounding = roundingOf(world.scene.shape(id));
  wakeBeforeStep(world);
}

}  // namespace espalier
