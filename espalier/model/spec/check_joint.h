#pragma once

// Checks of one joint: axes, limits, springs, order.

#include "espalier/model/spec/check_report.h"

namespace espalier {

/// To the rounding that figures in files have: |R R' - 1| < 1e-6, and no mirror.
bool isRotation(const Mat3d& R);

/// Axes, limits, dynamics, mimic and pitch of every joint; joints of transmissions.
void checkJoints(const CheckReport& report);

/// jointOrder, if there is one: known joints, each once. A link may stand first, as the base does
/// in a list of movable joints.
void checkJointOrder(const CheckReport& report);

}  // namespace espalier
