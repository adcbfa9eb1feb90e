#pragma once

// Joint objects in Python: one bound class, JointObject, asked through virtual functions, and
// a class for each of espalier/compat/arboris/joint_objects.h that only constructs.

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "casters.h"
#include "espalier/compat/arboris/joint_objects.h"

namespace espalier::sim {
class Frame;
class Simulation;
}  // namespace espalier::sim

namespace espalier::python {

namespace nb = nanobind;

class SimulationObject;

class AnyJoint {
 public:
  virtual ~AnyJoint() = default;

  std::optional<std::string> name;
  /// Of which it is a link; null: none.
  SimulationObject* simulation = nullptr;

  virtual const char* className() const = 0;
  virtual int ndof() const = 0;
  virtual JointKind kind() const = 0;
  virtual std::vector<Vec3d> axes() const = 0;
  /// gpos and gvel where they are stored: [ndof], of a free joint gpos is [4][4].
  virtual double* gpos() = 0;
  virtual double* gvel() = 0;
  virtual bool isFree() const = 0;
  /// From any array-like, a number for one dof.
  virtual void setGpos(nb::handle gpos) = 0;
  virtual void setGvel(nb::handle gvel) = 0;
  virtual void integrate(double dt) = 0;
  /// errors  throws std::invalid_argument where a number written through a view is not finite, or a
  ///         free joint's gpos is no pose any more
  virtual void check() = 0;

  virtual Eigen::Matrix4d pose() const = 0;
  virtual Eigen::Matrix4d ipose() const = 0;
  virtual Vec<6> twist() const = 0;
  virtual Vec<6> itwist() const = 0;
  virtual MatDyn jacobian() const = 0;
  virtual MatDyn djacobian() const = 0;
  virtual Mat<6, 6> iadjoint() const = 0;
  virtual Mat<6, 6> idadjoint() const = 0;
  virtual JointSpec spec(const std::string& jointName, const std::string& parent,
                         const std::string& child, const Transformd& X_PJ) const = 0;

  /// Makes it a link of the simulation: it follows the state from then on.
  ///   pre  it outlives the simulation
  virtual void link(sim::Simulation& simulation, const sim::Frame& frame0, const sim::Frame& frame1,
                    const std::string& linkName) = 0;
};

}  // namespace espalier::python
