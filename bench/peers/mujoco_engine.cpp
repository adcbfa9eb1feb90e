// MuJoCo as an Engine, linked with the library of its PyPI wheel. Schemes: Euler, RK4,
// implicitfast; with " elliptic" behind, its friction cones are round instead of pyramids. All else
// is as MuJoCo has it by default.
//
// MuJoCo combines two materials' frictions by their maximum, so materials get frictions whose maxima
// are the scene's pairs, or, where there are none such, larger. It knows no restitution: for
// restitution 1 its contacts are undamped springs.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/engine/engine.h"

namespace bench {
namespace {

using Spec = std::unique_ptr<mjSpec, decltype(&mj_deleteSpec)>;
using Model = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using Data = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

constexpr double springStiffness = 1e5;  // 1/s^2, for restitution 1

/// See the head of this file: each starts with the least of its pairs' frictions.
std::map<std::string, double> frictionsOfMaterials(const Scene& scene) {
  std::map<std::string, double> least;
  for (const Friction& f : scene.frictions)
    for (const std::string& name : {f.first, f.second}) {
      const auto [at, isNew] = least.emplace(name, f.value);
      if (!isNew) at->second = std::min(at->second, f.value);
    }
  for (const Friction& f : scene.frictions) {
    // The pair's value must be one of the two; raise the one that has room for it.
    double &a = least[f.first], &b = least[f.second];
    if (std::max(a, b) < f.value) (a >= b ? a : b) = f.value;
  }
  return least;
}

void setScheme(mjOption& option, const std::string& scheme) {
  const std::string integrator = scheme.substr(0, scheme.find(' '));
  const std::string cone = scheme.substr(integrator.size());
  const std::map<std::string, mjtIntegrator> integrators{
      {"Euler", mjINT_EULER}, {"RK4", mjINT_RK4}, {"implicitfast", mjINT_IMPLICITFAST}};
  if (integrators.count(integrator) == 0 || (!cone.empty() && cone != " elliptic"))
    throw std::invalid_argument("MuJoCo has no scheme '" + scheme + "'");
  option.integrator = integrators.at(integrator);
  if (!cone.empty()) option.cone = mjCONE_ELLIPTIC;
}

class Builder {
 public:
  Builder(const Scene& scene, const std::string& scheme)
      : scene_(scene),
        frictions_(frictionsOfMaterials(scene)),
        spec_(mj_makeSpec(), mj_deleteSpec) {
    mjOption& option = spec_->option;
    option.timestep = scene.dt;
    setScheme(option, scheme);
    option.gravity[2] = -scene.gravity;
    if (scene.iterations) option.iterations = *scene.iterations;
    spec_->compiler.degree = 0;
    addGround();
    for (std::size_t i = 0; i < scene.solids.size(); ++i) addSolid(scene.solids[i], i);
    for (std::size_t i = 0; i < scene.robots.size(); ++i) addRobot(scene.robots[i], i);
  }

  Model compile() {
    mjModel* model = mj_compile(spec_.get(), nullptr);
    if (model == nullptr) throw std::runtime_error(mjs_getError(spec_.get()));
    return {model, mj_deleteModel};
  }

 private:
  mjsBody* world() { return mjs_findBody(spec_.get(), "world"); }

  void giveMaterial(mjsGeom* geom, const std::string& material) {
    const auto known = frictions_.find(material);
    geom->friction[0] = known != frictions_.end() ? known->second : scene_.friction;
    geom->condim = geom->friction[0] > 0 ? 3 : 1;
    if (scene_.restitution > 0) {
      geom->solref[0] = -springStiffness;
      geom->solref[1] = 0;
    }
  }

  void addGround() {
    if (!scene_.hasGround) return;
    mjsGeom* geom = mjs_addGeom(world(), nullptr);
    giveMaterial(geom, "ground");
    if (!scene_.terrain) {
      geom->type = mjGEOM_PLANE;
      geom->size[2] = 1;
      return;
    }
    const Terrain& terrain = *scene_.terrain;
    const auto [low, high] = std::minmax_element(terrain.heights.begin(), terrain.heights.end());
    std::vector<float> heights;  // of 0 to 1, as MuJoCo wants them
    for (const double h : terrain.heights)
      heights.push_back(static_cast<float>((h - *low) / (*high - *low)));
    mjsHField* field = mjs_addHField(spec_.get());
    mjs_setName(field->element, "terrain");
    field->nrow = terrain.ySamples;
    field->ncol = terrain.xSamples;
    const double size[4] = {terrain.xSize / 2, terrain.ySize / 2, *high - *low, 1};
    std::copy_n(size, 4, field->size);
    mjs_setFloat(field->userdata, heights.data(), static_cast<int>(heights.size()));
    geom->type = mjGEOM_HFIELD;
    geom->pos[2] = *low;
    mjs_setString(geom->hfieldname, "terrain");
  }

