#pragma once

// A face of a box against the face of another that looks at it.

#include "espalier/collision/manifold.h"
#include "espalier/spatial/motion.h"

namespace espalier::collision {

/// One box in the frame of another: R[i][j] is axis j of the other box along axis i of this one.
struct BoxInBox {
  double R[3][3], p[3];      ///< orientation and middle of the other
  double half[3], other[3];  ///< half lengths, of this and of the other
};

/// The face of the other that looks most at this box's face across `axis`, clipped to that face:
/// every corner of the clipped polygon is a contact with the gap it has there.
///   in   isFirst   this box is the pair's first geom
///   out  m         at most four points, as ContactPoint
void addBoxFaces(const BoxInBox& boxes, int axis, bool isFirst, const Transformd& X_WB,
                 double margin, Manifold& m);

}  // namespace espalier::collision
