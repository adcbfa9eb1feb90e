#pragma once

// Frames in Python: objects of their own that keep their Simulation, and refer to a body of it or
// own a SubFrame.

#include "espalier/compat/arboris/frame.h"
#include "simulation_object.h"

namespace espalier::python {

class FrameObject {
 public:
  explicit FrameObject(nb::object simulation, std::shared_ptr<sim::Frame> frame)
      : frame_(std::move(frame)), references_{std::move(simulation)} {}

  /// errors  throws std::runtime_error while another thread runs a stage of the Simulation
  sim::Frame& frame() const;
  nb::object simulation() const;
  SimulationObject& simulationObject() const;
  std::vector<nb::object>& references() { return references_; }

 private:
  std::shared_ptr<sim::Frame> frame_;
  std::vector<nb::object> references_;  // the Simulation
};

// The classes of Python, which differ in what they construct.
struct BodyObject : FrameObject {
  using FrameObject::FrameObject;
  sim::Body& body() const { return static_cast<sim::Body&>(frame()); }
};
struct SubFrameObject : FrameObject {
  using FrameObject::FrameObject;
};
struct MovingSubFrameObject : FrameObject {
  using FrameObject::FrameObject;
};

/// A body of the simulation, which owns it.
nb::object bodyObject(const SimulationObject& simulation, sim::Body& body);

/// errors  throws std::invalid_argument where X is no pose
const Transformd& requirePose(const Transformd& X, const char* what);

}  // namespace espalier::python
