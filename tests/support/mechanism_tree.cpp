#include "tests/support/mechanism_tree.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace espalier::testing {

M3 toEigen(const Mat3d& a) {
  M3 m;
  m << a.r0.x, a.r0.y, a.r0.z, a.r1.x, a.r1.y, a.r1.z, a.r2.x, a.r2.y, a.r2.z;
  return m;
}
M3 toEigen(const Sym3<double>& a) {
  M3 m;
  m << a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz;
  return m;
}
Pose toEigen(const Transformd& X) { return {toEigen(X.R), toEigen(X.p)}; }
Mat3d fromEigen(const M3& a) {
  return {{a(0, 0), a(0, 1), a(0, 2)}, {a(1, 0), a(1, 1), a(1, 2)}, {a(2, 0), a(2, 1), a(2, 2)}};
}
Transformd fromEigen(const Pose& X) { return {fromEigen(X.R), fromEigen(X.p)}; }
M3 crossMatrix(const V3& a) {
  M3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

namespace {

M3 turn(const V3& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

Eigen::Quaterniond expRotation(const V3& v) {
  const double angle = v.norm();
  if (angle < 1e-300) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, v / angle));
}

V3 logRotation(Eigen::Quaterniond q) {
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double s = q.vec().norm();
  return s < 1e-300 ? V3(V3::Zero()) : V3(q.vec() * (2 * std::atan2(s, q.w()) / s));
}

Eigen::Quaterniond quaternionAt(const Eigen::VectorXd& q, int first) {
  return Eigen::Quaterniond(q[first], q[first + 1], q[first + 2], q[first + 3]).normalized();
}

void put(const Eigen::Quaterniond& from, Eigen::VectorXd& q, int first) {
  q.segment<4>(first) << from.w(), from.x(), from.y(), from.z();
}

/// Where a joint's quaternion starts, in q and in u; -1 where it has none.
std::pair<int, int> quaternionOf(const MechanismTree::Joint& j) {
  if (j.kind == JointKind::Spherical) return {j.q, j.u};
  if (j.kind == JointKind::Floating) return {j.q + 3, j.u + 3};
  return {-1, -1};
}

/// The x axis of a planar joint whose plane has the normal n.
V3 planeX(const V3& n) {
  if (n.x() == 0 && n.y() == 0 && n.z() > 0) return V3::UnitX();
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(n[k]) < std::abs(n[least])) least = k;
  const V3 e = V3::Unit(least);
  return (e - n * n.dot(e)).normalized();
}

}  // namespace

MechanismTree::MechanismTree(const SystemSpec& spec) {
  addJoints(spec);
  placeLinks(spec);
  addInertias(spec);
  addTies(spec);
  addGears(spec);
  addLaws(spec);
}

void MechanismTree::addJoints(const SystemSpec& spec) {
  std::set<std::string> children;
  for (const JointSpec& j : spec.joints) children.insert(j.child);
  const LinkSpec* root = nullptr;
  for (const LinkSpec& l : spec.links)
    if (!children.count(l.name)) root = &l;
  if (!root) throw std::invalid_argument("a tree without a root");

  // The root floats unless it is told to be fixed, or it and what is welded to it have no mass.
  std::set<std::string> welded{root->name};
  for (std::size_t before = 0; before != welded.size();) {
    before = welded.size();
    for (const JointSpec& j : spec.joints)
      if (j.kind == JointKind::Fixed && welded.count(j.parent)) welded.insert(j.child);
  }
  double mass = 0;
  for (const LinkSpec& l : spec.links)
    if (l.inertial && welded.count(l.name)) mass += l.inertial->mass;
  floating = !spec.fixedBase && root->name != "world" && mass > 0;

  if (floating) {
    addJoint(spec, -1);
    bodies[0].link = root->name;
  }
  std::vector<int> wanted;
  const auto want = [&](int j) {
    if (spec.joints[j].kind != JointKind::Fixed &&
        std::find(wanted.begin(), wanted.end(), j) == wanted.end())
      wanted.push_back(j);
  };
  const int count = static_cast<int>(spec.joints.size());
  for (const std::string& name : spec.jointOrder)
    for (int j = 0; j < count; ++j)
      if (spec.joints[j].name == name) want(j);
  for (int j = 0; j < count; ++j) want(j);
  for (int j : wanted) addJoint(spec, j);
  links_["world"] = {};
  links_[root->name] = floating ? FrameOnBody{0, {}} : FrameOnBody{-1, toEigen(spec.X_WB)};
}

void MechanismTree::addJoint(const SystemSpec& spec, int index) {
  Joint j;
  j.spec = index;
  j.kind = index < 0 ? JointKind::Floating : spec.joints[index].kind;
  j.q = nq;
  j.u = nv;
  j.nq = info(j.kind).nq;
  j.nv = info(j.kind).nv;
  nq += j.nq;
  nv += j.nv;
  bodies.emplace_back();
  if (index >= 0) {
    const JointSpec& s = spec.joints[index];
    bodies.back().link = s.child;
    j.name = s.name;
    j.pitch = s.pitch;
    j.rotorInertia = s.dynamics.rotorInertia;
    for (int k = 0; k < 3; ++k) j.axes[k] = toEigen(s.axes[k]).normalized();
  }
  joints.push_back(j);
}

