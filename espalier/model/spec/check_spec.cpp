#include "espalier/model/spec/check_spec.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "espalier/model/spec/check_magnitudes.h"
#include "espalier/model/spec/checks.h"
#include "espalier/spatial/finite.h"

namespace espalier {
namespace {

template <class Named>
void checkNames(const CheckReport& report, const char* kind, const std::vector<Named>& all) {
  std::map<std::string_view, int> lines;
  for (const Named& one : all) {
    if (one.name.empty()) {
      report.error({one.file, one.line}, std::string("a ") + kind + " has no name",
                   "add name=\"...\"");
      continue;
    }
    const auto [first, isNew] = lines.emplace(one.name, one.line);
    if (isNew) continue;
    report.error(one, "has the name of another one, of line " + std::to_string(first->second),
                 std::string("give each ") + kind + " a name of its own");
  }
}

bool isExtent(double a) { return a > 0 && std::isfinite(a); }

/// True if a shape can be used: finite, and with an extent where it needs one.
struct IsUsable {
  bool operator()(const ParametricShape auto& s) const { return hasExtent(s); }
  bool operator()(const MeshShape& m) const {
    return !m.data || std::all_of(m.data->vertices.begin(), m.data->vertices.end(),
                                  [](const Vec3d& v) { return isFinite(v); });
  }
  bool operator()(const Heightfield& h) const {
    return h.data && h.data->xSamples >= 2 && h.data->ySamples >= 2 && isExtent(h.data->xSize) &&
           isExtent(h.data->ySize) &&
           h.data->heights.size() == static_cast<std::size_t>(h.data->xSamples) *
                                         static_cast<std::size_t>(h.data->ySamples);
  }
};

void checkShapes(const CheckReport& report, const LinkSpec& link) {
  const auto check = [&](const Shape& shape, const Transformd& pose, int line, const char* use) {
    const std::string what =
        "link " + inQuotes(link.name) + " has a " + use + " " + shapeName(shape);
    if (!std::visit(IsUsable{}, shape))
      report.error({link.file, line}, what + " without a finite extent",
                   "give it sizes above zero");
    if (!isFinite(pose))
      report.error({link.file, line}, what + " whose pose is not finite", "give finite numbers");
  };
  for (const CollisionSpec& c : link.collisions) check(c.shape, c.X_LG, c.line, "collision");
  for (const VisualSpec& v : link.visuals) check(v.shape, v.X_LG, v.line, "visual");
}

void checkIgnoredPairs(const CheckReport& report) {
  std::set<std::string_view> links;
  for (const LinkSpec& link : report.spec.links) links.insert(link.name);
  for (const IgnoredPair& pair : report.spec.ignoredPairs) {
    for (const std::string* name : {&pair.first, &pair.second}) {
      if (links.count(*name) != 0) continue;
      report.warn(0,
                  "a pair that shall not collide names the link " + inQuotes(*name) +
                      ", which does not exist",
                  "correct its name");
    }
  }
}

void checkMedium(const CheckReport& report) {
  const MediumSpec& medium = report.spec.medium;
  const auto isAmount = [](double x) { return std::isfinite(x) && x >= 0; };
  if (isAmount(medium.density) && isAmount(medium.viscosity) && std::isfinite(norm(medium.wind)))
    return;
  report.error(0, "the medium has a density, viscosity or wind that is not a number from zero up",
               "give kg/m^3, Pa s and m/s");
}

}  // namespace

void checkSpec(const SystemSpec& spec, Diagnostics& diagnostics) {
  const CheckReport report{spec, diagnostics};
  checkNames(report, "link", spec.links);
  checkNames(report, "joint", spec.joints);
  checkNames(report, "loop", spec.loops);
  checkNames(report, "coupling", spec.couplings);
  checkNames(report, "constraint", spec.constraints);
  checkNames(report, "tendon", spec.tendons);
  const SpecTree tree = checkTree(report);
  checkJoints(report);
  checkJointOrder(report);
  checkLoops(report, tree);
  checkInertias(report, tree);
  for (const LinkSpec& link : spec.links) checkShapes(report, link);
  checkIgnoredPairs(report);
  checkTendons(report);
  checkMedium(report);
  checkMagnitudes(report);
  checkPose(report, 0, spec.X_WB, "the pose of the base", "the orientation of the base");
}

}  // namespace espalier
