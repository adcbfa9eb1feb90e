// Spec -> Model: find the root, order the movable joints, merge fixed links and sum up inertias;
// lower() then makes the engine's parameters.

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <set>

#include "espalier/core/check.h"
#include "espalier/model/compile/compile_steps.h"
#include "espalier/model/compile/singular.h"
#include "espalier/model/loops/loop_ties.h"
#include "espalier/model/model.h"
#include "espalier/model/spec/check_spec.h"
#include "espalier/model/spec/checks.h"
#include "espalier/model/spec/named.h"

namespace espalier {
namespace {

struct LinkPlace {
  int body = -1;
  Transformd X_LbL = identityTransform<double>();  ///< in the link frame of its body
};

class Compiler {
 public:
  explicit Compiler(const SystemSpec& spec) : spec_(spec) {}

  Expected<Model> run() {
    checkSpec(spec_, diagnostics_);
    if (diagnostics_.hasErrors()) return diagnostics_;
    gyrostats_ = findGyrostats(spec_);
    tree_ = treeOf(spec_);
    root_ = tree_.order.front();
    model_.name = spec_.name;
    orderJoints();
    placeLinks();
    layOutBodies();
    sumInertias();
    collectFrames();
    addRotors(spec_, gyrostats_, model_);
    addTendons(spec_, model_);
    addHeldWeights(spec_, model_);
    addDrag(spec_, model_);
    collectCollisions();
    lower(model_);
    RigidBodies rigid;
    model_.mechanism = compileMechanism(spec_, model_, rigid, diagnostics_);
    if (!rigid.bodies.empty() && !diagnostics_.hasErrors()) return compiledWelded(rigid);
    checkInertias();
    if (diagnostics_.hasErrors()) return diagnostics_;
    model_.bilateral = compileBilateral(spec_, model_, diagnostics_);
    if (diagnostics_.hasErrors()) return diagnostics_;
    hideDependents();
    ignoreEnds(model_.mechanism.closures);
    ignoreEnds(model_.bilateral.closures);
    return Expected<Model>(std::move(model_), std::move(diagnostics_));
  }

 private:
  /// The system with the bodies that its loops hold still welded, and the remarks about both.
  Expected<Model> compiledWelded(const RigidBodies& rigid) {
    const SystemSpec welded = withWelds(spec_, model_, rigid);
    Expected<Model> model = compile(welded);
    std::set<std::string> said;
    for (const Diagnostic& d : diagnostics_.all()) said.insert(toString(d));
    for (const Diagnostic& d : model.diagnostics().all())
      if (said.insert(toString(d)).second) diagnostics_.add(d);
    if (!model) return diagnostics_;
    const auto toOurs = [&](std::vector<Closure>& closures) {
      for (Closure& c : closures) c.spec = indexOf(spec_.loops, welded.loops[c.spec].name);
    };
    toOurs(model->mechanism.closures);
    toOurs(model->bilateral.closures);
    return Expected<Model>(std::move(model).value(), std::move(diagnostics_));
  }

  template <class Part>
  void remark(Severity severity, const Part& part, std::string what, std::string remedy) {
    diagnostics_.add(
        {severity, fileOf(spec_, part), part.line, std::move(what), std::move(remedy)});
  }