  void addSolid(const Solid& solid, std::size_t index) {
    mjsBody* body = mjs_addBody(world(), nullptr);
    mjs_setName(body->element, ("solid " + std::to_string(index)).c_str());
    std::copy_n(solid.position.data(), 3, body->pos);
    if (solid.mass > 0) mjs_addFreeJoint(body);
    mjsGeom* geom = mjs_addGeom(body, nullptr);
    const bool isBall = solid.kind == Solid::Kind::Ball;
    geom->type = isBall ? mjGEOM_SPHERE : mjGEOM_BOX;
    for (std::size_t i = 0; i < 3; ++i) geom->size[i] = isBall ? solid.size[i] : solid.size[i] / 2;
    geom->mass = solid.mass;
    giveMaterial(geom, solid.material);
  }

  void addRobot(const Robot& robot, std::size_t index) {
    char error[1000] = "";
    Spec child(mj_parseXML(robot.file.c_str(), nullptr, error, sizeof error), mj_deleteSpec);
    if (!child) throw std::runtime_error(error);
    for (mjsElement* e = mjs_firstElement(child.get(), mjOBJ_GEOM); e;
         e = mjs_nextElement(child.get(), e)) {
      mjsGeom* geom = mjs_asGeom(e);
      giveMaterial(geom, "robot");
      if (!robot.collides) geom->contype = geom->conaffinity = 0;
    }
    mjs_setDeepCopy(spec_.get(), 1);
    mjsFrame* frame = mjs_addFrame(world(), nullptr);
    const std::string prefix = "robot " + std::to_string(index) + " ";
    mjsBody* base = mjs_asBody(mjs_firstChild(mjs_findBody(child.get(), "world"), mjOBJ_BODY, 0));
    if (base == nullptr || mjs_attach(frame->element, base->element, prefix.c_str(), "") == nullptr)
      throw std::runtime_error(robot.file + ": " + mjs_getError(spec_.get()));
  }

  const Scene& scene_;
  std::map<std::string, double> frictions_;
  Spec spec_;
};

class MujocoEngine final : public Engine {
 public:
  MujocoEngine(const Scene& scene, const std::string& scheme)
      : scene_(scene),
        m_(Builder(scene, scheme).compile()),
        d_(mj_makeData(m_.get()), mj_deleteData) {
    for (std::size_t i = 0; i < scene.solids.size(); ++i) {
      const int body = mj_name2id(m_.get(), mjOBJ_BODY, ("solid " + std::to_string(i)).c_str());
      solids_.push_back({body, m_->body_dofadr[body]});
      if (solids_.back().dof >= 0)
        std::copy_n(scene.solids[i].velocity.data(), 3, d_->qvel + solids_.back().dof);
    }
    for (std::size_t i = 0; i < scene.robots.size(); ++i) placeRobot(scene.robots[i], i);
    mj_forward(m_.get(), d_.get());
  }

  void step() override {
    mj_step(m_.get(), d_.get());
    for (const int dof : pushed_) std::fill_n(d_->qfrc_applied + dof, 3, 0.0);
    pushed_.clear();
  }

  void forwardDynamics(int) override {
    const int flags = m_->opt.disableflags;
    m_->opt.disableflags |= mjDSBL_CONTACT;
    mj_forward(m_.get(), d_.get());
    m_->opt.disableflags = flags;
  }

  StepFacts facts() const override {
    StepFacts facts;
    facts.contacts = d_->ncon;
    for (int i = 0; i < d_->ncon; ++i) facts.depth = std::max(facts.depth, -d_->contact[i].dist);
    facts.iterations = d_->nisland > 0 ? d_->solver_niter[0] : 0;
    if (m_->neq > 0) facts.closure = 0;
    for (int i = 0; i < d_->nefc; ++i)
      if (d_->efc_type[i] == mjCNSTR_EQUALITY)
        facts.closure = std::max(facts.closure, std::abs(d_->efc_pos[i]));
    return facts;
  }

