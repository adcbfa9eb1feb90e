#include "espalier/world/materials.h"

#include <algorithm>
#include <cmath>

#include "espalier/core/check.h"

namespace espalier {
namespace {

void check(const MaterialPair& pair) {
  const char* fault = faultOf(pair);
  ESPALIER_REQUIRE(!fault, fault);
}

}  // namespace

const char* faultOf(const MaterialPair& p) {
  if (!(std::isfinite(p.friction) && p.friction >= 0)) return "friction must not be negative";
  if (!(p.restitution >= 0 && p.restitution <= 1)) return "restitution lies in [0, 1]";
  if (!(p.restitutionThreshold >= 0)) return "a restitution threshold must not be negative";
  if (!(std::isfinite(p.staticFriction) && p.staticVelocity > 0))
    return "static friction must be finite, its velocity positive";
  if (!(p.rolling >= 0 && p.spinning >= 0 && std::isfinite(p.rolling + p.spinning)))
    return "rolling and spinning friction (m) must not be negative";
  return nullptr;
}

MaterialPair materialPair(const MaterialPairSpec& s) {
  return {s.friction,       s.restitution,     s.restitutionThreshold, s.staticFriction,
          s.staticVelocity, s.rollingFriction, s.spinningFriction};
}

MaterialId Materials::id(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  const auto index = static_cast<int>(found - names_.begin());
  if (found == names_.end()) {
    names_.push_back(name);
    rebuild();
  }
  return MaterialId(index);
}

void Materials::setDefault(const MaterialPair& pair) {
  check(pair);
  default_ = pair;
  rebuild();
}

void Materials::setPair(const std::string& first, const std::string& second,
                        const MaterialPair& pair) {
  check(pair);
  const int a = id(first).value, b = id(second).value;
  std::erase_if(rules_, [&](const Rule& r) {
    return (r.first == a && r.second == b) || (r.first == b && r.second == a);
  });
  rules_.push_back({a, b, pair});
  rebuild();
}

namespace {

MaterialPairSpec specOf(const std::string& first, const std::string& second,
                        const MaterialPair& p) {
  return {first,
          second,
          p.friction,
          p.restitution,
          p.restitutionThreshold,
          p.staticFriction,
          p.staticVelocity,
          p.rolling,
          p.spinning};
}

}  // namespace

MaterialPairSpec Materials::defaultSpec() const { return specOf("default", "default", default_); }

std::vector<MaterialPairSpec> Materials::pairSpecs() const {
  std::vector<MaterialPairSpec> specs;
  for (const Rule& r : rules_)
    specs.push_back(specOf(names_[static_cast<std::size_t>(r.first)],
                           names_[static_cast<std::size_t>(r.second)], r.pair));
  return specs;
}

bool Materials::haveTorsion() const {
  return std::any_of(table_.begin(), table_.end(),
                     [](const MaterialPair& p) { return p.rolling > 0 || p.spinning > 0; });
}

void Materials::rebuild() {
  const std::size_t n = names_.size();
  table_.assign(n * n, default_);
  for (const Rule& r : rules_) {
    const auto a = static_cast<std::size_t>(r.first), b = static_cast<std::size_t>(r.second);
    table_[a * n + b] = table_[b * n + a] = r.pair;
  }
}

}  // namespace espalier
