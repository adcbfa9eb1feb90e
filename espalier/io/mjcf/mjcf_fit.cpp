#include "espalier/io/mjcf/mjcf_fit.h"

#include <algorithm>

namespace espalier::io {
std::array<double, 3> fittedSize(const std::string& type, const std::array<double, 3>& half) {
  const double across = (half[0] + half[1]) / 2;
  if (type == "sphere") return {(half[0] + half[1] + half[2]) / 3, 0, 0};
  if (type == "capsule") return {across, std::max(0.0, half[2] - across / 2), 0};
  if (type == "cylinder") return {across, half[2], 0};
  return half;
}

}  // namespace espalier::io
