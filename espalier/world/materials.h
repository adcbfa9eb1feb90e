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
  double staticFriction = -1;          ///< at rest; < 0: as friction
  double staticVelocity = 0.01;        ///< m/s, slip at which friction is reached
  double rolling = 0;                  ///< m, torque across the normal per normal force
  double spinning = 0;                 ///< m, torque about the normal per normal force

  bool dependsOnSlip() const { return staticFriction >= 0; }
  /// Coefficient at a slip speed (m/s): from static to dynamic on a straight line, as RaiSim.
  double frictionAt(double slip) const {
    if (!dependsOnSlip() || slip >= staticVelocity) return friction;
    return staticFriction + (friction - staticFriction) * (slip / staticVelocity);
  }
};

/// What no pair can have (NaN, negative friction and the like); null where all is well.
const char* faultOf(const MaterialPair& pair);

MaterialPair materialPair(const MaterialPairSpec& spec);

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
  const std::string& name(MaterialId id) const {
    return names_[static_cast<std::size_t>(id.value)];
  }
  MaterialPairSpec defaultSpec() const;
  std::vector<MaterialPairSpec> pairSpecs() const;  ///< in the order they were set
  /// Whether some pair has rolling or spinning friction.
  bool haveTorsion() const;

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
