#include <tinyxml2.h>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

std::string withoutSlash(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

}  // namespace

void readMjcfCompiler(MjcfReading& reading, const MjcfNode& c) {
  MjcfCompiler& to = reading.compiler;
  c.expect(
      {"angle",         "eulerseq",     "autolimits",     "inertiafromgeom",  "inertiagrouprange",
       "boundmass",     "boundinertia", "balanceinertia", "settotalmass",     "meshdir",
       "assetdir",      "texturedir",   "strippath",      "coordinate",       "fusestatic",
       "discardvisual", "usethread",    "fitaabb",        "exactmeshinertia", "saveinertial",
       "convexhull",    "alignfree"});
  if (const std::string angle = c.text("angle"); !angle.empty()) {
    if (angle != "radian" && angle != "degree")
      c.error("<compiler angle> is " + shown(angle), "write radian or degree");
    to.angle = angle == "radian" ? 1 : MjcfCompiler{}.angle;
  }
  if (const std::string sequence = c.text("eulerseq"); !sequence.empty()) {
    if (sequence.size() == 3 && sequence.find_first_not_of("xyzXYZ") == std::string::npos)
      to.eulerSequence = sequence;
    else
      c.error("<compiler eulerseq> is " + shown(sequence), "write three of x, y, z, X, Y, Z");
  }
  to.autoLimits = c.flag("autolimits", to.autoLimits);
  if (c.has("inertiafromgeom")) to.inertiaFromGeoms = c.choice("inertiafromgeom");
  c.numbers("inertiagrouprange", to.inertiaGroups);
  to.leastMass = c.number("boundmass", to.leastMass);
  to.leastInertia = c.number("boundinertia", to.leastInertia);
  to.balanceInertia = c.flag("balanceinertia", to.balanceInertia);
  to.totalMass = c.number("settotalmass", to.totalMass);
  if (c.has("assetdir")) to.meshFolder = withoutSlash(c.text("assetdir"));
  if (c.has("meshdir")) to.meshFolder = withoutSlash(c.text("meshdir"));
  to.stripPath = c.flag("strippath", to.stripPath);
  to.exactMeshInertia = c.flag("exactmeshinertia", to.exactMeshInertia);
  to.fitsBounds = c.flag("fitaabb", to.fitsBounds);
  if (c.text("coordinate") == "global") {
    c.error("<compiler coordinate=\"global\"> is not read",
            "MuJoCo gave it up, too: save the model with an older version of it, as local");
  }
  if (c.flag("alignfree", false)) {
    c.omit("alignfree", "alignfree is left out: free bodies keep their frames",
           "nothing to do, but poses are those of the frames as written");
  }
}

void readMjcfOption(MjcfReading& reading, const MjcfNode& option) {
  option.expect(
      {"timestep", "gravity", "density", "viscosity", "wind", "actuatorgroupdisable"},
      {"integrator",       "cone",           "jacobian",      "solver",         "iterations",
       "tolerance",        "impratio",       "ls_iterations", "ls_tolerance",   "noslip_iterations",
       "noslip_tolerance", "ccd_iterations", "ccd_tolerance", "mpr_iterations", "mpr_tolerance",
       "sdf_iterations",   "sdf_initpoints", "o_margin",      "o_solref",       "o_solimp",
       "o_friction",       "magnetic",       "apirate",       "collision",      "sleep_tolerance"});
  reading.model.gravity = option.vector("gravity", reading.model.gravity);
  const double step = option.number("timestep", reading.model.timeStep);
  if (step > 0)
    reading.model.timeStep = step;
  else
    option.error("<option timestep> is not above zero", "write it in seconds, such as 0.002");
  MediumSpec& medium = reading.model.medium;
  medium.density = option.number("density", medium.density);
  medium.viscosity = option.number("viscosity", medium.viscosity);
  if (medium.density < 0 || medium.viscosity < 0)
    option.error("<option> has a density or viscosity below zero", "give kg/m^3 and Pa s");
  medium.wind = option.vector("wind", medium.wind);
  for (const double group : option.list("actuatorgroupdisable"))
    reading.model.disabledGroups.insert(group);
  for (const XMLElement* e : option.children())
    if (std::string_view(e->Name()) == "flag") readMjcfFlags(reading, MjcfNode(reading.files, *e));
  option.xml().expectChildren(option.element(), {"flag", "include"});
}

