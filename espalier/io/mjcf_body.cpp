#include <tinyxml2.h>

#include <cmath>

#include "espalier/io/mjcf_parts.h"

namespace espalier::io {
namespace {

/// Walks <worldbody> once, depth first: MuJoCo's order of bodies, and with it of joints.
class BodyReader {
 public:
  explicit BodyReader(MjcfReading& reading) : reading_(reading), model_(reading.model) {}

  void readWorld(const MjcfNode& world) {
    world.expect({}, {"childclass"});
    Place place{0, identityTransform<double>(), classOf(world, reading_.mainClass()), false};
    readParts(world, place);
  }

 private:
  /// What a part hangs in: a body, and a <frame> in it.
  struct Place {
    int body = 0;
    Transformd X_BF;
    const MjcfClass* childClass = nullptr;
    bool geomsHaveMass = false;
  };

  const MjcfClass* classOf(const MjcfNode& node, const MjcfClass* outer) {
    const std::string name = node.text("childclass");
    if (name.empty()) return outer;
    const auto place = reading_.classes.find(name);
    if (place != reading_.classes.end()) return &place->second;
    node.error("the class " + shown(name) + " does not exist",
               "add a <default class=\"...\"> of that name, or correct it");
    return outer;
  }

  void readParts(const MjcfNode& owner, const Place& place) {
    for (const XMLElement* e : owner.children()) readPart(*e, place);
    owner.xml().expectChildren(
        owner.element(),
        {"body", "frame", "geom", "joint", "freejoint", "inertial", "site", "include", "replicate",
         "composite", "flexcomp", "attach", "plugin"},
        {"camera", "light"});
  }

  void readPart(const XMLElement& e, const Place& place) {
    const std::string_view tag = e.Name();
    if (tag == "body") {
      readBody(MjcfNode(reading_.files, e), place);
    } else if (tag == "frame") {
      readFrame(MjcfNode(reading_.files, e), place);
    } else if (tag == "geom") {
      readGeom(reading_.node(e, place.childClass), place);
    } else if (tag == "joint") {
      readJoint(reading_.node(e, place.childClass), place);
    } else if (tag == "freejoint") {
      readJoint(MjcfNode(reading_.files, e), place);
    } else if (tag == "site") {
      readSite(reading_.node(e, place.childClass), place);
    } else if (tag == "replicate" || tag == "composite" || tag == "flexcomp" || tag == "attach" ||
               tag == "plugin") {
      MjcfNode(reading_.files, e)
          .once(Severity::Warning, std::string(tag), "<" + std::string(tag) + "> is left out",
                "write the bodies it stands for; said once for all of its kind");
    }
  }

  void readFrame(const MjcfNode& node, Place place) {
    node.expect({"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"});
    place.X_BF = place.X_BF * readMjcfPose(reading_, node);
    place.childClass = classOf(node, place.childClass);
    readParts(node, place);
  }

  void readBody(const MjcfNode& node, const Place& place) {
    node.expect({"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler",
                 "mocap", "gravcomp"},
                {"user", "sleep"});
    const int index = static_cast<int>(model_.bodies.size());
    MjcfBody& body = model_.bodies.emplace_back();
    body.name = node.text("name");
    const std::string outer = subject_;
    subject_ = body.name.empty() ? "" : "body " + shown(body.name);
    node.setSubject(subject_);
    body.line = node.line();
    body.file = node.xml().file();
    body.parent = place.body;
    body.X_PB = place.X_BF * readMjcfPose(reading_, node);
    body.X_WB = model_.bodies[static_cast<std::size_t>(place.body)].X_WB * body.X_PB;
    body.isMocap = node.flag("mocap", false);
    if (node.number("gravcomp", 0) != 0) {
      node.once(Severity::Warning, "gravcomp", "gravcomp does not act: the body has its weight",
                "hold it by a force; said once for all bodies");
    }
    checkName(node, body.name, index);
    model_.bodies[static_cast<std::size_t>(place.body)].children.push_back(index);

    std::optional<InertialSpec> authored;
    for (const XMLElement* e : node.children()) {
      if (std::string_view(e->Name()) != "inertial") continue;
      if (authored) {
        node.warn("a second <inertial> is left out", "keep one in each <body>");
      } else {
        authored = readMjcfInertial(reading_, MjcfNode(reading_.files, *e));
      }
    }
    const Place inside{index, identityTransform<double>(), classOf(node, place.childClass),
                       reading_.compiler.inertiaFromGeoms.value_or(!authored)};
    readParts(node, inside);
    MjcfBody& done = model_.bodies[static_cast<std::size_t>(index)];
    done.inertial = compileMjcfInertia(reading_, authored, done.geoms);
    checkJoints(node, done);
    subject_ = outer;
    node.setSubject(subject_);
  }

