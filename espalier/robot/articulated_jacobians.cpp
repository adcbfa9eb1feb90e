#include "espalier/dynamics/tree/jacobian.h"

#include "espalier/core/check.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/dynamics_query.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

/// Columns in dofs of the engine -> a SparseJacobian in the authored order.
///   in  write(dofs, columns)  fills both, returns how many
template <class Write>
void fillSparse(const System& sys, int body, SparseJacobian& J, Write&& write) {
  J.resize(sys.chainBegin[body + 1] - sys.chainBegin[body]);
  static_assert(sizeof(Vec3d) == 3 * sizeof(double));
  write(J.idx.data(), reinterpret_cast<Vec3d*>(J.v.data()));
  for (int& dof : J.idx) dof = sys.model->publicDof[dof];
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
  fillSparse(system_, body, J, [&](int* dofs, Vec3d* columns) {
    sparsePointJacobian(model().topology, ws, body, r, dofs, columns);
  });
}
void ArticulatedSystem::getSparseRotationalJacobian(int body, SparseJacobian& J) const {
  bodyAt(body);
  if (!model().mechanism.isTree())
    return DynamicsQuery(system_, coordinatesNow(), velocitiesNow()).jacobian(body, nullptr, J);
  const Workspace<double>& ws = kinematicsNow();
  fillSparse(system_, body, J, [&](int* dofs, Vec3d* columns) {
    sparseRotationalJacobian(model().topology, ws, body, dofs, columns);
  });
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
  fillSparse(system_, body, J, [&](int* dofs, Vec3d* columns) {
    sparsePointJacobianRate(model().topology, ws, velocitiesNow(), body, r, dofs, columns);
  });
}
void ArticulatedSystem::getTimeDerivativeOfSparseRotationalJacobian(int body,
                                                                    SparseJacobian& J) const {
  bodyAt(body);
  if (!model().mechanism.isTree())
    return DynamicsQuery(system_, coordinatesNow(), velocitiesNow()).jacobianRate(body, nullptr, J);
  const Workspace<double>& ws = kinematicsNow();
  fillSparse(system_, body, J, [&](int* dofs, Vec3d* columns) {
    sparseRotationalJacobianRate(model().topology, ws, velocitiesNow(), body, dofs, columns);
  });
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

namespace {

/// J's non-zero columns, written where they belong; columnOf(dof) in dofs of the engine.
template <class ColumnOf>
void fillDense(const System& sys, int body, Eigen::MatrixXd& J, ColumnOf&& columnOf) {
  for (int i = sys.chainBegin[body]; i < sys.chainBegin[body + 1]; ++i) {
    const int dof = sys.chain[i];
    J.block<3, 1>(0, sys.model->publicDof[dof]) = Vec<3>(columnOf(dof));
  }
}

}  // namespace

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
  fillDense(system_, body, J,
            [&](int dof) { return velocityAt(column(model().topology, ws, dof), r); });
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
