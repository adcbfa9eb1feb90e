#pragma once

// Budget of one reading: bounds on the files named by a user, and on their expansion.
// All bounds of the readers of robots, worlds, meshes and terrains stand here.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace espalier::io {

struct ReadingLimits {
  // one file
  std::size_t fileBytes = std::size_t{64} << 20;       ///< of a text file or a picture
  std::size_t meshFileBytes = std::size_t{256} << 20;  ///< of a mesh file
  std::size_t triangles = std::size_t{4} << 20;        ///< of one mesh
  std::size_t samples = std::size_t{16} << 20;         ///< heights of one terrain
  std::size_t attributes = 256;                        ///< of one XML element
  std::size_t parameterBytes = std::size_t{64} << 10;  ///< of the value of one parameter
  int depth = 16;                                      ///< includes in includes, arrays in arrays
  // a file together with all that it includes, names and repeats
  std::size_t textBytes = std::size_t{128} << 20;  ///< as read from files and as filled in
  std::size_t elements = std::size_t{4} << 20;     ///< XML elements and comments
  std::size_t files = 4096;                        ///< text files: worlds, robots, includes
  std::size_t numbers = std::size_t{512} << 20;    ///< of meshes and terrains
  std::size_t materials = 1024;                    ///< names in pairs of contact materials
};

inline constexpr ReadingLimits default_limits{};

/// Counts what one reading takes up, all of its files together. One reading uses it at a time.
class ReadingBudget {
 public:
  explicit ReadingBudget(const ReadingLimits& limits = {}) : limits_(limits) {}

  /// A bound that is exceeded, with the remedy.
  struct Excess {
    std::string what, remedy;
  };
  /// Each adds to its count. Once a bound is exceeded, every later call of the same kind returns
  /// the excess, too.
  std::optional<Excess> takeText(std::size_t bytes);
  std::optional<Excess> takeElements(std::size_t count);
  std::optional<Excess> takeFile();
  std::optional<Excess> takeNumbers(std::size_t count);

  /// Whether some bound is exceeded: whoever took last has said so, and reading may end.
  bool isSpent() const {
    return text_ > limits_.textBytes || elements_ > limits_.elements || files_ > limits_.files ||
           numbers_ > limits_.numbers;
  }
  /// Bytes of text that may still be taken.
  std::size_t textLeft() const { return text_ > limits_.textBytes ? 0 : limits_.textBytes - text_; }
  const ReadingLimits& limits() const { return limits_; }

 private:
  ReadingLimits limits_;
  std::size_t text_ = 0, elements_ = 0, files_ = 0, numbers_ = 0;
};

/// The budget itself, or a new one of the default limits where it is null.
inline std::shared_ptr<ReadingBudget> budgetOr(std::shared_ptr<ReadingBudget> budget) {
  return budget ? std::move(budget) : std::make_shared<ReadingBudget>();
}

}  // namespace espalier::io
