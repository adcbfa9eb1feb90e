// A scene as `espalier sim` sets it up: an MJCF scene as it is, a robot on the ground.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "apps/cli/simulation.h"
#include "bench/robots/scene.h"

namespace bench {
namespace {

using namespace espalier;
using nlohmann::json;

Scheme schemeOf(const std::string& name) {
  for (const SchemeInfo& known : schemes)
    if (known.name == name) return known.scheme;
  throw std::invalid_argument("no scheme '" + name + "'");
}

class EspalierScene final : public RobotScene {
 public:
  explicit EspalierScene(const json& known) {
    cli::SimulationOptions options;
    options.files = {known.at("file").get<std::string>()};
    options.robot.urdf.searchPaths = known.value("search", std::vector<std::string>{});
    if (known.contains("dt")) options.dt = known["dt"].get<double>();
    if (known.contains("scheme")) options.scheme = schemeOf(known["scheme"].get<std::string>());
    simulation_ = cli::setUp(options);
    if (simulation_.diagnostics.hasErrors())
      throw std::invalid_argument(simulation_.diagnostics.toString());
    world().setEnergyMonitoring(false);  // it costs a pass of kinematics in each step
    world().setContactSolverParam(known.at("tolerance").get<double>(), ContactSettings{}.maxSweeps);
    if (known.contains("friction"))
      world().setDefaultMaterial(known["friction"].get<double>(), 0, 0.01);
    place(known.value("start", json::object()));
    if (known.contains("servos")) drive(known["servos"]);
    start_ = world().saveCheckpoint();
  }

  void reset() override { world().restoreCheckpoint(start_); }
  void step() override { world().integrate(); }

  StepFacts facts() const override {
    const StepReport& report = simulation_.world->report();
    return {report.activeContacts, report.penetration,        report.residual,
            report.iterations,     report.flags != 0 ? 1 : 0, report.closure};
  }
  std::string flags() const override {
    std::string names;
    for (const StepFlagInfo& info : step_flags)
      if (simulation_.world->report().has(info.flag))
        names += (names.empty() ? "" : ", ") + std::string(info.name);
    return names;
  }
  bool isFinite() const override {
    const auto areNumbers = [](std::span<const double> all) {
      return std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
    };
    return areNumbers(simulation_.world->coordinates()) &&
           areNumbers(simulation_.world->velocities());
  }

  json describe() const override {
    json joints = json::object(), bases = json::object(), servos = json::array(),
         apart = json::array();
    for (const cli::Participant& robot : simulation_.robots) {
      const Model& model = robot.system->model();
      const VecDyn q = robot.system->getSpanningCoordinate();
      Eigen::VectorXd kp, kd;
      robot.system->getPdGains(kp, kd);
      for (int b = 0; b < model.nb(); ++b) {
        const auto [at, count] = coordinatesOf(model, b);
        if (count == 0) continue;
        std::vector<double> own(count);
        for (std::size_t k = 0; k < count; ++k) own[k] = q[static_cast<Eigen::Index>(at + k)];
        const BodyInfo& info = model.bodies[b];
        (isBase(model, b) ? bases[info.name] : joints[info.joint]) = own;
        const auto& body = model.topology.bodies[b];
        const int dof = model.publicDof[body.u];
        if (!isBase(model, b) && dof >= 0)
          servos.push_back({{"joint", info.joint}, {"kp", kp[dof]}, {"kd", kd[dof]}});
      }
      for (const auto& [a, b, reason] : model.ignoredBodyPairs)
        apart.push_back({model.bodies[a].name, model.bodies[b].name});
    }
    std::vector<std::string> warnings;
    for (const Diagnostic& d : simulation_.diagnostics.all())
      if (d.severity == Severity::Warning) warnings.push_back(d.what);
    return {{"dt", simulation_.world->getTimeStep()},
            {"start", {{"joints", joints}, {"bases", bases}}},
            {"servos", servos},
            {"apart", apart},
            {"warnings", warnings}};
  }
  std::vector<std::string> unknownNames() const override {
    return {unknown_.begin(), unknown_.end()};
  }

 private:
  struct Range {
    std::size_t first, count;
  };

  World& world() { return *simulation_.world; }

