#pragma once

// Materials as a value: World::updateMaterialProp() replaces all materials of a world by it.

#include <string>
#include <vector>

#include "espalier/model/spec/spec.h"

namespace espalier {

struct MaterialManager {
  MaterialPairSpec byDefault;
  std::vector<MaterialPairSpec> pairs;

  MaterialManager() = default;
  /// The <material> of a world file, or of its text.
  ///   errors  throws std::invalid_argument with every diagnostic
  MaterialManager(const std::string& worldFileOrText);
  /// errors  throws std::invalid_argument for a null pointer, too
  MaterialManager(const char* worldFileOrText);

  void setDefaultMaterialProp(double friction, double restitution, double restitutionThreshold);
  void setMaterialPairProp(const std::string& first, const std::string& second, double friction,
                           double restitution, double restitutionThreshold);
};

}  // namespace espalier
