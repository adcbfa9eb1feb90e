#include "tests/soak/turning.h"

#include <cstdio>

#include "tests/support/turning.h"

namespace espalier::testing {

bool passDeadPoints(long passages) {
  const struct {
    const char *model, *joint;
    double rate;  // about 0.01 rad of the fastest joint a step
  } all[] = {{"four_bar", "rocker", 2.5},
             {"triple_rocker", "crank", 15},
             {"triple_rocker", "coupler", 15},
             {"triple_rocker", "rocker", 15}};
  bool good = true;
  for (const auto& [model, joint, rate] : all) {
    const Passed p = passDeadPoints(model, joint, rate, 1e-3, passages);
    const bool isGood = p.passages == passages && p.flags == 0 && p.closure <= 1e-10 &&
                        p.energy <= 1e-3 && p.atRest <= 3 * p.elsewhere;
    std::printf(
        "%s led by its %s: %ld dead points in %ld steps, closure %.1e m, energy %.1e, "
        "|u+ - u - dt udot| %.1e rad/s there, %.1e elsewhere, flags %u%s\n",
        model, joint, p.passages, p.steps, p.closure, p.energy, p.atRest, p.elsewhere, p.flags,
        isGood ? "" : ": NOT GOOD");
    std::fflush(stdout);
    good &= isGood;
  }
  return good;
}

bool keepTurning(long turns) {
  const struct {
    const char* model;
    double rate;  // a mean of about 1
  } all[] = {{"four_bar", 1}, {"slider_crank", 0.75}, {"six_bar", 0.85}, {"beest", 1}};
  bool good = true;
  for (const auto& [model, rate] : all)
    for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::RUNGE_KUTTA_4}) {
      const Turning c{model, rate, scheme};
      const Turned t = turnFreely(c, 0.01, static_cast<double>(turns));
      const double bar = scheme == Scheme::MIDPOINT ? 1e-3 : 1e-5;
      const bool isGood = t.flags == 0 && t.closure <= 1e-10 && t.worst <= bar;
      std::printf(
          "%s: %ld turns, %.5f rad a step, energy %.1e (%.1e on the way), closure %.1e m, "
          "flags %u%s\n",
          nameOf(c).c_str(), turns, t.step, t.energy, t.worst, t.closure, t.flags,
          isGood ? "" : ": NOT GOOD");
      std::fflush(stdout);
      good &= isGood;
    }
  return good;
}

}  // namespace espalier::testing
