#include <tinyxml2.h>

#include "espalier/io/sdf/sdf_parts.h"

namespace espalier::io {
namespace {

/// `relative_to` of e's <pose>, as a name in the whole model.
std::string placedOn(const SdfNode& e, const std::string& prefix, const std::string& fallback) {
  const auto pose = e.child("pose");
  if (!pose) return fallback;
  const std::string frame = pose->attribute("relative_to");
  if (!pose->attribute("frame").empty()) {
    pose->once(Severity::Warning, "pose frame", "<pose frame> is left out",
               "use relative_to, of SDF 1.7");
  }
  return frame.empty() ? fallback : inSdfModel(prefix, frame);
}

class ModelReader {
 public:
  ModelReader(SdfReading& reading, SdfModel& model) : reading_(reading), model_(model) {}

  /// prefix: "" for the model itself, "arm::" for one nested in it.
  void read(const SdfNode& node, const std::string& prefix, int depth) {
    node.expect({"pose", "static", "self_collide", "link", "joint", "frame", "model", "include"},
                {"plugin", "allow_auto_disable", "enable_wind", "gripper", "allow_auto_disable"});
    const std::string self = inSdfModel(prefix, "__model__");
    for (const SdfNode& link : node.children("link")) {
      const std::string name = prefix + link.attribute("name");
      model_.frames.add(name, placedOn(link, prefix, self), link.pose(), link);
      model_.attachedTo.emplace(self, name);
      links_.emplace_back(link, prefix);
    }
    if (const std::string name = node.attribute("canonical_link"); !name.empty())
      model_.attachedTo[self] = prefix + name;
    for (const SdfNode& frame : node.children("frame")) {
      std::string onto = frame.attribute("attached_to");
      onto = onto.empty() ? self : inSdfModel(prefix, onto);
      model_.attachedTo.emplace(prefix + frame.attribute("name"), onto);
      model_.frames.add(prefix + frame.attribute("name"), placedOn(frame, prefix, onto),
                        frame.pose(), frame);
    }
    for (const SdfNode& joint : node.children("joint")) {
      std::string child = joint.text("child");
      child = child.empty() || child == "world" ? self : inSdfModel(prefix, child);
      model_.attachedTo.emplace(prefix + joint.attribute("name"), child);
      model_.frames.add(prefix + joint.attribute("name"), placedOn(joint, prefix, child),
                        joint.pose(), joint);
      joints_.emplace_back(joint, prefix);
    }
    for (const SdfNode& nested : node.children("model")) {
      const std::string name = prefix + nested.attribute("name");
      if (depth >= deepest) {
        nested.error("models are nested too deeply", "write their links in one model");
        return;
      }
      read(nested, name + "::", depth + 1);
      model_.attachedTo.emplace(self, name);  // unless it has links of its own
      model_.frames.add(name, placedOn(nested, prefix, self), poseOf(nested, name), nested);
    }
    for (const SdfNode& include : node.children("include")) {
      include.once(Severity::Warning, "include", "<include> is not read",
                   "write the model in its place; said once for all of them");
    }
  }

  /// Links and joints, once all frames are known.
  void readParts() {
    for (const auto& [node, prefix] : links_) {
      LinkSpec link = readSdfLink(reading_, model_.frames, node, prefix, model_.isStatic);
      link.name = prefix + link.name;
      model_.links.push_back(std::move(link));
    }
    for (const auto& [node, prefix] : joints_) {
      auto joint = readSdfJoint(reading_, model_.frames, node, prefix);
      if (!joint) continue;
      for (std::string* end : {&joint->spec.parent, &joint->spec.child})
        if (*end != "world") *end = model_.linkOf(*end);
      model_.joints.push_back(std::move(*joint));
    }
  }

 private:
  /// Of a nested model, all whose frames are known: its <pose> is that of its placement_frame.
  Transformd poseOf(const SdfNode& nested, const std::string& name) const {
    const std::string frame = nested.attribute("placement_frame");
    if (frame.empty()) return nested.pose();
    if (const auto X_MF = model_.frames.find(name + "::" + frame, name))
      return nested.pose() * inverse(*X_MF);
    nested.error("the placement_frame " + shown(frame) + " does not exist",
                 "name a link or frame of the model");
    return nested.pose();
  }

  static constexpr int deepest = 16;

  SdfReading& reading_;
  SdfModel& model_;
  std::vector<std::pair<SdfNode, std::string>> links_, joints_;
};

}  // namespace

std::string SdfModel::linkOf(const std::string& frame) const {
  std::string next = frame;
  for (std::size_t steps = 0; steps <= attachedTo.size(); ++steps) {
    const auto place = attachedTo.find(next);
    if (place == attachedTo.end()) return next;
    next = place->second;
  }
  return frame;  // a ring
}

SdfModel readSdfModel(SdfReading& reading, const SdfNode& node) {
  SdfModel model;
  model.name = node.attribute("name");
  model.line = node.line();
  reading.xml.expectAttributes(node.element(), {"name", "canonical_link", "placement_frame"});
  if (model.name.empty()) {
    model.name = "model";
    node.warn("the model has no name; it is called 'model'", "add name=\"...\" to <model>");
  }
  model.isStatic = node.flag("static", false);
  model.collidesWithItself = node.flag("self_collide", false);
  model.X_WM = node.pose();
  if (const auto pose = node.child("pose")) {
    model.relativeTo = pose->attribute("relative_to");
    if (model.relativeTo == "world") model.relativeTo.clear();
  }
  ModelReader reader(reading, model);
  reader.read(node, "", 0);
  reader.readParts();
  if (const std::string frame = node.attribute("placement_frame"); !frame.empty()) {
    if (!model.frames.has(frame)) {
      node.error("the placement_frame " + shown(frame) + " does not exist",
                 "name a link or frame of the model");
    }
    model.X_WM = model.X_WM * inverse(model.frames.find(frame));
  }
  return model;
}

}  // namespace espalier::io
