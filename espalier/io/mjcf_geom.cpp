#include <cmath>
#include <numbers>

#include "espalier/io/mjcf_parts.h"

namespace espalier::io {
namespace {

/// What a geom is before it has a mass.
struct Form {
  std::optional<Shape> shape;
  double volume = 0;
  RigidInertia<double> unit{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};  ///< of 1 kg, in the shape's frame
};

bool arePositive(std::span<const double> sizes) {
  for (const double s : sizes) {
    if (!(s > 0) || !std::isfinite(s)) return false;
  }
  return true;
}

Form solid(const Shape& shape) { return {shape, volume(shape), inertia(shape, 1)}; }

/// I = m/5 diag(b^2 + c^2, a^2 + c^2, a^2 + b^2)
Form ellipsoid(const MjcfNode& geom, double a, double b, double c) {
  if (a == b && b == c) return solid(SphereShape{a});
  geom.once(Severity::Warning, "ellipsoid", "an ellipsoid does not collide here; it has its mass",
            "write it as a mesh or a capsule; said once for all of them");
  const double k = 0.2;
  return {std::nullopt,
          4.0 / 3.0 * std::numbers::pi * a * b * c,
          {1, {0, 0, 0}, {k * (b * b + c * c), 0, 0, k * (a * a + c * c), 0, k * (a * a + b * b)}}};
}

/// The frame in the middle of fromto, and half its length into the sizes where MuJoCo puts it.
bool readFromTo(const MjcfNode& geom, const std::string& type, Transformd& X, double* size) {
  double e[6];
  if (!geom.numbers("fromto", e)) return false;
  const Vec3d from{e[0], e[1], e[2]}, to{e[3], e[4], e[5]};
  const double length = norm(to - from);
  if (!(length > 1e-14)) {
    geom.error("<geom fromto> has no length", "give two points that differ");
    return false;
  }
  X.p = (from + to) * 0.5;
  X.R = shortestRotationToZ((from - to) * (1 / length));
  size[1] = length / 2;
  if (type == "box" || type == "ellipsoid") size[2] = size[1], size[1] = size[0];
  return true;
}

int sizesOf(const std::string& type) {
  if (type == "sphere") return 1;
  return type == "box" || type == "ellipsoid" ? 3 : 2;
}

Form readForm(const MjcfNode& geom, const std::string& type, Transformd& X) {
  if (type == "plane") return {Plane{}};
  if (type != "sphere" && type != "capsule" && type != "cylinder" && type != "box" &&
      type != "ellipsoid") {
    const bool isKnown = type == "hfield" || type == "sdf";
    if (isKnown) {
      geom.once(Severity::Warning, "geom " + type, "a geom of type " + type + " is left out",
                "expect no contact with it; said once for all of its kind");
    } else {
      geom.error("the geom type " + shown(type) + " is not known",
                 "use plane, sphere, capsule, cylinder, box, ellipsoid or mesh");
    }
    return {};
  }
  double size[3] = {0, 0, 0};
  geom.upTo("size", size);
  const bool canSpan = type != "sphere";
  if (canSpan && geom.has("fromto")) {
    if (!readFromTo(geom, type, X, size)) return {};
  }
  if (!arePositive({size, static_cast<std::size_t>(sizesOf(type))})) {
    geom.error("a " + type + " has no size above zero",
               "give size=\"...\", " + std::to_string(sizesOf(type)) + " numbers for a " + type +
                   (canSpan ? ", or one and fromto" : ""));
    return {};
  }
  if (type == "sphere") return solid(SphereShape{size[0]});
  if (type == "capsule") return solid(CapsuleShape{size[0], 2 * size[1]});
  if (type == "cylinder") return solid(CylinderShape{size[0], 2 * size[1]});
  if (type == "box") return solid(BoxShape{{2 * size[0], 2 * size[1], 2 * size[2]}});
  return ellipsoid(geom, size[0], size[1], size[2]);
}

Form readMeshForm(MjcfReading& reading, const MjcfNode& geom, const std::string& type, bool hasMass,
                  MjcfGeom& out) {
  if (type != "mesh") {
    geom.once(Severity::Warning, "fitted", "a " + type + " is not fitted to its mesh",
              "the mesh itself stands there; give type=\"mesh\", or the " + type + "'s size");
  }
  const auto use = useMjcfMesh(reading, geom, out.contype != 0 || out.conaffinity != 0, hasMass);
  if (!use) return {};
  out.X_BG = out.X_BG * use->X_GM;
  out.meshScale = use->scale;
  Form form{use->shape};
  if (!use->solid.data) return form;
  form.volume = volume(use->solid);
  if (form.volume > 0 && std::isfinite(form.volume)) form.unit = inertia(use->solid, 1);
  return form;
}

void readSurface(const MjcfNode& geom, MjcfSurface& to) {
  geom.upTo("friction", to.friction);
  to.condim = geom.integer("condim", to.condim);
  to.priority = geom.integer("priority", to.priority);
  if (to.condim != 1 && to.condim != 3 && to.condim != 4 && to.condim != 6) {
    geom.error("<geom condim> is " + std::to_string(to.condim), "write 1, 3, 4 or 6");
    to.condim = 3;
  }
  for (const double f : to.friction) {
    if (f < 0) geom.error("<geom friction> is negative", "give numbers of zero or more");
  }
}

void readMass(const MjcfNode& geom, const Form& form, MjcfGeom& out) {
  double mass = geom.number("density", 1000) * form.volume;
  if (geom.has("mass")) mass = form.unit.m > 0 ? geom.number("mass", 0) : 0;
  if (!(mass >= 0) || !std::isfinite(mass)) {
    geom.error("a geom has a mass that is negative or not finite", "give its mass in kg");
    return;
  }
  if (geom.flag("shellinertia", false)) {
    geom.once(Severity::Warning, "shellinertia", "a geom's mass fills it, although it is a shell",
              "give the body an <inertial>; said once for all of them");
  }
  if (!(form.unit.m > 0)) return;
  RigidInertia<double> b = form.unit;
  b.m = mass;
  b.h = b.h * mass;
  b.I = {b.I.xx * mass, b.I.xy * mass, b.I.xz * mass, b.I.yy * mass, b.I.yz * mass, b.I.zz * mass};
  out.inertia = toParent(transpose(out.X_BG.R), out.X_BG.p, b);
}

}  // namespace

MjcfGeom readMjcfGeom(MjcfReading& reading, const MjcfNode& geom, bool hasMass) {
  geom.expect({"name",     "class",        "type",   "size",    "fromto",      "pos",
               "quat",     "axisangle",    "xyaxes", "zaxis",   "euler",       "mass",
               "density",  "shellinertia", "mesh",   "contype", "conaffinity", "condim",
               "priority", "friction",     "group",  "rgba",    "material"},
              {"solref", "solimp", "solmix", "margin", "gap", "user", "fitscale", "fluidshape",
               "fluidcoef", "hfield"});
  MjcfGeom out;
  out.name = geom.text("name");
  out.line = geom.line();
  if (!out.name.empty() && !reading.geomNames.insert(out.name).second) {
    geom.error("there are two geoms " + shown(out.name), "give each geom a name of its own");
  }
  out.contype = geom.integer("contype", out.contype);
  out.conaffinity = geom.integer("conaffinity", out.conaffinity);
  out.group = geom.integer("group", out.group);
  out.X_BG = readMjcfPose(reading, geom);
  readSurface(geom, out.surface);
  const std::string type = geom.has("type") ? geom.text("type") : "sphere";
  const bool isInGroups = out.group >= reading.compiler.inertiaGroups[0] &&
                          out.group <= reading.compiler.inertiaGroups[1];
  const bool counts = hasMass && isInGroups;
  Form form;
  if (geom.has("mesh") && type != "hfield") {
    form = readMeshForm(reading, geom, type, counts, out);
  } else if (type == "mesh") {
    geom.error("a geom of type mesh names no mesh", "add mesh=\"...\"");
  } else {
    form = readForm(geom, type, out.X_BG);
  }
  out.shape = form.shape;
  if (counts) readMass(geom, form, out);
  out.material = geom.text("material");
  const auto colour = reading.colours.find(out.material);
  if (colour != reading.colours.end()) out.rgba = colour->second;
  geom.colour("rgba", out.rgba);
  return out;
}

}  // namespace espalier::io
