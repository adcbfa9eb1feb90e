#pragma once

#include <vector>

namespace espalier::sim {

class Simulation;

/// Observes a run of simulate(): at the state t and the forces of the step that
/// begins there.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void init(Simulation&, const std::vector<double>& /*timeline*/) {}
  /// After updateConstraints(), before integrate(dt).
  virtual void update(double dt) = 0;
  virtual void finish() {}
};

}  // namespace espalier::sim
