// The same contacts under noise, whatever else is in the scene, and in either order.

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "scene_fixture.h"

namespace espalier {
namespace {

using Key = std::tuple<int, int, int>;

std::set<Key> keys(const std::vector<ContactPoint>& points) {
  std::set<Key> all;
  for (const ContactPoint& p : points) all.insert({p.a.value, p.b.value, p.feature});
  EXPECT_EQ(all.size(), points.size());
  return all;
}

Transformd shaken(const Transformd& X, std::mt19937& random) {
  std::uniform_real_distribution<double> u(-1e-9, 1e-9);
  const Vec3d turn{u(random), u(random), u(random)};
  return {mul(rotation(expQuat(turn)), X.R), X.p + Vec3d{u(random), u(random), u(random)}};
}

struct Rest {
  const char* name;
  Shape lower, upper;
  Transformd X;
  int count;
};

std::vector<Rest> rests() {
  const double quarter = std::acos(0.0);
  const Plane plane;
  const BoxShape table{{1, 1, 0.2}};
  const BoxShape box{{0.2, 0.3, 0.1}};
  const BoxShape cube{{0.2, 0.2, 0.2}};
  // An edge along (-1 0 1), its faces looking along (1 0 1) +- y.
  const double h = std::sqrt(0.5);
  const Mat3d edgeOn{{0.5, -0.5, -h}, {h, h, 0}, {0.5, -0.5, h}};
  const CylinderShape cylinder{0.1, 0.2};
  const CapsuleShape capsule{0.05, 0.3};
  const MeshShape mesh = boxMesh({0.2, 0.3, 0.1});
  const Heightfield flat = terrain(9, 9, 2, 2, [](double, double) { return 0.0; });
  const MeshShape ground = boxMesh({1, 1, 0.2});
  return {
      {"box, plane", plane, box, at(0, 0, 0.05), 4},
      {"box on edge, plane", plane, box, at(0, 0, 0.15 * std::sqrt(0.5), {0, 0.5 * quarter, 0}), 2},
      {"cylinder standing, plane", plane, cylinder, at(0, 0, 0.1), 4},
      {"cylinder lying, plane", plane, cylinder, at(0, 0, 0.1, {quarter, 0, 0}), 2},
      {"capsule lying, plane", plane, capsule, at(0, 0, 0.05, {quarter, 0, 0}), 2},
      {"mesh, plane", plane, mesh, at(0, 0, 0.05), 4},
      {"box, box", table, box, at(0.1, 0.2, 0.15), 4},
      {"box on its equal", box, box, at(0, 0, 0.1), 4},
      {"box beside its equal", box, box, at(0.2, 0, 0), 4},
      {"box turned, box", table, box, at(0.1, 0.2, 0.15, {0, 0, 0.5 * quarter}), 4},
      {"box overhanging, box", table, box, at(0.5, 0.2, 0.15), 4},
      {"cylinder standing, box", table, cylinder, at(0.1, 0.2, 0.2), 4},
      {"cylinder lying, box", table, cylinder, at(0.1, 0.2, 0.2, {quarter, 0, 0}), 2},
      {"cylinder on cylinder", cylinder, cylinder, at(0, 0, 0.2), 4},
      {"cylinders side by side", cylinder, cylinder, at(0.2, 0, 0), 2},
      {"capsule lying, box", table, capsule, at(0.1, 0.2, 0.15, {quarter, 0, 0}), 2},
      {"capsule overhanging, box", table, capsule, at(0.1, 0.45, 0.15, {quarter, 0, 0}), 2},
      {"capsules side by side", capsule, capsule, at(0.1, 0, 0.1), 2},
      {"mesh, box", table, mesh, at(0.1, 0.2, 0.15), 4},
      {"mesh, mesh", mesh, mesh, at(0.05, 0.05, 0.1), 4},
      {"sphere, box", table, SphereShape{0.1}, at(0, 0, 0.2), 1},
      {"sphere over a sample, terrain", flat, SphereShape{0.1}, at(0.25, 0.5, 0.1), 1},
      {"sphere over a diagonal, terrain", flat, SphereShape{0.1}, at(0.1, 0.1, 0.1), 1},
      {"box, terrain", flat, box, at(0.1, 0.17, 0.05), 4},
      {"box with corners over samples, terrain", flat, BoxShape{{0.5, 0.5, 0.1}}, at(0, 0, 0.05),
       4},
      {"box along the cells, terrain", flat, box, at(0.1, 0.1, 0.05), 4},
      {"box within a cell, terrain", flat, BoxShape{{0.1, 0.1, 0.1}}, at(0.125, 0.06, 0.05), 4},
      {"box across the diagonal, terrain", flat, BoxShape{{0.1, 0.1, 0.1}}, at(0.125, 0.125, 0.05),
       4},
      {"box on the border, terrain", flat, box, at(1, 0.3, 0.05), 4},
      {"mesh, terrain", flat, mesh, at(0.1, 0.17, 0.05), 4},
      {"cylinder standing, terrain", flat, cylinder, at(0.1, 0.2, 0.1), 4},
      {"cylinder lying, terrain", flat, cylinder, at(0.1, 0.2, 0.1, {quarter, 0, 0}), 2},
      {"capsule lying, terrain", flat, capsule, at(0.1, 0.17, 0.05, {quarter, 0, 0}), 2},
      {"capsule standing, terrain", flat, capsule, at(0.1, 0.17, 0.2), 1},
      {"sphere over a cell's edge, terrain", flat, SphereShape{0.1}, at(0.25, 0.1, 0.1), 1},
      {"box shifted by half on its equal", box, box, at(0.1, 0, 0.1), 4},
      {"box across its equal", box, box, at(0, 0, 0.1, {0, 0, quarter}), 4},
      {"box askew on its equal", box, box, at(0, 0, 0.1, {0, 0, 0.5 * quarter}), 4},
      {"box at the corner of its equal", box, box, at(0.2, 0.3, 0.1), 1},
      {"box on edge, box", table, box, at(0, 0, 0.1 + 0.15 * std::sqrt(0.5), {0, 0.5 * quarter, 0}),
       2},
      {"cube on edge, box", table, cube,
       at(0, 0, 0.1 + 0.1 * std::sqrt(2.0), {0, 0.5 * quarter, 0}), 2},
      {"cube on edge, plane", plane, cube, at(0, 0, 0.1 * std::sqrt(2.0), {0, 0.5 * quarter, 0}),
       2},
      {"edge across edge", cube, cube, {edgeOn, {0.2, 0, 0.2}}, 1},
      {"sphere, static mesh", ground, SphereShape{0.1}, at(0.1, 0.2, 0.2), 1},
  };
}

bool isGround(const Rest& r) {
  return std::holds_alternative<Plane>(r.lower) || std::holds_alternative<Heightfield>(r.lower) ||
         std::string(r.name).find("static") != std::string::npos;
}

TEST(Stability, RestingListsDoNotFlicker) {
  for (const Rest& r : rests()) {
    SCOPED_TRACE(r.name);
    Scene scene;
    scene.addGeom(r.lower, {.owner = 0, .isStatic = isGround(r)});
    const GeomId upper = scene.addGeom(r.upper, {.owner = 1});
    scene.setPose(upper, r.X);
    const auto first = contacts(scene, 0.002);
    EXPECT_EQ(static_cast<int>(first.size()), r.count);
    EXPECT_NEAR(deepest(first), 0, 1e-8);  // a static mesh is ODE's, in part single precision
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
      scene.setPose(upper, shaken(r.X, random));
      const auto again = contacts(scene, 0.002);
      ASSERT_EQ(keys(again), keys(first));
      for (std::size_t k = 0; k < again.size(); ++k) {
        EXPECT_LT(norm(again[k].position - first[k].position), 1e-5);
        EXPECT_LT(norm(again[k].normal - first[k].normal), 1e-5);
      }
    }
  }
}

TEST(Stability, ATowerOfBlocksEdgeToEdgeDoesNotFlicker) {
  // SimBenchmark's Kapla: six floors of blocks whose faces touch and whose edges are flush.
  std::vector<std::pair<BoxShape, Vec3d>> blocks;
  for (int f = 0; f < 6; ++f) {
    const double z = 0.2 * f + 0.05;
    for (int j = 0; j < 8; ++j) blocks.push_back({BoxShape{{0.05, 0.25, 0.1}}, {0.2 * j, 0, z}});
    const BoxShape wall{{0.2, 0.05, 0.1}};
    for (int j = 0; j < 4; ++j) blocks.push_back({wall, {0.4 * j + 0.1, -0.1, z + 0.1}});
    for (int j = 0; j < 3; ++j) blocks.push_back({wall, {0.4 * j + 0.3, 0.1, z + 0.1}});
    for (const double x : {0.1, 1.3}) blocks.push_back({wall, {x, 0.1, z + 0.1}});
  }
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  for (const auto& [box, p] : blocks) {
    const GeomId id = scene.addGeom(box, {.owner = scene.geomCount()});
    scene.setPose(id, at(p.x, p.y, p.z));
  }
  const auto first = contacts(scene, 0.01);
  EXPECT_EQ(first.size(), 218 * 4u);
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const Vec3d& p = blocks[k].second;
      scene.setPose(GeomId(static_cast<int>(k) + 1), shaken(at(p.x, p.y, p.z), random));
    }
    const auto again = contacts(scene, 0.01);
    ASSERT_EQ(keys(again), keys(first));
    for (std::size_t k = 0; k < again.size(); ++k) {
      EXPECT_LT(norm(again[k].position - first[k].position), 1e-8);
      EXPECT_LT(norm(again[k].normal - first[k].normal), 1e-8);
    }
  }
}

