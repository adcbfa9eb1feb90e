#include "apps/cli/hinge_states.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/closing.h"
#include "espalier/model/compile/placement.h"
#include "espalier/world/world.h"

namespace espalier::cli {
namespace {

/// u of all joints, in the model's own order.
std::vector<double> ratesOfAll(const Model& model, const StateInput& state) {
  World world;
  ArticulatedSystem& robot = *world.addArticulatedSystem(std::make_shared<const Model>(model));
  robot.setSpanningCoordinate(vectorInOrder(state.q, model.spanningCoordinate));
  robot.setGeneralizedVelocity(vectorInOrder(state.u, model.publicDof));
  const Eigen::VectorXd all = robot.getSpanningVelocity();
  std::vector<double> u(static_cast<std::size_t>(model.nv()));
  for (int d = 0; d < model.nv(); ++d) u[d] = all[model.spanningDof[d]];
  return u;
}

/// Orientation of a link's frame.
Mat3d orientationOf(const Model& model, const Placement& at, const std::string& link) {
  const auto frame = std::ranges::find(model.links, link, &FrameInfo::name);
  const BodyInfo& body = model.bodies[frame->body];
  return mul(mul(at.R[frame->body], transpose(body.R_LC)), frame->X_LF.R);
}

}  // namespace

StateInput withBalls(const Model& hinged, const StateInput& state, const Model& balls,
                     const SystemSpec& spec) {
  StateInput result = restingState(balls);
  result.warnings = state.warnings;
  const std::vector<double> u = ratesOfAll(hinged, state);
  const Placement at(hinged.topology, hinged.lowered, state.q.data());
  for (int b = 0; b < balls.nb(); ++b) {
    const BodyTopology& to = balls.topology.bodies[b];
    const int same = b == 0 ? 0 : hinged.joint(balls.bodies[b].joint);
    const BodyTopology& from = hinged.topology.bodies[same];
    if (from.kind == to.kind) {
      std::copy_n(&state.q[from.q], to.nq, &result.q[to.q]);
      std::copy_n(&u[from.u], to.nv, &result.u[to.u]);
      continue;
    }
    const JointSpec& joint = spec.joints[balls.bodies[b].specJoint];
    const Mat3d R_WJ = mul(orientationOf(hinged, at, joint.parent), joint.X_PJ.R);
    const Quat<double> q = quaternion(mul(transpose(R_WJ), orientationOf(hinged, at, joint.child)));
    Vec3d rate{0, 0, 0};
    for (int k = 0, i = same; k < 3; ++k, i = hinged.topology.bodies[i].parent) {
      const int d = hinged.topology.bodies[i].u;
      rate += at.S[d].w * u[d];
    }
    const Vec3d w = tmul(R_WJ, rate);
    const double numbers[4] = {q.w, q.x, q.y, q.z};
    std::copy_n(numbers, 4, &result.q[to.q]);
    result.u[to.u] = w.x, result.u[to.u + 1] = w.y, result.u[to.u + 2] = w.z;
  }
  return result;
}

Expected<StateFile> readStatesOf(const Robot& robot, const RobotOptions& options,
                                 const std::string& path) {
  const Expected<std::string> text = readStateText(path);
  if (!text) return text.diagnostics();
  const bool unbounded = robot.spec->unbounded;
  Expected<StateFile> read = parseStates(*text, path, *robot.model, unbounded);
  if (read || options.urdf.keepsHinges) return read;
  RobotOptions kept = options;
  kept.urdf.keepsHinges = true;
  const Robot hinged = loadRobot(robot.file, kept, Meshes::Skip);
  if (!hinged.isGood() || hinged.spec->joints.size() == robot.spec->joints.size()) return read;
  Expected<StateFile> states = parseStates(*text, path, *hinged.model, unbounded);
  if (!states) return read;
  for (StateInput& state : states->states) {
    const auto isZero = [](double x) { return x == 0; };
    if (!std::ranges::all_of(state.tau, isZero) || !state.udot.empty()) return read;
    state = withBalls(*hinged.model, state, *robot.model, *robot.spec);
    state.warnings.push_back(
        fmt::format("{}: the coordinates are those of hinges that are spherical joints here, and "
                    "were converted; espalier info names the joints",
                    stateFileName(path)));
  }
  return states;
}

}  // namespace espalier::cli
