#include "espalier/io/urdf/bound_inertia.h"

#include <algorithm>
#include <vector>

#include "espalier/io/spec_links.h"
#include "espalier/io/text/rotation_text.h"
#include "espalier/io/text/xml_reader.h"
#include "espalier/model/spec/check_report.h"
#include "espalier/model/spec/checks.h"
#include "espalier/model/spec/principal_axes.h"

namespace espalier::io {
namespace {

RigidInertia<double> none() { return {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}}; }

/// As a Spec keeps it, also where it has no mass.
InertialSpec inertialOf(const RigidInertia<double>& b) {
  if (b.m > 0) return aboutCentre(b);
  return {0, identityTransform<double>(), b.I};
}

/// The inertia that b lacks to the least one, about the same origin.
RigidInertia<double> lackOf(const RigidInertia<double>& b, const LeastInertia& least) {
  const InertialSpec centred = inertialOf(b);
  const auto [moments, R] = principalAxes(centred.I);
  const auto lack = [&](double moment) { return std::max(0.0, least.moment - moment); };
  const Sym3<double> I = congruence(
      transpose(R), Sym3<double>{lack(moments[0]), 0, 0, lack(moments[1]), 0, lack(moments[2])});
  const double mass = std::max(0.0, least.mass - b.m);
  return inLink({mass, {identity3<double>(), centred.X_LC.p}, I});
}

/// Links welded to one another as one body, named by the uppermost link.
struct WeldedLinks {
  std::vector<int> bodyOf;                   ///< [links]
  std::vector<RigidInertia<double>> bodies;  ///< [links] those of the uppermost links only

  WeldedLinks(const SystemSpec& spec, const SpecTree& tree)
      : bodyOf(spec.links.size(), 0), bodies(spec.links.size(), none()) {
    std::vector<Transformd> X(spec.links.size(), identityTransform<double>());  // in the body
    for (const int link : tree.order) {
      const int j = tree.parentJoint[link];
      bodyOf[link] = link;
      if (j >= 0 && spec.joints[j].kind == JointKind::Fixed) {
        bodyOf[link] = bodyOf[tree.parentLink[link]];
        X[link] = X[tree.parentLink[link]] * spec.joints[j].X_PJ;
      }
      if (const auto& inertial = spec.links[link].inertial)
        bodies[bodyOf[link]] += toParent(transpose(X[link].R), X[link].p, inLink(*inertial));
    }
  }
};

/// Adds what the body of a link lacks, and says so.
void raise(const SystemSpec& spec, LinkSpec& link, const RigidInertia<double>& body,
           const LeastInertia& least, Diagnostics& diagnostics) {
  const RigidInertia<double> lack = lackOf(body, least);
  if (!(lack.m > 0) && !(lack.I.xx + lack.I.yy + lack.I.zz > 0)) return;
  RigidInertia<double> sum = link.inertial ? inLink(*link.inertial) : none();
  sum += lack;
  link.inertial = inertialOf(sum);
  diagnostics.add(
      {Severity::Note, fileOf(spec, link), link.line,
       "link " + shown(link.name) + " has less than the least inertia: " + shortest(lack.m) +
           " kg are added to its " + shortest(body.m) +
           " kg, and its principal moments are raised to " + shortest(least.moment) + " kg m^2",
       "nothing to do, or give it its real inertia"});
}

}  // namespace

void boundInertias(SystemSpec& spec, const LeastInertia& least, Diagnostics& diagnostics) {
  if (!(least.mass > 0) && !(least.moment > 0)) return;
  Diagnostics saidLater;
  const SpecTree tree = checkTree({spec, saidLater});
  if (!tree.isTree) return;
  const WeldedLinks welded(spec, tree);
  for (std::size_t i = 0; i < spec.links.size(); ++i) {
    LinkSpec& link = spec.links[i];
    const bool isRoot = tree.parentJoint[i] < 0;
    const bool isFixed = isRoot && (spec.fixedBase || link.name == "world");
    // A root without mass is welded to the world.
    const bool isMassless = isRoot && !(welded.bodies[i].m > 0);
    if (welded.bodyOf[i] != static_cast<int>(i) || isFixed || isMassless) continue;
    raise(spec, link, welded.bodies[i], least, diagnostics);
  }
}

}  // namespace espalier::io
