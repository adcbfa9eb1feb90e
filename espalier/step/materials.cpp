#include "espalier/step/materials.h"

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
  const auto [place, isNew] = ids_.emplace(name, static_cast<int>(names_.size()));
  if (isNew) {
    names_.push_back(name);
    rowOf_.push_back(0);
    if (stride_ == 0) fill(1);
  }
  return MaterialId(place->second);
}

void Materials::setDefault(const MaterialPair& pair) {
  check(pair);
  default_ = pair;
  fill(stride_);
}

void Materials::setPair(const std::string& first, const std::string& second,
                        const MaterialPair& pair) {
  check(pair);
  const int a = id(first).value, b = id(second).value;
  if (!ruled_.emplace(std::min(a, b), std::max(a, b)).second) {
    std::erase_if(rules_, [&](const Rule& r) {
      return (r.first == a && r.second == b) || (r.first == b && r.second == a);
    });
  }
  giveRow(MaterialId(a));
  giveRow(MaterialId(b));
  rules_.push_back({a, b, pair});
  write(rules_.back());
}

void Materials::clearPairs() {
  rules_.clear();
  ruled_.clear();
  fill(stride_);
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
  for (const Rule& r : rules_) specs.push_back(specOf(names_[r.first], names_[r.second], r.pair));
  return specs;
}

bool Materials::haveTorsion() const {
  // The default counts where some pair has no rule.
  const bool isDefaultUsed = ruled_.size() < names_.size() * (names_.size() + 1) / 2;
  return (isDefaultUsed && default_.hasTorsion()) ||
         std::any_of(rules_.begin(), rules_.end(),
                     [](const Rule& r) { return r.pair.hasTorsion(); });
}

/// A row of its own for a material that gets its first rule.
void Materials::giveRow(MaterialId id) {
  std::size_t& row = rowOf_[id.value];
  if (row != 0) return;
  row = rows_++;
  if (rows_ > stride_) fill(2 * rows_);
}

/// The whole table anew.
void Materials::fill(std::size_t stride) {
  stride_ = stride;
  table_.assign(stride * stride, default_);
  for (const Rule& rule : rules_) write(rule);
}

void Materials::write(const Rule& rule) {
  const std::size_t a = rowOf_[rule.first];
  const std::size_t b = rowOf_[rule.second];
  table_[a * stride_ + b] = table_[b * stride_ + a] = rule.pair;
}

}  // namespace espalier
