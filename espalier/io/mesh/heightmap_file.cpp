#include "espalier/io/mesh/heightmap_file.h"

#include <algorithm>

#include "espalier/io/mesh/mesh_formats.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/text_file.h"

namespace espalier::io {
namespace {

/// Numbers one after the other, with the line each stands on.
class NumberStream {
 public:
  explicit NumberStream(std::string_view text) : rest_(text) {}

  bool isAtEnd() {
    skip();
    return rest_.empty();
  }
  std::optional<double> next() {
    skip();
    const std::size_t end = std::min(rest_.find_first_of(" \t\r\n,;"), rest_.size());
    const auto value = parseNumber(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return value;
  }
  int line() const { return line_; }

 private:
  void skip() {
    while (!rest_.empty() && std::string_view(" \t\r\n,;").find(rest_[0]) != std::string::npos) {
      line_ += rest_[0] == '\n';
      rest_.remove_prefix(1);
    }
  }
  std::string_view rest_;
  int line_ = 1;
};

/// A count of samples: whole, at least two; 0 where it is none.
int sampleCount(std::optional<double> value) {
  constexpr int most = 1 << 20;
  const bool isGood = value && *value >= 2 && *value <= most;
  const int count = isGood ? static_cast<int>(*value) : 0;
  return isGood && count == *value ? count : 0;
}

}  // namespace

Expected<HeightfieldData> readHeightmapText(const std::string& path) {
  const Expected<std::string> text = readTextFile(path);
  if (!text) return text.diagnostics();
  NumberStream numbers(*text);
  HeightfieldData field;
  field.xSamples = sampleCount(numbers.next());
  field.ySamples = sampleCount(numbers.next());
  field.xSize = numbers.next().value_or(0);
  field.ySize = numbers.next().value_or(0);
  const std::size_t count =
      static_cast<std::size_t>(field.xSamples) * static_cast<std::size_t>(field.ySamples);
  if (count == 0 || count > default_limits.samples || !(field.xSize > 0) || !(field.ySize > 0)) {
    return problem(path, "the height map does not begin with its size",
                   "begin with two counts of samples (at least 2, together at most " +
                       std::to_string(default_limits.samples) +
                       ") and two lengths in m, above zero",
                   1);
  }
  while (field.heights.size() < count) {
    if (numbers.isAtEnd()) {
      return problem(path,
                     "the height map has " + std::to_string(field.heights.size()) +
                         " heights instead of " + std::to_string(count),
                     "give xSamples * ySamples heights", numbers.line());
    }
    const std::optional<double> height = numbers.next();
    if (!height) {
      return problem(path,
                     "height " + std::to_string(field.heights.size() + 1) +
                         " of the height map is not a finite number",
                     "write heights in m", numbers.line());
    }
    field.heights.push_back(*height);
  }
  Diagnostics diagnostics;
  if (!numbers.isAtEnd()) {
    diagnostics.add({Severity::Warning, path, numbers.line(),
                     "what follows the last height is left out",
                     "give xSamples * ySamples heights, here " + std::to_string(count)});
  }
  return {std::move(field), diagnostics};
}

Expected<HeightfieldData> readHeightmapPng(const std::string& path, double xSize, double ySize,
                                           double zScale, double zOffset) {
  const Expected<GreyImage> image = readPng(path, default_limits.samples);
  if (!image) return image.diagnostics();
  if (image->width < 2 || image->height < 2) {
    return problem(path, "the picture has fewer than two pixels along a side",
                   "a terrain needs at least 2 x 2 heights");
  }
  HeightfieldData field{image->width, image->height, xSize, ySize, {}};
  field.heights.reserve(image->grey.size());
  for (int row = image->height; row-- > 0;) {  // the page's lowest row has the smallest y
    for (int column = 0; column < image->width; ++column) {
      const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(image->width) +
                      static_cast<std::size_t>(column);
      field.heights.push_back(zScale * image->grey[at] + zOffset);
    }
  }
  return field;
}

}  // namespace espalier::io
