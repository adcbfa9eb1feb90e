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
  for (int i = 0; i < world.systemCount(); ++i) {
    const Model& model = world.system(i)->model();
    const Tree* tree = trees_.emplace_back(std::make_unique<Tree>(model, n)).get();
    for (const FrameInfo& link : model.links)
      bodies_.emplace_back(*this, link.name, tree, link.body, link.X_CF);
    joints_.resize(at(n + model.nv()));
    for (int b = 0; b < model.nb(); ++b) {
      const BodyTopology& joint = model.topology.bodies[at(b)];
      const BodyInfo& body = model.bodies[at(b)];
      for (int k = 0; k < joint.nv; ++k) {
        const int dof = model.publicDof[at(joint.u + k)];
        joints_[at(n + dof)] = {b == 0 ? body.name : body.joint, tree, tree->coordinateOf(dof),
                                b == 0 ? 0 : body.dynamics.damping};
      }
    }
    n += model.nv();
  }
  for (auto* matrix : {&M_, &B_, &N_, &Z_, &Y_, &Za_}) matrix->setZero(n, n);
  for (auto* vector : {&gforce_, &gvel_, &impetus_}) vector->setZero(n);
  lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(n);
}

Simulation::~Simulation() = default;

void Simulation::keep(std::unique_ptr<Controller> controller) {
  controllers_.push_back(std::move(controller));
  isReady_ = false;
}
void Simulation::keep(std::unique_ptr<Constraint> constraint) {
  ESPALIER_REQUIRE(stepping_ == Stepping::ARBORIS,
                   "a step of the World has the World's own contacts and limits; constraints are "
                   "for Stepping::ARBORIS");
  constraints_.push_back(std::move(constraint));
  isReady_ = false;
}
void Simulation::keep(std::unique_ptr<Frame> frame) { frames_.push_back(std::move(frame)); }

Body& Simulation::body(const std::string& name) {
  Body* found = nullptr;
  std::size_t i = 0;
  for (const auto& tree : trees_)
    for (const FrameInfo& link : tree->model().links) {
      Body& candidate = bodies_[i++];
      if (tree->model().name + "/" + link.name == name) return candidate;
      if (link.name != name) continue;
      ESPALIER_REQUIRE(!found, "two systems have a link '" + name + "'; say which: system/link");
      found = &candidate;
    }
  ESPALIER_REQUIRE(found, "there is no link '" + name + "'");
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

void Simulation::load() {
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    world_.system(static_cast<int>(i))->getState(q_, u_);
    trees_[i]->set(trees_[i]->model().lowered, q_, u_);
    trees_[i]->getGvel(gvel_);
  }
}

void Simulation::store() {
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    trees_[i]->get(q_, u_);
    world_.system(static_cast<int>(i))->setState(q_, u_);
  }
}

void Simulation::setCurrentTime(double time) {
  state_ = world_.getState();
  state_.time = time;
  world_.setState(state_);
}

void Simulation::setGvel(const Eigen::VectorXd& gvel) {
  ESPALIER_REQUIRE(gvel.size() == ndof() && gvel.allFinite(),
                   "gvel has " + std::to_string(ndof()) + " finite numbers");
  load();
  gvel_ = gvel;
  for (const auto& tree : trees_) tree->setGvel(gvel);
  store();
}

void Simulation::init() {
  ESPALIER_REQUIRE(world_.systemCount() == static_cast<int>(trees_.size()),
                   "the world got another system; make the Simulation afterwards");
  load();
  for (const auto& c : controllers_) c->init(*this);
  for (const auto& c : constraints_) c->init(*this);
  solver_.init(constraints_, ndof());
  isReady_ = true;
}

void Simulation::addViscosity() {
  for (int d = 0; d < ndof(); ++d) B_(d, d) += joints_[at(d)].damping;
  for (const Body& body : bodies_) {
    if (!body.isViscous()) continue;
    const Matrix6X J = body.jacobian();
    B_ += J.transpose() * body.viscosity() * J;
  }
}

void Simulation::updateDynamic() {
  if (!isReady_) init();
  if (stepping_ == Stepping::WORLD) world_.integrate1();
  load();
  M_.setZero();
  N_.setZero();
  B_.setZero();
  for (const auto& tree : trees_) addInertia(*tree, tree->model().lowered, M_, N_);
  addViscosity();
}

void Simulation::updateControllers(double dt) {
  ESPALIER_REQUIRE(dt > 0, "a step lasts longer than nothing");
  gforce_.setZero();
  Za_.setZero();
  for (const auto& c : controllers_) c->update(dt, currentTime(), gforce_, Za_);
  Z_ = M_ / dt + B_ + N_ - Za_;
  lu_.compute(Z_);
  Y_ = lu_.inverse();
}

void Simulation::updateConstraints(double dt) {
  if (constraints_.empty()) return;
  impetus_.noalias() = M_ * gvel_;
  impetus_ = impetus_ / dt + gforce_;
  solver_.solve(constraints_, Y_, impetus_, dt, sweeps_, gforce_);
}

void Simulation::integrate(double dt) {
  impetus_.noalias() = M_ * gvel_;
  impetus_ = impetus_ / dt + gforce_;
  gvel_.noalias() = Y_ * impetus_;
  for (const auto& tree : trees_) tree->integrate(dt, gvel_);
  store();
  setCurrentTime(currentTime() + dt);
}

}  // namespace espalier::sim
