#pragma once

#include "espalier/compat/arboris/point_contact.h"

namespace espalier::sim {

/// A contact with friction about and across its normal: the fingertip of Salisbury.
///   force  [m_z, f_x, f_y, f_z] in the contact frame, inside the ellipsoid
///   (m_z / e_0)^2 + (f_x / e_1)^2 + (f_y / e_2)^2 <= (mu f_z)^2,  f_z >= 0
/// The normal velocity closes the gap within the step, v_z = -distance / dt; no restitution.
///   opens, sticks where the ellipsoid allows, else slips (slip_force.h)
class SoftFinger : public PointContact {
 public:
  /// in   radii  e: m for m_z, 1 for the forces; arboris has 1 for all three
  SoftFinger(const Frame& frame0, const Shape& shape0, const Frame& frame1, const Shape& shape1,
             double mu, const Eigen::Vector3d& radii = Eigen::Vector3d::Ones(),
             double proximity = 0.02, std::string name = {});

  void init(Simulation& simulation) override;
  int ndol() const override { return 4; }
  void rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) const override;
  void solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
             const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
             Eigen::Ref<Eigen::VectorXd> dforce) override;

 private:
  double mu_;
  Eigen::Vector3d radii_;
};

/// The force of one soft finger alone.
///   in   force       to start from
///   in   vel         velocity with that force, rows m_z, f_x, f_y, f_z
///   in   admittance  change of the velocity per unit of force
Eigen::Vector4d softFingerForce(const Eigen::Vector4d& force, const Eigen::Vector4d& vel,
                                const Eigen::Matrix4d& admittance, double sdist, double dt,
                                double mu, const Eigen::Vector3d& radii);

}  // namespace espalier::sim
