#include "espalier/io/mjcf/mjcf.h"

#include <tinyxml2.h>

#include <algorithm>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/spec_links.h"
#include "espalier/io/text/xml_document.h"
#include "espalier/model/spec/check_magnitudes.h"
#include "espalier/model/spec/check_spec.h"

namespace espalier::io {
namespace {

/// The sections in the order in which they need each other, which need not be the file's.
void readSections(MjcfReading& reading, const XMLElement& root, const std::string& keyframe) {
  MjcfFiles& files = reading.files;
  reading.root = &root;
  const auto each = [&](std::string_view tag, const auto& read) {
    forEachMjcfSection(reading, tag, read);
  };
  MjcfNode(files, root).expect({"model"});
  reading.model.bodies.emplace_back().name = "world";
  reading.model.bodyOf["world"] = 0;
  each("compiler", [&](const MjcfNode& n) { readMjcfCompiler(reading, n); });
  each("option", [&](const MjcfNode& n) { readMjcfOption(reading, n); });
  each("default", [&](const MjcfNode& n) { readMjcfDefault(reading, n, nullptr); });
  each("asset", [&](const MjcfNode& n) { readMjcfAsset(reading, n); });
  each("worldbody", [&](const MjcfNode& n) { readMjcfBodies(reading, n); });
  scaleMjcfMasses(reading);
  resolveMjcfSpringDampers(reading.model);
  applyMjcfFlags(reading);
  each("tendon", [&](const MjcfNode& n) { readMjcfTendons(reading, n); });
  if (!reading.model.isOff("equality"))
    each("equality", [&](const MjcfNode& n) { readMjcfEqualities(reading, n); });
  each("actuator", [&](const MjcfNode& n) { readMjcfActuators(reading, n); });
  // Not those of attached models: their states are of these models alone.
  for (const XMLElement* e : mjcfSections(files, root, "keyframe"))
    readMjcfKeys(reading, MjcfNode(files, *e));
  startAtMjcfKey(reading, keyframe, files.reader(root));
  driveMjcfJoints(reading);
  each("contact", [&](const MjcfNode& n) { readMjcfContact(reading, n); });
  each("deformable", [&](const MjcfNode& n) { readMjcfDeformables(reading, n); });
  for (const auto& [tag, what] : {std::pair{"extension", "plugins are left out"},
                                  std::pair{"sensor", "sensors are left out"}}) {
    for (const XMLElement* e : mjcfSections(files, root, tag)) {
      MjcfNode(files, *e).once(Severity::Warning, tag,
                               std::string("<") + tag + "> is not read: " + what,
                               "nothing to do where it is not needed");
    }
  }
  XmlReader& xml = files.reader(root);
  xml.expectChildren(
      root,
      {"compiler", "option", "default", "asset", "worldbody", "equality", "actuator", "contact",
       "tendon", "deformable", "extension", "sensor", "keyframe", "include"},
      {"visual", "statistic", "size", "custom"});
}

/// Whether a keyframe has moved a mocap body.
bool startsElsewhere(const MjcfBody& body) {
  if (!body.X_WK) return false;
  const Transformd X = inverse(body.X_WB) * *body.X_WK;
  const Vec3d turned = mul(X.R, Vec3d{1, 2, 3}) - Vec3d{1, 2, 3};
  return norm(X.p) + norm(turned) > 1e-9;
}

/// Ties between bodies that are not of one system.
void remarkOnTies(MjcfReading& reading, const MjcfGroups& groups) {
  const std::vector<MjcfBody>& bodies = reading.model.bodies;
  const auto groupOf = [&](int b) { return groups.of[b]; };
  for (const MjcfLoop& loop : reading.model.loops) {
    const MjcfNode node(reading.files, *loop.element);
    const MjcfBody &a = bodies[loop.first.body], &b = bodies[loop.second.body];
    if (groupOf(loop.first.body) < 0 && groupOf(loop.second.body) < 0) {
      node.warn("the equality " + shown(loop.name) + " ties bodies that cannot move",
                "it is left out");
    } else if (a.isMocap || b.isMocap) {
      const std::string what =
          "the equality " + shown(loop.name) + " ties to a mocap body: to where it is drawn";
      const char* remedy =
          "move the body by forces, or by a joint in its place; said once for all of them";
      if (startsElsewhere(a) || startsElsewhere(b))
        node.omit("mocap tie", what, remedy);
      else
        node.once(Severity::Warning, "mocap tie as drawn", what, remedy);
    }
  }
}

/// The result of reading one text.
struct Model {
  MjcfReading reading;
  MjcfGroups groups;
  Diagnostics diagnostics;
};

Model readModel(std::string_view text, const std::string& name, const MjcfOptions& options) {
  const std::string folder = options.folder.empty() ? "." : options.folder;
  const ResourcePaths paths(folder, options.searchPaths);
  const std::shared_ptr<ReadingBudget> budget = budgetOr(options.budget);
  Model model{{MjcfFiles(folder, budget), paths, options.loadMeshes, budget}, {}, {}};
  MjcfReading& reading = model.reading;
  if (const XMLElement* root = reading.files.open(text, name)) {
    reading.model.name = reading.files.reader(*root).text(*root, "model");
    readSections(reading, *root, options.keyframe);
    model.groups = groupMjcfBodies(reading.model);
    remarkOnTies(reading, model.groups);
    classifyMjcfGeoms(reading, model.groups);
  }
  model.diagnostics = reading.files.diagnostics();
  return model;
}

bool isLooseBody(const SystemSpec& spec) {
  const bool isWelded = std::all_of(spec.joints.begin(), spec.joints.end(),
                                    [](const JointSpec& j) { return j.kind == JointKind::Fixed; });
  const bool isHeld = std::any_of(spec.links.begin(), spec.links.end(), [](const LinkSpec& link) {
    return link.gravityCompensation != 0;
  });
  return isWelded && !isHeld && !spec.medium.acts() && spec.tendons.empty() && spec.loops.empty() &&
         spec.links.front().name != "world";
}

/// A name that no object has yet.
std::string unused(std::string name, std::set<std::string>& names) {
  while (!names.insert(name).second) name += "_";
  return name;
}

void addSystems(const Model& model, const std::string& file, bool unbounded, WorldSpec& world,
                std::set<std::string>& names, Diagnostics& diagnostics) {
  for (int g = 0; g < static_cast<int>(model.groups.all.size()); ++g) {
    SystemSpec spec = buildMjcfSystem(model.reading, model.groups, g);
    spec.file = file;
    spec.unbounded = unbounded;
    checkSpec(spec, diagnostics);
    if (diagnostics.hasErrors()) continue;
    spec.name = unused(spec.name, names);
    const int top = model.groups.all[g].front();
    if (isLooseBody(spec) && massOf(spec) > 0) {
      BodySpec& body = world.bodies.emplace_back(bodyOfLinks(spec, BodyType::DYNAMIC));
      const MjcfBody& read = model.reading.model.bodies[top];
      for (const CollisionSpec& c : body.collisions)
        if (std::holds_alternative<Plane>(c.shape) || std::holds_alternative<Heightfield>(c.shape))
          diagnostics.add({Severity::Error, read.file, c.line,
                           "a " + std::string(shapeName(c.shape)) + " cannot move",
                           "put it into <worldbody>, or into a body without joints"});
      if (const auto start = mjcfFreeStart(read)) {
        body.X_WB = start->X_WB;
        body.velocity = start->velocity;
        body.angularVelocity = start->angularVelocity;
      }
    } else {
      PlacedSystemSpec placed;
      MjcfStart start = mjcfStart(model.reading.model, spec);
      placed.q = std::move(start.q);
      placed.u = std::move(start.u);
      placed.system = std::move(spec);
      world.systems.push_back(std::move(placed));
    }
  }
}

void addStatics(const Model& model, const std::string& file, WorldSpec& world,
                std::set<std::string>& names, Diagnostics& diagnostics) {
  const std::vector<MjcfBody>& bodies = model.reading.model.bodies;
  SystemSpec ground;
  ground.name = ground.file = file;
  ground.fixedBase = true;
  ground.unbounded = true;  // judged with the whole world
  ground.links.push_back(buildMjcfWorldLink(model.reading));
  checkSpec(ground, diagnostics);
  std::vector<std::string> files;  // of each of its shapes
  for (const MjcfGeom& geom : bodies.front().geoms)
    if (geom.collides()) files.push_back(geom.file);
  int number = 0;
  for (CollisionSpec& shape : ground.links.front().collisions) {
    BodySpec body;
    ++number;
    body.name = unused(shape.name.empty() ? "ground" + std::to_string(number) : shape.name, names);
    body.type = BodyType::STATIC;
    body.X_WB = shape.X_LG;
    body.line = shape.line;
    body.file = files[static_cast<std::size_t>(number) - 1];
    shape.X_LG = identityTransform<double>();
    body.collisions.push_back(std::move(shape));
    world.bodies.push_back(std::move(body));
  }
  for (const int top : bodies.front().children) {
    if (model.groups.of[top] >= 0) continue;
    SystemSpec spec = buildMjcfStatic(model.reading, top);
    const MjcfBody& body = bodies[top];
    spec.file = body.file;
    spec.unbounded = true;  // judged with the whole world
    checkSpec(spec, diagnostics);
    spec.name = unused(spec.name, names);
    BodySpec built = bodyOfLinks(spec, body.isMocap ? BodyType::KINEMATIC : BodyType::STATIC);
    if (body.X_WK) built.X_WB = *body.X_WK;
    if (!built.collisions.empty()) world.bodies.push_back(std::move(built));
  }
}

}  // namespace

bool isMjcf(std::string_view text) {
  const std::string root = rootElement(text);
  return root == "mujoco" || root == "mujocoinclude";
}

Expected<SystemSpec> parseMjcfRobot(std::string_view text, const std::string& name,
                                    const MjcfOptions& options) {
  Model model = readModel(text, name, options);
  Diagnostics& diagnostics = model.diagnostics;
  if (diagnostics.hasErrors()) return diagnostics;
  MjcfGroups& groups = model.groups;
  if (groups.all.empty()) {
    diagnostics.add({Severity::Error, name, 1, "no body of the model can move",
                     "give one a joint, or read the file as a world"});
    return diagnostics;
  }
  if (!model.reading.model.bodies.front().geoms.empty()) {
    diagnostics.add({Severity::Note, name, model.reading.model.bodies.front().geoms.front().line,
                     "the world's own shapes are not part of the robot",
                     "read the file as a world to have them"});
  }
  // Several mechanisms: side by side in one group.
  for (std::size_t g = 1; g < groups.all.size(); ++g)
    groups.all[0].insert(groups.all[0].end(), groups.all[g].begin(), groups.all[g].end());
  groups.all.resize(1);
  std::sort(groups.all[0].begin(), groups.all[0].end());
  for (int& group : groups.of) group = std::min(group, 0);
  SystemSpec spec = buildMjcfSystem(model.reading, groups, 0);
  spec.file = name;
  spec.fixedBase = options.fixedBase;
  spec.jointOrder = options.jointOrder;
  spec.unbounded = options.unbounded;
  if (!model.reading.model.name.empty()) spec.name = model.reading.model.name;
  checkSpec(spec, diagnostics);
  if (diagnostics.hasErrors()) return diagnostics;
  return {std::move(spec), std::move(diagnostics)};
}

std::optional<Vec3d> parseMjcfGravity(std::string_view text, const std::string& name,
                                      const std::string& folder) {
  const std::shared_ptr<ReadingBudget> budget = budgetOr(nullptr);
  MjcfReading reading(MjcfFiles(folder, budget), ResourcePaths(folder, {}), false, budget);
  const XMLElement* root = reading.files.open(text, name);
  if (root == nullptr) return std::nullopt;
  for (const XMLElement* e : mjcfSections(reading.files, *root, "option"))
    readMjcfOption(reading, MjcfNode(reading.files, *e));
  if (reading.files.diagnostics().hasErrors()) return std::nullopt;
  applyMjcfFlags(reading);
  return reading.model.gravity;
}

Expected<WorldSpec> parseMjcfWorld(std::string_view text, const std::string& name,
                                   const MjcfOptions& options) {
  Model model = readModel(text, name, options);
  Diagnostics& diagnostics = model.diagnostics;
  if (diagnostics.hasErrors()) return diagnostics;
  WorldSpec world;
  world.file = name;
  world.gravity = model.reading.model.gravity;
  world.timeStep = model.reading.model.timeStep;
  world.erp = 0.2;  // as a World's own: MuJoCo pushes penetrations out, too
  world.defaultMaterial = mjcfDefaultMaterial();
  world.materials = mjcfMaterialPairs(model.reading.model);
  std::set<std::string> names;
  addSystems(model, name, options.unbounded, world, names, diagnostics);
  addStatics(model, name, world, names, diagnostics);
  if (!diagnostics.hasErrors() && !options.unbounded) checkMagnitudes(world, diagnostics);
  if (diagnostics.hasErrors()) return diagnostics;
  return {std::move(world), std::move(diagnostics)};
}

}  // namespace espalier::io
