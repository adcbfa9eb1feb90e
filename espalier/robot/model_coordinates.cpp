#include "espalier/robot/model_coordinates.h"

#include <algorithm>

#include "espalier/core/check.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/state.h"
#include "espalier/robot/articulated_order.h"

namespace espalier {

using namespace authored_order;

namespace {

/// q of all joints, internal order, where dependent joints are neutral and quaternions unit.
std::vector<double> internalOf(const Model& model, const Eigen::VectorXd& q) {
  std::vector<double> all(static_cast<std::size_t>(model.nq()));
  neutral(model.topology, all.data());
  scatter(q, model.publicCoordinate, "q", all.data());
  normalize(model.topology, all.data());
  return all;
}

}  // namespace

std::optional<Transformd> jointInWorld(const Model& model, int body) {
  const BodyTopology& t = model.topology.bodies[body];
  if (t.kind != JointKind::Floating || t.parent != 0 || model.topology.floating)
    return std::nullopt;
  return model.authored.bodies[0].X_PJ * model.authored.bodies[body].X_PJ;
}

std::vector<JointPlace> jointPlaces(const Model& model) {
  std::vector<JointPlace> places;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyTopology& t = model.topology.bodies[b];
    if (t.nv == 0) continue;
    const BodyInfo& body = model.bodies[b];
    const auto q = static_cast<std::size_t>(t.q), u = static_cast<std::size_t>(t.u);
    JointPlace place{b == 0 ? body.name : body.joint,
                     t.kind,
                     model.publicCoordinate[q],
                     model.publicDof[u],
                     model.spanningCoordinate[q],
                     model.spanningDof[u],
                     t.nq,
                     t.nv};
    if (t.nq == t.nv) {
      place.lower = body.limits.lower;
      place.upper = body.limits.upper;
    }
    place.X_WJ = jointInWorld(model, static_cast<int>(b)).value_or(place.X_WJ);
    places.push_back(place);
  }
  std::sort(places.begin(), places.end(),
            [](const JointPlace& a, const JointPlace& b) { return a.spanningU < b.spanningU; });
  return places;
}

VecDyn neutralCoordinate(const Model& model) {
  return gather(neutralState(model).q.data(), model.publicCoordinate);
}

VecDyn randomCoordinate(const Model& model, std::uint64_t seed, double spread) {
  std::vector<double> q(static_cast<std::size_t>(model.nq()));
  randomConfiguration(model.topology, seed, spread, q.data());
  return gather(q.data(), model.publicCoordinate);
}

VecDyn advanced(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& step) {
  std::vector<double> all = internalOf(model, q);
  std::vector<double> steps(static_cast<std::size_t>(model.nv()));
  scatter(step, model.publicDof, "the step", steps.data());
  advance(model.topology, all.data(), steps.data(), all.data());
  return gather(all.data(), model.publicCoordinate);
}

VecDyn stepBetween(const Model& model, const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  const std::vector<double> q0 = internalOf(model, from), q1 = internalOf(model, to);
  std::vector<double> step(static_cast<std::size_t>(model.nv()));
  difference(model.topology, q0.data(), q1.data(), step.data());
  return gather(step.data(), model.publicDof);
}

}  // namespace espalier
