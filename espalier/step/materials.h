#pragma once

// Which friction and restitution two materials have when they meet. Names are turned into ids
// once; a look-up in a step is three array accesses.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "espalier/core/id.h"
#include "espalier/model/spec/spec.h"
#include "espalier/scalar/scalar.h"

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
  bool hasTorsion() const { return rolling > 0 || spinning > 0; }
  /// Coefficient at a slip speed (m/s): from static to dynamic on a straight line, as RaiSim.
  template <class T>
  ESPALIER_INLINE T frictionAt(const T& slip) const {
    if (!dependsOnSlip()) return bc<T>(friction);
    const T share = slip / bc<T>(staticVelocity);
    return select(slip >= bc<T>(staticVelocity), bc<T>(friction),
                  bc<T>(staticFriction) + bc<T>(friction - staticFriction) * share);
  }
};

/// The first impossible value of a pair (NaN, negative friction and the like); null if there is
/// none.
const char* faultOf(const MaterialPair& pair);

MaterialPair materialPair(const MaterialPairSpec& spec);

class Materials {
 public:
  /// The id of a name, new where it was not known.
  MaterialId id(const std::string& name);
  void setDefault(const MaterialPair& pair);
  void setPair(const std::string& first, const std::string& second, const MaterialPair& pair);
  void clearPairs();  ///< names and the default stay
  const MaterialPair& pair(MaterialId a, MaterialId b) const {
    return table_[rowOf_[a.value] * stride_ + rowOf_[b.value]];
  }
  const std::string& name(MaterialId id) const { return names_[id.value]; }
  MaterialPairSpec defaultSpec() const;
  std::vector<MaterialPairSpec> pairSpecs() const;  ///< in the order they were set
  /// Whether some pair has rolling or spinning friction.
  bool haveTorsion() const;

 private:
  struct Rule {
    int first, second;
    MaterialPair pair;
  };
  void giveRow(MaterialId id);
  void fill(std::size_t stride);
  void write(const Rule& rule);

  std::vector<std::string> names_;
  std::map<std::string, int, std::less<>> ids_;
  std::vector<Rule> rules_;
  std::set<std::pair<int, int>> ruled_;  // the pairs of rules_, the lower id first
  MaterialPair default_;
  // Names without a rule of their own share row 0.
  std::vector<std::size_t> rowOf_;  // by id
  std::size_t rows_ = 1;
  std::size_t stride_ = 0;           // >= rows_ once there is a name; doubled when it is full
  std::vector<MaterialPair> table_;  // [stride][stride]
};

}  // namespace espalier