  /// Movable joints in the authored order, then the same order with parents first.
  void orderJoints() {
    std::vector<int> wanted;
    std::vector<char> taken(spec_.joints.size(), 0);
    const auto want = [&](int j) {
      if (isRigid(j) || taken[j]) return;
      taken[j] = 1;
      wanted.push_back(j);
    };
    for (const std::string& name : spec_.jointOrder)
      if (const int j = tree_.joint(name); j >= 0) want(j);
    for (int j = 0; j < count(spec_.joints); ++j) want(j);
    public_ = wanted;

    // A joint is free once its carrier is placed; of the free ones the first wanted comes next.
    std::vector<int> rank(spec_.joints.size(), 0);
    for (int r = 0; r < count(wanted); ++r) rank[wanted[r]] = r;
    std::vector<std::vector<int>> carried(spec_.joints.size());
    std::priority_queue<int, std::vector<int>, std::greater<>> free;
    const std::vector<int> carrier = movableCarriers();
    for (int j : wanted)
      if (carrier[parent(j)] < 0)
        free.push(rank[j]);
      else
        carried[carrier[parent(j)]].push_back(j);
    while (!free.empty()) {
      const int j = wanted[free.top()];
      free.pop();
      order_.push_back(j);
      for (int next : carried[j]) free.push(rank[next]);
    }
    model_.publicOrderIsInternal = order_ == public_;
  }

  /// Of every link the movable joint that carries it, through any welds; -1 for the root's body.
  std::vector<int> movableCarriers() const {
    std::vector<int> carrier(spec_.links.size(), -1);
    for (int l : tree_.order) {
      const int j = tree_.parentJoint[l];
      if (j >= 0) carrier[l] = isRigid(j) ? carrier[parent(j)] : j;
    }
    return carrier;
  }

  /// Which body each link belongs to, and where it sits in that body's link frame.
  void placeLinks() {
    bodyOfJoint_.assign(spec_.joints.size(), -1);
    for (int b = 0; b < count(order_); ++b) bodyOfJoint_[order_[b]] = b + 1;
    place_.assign(spec_.links.size(), {0, identityTransform<double>()});
    for (int l : tree_.order) {
      const int j = tree_.parentJoint[l];
      if (j < 0) continue;
      if (isRigid(j))
        place_[l] = {place_[parent(j)].body, place_[parent(j)].X_LbL * spec_.joints[j].X_PJ};
      else
        place_[l].body = bodyOfJoint_[j];
    }
  }

  void layOutBodies() {
    const bool fixed = spec_.fixedBase || spec_.links[root_].name == "world" || weldsMasslessRoot();
    std::vector<BodyTopology> bodies{{.kind = fixed ? JointKind::Fixed : JointKind::Floating}};
    BodyInfo base;
    base.name = spec_.links[root_].name;
    if (!fixed) base.dynamics.springMount = neutralOf(JointKind::Floating);
    model_.bodies.push_back(base);
    AuthoredBody& authored = model_.authored.bodies.emplace_back();
    if (fixed) authored.X_PJ = spec_.X_WB;
    for (int j : order_) addBody(j, bodies);

    model_.topology = makeTopology(std::move(bodies));
    for (int b = 0; b < model_.nb(); ++b) {
      const double rotor = model_.bodies[b].dynamics.rotorInertia;
      for (int k = 0; k < model_.topology.bodies[b].nv; ++k)
        model_.authored.rotorInertia.push_back(rotor);
    }
    mapPublicOrder();
  }

  /// A root without any mass cannot float: it would have no inertia of its own.
  bool weldsMasslessRoot() {
    for (int l = 0; l < count(spec_.links); ++l)
      if (place_[l].body == 0 && spec_.links[l].inertial && spec_.links[l].inertial->mass > 0)
        return false;
    remark(Severity::Warning, spec_.links[root_],
           "root link '" + spec_.links[root_].name + "' has no mass and is welded to the world",
           "give it an inertia to let it float, or name it 'world'");
    return true;
  }

  void addBody(int j, std::vector<BodyTopology>& bodies) {
    const JointSpec& joint = spec_.joints[j];
    const LinkPlace& at = place_[parent(j)];
    BodyInfo body;
    body.name = joint.child;
    body.joint = joint.name;
    body.limits = joint.limits;
    body.dynamics = joint.dynamics;
    body.actuator = joint.actuator;
    if (body.dynamics.springMount.empty()) body.dynamics.springMount = neutralOf(joint.kind);
    body.specJoint = j;
    AuthoredBody& authored = model_.authored.bodies.emplace_back();
    authored.X_PJ = at.X_LbL * joint.X_PJ;
    authored.axes = joint.axes;
    authored.pitch = joint.pitch;
    bodies.push_back({.parent = at.body, .kind = joint.kind});
    model_.bodies.push_back(std::move(body));
  }

