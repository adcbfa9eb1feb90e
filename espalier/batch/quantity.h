#pragma once

// What an observation is made of: entries, each a named quantity of some joints, frames or bodies, scaled,
// shifted and clipped. The table of all kinds of quantities stands here.

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

/// How the numbers of a quantity are found.
enum class QuantitySource {
  ROWS,              ///< rows of the batch (BatchData), as they are
  TORQUE,            ///< that motors command at the present state, within its limits
  ARRAY,             ///< an array of the caller's
  POSITION,          ///< of a frame
  QUATERNION,        ///< frame to world, w >= 0
  ROTATION,          ///< R_WF, row after row
  VELOCITY,          ///< of a frame's origin
  ANGULAR_VELOCITY,  ///< of a frame
  GRAVITY,           ///< unit vector along gravity, in a frame
  CONTACT,           ///< 1 where the contact force on a body is larger than a threshold, else 0
  CONTACT_FORCE,     ///< on a body
  HEIGHTS,           ///< of the ground around a frame
};

/// What a quantity is asked of.
enum class QuantitySubject { WORLD, COORDINATES, DOFS, TENDONS, BODIES, FRAMES };

/// One kind of quantity.
struct QuantityInfo {
  std::string_view name;
  QuantitySubject subject;
  QuantitySource source;
  bool hasAxes = false;  ///< a vector, which Quantity::isLocal turns into the frame
  std::array<std::string_view, 9> columns{};  ///< of one subject, in names; none: one column
  std::string_view rows = {};                 ///< the BatchData that are read; empty: `name`
};

/// All kinds, the most used first.
std::span<const QuantityInfo> quantityTable();

/// An array [n][columns] of the caller's, read at each observation; in strides of bytes.
struct ObservedArray {
  enum class Type { FLOAT, DOUBLE, INT32, INT64, BOOL };
  const void* data = nullptr;
  Type type = Type::FLOAT;
  int worlds = 0, columns = 0;
  std::ptrdiff_t worldStride = 0, columnStride = 0;
};

/// What becomes of the numbers of a quantity.
enum class Reduction {
  NONE,     ///< a column each
  SQUARES,  ///< one column: the sum of their squares
  LARGEST,  ///< one column: the largest magnitude
};

/// One entry of an observation. With y = scale (x - minus) + offset for each number x of it, a column is
/// clip(y + noise), or clip(reduction of all y + noise).
struct Quantity {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  std::string name;               ///< of the table
  std::vector<std::string> of{};  ///< joints (or single coordinates), links or frames; empty: all
                                  ///< joints or bodies, the base's frame
  bool isLocal = false;           ///< vectors in the frame's axes instead of the world's
  std::vector<double> scale{1};   ///< one number, or one a column
  std::vector<double> offset{0};  ///< likewise
  double low = -infinity, high = infinity;
  double threshold = 0;  ///< N, of "contact"
  /// m, where "heights" looks: x forward and y to the left of the frame, turned by its yaw alone.
  std::vector<std::array<double, 2>> points{};
  ObservedArray array{};  ///< of "array"
  ObservedArray minus{};  ///< as many columns as there are numbers; none: zero
  Reduction reduction = Reduction::NONE;
  std::string label{};  ///< in place of `name` in the columns' names
};

}  // namespace espalier
