#include "espalier/batch/alike.h"

#include <cmath>

#include "espalier/batch/lane_system.h"
#include "espalier/core/check.h"
#include "espalier/model/compile/compile_cache.h"

namespace espalier {
namespace {

bool isSameModel(const System& a, const System& b) {
  if (a.model == b.model) return true;
  return a.spec && b.spec && contentOf(*a.spec) == contentOf(*b.spec) &&
         a.model->nv() == b.model->nv() && a.solved().nv == b.solved().nv;
}

bool hasSameMass(const FreeBody& a, const FreeBody& b) {
  const auto isSame = [](const Sym3<double>& x, const Sym3<double>& y) {
    return x.xx == y.xx && x.xy == y.xy && x.xz == y.xz && x.yy == y.yy && x.yz == y.yz &&
           x.zz == y.zz;
  };
  return a.type == b.type && a.mass == b.mass && norm(a.com - b.com) == 0 && isSame(a.I, b.I);
}

std::string worldOf(std::size_t index) { return "world " + std::to_string(index); }

}  // namespace

void requireSameRobot(const System& robot, const System& first, const std::string& who) {
  ESPALIER_REQUIRE(isSameModel(robot, first),
                   who + " is not that of world 0: add the same description to all");
  ESPALIER_REQUIRE(haveSameClosures(*robot.model, *first.model),
                   who +
                       " has its loops closed in other places of their bodies than that of world "
                       "0: lanes share them");
  ESPALIER_REQUIRE(haveSameShapes(*robot.model, *first.model),
                   who +
                       " has its collision shapes in other places than that of world 0: lanes "
                       "share them");
}

void requireSameStepping(const StepData& world, const StepData& first, std::size_t index) {
  ESPALIER_REQUIRE(
      world.dt == first.dt && world.scheme == first.scheme,
      worldOf(index) + " has another time step or scheme than world 0: lanes share them");
}

void requireAlike(const StepData& world, const StepData& first, std::size_t index) {
  requireSameStepping(world, first, index);
  const std::string remedy =
      ": a function that makes worlds has to make the same one each time; what differs from world "
      "to world "
      "is written with bind()";
  ESPALIER_REQUIRE(
      world.owned.size() == first.owned.size() && world.free.size() == first.free.size(),
      worldOf(index) + " has other robots or single bodies than world 0" + remedy);
  for (std::size_t i = 0; i < world.owned.size(); ++i) {
    const std::string who = "robot " + std::to_string(i) + " of " + worldOf(index);
    requireSameRobot(*world.owned[i], *first.owned[i], who);
    ESPALIER_REQUIRE(haveSameParameters(world.owned[i]->parameters, first.owned[i]->parameters),
                     who + " has other masses than that of world 0" + remedy);
  }
  for (std::size_t i = 0; i < world.free.size(); ++i)
    ESPALIER_REQUIRE(hasSameMass(*world.free[i], *first.free[i]),
                     "single body " + std::to_string(i) + " of " + worldOf(index) +
                         " has another mass than that of world 0" + remedy);
}

}  // namespace espalier
