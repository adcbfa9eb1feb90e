// loadRobot: which reader a robot goes to.

#include <filesystem>

#include "espalier/io/merge_hinges.h"
#include "espalier/io/mesh/decomposition.h"
#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/urdf/srdf.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/urdf/urdf_parts.h"
#include "espalier/io/urdf/xacro.h"

namespace espalier::io {
namespace {

/// in  options  with a budget
Expected<SystemSpec> loadXacro(const std::string& path, const UrdfOptions& options) {
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

Expected<SystemSpec> loadAsWritten(const std::string& pathOrText, const UrdfOptions& options) {
  const bool isText = isXmlText(pathOrText);
  const std::filesystem::path extension =
      isText ? "" : std::filesystem::path(pathOrText).extension();
  if (extension == ".xacro") return loadXacro(pathOrText, options);
  if (extension == ".urdf") return loadUrdf(pathOrText, options);
  const Expected<Source> source = openSource(pathOrText);
  if (!source) return source.diagnostics();
  const auto& [text, name, folder] = *source;
  if (isMjcf(text))
    return bounded(parseMjcfRobot(text, name, {options, folder, options.keyframe}), options.least);
  if (isSdf(text)) return bounded(parseSdfRobot(text, name, {options, folder}), options.least);
  return isText ? parseUrdf(text, name, options) : loadUrdf(pathOrText, options);
}

/// The SRDF that the options name, or that lies beside the file.
std::optional<std::string> srdfOf(const std::string& pathOrText, const SystemSpec& spec,
                                  const UrdfOptions& options) {
  if (!options.srdf.empty()) return options.srdf;
  return isXmlText(pathOrText) ? std::nullopt : findSrdf(pathOrText, spec.name);
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
  const Expected<Source> source = openSource(pathOrText);
  if (!source || !isMjcf(source->text)) return std::nullopt;
  return parseMjcfGravity(source->text, source->name, source->folder);
}

}  // namespace espalier::io
