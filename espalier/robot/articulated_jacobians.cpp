#include "espalier/dynamics/tree/jacobian.h"

#include "espalier/core/check.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/dynamics_query.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

/// The columns of a body's dofs of a tree, in the authored order; columnOf(dof) in dofs of the engine.
template <class ColumnOf>
void fillSparse(const System& sys, int body, SparseJacobian& J, ColumnOf&& columnOf) {
  const auto [dofs, count] = chainOf(sys, body);
  J.resize(count);
  for (int k = 0; k < count; ++k) {
    const int dof = dofs[k];
    J.idx[k] = sys.model->publicDof[dof];
    const Vec3d column = columnOf(dof);
    J.v.col(k) << column.x, column.y, column.z;
  }
}
/// The same, written where they belong in a dense Jacobian.
template <class ColumnOf>
void fillDense(const System& sys, int body, Eigen::MatrixXd& J, ColumnOf&& columnOf) {
  const auto [dofs, count] = chainOf(sys, body);
  for (int k = 0; k < count; ++k) {
    const int dof = dofs[k];
    J.block<3, 1>(0, sys.model->publicDof[dof]) = Vec<3>(columnOf(dof));
  }
}

void requireDense(const Eigen::MatrixXd& J, int nv) {
  ESPALIER_REQUIRE(J.rows() == 3 && J.cols() == nv,
                   "a dense Jacobian is 3 x " + std::to_string(nv) + " here, not " +
                       std::to_string(J.rows()) + " x " + std::to_string(J.cols()));
}

}  // namespace

// ---- by non-zero columns

void ArticulatedSystem::getSparseJacobian(int body, const Vec<3>& point_W,
                                          SparseJacobian& J) const {
  getSparseJacobian(body, WORLD_FRAME, point_W, J);
}
void ArticulatedSystem::getSparseJacobian(int body, Frame frame, const Vec<3>& point,
                                          SparseJacobian& J) const {
  bodyAt(body);
  if (!model().mechanism.isTree()) {
    const DynamicsQuery query(system_, coordinatesNow(), velocitiesNow());
    const Vec3d r = pointFromOrigin(query.kinematics(), body, frame, point);
    return query.jacobian(body, &r, J);
  }
  const Workspace<double>& ws = kinematicsNow();
  const Vec3d r = pointFromOrigin(ws, body, frame, point);
  fillSparse(system_, body, J, [&](int dof) { return pointColumn(model().topology, ws, r, dof); });
}
void ArticulatedSystem::getSparseRotationalJacobian(int body, SparseJacobian& J) const {
  bodyAt(body);
  if (!model().mechanism.isTree())
    return DynamicsQuery(system_, coordinatesNow(), velocitiesNow()).jacobian(body, nullptr, J);
  const Workspace<double>& ws = kinematicsNow();
  fillSparse(system_, body, J, [&](int dof) { return column(model().topology, ws, dof).w; });
}
void ArticulatedSystem::getTimeDerivativeOfSparseJacobian(int body, Frame frame,
                                                          const Vec<3>& point,
                                                          SparseJacobian& J) const {
  bodyAt(body);
  if (!model().mechanism.isTree()) {
    const DynamicsQuery query(system_, coordinatesNow(), velocitiesNow());
    const Vec3d r = pointFromOrigin(query.kinematics(), body, frame, point);
    return query.jacobianRate(body, &r, J);
  }
  const Workspace<double>& ws = kinematicsNow();
  const Vec3d r = pointFromOrigin(ws, body, frame, point);
  fillSparse(system_, body, J, [&](int dof) {
    return pointColumnRate(model().topology, ws, velocitiesNow(), body, r, dof);
  });
}
void ArticulatedSystem::getTimeDerivativeOfSparseRotationalJacobian(int body,
                                                                    SparseJacobian& J) const {
  bodyAt(body);
  if (!model().mechanism.isTree())
    return DynamicsQuery(system_, coordinatesNow(), velocitiesNow()).jacobianRate(body, nullptr, J);
  const Workspace<double>& ws = kinematicsNow();
  fillSparse(system_, body, J,
             [&](int dof) { return columnRate(model().topology, ws, velocitiesNow(), dof).w; });
}

