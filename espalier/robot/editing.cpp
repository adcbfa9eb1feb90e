#include "espalier/robot/editing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "espalier/core/check.h"
#include "espalier/model/compile/check_authored.h"
#include "espalier/model/loops/all_loops.h"
#include "espalier/step/pose.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

static_assert(sizeof(Vec<3>) == 3 * sizeof(double) && sizeof(Mat<3, 3>) == 9 * sizeof(double));

template <class T>
bool sameBytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
template <class T>
bool sameBytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool has(unsigned set, HandedOut what) { return (set & static_cast<unsigned>(what)) != 0; }

/// Without a branch or a call for each body: there may be many.
bool collisionsChanged(const Editing& e) {
  using Words = std::uint64_t __attribute__((vector_size(32)));
  static_assert(sizeof(CollisionOffset) == 3 * sizeof(Words));
  const auto load = [](const CollisionOffset& from, int part) {
    Words words;
    std::memcpy(&words, reinterpret_cast<const char*>(&from) + 32 * part, sizeof words);
    return words;
  };
  if (e.collisionBodies.size() != e.inForce.collisions.size()) return true;
  Words difference{};
  for (std::size_t i = 0; i < e.collisionBodies.size(); ++i) {
    const CollisionOffset &a = e.collisionBodies[i], &b = e.inForce.collisions[i];
    difference |= load(a, 0) ^ load(b, 0);
    difference |= load(a, 1) ^ load(b, 1);
    difference |= load(a, 2) ^ load(b, 2);
  }
  return (difference[0] | difference[1] | difference[2] | difference[3]) != 0;
}

bool isChanged(const Editing& e) {
  const Description &a = e.written, &b = e.inForce;
  const unsigned out = e.handedOut;
  return e.isTouched || (has(out, HandedOut::Mass) && !sameBytes(a.mass, b.mass)) ||
         (has(out, HandedOut::Com) && !sameBytes(a.com_B, b.com_B)) ||
         (has(out, HandedOut::Inertia) && !sameBytes(a.inertia_B, b.inertia_B)) ||
         (has(out, HandedOut::JointPos) && !sameBytes(a.jointPos_P, b.jointPos_P)) ||
         (has(out, HandedOut::JointRot) && !sameBytes(a.jointRot_P, b.jointRot_P)) ||
         (has(out, HandedOut::JointAxis) && !sameBytes(a.jointAxis_P, b.jointAxis_P)) ||
         (has(out, HandedOut::Collisions) && collisionsChanged(e));
}

template <class T>
void requireSize(const std::vector<T>& v, std::size_t size, const char* what) {
  ESPALIER_REQUIRE(v.size() == size, std::string(what) + " has " + std::to_string(v.size()) +
                                         " entries, not " + std::to_string(size) +
                                         ": change entries, not their number");
}

void requireSizes(const Editing& e) {
  const auto nb = static_cast<std::size_t>(e.compiled->nb());
  requireSize(e.written.mass, nb, "getMass()");
  requireSize(e.written.com_B, nb, "getBodyCOM_B()");
  requireSize(e.written.inertia_B, nb, "getInertia()");
  requireSize(e.written.jointPos_P, nb, "getJointPos_P()");
  requireSize(e.written.jointRot_P, nb, "getJointOrientation_P()");
  requireSize(e.written.jointAxis_P, nb, "getJointAxis_P()");
  requireSize(e.collisionBodies, e.compiled->collisions.size(), "getCollisionBodies()");
}

bool isSymmetric(const Mat<3, 3>& m) {
  const double size = std::abs(m(0, 0)) + std::abs(m(1, 1)) + std::abs(m(2, 2));
  const double off =
      std::abs(m(0, 1) - m(1, 0)) + std::abs(m(0, 2) - m(2, 0)) + std::abs(m(1, 2) - m(2, 1));
  return !(off > 1e-9 * size);
}