  void checkName(const MjcfNode& node, const std::string& name, int index) {
    if (name.empty()) return;
    if (name == "world") {
      node.error("a body is named 'world'", "that is the world's own name: give it another");
    } else if (!model_.bodyOf.emplace(name, index).second) {
      node.error("there are two bodies " + shown(name), "give each body a name of its own");
    }
  }

  static void checkJoints(const MjcfNode& node, const MjcfBody& body) {
    for (const MjcfJoint& joint : body.joints) {
      if (joint.spec.kind != JointKind::Floating) continue;
      if (body.parent != 0) {
        node.error("a body within another has a free joint", "only children of the world are free");
      } else if (body.joints.size() > 1) {
        node.error("a body has other joints beside its free joint", "take them out");
      }
    }
    if (body.isMocap && (!body.joints.empty() || body.parent != 0)) {
      node.error("a mocap body has joints or is not the world's child",
                 "it moves as told: take its joints out, and put it in <worldbody>");
    }
  }

  void readJoint(const MjcfNode& node, const Place& place) {
    MjcfJoint joint = readMjcfJoint(reading_, node);
    if (place.body == 0) {
      node.error("the world has a joint", "put it into a <body>");
      return;
    }
    joint.pos = place.X_BF * joint.pos;
    joint.spec.axes[0] = mul(place.X_BF.R, joint.spec.axes[0]);
    MjcfBody& body = model_.bodies[static_cast<std::size_t>(place.body)];
    const std::pair<int, int> at{place.body, static_cast<int>(body.joints.size())};
    if (!joint.spec.name.empty() && !model_.joints.emplace(joint.spec.name, at).second) {
      node.error("there are two joints " + shown(joint.spec.name),
                 "give each joint a name of its own");
    }
    body.joints.push_back(std::move(joint));
  }

  void readGeom(const MjcfNode& node, const Place& place) {
    MjcfGeom geom = readMjcfGeom(reading_, node, place.geomsHaveMass);
    geom.X_BG = place.X_BF * geom.X_BG;
    geom.inertia = toParent(transpose(place.X_BF.R), place.X_BF.p, geom.inertia);
    if (geom.collides()) {
      model_.surfaces.insert(geom.surface);
      model_.filters.insert({geom.contype, geom.conaffinity});
    }
    model_.bodies[static_cast<std::size_t>(place.body)].geoms.push_back(std::move(geom));
  }

  void readSite(const MjcfNode& node, const Place& place) {
    const std::string name = node.text("name");
    if (name.empty()) return;
    const MjcfFrame frame{place.body, place.X_BF * readMjcfPose(reading_, node)};
    if (!model_.sites.emplace(name, frame).second) {
      node.error("there are two sites " + shown(name), "give each site a name of its own");
    }
  }

  MjcfReading& reading_;
  MjcfModel& model_;
  std::string subject_;  ///< of remarks
};

template <class Taken>
std::string freeName(const std::string& stem, int number, const Taken& taken) {
  std::string name = stem + std::to_string(number);
  while (taken.count(name) != 0) name += "_";
  return name;
}

/// Names for what has none: Specs need them.
void nameAll(MjcfModel& model) {
  int joints = 0;
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    MjcfBody& body = model.bodies[b];
    if (body.name.empty()) {
      body.name = freeName("body", static_cast<int>(b), model.bodyOf);
      model.bodyOf.emplace(body.name, static_cast<int>(b));
    }
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      std::string& name = body.joints[j].spec.name;
      ++joints;
      if (!name.empty()) continue;
      name = freeName("joint", joints, model.joints);
      model.joints.emplace(name, std::pair{static_cast<int>(b), static_cast<int>(j)});
    }
  }
}

}  // namespace

void readMjcfBodies(MjcfReading& reading, const MjcfNode& worldBody) {
  BodyReader(reading).readWorld(worldBody);
  nameAll(reading.model);
}

}  // namespace espalier::io