std::vector<Shape> zoo() {
  return {SphereShape{0.2}, BoxShape{{0.3, 0.4, 0.2}}, CylinderShape{0.15, 0.4},
          CapsuleShape{0.1, 0.3}, boxMesh({0.2, 0.3, 0.4})};
}

/// Contacts of a crowd in which each geom is added in the given order, as (kind of crowd, ...).
std::vector<std::array<double, 8>> crowd(const std::vector<int>& order, bool strangers) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  const std::vector<Shape> shapes = zoo();
  std::mt19937 random(11);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Transformd> poses;
  for (int i = 0; i < 15; ++i) {
    poses.push_back(at(0.4 * u(random), 0.4 * u(random), 0.2 + 0.3 * u(random),
                       {u(random), u(random), u(random)}));
  }
  std::vector<int> who(1, -1);
  for (const int i : order) {
    if (strangers) {
      scene.setPose(scene.addGeom(BoxShape{{0.1, 0.1, 0.1}}), at(50 + 10 * i, 0, 30));
      who.push_back(-2);
    }
    const GeomId id = scene.addGeom(shapes[static_cast<std::size_t>(i) % 5], {.owner = i});
    scene.setPose(id, poses[i]);
    who.push_back(i);
  }
  std::vector<std::array<double, 8>> all;
  for (const ContactPoint& p : contacts(scene, 0.01)) {
    all.push_back({double(who[p.a.value]), double(who[p.b.value]), p.position.x, p.position.y,
                   p.normal.x, p.normal.z, p.depth, double(p.feature)});
  }
  return all;
}

