#include "espalier/compat/arboris/simulation.h"

#include <algorithm>
#include <cmath>

#include "espalier/compat/arboris/embedded_loops.h"
#include "espalier/compat/arboris/mechanism.h"
#include "espalier/core/check.h"

namespace espalier::sim {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Simulation::Simulation(World& world, Stepping stepping) : world_(world), stepping_(stepping) {
  ground_ = std::make_unique<Body>(*this, "ground");
  for (int i = 0; i < world.systemCount(); ++i)
    addActor(std::make_unique<Actor>(*world.system(i), ndof(), stepping == Stepping::ARBORIS));
  for (int i = 0; i < world.objectCount(); ++i) {
    Object* object = world.getObject(i);
    if (object->getObjectType() == ObjectType::ARTICULATED_SYSTEM) continue;
    if (object->getBodyType() == BodyType::DYNAMIC)
      addActor(std::make_unique<Actor>(static_cast<SingleBodyObject&>(*object), ndof()));
  }
  load(0);
}

Simulation::~Simulation() {
  try {
    abandonStep();
  } catch (const std::exception&) {  // a moving object was removed from the World
  }
}

void Simulation::addActor(std::unique_ptr<Actor> actor) {
  const Model& model = actor->model();
  const Tree& tree = actor->tree();
  for (const FrameInfo& link : model.links)
    if (!plan_.bind(link.name, {&tree, link.body, link.X_CF})) {
      bodies_.emplace_back(*this, link.name, Carrier{&tree, link.body, link.X_CF});
      named_.push_back({model.name, &bodies_.back()});
    }
  joints_.resize(joints_.size() + at(model.nv()));
  for (int b = 0; b < model.nb(); ++b) {
    const BodyTopology& joint = model.topology.bodies[at(b)];
    const BodyInfo& body = model.bodies[at(b)];
    for (int k = 0; k < joint.nv; ++k) {
      const int dof = model.spanningDof[at(joint.u + k)];
      joints_[at(tree.firstDof() + dof)] = {b == 0 ? body.name : body.joint, &tree,
                                            tree.coordinateOf(dof)};
    }
  }
  for (auto* vector : {&gforce_, &gvel_, &impetus_})
    vector->setZero(static_cast<Eigen::Index>(joints_.size()));
  if (stepping_ == Stepping::ARBORIS && !model.mechanism.isTree())
    constraints_.push_back(std::make_shared<EmbeddedLoops>(*actor));
  actors_.push_back(std::move(actor));
}

template <class T>
void Simulation::keep(std::vector<std::shared_ptr<T>>& list, std::shared_ptr<T> added) {
  ESPALIER_REQUIRE(added, "there is nothing to be added");
  ESPALIER_REQUIRE(std::find(list.begin(), list.end(), added) == list.end(),
                   "this object was added to the Simulation before");
  list.push_back(std::move(added));
}
void Simulation::keep(std::shared_ptr<Controller> controller) {
  keep(controllers_, std::move(controller));
  isReady_ = false;
}
void Simulation::keep(std::shared_ptr<Constraint> constraint) {
  ESPALIER_REQUIRE(stepping_ == Stepping::ARBORIS,
                   "a step of the World has the World's own contacts, limits and welds; "
                   "constraints are for Stepping::ARBORIS");
  keep(constraints_, std::move(constraint));
  isReady_ = false;
}
void Simulation::keep(std::shared_ptr<Frame> frame) { keep(frames_, std::move(frame)); }

Body& Simulation::body(const std::string& name) {
  Body* found = nullptr;
  for (const NamedBody& candidate : named_) {
    const std::string& link = candidate.body->getName();
    if (!candidate.system.empty() && candidate.system + "/" + link == name) return *candidate.body;
    if (link != name) continue;
    ESPALIER_REQUIRE(!found, "two systems have a link '" + name + "'; say which: system/link");
    found = candidate.body;
  }
  ESPALIER_REQUIRE(found, "there is no link '" + name + "' that moves");
  return *found;
}

void Simulation::setConstraintSweeps(int sweeps) {
  ESPALIER_REQUIRE(sweeps > 0, "the solver makes at least one sweep");
  sweeps_ = sweeps;
}

std::vector<int> Simulation::dofs(const std::vector<std::string>& joints) const {
  std::vector<int> found;
  for (const std::string& name : joints) {
    const std::size_t before = found.size();
    for (std::size_t d = 0; d < joints_.size(); ++d)
      if (joints_[d].joint == name) found.push_back(static_cast<int>(d));
    ESPALIER_REQUIRE(found.size() > before, "there is no movable joint '" + name + "'");
  }
  return found;
}

std::vector<int> Simulation::linearDofs(const std::vector<std::string>& joints) const {
  const std::vector<int> found = dofs(joints);
  for (int d : found)
    ESPALIER_REQUIRE(joints_[at(d)].coordinate >= 0,
                     "joint '" + joints_[at(d)].joint + "' has no coordinate for each dof");
  return found;
}

double Simulation::gpos(int dof) const {
  ESPALIER_REQUIRE(
      dof >= 0 && dof < static_cast<int>(joints_.size()),
      "there is no dof " + std::to_string(dof) + "; there are " + std::to_string(joints_.size()));
  const JointDof& joint = joints_[at(dof)];
  ESPALIER_REQUIRE(joint.coordinate >= 0, "dof " + std::to_string(dof) + ", of joint '" +
                                              joint.joint + "', has no coordinate of its own");
  return joint.tree->coordinate(joint.coordinate);
}

Vec3d Simulation::gravityOfStep() const {
  return stepping_ == Stepping::WORLD ? static_cast<Vec3d>(world_.getGravity()) : Vec3d{0, 0, 0};
}

double Simulation::lookAhead(double dt) const {
  if (stepping_ == Stepping::ARBORIS) return dt;
  return implicitWeights(world_.getIntegrationScheme(), dt).damping;
}

void Simulation::load(double ahead) {
  for (const auto& actor : actors_) {
    actor->load(ahead);
    actor->tree().getGvel(gvel_);
  }
  hasMatrices_ = hasAdmittance_ = false;
}

void Simulation::store() {
  for (const auto& actor : actors_) actor->store();
}

void Simulation::setGvel(const Eigen::VectorXd& gvel) {
  ESPALIER_REQUIRE(gvel.size() == ndof() && gvel.allFinite(),
                   "gvel has " + std::to_string(ndof()) + " finite numbers");
  requireObjects();
  load(0);
  for (const auto& actor : actors_) actor->tree().setGvel(gvel);
  store();
  gvel_ = gvel;
  for (const auto& actor : actors_)
    if (!actor->model().mechanism.isTree()) {  // dependent joints follow
      actor->forgetGaps();
      actor->load(0);
      actor->tree().getGvel(gvel_);
    }
  hasMatrices_ = hasAdmittance_ = false;
  showJoints();
}

/// Whether the World still has the objects of the actors.
void Simulation::requireObjects() const {
  for (const auto& actor : actors_) {
    bool isThere = false;
    for (int i = 0; i < world_.objectCount() && !isThere; ++i)
      isThere = actor->standsFor(*world_.getObject(i));
    ESPALIER_REQUIRE(isThere, "'" + actor->name() +
                                  "' was removed from the World after this Simulation was made; "
                                  "make a new Simulation");
  }
}

void Simulation::init() {
  abandonStep();
  requireObjects();
  buildLinks();
  takeJoints();
  load(0);
  showJoints();
  for (const auto& c : controllers_) c->init(*this);
  for (const auto& c : constraints_) c->init(*this);
  solver_.init(constraints_, ndof());
  Za_.resize(0, 0);
  dt_ = 0;
  isReady_ = true;
}

void Simulation::abandonStep() {
  stage_ = Stage::NONE;
  if (!isBegun_) return;
  isBegun_ = false;
  requireObjects();
  for (const auto& actor : actors_) actor->release();
  if (world_.getWorldTime() != before_.time) return;  // integrate2() was called on the World itself
  world_.integrate2();
  world_.setState(before_);
}

/// Checks that the moving objects exist, and that a stage which lasts dt comes after this one.
void Simulation::requireStage(Stage stage, double dt) const {
  requireObjects();
  ESPALIER_REQUIRE(isReady_ && stage_ >= stage,
                   stage == Stage::DYNAMIC
                       ? "updateDynamic() comes first, and again after something was added"
                       : "updateControllers() comes first, in every step");
  ESPALIER_REQUIRE(dt > 0 && std::isfinite(dt),
                   "a step lasts longer than nothing, and not for ever");
}

void Simulation::computeMatrices() const {
  if (hasMatrices_) return;
  requireObjects();
  for (auto* matrix : {&M_, &N_, &B_}) matrix->setZero(ndof(), ndof());
  for (const auto& actor : actors_) {
    ESPALIER_REQUIRE(actor->model().rotors.empty(),
                     "robot '" + actor->name() +
                         "' has geared rotors that are no bodies, which these matrices leave out: "
                         "ask ArticulatedSystem::getMassMatrix(), or set "
                         "SystemSpec::rotorsAsBodies");
    addInertia(actor->tree(), actor->parameters(), M_, N_);
    actor->addDamping(B_);
  }
  for (const Body& body : bodies_) {
    if (!body.isViscous()) continue;
    const Matrix6X J = body.jacobian();
    B_.noalias() += J.transpose() * body.viscosity() * J;
  }
  hasMatrices_ = true;
}

void Simulation::computeAdmittance() const {
  ESPALIER_REQUIRE(dt_ > 0, "Z and Y are those of a step; updateControllers(dt) comes first");
  if (hasAdmittance_) return;
  computeMatrices();
  Z_ = M_ / dt_ + B_ + N_;
  if (Za_.size() > 0) Z_ -= Za_;
  lu_.compute(Z_);
  Y_ = lu_.inverse();
  hasAdmittance_ = true;
}

void Simulation::updateDynamic() {
  isReady_ ? abandonStep() : init();
  requireObjects();
  takeJoints();
  if (stepping_ == Stepping::WORLD) {
    before_ = world_.getState();
    if (!controllers_.empty())
      for (const auto& actor : actors_) actor->announce();
    try {
      world_.integrate1();
    } catch (...) {
      for (const auto& actor : actors_) actor->release();
      throw;
    }
    isBegun_ = true;
    stage_ = Stage::DYNAMIC;
    load(evaluationOffsetOf(world_.getIntegrationScheme(), world_.getTimeStep()));
    showJoints();
    return;
  }
  load(0);
  showJoints();
  computeMatrices();
  stage_ = Stage::DYNAMIC;
}

void Simulation::updateControllers(double dt, double t) {
  requireStage(Stage::DYNAMIC, dt);
  dt_ = dt;
  hasAdmittance_ = false;
  try {
    askControllers(dt, t);
  } catch (...) {
    abandonStep();
    throw;
  }
  if (stepping_ == Stepping::ARBORIS) computeAdmittance();
  stage_ = Stage::CONTROLLERS;
}

void Simulation::askControllers(double dt, double t) {
  gforce_.setZero();
  if (!controllers_.empty()) Za_.setZero(ndof(), ndof());
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    controllers_[i]->update(dt, t, gforce_, Za_);
    const Eigen::Index n = ndof(), pushes = gforce_.size(), rows = Za_.rows(), columns = Za_.cols();
    if (pushes == n && rows == n && columns == n) continue;
    gforce_.setZero(n);
    Za_.setZero(n, n);
    ESPALIER_REQUIRE(false, "controller " + std::to_string(i) + " left gforce0 of " +
                                std::to_string(pushes) + " and Z of " + std::to_string(rows) +
                                " x " + std::to_string(columns) + " numbers; there are " +
                                std::to_string(n) + " dofs");
  }
}

