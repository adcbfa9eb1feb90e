#include <tinyxml2.h>

#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

/// Walks <worldbody> once, depth first: MuJoCo's order of bodies, and with it of joints.
class BodyReader {
 public:
  explicit BodyReader(MjcfReading& reading) : reading_(reading), model_(reading.model) {}

  void readWorld(const MjcfNode& world) {
    world.expect({}, {"childclass"});
    Place place{0, identityTransform<double>(),
                reading_.classOf(world, "childclass", reading_.mainClass()), false};
    readParts(world, place);
  }

 private:
  /// Parent of a part: a body, and a <frame> in it.
  struct Place {
    int body = 0;
    Transformd X_BF;
    const MjcfClass* childClass = nullptr;
    bool geomsHaveMass = false;
  };

  void readParts(const MjcfNode& owner, const Place& place) {
    for (const XMLElement* e : owner.children()) readPart(*e, place);
    owner.xml().expectChildren(
        owner.element(),
        {"body", "frame", "geom", "joint", "freejoint", "inertial", "site", "include", "replicate",
         "composite", "flexcomp", "attach", "plugin"},
        {"camera", "light"}, true);
  }

  void readPart(const XMLElement& e, const Place& place) {
    if (copies_ > 0 && !takeCopy(e)) return;
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
    } else if (tag == "replicate") {
      readReplicate(MjcfNode(reading_.files, e), place);
    } else if (tag == "attach") {
      attach(MjcfNode(reading_.files, e), place);
    } else if (tag == "composite" || tag == "flexcomp" || tag == "plugin") {
      MjcfNode(reading_.files, e)
          .omit(std::string(tag), "<" + std::string(tag) + "> is left out",
                "write the bodies it stands for; said once for all of its kind");
    }
  }

  void readFrame(const MjcfNode& node, Place place) {
    node.expect({"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler",
                 "scale", "scaling", "massscale"});
    node.omitAttributes({"scale", "massscale"});
    place.X_BF = place.X_BF * readMjcfPose(reading_, node);
    place.childClass = reading_.classOf(node, "childclass", place.childClass);
    readParts(node, place);
  }

  /// Copies count as elements of the file.
  bool takeCopy(const XMLElement& e, std::size_t count = 1) {
    const auto excess = reading_.files.budget().takeElements(count);
    if (!excess) return true;
    if (!isSpent_) {
      MjcfNode(reading_.files, e)
          .error("with the copies of this element " + excess->what, "replicate or attach less");
    }
    isSpent_ = true;
    return false;
  }

  /// How many elements there are below `e` once all replicates are carried out, attached models aside.
  static double elementsOfCopies(const XMLElement& e) {
    double elements = 0;
    for (const XMLElement* part : childrenOf(e)) elements += 1 + elementsOfCopies(*part);
    const bool isCopied = std::string_view(e.Name()) == "replicate";
    return isCopied ? std::max(e.IntAttribute("count"), 0) * elements : elements;
  }

  /// Copy i is turned by i times the angles, and stands `offset` before the next in its own axes; its
  /// names end with i in digits enough for all.
  void readReplicate(const MjcfNode& node, const Place& place) {
    node.expect({"count", "offset", "euler", "sep"});
    const int count = node.integer("count", 0);
    if (count < 1) {
      node.error("<replicate> has no count above zero", "add count=\"...\"");
      return;
    }
    const Vec3d offset = node.vector("offset", {0, 0, 0}), euler = node.vector("euler", {0, 0, 0});
    Transformd X_FC = identityTransform<double>();  // the copy in the common parent
    const std::size_t digits = std::to_string(count).size();
    const MjcfNaming outer = reading_.files.naming;
    const std::string separator = node.text("sep");
    // More than can be read is refused before any of it is made.
    const double most = static_cast<double>(reading_.files.budget().limits().elements);
    if (copies_ == 0 && elementsOfCopies(node.element()) > most) {
      takeCopy(node.element(), reading_.files.budget().limits().elements);
      return;
    }
    ++copies_;
    MjcfReplicate* const around = noted_;
    noted_ = outer.suffix.empty() ? &reading_.replicates.emplace_back() : nullptr;
    for (int i = 0; i < count && !isSpent_; ++i) {
      std::string number = std::to_string(i);
      number.insert(0, digits - number.size(), '0');
      reading_.files.naming.suffix = separator + number + outer.suffix;
      if (noted_ != nullptr) noted_->suffixes.push_back(separator + number);
      X_FC.R = mjcfRotation(reading_.compiler, {i * euler.x, i * euler.y, i * euler.z});
      Place copy = place;
      copy.X_BF = place.X_BF * X_FC;
      readParts(node, copy);
      X_FC.p += mul(X_FC.R, offset);
    }
    noted_ = around;
    --copies_;
    reading_.files.naming = outer;
  }

  void noteCopied(const MjcfNode& node, const std::string& kind) {
    const std::string name = node.xml().text(node.element(), "name");
    if (noted_ != nullptr && !name.empty())
      noted_->names.emplace(kind, reading_.files.naming.prefix + name);
  }

  /// A body of another model, or all that is in its world.
  void attach(const MjcfNode& node, Place place) {
    const std::string wanted = node.xml().text(node.element(), "body");
    const auto attached = readMjcfAttach(reading_, node);
    if (!attached) return;
    reading_.attached.push_back(*attached);
    ++copies_;
    bool isFound = wanted.empty();
    {
      const MjcfEntered entered(reading_, *attached);
      place.childClass = reading_.mainClass();
      for (const XMLElement* e : mjcfSections(reading_.files, *reading_.root, "worldbody")) {
        const MjcfNode world(reading_.files, *e);
        if (wanted.empty())
          readParts(world, place);
        else if (!isFound)
          isFound = readNamed(world, wanted, place);
      }
    }
    --copies_;
    if (!isFound)
      node.error("the model has no body " + shown(wanted), "name a body of it, or none for all");
  }

  /// Reads the body of that name, wherever it hangs; false where there is none.
  bool readNamed(const MjcfNode& owner, const std::string& wanted, const Place& place) {
    for (const XMLElement* e : owner.children()) {
      const std::string_view tag = e->Name();
      if (tag != "body" && tag != "frame") continue;
      const MjcfNode node(reading_.files, *e);
      if (tag == "body" && node.xml().text(*e, "name") == wanted) {
        readPart(*e, place);
        return true;
      }
      Place inside = place;
      inside.childClass = reading_.classOf(node, "childclass", place.childClass);
      if (readNamed(node, wanted, inside)) return true;
    }
    return false;
  }

  void readBody(const MjcfNode& node, const Place& place) {
    node.expect({"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler",
                 "mocap", "gravcomp"},
                {"user", "sleep", "simple", "fuse"});
    const int index = static_cast<int>(model_.bodies.size());
    MjcfBody& body = model_.bodies.emplace_back();
    body.name = node.text("name");
    noteCopied(node, "body");
    const std::string outer = subject_;
    subject_ = body.name.empty() ? "" : "body " + shown(body.name);
    node.setSubject(subject_);
    body.line = node.line();
    body.file = node.xml().file();
    body.parent = place.body;
    const Transformd X = readMjcfPose(reading_, node);
    body.pos = X.p;
    body.X_PB = place.X_BF * X;
    body.X_WB = model_.bodies[place.body].X_WB * body.X_PB;
    body.isMocap = node.flag("mocap", false);
    body.gravityCompensation = node.number("gravcomp", 0);
    checkName(node, body.name, index);
    model_.bodies[place.body].children.push_back(index);

    std::optional<InertialSpec> authored;
    for (const XMLElement* e : node.children()) {
      if (std::string_view(e->Name()) != "inertial") continue;
      if (authored)
        node.warn("a second <inertial> is left out", "keep one in each <body>");
      else
        authored = readMjcfInertial(reading_, MjcfNode(reading_.files, *e));
    }
    const Place inside{index, identityTransform<double>(),
                       reading_.classOf(node, "childclass", place.childClass),
                       reading_.compiler.inertiaFromGeoms.value_or(!authored)};
    readParts(node, inside);
    MjcfBody& done = model_.bodies[index];
    done.inertial = compileMjcfInertia(reading_, authored, done);
    checkJoints(node, done);
    subject_ = outer;
    node.setSubject(subject_);
  }

  void checkName(const MjcfNode& node, const std::string& name, int index) {
    if (name.empty()) return;
    if (name == "world")
      node.error("a body is named 'world'", "that is the world's own name: give it another");
    else
      addNamed(model_.bodyOf, name, index, node, "body", "bodies");
  }

  static void checkJoints(const MjcfNode& node, const MjcfBody& body) {
    for (const MjcfJoint& joint : body.joints) {
      if (joint.spec.kind != JointKind::Floating) continue;
      if (body.parent != 0)
        node.error("a body within another has a free joint", "only children of the world are free");
      else if (body.joints.size() > 1)
        node.error("a body has other joints beside its free joint", "take them out");
    }
    if (body.isMocap && (!body.joints.empty() || body.parent != 0)) {
      node.error("a mocap body has joints or is not the world's child",
                 "it moves as told: take its joints out, and put it in <worldbody>");
    }
  }

  void readJoint(const MjcfNode& node, const Place& place) {
    MjcfJoint joint = readMjcfJoint(reading_, node);
    noteCopied(node, "joint");
    if (place.body == 0) {
      node.error("the world has a joint", "put it into a <body>");
      return;
    }
    joint.pos = place.X_BF * joint.pos;
    joint.spec.axes[0] = mul(place.X_BF.R, joint.spec.axes[0]);
    MjcfBody& body = model_.bodies[place.body];
    const MjcfTerm term{place.body, static_cast<int>(body.joints.size()), 1};
    if (!joint.spec.name.empty())
      addNamed(model_.joints, joint.spec.name, term, node, "joint", "joints");
    body.joints.push_back(std::move(joint));
  }

  void readGeom(const MjcfNode& node, const Place& place) {
    MjcfBody& body = model_.bodies[place.body];
    const std::string name = node.text("name");
    noteCopied(node, "geom");
    const std::string owner = body.name.empty() ? "body" + std::to_string(place.body) : body.name;
    node.setSubject(
        "geom " + shown(name.empty() ? owner + "/geom" + std::to_string(body.geoms.size()) : name));
    MjcfGeom geom = readMjcfGeom(reading_, node, place.geomsHaveMass);
    node.setSubject(subject_);
    geom.X_BG = place.X_BF * geom.X_BG;
    geom.inertia = toParent(transpose(place.X_BF.R), place.X_BF.p, geom.inertia);
    geom.ownInertia.X_LC = place.X_BF * geom.ownInertia.X_LC;
    const MjcfGeomId at{place.body, static_cast<int>(body.geoms.size())};
    if (!geom.name.empty()) addNamed(model_.geoms, geom.name, at, node, "geom", "geoms");
    body.geoms.push_back(std::move(geom));
  }

  void readSite(const MjcfNode& node, const Place& place) {
    expectMjcfAttributes(node);
    noteCopied(node, "site");
    const std::string name = node.text("name");
    if (name.empty()) return;
    Transformd X = readMjcfPose(reading_, node);
    readMjcfFromTo(node, X);
    const MjcfFrame frame{place.body, place.X_BF * X};
    addNamed(model_.sites, name, frame, node, "site", "sites");
  }

  MjcfReading& reading_;
  MjcfModel& model_;
  std::string subject_;             ///< of remarks
  int copies_ = 0;                  ///< replicates and attached models around the present element
  MjcfReplicate* noted_ = nullptr;  ///< around the present element, and in no other
  bool isSpent_ = false;
};

template <class Taken>
std::string freeName(const std::string& stem, int number, const Taken& taken) {
  std::string name = stem + std::to_string(number);
  while (taken.count(name) != 0) name += "_";
  return name;
}

/// Names for elements without one: Specs need them.
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
      model.joints.emplace(name, MjcfTerm{static_cast<int>(b), static_cast<int>(j), 1});
    }
  }
}

}  // namespace

void readMjcfBodies(MjcfReading& reading, const MjcfNode& worldBody) {
  BodyReader(reading).readWorld(worldBody);
  nameAll(reading.model);
}

}  // namespace espalier::io
