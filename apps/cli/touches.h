#pragma once

// Pairs in contact during a run: `sim --contacts`. A pair with many beginnings of contact chatters,
// which is the most frequent reason why a robot jitters.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "apps/cli/json.h"
#include "apps/cli/simulation.h"
#include "apps/cli/terminal.h"

namespace espalier::cli {

class Touches {
 public:
  /// Takes in the contacts of the last step, but near misses.
  void add(const World& world);

  /// Pairs that began most often first, then those that touched longest.
  Json json(const Simulation& simulation) const;
  std::string draw(const Terminal& terminal, const Simulation& simulation) const;

 private:
  using Pair = std::array<int, 4>;  // object and body of one, object and body of the other
  struct Record {
    long long began = 0, steps = 0;
    long long lastStep = -1;
    double firstTime = 0;                    // s
    double deepest = 0;                      // m
    double impulse = 0, largestImpulse = 0;  // N s along the normals: sum, largest of a step
    double stepImpulse = 0;                  // of the last step in which they touched
    int points = 0;                          // in that step
  };
  struct Row;

  std::vector<Row> rows(const Simulation& simulation) const;

  std::map<Pair, Record> pairs_;
  long long steps_ = 0;
};

}  // namespace espalier::cli