TEST(Stability, StrangersChangeNothing) {
  std::vector<int> order(15);
  for (int i = 0; i < 15; ++i) order[i] = i;
  const auto plain = crowd(order, false);
  EXPECT_GT(plain.size(), 20u);
  EXPECT_EQ(plain, crowd(order, true));
}

TEST(Stability, OtherOrderSameDepths) {
  std::vector<int> order(15);
  for (int i = 0; i < 15; ++i) order[i] = i;
  const auto deepestOfPairs = [](const std::vector<std::array<double, 8>>& all) {
    std::map<std::pair<int, int>, double> found;
    for (const auto& c : all) {
      const std::pair<int, int> key = std::minmax(int(c[0]), int(c[1]));
      const auto it = found.try_emplace(key, c[6]).first;
      it->second = std::max(it->second, c[6]);
    }
    return found;
  };
  const auto forward = deepestOfPairs(crowd(order, false));
  std::reverse(order.begin(), order.end());
  const auto backward = deepestOfPairs(crowd(order, false));
  ASSERT_EQ(forward.size(), backward.size());
  for (const auto& [pair, depth] : forward) {
    ASSERT_TRUE(backward.count(pair));
    // Deep in each other, a pair may know two ways out that are nearly as short.
    EXPECT_NEAR(backward.at(pair), depth, 0.05 * std::abs(depth) + 1e-6)
        << pair.first << " " << pair.second;
  }
}

TEST(Stability, SwappedPairsMirror) {
  const std::vector<Shape> shapes = zoo();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      if (i == j) continue;
      SCOPED_TRACE(std::string(shapeName(shapes[i])) + " " + shapeName(shapes[j]));
      const Transformd X = at(0.1, 0.05, 0.3, {0.3, 0.2, 0.1});
      Scene one, two;
      one.addGeom(shapes[i]);
      one.setPose(one.addGeom(shapes[j]), X);
      two.setPose(two.addGeom(shapes[j]), X);
      two.addGeom(shapes[i]);
      const auto p = contacts(one, 0.1), q = contacts(two, 0.1);
      ASSERT_EQ(p.size(), q.size());
      for (std::size_t k = 0; k < p.size(); ++k) {
        EXPECT_NEAR(p[k].depth, q[k].depth, 1e-7);
        EXPECT_LT(norm(p[k].normal + q[k].normal), 1e-5);
        EXPECT_LT(norm(p[k].position - q[k].position), 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace espalier
