#pragma once

// The one place where arboris' conventions meet ours (reference: docs/conventions.md).
//
//   arboris                                    here
//   y up, g = -9.81 up                         the same axes, with gravity (0, -9.81, 0)
//   joints depth first                         order of appearance: they are handed over depth first
//   body frame c; joint H_pr, H_rn(q), H_nc    link frame L = n; c sits at H_nc in it, and the
//   (H_cn is given), H_pc = H_pr H_rn H_nc     parent's r at H_np H_pr
//   6x6 mass [I, m[c]; -m[c], m] about c       m, centre of mass, I about it
//   Free: gpos = H_rn, gvel = twist in n       q = p, quaternion; u = [R v; R w], so that with
//                                              u = B nu:  M_a = B' M B,
//                                              N nu = B' (h + M B' nu'),  B' nu = [R (w x v); 0]
//   N nu                                       h without gravity
//   Jacobian and twist of c, in c, [w; v]      from the point and rotational Jacobians

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "espalier/compat/arboris/joint_objects.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/model.h"

namespace espalier::testing {

using Json = nlohmann::json;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Dense denseFrom(const Json& rows) {
  Dense m(rows.size(), rows.at(0).is_array() ? rows.at(0).size() : 1);
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.cols(); ++j)
      m(i, j) = rows[i].is_array() ? rows[i][j].get<double>() : rows[i].get<double>();
  return m;
}
inline Transformd transformFrom(const Dense& H) {
  return {{{H(0, 0), H(0, 1), H(0, 2)}, {H(1, 0), H(1, 1), H(1, 2)}, {H(2, 0), H(2, 1), H(2, 2)}},
          {H(0, 3), H(1, 3), H(2, 3)}};
}
inline Dense denseFrom(const Transformd& X) {
  Dense H = Dense::Identity(4, 4);
  const Vec3d rows[3] = {X.R.r0, X.R.r1, X.R.r2};
  const double p[3] = {X.p.x, X.p.y, X.p.z};
  for (int i = 0; i < 3; ++i) H.row(i) << rows[i].x, rows[i].y, rows[i].z, p[i];
  return H;
}

/// One body of a fixture, with the joint that carries it.
struct ArborisBody {
  std::string name, parent;  ///< parent "ground" for the first
  std::string joint;         ///< class name
  Dense H_pr, H_cn, mass;
};

/// Kind and axes of an arboris joint class, as its joint object states them.
inline std::pair<JointKind, std::array<Vec3d, 3>> arborisJoint(const std::string& name) {
  std::pair<JointKind, std::array<Vec3d, 3>> found{JointKind::Fixed, {}};
  const auto offer = [&](const char* known, const auto& object) {
    if (name == known) found = {object.kind(), object.axes()};
  };
  offer("RxJoint", RxJoint()), offer("RyJoint", RyJoint()), offer("RzJoint", RzJoint());
  offer("RzRyJoint", RzRyJoint()), offer("RzRxJoint", RzRxJoint());
  offer("RyRxJoint", RyRxJoint()), offer("RzRyRxJoint", RzRyRxJoint());
  offer("TxTyTzJoint", TxTyTzJoint());
  return found;
}

inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}
inline InertialSpec arborisInertial(const ArborisBody& body) {
  const double m = body.mass(5, 5);
  InertialSpec in;
  in.mass = m;
  Eigen::Vector3d c = Eigen::Vector3d::Zero();
  if (m > 0) c << body.mass(2, 4) / m, body.mass(0, 5) / m, body.mass(1, 3) / m;
  const Eigen::Matrix3d I = body.mass.topLeftCorner<3, 3>();
  const Eigen::Matrix3d about = I + m * skew(c) * skew(c);
  in.I = {about(0, 0), about(0, 1), about(0, 2), about(1, 1), about(1, 2), about(2, 2)};
  const Transformd H_nc = transformFrom(body.H_cn.inverse());
  in.X_LC = H_nc * Transformd{identity3<double>(), {c.x(), c.y(), c.z()}};
  return in;
}

