#include "apps/cli/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "apps/cli/closing.h"
#include "apps/cli/failure.h"
#include "apps/cli/held_dofs.h"
#include "apps/cli/hinge_states.h"
#include "apps/cli/overlaps.h"
#include "apps/cli/remarks.h"
#include "apps/cli/run_length.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/loops/change_points.h"
#include "espalier/model/loops/loop_ties.h"

namespace espalier::cli {
namespace {

/// Default gains: a robot of m kg is held by 20 m N m/rad, damped with a thirtieth of it. This
/// keeps humanoids upright; gains are implicit, so that light links do not mind.
constexpr double stiffness_per_mass = 20, damping_share = 1.0 / 30;

constexpr double default_dt = 0.001;  // s

/// Between neighbours, m.
constexpr double gap_between_robots = 0.5;

class Builder {
 public:
  Builder(const SimulationOptions& options, Simulation& result)
      : options_(options), result_(result) {}

  void build() {
    result_.world = std::make_unique<World>();
    World& world = *result_.world;
    world.setTimeStep(options_.dt.value_or(default_dt));
    setUpSteps(options_, world);
    world.addGround();
    for (const std::string& file : options_.files)
      collectErrors(file, result_.diagnostics, [&] { add(file); });
    if (!result_.diagnostics.hasErrors()) result_.remarks.append(world.diagnostics());
  }

 private:
  void add(const std::string& file) {
    Robot robot = loadRobot(file, options_.robot, Meshes::Load);
    result_.diagnostics = merged(result_.diagnostics, robot.diagnostics);
    if (!robot.isGood()) return;
    StateInput state = startOf(robot);
    if (result_.diagnostics.hasErrors()) return;
    leaveChangePoint(robot, state);
    place(robot, state);
    if (!robot.isGood()) return;
    if (!options_.keepsOverlaps) ignoreOverlaps(robot, state.q, result_.remarks);

    const Model& model = *robot.model;
    Participant p{uniqueName(model.name), file, nullptr, 0, 0};
    p.system = result_.world->addArticulatedSystem(std::make_shared<const Model>(model));
    p.system->getVisOb() = visualsOf(*robot.spec, model);
    // All joints first: the independent ones alone do not say which way a loop is bent.
    if (model.hasLoops())
      p.system->setSpanningCoordinate(vectorInOrder(state.q, model.spanningCoordinate));
    const Eigen::VectorXd q = vectorInOrder(state.q, model.publicCoordinate);
    start(*p.system, file, q, vectorInOrder(state.u, model.publicDof));
    hold(p, *robot.spec, options_, q);
    result_.robots.push_back(std::move(p));
  }

  /// A linkage at a change point is moved onto one of its two ways.
  void leaveChangePoint(const Robot& robot, StateInput& state) {
    const Model& model = *robot.model;
    std::string way;
    for (const JointShift& shift : leaveChangePoints(model, state.q))
      way += fmt::format("{}{} by {:.3g}", way.empty() ? "" : ", ",
                         printable(model.bodies[shift.body].joint), shift.by);
    if (way.empty()) return;
    result_.remarks.add(
        {Severity::Warning, robot.file, 0,
         fmt::format("robot '{}' starts at a change point, where a loop can go on in "
                     "two ways: it is moved along one of them, {}",
                     printable(model.name), way),
         "give it another start by --pose, or write one beside the file, as "
         "nominal.json: {\"q\": [...]}"});
  }

  /// errors  joints that lead shall move where they do not determine the others
  static void start(ArticulatedSystem& system, const std::string& file, const Eigen::VectorXd& q,
                    const Eigen::VectorXd& u) {
    try {
      system.setState(q, u);
    } catch (const std::invalid_argument& refusal) {
      Diagnostic d = toDiagnostic(refusal, file);
      d.remedy =
          "give espalier sim another start by --pose, or write one beside the file, as "
          "nominal.json: {\"q\": [...]}";
      throw Failure(std::move(d));
    }
  }

  StateInput startOf(const Robot& robot) {
    StateInput state = restingState(*robot.model);
    if (options_.pose.empty()) {
      state.q =
          nominalPose(robot.file, *robot.model, neutralWithinLimits(*robot.model), result_.remarks);
    } else {
      Expected<StateFile> read = readStatesOf(robot, options_.robot, options_.pose);
      result_.diagnostics = merged(result_.diagnostics, read.diagnostics());
      if (read && read->states.size() == 1) {
        state = read->states.front();
        for (const std::string& warning : state.warnings)
          result_.remarks.add({Severity::Warning, "", 0, warning, ""});
      } else if (read) {
        result_.diagnostics.add({Severity::Error, stateFileName(options_.pose), 0,
                                 "holds several states or none",
                                 "a pose is one object, {\"q\": [...]}"});
      }
    }
    return state;
  }

