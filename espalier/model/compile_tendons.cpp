#include "espalier/model/compile_tendons.h"

namespace espalier {
namespace {

/// factor x the coordinate of a joint, which may be a rotor that is no body.
void addTerm(const Model& model, const std::string& joint, double factor, TendonInfo& tendon) {
  if (const int body = model.joint(joint); body >= 0) {
    const BodyTopology& at = model.topology.bodies[static_cast<std::size_t>(body)];
    tendon.terms.push_back({at.q, at.u, factor});
  } else if (const int index = model.rotor(joint); index >= 0) {
    const RotorInfo& rotor = model.rotors[static_cast<std::size_t>(index)];
    tendon.offset += factor * rotor.offset;
    for (const RotorInfo::Term& term : rotor.terms)
      tendon.terms.push_back({term.q, term.u, factor * term.factor});
  }
}

TendonInfo::End endOf(const SystemSpec& spec, const Model& model, const TendonSpec::Point& point) {
  TendonInfo::End end;
  end.point_L = point.position;
  for (const FrameInfo& link : model.links) {
    if (link.name != point.link) continue;
    end.body = link.body;
    end.point_L = link.X_LF * point.position;
    return end;
  }
  // The ground: of a fixed base its own frame, as for loops.
  if (!model.topology.floating) end.point_L = spec.X_WB * point.position;
  return end;
}

void addWay(const SystemSpec& spec, const TendonSpec::Way& way, Model& model, TendonInfo& tendon) {
  for (std::size_t i = 1; i < way.points.size(); ++i) {
    TendonInfo::Segment segment{endOf(spec, model, way.points[i - 1]),
                                endOf(spec, model, way.points[i]), 1 / way.divisor};
    const bool isRigid = segment.from.body == segment.to.body;
    if (isRigid)
      tendon.offset += segment.share * norm(segment.to.point_L - segment.from.point_L);
    else
      tendon.segments.push_back(segment);
  }
}

}  // namespace

void addTendons(const SystemSpec& spec, Model& model) {
  for (const TendonSpec& authored : spec.tendons) {
    TendonInfo& tendon = model.tendons.emplace_back();
    tendon.spec = authored;
    for (const TendonSpec::Term& term : authored.terms)
      addTerm(model, term.joint, term.coefficient, tendon);
    for (const TendonSpec::Way& way : authored.ways) addWay(spec, way, model, tendon);
  }
}

void addHeldWeights(const SystemSpec& spec, Model& model) {
  for (std::size_t l = 0; l < spec.links.size(); ++l) {
    const LinkSpec& link = spec.links[l];
    if (link.gravityCompensation == 0 || !link.inertial) continue;
    const FrameInfo& at = model.links[l];
    if (at.body == 0 && !model.topology.floating) continue;  // welded to the world
    HeldWeight& held = model.heldWeights.emplace_back();
    held.body = at.body;
    held.mass = link.gravityCompensation * link.inertial->mass;
    held.centre_L = at.X_LF * link.inertial->X_LC.p;
  }
}

}  // namespace espalier
