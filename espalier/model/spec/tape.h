#pragma once

// A function of several numbers as data: a straight list of operations on numbered values, none of
// which branches. Traced from C++ by trace() (model/spec/trace.h), played for any scalar by play()
// (model/spec/play.h); may be copied, compared, hashed and written down.

#include <cstdint>
#include <string>
#include <vector>

namespace espalier {

enum class TapeOp : std::uint8_t {
  ADD,       ///< a + b
  SUBTRACT,  ///< a - b
  MULTIPLY,  ///< a b
  DIVIDE,    ///< a / b
  NEGATE,    ///< -a
  FUSED,     ///< a b + c, rounded once
  SQRT,      ///< square root of a
  SINE,      ///< sin a; the next step is its COSINE
  COSINE,    ///< cos a; stands behind the SINE of the same a, which finds both
  ATAN2      ///< the angle of the point (b, a)
};
/// How many of a, b, c an operation reads.
int operandsOf(TapeOp op);

struct Tape {
  struct Step {
    TapeOp op = TapeOp::ADD;
    int a = 0, b = 0, c = 0;  ///< values; 0 where not read
    friend bool operator==(const Step&, const Step&) = default;
  };

  // Values are numbered: the inputs, then the constants, then the results of the steps, one each.
  int inputs = 0;
  std::vector<double> constants;
  std::vector<Step> steps;
  std::vector<int> outputs;  ///< values

  int firstStep() const { return inputs + static_cast<int>(constants.size()); }
  int values() const { return firstStep() + static_cast<int>(steps.size()); }
  int rows() const { return static_cast<int>(outputs.size()); }

  /// Its first defect; empty where it can be played. Tapes made by trace() always can.
  std::string fault() const;
  /// Equal tapes have equal hashes, on every machine.
  std::uint64_t hash() const;

  friend bool operator==(const Tape&, const Tape&) = default;
};

/// The steps that one output depends on.
Tape singleRow(const Tape& tape, int row);

}  // namespace espalier
