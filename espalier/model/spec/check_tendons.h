#pragma once

// Checks of tendons, actuators and weight compensation.

#include "espalier/model/spec/check_report.h"

namespace espalier {

/// Gains, targets and limits of an actuator.
///   in  subject, line  whom the Errors are about: "joint 'knee'"
void checkActuator(const CheckReport& report, const std::string& subject, int line,
                   const ActuatorSpec& actuator);

/// Joints, numbers and actuators of every tendon; actuators of joints; gravityCompensation.
void checkTendons(const CheckReport& report);

}  // namespace espalier