/// The bodies as a Spec of ours; a link is called as its body, its joint BODYJoint.
inline SystemSpec arborisSpec(const std::vector<ArborisBody>& bodies) {
  SystemSpec spec;
  spec.name = "arboris";
  const bool floating = bodies.front().joint == "FreeJoint";
  const auto addLink = [&](const std::string& name) -> LinkSpec& {
    spec.links.emplace_back().name = name;
    return spec.links.back();
  };
  if (!floating) addLink("world");
  std::map<std::string, Dense> H_nc{{"ground", Dense::Identity(4, 4)}};
  for (const ArborisBody& body : bodies) {
    H_nc[body.name] = body.H_cn.inverse();
    LinkSpec& link = addLink(body.name);
    if (body.mass(5, 5) > 0) link.inertial = arborisInertial(body);
    if (body.joint == "FreeJoint") continue;
    JointSpec joint;
    joint.name = body.name + "Joint";
    joint.parent = body.parent == "ground" ? "world" : body.parent;
    joint.child = body.name;
    std::tie(joint.kind, joint.axes) = arborisJoint(body.joint);
    joint.X_PJ = transformFrom(H_nc.at(body.parent) * body.H_pr);
    spec.joints.push_back(joint);
  }
  return spec;
}

class ArborisRobot {
 public:
  explicit ArborisRobot(std::vector<ArborisBody> bodies)
      : bodies_(std::move(bodies)),
        model_(compileOrThrow(bodies_)),
        ws_(model_.topology),
        B_(Dense::Identity(model_.nv(), model_.nv())),
        drift_(Eigen::VectorXd::Zero(model_.nv())) {}

  const Model& model() const { return model_; }

  /// gpos of the joints but the free one, in order; its pose apart, where there is one.
  void set(const std::vector<double>& gpos, const std::vector<double>& gvel, const Dense& free) {
    std::vector<double> q = gpos, u = gvel;
    if (model_.topology.floating) {
      const Transformd H = transformFrom(free);
      const Quat<double> o = quaternion(H.R);
      const double base[7] = {H.p.x, H.p.y, H.p.z, o.w, o.x, o.y, o.z};
      q.insert(q.begin(), base, base + 7);
      const Eigen::Matrix3d R = free.topLeftCorner<3, 3>();
      B_.topLeftCorner<6, 6>() << Eigen::Matrix3d::Zero(), R, R, Eigen::Matrix3d::Zero();
      const Eigen::Vector3d w(gvel[0], gvel[1], gvel[2]), v(gvel[3], gvel[4], gvel[5]);
      drift_.head<3>() = R * w.cross(v);
      Eigen::Map<Eigen::Vector3d>(u.data()) = R * v;
      Eigen::Map<Eigen::Vector3d>(u.data() + 3) = R * w;
    }
    u_ = u;
    kinematics(model_.topology, model_.lowered, q.data(), u.data(), ws_);
  }

