#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/sdf/sdf_parts.h"
#include "espalier/io/text/rotation_text.h"

namespace espalier::io {
namespace {

InertialSpec readInertial(const SdfNode& link) {
  // SDF's default of a link without <inertial>.
  InertialSpec out{1, identityTransform<double>(), {1, 0, 0, 1, 0, 1}};
  const auto node = link.child("inertial");
  if (!node) {
    link.once(Severity::Warning, "inertial", "a link without <inertial> weighs 1 kg, as SDF has it",
              "add <inertial>; said once for all links");
    return out;
  }
  node->expect({"pose", "mass", "inertia"}, {"density", "auto_inertia_params"});
  if (node->attribute("auto") == "true") {
    node->once(Severity::Warning, "auto inertia", "<inertial auto> is not found from the shapes",
               "write <mass> and <inertia>; said once for all links");
  }
  if (node->child("fluid_added_mass")) {
    node->once(Severity::Warning, "added mass", "<fluid_added_mass> does not act",
               "expect other motion than in a fluid");
  }
  out.X_LC = node->pose();
  out.mass = node->number("mass", out.mass);
  if (const auto i = node->child("inertia")) {
    i->expect({"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
    out.I = {i->number("ixx", 1), i->number("ixy", 0), i->number("ixz", 0),
             i->number("iyy", 1), i->number("iyz", 0), i->number("izz", 1)};
  }
  return out;
}

constexpr double default_friction = 1;

/// <surface><friction><ode><mu>
double readFriction(const SdfNode& collision) {
  const auto surface = collision.child("surface");
  const auto friction = surface ? surface->child("friction") : std::nullopt;
  const auto ode = friction ? friction->child("ode") : std::nullopt;
  if (surface) {
    surface->expect({"friction", "contact"}, {"bounce", "soft_contact"});
    if (const auto bounce = surface->child("bounce")) {
      bounce->once(Severity::Warning, "bounce", "<bounce> does not act: nothing bounces",
                   "set restitution by a material pair");
    }
  }
  if (!ode) return default_friction;
  const double mu = ode->number("mu", default_friction), mu2 = ode->number("mu2", mu);
  if (mu != mu2) {
    ode->once(Severity::Warning, "mu2", "friction is the same in all directions: mu2 is left out",
              "said once for all surfaces");
  }
  if (mu < 0) ode->error("<mu> is negative", "give a number of zero or more");
  return mu;
}

void readBitmask(const SdfNode& collision, CollisionSpec& out) {
  const auto surface = collision.child("surface");
  const auto contact = surface ? surface->child("contact") : std::nullopt;
  if (!contact || !contact->child("collide_bitmask")) return;
  const std::string text = contact->text("collide_bitmask");
  try {
    std::size_t end = 0;
    const unsigned long bits = std::stoul(text, &end, 0);
    if (end != text.size() || text.front() == '-') throw std::invalid_argument(text);
    out.group = out.mask = bits;
  } catch (const std::exception&) {
    contact->error("<collide_bitmask> holds " + shown(text) + ", not a whole number",
                   "write it as 1 or 0xff");
  }
}

/// A link that is being read, and the frames of its model.
struct Owner {
  SdfFrames& frames;
  std::string prefix;
  LinkSpec& link;
};

/// The pose of a part in its link.
Transformd poseInLink(const SdfNode& part, const Owner& owner) {
  const auto pose = part.child("pose");
  const std::string frame = pose ? pose->attribute("relative_to") : "";
  if (frame.empty() || frame == owner.link.name) return part.pose();
  const std::string name = inSdfModel(owner.prefix, frame);
  if (!name.empty() && !owner.frames.has(name)) {
    pose->error(std::string("a <") + part.element().Name() + "> is placed relative to " +
                    shown(frame) + ", which does not exist",
                "name a link, joint or frame of the model");
    return part.pose();
  }
  return inverse(owner.frames.find(owner.prefix + owner.link.name)) * owner.frames.find(name) *
         part.pose();
}

/// Common part of collisions and visuals; false where there is no shape.
template <class Spec>
bool readShape(SdfReading& reading, const SdfNode& node, bool collides, const Owner& owner,
               Spec& out) {
  Transformd X = identityTransform<double>();
  const auto shape = readSdfShape(reading, node, collides, out.meshScale, X);
  if (!shape) return false;
  out.name = node.attribute("name");
  out.shape = *shape;
  out.X_LG = poseInLink(node, owner) * X;
  return true;
}

void readCollisions(SdfReading& reading, const SdfNode& link, const Owner& owner) {
  for (const SdfNode& node : link.children("collision")) {
    node.expect({"pose", "geometry", "surface"},
                {"max_contacts", "laser_retro", "density", "auto_inertia_params"});
    CollisionSpec collision;
    if (!readShape(reading, node, true, owner, collision)) continue;
    const double friction = readFriction(node);
    reading.frictions.insert(friction);
    collision.material = sdfMaterial(friction);
    readBitmask(node, collision);
    collision.line = node.line();
    owner.link.collisions.push_back(std::move(collision));
  }
}

/// False where the material has no such colour, or an empty one (a Warning).
bool readColour(const SdfNode& material, const char* tag, VisualSpec& visual) {
  const auto colour = material.child(tag);
  if (!colour || !colour->text().empty()) return material.numbers(tag, visual.rgba);
  material.once(Severity::Warning, "empty colour",
                std::string("<") + tag + "> is empty and left out",
                "give red, green, blue and opacity; said once for all of them");
  return false;
}

void readVisuals(SdfReading& reading, const SdfNode& link, const Owner& owner) {
  for (const SdfNode& node : link.children("visual")) {
    node.expect({"pose", "geometry", "material"}, {"cast_shadows", "laser_retro", "transparency",
                                                   "meta", "plugin", "visibility_flags"});
    VisualSpec visual;
    if (!readShape(reading, node, false, owner, visual)) continue;
    if (const auto material = node.child("material")) {
      if (!readColour(*material, "diffuse", visual)) readColour(*material, "ambient", visual);
    }
    visual.line = node.line();
    owner.link.visuals.push_back(std::move(visual));
  }
}

}  // namespace

LinkSpec readSdfLink(SdfReading& reading, SdfFrames& frames, const SdfNode& node,
                     const std::string& prefix, bool isStatic) {
  LinkSpec link;
  link.name = node.attribute("name");
  link.line = node.line();
  reading.xml.setSubject("link " + shown(link.name));
  reading.xml.expectAttributes(node.element(), {"name"});
  node.expect({"pose", "inertial", "collision", "visual", "gravity", "kinematic", "self_collide"},
              {"sensor", "light", "plugin", "projector", "audio_source", "audio_sink", "battery",
               "particle_emitter", "must_be_base_link", "enable_wind", "velocity_decay"});
  if (!node.flag("gravity", true)) {
    node.once(Severity::Warning, "gravity", "<gravity>false</gravity> does not act in a link",
              "hold it by a force; said once for all links");
  }
  if (node.flag("kinematic", false)) {
    node.once(Severity::Warning, "kinematic", "a kinematic link obeys forces here",
              "make its model static; said once for all links");
  }
  if (!isStatic) link.inertial = readInertial(node);
  const Owner owner{frames, prefix, link};
  readCollisions(reading, node, owner);
  readVisuals(reading, node, owner);
  reading.xml.setSubject("");
  return link;
}

std::string sdfMaterial(double friction) {
  return friction == default_friction ? "default" : "friction " + shortest(friction);
}

/// The smaller friction counts, as in Gazebo.
std::vector<MaterialPairSpec> sdfMaterialPairs(const std::set<double>& frictions) {
  constexpr std::size_t most = 64;
  std::vector<double> all{default_friction};
  for (const double f : frictions)
    if (f != default_friction && all.size() < most) all.push_back(f);
  std::vector<MaterialPairSpec> pairs;
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      MaterialPairSpec pair;
      pair.first = sdfMaterial(all[k]);
      pair.second = sdfMaterial(all[i]);
      pair.friction = std::min(all[k], all[i]);
      pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

}  // namespace espalier::io