  /// Lifts the robot to its height and moves it aside of those before it. A welded base is lifted
  /// only out of the ground.
  void place(Robot& robot, StateInput& state) {
    disturb(*robot.model, options_.seed, state);
    const Extent extent = extentAt(*robot.model, state.q);
    if (!extent.hasCollisions)
      result_.remarks.add({Severity::Warning, robot.file, 0,
                           "the robot has no collision bodies: nothing holds it on the ground",
                           "give its links <collision> elements"});
    double aside = 0;
    if (isPlaced_) aside = edge_ + gap_between_robots - extent.left;
    edge_ = extent.right + aside;
    isPlaced_ = true;
    double up = options_.height - extent.lowest;
    if (isBaseTied(*robot.spec)) return;
    if (robot.model->topology.floating) {
      state.q[1] += aside;
      state.q[2] += up;
    } else {
      if (extent.lowest >= -1e-9) up = 0;
      if (up == 0 && aside == 0) return;
      robot.spec->X_WB.p = robot.spec->X_WB.p + Vec3d{0, aside, up};
      Expected<Model> moved = compile(*robot.spec);
      result_.diagnostics = merged(result_.diagnostics, moved.diagnostics());
      robot.model.reset();
      if (moved) robot.model = std::move(moved).value();
    }
  }

  std::string uniqueName(const std::string& wanted) {
    std::string name = wanted.empty() ? "robot" : wanted;
    for (int i = 2; !names_.insert(name).second; ++i) name = fmt::format("{}{}", wanted, i);
    return name;
  }

  const SimulationOptions& options_;
  Simulation& result_;
  std::set<std::string> names_;
  double edge_ = 0;  ///< right end of the robots so far
  bool isPlaced_ = false;
};

}  // namespace

namespace {

/// Whether an actuator of a joint or tendon satisfies a condition.
template <class Has>
bool anyActuator(const Model& model, const Has& has) {
  const auto isOne = [&](const std::optional<ActuatorSpec>& a) { return a && has(*a); };
  return std::any_of(model.bodies.begin(), model.bodies.end(),
                     [&](const BodyInfo& body) { return isOne(body.actuator); }) ||
         std::any_of(model.tendons.begin(), model.tendons.end(),
                     [&](const TendonInfo& tendon) { return isOne(tendon.spec.actuator); });
}

}  // namespace

bool hasServos(const Model& model) {
  return anyActuator(model, [](const ActuatorSpec& a) { return a.kp > 0 || a.kd > 0; });
}

void hold(Participant& p, const SystemSpec& spec, const SimulationOptions& options,
          const Eigen::VectorXd& target) {
  const Model& model = p.system->model();
  p.hasOwnServos = !options.pd && (p.hasOwnServos || hasServos(model));
  if (p.hasOwnServos) return;
  const bool isTold = anyActuator(model, [](const ActuatorSpec&) { return true; });
  const double kp = stiffness_per_mass * model.mass;
  std::tie(p.kp, p.kd) = options.pd.value_or(std::pair{kp, damping_share * kp});
  Eigen::VectorXd stiffness = Eigen::VectorXd::Constant(model.publicNv, p.kp);
  Eigen::VectorXd damping = Eigen::VectorXd::Constant(model.publicNv, p.kd);
  const std::vector<char> isHeld = heldDofs(model, spec);
  for (int d = 0; d < model.nv(); ++d) {
    const bool isDriven =
        isHeld[d] && (!isTold || model.bodies[model.topology.dofBody[d]].actuator);
    if (const int at = model.publicDof[d]; !isDriven && at >= 0) stiffness[at] = damping[at] = 0;
  }
  p.system->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  p.system->setPdGains(stiffness, damping);
  p.system->setPdTarget(target, Eigen::VectorXd::Zero(model.publicNv));
}

void setUpSteps(const SimulationOptions& options, World& world) {
  constexpr int sweeps = 1000;  // for a tolerance that was asked for
  world.setIntegrationScheme(options.scheme);
  if (options.tolerance) world.setContactSolverParam(*options.tolerance, sweeps);
  world.setEnergyMonitoring(true);
}

Simulation setUp(const SimulationOptions& options) {
  Simulation result;
  Diagnostics& diagnostics = result.diagnostics;
  const bool isAlone = options.files.size() == 1;
  std::optional<std::string> worldFile;
  collectErrors(isAlone ? options.files[0] : "", diagnostics, [&] {
    for (const std::string& file : options.files)
      if (!worldFile && io::isWorld(file)) worldFile = file;
    if (worldFile && isAlone) {
      setUpWorld(options, result);
    } else if (worldFile) {
      diagnostics.add({Severity::Error, *worldFile, 0, "a world file stands among other files",
                       "simulate it alone; it names its robots itself"});
    } else {
      if (!options.robot.urdf.keyframe.empty())
        diagnostics.add({Severity::Error, options.files[0], 0, "only MuJoCo's files have keyframes",
                         "use --pose for this robot"});
      Builder(options, result).build();
    }
  });
  if (diagnostics.hasErrors()) return result;
  const bool isFilesOwn = worldFile && !options.dt;
  const Expected<long long> steps =
      countSteps(options, result.world->getTimeStep(), isFilesOwn ? options.files[0] : "");
  diagnostics.append(steps.diagnostics());
  result.isRunRefused = !steps;
  if (steps) result.steps = *steps;
  return result;
}

}  // namespace espalier::cli