  /// H_gc
  Dense pose(const std::string& name) const {
    const auto [body, X_CL, H_Lc] = place(name);
    return denseFrom(Transformd{ws_.R[body], ws_.origin + ws_.x[body]} * X_CL) * H_Lc;
  }
  /// [w; v] of c, in c.
  Eigen::VectorXd twist(const std::string& name) const {
    const auto [body, r, Rt] = point(name);
    const Vec3d v = velocityAt(ws_.V[body], r), w = ws_.V[body].w;
    const Eigen::Vector3d inBody[2] = {Rt * Eigen::Vector3d(w.x, w.y, w.z),
                                       Rt * Eigen::Vector3d(v.x, v.y, v.z)};
    Eigen::VectorXd t(6);
    for (int i = 0; i < 6; ++i) t[i] = inBody[i / 3][i % 3];
    return t;
  }
  Dense jacobian(const std::string& name) const {
    const auto [body, r, Rt] = point(name);
    Dense J = Dense::Zero(6, model_.nv());
    rotationalJacobian(model_.topology, ws_, body, J.data());
    pointJacobian(model_.topology, ws_, body, r, J.data() + 3 * model_.nv());
    J.topRows(3) = Rt * J.topRows(3);
    J.bottomRows(3) = Rt * J.bottomRows(3);
    return J * B_;
  }
  /// Rate of jacobian() in c's own moving axes, B constant but for the free joint's drift.
  Dense djacobian(const std::string& name) const {
    const auto [body, r, Rt] = point(name);
    const int nv = model_.nv();
    Dense J = Dense::Zero(6, nv), rate = Dense::Zero(6, nv);
    rotationalJacobian(model_.topology, ws_, body, J.data());
    pointJacobian(model_.topology, ws_, body, r, J.data() + 3 * nv);
    rotationalJacobianRate(model_.topology, ws_, u_.data(), body, rate.data());
    pointJacobianRate(model_.topology, ws_, u_.data(), body, r, rate.data() + 3 * nv);
    const Vec3d w = ws_.V[body].w;
    const Dense turn = skew({w.x, w.y, w.z});
    Dense out(6, nv);
    for (int half : {0, 3})
      out.middleRows(half, 3) =
          Rt * ((rate.middleRows(half, 3) - turn * J.middleRows(half, 3)) * B_ +
                J.middleRows(half, 3) * baseRate());
    return out;
  }
  Dense massMatrix() {
    espalier::massMatrix(model_.topology, model_.lowered, ws_);
    Dense M(model_.nv(), model_.nv());
    unpack(model_.topology, ws_.H.data(), M.data());
    return M;
  }
  Dense M() { return B_.transpose() * massMatrix() * B_; }
  /// N nu, nonlinear effects without gravity.
  Eigen::VectorXd Nnu() {
    Eigen::VectorXd h(model_.nv());
    bias(model_.topology, model_.lowered, Vec3d{0, 0, 0}, ws_, h.data());
    return B_.transpose() * (h + massMatrix() * drift_);
  }
  /// Generalised forces of gravity.
  Eigen::VectorXd weight() {
    Eigen::VectorXd still(model_.nv()), pulled(model_.nv());
    bias(model_.topology, model_.lowered, Vec3d{0, 0, 0}, ws_, still.data());
    bias(model_.topology, model_.lowered, Vec3d{0, -9.81, 0}, ws_, pulled.data());
    return B_.transpose() * (still - pulled);
  }

 private:
  struct Place {
    int body;
    Transformd X_CL;
    Dense H_Lc;
  };
  struct Point {
    int body;
    Vec3d r;             ///< c's origin from the common origin
    Eigen::Matrix3d Rt;  ///< world to c
  };

  /// dB/dt
  Dense baseRate() const {
    Dense rate = Dense::Zero(model_.nv(), model_.nv());
    if (!model_.topology.floating) return rate;
    const Eigen::Matrix3d R = B_.block<3, 3>(3, 0);
    const Eigen::Matrix3d Rdot = skew({u_[3], u_[4], u_[5]}) * R;
    rate.block<3, 3>(0, 3) = rate.block<3, 3>(3, 0) = Rdot;
    return rate;
  }

  Place place(const std::string& name) const {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (bodies_[i].name != name) continue;
      for (const FrameInfo& link : model_.links)
        if (link.name == name) return {link.body, link.X_CF, bodies_[i].H_cn.inverse()};
    }
    throw std::invalid_argument("no body " + name);
  }
  Point point(const std::string& name) const {
    const Dense H = pose(name);
    const Eigen::Matrix3d R = H.topLeftCorner<3, 3>();
    return {place(name).body, Vec3d{H(0, 3), H(1, 3), H(2, 3)} - ws_.origin, R.transpose()};
  }

  static Model compileOrThrow(const std::vector<ArborisBody>& bodies) {
    Expected<Model> model = compile(arborisSpec(bodies));
    if (!model) throw std::runtime_error(model.diagnostics().toString());
    return std::move(model).value();
  }

  std::vector<ArborisBody> bodies_;
  Model model_;
  Workspace<double> ws_;
  std::vector<double> u_;
  Dense B_;                ///< u = B gvel
  Eigen::VectorXd drift_;  ///< (dB/dt) gvel
};

}  // namespace espalier::testing