  static std::vector<double> neutralOf(JointKind kind) {
    std::vector<double> q(info(kind).nq);
    neutral(kind, q.data());
    return q;
  }

  /// Where each internal dof and coordinate stands in the authored order.
  void mapPublicOrder() {
    const Topology& t = model_.topology;
    model_.publicDof.resize(t.nv);
    model_.publicCoordinate.resize(t.nq);
    int q = 0, u = 0;
    const auto put = [&](int body) {
      for (int k = 0; k < t.bodies[body].nq; ++k)
        model_.publicCoordinate[t.bodies[body].q + k] = q++;
      for (int k = 0; k < t.bodies[body].nv; ++k) model_.publicDof[t.bodies[body].u + k] = u++;
    };
    put(0);
    for (int j : public_) put(bodyOfJoint_[j]);
    model_.spanningDof = model_.publicDof;
    model_.spanningCoordinate = model_.publicCoordinate;
    model_.publicNv = t.nv;
    model_.publicNq = t.nq;
  }

  /// Takes dependent dofs out of the public order. A joint of several dofs keeps its
  /// coordinates there while any of its dofs is independent.
  void hideDependents() {
    const Topology& t = model_.topology;
    std::vector<char> isFree(t.nv, 0);
    for (int d : model_.mechanism.dofOfY) isFree[d] = 1;
    std::vector<int> jointOf(t.nq);
    for (const BodyTopology& b : t.bodies)
      for (int k = 0; k < b.nq; ++k)
        jointOf[b.q + k] = std::find(&isFree[b.u], &isFree[b.u] + b.nv, 1) - &isFree[b.u] < b.nv;
    const auto number = [](const std::vector<int>& all, auto isPublic, std::vector<int>& place) {
      std::vector<int> at(all.size());
      for (int i = 0; i < count(all); ++i) at[all[i]] = i;
      int next = 0;
      for (int i : at) place[i] = isPublic(i) ? next++ : -1;
      return next;
    };
    model_.publicNv = number(
        model_.spanningDof, [&](int d) { return isFree[d] != 0; }, model_.publicDof);
    model_.publicNq = number(
        model_.spanningCoordinate, [&](int i) { return jointOf[i] != 0; }, model_.publicCoordinate);
    model_.publicOrderIsInternal &= model_.mechanism.isTree();
  }

  /// Mass, centre of mass and inertia of the links that were welded into each body. What a body of
  /// one link was given stays as it is, to the bit.
  ///   com += (c - com) m / (sum of m so far);   I += R I R' + m (d.d 1 - d d'),  d = c - com
  void sumInertias() {
    const auto eachLink = [this](const auto& visit) {
      for (int l = 0; l < count(spec_.links); ++l)
        if (spec_.links[l].inertial)
          visit(model_.authored.bodies[place_[l].body], *spec_.links[l].inertial,
                place_[l].X_LbL * spec_.links[l].inertial->X_LC);
    };
    eachLink([](AuthoredBody& body, const InertialSpec& in, const Transformd& X_LbC) {
      body.mass += in.mass;
      if (in.mass > 0) body.com += (X_LbC.p - body.com) * (in.mass / body.mass);
    });
    eachLink([](AuthoredBody& body, const InertialSpec& in, const Transformd& X_LbC) {
      const Vec3d d = X_LbC.p - body.com;
      const double m = in.mass, dd = dot(d, d);
      body.I += congruence(transpose(X_LbC.R), in.I);
      body.I += Sym3<double>{m * (dd - d.x * d.x), -m * d.x * d.y, -m * d.x * d.z,
                             m * (dd - d.y * d.y), -m * d.y * d.z, m * (dd - d.z * d.z)};
    });
  }

