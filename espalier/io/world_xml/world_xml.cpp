#include "espalier/io/world_xml/world_xml.h"

#include <tinyxml2.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "espalier/io/mesh/decomposition.h"
#include "espalier/io/mesh/hull_vertices.h"
#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/text/root_element.h"
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

bool isText(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);
  text = trimmed(text);
  return !text.empty() && text.front() == '<';
}

bool isWorldTag(std::string_view tag) { return tag == "raisim" || tag == "espalier"; }

std::string folderOf(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

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
      if (const XMLElement* root = findRoot(reading.file.xml, document))
        readRoot(reading, Node(reading.file, *root));
    }
    diagnostics.append(reading.diagnostics());
  }

  WorldSpec world;
  Diagnostics diagnostics;

 private:
  static const XMLElement* findRoot(XmlReader& xml, const tinyxml2::XMLDocument& document) {
    const XMLElement* root = document.RootElement();
    if (root != nullptr && isWorldTag(root->Name())) return root;
    xml.error(root == nullptr ? 1 : root->GetLineNum(),
              root == nullptr ? "there is no element in it"
                              : "the outermost element is " + shown(root->Name()),
              "a world has <raisim> or <espalier> as its outermost element");
    return nullptr;
  }

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

/// Options of another program's reader, MjcfOptions or SdfOptions, for a world.
template <class Options>
Options foreignOptions(const std::string& folder, const WorldOptions& options) {
  Options foreign;
  foreign.searchPaths = options.searchPaths;
  foreign.loadMeshes = options.loadMeshes;
  foreign.folder = folder;
  foreign.budget = options.budget;
  foreign.unbounded = options.unbounded;
  return foreign;
}

/// An Error where a keyframe is asked of a file that cannot have one.
Diagnostics refusedKeyframe(const std::string& name, const WorldOptions& options) {
  Diagnostics diagnostics;
  if (!options.keyframe.empty()) {
    diagnostics.add({Severity::Error, name, 0, "only MuJoCo's files have keyframes",
                     "give the world's robots a <state qpos=... qvel=.../>"});
  }
  return diagnostics;
}

/// A world of another program's; none where the text is not one.
std::optional<Expected<WorldSpec>> loadForeign(std::string_view text, const std::string& name,
                                               const std::string& folder,
                                               const WorldOptions& options) {
  if (isMjcf(text)) {
    auto foreign = foreignOptions<MjcfOptions>(folder, options);
    foreign.keyframe = options.keyframe;
    return parseMjcfWorld(text, name, foreign);
  }
  if (isSdf(text) && !options.keyframe.empty()) return refusedKeyframe(name, options);
  if (isSdf(text)) return parseSdfWorld(text, name, foreignOptions<SdfOptions>(folder, options));
  return std::nullopt;
}

Expected<WorldSpec> read(const std::string& fileOrText, const WorldOptions& options) {
  if (isText(fileOrText)) {
    if (auto world = loadForeign(fileOrText, "<text>", options.folder, options))
      return *std::move(world);
  } else if (const auto text = readTextFile(fileOrText)) {
    if (auto world = loadForeign(*text, fileOrText, folderOf(fileOrText), options))
      return *std::move(world);
  }
  Loader loader(options);
  loader.diagnostics.append(refusedKeyframe(isText(fileOrText) ? "<text>" : fileOrText, options));
  if (isText(fileOrText)) {
    loader.readText(fileOrText, "<text>", options.folder);
    loader.world.file = "<text>";
  } else {
    loader.readFile(fileOrText);
    loader.world.file = fileOrText;
  }
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
  std::string text = fileOrText;
  if (!isText(text)) {
    const Expected<std::string> file = readTextFile(fileOrText);
    if (!file) return false;
    text = *file;
  }
  return isWorldTag(rootElement(text)) || isMjcf(text) || isSdfWorld(text);
}

}  // namespace espalier::io
