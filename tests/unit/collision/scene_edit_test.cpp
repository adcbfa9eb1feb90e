// Geoms and rules that come, change and go, against scenes that were born that way.

#include <cmath>
#include <map>
#include <stdexcept>

#include "scene_fixture.h"

namespace espalier {
namespace {

/// What a scene should be, kept beside it without its bookkeeping.
struct Plan {
  struct Entry {
    Shape shape;
    GeomOptions options;
    Transformd X;
    bool isPassive = false, isEnabled = true;
  };
  std::map<int, Entry> geoms;
  std::vector<std::pair<int, int>> ignoredOwners, ignoredGeoms;

  /// The same scene, made at once.
  std::vector<ContactPoint> contactsOfAFreshScene(double margin) const {
    Scene scene;
    std::vector<int> ids;
    std::map<int, GeomId> made;
    for (const auto& [id, e] : geoms) {
      made[id] = scene.addGeom(e.shape, e.options);
      scene.setPose(made[id], e.X);
      scene.setPassive(made[id], e.isPassive);
      scene.setEnabled(made[id], e.isEnabled);
      ids.push_back(id);
    }
    for (const auto& [a, b] : ignoredOwners) scene.ignorePair(a, b);
    for (const auto& [a, b] : ignoredGeoms) {
      if (made.count(a) && made.count(b)) scene.ignore(made[a], made[b]);
    }
    auto all = contacts(scene, margin);
    for (ContactPoint& c : all) {
      c.a = GeomId(ids[c.a.value]);
      c.b = GeomId(ids[c.b.value]);
    }
    return all;
  }
};

void expectSame(const std::vector<ContactPoint>& x, const std::vector<ContactPoint>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].a, y[i].a);
    EXPECT_EQ(x[i].b, y[i].b);
    EXPECT_EQ(x[i].feature, y[i].feature);
    EXPECT_EQ(x[i].depth, y[i].depth);
    EXPECT_EQ(norm(x[i].position - y[i].position), 0);
  }
}

class SceneEdit : public ::testing::TestWithParam<int> {};

TEST_P(SceneEdit, RandomEditsAgreeWithAFreshScene) {
  const int crowd = GetParam();  // small ones list their pairs, large ones sweep
  std::mt19937 random(static_cast<unsigned>(crowd));
  const auto any = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::uniform_real_distribution<double> u(-1, 1);
  const auto pose = [&] {
    const double s = 0.06 * std::cbrt(crowd);
    return at(s * u(random), s * u(random), 0.5 * s * (1 + u(random)),
              {u(random), u(random), u(random)});
  };
  const std::vector<Shape> shapes = {SphereShape{0.08},
                                     BoxShape{{0.12, 0.1, 0.14}},
                                     CapsuleShape{0.05, 0.1},
                                     boxMesh({0.1, 0.1, 0.1}),
                                     Plane{},
                                     terrain(4, 4, 1, 1, [](double x, double y) { return x * y; })};
  Scene scene;
  Plan plan;
  const auto pick = [&] {
    return std::next(plan.geoms.begin(), any(static_cast<int>(plan.geoms.size())))->first;
  };
  std::size_t most = 0;
  for (int edit = 0; edit < 40 + 4 * crowd; ++edit) {
    const int what = static_cast<int>(plan.geoms.size()) < crowd / 2 ? 0 : any(12);
    if (what <= 2 && static_cast<int>(plan.geoms.size()) < crowd) {
      const bool ground = any(20) == 0;
      Plan::Entry e{shapes[ground ? 4 + any(2) : any(4)],
                    {.owner = any(crowd), .isStatic = ground || any(10) == 0},
                    pose()};
      const GeomId id = scene.addGeom(e.shape, e.options);
      EXPECT_FALSE(plan.geoms.count(id.value));
      scene.setPose(id, e.X);
      plan.geoms[id.value] = e;
    } else if (what <= 4) {
      const int id = pick();
      scene.removeGeom(GeomId(id));
      EXPECT_FALSE(scene.contains(GeomId(id)));
      plan.geoms.erase(id);
      std::erase_if(plan.ignoredGeoms,
                    [&](const auto& p) { return p.first == id || p.second == id; });
    } else {
      const int id = pick(), other = pick();
      const GeomId g(id);
      Plan::Entry& e = plan.geoms[id];
      const int owner = any(crowd), owner2 = any(crowd);
      switch (what) {
        case 5:
          e.options.group = std::uint64_t{1} << any(2) * 40;
          e.options.mask = any(3) == 0 ? std::uint64_t{1} << 40 : ~std::uint64_t{0};
          scene.setFilter(g, e.options.group, e.options.mask);
          break;
        case 6: scene.setOwner(g, e.options.owner = owner); break;
        case 7:
          scene.ignorePair(owner, owner2);
          plan.ignoredOwners.emplace_back(owner, owner2);
          break;
        case 8: {
          scene.allowPair(owner2, owner);
          std::erase_if(plan.ignoredOwners, [&](const auto& p) {
            return std::minmax(p.first, p.second) == std::minmax(owner, owner2);
          });
          break;
        }
        case 9:
          if (id == other) break;
          scene.ignore(g, GeomId(other));
          plan.ignoredGeoms.emplace_back(id, other);
          break;
        case 10: scene.setPassive(g, e.isPassive = any(2) == 0); break;
        default: scene.setEnabled(g, e.isEnabled = any(4) != 0); break;
      }
    }
    most = std::max(most, plan.geoms.size());
    if (edit % 5 != 0 || plan.geoms.empty()) continue;
    const int moved = pick();
    plan.geoms[moved].X = pose();
    scene.setPose(GeomId(moved), plan.geoms[moved].X);
    expectSame(contacts(scene, 0.01), plan.contactsOfAFreshScene(0.01));
    if (HasFailure()) return;
  }
  EXPECT_GE(most, static_cast<std::size_t>(crowd / 2));
}

