#pragma once

// A mechanism with closed loops at one (q, u), by brute force in maximal coordinates: of every body
// w and the velocity v of its centre of mass, in world axes; every joint, loop and gear is rows
//   J V = 0,    J Vdot + Jdot V = 0
// and the motion obeys M Vdot = f + J' lambda, solved in the null space of J that a rank-revealing QR
// finds, so that redundant rows do no harm.
//
// Every tie is one between frame A on one body and B on another. Seen by A, with R = R_AB and
// r = p_AB, its relative velocity is x = (omega, rdot) and
//   omega = R_A' (w_B - w_A)
//   rdot  = R_A' (v_B - v_A - w_A x (p_B - p_A))
// A joint's x = S(q) u, and its rows are C x = 0 with C S = 0; the rows of loops are the same table.
// Rates of joints follow as u = S^+ x, udot = S^+ (xdot - Sdot u).

#include "tests/support/mechanism_tree.h"

namespace espalier::testing {

class Maximal {
 public:
  /// In force from the first: gyroscopic forces and nothing else.
  ///   pre  q and u are consistent with loops and gears (see closure.h); check velocityError()
  ///   pre  the tree outlives this
  Maximal(const MechanismTree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& u);
  Maximal(MechanismTree&& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& u) = delete;

  /// An acceleration of all that has mass, m/s^2.
  void addGravity(const V3& gravity);
  /// A force at a point of the world, and a couple, on the body of a link.
  void push(const std::string& link, const V3& at, const V3& force, const V3& couple);
  void push(int body, const V3& at, const V3& force, const V3& couple);

  /// Spanning udot [nv] under spanning joint forces tau [nv], which act and react.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& tau) const;
  /// Of every body (alpha, acceleration of its centre of mass), world axes [6 nb].
  Eigen::VectorXd bodyAccelerations(const Eigen::VectorXd& tau) const;

  /// How many ways there are to move.
  int dofs() const { return static_cast<int>(null_.cols()); }
  int rows() const { return static_cast<int>(J_.rows()); }
  int rank() const { return rank_; }
  /// Smallest pivot that was kept over the largest one, in the metric of M.
  double conditioning() const { return conditioning_; }
  /// Largest pivot that was dropped over the largest one; 0 where rows are independent.
  double dropped() const { return dropped_; }

  /// |J V|: how far u is from what the loops and gears allow.
  double velocityError() const { return (J_ * V_).cwiseAbs().maxCoeff(); }
  /// Spanning rates of all ways to move [nv x dofs].
  const Eigen::MatrixXd& freedoms() const { return spanning_; }
  /// The consistent u nearest to a wish, in the sum of squares of spanning rates.
  Eigen::VectorXd consistent(const Eigen::VectorXd& u) const;
  /// `dofs()` dofs that determine all others, well conditioned.
  std::vector<int> independentDofs() const;

  /// The same mechanism in independent coordinates y: u = G u_y, udot = G udot_y + g and
  /// M udot_y + h = G' tau, h with all the forces that were pushed.
  struct Reduced {
    Eigen::MatrixXd G;
    Eigen::VectorXd g;
    Eigen::MatrixXd M;
    Eigen::VectorXd h;
    double condition = 0;  ///< of the choice of y: 1 is best, infinity no choice at all
  };
  Reduced reduced(const std::vector<int>& y) const;

  double kineticEnergy() const { return 0.5 * V_.dot(M_ * V_); }
  /// Sum of -m g . c
  double potentialEnergy(const V3& gravity) const;
  /// Of all that moves, about the world's origin: (angular, linear).
  V6 momentum() const;
  V3 centre(int body) const { return centres_[body]; }

 private:
  struct Relative {
    M3 R;
    V3 r;
    V6 x;
    Six J;    ///< x = J V
    V6 bias;  ///< xdot = J Vdot + bias
  };
  struct Rows {
    Eigen::MatrixXd C, Cdot;
  };

  Relative relative(const FrameOnBody& a, const FrameOnBody& b) const;
  static Rows jointRows(const MechanismTree::Joint& joint, const Relative& between);
  static Rows tieRows(const MechanismTree::Tie& tie, const Relative& between);
  void add(const Rows& rows, const Relative& between);
  void addMasses();
  void addJoints(const Eigen::VectorXd& q, const Eigen::VectorXd& u);
  void addTiesAndGears();
  void addLaws(const Eigen::VectorXd& q, const Eigen::VectorXd& u);
  void decompose();
  Eigen::VectorXd solve(const Eigen::VectorXd& f) const;
  /// The smallest Vdot with J Vdot = -Jdot V.
  Eigen::VectorXd particular() const;

  const MechanismTree& tree_;
  std::vector<BodyMotion> at_;
  std::vector<V3> centres_;
  Eigen::VectorXd V_, f_;
  Eigen::MatrixXd M_, bodyM_;  ///< with and without the rotor inertia of joints
  Eigen::MatrixXd J_, U_;      ///< u = U V
  Eigen::VectorXd bias_, uBias_;
  Eigen::LLT<Eigen::MatrixXd> root_;        ///< L L' = M, filled up where bodies are massless
  Eigen::LDLT<Eigen::MatrixXd> projected_;  ///< null' M null
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::VectorXd scale_;
  Eigen::MatrixXd range_, null_, spanning_;
  int rank_ = 0;
  double conditioning_ = 1, dropped_ = 0;
};

}  // namespace espalier::testing