/// Parents first: a link stands on its own body, or on its parent's where it is welded.
void MechanismTree::placeLinks(const SystemSpec& spec) {
  if (floating) order.push_back(0);
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < static_cast<int>(spec.joints.size()); ++i) {
      const JointSpec& s = spec.joints[i];
      if (links_.count(s.child) || !links_.count(s.parent)) continue;
      const FrameOnBody parent = links_.at(s.parent);
      const Pose X_BJ = parent.X_BF * toEigen(s.X_PJ);
      more = true;
      if (s.kind == JointKind::Fixed) {
        links_[s.child] = {parent.body, X_BJ};
        continue;
      }
      int body = 0;
      while (joints[body].spec != i) ++body;
      joints[body].parent = parent.body;
      joints[body].X_PJ = X_BJ;
      links_[s.child] = {body, {}};
      order.push_back(body);
    }
  }
  for (const LinkSpec& l : spec.links)
    if (!links_.count(l.name)) throw std::invalid_argument(l.name + " hangs on nothing");
}

void MechanismTree::addInertias(const SystemSpec& spec) {
  for (const LinkSpec& l : spec.links) {
    const FrameOnBody at = links_.at(l.name);
    if (!l.inertial || at.body < 0) continue;
    Body& b = bodies[at.body];
    const Pose X_LC = at.X_BF * toEigen(l.inertial->X_LC);
    const double m = l.inertial->mass, sum = b.mass + m;
    b.I += X_LC.R * toEigen(l.inertial->I) * X_LC.R.transpose();
    if (sum <= 0) continue;
    // Two masses about their common centre: m M / (m + M) at the distance between them.
    const M3 d = crossMatrix(X_LC.p - b.com);
    b.I -= (m * b.mass / sum) * d * d;
    b.com += (X_LC.p - b.com) * (m / sum);
    b.mass = sum;
  }
}

void MechanismTree::addTies(const SystemSpec& spec) {
  for (const LoopSpec& l : spec.loops) {
    Tie tie;
    tie.kind = l.kind;
    tie.a = link(l.predecessor);
    tie.a.X_BF = tie.a.X_BF * toEigen(l.X_PA);
    tie.b = link(l.successor);
    tie.b.X_BF = tie.b.X_BF * toEigen(l.X_SB);
    tie.axis = toEigen(l.axis).normalized();
    tie.axis2 = toEigen(l.axis2).normalized();
    tie.pitch = l.pitch;
    ties.push_back(tie);
  }
}

void MechanismTree::addGears(const SystemSpec& spec) {
  for (const CouplingSpec& c : spec.couplings) {
    Gear gear;
    gear.offset = c.offset;
    const std::vector<int> first = way(link(c.predecessor).body);
    const std::vector<int> second = way(link(c.successor).body);
    const auto add = [&](const std::vector<int>& passed, const std::vector<int>& other,
                         double weight) {
      for (int i : passed) {
        if (std::find(other.begin(), other.end(), i) != other.end()) continue;
        if (joints[i].nv != 1) throw std::invalid_argument("a coupling over a joint of many dofs");
        gear.terms.emplace_back(joints[i].u, weight);
      }
    };
    add(first, second, c.ratio);
    add(second, first, -1);
    gears.push_back(gear);
  }
  for (const Joint& j : joints) {
    if (j.spec < 0 || !spec.joints[j.spec].mimic) continue;
    const MimicSpec& mimic = *spec.joints[j.spec].mimic;
    const Joint& of = joint(mimic.joint);
    if (j.nq != j.nv || of.nq != of.nv || j.nv != of.nv)
      throw std::invalid_argument("a mimic of another kind");
    for (int k = 0; k < j.nv; ++k)
      gears.push_back({{{of.u + k, mimic.multiplier}, {j.u + k, -1}}, mimic.offset});
  }
}

void MechanismTree::addLaws(const SystemSpec& spec) {
  for (const ConstraintSpec& c : spec.constraints) {
    Law law{{}, c.phi, 0};
    for (const std::string& name : c.joints)
      for (int k = 0; k < joint(name).nv; ++k) law.dofs.push_back(joint(name).u + k);
    for (; law.row < c.phi.rows(); ++law.row) laws.push_back(law);
  }
}

const MechanismTree::Joint& MechanismTree::joint(const std::string& name) const {
  for (const Joint& j : joints)
    if (j.name == name) return j;
  throw std::invalid_argument("no joint " + name);
}

int MechanismTree::coordinateOf(int dof) const {
  for (const Joint& j : joints)
    if (j.u <= dof && dof < j.u + j.nv && j.nq == j.nv) return j.q + dof - j.u;
  throw std::invalid_argument("no coordinate has this rate");
}

std::vector<int> MechanismTree::way(int body) const {
  std::vector<int> passed;
  for (int i = body; i >= 0; i = joints[i].parent) passed.push_back(i);
  return passed;
}

