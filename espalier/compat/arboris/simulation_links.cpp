// Robots of joint objects: addBody(), addLink(), and the joints' gpos and gvel kept equal to the
// state.

#include <array>

#include "espalier/compat/arboris/simulation.h"
#include "espalier/core/check.h"

namespace espalier::sim {

Body& Simulation::addBody(const std::string& name, const Matrix6x6& mass) {
  return addBody(name, inertialOf(mass));
}

Body& Simulation::addBody(const std::string& name, const std::optional<InertialSpec>& inertial) {
  ESPALIER_REQUIRE(!name.empty(), "a body has a name");
  for (const NamedBody& other : named_)
    ESPALIER_REQUIRE(other.body->getName() != name, "there is a body '" + name + "' already");
  Body& body = bodies_.emplace_back(*this, name);
  named_.push_back({"", &body});
  plan_.addBody(body, inertial);
  return body;
}

void Simulation::planLink(const Frame& frame0, std::unique_ptr<LinkedJoint> joint,
                          const Frame& frame1, const std::string& name) {
  ESPALIER_REQUIRE(&frame0.simulation() == this && &frame1.simulation() == this,
                   "both frames are this Simulation's");
  plan_.addLink(frame0, std::move(joint), frame1, name);
  isReady_ = false;
}

void Simulation::buildLinks() {
  if (plan_.isEmpty()) return;
  const std::vector<SystemSpec> specs = plan_.specs();
  std::vector<std::shared_ptr<const Model>> models;
  for (const SystemSpec& spec : specs) {  // all of them before the World changes
    Expected<Model> model = compile(spec);
    ESPALIER_REQUIRE(model.hasValue(), "the links of '" + spec.name + "' make no robot:\n" +
                                           model.diagnostics().toString());
    models.push_back(std::make_shared<const Model>(std::move(model).value()));
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    addActor(std::make_unique<Actor>(*world_.addArticulatedSystem(models[i]), ndof(),
                                     stepping_ == Stepping::ARBORIS));
    const std::size_t first = linked_.size();
    plan_.handOver(static_cast<int>(i), *actors_.back(), linked_);
    setJoints(first);
  }
  plan_.clear();
}

/// Writes gpos and gvel of the joints from `first` on into the state.
void Simulation::setJoints(std::size_t first) {
  load(0);
  for (std::size_t i = first; i < linked_.size(); ++i) {
    const BuiltJoint& built = linked_[i];
    std::array<double, 7> q;
    built.joint->coordinates(built.X_Jr, q.data());
    built.actor->tree().setCoordinates(built.body, q.data());
  }
  const auto storeLinked = [&] {
    for (std::size_t i = first; i < linked_.size(); ++i)
      if (i == first || linked_[i].actor != linked_[i - 1].actor) linked_[i].actor->store();
  };
  storeLinked();
  load(0);
  for (std::size_t i = first; i < linked_.size(); ++i) {
    const auto [at, count] = dofsOf(linked_[i]);
    std::copy_n(linked_[i].joint->velocities(), count, gvel_.data() + at);
  }
  for (std::size_t i = first; i < linked_.size(); ++i) linked_[i].actor->tree().setGvel(gvel_);
  storeLinked();
}

/// Values set in joint objects since they were last written from the state.
void Simulation::takeJoints() {
  bool isChanged = false;
  for (const BuiltJoint& built : linked_) isChanged |= built.joint->isChanged();
  if (isChanged) setJoints(0);
}

/// gpos and gvel of the joint objects at the state that was loaded or reached last.
///   pre  gvel_ is nu there
void Simulation::showJoints() {
  for (const BuiltJoint& built : linked_) {
    const BodyTopology& joint = built.actor->model().topology.bodies[built.body];
    const double* q = built.actor->tree().q().data() + joint.q;
    built.joint->read(built.X_Jr, q, gvel_.data() + dofsOf(built).first);
  }
}

/// The first of a joint's dofs among all, and how many.
std::pair<int, int> Simulation::dofsOf(const BuiltJoint& built) const {
  const Model& model = built.actor->model();
  const BodyTopology& joint = model.topology.bodies[built.body];
  return {built.actor->tree().firstDof() + model.spanningDof[joint.u], joint.nv};
}

}  // namespace espalier::sim
