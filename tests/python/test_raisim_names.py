"""Every public name of RaiSim's ArticulatedSystem (1.1) is one of ours, or docs/coming_from_raisim.md
says in a row why it is not."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ["articulated_system", "articulated_refs", "object", "joint_limits"]

NAMES = """
addConstraints addSpring appendJointLimits articulatedBodyAlgorithm clearExternalForcesAndTorques
computeSparseInverse convertSparseJacobianToDense exportRobotDescriptionToURDF
getActuationLowerLimits getActuationUpperLimits getAllowedNumberOfInternalContactsBetweenTwoBodies
getAngularMomentum getAngularVelocity getBaseOrientation getBasePosition getBodyCOM_B getBodyCOM_W
getBodyIdx getBodyNames getBodyOrientation getBodyPose getBodyPosition getBodyType getCOM
getCollisionBodies getCollisionBody getCollisionDefinition getCollisionSet
getComPositionInParentFrame getCompositeCOM getCompositeInertia getCompositeMass
getComputeInverseDynamics getContactPointVel getContacts getControlMode getDOF
getDenseFrameJacobian getDenseFrameRotationalJacobian getDenseJacobian getDenseRotationalJacobian
getEnergy getFeedForwardGeneralizedForce getForceAtJointInWorldFrame getFrameAcceleration
getFrameAngularVelocity getFrameByIdx getFrameByLinkName getFrameByName getFrameIdxByLinkName
getFrameIdxByName getFrameOrientation getFramePosition getFrameVelocity getFrames
getFullDelassusAndTauStar getGeneralizedAcceleration getGeneralizedCoordinate
getGeneralizedCoordinateDim getGeneralizedForce getGeneralizedMomentum getGeneralizedVelocity
getGeneralizedVelocityDim getGeneralizedVelocityIndex getIdxInGeneralizedCoordinate
getIndexInWorld getInertia getInverseMassMatrix getJoint getJointAngle getJointAxis
getJointAxis_P getJointCoordinate getJointLimitViolations getJointLimits getJointOrientation_P
getJointPos_P getJointType getJointVelocityLimits getKineticEnergy getLinearMomentum
getLinearVelocity getLink getMappingFromBodyIndexToGeneralizedCoordinateIndex
getMappingFromBodyIndexToGeneralizedVelocityIndex getMass getMassMatrix getMinvJT
getMovableJointNames getName getNonlinearities getNumberOfJoints getObjectType getOptions
getOrientation getParentVector getPdGains getPdTarget getPose getPosition getPositionInBodyCoordinate
getPositionInFrame getPositionInParentFrame getPotentialEnergy getResourceDir getRobotDescription
getRobotDescriptionFullPath getRobotDescriptionfFileName getRobotDescriptionfTopDirName
getRotorInertia getSensor getSensors getSparseJacobian getSparseRotationalJacobian getSpringMount
getSprings getState getTimeDerivativeOfSparseJacobian getTimeDerivativeOfSparseRotationalJacobian
getTorqueAtJointInWorldFrame getTotalMass getType getUdot getVelocity getVisColOb getVisColObPose
getVisOb getVisObPose getVisualObject getVisualSet getWeight getj_MinvJT_T1D
ignoreCollisionBetween initializeConstraints isSecondOrderOrHigher massMatrixVecMul
printOutBodyNamesInOrder printOutFrameNamesInOrder printOutMovableJointNamesInOrder
setActuationLimits setAllowedNumberOfInternalContactsBetweenTwoBodies setBaseAngularVelocity
setBaseOrientation setBaseOrientation_e setBasePos setBasePos_e setBaseVelocity
setCollisionObjectOrientationOffset setCollisionObjectPositionOffset
setCollisionObjectShapeParameters setComPositionInParentFrame setComputeInverseDynamics
setConstraintForce setControlMode setDGains setDTarget setExternalForce setExternalTorque
setExternalTorqueInBodyFrame setGeneralizedCoordinate setGeneralizedForce setGeneralizedVelocity
setInertia setIntegrationScheme setJointDamping setJointLimits setJointVelocityLimits setMass setName
setPGains setPTarget setPdGains setPdTarget setRotorInertia setSpringMount setState setWeight
updateKinematics updateMassInfo
""".split()


def test_every_name_exists_or_has_a_row():
    ours = "".join((ROOT / "espalier/robot" / f"{h}.h").read_text() for h in HEADERS)
    rows = [row for row in (ROOT / "docs/coming_from_raisim.md").read_text().splitlines()
            if row.startswith("|")]
    left_out = [name for name in NAMES if not re.search(rf"\b{name}\(", ours)]
    unexplained = [name for name in left_out if not any(f"`{name}`" in row for row in rows)]
    assert not unexplained
    assert len(set(NAMES)) == len(NAMES) >= 161
    assert len(left_out) < 15, left_out