Eigen::VectorXd MechanismTree::neutral() const {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(nq);
  for (const Joint& j : joints)
    if (const int at = quaternionOf(j).first; at >= 0) q[at] = 1;
  return q;
}

Eigen::VectorXd MechanismTree::advance(const Eigen::VectorXd& q,
                                       const Eigen::VectorXd& step) const {
  Eigen::VectorXd out = q;
  for (const Joint& j : joints) {
    const auto [at, rate] = quaternionOf(j);
    const int plain = at < 0 ? j.nv : j.nv - 3;
    out.segment(j.q, plain) += step.segment(j.u, plain);
    if (at >= 0)
      put((expRotation(step.segment<3>(rate)) * quaternionAt(q, at)).normalized(), out, at);
  }
  return out;
}

Eigen::VectorXd MechanismTree::difference(const Eigen::VectorXd& q0,
                                          const Eigen::VectorXd& q1) const {
  Eigen::VectorXd step(nv);
  for (const Joint& j : joints) {
    const auto [at, rate] = quaternionOf(j);
    const int plain = at < 0 ? j.nv : j.nv - 3;
    step.segment(j.u, plain) = q1.segment(j.q, plain) - q0.segment(j.q, plain);
    if (at >= 0)
      step.segment<3>(rate) = logRotation(quaternionAt(q1, at) * quaternionAt(q0, at).conjugate());
  }
  return step;
}

MechanismTree::JointMotion MechanismTree::jointMotion(const Joint& j, const Eigen::VectorXd& q,
                                                      const Eigen::VectorXd& u) const {
  JointMotion m{{}, Six::Zero(6, j.nv), V6::Zero()};
  const V3 a = j.axes[0];
  switch (j.kind) {
    case JointKind::Fixed: break;
    case JointKind::Revolute:
      m.X_JL.R = turn(a, q[j.q]);
      m.S.col(0) = six(a, V3::Zero());
      break;
    case JointKind::Prismatic:
      m.X_JL.p = q[j.q] * a;
      m.S.col(0) = six(V3::Zero(), a);
      break;
    case JointKind::Helical:
      m.X_JL = {turn(a, q[j.q]), j.pitch * q[j.q] * a};
      m.S.col(0) = six(a, j.pitch * a);
      break;
    case JointKind::Universal:
    case JointKind::Euler: {
      // Each axis is carried, and so turned, by the turns before it.
      V3 before = V3::Zero();
      for (int k = 0; k < j.nv; ++k) {
        const V3 axis = m.X_JL.R * j.axes[k];
        m.S.col(k) = six(axis, V3::Zero());
        m.Sdot_u.head<3>() += before.cross(axis * u[j.u + k]);
        before += axis * u[j.u + k];
        m.X_JL.R = m.X_JL.R * turn(j.axes[k], q[j.q + k]);
      }
      break;
    }
    case JointKind::Cylindrical:
      m.X_JL = {turn(a, q[j.q + 1]), q[j.q] * a};
      m.S.col(0) = six(V3::Zero(), a);
      m.S.col(1) = six(a, V3::Zero());
      break;
    case JointKind::Planar: {
      const V3 x = planeX(a), y = a.cross(x);
      m.X_JL = {turn(a, q[j.q + 2]), q[j.q] * x + q[j.q + 1] * y};
      m.S.col(0) = six(V3::Zero(), x);
      m.S.col(1) = six(V3::Zero(), y);
      m.S.col(2) = six(a, V3::Zero());
      break;
    }
    case JointKind::Translation:
      m.X_JL.p = q.segment<3>(j.q);
      m.S.bottomRows<3>().setIdentity();
      break;
    case JointKind::Spherical:
      m.X_JL.R = quaternionAt(q, j.q).toRotationMatrix();
      m.S.topRows<3>().setIdentity();
      break;
    case JointKind::Floating:
      m.X_JL = {quaternionAt(q, j.q + 3).toRotationMatrix(), q.segment<3>(j.q)};
      m.S.bottomLeftCorner<3, 3>().setIdentity();
      m.S.topRightCorner<3, 3>().setIdentity();
      break;
  }
  return m;
}

std::vector<BodyMotion> MechanismTree::move(const Eigen::VectorXd& q,
                                            const Eigen::VectorXd& u) const {
  std::vector<BodyMotion> at(bodies.size());
  for (int i : order) {
    const Joint& j = joints[i];
    const BodyMotion parent = j.parent < 0 ? BodyMotion{} : at[j.parent];
    const JointMotion m = jointMotion(j, q, u);
    const Pose X_WJ = parent.X * j.X_PJ;
    const V6 relative = m.S * u.segment(j.u, j.nv);
    at[i].X = X_WJ * m.X_JL;
    at[i].w = parent.w + X_WJ.R * relative.head<3>();
    at[i].v = parent.v + parent.w.cross(at[i].X.p - parent.X.p) + X_WJ.R * relative.tail<3>();
  }
  return at;
}

}  // namespace espalier::testing