  static bool isBase(const Model& model, int b) {
    return model.topology.bodies[b].kind == JointKind::Floating;
  }
  /// Of the joint that carries body b, among the spanning coordinates.
  static Range coordinatesOf(const Model& model, int b) {
    const auto& body = model.topology.bodies[b];
    const auto count = static_cast<std::size_t>(info(body.kind).nq);
    if (count == 0) return {0, 0};
    return {static_cast<std::size_t>(model.spanningCoordinate[body.q]), count};
  }
  /// Calls back with the robot and body of a joint, where there is one.
  template <class Use>
  void forJoint(const std::string& name, Use use) {
    for (const cli::Participant& robot : simulation_.robots)
      if (const int b = robot.system->model().joint(name); b >= 0) return use(*robot.system, b);
    unknown_.insert(name);
  }

  void place(const json& start) {
    std::map<ArticulatedSystem*, Eigen::VectorXd> all;
    const auto write = [&](ArticulatedSystem& system, int b, const std::vector<double>& own) {
      const auto [at, count] = coordinatesOf(system.model(), b);
      if (own.size() != count) throw std::invalid_argument("a joint has other coordinates");
      Eigen::VectorXd& q = all.try_emplace(&system, system.getSpanningCoordinate()).first->second;
      for (std::size_t k = 0; k < count; ++k) q[static_cast<Eigen::Index>(at + k)] = own[k];
    };
    const json joints = start.value("joints", json::object());
    for (const auto& [name, own] : joints.items())
      forJoint(name, [&, &own = own](ArticulatedSystem& system, int b) {
        write(system, b, own.get<std::vector<double>>());
      });
    const json bases = start.value("bases", json::object());
    for (const auto& [name, own] : bases.items())
      placeBase(name, own.get<std::vector<double>>(), write);
    for (const auto& [system, q] : all) {
      system->setSpanningCoordinate(q);
      system->setGeneralizedVelocity(Eigen::VectorXd::Zero(system->getDOF()));
    }
  }

  template <class Write>
  void placeBase(const std::string& name, const std::vector<double>& own, Write write) {
    for (const cli::Participant& robot : simulation_.robots) {
      const Model& model = robot.system->model();
      if (const int b = model.body(name); b >= 0 && isBase(model, b))
        return write(*robot.system, b, own);
    }
    auto* body = dynamic_cast<SingleBodyObject*>(world().getObject(name));
    if (body == nullptr) {
      unknown_.insert(name);
      return;
    }
    body->setPosition(own[0], own[1], own[2]);
    body->setOrientation(Vec<4>(own[3], own[4], own[5], own[6]));
  }

  /// Servos on all dofs of the joints named, which want them at `target` (a hinge or slide) or at
  /// the start; without servos every joint is limp.
  void drive(const json& servos) {
    struct Gains {
      Eigen::VectorXd kp, kd, q, u;
    };
    std::map<ArticulatedSystem*, Gains> all;
    for (const cli::Participant& robot : simulation_.robots) {
      const Eigen::VectorXd zero = Eigen::VectorXd::Zero(robot.system->getSpanningDOF());
      all[robot.system] = {zero, zero, robot.system->getSpanningCoordinate(), zero};
    }
    for (const json& servo : servos)
      forJoint(servo.at("joint").get<std::string>(), [&](ArticulatedSystem& system, int b) {
        const Model& model = system.model();
        const auto& body = model.topology.bodies[b];
        Gains& gains = all[&system];
        for (int k = 0; k < info(body.kind).nv; ++k) {
          const int dof = model.spanningDof[body.u + k];
          gains.kp[dof] = servo.at("kp").get<double>();
          gains.kd[dof] = servo.at("kd").get<double>();
        }
        if (servo.contains("target"))
          gains.q[static_cast<Eigen::Index>(coordinatesOf(model, b).first)] =
              servo["target"].get<double>();
      });
    for (const auto& [system, gains] : all) {
      system->setSpanningPdGains(gains.kp, gains.kd);
      system->setSpanningPdTarget(gains.q, gains.u);
    }
  }

  cli::Simulation simulation_;
  std::vector<std::byte> start_;
  std::set<std::string> unknown_;
};

}  // namespace

std::unique_ptr<RobotScene> makeRobotScene(const json& known) {
  return std::make_unique<EspalierScene>(known);
}

}  // namespace bench
