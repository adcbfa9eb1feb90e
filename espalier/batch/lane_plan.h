#pragma once

// What the steps of THROUGHPUT mode know of a world beforehand: which shapes may meet and how many points each
// pair has room for, which joints have rows of their own, and the laws.
//
// Every pair has a fixed run of slots, one for each point. A slot that is empty in all worlds of a register
// costs nothing in the contact problem.

#include <memory>
#include <vector>

#include "espalier/batch/batch_data.h"
#include "espalier/batch/lane_robot.h"
#include "espalier/batch/one_robot.h"
#include "espalier/step/gap_law.h"
#include "espalier/world/world.h"
#include "espalier/world/world_data.h"

namespace espalier {

struct LanePlan {
  /// errors  throws std::invalid_argument that names what the world has and lanes have not
  explicit LanePlan(std::shared_ptr<World> world);
  ~LanePlan();

  /// One of two shapes that may meet.
  struct End {
    int geom;        ///< place in geoms
    int collision;   ///< place in Model::collisions; -1: it never moves
    int body;        ///< of the robot; -1: it never moves
    int row;         ///< its body in the rows of BatchData; -1: of none
    bool isTerrain;  ///< it stands where BatchData::terrain says
    double rounding;
    Vec3d middle, half;  ///< of a box around it, in its frame; none of a plane
  };
  struct Pair {
    End a, b;  ///< the normal pushes a
    collision::PairFunction function;
    bool swapped;
    bool hasPlane;                  ///< b is a plane
    const collision::Field* field;  ///< b's, where it is a height map
    MaterialPair law;
    int firstSlot, slots;
  };
  enum class RowKind { LIMIT, FRICTION, SPRING, ACTUATOR };
  /// A limit or the dry friction of a joint, a rotor or a tendon along joints; a tendon's spring with its damper,
  /// or its actuator.
  struct JointRow {
    RowKind kind;
    int dof;  ///< one of System::rowDofs()
    std::vector<RotorInfo::Term> terms;
    double offset = 0;  ///< its coordinate is the sum of factor q + offset
    double sign = 1;    ///< of a limit
    double bound = 0;   ///< of a limit: the coordinate; of dry friction: N m or N
    int tendon = -1;    ///< of a spring or an actuator: place in actuators

    template <class T>
    T coordinate(const T* q) const {
      T sum = bc<T>(offset);
      for (const RotorInfo::Term& term : terms) sum = fma(bc<T>(term.factor), q[term.q], sum);
      return sum;
    }
    template <class T>
    T rate(const T* u) const {
      T sum = bc<T>(0.0);
      for (const RotorInfo::Term& term : terms) sum = fma(bc<T>(term.factor), u[term.u], sum);
      return sum;
    }
    /// Of a limit: how far it is, negative beyond it.
    template <class T>
    T gap(const T* q) const {
      return bc<T>(sign) * (coordinate(q) - bc<T>(bound));
    }
  };

  std::shared_ptr<World> world;
  const WorldData& data;
  OneRobot all;
  const System& robot;  ///< all that moves
  Lowered<double> parameters;
  GapLaw law;
  Scheme scheme;
  double dt, margin;
  std::vector<collision::Geom> geoms;  ///< by GeomId
  std::vector<double> radii;           ///< m, by Model::collisions: of the spheres around them
  std::vector<Pair> pairs;
  int slots = 0, torsions = 0;  ///< torsions: slots of pairs with rolling or spinning friction
  std::vector<JointRow> rows;
  std::vector<ActuatorSpec> actuators;  ///< of all tendons, as BatchData::tendonTarget
  /// Springs and actuators of tendons without an implicit weight: they push as forces.
  std::vector<JointRow> pulls;
  int sidesOfGroup() const;  ///< at most

  std::vector<collision::Geom> copyOfGeoms() const;

  // Numbers that a world keeps from step to step, in BatchData::warm: its stamp; of each slot impulse (3), feature,
  // stamp, and where there are torsions couple (3); of each row impulse and stamp; and g of the joints that loops move.
  int stampWarm() const { return 0; }
  int slotWarm(int slot) const { return 1 + (torsions > 0 ? 8 : 5) * slot; }
  int coupleWarm(int slot) const { return slotWarm(slot) + 5; }
  int rowWarm(int row) const { return slotWarm(slots) + 2 * row; }
  int dependentWarm() const { return rowWarm(static_cast<int>(rows.size())); }
  int warmNumbers() const { return dependentWarm() + dependents(); }
  /// Groups of the contact problem, at most.
  int groups() const { return slots + torsions + static_cast<int>(rows.size()); }
  int dependents() const { return robot.model->mechanism.isTree() ? 0 : robot.model->nv(); }

 private:
  void listPairs();
  void listRows();
  void listTendon(int tendon, int dof);
  void listLimits(int dof, std::span<const RotorInfo::Term> terms, double offset, double lower,
                  double upper);
};

}  // namespace espalier
