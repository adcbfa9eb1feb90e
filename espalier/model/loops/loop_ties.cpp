// Names to indices, for loops that checkSpec() has accepted.

#include "espalier/model/loops/loop_ties.h"

#include <algorithm>
#include <cmath>

#include "espalier/model/loops/clusters.h"
#include "espalier/model/loops/loop_gap.h"
#include "espalier/model/spec/checks.h"
#include "espalier/model/spec/named.h"
#include "espalier/model/spec/tape_affine.h"

namespace espalier {
namespace {

std::vector<int> bodiesOf(const LoopPath& path) {
  std::vector<int> bodies = path.first;
  bodies.insert(bodies.end(), path.second.begin(), path.second.end());
  return bodies;
}

Coupling::Term termOf(const Model& model, int body, double factor) {
  const BodyTopology& b = model.topology.bodies[body];
  return {b.q, b.u, factor};
}

void add(const Model& model, const SystemSpec& spec, const LoopSpec& loop, LoopTies& ties,
         const CheckReport& report) {
  Closure c = closureOf(loop);
  c.spec = static_cast<int>(&loop - spec.loops.data());
  const auto [a, X_La] = placeOf(model, loop.predecessor);
  const auto [b, X_Lb] = placeOf(model, loop.successor);
  c.a = a;
  c.b = b;
  c.X_LA = X_La * c.X_LA;
  c.X_LB = X_Lb * c.X_LB;
  std::vector<int> bodies = bodiesOf(pathBetween(model.topology, c.a, c.b));
  if (bodies.empty()) return checkWelded(report, loop, {c.X_LA, c.X_LB});
  toEngineAxes(model, c);
  ties.closures.push_back(c);
  ties.ofClosures.push_back(std::move(bodies));
}

/// A rotor that is no body (gyrostats.h).
bool isRotor(const Model& model, const std::string& link) {
  const FrameInfo* frame = named(model.links, link);
  return frame && frame->rotor >= 0;
}

void add(const Model& model, const CouplingSpec& spec, LoopTies& ties) {
  if (isRotor(model, spec.predecessor) || isRotor(model, spec.successor)) return;
  const LoopPath path =
      pathBetween(model.topology, model.body(spec.predecessor), model.body(spec.successor));
  Coupling c{{}, -spec.offset, spec.name, spec.line};
  for (const int body : path.first) c.terms.push_back(termOf(model, body, spec.ratio));
  for (const int body : path.second) c.terms.push_back(termOf(model, body, -1));
  ties.couplings.push_back(std::move(c));
  ties.ofCouplings.push_back(bodiesOf(path));
}

void addMimic(const Model& model, const JointSpec& joint, LoopTies& ties) {
  const int a = model.joint(joint.name), b = model.joint(joint.mimic->joint);
  ties.couplings.push_back({{termOf(model, a, 1), termOf(model, b, -joint.mimic->multiplier)},
                            joint.mimic->offset,
                            joint.name,
                            joint.line});
  // One may carry the other, which the way between them leaves out.
  std::vector<int> bodies = bodiesOf(pathBetween(model.topology, a, b));
  bodies.push_back(a);
  bodies.push_back(b);
  ties.ofCouplings.push_back(std::move(bodies));
}

/// A row for each of its equations; those that are plain sums of coordinates become such.
void add(const Model& model, const ConstraintSpec& spec, LoopTies& ties) {
  std::vector<Coupling::Term> terms;
  std::vector<int> bodies;
  for (const std::string& name : spec.joints) {
    const int body = model.joint(name);
    const BodyTopology& b = model.topology.bodies[body];
    for (int k = 0; k < b.nv; ++k) terms.push_back({b.q + k, b.u + k, 1});
    const std::vector<int> between =
        bodiesOf(pathBetween(model.topology, model.joint(spec.joints.front()), body));
    bodies.push_back(body);
    bodies.insert(bodies.end(), between.begin(), between.end());
  }
  int input = 0;
  for (const Coupling& c : ties.couplings) input += c.phi ? c.phi->inputs : 0;
  for (int r = 0; r < spec.phi.rows(); ++r) {
    const Tape row = singleRow(spec.phi, r);
    Coupling c{{}, 0, spec.name, spec.line, {}, 0};
    if (const std::optional<AffineRow> plain = affineOf(row)) {
      for (std::size_t i = 0; i < terms.size(); ++i)
        if (plain->factors[i] != 0) c.terms.push_back({terms[i].q, terms[i].u, plain->factors[i]});
      c.offset = -plain->offset;
    } else {
      c.terms = terms;
      c.phi = row;
      c.firstInput = input;
      input += row.inputs;
    }
    ties.couplings.push_back(std::move(c));
    ties.ofCouplings.push_back(bodies);
  }
}

}  // namespace

LoopTies findTies(const SystemSpec& spec, const Model& model, Diagnostics& diagnostics) {
  LoopTies ties;
  const CheckReport report{spec, diagnostics};
  for (const LoopSpec& loop : spec.loops)
    if (!loop.isBilateral) add(model, spec, loop, ties, report);
  for (const CouplingSpec& coupling : spec.couplings) add(model, coupling, ties);
  for (const BodyInfo& body : model.bodies)
    if (body.specJoint >= 0 && spec.joints[body.specJoint].mimic)
      addMimic(model, spec.joints[body.specJoint], ties);
  for (const ConstraintSpec& constraint : spec.constraints) add(model, constraint, ties);
  return ties;
}

LoopTies findBilateralTies(const SystemSpec& spec, const Model& model, Diagnostics& diagnostics) {
  LoopTies ties;
  const CheckReport report{spec, diagnostics};
  for (const LoopSpec& loop : spec.loops)
    if (loop.isBilateral) add(model, spec, loop, ties, report);
  return ties;
}

std::pair<int, Transformd> placeOf(const Model& model, const std::string& link) {
  if (const FrameInfo* frame = named(model.links, link)) return {frame->body, frame->X_LF};
  return {model.topology.floating ? -1 : 0, identityTransform<double>()};
}

bool isBaseTied(const SystemSpec& spec) {
  constexpr const char* ground = "world";
  const auto isGround = [](const LinkSpec& link) { return link.name == ground; };
  return !spec.fixedBase && std::none_of(spec.links.begin(), spec.links.end(), isGround) &&
         std::any_of(spec.loops.begin(), spec.loops.end(), [](const LoopSpec& loop) {
           return loop.predecessor == ground || loop.successor == ground;
         });
}

bool isBaseTied(const Model& model) {
  const auto isTied = [](const Closure& c) { return std::min(c.a, c.b) < 0; };
  const std::vector<Closure>&embedded = model.mechanism.closures, &rows = model.bilateral.closures;
  return std::any_of(embedded.begin(), embedded.end(), isTied) ||
         std::any_of(rows.begin(), rows.end(), isTied);
}

void toEngineAxes(const Model& model, Closure& c) {
  const auto inBody = [&](int body, const Transformd& X) {
    if (body < 0) return X;
    return Transformd{transpose(model.bodies[body].R_LC), {0, 0, 0}} * X;
  };
  c.X_CA = inBody(c.a, c.X_LA);
  c.X_CB = inBody(c.b, c.X_LB);
}

}  // namespace espalier
