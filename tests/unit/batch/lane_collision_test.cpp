// Lists of neighbouring shapes leave out nothing that is near.

#include "espalier/batch/lane_collision_impl.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "espalier/spatial/rotation.h"
#include "tests/unit/batch/batch_scenes.h"

namespace espalier::testing {
namespace {

using Lane = DoubleLanes;
constexpr int width = lanes_v<Lane>;

/// A strider, a slope with waves, a plane and a wall.
std::shared_ptr<World> makeCorner() {
  auto world = std::make_shared<World>();
  std::vector<double> heights;
  for (int j = 0; j < 17; ++j)
    for (int i = 0; i < 17; ++i) heights.push_back(0.025 * (i - 8) + 0.01 * ((i + 2 * j) % 3));
  world->addHeightMap(17, 17, 4, 4, 0, 0, heights);
  world->addGround(0.02);
  Box* wall = world->addBox(0.5, 4, 4, 1);
  wall->setBodyType(BodyType::STATIC);
  wall->setPosition({0.75, 0, 0});
  addRobot(*world, "strider", 100, 5, {0, 0, 0.02});
  return world;
}

/// Shapes that fly about, and turn, one way in each lane; in the last lane of odd seeds they have diverged.
class Swarm {
 public:
  Swarm(const LanePlan& plan, double dt, std::uint64_t seed)
      : dt_(dt),
        random_(seed),
        at_(plan.robot.geoms.size()),
        velocity_(at_.size()),
        spin_(at_.size()) {
    const auto vector = [&](double size) {
      Vec3<Lane> v;
      for (int l = 0; l < width; ++l) {
        for (Lane* x : {&v.x, &v.y, &v.z}) setLane(*x, l, uniform(-size, size));
      }
      return v;
    };
    for (std::size_t i = 0; i < at_.size(); ++i) {
      at_[i].X_WG = {bc<Lane>(identity3<double>()), vector(0.5)};
      velocity_[i] = vector(2);
      spin_[i] = vector(5);
      if (seed % 2 == 1)
        setLane(at_[i].X_WG.p.x, width - 1, std::numeric_limits<double>::quiet_NaN());
    }
    tell();
  }

  void move() {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      Transform<Lane>& X = at_[i].X_WG;
      X.p = madd(velocity_[i], bc<Lane>(dt_), X.p);
      X.R = mul(rotation(expQuat(spin_[i] * bc<Lane>(dt_))), X.R);
      velocity_[i] = velocity_[i] * bc<Lane>(uniform(0.8, 1.3));  // as after a push
    }
    tell();
  }
  const GeomMotion<Lane>* geoms() const { return at_.data(); }

 private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(random_);
  }
  void tell() {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      at_[i].velocity = velocity_[i];
      at_[i].spin = norm(spin_[i]);
    }
  }

  double dt_;
  std::mt19937_64 random_;
  AlignedArray<GeomMotion<Lane>> at_;
  AlignedArray<Vec3<Lane>> velocity_, spin_;
};

TEST(LaneCollision, ListsOfNeighboursLeaveOutNothing) {
  const LanePlan plan(makeCorner());
  const Vec3<Lane> terrain = bc<Lane>(Vec3d{0.1, 0, -0.05});
  int found = 0, outOfReach = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    LaneCollision<Lane> listed(plan), afresh(plan);
    Swarm swarm(plan, plan.dt, seed);
    // Of more steps than are told: a list must notice itself that it is no longer right.
    for (int k = 0; k < 40; ++k) {
      afresh.forget();
      afresh.find(swarm.geoms(), terrain, 1);
      listed.find(swarm.geoms(), terrain, 1 + k % 3);
      ASSERT_EQ(listed.found.size(), afresh.found.size()) << "seed " << seed << ", step " << k;
      for (std::size_t i = 0; i < listed.found.size(); ++i) {
        ASSERT_EQ(listed.found[i].slot, afresh.found[i].slot);
        const auto slot = static_cast<std::size_t>(listed.found[i].slot);
        const LanePoint<Lane>&a = listed.points[slot], &b = afresh.points[slot];
        for (int l = 0; l < width; ++l) {
          ASSERT_EQ(lane(a.isThere, l), lane(b.isThere, l));
          if (lane(a.isThere, l) > 0) ASSERT_EQ(lane(a.depth, l), lane(b.depth, l));
        }
      }
      found += static_cast<int>(listed.found.size());
      outOfReach += plan.slots - static_cast<int>(listed.found.size());
      swarm.move();
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(outOfReach, 1000);
}

}  // namespace
}  // namespace espalier::testing
