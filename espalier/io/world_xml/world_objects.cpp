#include <tinyxml2.h>

#include <set>

#include "espalier/io/text/rotation_text.h"
#include "espalier/io/world_xml/world_parts.h"
#include "espalier/model/spec/check_magnitudes.h"
#include "espalier/model/spec/check_spec.h"
#include "espalier/model/spec/principal_axes.h"

namespace espalier::io {
namespace {

/// An Error where a body that moves has no inertia about one of its axes. One without any inertia is
/// not judged: its meshes may not have been loaded.
void checkMoments(WorldReading& reading, const BodySpec& body) {
  const auto [least, middle, most] = principalMoments(body.inertial.I);
  if (least > 0 || !(most > 0)) return;
  reading.diagnostics().add({Severity::Error, reading.file.xml.file(), body.line,
                             "object " + shown(body.name) +
                                 " moves, but its inertia about one axis is " + shortest(least) +
                                 " kg m^2",
                             "give it three principal moments above zero"});
}

/// checkSpec's diagnostics of a body, as a robot of one link.
void check(WorldReading& reading, const BodySpec& body) {
  SystemSpec alone;
  alone.name = "body";
  alone.unbounded = true;  // judged below, with its place and velocities
  alone.file = reading.file.xml.file();
  LinkSpec& link = alone.links.emplace_back();
  link.name = body.name.empty() ? "without a name" : body.name;
  link.inertial = body.inertial;
  link.collisions = body.collisions;
  link.visuals = body.visuals;
  link.line = body.line;
  Diagnostics remarks;
  checkSpec(alone, remarks);
  for (Diagnostic remark : remarks.all()) {
    if (remark.what.rfind("link ", 0) == 0) remark.what.replace(0, 4, "object");
    reading.diagnostics().add(remark);
  }
  if (!remarks.hasErrors() && body.type == BodyType::DYNAMIC) checkMoments(reading, body);
  if (!remarks.hasErrors() && !reading.options.unbounded)
    checkMagnitudes(body, alone.file, reading.diagnostics());
}

void remember(WorldReading& reading, const Node& object) {
  const std::string name = object.text("name");
  if (name.empty() || reading.names.insert(name).second) return;
  object.once(Severity::Warning, "the name " + shown(name) + " comes again",
              "give every object a name of its own, to find it by");
}

/// The object class of that tag, or null.
const XMLElement* classOf(const WorldReading& reading, const Node& object) {
  const auto found = reading.classes.find(object.spelled());
  return found == reading.classes.end() ? nullptr : found->second;
}

std::size_t elementsIn(const XMLElement& e) {
  std::size_t count = 1;
  for (const XMLElement* c : childrenOf(e)) count += elementsIn(*c);
  return count;
}

/// False, and an Error, where repeating the elements of its class exceeds the budget.
bool takeClass(WorldReading& reading, const Node& object, const XMLElement& kind) {
  const auto excess = reading.options.budget->takeElements(elementsIn(kind));
  if (excess) object.error(excess->what, excess->remedy);
  return !excess;
}

bool isBody(const std::string& kind) {
  static const std::set<std::string> others{"compound", "mesh", "ground", "heightmap"};
  return isSolidName(kind) || others.contains(kind);
}

void readObject(WorldReading& reading, const Node& object, const std::string& kind) {
  remember(reading, object);
  if (kind == "articulated_system") return readWorldRobot(reading, object);
  BodySpec body = readBody(reading, object, kind);
  check(reading, body);
  reading.world.bodies.push_back(std::move(body));
}

void leaveOut(const Node& plain, const std::string& kind, bool hasClass) {
  if (kind == "deformable" || kind == "granular") {
    plain.omit("<" + kind + "> is read, not simulated", "only rigid bodies are");
    return;
  }
  plain.omit(hasClass
                 ? "the type " + shown(kind) + " of its class is not known; it is left out"
                 : "an object <" + std::string(plain.spelled()) + "> is not known and is left out",
             "use " + solidNames() +
                 ", compound, mesh, ground, heightmap, articulated_system, or a class of "
                 "<object_class>");
}

void readObject(WorldReading& reading, const Node& plain) {
  const XMLElement* kindElement = classOf(reading, plain);
  if (kindElement != nullptr && !takeClass(reading, plain, *kindElement)) return;
  const Node object(reading.file, plain.element(), kindElement);
  std::string kind = kindElement != nullptr ? snakeCase(object.text("type")) : plain.tag();
  if (kind == "height_map") kind = "heightmap";
  if (!plain.flag("exist", true)) return;
  reading.file.xml.setSubject("object " + shown(object.text("name")));
  if (kind == "articulated_system" || isBody(kind))
    readObject(reading, object, kind);
  else
    leaveOut(plain, kind, kindElement != nullptr);
  reading.file.xml.setSubject("");
}

}  // namespace

void readObjects(WorldReading& reading, const Node& objects) {
  for (const Node& object : objects.children()) {
    if (reading.options.budget->isSpent()) return;  // there is an Error already
    readObject(reading, object);
  }
}

}  // namespace espalier::io