/// Written -> authored. Axes are authored in the joint's own frame: where neither the axis nor the
/// frame was changed, what was compiled stays, so that nothing is rounded twice.
void author(Editing& e) {
  const Model& compiled = *e.compiled;
  const Description& w = e.written;
  for (std::size_t b = 0; b < w.mass.size(); ++b) {
    const BodyTopology& joint = compiled.topology.bodies[b];
    AuthoredBody& to = e.authored.bodies[b];
    const AuthoredBody& from = compiled.authored.bodies[b];
    const Mat<3, 3>& I = w.inertia_B[b];
    ESPALIER_REQUIRE(isSymmetric(I),
                     "the inertia of link '" + compiled.bodies[b].name + "' is not symmetric");
    to.mass = w.mass[b];
    to.com = w.com_B[b];
    to.I = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
    if (joint.kind == JointKind::Floating && joint.parent < 0) continue;
    to.X_PJ = {w.jointRot_P[b], w.jointPos_P[b]};
    to.axes = from.axes;
    const int axes = info(joint.kind).axes;
    const bool isTurned = !sameBytes(w.jointRot_P[b], e.start.jointRot_P[b]);
    if (axes > 0 && (isTurned || !sameBytes(w.jointAxis_P[b], e.start.jointAxis_P[b])))
      to.axes[0] = tmul(to.X_PJ.R, static_cast<Vec3d>(w.jointAxis_P[b]));
    for (std::size_t k = 1; isTurned && k < static_cast<std::size_t>(axes); ++k)
      to.axes[k] = tmul(to.X_PJ.R, mul(from.X_PJ.R, from.axes[k]));
  }
  for (std::size_t d = e.compiled->topology.floating ? 6 : 0; d < w.rotorInertia.size(); ++d)
    e.authored.rotorInertia[d] = w.rotorInertia[d];
}

void requirePlacesOfCollisions(const Editing& e) {
  for (const CollisionBody& c : e.collisionBodies) {
    ESPALIER_REQUIRE(c.posOffset.allFinite(),
                     "the offset of collision body '" + c.name + "' is not finite");
    ESPALIER_REQUIRE(isRotation(c.rotOffset),
                     "the orientation of collision body '" + c.name + "' is not a rotation");
  }
}

/// Poses of the bodies of a fixed base, because a step computes only moving ones.
void placeBaseGeoms(StepData& world, const System& sys, const Transformd& X_WB) {
  for (const PlacedGeom& geom : world.geoms)
    if (geom.system == &sys && geom.body == 0) world.scene.setPose(geom.id, X_WB * geom.X_CG);
}

void apply(StepData& world, System& sys) {
  Editing& e = *sys.editing;
  requireSizes(e);
  author(e);
  requirePlacesOfCollisions(e);
  lower(sys.topology(), e.authored, e.lowered);
  const AuthoredVerdict verdict =
      judge(sys.topology(), e.authored, e.lowered, e.model->mechanism, e.carried);
  ESPALIER_REQUIRE(verdict.fault == AuthoredFault::None, explain(*e.model, verdict));

  e.isTouched = false;
  for (std::size_t i = 0; i < e.collisionBodies.size(); ++i) {
    const CollisionOffset& offset = e.written.collisions[i] = e.collisionBodies[i];
    e.model->collisions[i].X_LG = {offset.rotOffset, offset.posOffset};
  }
  e.inForce = e.written;
  e.model->authored = e.authored;
  lower(*e.model);
  sys.parameters = e.model->lowered;
  ++sys.edits;
  sys.evaluation->load(sys);
  for (std::size_t i = 0; i < e.geoms.size(); ++i)
    if (e.geoms[i].isValid()) world.geom(e.geoms[i]).X_CG = e.model->collisions[i].X_CG;
  sys.knowsMomentum = false;
  world.knowsEnergy = false;
  if (!sys.topology().floating) placeBaseGeoms(world, sys, e.authored.bodies[0].X_PJ);
}

bool areInSamePlaces(const Description& a, const Description& b) {
  return sameBytes(a.jointPos_P, b.jointPos_P) && sameBytes(a.jointRot_P, b.jointRot_P) &&
         sameBytes(a.jointAxis_P, b.jointAxis_P);
}

/// Where joints were moved loops are closed again, with the independent joints where they are if that can be.
void takeEffect(StepData& world, System& sys) {
  Editing& e = *sys.editing;
  if (!sys.model->hasLoops()) return apply(world, sys);
  e.before = e.inForce;  // same sizes: copied in place
  apply(world, sys);
  if (areInSamePlaces(e.before, e.inForce)) return;
  const double* q = world.qOf(sys);
  for (const bool holds : {true, false}) {
    std::vector<double> closed(q, q + sys.model->nq());
    if (!closeAllLoops(*sys.model, sys.parameters, holds, closed).isClosed) continue;
    takeCoordinates(world, sys, closed);
    return;
  }
  e.written = e.before;
  apply(world, sys);
  core::throwInvalidArgument("isClosed", "robot '" + e.model->name +
                                             "': its loops do not close where joints were moved "
                                             "to; all of it is where it was");
}