INSTANTIATE_TEST_SUITE_P(Crowds, SceneEdit, ::testing::Values(6, 30, 60, 120));

TEST(SceneRules, IdsStayAndAreGivenAgain) {
  Scene scene;
  const GeomId a = scene.addGeom(SphereShape{1}), b = scene.addGeom(SphereShape{1}),
               c = scene.addGeom(SphereShape{1});
  EXPECT_EQ(contacts(scene).size(), 3u);
  scene.removeGeom(a);
  EXPECT_EQ(contacts(scene).size(), 1u);
  EXPECT_EQ(contacts(scene)[0].a, b);
  EXPECT_EQ(contacts(scene)[0].b, c);
  scene.removeGeom(b);
  EXPECT_EQ(scene.addGeom(BoxShape{{1, 1, 1}}), a);
  EXPECT_EQ(scene.addGeom(BoxShape{{1, 1, 1}}), b);
  EXPECT_EQ(scene.addGeom(BoxShape{{1, 1, 1}}), GeomId(3));
  EXPECT_THROW(scene.removeGeom(GeomId(4)), std::invalid_argument);
  scene.removeGeom(b);
  EXPECT_THROW(scene.removeGeom(b), std::invalid_argument);
  EXPECT_THROW(scene.setOwner(b, 1), std::invalid_argument);
}

TEST(SceneRules, ARuleDiesWithItsGeomOrItsOwner) {
  Scene scene;
  const GeomId a = scene.addGeom(SphereShape{1}, {.owner = 0});
  scene.addGeom(SphereShape{1}, {.owner = 1});
  scene.ignore(a, GeomId(1));
  EXPECT_TRUE(contacts(scene).empty());
  scene.removeGeom(a);
  scene.addGeom(SphereShape{1}, {.owner = 0});
  EXPECT_EQ(contacts(scene).size(), 1u);
  scene.ignorePair(1, 0);
  EXPECT_TRUE(contacts(scene).empty());
  scene.forgetOwner(0);
  EXPECT_EQ(contacts(scene).size(), 1u);
  scene.ignore(GeomId(0), GeomId(1));
  EXPECT_TRUE(contacts(scene).empty());
  scene.allow(GeomId(1), GeomId(0));
  EXPECT_EQ(contacts(scene).size(), 1u);
}

TEST(SceneRules, PassiveIsStaticForAWhile) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  const GeomId a = scene.addGeom(SphereShape{1}), b = scene.addGeom(SphereShape{1});
  EXPECT_EQ(contacts(scene).size(), 3u);
  scene.setPassive(a, true);
  EXPECT_EQ(contacts(scene).size(), 2u);
  scene.setPassive(b, true);
  EXPECT_TRUE(contacts(scene).empty());
  scene.setPassive(a, false);
  scene.setEnabled(b, false);
  EXPECT_EQ(contacts(scene).size(), 1u);
  RayHit hit;
  scene.setPose(b, at(5, 0, 0));
  EXPECT_FALSE(scene.raycast({5, 0, 3}, {0, 0, -1}, 2.5, hit));
  scene.setEnabled(b, true);
  EXPECT_TRUE(scene.raycast({5, 0, 3}, {0, 0, -1}, 2.5, hit));
}

