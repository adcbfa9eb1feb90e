#pragma once

// Runs a Simulation along a recorded trajectory of arboris and compares all that was recorded.

#include <gtest/gtest.h>

#include "espalier/compat/arboris/simulate.h"
#include "espalier/compat/arboris/soft_finger.h"
#include "tests/support/arboris_adapter.h"

namespace espalier::testing {

/// gpos of arboris, system after system: a free joint as its pose (16 numbers), others as they are.
inline Eigen::VectorXd arborisGpos(Simulation& simulation, const Dense& base) {
  std::vector<double> all;
  for (int i = 0; i < simulation.world().systemCount(); ++i) {
    ArticulatedSystem* system = simulation.world().system(i);
    const Eigen::VectorXd q = system->getGeneralizedCoordinate();
    Eigen::Index from = 0;
    if (system->model().topology.floating) {
      const Dense H =
          base.inverse() *
          denseFrom(Transformd{rotation(Quat<double>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}});
      all.insert(all.end(), H.data(), H.data() + 16);
      from = 7;
    }
    all.insert(all.end(), q.data() + from, q.data() + q.size());
  }
  return Eigen::Map<Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

/// The reverse, and the velocities.
inline void setArborisGpos(Simulation& simulation, const std::vector<double>& gpos,
                           const Dense& gvel, const Dense& base) {
  std::size_t at = 0;
  for (int i = 0; i < simulation.world().systemCount(); ++i) {
    ArticulatedSystem* system = simulation.world().system(i);
    Eigen::VectorXd q(system->getGeneralizedCoordinateDim());
    Eigen::Index from = 0;
    if (system->model().topology.floating) {
      const Transformd X = transformFrom(base * Eigen::Map<const Dense>(gpos.data() + at, 4, 4));
      const Quat<double> o = quaternion(X.R);
      q.head(7) << X.p.x, X.p.y, X.p.z, o.w, o.x, o.y, o.z;
      at += 16;
      from = 7;
    }
    for (; from < q.size(); ++from) q[from] = gpos[at++];
    system->setGeneralizedCoordinate(q);
  }
  simulation.setGvel(gvel);
}

inline void setArboris(Simulation& simulation, const Json& freePose, const Json& q,
                       const Json& gvel) {
  const Dense H = denseFrom(freePose);
  std::vector<double> gpos(H.data(), H.data() + 16);
  for (const Json& x : q) gpos.push_back(x);
  setArborisGpos(simulation, gpos, denseFrom(gvel), Dense::Identity(4, 4));
}

/// arboris' viscosity is about its body frame c, ours about the link's: B_n = Ad_cn' B_c Ad_cn.
inline void setArborisViscosity(Simulation& simulation, const Json& chain) {
  int k = 0;
  for (const Json& b : chain.at("spec")) {
    const Dense H_cn = denseFrom(b.at("H_cn"));
    Matrix4 H;
    for (int i = 0; i < 16; ++i) H[i / 4][i % 4] = H_cn(i / 4, i % 4);
    const Matrix6 A = adjoint(H);
    Dense Ad(6, 6);
    for (int i = 0; i < 36; ++i) Ad(i / 6, i % 6) = A[i / 6][i % 6];
    simulation.body("b" + std::to_string(k++))
        .setViscosity(Ad.transpose() * denseFrom(b.at("viscosity")) * Ad);
  }
}

/// Largest difference over the largest size, at least 1.
inline double differs(const Dense& ours, const Dense& theirs) {
  if (ours.size() != theirs.size()) return INFINITY;
  double worst = 0;
  for (Eigen::Index i = 0; i < ours.size(); ++i)
    worst = std::max(worst, std::abs(ours.data()[i] - theirs.data()[i]));
  return worst / std::max(1.0, theirs.cwiseAbs().maxCoeff());
}

/// From the first record to the last: gpos, gvel and kinetic energy at the start of a step at the
/// tolerance; gforce and the constraints' forces of it at tolerance / dt, as a force is a change of
/// velocity over dt.
inline void follow(Simulation& simulation, const Json& t, double tolerance, const std::string& what,
                   const Dense& base = Dense::Identity(4, 4)) {
  const double dt = t.at("dt");
  const int steps = t.at("nsteps"), every = t.at("record_every");
  setArborisGpos(simulation, t.at("gpos").at(0), denseFrom(t.at("gvel").at(0)), base);
  double worst[5] = {0, 0, 0, 0, 0};
  for (int k = 0; k < steps; ++k) {
    const auto record = static_cast<std::size_t>(k / every);
    simulation.updateDynamic();
    const bool recorded = k % every == 0;
    if (recorded) {
      worst[0] = std::max(
          worst[0], differs(arborisGpos(simulation, base), denseFrom(t.at("gpos").at(record))));
      worst[1] = std::max(worst[1], differs(simulation.gvel(), denseFrom(t.at("gvel").at(record))));
      const double kinetic =
          0.5 * simulation.gvel().dot(simulation.massMatrix() * simulation.gvel());
      const double theirs = t.at("kinetic").at(record);
      worst[2] = std::max(worst[2], std::abs(kinetic - theirs) / std::max(1.0, theirs));
    }
    simulation.updateControllers(dt);
    simulation.updateConstraints(dt);
    if (recorded) {
      worst[3] =
          std::max(worst[3], differs(simulation.gforce(), denseFrom(t.at("gforce").at(record))));
      for (std::size_t c = 0; t.contains("cons") && c < simulation.constraints().size(); ++c) {
        const Json& theirs = t.at("cons").at(record).at(c);
        const sim::Constraint& ours = *simulation.constraints()[c];
        EXPECT_EQ(ours.isActive(), theirs.at("active").get<bool>()) << what << " step " << k;
        worst[4] = std::max(worst[4], differs(ours.force(), denseFrom(theirs.at("force"))));
        const auto* contact = dynamic_cast<const sim::PointContact*>(&ours);
        if (contact && ours.isActive())
          worst[0] =
              std::max(worst[0], std::abs(contact->sdist() - theirs.at("sdist").get<double>()));
      }
    }
    simulation.integrate(dt);
  }
  const char* names[5] = {"gpos", "gvel", "kinetic", "gforce", "constraint forces"};
  for (int i = 0; i < 5; ++i) {
    EXPECT_LT(worst[i], i < 3 ? tolerance : tolerance / dt) << what << " " << names[i];
  }
  EXPECT_LT(differs(arborisGpos(simulation, base), denseFrom(t.at("final").at("gpos"))), tolerance)
      << what << " at the end";
  EXPECT_LT(differs(simulation.gvel(), denseFrom(t.at("final").at("gvel"))), tolerance)
      << what << " at the end";
}

}  // namespace espalier::testing
