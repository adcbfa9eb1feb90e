#include "espalier/io/urdf/urdf.h"

#include <algorithm>
#include <utility>

#include "espalier/io/spec_links.h"
#include "espalier/io/text/template.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_document.h"
#include "espalier/io/urdf/own_parameters.h"
#include "espalier/io/urdf/robot_yaml.h"
#include "espalier/io/urdf/shape_inertias.h"
#include "espalier/io/urdf/urdf_parts.h"
#include "espalier/model/spec/check_spec.h"

namespace espalier::io {
namespace {

constexpr std::string_view kind_of_file = "a URDF file";

/// Elements of other programs, whose braces are theirs.
constexpr std::string_view ignored_tags[] = {"gazebo",       "sensor", "plugin",
                                             "ros2_control", "drake",  "mujoco"};

std::string remedyForRoot(const std::string& root) {
  if (root == "sdf" || root == "mujoco" || root == "mujocoinclude")
    return "this is no URDF, but loadRobot() reads it";
  if (root == "raisim" || root == "espalier")
    return "this is a world; commands and functions that take worlds read it";
  return "a URDF has <robot name=...> as its outermost element";
}

const XMLElement* findRobot(XmlReader& xml, const tinyxml2::XMLDocument& document) {
  const XMLElement* found = document.RootElement();
  const XMLElement* root =
      rootOf(xml, document, {"robot"}, remedyForRoot(found == nullptr ? "" : found->Name()));
  if (root == nullptr) return nullptr;
  if (const XMLElement* more = root->NextSiblingElement())
    xml.warn(more->GetLineNum(), "what follows </robot> is left out", "keep one robot in a file");
  return root;
}

/// Contents of the file other than links and joints.
void remarkOnTags(XmlReader& xml, const XMLElement& robot) {
  xml.setSubject("");
  for (const XMLElement* c : childrenOf(robot)) {
    const std::string tag = c->Name();
    if (tag.rfind("xacro:", 0) == 0) {
      xml.once(Severity::Error, "xacro", c->GetLineNum(), "<" + tag + "> is not expanded yet",
               "name the file .xacro, or run it through xacro");
    } else if (tag == "equality") {
      xml.once(Severity::Warning, tag, c->GetLineNum(),
               "<" + tag + "> does not act yet: the tree moves without it",
               "expect other motion than the real robot's; said once for all of its kind");
    }
  }
  for (const auto* a = robot.FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string_view name = a->Name();
    if (name == "name" || name == "version" || name.substr(0, 5) == "xmlns") continue;
    xml.once(Severity::Warning, "unknown robot " + std::string(name), a->GetLineNum(),
             "attribute " + shown(name) + " is not known in <robot> and is left out",
             "check its spelling");
  }
  xml.expectChildren(robot,
                     {"link", "joint", "material", "transmission", "loop", "coupling", "constraint",
                      "constraints", "tendon", "medium", "equality", "params"},
                     {"gazebo", "sensor", "self_collision_checking", "actuator", "group",
                      "group_state", "disable_collisions", "virtual_joint", "end_effector", "drake",
                      "mujoco", "ros2_control", "plugin", "static", "pose"});
}

MediumSpec readMedium(XmlReader& xml, const XMLElement& e) {
  xml.setSubject("the medium");
  xml.expectAttributes(e, {"density", "viscosity", "wind"});
  const Vec3d wind = xml.vector(e, "wind", {0, 0, 0});
  return {xml.number(e, "density", 0), xml.number(e, "viscosity", 0), wind};
}

void readParts(UrdfReading& reading, const XMLElement& robot, SystemSpec& spec) {
  XmlReader& xml = reading.xml;
  spec.name = xml.text(robot, "name");
  if (spec.name.empty()) {
    spec.name = "robot";
    xml.warn(robot.GetLineNum(), "the robot has no name; it is called 'robot'",
             "add name=\"...\" to <robot>");
  }
  remarkOnTags(xml, robot);
  reading.colours = readColours(xml, robot);
  for (const XMLElement* c : childrenOf(robot)) {
    const std::string_view tag = c->Name();
    if (tag == "link") spec.links.push_back(readLink(reading, *c));
    if (tag == "joint") spec.joints.push_back(readJoint(xml, *c));
    if (tag == "loop") spec.loops.push_back(readLoop(xml, *c));
    if (tag == "coupling") spec.couplings.push_back(readCoupling(xml, *c));
    if (tag == "tendon") spec.tendons.push_back(readTendon(xml, *c));
    if (tag == "medium") spec.medium = readMedium(xml, *c);
    if (tag == "constraint")
      if (auto constraint = readConstraint(xml, *c))
        spec.constraints.push_back(std::move(*constraint));
    if (tag == "transmission") readTransmission(xml, *c, spec.transmissions);
  }
  for (const XMLElement* c : childrenOf(robot, "constraints")) readConstraints(xml, *c, spec);
  readGazeboJoints(xml, robot, spec);
}

/// A joint may hang on the link 'world' without one being written, as in Drake's files.
void addWorldLink(XmlReader& xml, SystemSpec& spec) {
  constexpr const char* world = "world";
  if (linkIndex(spec, world) >= 0) return;
  const auto hangs = [&](const JointSpec& joint) { return joint.parent == world; };
  const auto first = std::find_if(spec.joints.begin(), spec.joints.end(), hangs);
  if (first == spec.joints.end()) return;
  LinkSpec link;
  link.name = world;
  link.line = first->line;
  spec.links.insert(spec.links.begin(), std::move(link));
  xml.diagnostics().add(
      {Severity::Note, xml.file(), first->line,
       "joint " + shown(first->name) + " hangs on the world, which is no link of the file",
       "nothing to do, or add <link name=\"world\"/>, which other programs want"});
}

}  // namespace

SystemSpec readRobot(UrdfReading& reading, const XMLElement& robot, const UrdfOptions& options) {
  SystemSpec spec;
  spec.file = reading.xml.file();
  spec.fixedBase = options.fixedBase;
  spec.jointOrder = options.jointOrder;
  spec.unbounded = options.unbounded;
  readParts(reading, robot, spec);
  addWorldLink(reading.xml, spec);
  takeInertiasOfShapes(spec, reading.xml.diagnostics());
  boundInertias(spec, options.least, reading.xml.diagnostics());
  checkSpec(spec, reading.xml.diagnostics());
  return spec;
}

Expected<SystemSpec> parseUrdfText(std::string_view text, const std::string& name,
                                   const std::string& folder, const UrdfOptions& options) {
  Diagnostics before;
  const std::shared_ptr<ReadingBudget> budget = budgetOr(options.budget);
  const OwnParameters own =
      readOwnParameters(text, options.parameters, Precedence::Given, kind_of_file, name,
                        folder.empty() ? "." : folder, *budget, before);
  if (!own.isXml) return before;
  std::map<std::string, std::string> parameters = options.parameters;
  for (const OwnParameter& p : own.all) parameters.emplace(p.name, p.value);
  Expected<ExpandedText> expanded = expandTemplate(text, parameters, name, *budget, ignored_tags);
  before.append(expanded.diagnostics());
  if (!expanded) return before;

  UrdfReading reading{XmlReader(name, std::move(expanded->lines)),
                      {ResourcePaths(folder, options.searchPaths), options.loadMeshes, budget},
                      {}};
  Diagnostics& diagnostics = reading.xml.diagnostics();
  diagnostics.append(before);
  tinyxml2::XMLDocument document;
  if (!parseXml(reading.xml, expanded->text, kind_of_file, *budget, document)) return diagnostics;
  const XMLElement* robot = findRobot(reading.xml, document);
  if (robot == nullptr) return diagnostics;
  SystemSpec spec = readRobot(reading, *robot, options);
  if (diagnostics.hasErrors()) return diagnostics;
  return {std::move(spec), std::move(diagnostics)};
}

Expected<SystemSpec> parseUrdf(std::string_view text, const std::string& name,
                               const UrdfOptions& options) {
  return parseUrdfText(text, name, "", options);
}

Expected<SystemSpec> loadUrdf(const std::string& path, const UrdfOptions& given) {
  UrdfOptions options = given;
  options.budget = budgetOr(given.budget);
  const Expected<std::string> text = readTextFile(path, *options.budget);
  if (!text) return text.diagnostics();
  const std::string folder = folderOf(path);
  Expected<SystemSpec> spec = parseUrdfText(*text, path, folder, options);
  if (!spec) return spec;
  Diagnostics all = spec.diagnostics();
  all.append(applyRobotYamlIn(folder, *spec, *options.budget));
  if (all.hasErrors()) return all;
  return {std::move(spec).value(), std::move(all)};
}

}  // namespace espalier::io
