#include "espalier/model/compile/compile_steps.h"

#include "espalier/model/spec/named.h"

namespace espalier {
namespace {

/// factor x the coordinate of a joint, which may be a rotor that is no body.
void addTerm(const Model& model, const std::string& joint, double factor, TendonInfo& tendon) {
  if (const int body = model.joint(joint); body >= 0) {
    const BodyTopology& at = model.topology.bodies[body];
    tendon.terms.push_back({at.q, at.u, factor});
  } else if (const int index = model.rotor(joint); index >= 0) {
    const RotorInfo& rotor = model.rotors[index];
    tendon.offset += factor * rotor.offset;
    for (const RotorInfo::Term& term : rotor.terms)
      tendon.terms.push_back({term.q, term.u, factor * term.factor});
  }
}

/// A link's body and the link's frame in it; -1 and the ground's frame, which is that of a fixed base
/// as for loops, where there is none of that name.
std::pair<int, Transformd> placeOf(const SystemSpec& spec, const Model& model,
                                   const std::string& name) {
  if (const FrameInfo* link = named(model.links, name)) return {link->body, link->X_LF};
  return {-1, model.topology.floating ? identityTransform<double>() : spec.X_WB};
}

TendonInfo::End endOf(const SystemSpec& spec, const Model& model, const std::string& link,
                      const Vec3d& position) {
  const auto [body, X] = placeOf(spec, model, link);
  TendonInfo::End end;
  end.body = body;
  end.point_L = X * position;
  return end;
}
TendonInfo::End endOf(const SystemSpec& spec, const Model& model, const TendonSpec::Point& point) {
  return endOf(spec, model, point.link, point.position);
}

/// Two segments, one to the surface and one from it.
void addWrap(const SystemSpec& spec, const TendonSpec::Wrap& wrap, TendonInfo::Segment straight,
             const Model& model, TendonInfo& tendon) {
  TendonInfo::Wrap& to = tendon.wraps.emplace_back();
  to.segment = static_cast<int>(tendon.segments.size());
  to.surface = wrap.surface;
  to.centre = endOf(spec, model, wrap.link, wrap.X_LS.p);
  to.R_L = mul(placeOf(spec, model, wrap.link).second.R, wrap.X_LS.R);
  if (wrap.side) to.side = endOf(spec, model, *wrap.side);
  tendon.segments.push_back({straight.from, to.centre, straight.share});
  tendon.segments.push_back({to.centre, straight.to, straight.share});
}

void addWay(const SystemSpec& spec, const TendonSpec::Way& way, Model& model, TendonInfo& tendon) {
  auto wrap = way.wraps.begin();
  for (std::size_t i = 1; i < way.points.size(); ++i) {
    TendonInfo::Segment segment{endOf(spec, model, way.points[i - 1]),
                                endOf(spec, model, way.points[i]), 1 / way.divisor};
    const bool isRigid = segment.from.body == segment.to.body;
    if (wrap != way.wraps.end() && wrap->after + 1 == static_cast<int>(i))
      addWrap(spec, *wrap++, segment, model, tendon);
    else if (isRigid)
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

void lowerTendons(Model& model) {
  const auto lower = [&model](TendonInfo::End& end) {
    if (end.body >= 0) end.point_C = tmul(model.bodies[end.body].R_LC, end.point_L);
  };
  for (TendonInfo& tendon : model.tendons) {
    for (TendonInfo::Segment& segment : tendon.segments) lower(segment.from), lower(segment.to);
    for (TendonInfo::Wrap& wrap : tendon.wraps) {
      const int body = wrap.centre.body;
      lower(wrap.centre);
      wrap.R_C = body >= 0 ? mul(transpose(model.bodies[body].R_LC), wrap.R_L) : wrap.R_L;
      if (wrap.side) lower(*wrap.side);
    }
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

void addDrag(const SystemSpec& spec, Model& model) {
  model.medium = spec.medium;
  if (!spec.medium.acts()) return;
  for (std::size_t l = 0; l < spec.links.size(); ++l) {
    const LinkSpec& link = spec.links[l];
    const FrameInfo& at = model.links[l];
    const bool isFixed = at.body == 0 && !model.topology.floating;
    if (isFixed || !link.inertial || !(link.inertial->mass > 0)) continue;
    model.dragBoxes.push_back(makeDragBox(link, at.body, at.X_LF));
  }
}

}  // namespace espalier
