#include "espalier/io/sdf/sdf.h"

#include <tinyxml2.h>

#include <algorithm>

#include "espalier/io/sdf/sdf_parts.h"
#include "espalier/io/spec_links.h"
#include "espalier/io/text/xml_document.h"
#include "espalier/model/spec/check_magnitudes.h"
#include "espalier/model/spec/check_spec.h"

namespace espalier::io {
namespace {

SdfReading newReading(const std::string& name, const SdfOptions& options) {
  const std::string folder = options.folder.empty() ? "." : options.folder;
  return {
      XmlReader(name),
      {ResourcePaths(folder, options.searchPaths), options.loadMeshes, budgetOr(options.budget)},
      1,
      {}};
}

/// <sdf>; null, and an Error, where the text has none.
const XMLElement* openSdf(SdfReading& reading, std::string_view text,
                          tinyxml2::XMLDocument& document) {
  if (!parseXml(reading.xml, text, "an SDF file", reading.meshes.budget(), document))
    return nullptr;
  const XMLElement* root = rootOf(reading.xml, document, {"sdf"},
                                  "an SDF file has <sdf version=...> as its outermost element");
  if (root == nullptr) return nullptr;
  reading.xml.expectAttributes(*root, {"version"});
  reading.version = reading.xml.requiredNumber(*root, "version", 1.6);
  // 1.10 comes after 1.9.
  const std::string version = reading.xml.text(*root, "version");
  if (version.size() > 3 && version.substr(0, 3) == "1.1") reading.version = 1.9;
  return root;
}

SystemSpec buildSystem(SdfReading& reading, const SdfNode& node, SdfModel model) {
  const bool isStatic = model.isStatic;
  if (model.links.empty()) {
    node.error("the model has no links", "add at least one <link name=...>");
    return {};
  }
  SystemSpec spec;
  if (isStatic) {
    // A static model needs no joints.
    for (LinkSpec& link : model.links) {
      const Transformd X = model.frames.find(link.name);
      for (CollisionSpec& c : link.collisions) c.X_LG = X * c.X_LG;
      for (VisualSpec& v : link.visuals) v.X_LG = X * v.X_LG;
      if (spec.links.empty()) {
        spec.links.push_back(std::move(link));
        continue;
      }
      LinkSpec& first = spec.links.front();
      std::move(link.collisions.begin(), link.collisions.end(),
                std::back_inserter(first.collisions));
      std::move(link.visuals.begin(), link.visuals.end(), std::back_inserter(first.visuals));
    }
    spec.name = model.name;
    spec.X_WB = model.X_WM;
    spec.fixedBase = true;
  } else {
    spec = buildSdfSystem(std::move(model), reading.xml);
  }
  spec.file = reading.xml.file();
  return spec;
}

/// <frame>s of a world. `attached_to` says where one lies that has no `relative_to`.
SdfFrames readFrames(const SdfNode& world) {
  SdfFrames frames;
  for (const SdfNode& frame : world.children("frame")) {
    const auto pose = frame.child("pose");
    std::string onto = pose ? pose->attribute("relative_to") : "";
    if (onto.empty()) onto = frame.attribute("attached_to");
    frames.add(frame.attribute("name"), onto == "world" ? "" : onto, frame.pose(), frame);
  }
  return frames;
}

/// The model's pose in the world; an Error where it is relative to what is not there.
void place(SdfModel& model, SdfFrames& frames, const SdfNode& node) {
  if (model.relativeTo.empty()) return;
  if (!frames.has(model.relativeTo)) {
    node.error("the model is placed relative to " + shown(model.relativeTo) +
                   ", which is no frame of the world that is known here",
               "name a <frame> of the world; or, in a file that is read as a world, a model");
  }
  model.X_WM = frames.find(model.relativeTo) * model.X_WM;
}

/// The first <model>, of the file or of its first world.
const XMLElement* findModel(SdfReading& reading, const XMLElement& sdf) {
  const XMLElement* model = sdf.FirstChildElement("model");
  const XMLElement* world = sdf.FirstChildElement("world");
  if (model == nullptr && world != nullptr) model = world->FirstChildElement("model");
  if (model == nullptr) {
    reading.xml.error(sdf.GetLineNum(), "there is no <model> in it", "add one");
  } else if (const XMLElement* more = model->NextSiblingElement("model")) {
    reading.xml.warn(more->GetLineNum(), "a second <model> is left out of the robot",
                     "read the file as a world to have them all");
  }
  return model;
}

void readPhysics(const SdfNode& world, WorldSpec& out) {
  out.gravity = world.vector("gravity", out.gravity);
  const auto physics = world.child("physics");
  if (!physics) return;
  out.gravity = physics->vector("gravity", out.gravity);  // until SDF 1.5
  const double step = physics->number("max_step_size", out.timeStep);
  if (step > 0)
    out.timeStep = step;
  else
    physics->error("<max_step_size> is not above zero", "write it in seconds, such as 0.001");
}

bool isLoose(const SystemSpec& spec) {
  return spec.joints.empty() && spec.loops.empty() && spec.links.front().name != "world";
}

void addModel(SdfReading& reading, const SdfNode& node, SdfModel model,
              std::set<std::string>& names, bool unbounded, WorldSpec& world) {
  SystemSpec spec = buildSystem(reading, node, std::move(model));
  if (spec.links.empty()) return;
  spec.unbounded = unbounded;
  checkSpec(spec, reading.xml.diagnostics());
  if (reading.xml.diagnostics().hasErrors()) return;
  while (!names.insert(spec.name).second) spec.name += "_";
  if (spec.fixedBase)
    world.bodies.push_back(bodyOfLinks(spec, BodyType::STATIC));
  else if (isLoose(spec) && massOf(spec) > 0)
    world.bodies.push_back(bodyOfLinks(spec, BodyType::DYNAMIC));
  else
    world.systems.push_back({std::move(spec), {}, {}});
}

}  // namespace

bool isSdf(std::string_view text) { return rootElement(text) == "sdf"; }

bool isSdfWorld(std::string_view text) {
  if (!isSdf(text)) return false;
  tinyxml2::XMLDocument document;
  ReadingBudget budget;
  XmlReader remarks("");  // the caller has its own when it reads the text
  if (!parseXml(remarks, text, "an SDF file", budget, document)) return false;
  const XMLElement* root = document.RootElement();
  return root != nullptr && root->FirstChildElement("world") != nullptr;
}

Expected<SystemSpec> parseSdfRobot(std::string_view text, const std::string& name,
                                   const SdfOptions& options) {
  SdfReading reading = newReading(name, options);
  Diagnostics& diagnostics = reading.xml.diagnostics();
  tinyxml2::XMLDocument document;
  const XMLElement* sdf = openSdf(reading, text, document);
  const XMLElement* model = sdf == nullptr ? nullptr : findModel(reading, *sdf);
  if (model == nullptr) return diagnostics;
  const SdfNode node(reading.xml, *model);
  SdfModel read = readSdfModel(reading, node);
  SdfFrames frames = readFrames(SdfNode(reading.xml, *model->Parent()->ToElement()));
  place(read, frames, node);
  SystemSpec spec = buildSystem(reading, node, std::move(read));
  if (spec.links.empty()) return diagnostics;
  spec.fixedBase = spec.fixedBase || options.fixedBase;
  spec.jointOrder = options.jointOrder;
  spec.unbounded = options.unbounded;
  checkSpec(spec, diagnostics);
  if (diagnostics.hasErrors()) return diagnostics;
  return {std::move(spec), std::move(diagnostics)};
}

Expected<WorldSpec> parseSdfWorld(std::string_view text, const std::string& name,
                                  const SdfOptions& options) {
  SdfReading reading = newReading(name, options);
  Diagnostics& diagnostics = reading.xml.diagnostics();
  tinyxml2::XMLDocument document;
  const XMLElement* sdf = openSdf(reading, text, document);
  if (sdf == nullptr) return diagnostics;
  const XMLElement* found = sdf->FirstChildElement("world");
  const SdfNode world(reading.xml, found != nullptr ? *found : *sdf);
  world.expect({"model", "gravity", "physics", "include", "joint", "frame"},
               {"light", "scene", "gui", "plugin", "state", "audio", "wind", "atmosphere", "actor",
                "magnetic_field", "spherical_coordinates", "road", "population"});
  WorldSpec spec;
  spec.file = name;
  spec.timeStep = 0.001;  // SDF's own
  spec.gravity = {0, 0, -9.8};
  readPhysics(world, spec);
  std::set<std::string> names;
  SdfFrames frames = readFrames(world);
  std::vector<std::pair<SdfNode, SdfModel>> models;
  for (const SdfNode& node : world.children("model")) {
    const SdfModel& model = models.emplace_back(node, readSdfModel(reading, node)).second;
    if (!frames.has(model.name)) frames.add(model.name, model.relativeTo, model.X_WM, node);
  }
  for (auto& [node, model] : models) {
    place(model, frames, node);
    addModel(reading, node, std::move(model), names, options.unbounded, spec);
  }
  for (const char* tag : {"include", "joint"}) {
    for (const SdfNode& node : world.children(tag)) {
      node.once(Severity::Warning, tag, std::string("<") + tag + "> is not read in a world",
                "write the model itself in its place; said once for all of its kind");
    }
  }
  spec.defaultMaterial.friction = 1;
  spec.materials = sdfMaterialPairs(reading.frictions);
  if (!diagnostics.hasErrors() && !options.unbounded) checkMagnitudes(spec, diagnostics);
  if (diagnostics.hasErrors()) return diagnostics;
  return {std::move(spec), std::move(diagnostics)};
}

}  // namespace espalier::io
