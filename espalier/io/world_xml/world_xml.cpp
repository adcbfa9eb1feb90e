#include "espalier/io/world_xml/world_xml.h"

#include <tinyxml2.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "espalier/io/mesh/decomposition.h"
#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/text/template.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_document.h"
#include "espalier/io/urdf/own_parameters.h"
#include "espalier/io/world_xml/world_parts.h"
#include "espalier/model/spec/check_magnitudes.h"

namespace espalier::io {
namespace {

using Parameters = std::map<std::string, std::string>;
namespace fs = std::filesystem;

constexpr std::string_view kind_of_file = "a world file";

bool isWorldTag(std::string_view tag) { return tag == "raisim" || tag == "espalier"; }

/// Reads one world and those it includes into one WorldSpec.
class Loader {
 public:
  /// options: with a budget.
  explicit Loader(const WorldOptions& options) : options_(options) {}

  void readFile(const std::string& path) {
    const Expected<std::string> text = readTextFile(path, *options_.budget);
    diagnostics.append(text.diagnostics());
    if (!text) return;
    open_.push_back(path);
    readText(*text, path, folderOf(path));
    open_.pop_back();
  }

  void readText(std::string_view text, const std::string& name, const std::string& folder) {
    Parameters parameters = options_.parameters;
    if (!addOwn(text, name, folder, parameters)) return;
    Expected<ExpandedText> expanded = expandTemplate(text, parameters, name, *options_.budget);
    diagnostics.append(expanded.diagnostics());
    if (!expanded) return;

    std::vector<std::string> folders = options_.searchPaths;
    folders.push_back(".");
    const ResourcePaths paths(folder, folders);
    WorldReading reading{{XmlReader(name, std::move(expanded->lines)), folder},
                         paths,
                         {paths, options_.loadMeshes, options_.budget},
                         options_,
                         world,
                         names_,
                         materials_,
                         {}};
    tinyxml2::XMLDocument document;
    if (parseXml(reading.file.xml, expanded->text, kind_of_file, *options_.budget, document)) {
      const XMLElement* root =
          rootOf(reading.file.xml, document, {"raisim", "espalier"},
                 "a world has <raisim> or <espalier> as its outermost element");
      if (root != nullptr) readRoot(reading, Node(reading.file, *root));
    }
    diagnostics.append(reading.diagnostics());
  }

  WorldSpec world;
  Diagnostics diagnostics;

 private:
  /// The file's own <params>, which win over the given ones.
  bool addOwn(std::string_view text, const std::string& name, const std::string& folder,
              Parameters& parameters) {
    const OwnParameters own =
        readOwnParameters(text, options_.parameters, Precedence::Own, kind_of_file, name, folder,
                          *options_.budget, diagnostics);
    for (const OwnParameter& p : own.all) {
      const auto given = options_.parameters.find(p.name);
      if (given != options_.parameters.end() && given->second != p.value) {
        diagnostics.add({Severity::Warning, name, p.line,
                         "the parameter " + shown(p.name) + " is given as " + shown(given->second) +
                             ", but the file's own <params> say " + shown(p.value) +
                             ", which holds",
                         "take it out of <params> to set it from outside"});
      }
      parameters[p.name] = p.value;
    }
    return own.isXml;
  }

  void readRoot(WorldReading& reading, const Node& root) {
    root.expect({"version"}, {"params", "include", "material", "gravity", "time_step", "timestep",
                              "erp", "object_class", "objects", "wire", "tendon", "tendon_coupling",
                              "camera", "simulation"});
    const std::vector<Node> all = root.children();
    for (const Node& node : all) {
      if (node.tag() == "object_class") readClasses(reading, node);
      if (node.tag() == "include") include(reading, node);
    }
    for (const Node& node : all) readSection(reading, node);
  }

