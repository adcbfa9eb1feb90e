#include "espalier/io/body_of_links.h"

#include <map>

#include "espalier/io/centred_inertia.h"

namespace espalier::io {
double massOf(const SystemSpec& spec) {
  double sum = 0;
  for (const LinkSpec& link : spec.links) sum += link.inertial ? link.inertial->mass : 0;
  return sum;
}

BodySpec bodyOfLinks(const SystemSpec& spec, BodyType type) {
  std::map<std::string, Transformd> X_BL{{spec.links.front().name, identityTransform<double>()}};
  for (const JointSpec& joint : spec.joints) X_BL[joint.child] = X_BL.at(joint.parent) * joint.X_PJ;
  BodySpec body;
  body.name = spec.name;
  body.type = type;
  body.X_WB = spec.X_WB;
  body.line = spec.links.front().line;
  body.file = spec.links.front().file;
  RigidInertia<double> sum{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  for (const LinkSpec& link : spec.links) {
    const Transformd& X = X_BL.at(link.name);
    if (link.inertial) sum += toParent(transpose(X.R), X.p, inLink(*link.inertial));
    for (CollisionSpec collision : link.collisions) {
      collision.X_LG = X * collision.X_LG;
      body.collisions.push_back(std::move(collision));
    }
    for (VisualSpec visual : link.visuals) {
      visual.X_LG = X * visual.X_LG;
      body.visuals.push_back(std::move(visual));
    }
  }
  const bool isAsAuthored = spec.links.size() == 1 && spec.links.front().inertial;
  if (isAsAuthored)
    body.inertial = *spec.links.front().inertial;
  else if (sum.m > 0)
    body.inertial = aboutCentre(sum);
  return body;
}

}  // namespace espalier::io
