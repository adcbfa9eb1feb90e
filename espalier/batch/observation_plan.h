#pragma once

// Quantities compiled for the worlds of one batch: rows, bodies and columns as integers, checked once.

#include <string>
#include <vector>

#include "espalier/batch/batch_data.h"
#include "espalier/batch/ground_heights.h"
#include "espalier/batch/quantity.h"
#include "espalier/world/world_data.h"

namespace espalier {

template <class S>
struct ObservationPlan {
  /// One quantity of one subject.
  struct Term {
    QuantitySource source;
    int column = 0;              ///< the first of its columns, or the only one
    int number = 0, count = 0;   ///< the first of its numbers, and how many
    std::vector<const S*> rows;  ///< [count] ROWS; [3] CONTACT, CONTACT_FORCE; [9] TORQUE
    Reduction reduction = Reduction::NONE;
    bool isFirst = true;  ///< of its quantity
    ObservedArray minus;  ///< from its first number on
    bool isLocal = false;
    int robot = -1, body = -1;  ///< of a frame: place in robots, and in the model
    Transform<S> X_CF{};        ///< the frame in its body
    std::vector<std::array<double, 2>> points;
    ObservedArray array;
    S threshold = 0;
  };
  /// What kinematics need of a robot.
  struct Robot {
    const Model* model;
    Lowered<S> parameters;
    std::vector<const S*> q, u;  ///< [nq], [nv] rows
    std::vector<int> bodies;     ///< whose poses are needed; ascending, with those that carry them
  };

  /// errors  throws std::invalid_argument that names what is not there, and names like it
  ObservationPlan(const WorldData& world, const BatchData<S>& data, std::span<const Quantity> list);

  int columns() const { return static_cast<int>(names.size()); }

  std::vector<Term> terms;
  bool hasFrames = false;          ///< of some terms
  std::vector<Robot> robots;       ///< as WorldData::owned
  std::vector<std::string> names;  ///< [columns]
  std::vector<S> low, high;        ///< [columns]
  std::vector<S> scale, offset;    ///< [numbers]
  GroundHeights ground;
  Rows<S> gravity;                ///< [3] m/s^2, world axes
  Rows<S> terrain;                ///< [3] m, as BatchData::terrain
  const std::ptrdiff_t* inForce;  ///< BatchData::offsetInForce()

 private:
  struct Compiler;
};

}  // namespace espalier
