#include "espalier/io/mesh/mesh_formats.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "espalier/io/mesh/mesh_builder.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/text_file.h"

namespace espalier::io {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;

struct Material {
  std::string name;
  std::optional<std::array<double, 3>> diffuse;
  double opacity = 1;
};

std::optional<double> nextNumber(std::string_view& rest) { return parseNumber(nextWord(rest)); }

std::optional<std::array<double, 3>> color(std::string_view rest) {
  std::array<double, 3> rgb;
  for (double& part : rgb) {
    const std::optional<double> number = nextNumber(rest);
    if (!number) return std::nullopt;
    part = *number;
  }
  return rgb;
}

void keep(const Material& material, std::map<std::string, Rgba8>& out) {
  if (!material.diffuse) return;
  const auto& [r, g, b] = *material.diffuse;
  out.insert_or_assign(material.name, rgba8({r, g, b, material.opacity}));
}

}  // namespace

std::map<std::string, Rgba8> parseMtl(std::string_view text) {
  std::map<std::string, Rgba8> found;
  Material material;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view keyword = nextWord(line);
    if (keyword == "newmtl") {
      keep(material, found);
      material = {std::string(trimmed(line)), std::nullopt, 1};
    } else if (keyword == "Kd") {
      material.diffuse = color(line);
    } else if (keyword == "d") {
      material.opacity = nextNumber(line).value_or(1);
    } else if (keyword == "Tr") {
      material.opacity = 1 - nextNumber(line).value_or(0);
    }
  }
  keep(material, found);
  return found;
}

std::map<std::string, Rgba8> readMtl(const std::string& objFile, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(objFile).parent_path() / name;
  const Expected<std::string> text = readFileBytes(path.string(), most_bytes);
  return text ? parseMtl(*text) : std::map<std::string, Rgba8>{};
}

}  // namespace espalier::io
