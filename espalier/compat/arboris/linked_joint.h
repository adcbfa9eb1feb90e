#pragma once

// A joint object between two frames, as a Simulation keeps it: its joint in the Model, and its
// gpos and gvel against the numbers of the state.

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "espalier/compat/arboris/joint_objects.h"

namespace espalier::sim {

class LinkedJoint {
 public:
  virtual ~LinkedJoint() = default;

  virtual bool isFree() const = 0;
  virtual JointSpec spec(const std::string& name, const std::string& parent,
                         const std::string& child, const Transformd& X_PJ) const = 0;
  /// Whether gpos or gvel were set since the last read().
  virtual bool isChanged() const = 0;
  /// gpos as coordinates of the joint's kind.
  ///   in   X_Jr  r in the joint's frame; of interest to free joints only
  ///   out  q     [nq]
  virtual void coordinates(const Transformd& X_Jr, double* q) const = 0;
  /// gvel as velocities nu (tree.h) [nv].
  virtual const double* velocities() const = 0;
  /// Takes gpos and gvel from the state.
  virtual void read(const Transformd& X_Jr, const double* q, const double* nu) = 0;
};

template <class Joint>
class LinkedJointOf : public LinkedJoint {
  static constexpr bool is_free = std::is_same_v<Joint, FreeJoint>;

 public:
  ///   pre  joint is not null
  explicit LinkedJointOf(std::shared_ptr<Joint> joint)
      : joint_(std::move(joint)), gpos_(joint_->gpos()), gvel_(joint_->gvel()) {}

  bool isFree() const override { return is_free; }
  JointSpec spec(const std::string& name, const std::string& parent, const std::string& child,
                 const Transformd& X_PJ) const override {
    return joint_->spec(name, parent, child, X_PJ);
  }
  bool isChanged() const override { return joint_->gpos() != gpos_ || joint_->gvel() != gvel_; }
  void coordinates(const Transformd& X_Jr, double* q) const override {
    if constexpr (is_free) {
      const Transformd X = X_Jr * poseOf(joint_->gpos());
      const Quat<double> o = quaternion(X.R);
      const double numbers[7] = {X.p.x, X.p.y, X.p.z, o.w, o.x, o.y, o.z};
      std::copy(numbers, numbers + 7, q);
    } else {
      std::copy(joint_->gpos().begin(), joint_->gpos().end(), q);
    }
  }
  const double* velocities() const override { return joint_->gvel().data(); }
  void read(const Transformd& X_Jr, const double* q, const double* nu) override {
    if constexpr (is_free) {
      const Transformd X{rotation(Quat<double>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
      joint_->setGpos(poseMatrix(inverse(X_Jr) * X));
    } else {
      auto gpos = joint_->gpos();
      std::copy(q, q + gpos.size(), gpos.begin());
      joint_->setGpos(gpos);
    }
    auto gvel = joint_->gvel();
    std::copy(nu, nu + gvel.size(), gvel.begin());
    joint_->setGvel(gvel);
    gpos_ = joint_->gpos();
    gvel_ = joint_->gvel();
  }

 private:
  std::shared_ptr<Joint> joint_;
  std::remove_cvref_t<decltype(std::declval<const Joint&>().gpos())> gpos_;  // as last read
  std::remove_cvref_t<decltype(std::declval<const Joint&>().gvel())> gvel_;
};

}  // namespace espalier::sim
