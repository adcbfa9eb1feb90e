#pragma once

// Mechanism: the loops and couplings of a model beyond its spanning tree, after compile. Immutable,
// indices only. Theory: docs/loops.md.
//
//   phi(q) = 0,   K u = 0,   K udot = k        rows of the closures and couplings of a cluster
//   u = G y,      udot = G ydot + g            y: the rates of its independent dofs
//
// A cluster is a smallest set of bodies that must be solved together; every other body is a
// cluster of its own and is not listed.

#include <optional>
#include <vector>

#include "espalier/model/spec/spec.h"
#include "espalier/model/topology.h"

namespace espalier {

/// A loop between frame A on body a and frame B on body b; z of A and B is the loop's axis.
struct Closure {
  LoopKind kind = LoopKind::POINT;
  int a = 0, b = 0;                               ///< bodies; -1: the world
  Transformd X_LA = identityTransform<double>();  ///< in the bodies' link frames
  Transformd X_LB = identityTransform<double>();
  Transformd X_CA = identityTransform<double>();  ///< in the engine's axes
  Transformd X_CB = identityTransform<double>();
  Vec3d axis2{0, 1, 0};  ///< in B, unit; universal only
  double pitch = 0;      ///< m/rad, screw only
  int spec = -1;         ///< index in SystemSpec::loops
  unsigned loose = 0;    ///< bit k: row k repeats others but for rounding, and is left out
};

/// sum of factor q = offset; or, with a tape, a row of phi(q) = 0, q those of the terms.
struct Coupling {
  struct Term {
    int q, u;
    double factor;
  };
  std::vector<Term> terms;
  double offset = 0;
  std::string name;  ///< for reports
  int line = 0;
  std::optional<Tape> phi{};  ///< of one output
  int firstInput = 0;         ///< of its tape among the inputs of all tapes
  bool isLoose = false;       ///< it repeats others but for rounding, and is left out
};

/// One scalar equation of a cluster.
struct LoopRow {
  int closure = -1, coupling = -1;  ///< one of them
  int index = 0;                    ///< among the rows of the closure's kind
  std::vector<int> columns;         ///< places in Cluster::dofs that it may depend on, ascending
  std::vector<double> sign;         ///< of each: on the way to b 1, to a -1; a coupling's factors
};

/// Dependent dofs that are found together: rows[first .. first + size) of LoopPlan::rows belong to
/// the dofs at the same places of LoopPlan::dependent. Blocks come in an order in which each needs
/// only what the ones before found.
struct LoopBlock {
  int first = 0, size = 0;
  /// By the inverse, in which no pivot of its own can be small; else by L U. Of two or three dofs only.
  bool isInverted = false;
};

/// Which dofs of a cluster are independent, and in what order the others are found.
struct LoopPlan {
  std::vector<int> independent;  ///< places in Cluster::dofs, ascending
  std::vector<int> dependent;    ///< the others, block by block; behind the last block, near a
      ///< change point, those that no row tells (dynamics/loops/singularity_traversal.h)
  std::vector<int> rows;  ///< places in Cluster::rows, block by block
  std::vector<LoopBlock> blocks;
  /// [rows] Smaller pivots of K_d may mean a change point; of an inverted block a smaller determinant than
  /// its first.
  std::vector<double> leastPivots;
  int solved = 0;  ///< how many of rows have blocks
  // What each of `rows` needs of dofs that are not of its block.
  std::vector<int> outside;       ///< places in Cluster::dofs, row by row
  std::vector<int> firstOutside;  ///< [rows + 1]
  // The pattern of L U, fill-in included, of blocks that are not inverted: columns of the block, row by row,
  // ascending.
  std::vector<int> lower, upper;            ///< before the pivot, behind it
  std::vector<int> firstLower, firstUpper;  ///< [rows + 1]
  std::vector<char> isFilled;               ///< [rows] scratch
};

/// One of LoopRow::columns, all that the step reads of it.
struct LoopColumn {
  int dof = 0, place = 0;  ///< of the spanning tree; in Cluster::dofs
  double sign = 0;
};

struct Cluster {
  int carrier = -1;                 ///< the body outside that carries it; -1: the world
  std::vector<int> bodies;          ///< ascending
  std::vector<int> dofs;            ///< of the spanning tree, ascending
  std::vector<LoopRow> rows;        ///< linearly independent ones only
  LoopPlan plan;                    ///< by the public independent dofs
  std::vector<LoopColumn> columns;  ///< of all rows, row by row
  std::vector<int> firstColumn;     ///< [rows + 1]
  int dropped = 0;                  ///< rows that said nothing new
  /// The largest |G| of the public dofs where it is smallest, at least 1; 0: G is constant.
  double gain = 0;
  /// Where complete pivoting of K meets a smaller one, a change point is near; 0: there is none.
  double leastPivot = 0;
  int y = 0;  ///< its first independent dof among those of the mechanism
  // Where its numbers lie among those of all clusters.
  int firstK = 0, firstG = 0, firstRow = 0;

  int ny() const { return static_cast<int>(plan.independent.size()); }
};

/// A dof of the spanning tree that is one of the y by itself.
struct LoneDof {
  int y = 0, dof = 0;
  int diagonal = 0;  ///< its entry of M_y
};

/// Of a tree there are no closures, couplings or clusters: a mechanism of lone joints, of which y is u.
struct Mechanism {
  std::vector<Closure> closures;
  std::vector<Coupling> couplings;
  std::vector<Cluster> clusters;
  std::vector<int> clusterOf;  ///< [nb] index in clusters, -1: on its own
  std::vector<int> placeOf;    ///< [nv] of a dof in its cluster's dofs, -1: in none
  /// The dofs y of all clusters and lone joints: a tree of which only the dofs are filled.
  Topology reduced;
  std::vector<int> dofOfY;        ///< [reduced.nv] the dof of the spanning tree that each y is
  std::vector<LoneDof> lone;      ///< the dofs that are no cluster's
  std::vector<int> firstY;        ///< [nb] of a body's cluster or joint
  std::vector<int> firstReduced;  ///< [nb + 1] a body's reduced columns, one per y of its cluster
  /// What moves a body: its y, ascending, and the reduced columns with which they do so; one body
  /// after another.
  std::vector<int> columnY, columnReduced;
  std::vector<int> firstColumn;   ///< [nb + 1]
  std::vector<double> assembled;  ///< [nq] where all loops are closed, nearest to the neutral q
  int sizeK = 0, sizeG = 0, rows = 0;  ///< over all clusters
  int mostDofs = 0;                    ///< of one cluster

  bool isTree() const { return clusters.empty(); }
};

/// Dofs that are solved for and move a body, ascending.
struct DofChain {
  const int* dofs;
  int count;
};
ESPALIER_INLINE DofChain chainOf(const Mechanism& m, int body) {
  return {m.columnY.data() + m.firstColumn[body], m.firstColumn[body + 1] - m.firstColumn[body]};
}
/// The reduced columns with which they do so.
ESPALIER_INLINE const int* reducedColumnsOf(const Mechanism& m, int body) {
  return m.columnReduced.data() + m.firstColumn[body];
}

/// Number of equations of a kind.
int rowsOf(LoopKind kind);
/// "revolute" etc.
const char* nameOf(LoopKind kind);

}  // namespace espalier
