#include "espalier/io/world_xml/appearance.h"

#include "espalier/io/world_xml/world_node.h"

namespace espalier::io {
namespace {

struct NamedColour {
  const char* name;
  std::array<double, 4> rgba;
};

constexpr NamedColour colours[] = {
    {"red", {0.85, 0.15, 0.15, 1}},   {"green", {0.15, 0.65, 0.25, 1}},
    {"blue", {0.15, 0.35, 0.85, 1}},  {"white", {1, 1, 1, 1}},
    {"black", {0.05, 0.05, 0.05, 1}}, {"grey", {0.5, 0.5, 0.5, 1}},
    {"gray", {0.5, 0.5, 0.5, 1}},     {"yellow", {0.9, 0.8, 0.2, 1}},
    {"orange", {0.9, 0.5, 0.1, 1}},   {"purple", {0.5, 0.25, 0.7, 1}},
    {"cyan", {0.2, 0.75, 0.8, 1}},    {"magenta", {0.8, 0.2, 0.7, 1}},
    {"brown", {0.45, 0.3, 0.2, 1}},   {"hidden", {0, 0, 0, 0}},
    {"transparent", {0, 0, 0, 0}},
};

}  // namespace

std::optional<std::array<double, 4>> parseAppearance(const std::string& text) {
  for (const NamedColour& colour : colours)
    if (text == colour.name) return colour.rgba;
  const auto numbers = splitNumbers(text);
  if (!numbers || numbers->size() < 3 || numbers->size() > 4) return std::nullopt;
  std::array<double, 4> rgba{0, 0, 0, 1};
  for (std::size_t i = 0; i < numbers->size(); ++i) rgba[i] = (*numbers)[i];
  return rgba;
}

}  // namespace espalier::io