TEST(SceneRules, AMeshChangesItsNatureWithItsBody) {
  Scene scene;
  const GeomId mesh = scene.addGeom(boxMesh({1, 1, 1}), {.owner = 0});
  const GeomId hull = scene.addGeom(boxMesh({1, 1, 1}), {.owner = 1});
  scene.setPose(hull, at(0.1, 0.2, 0.99));
  EXPECT_EQ(contacts(scene).size(), 4u);
  scene.setStatic(mesh, true);
  EXPECT_TRUE(scene.build().all().empty());  // triangles meet hulls, too
  EXPECT_EQ(contacts(scene).size(), 4u);
  const GeomId ball = scene.addGeom(SphereShape{0.1}, {.owner = 2});
  scene.setPose(ball, at(-0.45, -0.45, 0.55));
  EXPECT_EQ(contacts(scene).size(), 5u);
  scene.setStatic(mesh, false);
  EXPECT_EQ(contacts(scene).size(), 5u);
  EXPECT_TRUE(scene.build().all().empty());
}

TEST(SceneRules, NaNPosesTouchNothing) {
  const std::vector<Shape> shapes = {SphereShape{0.2}, BoxShape{{0.3, 0.4, 0.2}},
                                     CylinderShape{0.15, 0.4}, CapsuleShape{0.1, 0.3},
                                     boxMesh({0.2, 0.3, 0.4})};
  for (const bool crowded : {false, true}) {
    Scene scene;
    scene.addGeom(Plane{}, {.isStatic = true});
    scene.addGeom(terrain(4, 4, 9, 9, [](double, double) { return 0.0; }), {.isStatic = true});
    for (int i = 0; i < (crowded ? 60 : 10); ++i) {
      scene.addGeom(shapes[static_cast<std::size_t>(i) % 5]);
    }
    for (int i = 2; i < scene.geomCount(); ++i) scene.setPose(GeomId(i), at(2 * i, 0, 5));
    for (const double bad : {double{NAN}, double{INFINITY}, -double{INFINITY}}) {
      for (int i = 2; i < 12; ++i) {
        const Vec3d p{i % 3 == 0 ? bad : 0.0, i % 3 == 1 ? bad : 0.0, i % 3 == 2 ? bad : 0.0};
        scene.setPose(GeomId(i), {identity3<double>(), p});
      }
      for (const ContactPoint& c : contacts(scene, 0.01)) {
        EXPECT_EQ(c.depth, c.depth);
        EXPECT_EQ(norm(c.position), norm(c.position));
      }
    }
  }
}

TEST(SceneRules, ManyGeomsOfOneOwnerMeetOthersButNotEachOther) {
  // A compound: a frame of overlapping bars and a ball in each corner, lying on a table.
  Scene scene;
  const GeomId table = scene.addGeom(BoxShape{{4, 4, 1}}, {.isStatic = true});
  scene.setPose(table, at(0, 0, -0.5));
  std::vector<GeomId> parts;
  for (const int side : {-1, 1}) {
    parts.push_back(scene.addGeom(BoxShape{{1, 0.1, 0.1}}, {.owner = 0}));
    scene.setPose(parts.back(), at(0, 0.45 * side, 0.05));
    parts.push_back(scene.addGeom(BoxShape{{0.1, 1, 0.1}}, {.owner = 0}));
    scene.setPose(parts.back(), at(0.45 * side, 0, 0.05));
    parts.push_back(scene.addGeom(SphereShape{0.05}, {.owner = 0}));
    scene.setPose(parts.back(), at(0.45 * side, 0.45, 0.05));
  }
  const auto c = contacts(scene, 0.001);
  EXPECT_EQ(c.size(), 4 * 4u + 2u);
  std::map<std::tuple<int, int, int>, int> seen;
  for (const ContactPoint& p : c) {
    EXPECT_EQ(p.a, table);
    EXPECT_EQ((++seen[{p.a.value, p.b.value, p.feature}]), 1);
  }
  const GeomId guest = scene.addGeom(SphereShape{0.1}, {.owner = 1});
  scene.setPose(guest, at(0.45, 0.45, 0.19));
  EXPECT_EQ(contacts(scene, 0.001).size(), c.size() + 3);
}

}  // namespace
}  // namespace espalier