  // A free body's coordinates are the world's; those of its geometry are one step old.
  Vec3 position(int solid) const override {
    const auto [body, dof] = solids_[solid];
    const double* p = dof < 0 ? m_->body_pos + 3 * body : d_->qpos + qOf(body);
    return {p[0], p[1], p[2]};
  }
  Quaternion orientation(int solid) const override {
    const auto [body, dof] = solids_[solid];
    const double* q = dof < 0 ? m_->body_quat + 4 * body : d_->qpos + qOf(body) + 3;
    return {q[0], q[1], q[2], q[3]};
  }
  Vec3 velocity(int solid) const override {
    const int dof = solids_[solid].dof;
    if (dof < 0) return {};
    return {d_->qvel[dof], d_->qvel[dof + 1], d_->qvel[dof + 2]};
  }
  Vec3 spin(int solid) const override {
    const int dof = solids_[solid].dof;
    if (dof < 0) return {};
    Vec3 w{};
    mju_rotVecQuat(w.data(), d_->qvel + dof + 3, orientation(solid).data());
    return w;
  }
  void push(int solid, const Vec3& force) override { pushDof(solids_[solid].dof, force); }

  Place joint(int robot, const std::string& name) const override {
    const int id = mj_name2id(m_.get(), mjOBJ_JOINT, (prefix(robot) + name).c_str());
    if (id < 0) throw std::invalid_argument("MuJoCo's robot has no joint '" + name + "'");
    const RobotPlace& at = robots_[robot];
    return {m_->jnt_qposadr[id] - at.q, m_->jnt_dofadr[id] - at.dof};
  }
  RobotState state(int robot) override {
    const RobotPlace& at = robots_[robot];
    return {d_->qpos + at.q, d_->qvel + at.dof, d_->qfrc_applied + at.dof};
  }
  void applyTorque(int) override {}  // it was written where MuJoCo reads it
  void pushBase(int robot, const Vec3& force) override { pushDof(robots_[robot].dof, force); }
  std::vector<Vec3> feet(int robot) const override {
    std::vector<Vec3> found;
    const int root = robots_[robot].body;
    for (int g = 0; g < m_->ngeom; ++g)
      if (m_->geom_type[g] == mjGEOM_SPHERE && m_->body_rootid[m_->geom_bodyid[g]] == root)
        found.push_back({d_->geom_xpos[3 * g], d_->geom_xpos[3 * g + 1], d_->geom_xpos[3 * g + 2]});
    return found;
  }
  double mass(int robot) const override { return m_->body_subtreemass[robots_[robot].body]; }
  double energy(int) override {
    if (scene_.robots.size() != 1 || !scene_.solids.empty())
      throw std::logic_error("MuJoCo gives the energy of the whole world only");
    mj_fwdPosition(m_.get(), d_.get());
    mj_energyPos(m_.get(), d_.get());
    mj_energyVel(m_.get(), d_.get());
    return d_->energy[0] + d_->energy[1];
  }
  Vec3 momentum(int robot) override {
    const int body = robots_[robot].body;
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_comVel(m_.get(), d_.get());
    mj_subtreeVel(m_.get(), d_.get());
    const double* v = d_->subtree_linvel + 3 * body;
    const double M = m_->body_subtreemass[body];
    return {M * v[0], M * v[1], M * v[2]};
  }

 private:
  struct SolidPlace {
    int body, dof;  // dof < 0: it never moves
  };
  struct RobotPlace {
    int body, q, dof;
  };

  static std::string prefix(int robot) { return "robot " + std::to_string(robot) + " "; }
  int qOf(int body) const { return m_->jnt_qposadr[m_->body_jntadr[body]]; }

  void placeRobot(const Robot& robot, std::size_t index) {
    const std::string prefix = this->prefix(static_cast<int>(index));
    int body = 1;  // the first whose name begins with the prefix
    while (body < m_->nbody &&
           std::string(m_->names + m_->name_bodyadr[body]).rfind(prefix, 0) != 0)
      ++body;
    if (body == m_->nbody) throw std::logic_error("no body of " + robot.file);
    const int q = qOf(body);
    robots_.push_back({body, q, m_->body_dofadr[body]});
    std::copy_n(robot.position.data(), 3, d_->qpos + q);
    for (const Angle& angle : robot.angles)
      d_->qpos[q + joint(static_cast<int>(index), angle.joint).q] = angle.value;
  }

  void pushDof(int dof, const Vec3& force) {
    for (std::size_t i = 0; i < 3; ++i) d_->qfrc_applied[dof + static_cast<int>(i)] += force[i];
    pushed_.push_back(dof);
  }

  const Scene& scene_;
  Model m_;
  Data d_;
  std::vector<SolidPlace> solids_;
  std::vector<RobotPlace> robots_;
  std::vector<int> pushed_;
};

}  // namespace

std::unique_ptr<Engine> makeEngine(const Scene& scene, const std::string& scheme) {
  return std::make_unique<MujocoEngine>(scene, scheme);
}

}  // namespace bench
