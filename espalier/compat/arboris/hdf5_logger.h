#pragma once

#include <memory>
#include <string>

#include "espalier/compat/arboris/observer.h"
#include "espalier/compat/arboris/snapshot.h"

namespace espalier::sim {

/// Contents of the file beside the timeline.
struct Hdf5Content {
  bool state = true;       ///< gpositions/JOINT, gvelocities/JOINT
  bool transforms = true;  ///< transforms/LINK  [times][4][4], X_gl
  bool model = false;      ///< model/mass, viscosity, nleffects, admittance  [steps][n][n];
                           ///< model/gvel, gforce  [steps][n], as arboris counts velocities
};

/// The trajectory as HDF5, in arboris' layout: `timeline` [times]; a free joint's gpositions are
/// poses [times][4][4] and its gvelocities body twists [w; v], other joints' as the World has them.
/// With several robots or bodies names are ROBOT/JOINT, and groups follow them. All is kept in
/// memory and written by finish().
class Hdf5Logger : public Observer {
 public:
  explicit Hdf5Logger(std::string file, const Hdf5Content& content = {});
  ~Hdf5Logger() override;

  void init(Simulation& simulation, const std::vector<double>& timeline) override;
  void update(double dt) override;
  /// errors  throws std::runtime_error where the file cannot be written
  void finish() override;

 private:
  struct Table;
  Table& table(const std::string& name, const std::vector<int>& shape);
  void noteState();
  void noteModel();

  std::string file_;
  Hdf5Content content_;
  const Simulation* simulation_ = nullptr;
  std::unique_ptr<Snapshot> snapshot_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::size_t next_ = 0;
};

}  // namespace espalier::sim
