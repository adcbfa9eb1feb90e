#pragma once

// What holds of every reading, whatever the text; the fuzzers and the corpus test share it.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "espalier/geometry/hull.h"
#include "espalier/io/export/export.h"
#include "espalier/io/mesh/mesh_formats.h"
#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/spec_difference.h"
#include "espalier/io/text/template.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/model.h"
#include "espalier/model/spec/check_spec.h"

namespace espalier::fuzz {

inline void demand(bool holds, const char* what, const Diagnostics& all) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n%s", what, all.toString().c_str());
  std::abort();
}

template <class T>
void demandHonesty(const Expected<T>& result) {
  const Diagnostics& all = result.diagnostics();
  demand(result.hasValue() != all.hasErrors(), "a value, or else an Error", all);
  for (const Diagnostic& d : all.all()) {
    demand(!d.what.empty() && !d.remedy.empty() && !d.file.empty(),
           "each remark has a text, a remedy and a file", all);
  }
}

inline const std::map<std::string, std::string> parameters{
    {"a", "1"}, {"b", "-0.5"}, {"name", "leg <\"'&"}, {"sin", "2"}};

inline void readUrdf(std::string_view text) {
  io::UrdfOptions options;
  options.loadMeshes = false;
  options.parameters = parameters;
  const auto spec = io::parseUrdf(text, "<text>", options);
  demandHonesty(spec);
  if (!spec) return;
  Diagnostics again;
  checkSpec(*spec, again);
  demand(!again.hasErrors(), "what was read is well", again);
  demandHonesty(compile(*spec));
}

inline void readWorld(std::string_view text) {
  io::WorldOptions options;
  options.loadMeshes = false;
  options.parameters = parameters;
  options.folder = "/nowhere";
  // What begins otherwise is the name of a file.
  const auto world = io::loadWorld("<!---->" + std::string(text), options);
  demandHonesty(world);
  if (!world) return;
  for (const PlacedSystemSpec& placed : world->systems) demandHonesty(compile(placed.system));
  const std::string written = io::exportWorldXml(*world);
  options.parameters.clear();
  const auto again = io::loadWorld(written, options);
  demand(again.hasValue(), "what is written can be read", again.diagnostics());
  constexpr double rounding = 1e-14;
  const std::string different = io::difference(*world, *again, rounding);
  demand(different.empty(), ("it is the same: " + different).c_str(), again.diagnostics());
}

/// As a robot and as a world, by another program's reader.
template <class Options>
void readForeign(std::string_view text,
                 Expected<SystemSpec> (*robot)(std::string_view, const std::string&,
                                               const Options&),
                 Expected<WorldSpec> (*world)(std::string_view, const std::string&,
                                              const Options&)) {
  Options options;
  options.loadMeshes = false;
  options.folder = "/nowhere";
  const auto spec = robot(text, "<text>", options);
  demandHonesty(spec);
  if (spec) {
    Diagnostics again;
    checkSpec(*spec, again);
    demand(!again.hasErrors(), "what was read is well", again);
    demandHonesty(compile(*spec));
  }
  const auto all = world(text, "<text>", options);
  demandHonesty(all);
  if (!all) return;
  for (const PlacedSystemSpec& placed : all->systems) demandHonesty(compile(placed.system));
}

inline void readMjcf(std::string_view text) {
  readForeign<io::MjcfOptions>(text, io::parseMjcfRobot, io::parseMjcfWorld);
}
inline void readSdf(std::string_view text) {
  readForeign<io::SdfOptions>(text, io::parseSdfRobot, io::parseSdfWorld);
}

/// As OBJ and as STL.
inline void readMesh(std::string_view bytes) {
  for (const auto read : {io::readStl, io::readObj}) {
    const auto mesh = read(bytes, "<text>", {0.5, -2, 1e-3});
    demandHonesty(mesh);
    if (!mesh) continue;
    const auto count = static_cast<int>(mesh->vertices.size());
    for (const Vec3d& v : mesh->vertices) {
      demand(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z), "vertices are finite",
             mesh.diagnostics());
    }
    for (const auto& t : mesh->triangles) {
      for (const int v : t) demand(v >= 0 && v < count, "vertices are there", mesh.diagnostics());
    }
    const auto hull = convexHull(*mesh);
    demand(!hull || hull->faces.size() >= 4, "a hull has a volume", mesh.diagnostics());
  }
}

inline void readTemplate(std::string_view text) {
  const auto expanded = io::expandTemplate(text, parameters);
  demandHonesty(expanded);
  if (!expanded) return;
  const auto newlines = [](std::string_view s) { return std::count(s.begin(), s.end(), '\n'); };
  if (expanded->lines.empty()) {
    demand(text == expanded->text, "without a map of lines nothing has moved",
           expanded.diagnostics());
    return;
  }
  demand(newlines(expanded->text) + 1 == static_cast<long>(expanded->lines.size()),
         "each line comes from somewhere", expanded.diagnostics());
  for (const int line : expanded->lines) {
    demand(line >= 1 && line <= newlines(text) + 1, "lines come from the text",
           expanded.diagnostics());
  }
}

}  // namespace espalier::fuzz
