#include <memory>

#include "espalier/geometry/terrain.h"
#include "espalier/io/mesh/heightmap_file.h"
#include "espalier/io/world_xml/world_parts.h"

namespace espalier::io {
namespace {

constexpr int most_along_a_side = 1 << 14;

std::optional<Shape> asShape(HeightfieldData field) {
  return Heightfield{std::make_shared<const HeightfieldData>(std::move(field))};
}

/// x_sample, y_sample, x_size, y_size; false where one is bad (then with an Error).
bool readGrid(const Node& object, HeightfieldData& field, bool withSamples) {
  field.xSize = object.number("x_size", 10);
  field.ySize = object.number("y_size", 10);
  if (!(field.xSize > 0) || !(field.ySize > 0)) {
    object.error("the height map has no extent", "give x_size and y_size above zero, in m");
    return false;
  }
  if (!withSamples) return true;
  field.xSamples = object.integer("x_sample", 0, 2, most_along_a_side);
  field.ySamples = object.integer("y_sample", 0, 2, most_along_a_side);
  const std::size_t count =
      static_cast<std::size_t>(field.xSamples) * static_cast<std::size_t>(field.ySamples);
  if (count == 0 || count > default_limits.samples) {
    object.error("the height map needs two counts of samples, at least 2, together at most " +
                     std::to_string(default_limits.samples),
                 "give x_sample and y_sample");
    return false;
  }
  return true;
}

std::optional<Shape> readRaw(const Node& object) {
  HeightfieldData field;
  if (!readGrid(object, field, true)) return std::nullopt;
  const auto heights = object.list("height");
  if (!heights) return std::nullopt;
  const std::size_t count =
      static_cast<std::size_t>(field.xSamples) * static_cast<std::size_t>(field.ySamples);
  if (heights->size() != count) {
    object.error("the height map has " + std::to_string(heights->size()) + " heights instead of " +
                     std::to_string(count),
                 "give x_sample * y_sample heights, those of the smallest y first");
    return std::nullopt;
  }
  field.heights = *heights;
  return asShape(std::move(field));
}

std::optional<Shape> readProcedural(const Node& object, const Node& node) {
  HeightfieldData grid;
  if (!readGrid(object, grid, true)) return std::nullopt;
  node.expect({"frequency", "z_scale", "fractal_octaves", "fractal_lacunarity", "fractal_gain",
               "step_size", "seed", "height_offset"},
              {});
  TerrainProperties t;
  t.xSize = grid.xSize;
  t.ySize = grid.ySize;
  t.xSamples = grid.xSamples;
  t.ySamples = grid.ySamples;
  t.frequency = node.number("frequency", t.frequency);
  t.zScale = node.number("z_scale", t.zScale);
  constexpr int most_octaves = 30;
  t.fractalOctaves = node.integer("fractal_octaves", t.fractalOctaves, 1, most_octaves);
  t.fractalLacunarity = node.number("fractal_lacunarity", t.fractalLacunarity);
  t.fractalGain = node.number("fractal_gain", t.fractalGain);
  t.stepSize = node.number("step_size", t.stepSize);
  t.seed = static_cast<decltype(t.seed)>(node.integer("seed", 0, 0, 1 << 30));
  t.heightOffset = node.number("height_offset", t.heightOffset);
  if (t.stepSize < 0) {
    node.error("the step size of the terrain is negative", "give zero for none, or a height in m");
    return std::nullopt;
  }
  return asShape(makeTerrain(t, object.number("center_x", 0), object.number("center_y", 0)));
}

/// The first of two attributes that is there.
double either(const Node& object, const char* name, const char* alias, double fallback) {
  return object.has(name) ? object.number(name, fallback) : object.number(alias, fallback);
}

std::optional<Shape> readFromFile(WorldReading& reading, const Node& object, bool isPng) {
  HeightfieldData grid;
  if (isPng && !readGrid(object, grid, false)) return std::nullopt;
  const std::string name = object.text(isPng ? "png" : "text");
  const auto found = reading.paths.find(name);
  if (!found) {
    object.error("the terrain's file " + shown(name) + " was not found",
                 "write it as [THIS_DIR]/...; looked in " + reading.paths.toString());
    return std::nullopt;
  }
  Expected<HeightfieldData> field =
      isPng ? readHeightmapPng(found->path, grid.xSize, grid.ySize,
                               either(object, "z_scale", "height_scale", 1),
                               either(object, "z_offset", "height_offset", 0))
            : readHeightmapText(found->path);
  reading.diagnostics().append(field.diagnostics());
  if (!field) {
    object.error("the terrain's file " + shown(name) + " has errors", "see to them first");
    return std::nullopt;
  }
  return asShape(std::move(field).value());
}

std::optional<Shape> readHeights(WorldReading& reading, const Node& object) {
  if (object.has("height")) return readRaw(object);
  if (const auto terrain = object.child("terrain_properties"))
    return readProcedural(object, *terrain);
  if (object.has("png")) return readFromFile(reading, object, true);
  if (object.has("text")) return readFromFile(reading, object, false);
  object.error("the height map has no heights",
               "add height=\"...\", png=\"...\", text=\"...\" or <terrain_properties/>");
  return std::nullopt;
}

}  // namespace

std::optional<Shape> readHeightmap(WorldReading& reading, const Node& object) {
  std::optional<Shape> shape = readHeights(reading, object);
  if (!shape) return std::nullopt;
  const std::size_t samples = std::get<Heightfield>(*shape).data->heights.size();
  const auto excess = reading.options.budget->takeNumbers(samples);
  if (!excess) return shape;
  object.error("with this height map " + excess->what, excess->remedy);
  return std::nullopt;
}

Transformd readHeightmapPose(const Node& object) {
  Transformd pose = identityTransform<double>();
  pose.p = {object.number("center_x", 0), object.number("center_y", 0),
            object.number("center_z", 0)};
  object.rotation("quat", pose.R);
  return pose;
}

}  // namespace espalier::io
