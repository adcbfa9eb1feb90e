#pragma once

// Rotations as files write them, there and back.
//
// A matrix that came from such text is written so that reading it gives the same bits: the angles
// are found from the matrix, in as few digits as will do, else by looking at the doubles around
// them, which fails for about one quaternion in a thousand. That one, and a matrix from elsewhere,
// come back to within 1e-15.

#include <span>
#include <string>

#include "espalier/spatial/rotation.h"

namespace espalier::io {

/// R of w, x, y, z, which need not have length one; none where they have no length.
bool rotationFromQuat(std::span<const double, 4> wxyz, Mat3d& R);

/// "w x y z"
std::string quatText(const Mat3d& R);
/// "roll pitch yaw"
std::string rpyText(const Mat3d& R);

bool isIdentity(const Mat3d& R);
bool isSame(const Mat3d& a, const Mat3d& b);

/// The fewest digits that read back as the same double; -0 is 0.
std::string shortest(double value);
std::string shortest(std::span<const double> values);
std::string shortest(const Vec3d& v);

}  // namespace espalier::io