void readMjcfDefault(MjcfReading& reading, const MjcfNode& node, MjcfClass* outer) {
  node.expect({"class"});
  std::string name = node.text("class");
  MjcfClass* kind = nullptr;
  if (outer == nullptr) {
    kind = &reading.classes["main"];
    if (!name.empty()) reading.classes.try_emplace(name, MjcfClass{name, kind, {}});
  } else if (name.empty()) {
    node.error("a <default> inside another has no class", "add class=\"...\"");
    return;
  } else {
    const auto [place, isNew] = reading.classes.try_emplace(name, MjcfClass{name, outer, {}});
    if (!isNew) {
      node.error("the class " + shown(name) + " stands there twice",
                 "give each class a name of its own");
      return;
    }
    kind = &place->second;
  }
  for (const XMLElement* e : node.children()) {
    if (std::string_view(e->Name()) == "default") continue;
    expectMjcfAttributes(MjcfNode(reading.files, *e), true);
    kind->settings.emplace_back(kindOfDefault(e->Name()), e);
  }
  for (const XMLElement* e : node.children()) {
    if (std::string_view(e->Name()) != "default") continue;
    readMjcfDefault(reading, MjcfNode(reading.files, *e), kind);
  }
  node.xml().expectChildren(
      node.element(),
      {"default",  "include",     "joint",       "geom",   "site",     "mesh",    "pair",
       "equality", "tendon",      "material",    "camera", "light",    "texture", "general",
       "motor",    "position",    "velocity",    "damper", "cylinder", "muscle",  "adhesion",
       "dcmotor",  "intvelocity", "orientation", "pid",    "plugin"});
}

std::optional<std::array<double, 2>> readMjcfRange(const MjcfReading& reading, const MjcfNode& node,
                                                   const char* range, const char* limited) {
  std::array<double, 2> ends;
  const std::optional<bool> said = node.choice(limited);
  const bool isLimited = said.value_or(reading.compiler.autoLimits);
  if (!node.numbers(range, ends) || !isLimited) return std::nullopt;
  if (ends[0] < ends[1]) return ends;
  const std::string what = "<" + node.tag() + " " + range + ">";
  const bool isUnset = ends[0] == 0 && ends[1] == 0;
  if (said) {
    node.error(what + " does not begin below its end", "write the smaller number first");
  } else if (!isUnset) {
    node.once(Severity::Warning, what,
              what + " does not begin below its end: as in MuJoCo it does not act",
              "write the smaller number first; said once for all of its kind");
  }
  return std::nullopt;
}

double readMjcfLinear(const MjcfNode& node, const std::string& attribute,
                      const std::string& owner) {
  double terms[3] = {0, 0, 0};
  node.upTo(attribute.c_str(), terms);
  if (terms[1] != 0 || terms[2] != 0) {
    node.omit(owner + " " + attribute,
              "the " + attribute + " of higher order of " + owner + "s does not act",
              "its linear term is kept; said once for all " + owner + "s");
  }
  return terms[0];
}

const MjcfClass* MjcfReading::classOf(const MjcfNode& node, const char* attribute,
                                      const MjcfClass* outer) const {
  const std::string name = node.text(attribute);
  if (name.empty()) return outer;
  const auto place = classes.find(name);
  if (place != classes.end()) return &place->second;
  node.error("the class " + shown(name) + " does not exist",
             "add a <default class=\"...\"> of that name, or correct it");
  return outer;
}

MjcfNode MjcfReading::node(const XMLElement& e, const MjcfClass* childClass) {
  return {files, e, classOf(MjcfNode(files, e), "class", childClass)};
}

}  // namespace espalier::io