void Simulation::updateConstraints(double dt) {
  requireStage(Stage::CONTROLLERS, dt);
  if (constraints_.empty()) return;
  impetus_.noalias() = M_ * gvel_;
  impetus_ = impetus_ / dt + gforce_;
  solver_.solve(constraints_, Y_, impetus_, dt, sweeps_, gforce_);
}

void Simulation::integrate(double dt) {
  requireStage(Stage::CONTROLLERS, dt);
  stage_ = Stage::NONE;
  if (stepping_ == Stepping::WORLD) return integrateWorld(dt);
  impetus_.noalias() = M_ * gvel_;
  impetus_ = impetus_ / dt + gforce_;
  gvel_.noalias() = Y_ * impetus_;
  for (const auto& actor : actors_) actor->tree().integrate(dt, gvel_);
  store();
  showJoints();
  world_.setWorldTime(currentTime() + dt);
}

void Simulation::integrateWorld(double dt) {
  world_.setTimeStep(dt);
  if (!controllers_.empty())
    for (const auto& actor : actors_) actor->push(gforce_, Za_, gvel_);
  isBegun_ = false;
  try {
    world_.integrate2();
  } catch (...) {
    for (const auto& actor : actors_) actor->release();
    throw;
  }
  for (const auto& actor : actors_) actor->release();
  for (const auto& actor : actors_) {
    actor->load(0);
    actor->tree().getGvel(gvel_);
  }
  showJoints();
}

}  // namespace espalier::sim
