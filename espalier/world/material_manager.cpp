#include "espalier/world/material_manager.h"

#include "espalier/core/check.h"
#include "espalier/io/world_xml/world_xml.h"

namespace espalier {
namespace {

std::string checked(const char* text) {
  ESPALIER_REQUIRE(text != nullptr, "materials need a world file or its text, not a null pointer");
  return text;
}

}  // namespace

MaterialManager::MaterialManager(const std::string& worldFileOrText) {
  auto world = io::loadWorld(worldFileOrText);
  ESPALIER_REQUIRE(world.hasValue(),
                   "the materials cannot be read:\n" + world.diagnostics().toString());
  byDefault = world->defaultMaterial;
  pairs = world->materials;
}
MaterialManager::MaterialManager(const char* worldFileOrText)
    : MaterialManager(checked(worldFileOrText)) {}

void MaterialManager::setDefaultMaterialProp(double friction, double restitution,
                                             double restitutionThreshold) {
  byDefault = {};
  byDefault.friction = friction;
  byDefault.restitution = restitution;
  byDefault.restitutionThreshold = restitutionThreshold;
}
void MaterialManager::setMaterialPairProp(const std::string& first, const std::string& second,
                                          double friction, double restitution,
                                          double restitutionThreshold) {
  MaterialPairSpec pair;
  pair.first = first;
  pair.second = second;
  pair.friction = friction;
  pair.restitution = restitution;
  pair.restitutionThreshold = restitutionThreshold;
  pairs.push_back(pair);
}

}  // namespace espalier
