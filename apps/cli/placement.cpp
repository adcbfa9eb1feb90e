#include "apps/cli/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "apps/cli/closing.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/io/text/text_file.h"
#include "espalier/model/coordinates.h"

namespace espalier::cli {
namespace {

/// Public coordinates in the order of the file, whatever order was asked for: [i] -> internal
/// place.
std::vector<int> fileOrder(const Model& model) {
  std::vector<int> bodies(static_cast<std::size_t>(model.nb()));
  for (int b = 0; b < model.nb(); ++b) bodies[b] = b;
  std::sort(bodies.begin(), bodies.end(),
            [&](int a, int b) { return model.bodies[a].specJoint < model.bodies[b].specJoint; });
  std::vector<int> place;
  for (int b : bodies)
    for (int k = 0; k < model.topology.bodies[b].nq; ++k)
      if (const int i = model.topology.bodies[b].q + k; model.publicCoordinate[i] >= 0)
        place.push_back(i);
  return place;
}

/// The list under "q"; empty where there is none.
std::vector<double> listIn(const std::string& text) {
  std::vector<double> list;
  try {
    list = nlohmann::json::parse(text).at("q").get<std::vector<double>>();
  } catch (const nlohmann::json::exception&) {
  }
  return list;
}

}  // namespace

Extent extentAt(const Model& model, const std::vector<double>& q) {
  Workspace<double> ws(model.topology);
  const std::vector<double> u(static_cast<std::size_t>(model.nv()), 0.0);
  kinematics(model.topology, model.lowered, q.data(), u.data(), ws);
  // y turned up, and y turned down: the lowest point along any direction is a lowest point.
  const Mat3d upIsLeft{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
  const Mat3d upIsRight{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Extent e{infinity, infinity, -infinity, !model.collisions.empty()};
  const auto include = [&](double low, double left, double right) {
    e.lowest = std::min(e.lowest, low);
    e.left = std::min(e.left, left);
    e.right = std::max(e.right, right);
  };
  for (const CollisionInfo& c : model.collisions) {
    const Transformd X_WG = Transformd{ws.R[c.body], ws.origin + ws.x[c.body]} * c.X_CG;
    const auto along = [&](const Mat3d& turn) {
      return lowestPoint(c.shape, Transformd{turn, {0, 0, 0}} * X_WG);
    };
    const double low = lowestPoint(c.shape, X_WG);
    if (std::isfinite(low)) include(low, along(upIsLeft), -along(upIsRight));
  }
  if (!std::isfinite(e.lowest)) {
    e.hasCollisions = false;
    for (int b = 0; b < model.nb(); ++b) {
      const Vec3d p = ws.origin + ws.x[b];
      include(p.z, p.y, p.y);
    }
  }
  return e;
}

std::vector<double> neutralWithinLimits(const Model& model) {
  std::vector<double> q = restingState(model).q;
  for (int b = 1; b < model.nb(); ++b) {
    const BodyTopology& body = model.topology.bodies[b];
    const JointLimits& limits = model.bodies[b].limits;
    const bool follows = !model.bilateral.isEmpty() && !model.bilateral.independent[body.u];
    if (body.nq == 1 && model.publicCoordinate[body.q] >= 0 && !follows)
      q[body.q] = std::min(std::max(0.0, limits.lower), limits.upper);
    if (body.kind == JointKind::Spherical && model.publicCoordinate[body.q] >= 0) {
      const double twist = std::min(std::max(0.0, limits.twistLower), limits.twistUpper);
      if (twist == 0) continue;
      const Quat<double> turn = expQuat(model.bodies[b].axes[0] * twist);
      q[body.q] = turn.w;
      q[body.q + 1] = turn.x;
      q[body.q + 2] = turn.y;
      q[body.q + 3] = turn.z;
    }
  }
  return closeByDependents(model, q).isClosed ? q : restingState(model).q;
}

std::vector<double> nominalPose(const std::string& robotFile, const Model& model,
                                const std::vector<double>& fallback, Diagnostics& diagnostics) {
  const std::string path =
      (std::filesystem::path(robotFile).parent_path() / "nominal.json").string();
  if (robotFile.starts_with('<') || !std::filesystem::is_regular_file(path)) return fallback;
  const Expected<std::string> text = io::readTextFile(path);
  const std::vector<double> given = text ? listIn(*text) : std::vector<double>{};
  const std::vector<int> place = fileOrder(model);
  const bool skipsBase = !model.topology.floating && given.size() == place.size() + 7;
  if (given.size() != place.size() && !skipsBase) {
    diagnostics.add(
        {Severity::Warning, path, 0,
         fmt::format("no pose of this robot: a list \"q\" of {} numbers is needed", place.size()),
         "the neutral pose is taken; correct the file, or name another with --pose"});
    return fallback;
  }
  std::vector<double> q = restingState(model).q;
  for (std::size_t i = 0; i < place.size(); ++i) q[place[i]] = given[i + (skipsBase ? 7 : 0)];
  normalize(model.topology, q.data());
  if (const AssemblyResult result = closeByDependents(model, q); !result.isClosed) {
    diagnostics.add({Severity::Warning, path, 0, "no pose of this robot: " + whyOpen(result),
                     "the neutral pose is taken; correct the file, or name another with --pose"});
    return fallback;
  }
  return q;
}

void disturb(const Model& model, std::uint64_t seed, StateInput& state) {
  if (seed == 0) return;
  std::mt19937_64 bits(seed);
  const auto uniform = [&](double size) {
    return size * (2 * (static_cast<double>(bits() >> 11) * 0x1p-53) - 1);
  };
  const std::size_t base = model.topology.floating ? 6 : 0;
  if (base > 0) {
    double* q = &state.q[3];
    // Each component is at most 0.1 / sqrt(3), so that their length is at most 0.1.
    const double most = 0.0577;
    const Vec3d tilt{uniform(most), uniform(most), uniform(most)};
    const Quat<double> turned = expQuat(tilt) * Quat<double>{q[0], q[1], q[2], q[3]};
    q[0] = turned.w, q[1] = turned.x, q[2] = turned.y, q[3] = turned.z;
    for (std::size_t k = 0; k < 6; ++k) state.u[k] += uniform(k < 3 ? 0.173 : 0.288);
  }
  for (std::size_t d = base; d < state.u.size(); ++d) state.u[d] += uniform(0.1);
  normalize(model.topology, state.q.data());
}

}  // namespace espalier::cli