  void collectFrames() {
    for (const JointSpec& j : spec_.joints) {
      FrameInfo& frame = model_.frames.emplace_back();
      frame.name = j.name;
      frame.body = placeOf(j.child).body;
      frame.X_LF = placeOf(j.child).X_LbL;
      frame.parent = j.parent;
      frame.child = j.child;
      frame.kind = j.kind;
    }
    for (int l = 0; l < count(spec_.links); ++l) {
      FrameInfo& link = model_.links.emplace_back();
      link.name = spec_.links[l].name;
      link.body = place_[l].body;
      link.X_LF = place_[l].X_LbL;
    }
  }

  void collectCollisions() {
    for (int l = 0; l < count(spec_.links); ++l) {
      const LinkSpec& link = spec_.links[l];
      for (int i = 0; i < count(link.collisions); ++i) {
        const CollisionSpec& c = link.collisions[i];
        model_.collisions.push_back({link.name + "/" + std::to_string(i),
                                     place_[l].body,
                                     place_[l].X_LbL * c.X_LG,
                                     {},
                                     c.shape,
                                     c.material,
                                     c.group,
                                     c.mask});
      }
    }
    ignorePairs();
  }

  void ignore(int a, int b, const std::string& reason) {
    if (a == b || a < 0 || b < 0) return;
    model_.ignoredBodyPairs.push_back({std::min(a, b), std::max(a, b), reason});
  }

  void ignorePairs() {
    for (int b = 1; b < model_.nb(); ++b)
      ignore(b, model_.topology.bodies[b].parent, "neighbours in the tree");
    for (const auto& [first, second, reason] : spec_.ignoredPairs)
      if (tree_.link(first) >= 0 && tree_.link(second) >= 0)
        ignore(placeOf(first).body, placeOf(second).body,
               reason.empty() ? "said so by name" : reason);
    if (spec_.selfCollides) return;
    for (int b = 1; b < model_.nb(); ++b)
      for (int a = 0; a < b; ++a) ignore(a, b, "no self-collision");
  }

  void ignoreEnds(const std::vector<Closure>& closures) {
    for (const Closure& c : closures) ignore(c.a, c.b, "ends of a loop");
  }

  /// A motion that moves nothing makes M singular.
  void checkInertias() {
    const Topology& t = model_.topology;
    std::vector<RigidInertia<double>> carried;
    SingularJoints singular(t, model_.lowered, model_.authored.rotorInertia, model_.mechanism,
                            carried);
    for (int b = t.floating ? 0 : 1; b < t.nb; ++b) checkBody(b, singular.contains(b));
    noteMassless();
  }

  /// Links of joints in one place, as files write a universal joint or MJCF has several joints in a body: told
  /// once, since nothing is wrong with them.
  void noteMassless() {
    constexpr int most_named = 3;
    std::string names;
    int found = 0, first = -1;
    for (int b = model_.topology.floating ? 0 : 1; b < model_.nb(); ++b) {
      if (!isMassless(b) || carriesNothing(b)) continue;
      if (first < 0) first = b;
      if (found++ < most_named)
        names += (names.empty() ? "'" : ", '") + model_.bodies[b].name + "'";
    }
    if (found == 0) return;
    if (found > most_named) names += " and " + std::to_string(found - most_named) + " more";
    remarkOnBody(
        Severity::Note, first,
        std::string(found == 1 ? "a massless link only carries" : "massless links only carry") +
            " others: " + names,
        "nothing to do: every motion moves mass; should axes line up in some pose the joints "
        "between them "
        "turn fast there, which limits or an armature prevent");
  }

  bool isMassless(int b) const { return model_.lowered.bodies[b].I.m <= 0; }

  void remarkOnBody(Severity severity, int b, std::string what, std::string remedy) {
    const int joint = model_.bodies[b].specJoint;
    if (joint < 0)
      remark(severity, spec_.links[root_], std::move(what), std::move(remedy));
    else
      remark(severity, spec_.joints[joint], std::move(what), std::move(remedy));
  }

