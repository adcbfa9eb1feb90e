#pragma once

// The quadruped's stance: the joint angles of SimBenchmark's PD task.

#include <string>
#include <tuple>
#include <vector>

#include "bench/engine/engine.h"

namespace bench {

inline std::vector<Angle> stance() {
  std::vector<Angle> angles;
  for (const auto& [leg, left, front] :
       {std::tuple{"LF", 1, 1}, {"RF", -1, 1}, {"LH", 1, -1}, {"RH", -1, -1}}) {
    angles.push_back({std::string(leg) + "_HAA", 0.03 * left});
    angles.push_back({std::string(leg) + "_HFE", 0.4 * front});
    angles.push_back({std::string(leg) + "_KFE", -0.8 * front});
  }
  return angles;
}

}  // namespace bench