  void readSection(WorldReading& reading, const Node& node) {
    const std::string tag = node.tag();
    if (tag == "params") readParameters(node);  // taken up before; here for its remarks
    if (tag == "material") readMaterials(reading, node);
    if (tag == "gravity") readGravity(reading, node);
    if (tag == "time_step" || tag == "timestep") readTimeStep(reading, node);
    if (tag == "erp") readErp(reading, node);
    if (tag == "objects") readObjects(reading, node);
    const std::string remark = "<" + tag + "> is read, not simulated";
    if (tag == "wire" || tag == "tendon" || tag == "tendon_coupling")
      node.omit(remark, "expect other motion where it would pull");
    if (tag == "camera" || tag == "simulation")
      node.once(Severity::Warning, remark, "nothing to do; it is not of the world's physics here");
  }

  static void readClasses(WorldReading& reading, const Node& classes) {
    for (const Node& node : classes.children()) {
      if (!node.has("type")) {
        node.error("the object class " + shown(node.spelled()) + " has no type",
                   "add type=\"sphere\", or another kind of object");
      }
      reading.classes[node.spelled()] = &node.element();
    }
  }

  void include(WorldReading& reading, const Node& node) {
    node.expect({"value", "exist"}, {});
    if (!node.flag("exist", true)) return;
    if (options_.budget->isSpent()) return;  // there is an Error already
    const std::string name = node.text("value");
    const auto found = reading.paths.find(name);
    if (!found) {
      node.error("the included world " + shown(name) + " was not found",
                 "write it as [THIS_DIR]/...; looked in " + reading.paths.toString());
      return;
    }
    const bool isOpen = std::any_of(open_.begin(), open_.end(), [&](const std::string& path) {
      std::error_code code;
      return fs::equivalent(path, found->path, code);
    });
    const auto deepest = static_cast<std::size_t>(options_.budget->limits().depth);
    if (isOpen || open_.size() >= deepest) {
      node.error(isOpen ? "the world " + shown(name) + " includes itself"
                        : "worlds include each other too deeply",
                 "take the <include> out");
      return;
    }
    readFile(found->path);
  }

  const WorldOptions& options_;
  std::vector<std::string> open_;  ///< files that are being read
  std::set<std::string> names_;
  std::set<std::string> materials_;
};

Expected<WorldSpec> read(const std::string& fileOrText, const WorldOptions& options) {
  const Expected<Source> source = openSource(fileOrText, options.folder);
  if (!source) return source.diagnostics();
  const auto& [text, name, folder] = *source;
  if (isMjcf(text)) return parseMjcfWorld(text, name, {{{options}}, folder, options.keyframe});
  if (!options.keyframe.empty()) {
    return problem(name, "only MuJoCo's files have keyframes",
                   "give the world's robots a <state qpos=... qvel=.../>");
  }
  if (isSdf(text)) return parseSdfWorld(text, name, {{{options}}, folder});
  Loader loader(options);
  if (isXmlText(fileOrText))
    loader.readText(text, name, folder);
  else
    loader.readFile(fileOrText);
  loader.world.file = name;
  if (!loader.diagnostics.hasErrors() && !options.unbounded)
    checkMagnitudes(loader.world, loader.diagnostics);
  if (loader.diagnostics.hasErrors()) return loader.diagnostics;
  return {std::move(loader.world), std::move(loader.diagnostics)};
}

}  // namespace

Expected<WorldSpec> loadWorld(const std::string& fileOrText, const WorldOptions& given) {
  WorldOptions options = given;
  options.budget = budgetOr(given.budget);
  Expected<WorldSpec> world = read(fileOrText, options);
  if (!world) return world;
  Diagnostics all = world.diagnostics();
  WorldSpec spec = std::move(world).value();
  Decompositions decompositions(*options.budget, all);
  for (PlacedSystemSpec& placed : spec.systems) {
    decompositions.apply(placed.system);
    setHullVertices(placed.system, options.hullVertices);
  }
  for (BodySpec& body : spec.bodies) {
    decompositions.apply(body);
    setHullVertices(body.collisions, options.hullVertices);
  }
  return {std::move(spec), std::move(all)};
}

bool isWorld(const std::string& fileOrText) {
  const Expected<Source> source = openSource(fileOrText);
  if (!source) return false;
  const std::string& text = source->text;
  return isWorldTag(rootElement(text)) || isMjcf(text) || isSdfWorld(text);
}

}  // namespace espalier::io
