// Height fields: MuJoCo's assets as maps of heights.

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "espalier/io/mesh/heightmap_file.h"
#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/text/text_file.h"

namespace espalier::io {
namespace {

constexpr int most_along_a_side = 1 << 14;

bool isPng(const MjcfNode& asset, const std::string& path) {
  const std::string type = asset.text("content_type");
  if (!type.empty()) return type == "image/png";
  return extensionOf(path) == ".png";
}

/// False, and an Error, where there are too few samples or too many.
bool haveSizes(const MjcfNode& asset, int rows, int columns) {
  const bool good =
      rows >= 2 && columns >= 2 && rows <= most_along_a_side && columns <= most_along_a_side &&
      static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) <= default_limits.samples;
  if (!good) {
    asset.error("a height field has " + std::to_string(rows) + " rows and " +
                    std::to_string(columns) + " columns",
                "give it two or more of both, together at most " +
                    std::to_string(default_limits.samples) + " samples");
  }
  return good;
}

/// nrow, ncol and elevation, the row of the largest y first; flat without elevation.
std::optional<HeightfieldData> readInline(const MjcfNode& asset) {
  const int rows = asset.integer("nrow", 0), columns = asset.integer("ncol", 0);
  if (!haveSizes(asset, rows, columns)) return std::nullopt;
  HeightfieldData field{columns, rows, 0, 0, {}};
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  field.heights.assign(count, 0.0);
  if (!asset.has("elevation")) return field;
  const std::vector<double> given = asset.list("elevation");
  if (given.size() != count) {
    asset.error("a height field has " + std::to_string(given.size()) + " numbers in elevation",
                "give nrow * ncol of them, the row of the largest y first");
    return std::nullopt;
  }
  for (int row = 0; row < rows; ++row) {
    std::copy_n(given.begin() + static_cast<std::ptrdiff_t>(row) * columns, columns,
                field.heights.end() - static_cast<std::ptrdiff_t>(row + 1) * columns);
  }
  return field;
}

/// MuJoCo's own format: rows, columns (int32), then the samples (float), the row of the smallest y
/// first; little endian.
std::optional<HeightfieldData> readBinary(const MjcfNode& asset, const std::string& path) {
  const Expected<std::string> bytes = readFileBytes(path, default_limits.meshFileBytes);
  if (!bytes) {
    asset.error(bytes.diagnostics().all().front().what, "correct the file's name");
    return std::nullopt;
  }
  std::int32_t sizes[2] = {0, 0};
  if (bytes->size() >= sizeof sizes) std::memcpy(sizes, bytes->data(), sizeof sizes);
  if (!haveSizes(asset, sizes[0], sizes[1])) return std::nullopt;
  HeightfieldData field{sizes[1], sizes[0], 0, 0, {}};
  const auto count = static_cast<std::size_t>(sizes[0]) * static_cast<std::size_t>(sizes[1]);
  if (bytes->size() != sizeof sizes + count * sizeof(float)) {
    asset.error("the height field's file " + shown(path) + " is not as long as its header says",
                "write it again, or as PNG");
    return std::nullopt;
  }
  std::vector<float> samples(count);
  std::memcpy(samples.data(), bytes->data() + sizeof sizes, count * sizeof(float));
  for (const float s : samples) {
    if (!std::isfinite(s)) {
      asset.error("the height field's file " + shown(path) + " has numbers that are not finite",
                  "write it again");
      return std::nullopt;
    }
  }
  field.heights.assign(samples.begin(), samples.end());
  return field;
}

std::optional<HeightfieldData> readFile(MjcfReading& reading, const MjcfNode& asset) {
  const std::string path = mjcfAssetPath(reading, asset);
  const auto found = reading.paths.find(path);
  if (!found) {
    asset.error("the height field's file " + shown(path) + " was not found",
                "correct its name; looked in " + reading.paths.toString());
    return std::nullopt;
  }
  if (!isPng(asset, path)) return readBinary(asset, found->path);
  Expected<HeightfieldData> field = readHeightmapPng(found->path, 1, 1, 1, 0);
  if (field) return std::move(field).value();
  const Diagnostic& why = field.diagnostics().all().front();
  asset.error("the height field's file " + shown(path) + ": " + why.what, why.remedy);
  return std::nullopt;
}

/// Heights from 0 to 1.
void normalise(std::vector<double>& heights) {
  const auto [least, most] = std::minmax_element(heights.begin(), heights.end());
  const double low = *least, span = *most - low;
  for (double& h : heights) h = span > 0 ? (h - low) / span : 0;
}

/// size: half of its extent along x and y, its highest height, and how far it reaches below 0,
/// which has no meaning here: it is solid below.
std::shared_ptr<const HeightfieldData> readHfield(MjcfReading& reading, const MjcfNode& asset) {
  double size[4];
  if (!asset.numbers("size", size) || !(size[0] > 0) || !(size[1] > 0) || !(size[2] > 0)) {
    asset.error("<hfield> has no size above zero",
                "give size=\"...\": half its length along x and y, its height, its base");
    return nullptr;
  }
  auto field = asset.has("file") ? readFile(reading, asset) : readInline(asset);
  if (!field) return nullptr;
  if (const auto excess = reading.files.budget().takeNumbers(field->heights.size())) {
    asset.error("with this height field " + excess->what, excess->remedy);
    return nullptr;
  }
  normalise(field->heights);
  for (double& h : field->heights) h *= size[2];
  field->xSize = 2 * size[0];
  field->ySize = 2 * size[1];
  return std::make_shared<const HeightfieldData>(std::move(*field));
}

}  // namespace

void readMjcfHfieldAsset(MjcfReading& reading, const MjcfNode& asset) {
  asset.expect({"name", "file", "content_type", "nrow", "ncol", "elevation", "size"});
  std::string name = asset.text("name");
  if (name.empty()) name = std::filesystem::path(asset.text("file")).stem().string();
  addNamed(reading.heightfields, name, readHfield(reading, asset), asset, "height field",
           "height fields");
}

std::optional<Shape> useMjcfHfield(const MjcfReading& reading, const MjcfNode& geom) {
  const auto* field =
      lookUp(reading.heightfields, geom, "hfield", "height field",
             "add an <hfield> of that name to <asset>, and name it in hfield=\"...\"");
  if (field == nullptr || *field == nullptr) return std::nullopt;  // the asset says why
  return Heightfield{*field};
}

}  // namespace espalier::io
