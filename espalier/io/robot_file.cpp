// loadRobot: which reader a robot goes to.

#include <filesystem>

#include "espalier/io/merge_hinges.h"
#include "espalier/io/mesh/decomposition.h"
#include "espalier/io/mesh/hull_vertices.h"
#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/urdf/srdf.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/urdf/urdf_text.h"
#include "espalier/io/urdf/xacro.h"

namespace espalier::io {
namespace {

bool isText(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);
  text = trimmed(text);
  return !text.empty() && text.front() == '<';
}

std::string folderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Expected<SystemSpec> loadXacro(const std::string& path, const UrdfOptions& given) {
  UrdfOptions options = given;
  options.budget = budgetOr(given.budget);
  const Expected<std::string> text =
      expandXacro(path, options.parameters, ResourcePaths(folderOf(path), options.searchPaths),
                  *options.budget);
  if (!text) return text.diagnostics();
  // Lines are those of the expanded text.
  Expected<SystemSpec> spec = parseUrdfText(*text, path + " (expanded)", folderOf(path), options);
  if (spec) spec->file = path;
  return spec;
}

/// The same robot with the least inertia that was asked for.
Expected<SystemSpec> bounded(Expected<SystemSpec> robot, const LeastInertia& least) {
  if (!robot) return robot;
  Diagnostics all = robot.diagnostics();
  SystemSpec spec = std::move(robot).value();
  boundInertias(spec, least, all);
  return {std::move(spec), std::move(all)};
}

/// A robot of MuJoCo's or Gazebo's; none where the text is neither.
std::optional<Expected<SystemSpec>> loadForeign(std::string_view text, const std::string& name,
                                                const std::string& folder,
                                                const UrdfOptions& options) {
  if (isMjcf(text)) {
    return bounded(
        parseMjcfRobot(text, name,
                       {options.searchPaths, options.loadMeshes, folder, options.fixedBase,
                        options.jointOrder, options.budget, options.unbounded, options.keyframe}),
        options.least);
  }
  if (isSdf(text)) {
    return bounded(
        parseSdfRobot(text, name,
                      {options.searchPaths, options.loadMeshes, folder, options.fixedBase,
                       options.jointOrder, options.budget, options.unbounded}),
        options.least);
  }
  return std::nullopt;
}

Expected<SystemSpec> loadAsWritten(const std::string& pathOrText, const UrdfOptions& options) {
  if (isText(pathOrText)) {
    if (auto robot = loadForeign(pathOrText, "<text>", ".", options)) return *std::move(robot);
    return parseUrdf(pathOrText, "<text>", options);
  }
  const std::filesystem::path extension = std::filesystem::path(pathOrText).extension();
  if (extension == ".xacro") return loadXacro(pathOrText, options);
  if (extension != ".urdf") {
    const Expected<std::string> text = readTextFile(pathOrText);
    if (text) {
      auto robot = loadForeign(*text, pathOrText, folderOf(pathOrText), options);
      if (robot) return *std::move(robot);
    }
  }
  return loadUrdf(pathOrText, options);
}

/// The SRDF that the options name, or that lies beside the file.
std::optional<std::string> srdfOf(const std::string& pathOrText, const SystemSpec& spec,
                                  const UrdfOptions& options) {
  if (!options.srdf.empty()) return options.srdf;
  return isText(pathOrText) ? std::nullopt : findSrdf(pathOrText, spec.name);
}

}  // namespace

Expected<SystemSpec> loadRobot(const std::string& pathOrText, const UrdfOptions& given) {
  UrdfOptions options = given;
  options.budget = budgetOr(given.budget);
  Expected<SystemSpec> robot = loadAsWritten(pathOrText, options);
  if (!robot) return robot;
  Diagnostics all = robot.diagnostics();
  SystemSpec spec = std::move(robot).value();
  if (!options.keepsHinges) mergeHinges(spec, all);
  Decompositions(*options.budget, all).apply(spec);
  setHullVertices(spec, options.hullVertices);
  if (const auto srdf = srdfOf(pathOrText, spec, options))
    all.append(applySrdfFile(*srdf, spec, *options.budget));
  if (all.hasErrors()) return all;
  return {std::move(spec), std::move(all)};
}

std::optional<Vec3d> loadGravity(const std::string& pathOrText) {
  const auto gravity = [](std::string_view text, const std::string& name,
                          const std::string& folder) -> std::optional<Vec3d> {
    if (!isMjcf(text)) return std::nullopt;
    return parseMjcfGravity(text, name, folder);
  };
  if (isText(pathOrText)) return gravity(pathOrText, "<text>", ".");
  const Expected<std::string> text = readTextFile(pathOrText);
  if (!text) return std::nullopt;
  return gravity(*text, pathOrText, folderOf(pathOrText));
}

}  // namespace espalier::io
