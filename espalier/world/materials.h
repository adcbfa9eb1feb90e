#pragma once

// Which friction and restitution two materials have when they meet. Names are turned into ids
// once; a look-up in a step is one array access.

#include <string>
#include <vector>

#include "espalier/core/id.h"
#include "espalier/model/spec.h"

namespace espalier {

struct MaterialPair {
  double friction = 0.8;
  double restitution = 0;
  double restitutionThreshold = 0.01;  ///< m/s
};

class Materials {
 public:
  /// The id of a name, new where it was not known.
  MaterialId id(const std::string& name);
  void setDefault(const MaterialPair& pair);
  void setPair(const std::string& first, const std::string& second, const MaterialPair& pair);
  const MaterialPair& pair(MaterialId a, MaterialId b) const {
    return table_[static_cast<std::size_t>(a.value) * names_.size() +
                  static_cast<std::size_t>(b.value)];
  }

 private:
  struct Rule {
    int first, second;
    MaterialPair pair;
  };
  void rebuild();

  std::vector<std::string> names_;
  std::vector<Rule> rules_;
  MaterialPair default_;
  std::vector<MaterialPair> table_;  // [names][names]
};

}  // namespace espalier