  void checkBody(int b, bool isSingular) {
    const BodyInfo& body = model_.bodies[b];
    if (isSingular) {
      remarkOnBody(
          Severity::Error, b,
          "link '" + body.name + "' can move" +
              (body.joint.empty() ? std::string() : " on joint '" + body.joint + "'") +
              " but has no inertia along that motion",
          "give it a mass and an inertia, weld it with a fixed joint, or read the file with a "
          "least mass and inertia (--bound-mass, --bound-inertia)");
    } else if (isMassless(b) && carriesNothing(b)) {
      remarkOnBody(Severity::Warning, b,
                   "link '" + body.name + "' is massless and movable; it only follows others",
                   "give it a small inertia if the mass matrix turns out singular");
    }
  }

  bool carriesNothing(int b) const {
    const std::vector<BodyTopology>& bodies = model_.topology.bodies;
    return std::none_of(bodies.begin(), bodies.end(),
                        [b](const BodyTopology& other) { return other.parent == b; });
  }

  template <class V>
  static int count(const V& v) {
    return static_cast<int>(v.size());
  }
  /// Whether the link it carries is part of the one that carries it.
  bool isRigid(int j) const {
    return spec_.joints[j].kind == JointKind::Fixed || gyrostats_.isA(j);
  }
  int parent(int j) const { return tree_.link(spec_.joints[j].parent); }
  int child(int j) const { return tree_.link(spec_.joints[j].child); }
  const LinkPlace& placeOf(const std::string& link) const { return place_[tree_.link(link)]; }

  const SystemSpec& spec_;
  Diagnostics diagnostics_;
  Gyrostats gyrostats_;
  Model model_;
  SpecTree tree_;
  std::vector<int> public_, order_, bodyOfJoint_;
  std::vector<LinkPlace> place_;
  int root_ = 0;
};

}  // namespace

void lower(Model& model) {
  lower(model.topology, model.authored, model.lowered);
  for (int b = 0; b < model.nb(); ++b) {
    model.bodies[b].R_LC = engineAxes(model.topology.bodies[b].kind, model.authored.bodies[b]);
    for (int k = 0; k < 3; ++k) model.bodies[b].axes[k] = model.lowered.extra[b].axes[k];
  }
  const auto inEngineAxes = [&model](int body, const Transformd& X_LF) {
    return Transformd{transpose(model.bodies[body].R_LC), {0, 0, 0}} * X_LF;
  };
  for (auto* frames : {&model.frames, &model.links})
    for (FrameInfo& f : *frames) f.X_CF = inEngineAxes(f.body, f.X_LF);
  lowerTendons(model);
  for (HeldWeight& w : model.heldWeights) w.centre_C = tmul(model.bodies[w.body].R_LC, w.centre_L);
  for (DragBox& box : model.dragBoxes) box.X_CB = inEngineAxes(box.body, box.X_LB);
  for (CollisionInfo& c : model.collisions) c.X_CG = inEngineAxes(c.body, c.X_LG);
  for (Closure& c : model.mechanism.closures) toEngineAxes(model, c);
  for (Closure& c : model.bilateral.closures) toEngineAxes(model, c);
  model.mass = 0;
  for (const AuthoredBody& b : model.authored.bodies) model.mass += b.mass;
}

Expected<Model> compile(const SystemSpec& spec) { return Compiler(spec).run(); }

int Model::body(const std::string& link) const {
  const FrameInfo* frame = named(links, link);
  return frame ? frame->body : -1;
}
int Model::joint(const std::string& wanted) const {
  return indexOf(bodies, wanted, &BodyInfo::joint);
}
int Model::frame(const std::string& wanted) const { return indexOf(frames, wanted); }
int Model::rotor(const std::string& wanted) const {
  return indexOf(rotors, wanted, &RotorInfo::joint);
}
}  // namespace espalier
