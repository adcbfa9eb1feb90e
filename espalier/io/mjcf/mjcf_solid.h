#pragma once

// Solids over which the mass of a MuJoCo geom is spread: volumes and moments of its shapes and
// meshes, as MuJoCo's compiler computes them.

#include <array>
#include <optional>
#include <string>

#include "espalier/geometry/shape.h"
#include "espalier/spatial/inertia.h"

namespace espalier::io {

/// Which points of a mesh have mass.
enum class MjcfMeshMass {
  CONVEX,  ///< those in its convex hull
  EXACT,   ///< those that its faces enclose
  LEGACY,  ///< the pyramids from its centroid to every face, each positive: overlaps count twice
  SHELL    ///< those on its faces
};

struct MjcfSolid {
  double content = 0;  ///< m^3; of a shell m^2
  /// Of 1 kg. All zero where the shape has no content.
  RigidInertia<double> unit{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
};

/// Content and inertia of a mesh about the origin of its frame. With f the mean of the mesh's
/// surface, v_i the volume of the pyramid from f to face i, and g_i the pyramid's centroid:
///   c = sum v_i g_i / sum v_i;   content and moments are those of the pyramids from c
/// A closed mesh whose faces look outwards has the same values for every f and c.
///   in   mesh  faces counter-clockwise seen from outside
///   out  none where the content is not positive
std::optional<MjcfSolid> mjcfMeshSolid(const TriangleMesh& mesh, MjcfMeshMass rule);

/// Moments of a mesh as MuJoCo's compiler keeps them: those about the axes that it finds, without the
/// products that are left about these. Its Jacobi rotations end where no product reaches 1e-7 of the
/// largest moment; to have the same inertia as MuJoCo the same is left out here. (Its axes of sums of
/// geoms and of `fullinertia` are exact.)
Sym3<double> mjcfMoments(const Sym3<double>& I);

/// Area and inertia of the surface of a sphere, box, cylinder or capsule; none of other shapes.
std::optional<MjcfSolid> mjcfShell(const Shape& shape);

/// Half sizes, m, of the homogeneous box with the moments of a body, and its frame in the body's.
struct MjcfInertiaBox {
  std::array<double, 3> half{};  ///< ascending: the third axis is the longest
  Transformd X_GB = identityTransform<double>();
};
MjcfInertiaBox mjcfInertiaBox(const MjcfSolid& solid);

/// MuJoCo's size, m, of a primitive by the half sizes of its inertia box.
///   in   type  sphere, capsule, cylinder, box or ellipsoid
///   in   half  ascending, m
std::array<double, 3> fittedSize(const std::string& type, const std::array<double, 3>& half);

}  // namespace espalier::io
