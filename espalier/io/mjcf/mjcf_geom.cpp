#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/mjcf/mjcf_solid.h"
#include "espalier/io/spec_links.h"

namespace espalier::io {
namespace {

/// A geom without its mass.
struct Form {
  std::optional<Shape> shape;
  MjcfSolid solid{};                              ///< in the geom's frame
  Transformd X_GS = identityTransform<double>();  ///< the shape's frame in the geom's
};

bool arePositive(std::span<const double> sizes) {
  for (const double s : sizes)
    if (!(s > 0) || !std::isfinite(s)) return false;
  return true;
}

/// Numbers in a primitive's size; 0 of what is none.
int sizesOf(const std::string& type) {
  int sizes = 0;
  solidNamed(type, [&](const auto& p, auto& v) {
    forEachNumber(p.name, v, [&](const char*, double&) { ++sizes; });
  });
  return sizes;
}

/// An ellipsoid of equal half axes is a sphere.
Form formOf(const std::string& type, const double* size) {
  const bool isBall = type == "ellipsoid" && size[0] == size[1] && size[1] == size[2];
  const Shape shape = *solidNamed(isBall ? "sphere" : type, [&](const auto& p, auto& v) {
    forEachNumber(p.name, v, [&](const char*, double& x) { x = p.mjcf * *size++; });
  });
  return {shape, {volume(shape), inertia(shape, 1)}};
}

/// The frame by fromto, and half its length into the sizes where MuJoCo puts it.
bool readFromTo(const MjcfNode& geom, const std::string& type, Transformd& X, double* size) {
  const std::optional<double> length = readMjcfFromTo(geom, X);
  if (!length) return false;
  size[1] = *length / 2;
  if (type == "box" || type == "ellipsoid") size[2] = size[1], size[1] = size[0];
  return true;
}

Form readForm(const MjcfReading& reading, const MjcfNode& geom, const std::string& type,
              Transformd& X) {
  if (type == "plane") return {Plane{}};
  if (type == "hfield") return {useMjcfHfield(reading, geom)};
  if (sizesOf(type) == 0) {
    if (type == "sdf") {
      geom.omit("geom " + type, "a geom of type " + type + " is left out",
                "expect no contact with it; said once for all of its kind");
    } else {
      geom.error("the geom type " + shown(type) + " is not known",
                 "use plane, " + solidNames() + ", mesh or hfield");
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
  return formOf(type, size);
}

/// The primitive that MuJoCo fits to a mesh: in the frame of the mesh's inertia box, of its sizes.
Form fitted(const MjcfReading& reading, const MjcfNode& geom, const std::string& type,
            const MjcfMeshUse& use) {
  if (!use.solid) return {};
  if (reading.compiler.fitsBounds) {
    geom.omit("fitaabb", "a " + type + " is fitted to its mesh's inertia box, not to its bounds",
              "give it a size; said once for all of them");
  }
  const MjcfInertiaBox box = mjcfInertiaBox(*use.solid);
  const Transformd X = box.X_GB;
  std::array<double, 3> size = fittedSize(type, box.half);
  const double k = geom.number("fitscale", 1);
  for (double& s : size) s *= k;
  if (!arePositive({size.data(), static_cast<std::size_t>(sizesOf(type))})) {
    geom.error("a " + type + " fitted to its mesh has no size above zero",
               "give it a size, or a mesh that spans a volume");
    return {};
  }
  Form form = formOf(type, size.data());
  form.X_GS = X;
  form.solid.unit = toParent(transpose(X.R), X.p, form.solid.unit);
  return form;
}

Form readMeshForm(MjcfReading& reading, const MjcfNode& geom, const std::string& type, bool hasMass,
                  MjcfGeom& out) {
  const bool isFitted = type != "mesh" && sizesOf(type) > 0;
  if (type == "sdf") {
    geom.omit(
        "type", "a geom of type 'sdf' collides as the convex hull of its mesh",
        "give it type=\"mesh\" where that is meant; espalier convert parts a concave mesh into "
        "convex ones");
  } else if (type != "mesh" && !isFitted) {
    geom.error("a geom of type " + shown(type) + " names a mesh",
               "use one of " + solidNames() + " to fit it, or mesh");
    return {};
  }
  const auto use =
      useMjcfMesh(reading, geom, out.contype != 0 || out.conaffinity != 0, hasMass || isFitted);
  if (!use) return {};
  if (isFitted) return fitted(reading, geom, type, *use);
  out.meshScale = use->scale;
  return {use->shape, use->solid.value_or(MjcfSolid{}), use->X_GM};
}

void readSurface(const MjcfNode& geom, MjcfSurface& to) {
  geom.upTo("friction", to.friction);
  to.condim = readMjcfCondim(geom, to.condim);
  to.priority = geom.integer("priority", to.priority);
  for (const double f : to.friction)
    if (f < 0) geom.error("<geom friction> is negative", "give numbers of zero or more");
}

/// The surface instead of the solid, where the geom is a shell.
void spreadOverSurface(const MjcfNode& geom, Form& form) {
  if (!geom.flag("shellinertia", false) || !form.shape) return;
  if (const auto shell = mjcfShell(*form.shape)) {
    form.solid = *shell;
    form.solid.unit = toParent(transpose(form.X_GS.R), form.X_GS.p, shell->unit);
    return;
  }
  geom.omit("shellinertia", "the mass of a mesh or an ellipsoid fills it, although it is a shell",
            "give the mesh inertia=\"shell\", or the body an <inertial>");
}

void readMass(const MjcfNode& geom, Form form, const Transformd& X_BG, MjcfGeom& out) {
  spreadOverSurface(geom, form);
  double mass = geom.number("density", 1000) * form.solid.content;
  if (geom.has("mass")) mass = form.solid.unit.m > 0 ? geom.number("mass", 0) : 0;
  if (!(mass >= 0) || !std::isfinite(mass)) {
    geom.error("a geom has a mass that is negative or not finite", "give its mass in kg");
    return;
  }
  if (!(form.solid.unit.m > 0)) return;
  RigidInertia<double> b = form.solid.unit;
  b.m = mass;
  b.h = b.h * mass;
  b.I = {b.I.xx * mass, b.I.xy * mass, b.I.xz * mass, b.I.yy * mass, b.I.yz * mass, b.I.zz * mass};
  out.inertia = toParent(transpose(X_BG.R), X_BG.p, b);
  if (!(mass > 0)) return;
  out.ownInertia = aboutCentre(b);
  out.ownInertia.X_LC = X_BG * out.ownInertia.X_LC;
}

}  // namespace

MjcfGeom readMjcfGeom(MjcfReading& reading, const MjcfNode& geom, bool hasMass) {
  expectMjcfAttributes(geom);
  geom.omitAttributes({"adhesion", "surfacevel"});
  if (reading.model.medium.acts() && geom.text("fluidshape") == "ellipsoid")
    geom.omit("fluidshape",
              "forces of a fluid on ellipsoids are not read: drag is that of boxes with the "
              "bodies' inertia",
              "expect other motion where lift or added mass count; said once for all of its kind");
  MjcfGeom out;
  out.name = geom.text("name");
  out.line = geom.line();
  out.file = geom.xml().file();
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
  if (geom.has("mesh") && type != "hfield")
    form = readMeshForm(reading, geom, type, counts, out);
  else if (type == "mesh")
    geom.error("a geom of type mesh names no mesh", "add mesh=\"...\"");
  else
    form = readForm(reading, geom, type, out.X_BG);
  out.shape = form.shape;
  if (counts) readMass(geom, form, out.X_BG, out);
  out.X_BG = out.X_BG * form.X_GS;
  out.material = geom.text("material");
  const auto colour = reading.colours.find(out.material);
  if (colour != reading.colours.end()) out.rgba = colour->second;
  geom.colour("rgba", out.rgba);
  return out;
}

}  // namespace espalier::io