/// Where a fixed base is now, which setBasePose() may have changed.
void noteBase(Editing& e, const LoweredBody<double>& base) {
  const Transformd X_WB{transpose(base.E), base.p};
  for (Description* d : {&e.written, &e.inForce}) {
    d->jointPos_P[0] = X_WB.p;
    d->jointRot_P[0] = X_WB.R;
  }
  e.model->authored.bodies[0].X_PJ = X_WB;
  e.model->lowered.bodies[0].E = base.E;
  e.model->lowered.bodies[0].p = base.p;
}

}  // namespace

Description::Description(const Model& model) {
  for (std::size_t b = 0; b < model.authored.bodies.size(); ++b) {
    const AuthoredBody& body = model.authored.bodies[b];
    const Sym3<double>& I = body.I;
    mass.push_back(body.mass);
    com_B.emplace_back(body.com);
    inertia_B.emplace_back(Mat3d{{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}});
    jointPos_P.emplace_back(body.X_PJ.p);
    jointRot_P.emplace_back(body.X_PJ.R);
    const bool hasAxis = info(model.topology.bodies[b].kind).axes > 0;
    jointAxis_P.emplace_back(hasAxis ? mul(body.X_PJ.R, model.bodies[b].axes[0]) : Vec3d{0, 0, 1});
  }
  rotorInertia = model.authored.rotorInertia;
  for (const CollisionInfo& c : model.collisions) collisions.push_back({c.X_LG.p, c.X_LG.R});
}

Editing::Editing(StepData& world, System& sys)
    : compiled(sys.model),
      model(std::make_shared<Model>(*sys.model)),
      start(*compiled),
      written(start),
      inForce(start),
      before(start),
      geoms(sys.geoms),
      authored(compiled->authored),
      lowered(compiled->lowered),
      carried(authored.bodies.size()) {
  for (std::size_t i = 0; i < geoms.size(); ++i)
    collisionBodies.push_back(CollisionBody(world, geoms[i], compiled->collisions[i]));
}

Editing& editingOf(StepData& world, System& sys) {
  if (!sys.editing) {
    sys.editing = std::make_shared<Editing>(world, sys);
    sys.model = sys.editing->model;
    sys.renewLoops();
    if (!sys.topology().floating) noteBase(*sys.editing, sys.parameters.bodies[0]);
  }
  return *sys.editing;
}

bool relowerIfChanged(StepData& world, System& sys) {
  if (!sys.editing || !isChanged(*sys.editing)) return false;
  takeEffect(world, sys);
  return true;
}

void setBasePose(StepData& world, System& sys, const Transformd& X_WB) {
  requireBetweenSteps(world);
  ESPALIER_REQUIRE(std::isfinite(norm(X_WB.p)) && isRotation(Mat<3, 3>(X_WB.R)),
                   "the pose of a base is a finite position and a rotation");
  dropContacts(world, sys.object);
  if (sys.topology().floating) {
    writePose(X_WB, world.qOf(sys));
    sys.knowsMomentum = false;
    world.knowsEnergy = false;
    return;
  }
  sys.parameters.bodies[0].E = transpose(X_WB.R);
  sys.parameters.bodies[0].p = X_WB.p;
  ++sys.edits;
  sys.evaluation->load(sys);
  if (sys.editing) noteBase(*sys.editing, sys.parameters.bodies[0]);
  placeBaseGeoms(world, sys, X_WB);
  world.knowsEnergy = false;
}

void takeCoordinates(StepData& world, System& sys, const std::vector<double>& q) {
  double* to = world.qOf(sys);
  std::copy(q.begin(), q.end(), to);
  if (sys.hasLoops())
    settleCoordinates(sys, to, world.uOf(sys));
  else
    makeUnit(sys, to);
  dropContacts(world, sys.object);
  for (double& impulse : sys.warm) impulse = 0;  // of limits it may be far from now
  for (Vec3d& impulse : sys.loopImpulses) impulse = {0, 0, 0};
}

}  // namespace espalier
