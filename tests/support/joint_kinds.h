#pragma once

// The parameter of tests that run over every joint kind, on a fixed and on a floating base.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/random_tree.h"

namespace espalier::testing {

struct KindCase {
  JointKind kind;
  bool floating;
  /// A tree of joints of this kind only.
  RandomTree tree(std::uint64_t seed, int bodies = 5) const {
    return randomTree(seed, {.bodies = bodies, .floating = floating, .kinds = {kind}});
  }
};

inline std::vector<KindCase> everyKind() {
  std::vector<KindCase> all;
  for (const JointKindInfo& k : joint_kinds)
    if (k.kind != JointKind::Fixed) all.push_back({k.kind, false}), all.push_back({k.kind, true});
  return all;
}

inline std::string kindName(const ::testing::TestParamInfo<KindCase>& p) {
  return std::string(info(p.param.kind).name) + (p.param.floating ? "_floating" : "_fixed");
}

}  // namespace espalier::testing