// ---- of frames

void ArticulatedSystem::getSparseFrameJacobian(const FrameOf& which, SparseJacobian& J) const {
  const CoordinateFrame& f = frameAt(which);
  getSparseJacobian(f.parentId, BODY_FRAME, f.position, J);
}
void ArticulatedSystem::getSparseFrameRotationalJacobian(const FrameOf& which,
                                                         SparseJacobian& J) const {
  const CoordinateFrame& f = frameAt(which);
  ESPALIER_REQUIRE(f.rotor < 0, "frame '" + f.name +
                                    "' turns with a geared rotor, by joints beside its way to the "
                                    "root: ask for the dense Jacobian");
  getSparseRotationalJacobian(f.parentId, J);
}
void ArticulatedSystem::getTimeDerivativeOfSparseFrameJacobian(const FrameOf& which,
                                                               SparseJacobian& J) const {
  const CoordinateFrame& f = frameAt(which);
  getTimeDerivativeOfSparseJacobian(f.parentId, BODY_FRAME, f.position, J);
}

// ---- dense

void ArticulatedSystem::getDenseJacobian(int body, const Vec<3>& point_W,
                                         Eigen::MatrixXd& J) const {
  getDenseJacobian(body, WORLD_FRAME, point_W, J);
}
void ArticulatedSystem::getDenseJacobian(int body, Frame frame, const Vec<3>& point,
                                         Eigen::MatrixXd& J) const {
  bodyAt(body);
  requireDense(J, getDOF());
  if (!model().mechanism.isTree()) {
    const DynamicsQuery query(system_, coordinatesNow(), velocitiesNow());
    const Vec3d at = pointFromOrigin(query.kinematics(), body, frame, point);
    return query.jacobian(body, &at, J);
  }
  const Workspace<double>& ws = kinematicsNow();
  const Vec3d r = pointFromOrigin(ws, body, frame, point);
  fillDense(system_, body, J, [&](int dof) { return pointColumn(model().topology, ws, r, dof); });
}
void ArticulatedSystem::getDenseRotationalJacobian(int body, Eigen::MatrixXd& J) const {
  bodyAt(body);
  requireDense(J, getDOF());
  if (!model().mechanism.isTree())
    return DynamicsQuery(system_, coordinatesNow(), velocitiesNow()).jacobian(body, nullptr, J);
  const Workspace<double>& ws = kinematicsNow();
  fillDense(system_, body, J, [&](int dof) { return column(model().topology, ws, dof).w; });
}
void ArticulatedSystem::getDenseFrameJacobian(const FrameOf& which, Eigen::MatrixXd& J) const {
  const CoordinateFrame& f = frameAt(which);
  getDenseJacobian(f.parentId, BODY_FRAME, f.position, J);
}
void ArticulatedSystem::getDenseFrameRotationalJacobian(const FrameOf& which,
                                                        Eigen::MatrixXd& J) const {
  const CoordinateFrame& f = frameAt(which);
  getDenseRotationalJacobian(f.parentId, J);
  if (f.rotor < 0) return;
  const RotorInfo& rotor = model().rotors[f.rotor];
  const Vec3d axis = axisOf(kinematicsNow(), rotor);
  const DynamicsQuery query(system_, coordinatesNow(), velocitiesNow());
  for (const RotorInfo::Term& term : rotor.terms) query.addRate(term.u, axis * term.factor, J);
}
MatDyn ArticulatedSystem::getDenseFrameJacobian(const FrameOf& frame) const {
  MatDyn J(3, getDOF());
  getDenseFrameJacobian(frame, J);
  return J;
}
MatDyn ArticulatedSystem::getDenseFrameRotationalJacobian(const FrameOf& frame) const {
  MatDyn J(3, getDOF());
  getDenseFrameRotationalJacobian(frame, J);
  return J;
}

}  // namespace espalier
