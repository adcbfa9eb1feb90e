#include "espalier/simulate/simulation.h"

#include "espalier/core/check.h"
#include "espalier/simulate/mechanism.h"

namespace espalier::sim {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Simulation::Simulation(World& world, Stepping stepping) : world_(world), stepping_(stepping) {
  ground_ = std::make_unique<Body>(*this, "ground", nullptr, 0, identityTransform<double>());
  int n = 0;
  const auto take = [&](auto& object) {
    addActor(std::make_unique<Actor>(object, n));
    n += actors_.back()->model().nv();
  };
  for (int i = 0; i < world.systemCount(); ++i) take(*world.system(i));
  for (int i = 0; i < world.objectCount(); ++i) {
    Object* object = world.getObject(i);
    if (object->getObjectType() == ObjectType::ARTICULATED_SYSTEM) continue;
    if (object->getBodyType() == BodyType::DYNAMIC) take(static_cast<SingleBodyObject&>(*object));
  }
  for (auto* vector : {&gforce_, &gvel_, &impetus_}) vector->setZero(n);
  load(0);
}

Simulation::~Simulation() = default;

void Simulation::addActor(std::unique_ptr<Actor> actor) {
  const Model& model = actor->model();
  const Tree& tree = actor->tree();
  for (const FrameInfo& link : model.links)
    bodies_.emplace_back(*this, link.name, &tree, link.body, link.X_CF);
  joints_.resize(joints_.size() + at(model.nv()));
  for (int b = 0; b < model.nb(); ++b) {
    const BodyTopology& joint = model.topology.bodies[at(b)];
    const BodyInfo& body = model.bodies[at(b)];
    for (int k = 0; k < joint.nv; ++k) {
      const int dof = model.publicDof[at(joint.u + k)];
      joints_[at(tree.firstDof() + dof)] = {b == 0 ? body.name : body.joint, &tree,
                                            tree.coordinateOf(dof)};
    }
  }
  actors_.push_back(std::move(actor));
}

void Simulation::keep(std::unique_ptr<Controller> controller) {
  controllers_.push_back(std::move(controller));
  isReady_ = false;
}
void Simulation::keep(std::unique_ptr<Constraint> constraint) {
  ESPALIER_REQUIRE(stepping_ == Stepping::ARBORIS,
                   "a step of the World has the World's own contacts, limits and welds; "
                   "constraints are for Stepping::ARBORIS");
  constraints_.push_back(std::move(constraint));
  isReady_ = false;
}
void Simulation::keep(std::unique_ptr<Frame> frame) { frames_.push_back(std::move(frame)); }

Body& Simulation::body(const std::string& name) {
  Body* found = nullptr;
  std::size_t i = 0;
  for (const auto& actor : actors_)
    for (const FrameInfo& link : actor->model().links) {
      Body& candidate = bodies_[i++];
      if (actor->model().name + "/" + link.name == name) return candidate;
      if (link.name != name) continue;
      ESPALIER_REQUIRE(!found, "two systems have a link '" + name + "'; say which: system/link");
      found = &candidate;
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
  const JointDof& joint = joints_[at(dof)];
  return joint.tree->coordinate(joint.coordinate);
}

Vec3d Simulation::gravityOfStep() const {
  return stepping_ == Stepping::WORLD ? world_.getGravity() : Vec3d{0, 0, 0};
}

double Simulation::lookAhead(double dt) const {
  if (stepping_ == Stepping::ARBORIS) return dt;
  switch (world_.getIntegrationScheme()) {
    case Scheme::MIDPOINT:
    case Scheme::TRAPEZOID: return dt / 2;
    case Scheme::SEMI_IMPLICIT:
    case Scheme::EULER: return dt;
    case Scheme::RUNGE_KUTTA_4: return 0;
  }
  return 0;
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
  load(0);
  gvel_ = gvel;
  for (const auto& actor : actors_) actor->tree().setGvel(gvel);
  store();
}

void Simulation::init() {
  load(0);
  for (const auto& c : controllers_) c->init(*this);
  for (const auto& c : constraints_) c->init(*this);
  solver_.init(constraints_, ndof());
  isReady_ = true;
}

void Simulation::computeMatrices() const {
  if (hasMatrices_) return;
  for (auto* matrix : {&M_, &N_, &B_}) matrix->setZero(ndof(), ndof());
  for (const auto& actor : actors_) {
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
  if (hasAdmittance_) return;
  computeMatrices();
  Z_ = M_ / dt_ + B_ + N_;
  if (Za_.size() > 0) Z_ -= Za_;
  lu_.compute(Z_);
  Y_ = lu_.inverse();
  hasAdmittance_ = true;
}

void Simulation::updateDynamic() {
  if (!isReady_) init();
  if (stepping_ == Stepping::WORLD) {
    if (!controllers_.empty())
      for (const auto& actor : actors_) actor->announce();
    world_.integrate1();
    load(leadOf(world_.getIntegrationScheme(), world_.getTimeStep()));
    return;
  }
  load(0);
  computeMatrices();
}

void Simulation::updateControllers(double dt) {
  ESPALIER_REQUIRE(dt > 0, "a step lasts longer than nothing");
  dt_ = dt;
  hasAdmittance_ = false;
  gforce_.setZero();
  if (!controllers_.empty()) Za_.setZero(ndof(), ndof());
  for (const auto& c : controllers_) c->update(dt, currentTime(), gforce_, Za_);
  if (stepping_ == Stepping::ARBORIS) computeAdmittance();
}

void Simulation::updateConstraints(double dt) {
  if (constraints_.empty()) return;
  impetus_.noalias() = M_ * gvel_;
  impetus_ = impetus_ / dt + gforce_;
  solver_.solve(constraints_, Y_, impetus_, dt, sweeps_, gforce_);
}

void Simulation::integrate(double dt) {
  if (stepping_ == Stepping::WORLD) return integrateWorld(dt);
  impetus_.noalias() = M_ * gvel_;
  impetus_ = impetus_ / dt + gforce_;
  gvel_.noalias() = Y_ * impetus_;
  for (const auto& actor : actors_) actor->tree().integrate(dt, gvel_);
  store();
  world_.setWorldTime(currentTime() + dt);
}

void Simulation::integrateWorld(double dt) {
  world_.setTimeStep(dt);
  if (!controllers_.empty())
    for (const auto& actor : actors_) actor->push(gforce_, Za_, gvel_);
  world_.integrate2();
  for (const auto& actor : actors_) actor->release();
  for (const auto& actor : actors_) {
    actor->load(0);
    actor->tree().getGvel(gvel_);
  }
}

}  // namespace espalier::sim
