// What a scene keeps from call to call saves work and never shows in its answer: pairs that come,
// touch, part and pass give the contacts of a scene that has just been made, bit for bit.

#include "scene_fixture.h"

namespace espalier {
namespace {

MeshShape randomHull(unsigned seed, double size) {
  std::mt19937 random(seed);
  std::normal_distribution<double> g;
  auto data = std::make_shared<TriangleMesh>();
  for (int i = 0; i < 40; ++i) {
    data->vertices.push_back({size * g(random), size * g(random), size * g(random)});
  }
  data->triangles.push_back({0, 1, 2});
  return {"random.obj", data};
}

struct Mover {
  Shape shape;
  Vec3d p, v, turn, w;

  Transformd pose(double t) const {
    const Vec3d x = p + v * t, r = turn + w * t;
    return at(x.x, x.y, x.z, r);
  }
};

std::vector<Mover> randomMovers(unsigned seed, int n) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  const auto vec = [&](double size) {
    return Vec3d{size * u(random), size * u(random), size * u(random)};
  };
  std::vector<Mover> movers;
  for (int i = 0; i < n; ++i) {
    Mover m;
    switch (i % 5) {
      case 0: m.shape = randomHull(seed + static_cast<unsigned>(i), 0.15); break;
      case 1: m.shape = CylinderShape{0.2, 0.5}; break;
      case 2: m.shape = BoxShape{{0.3, 0.4, 0.5}}; break;
      case 3: m.shape = CapsuleShape{0.15, 0.4}; break;
      default: m.shape = boxMesh({0.5, 0.3, 0.2});
    }
    m.p = vec(0.6);
    m.v = vec(0.4);
    m.turn = vec(2);
    m.w = vec(1.5);
    movers.push_back(m);
  }
  return movers;
}

Scene sceneOf(const std::vector<Mover>& movers) {
  Scene scene;
  for (int i = 0; i < static_cast<int>(movers.size()); ++i)
    scene.addGeom(movers[i].shape, {.owner = i});
  return scene;
}

void place(Scene& scene, const std::vector<Mover>& movers, double t) {
  for (int i = 0; i < static_cast<int>(movers.size()); ++i)
    scene.setPose(GeomId(i), movers[i].pose(t));
}

void expectSame(const std::vector<ContactPoint>& a, const std::vector<ContactPoint>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].a, b[i].a);
    EXPECT_EQ(a[i].b, b[i].b);
    EXPECT_EQ(a[i].feature, b[i].feature);
    EXPECT_EQ(a[i].depth, b[i].depth);
    for (const auto& [x, y] :
         {std::pair(a[i].position, b[i].position), std::pair(a[i].normal, b[i].normal)}) {
      EXPECT_EQ(x.x, y.x);
      EXPECT_EQ(x.y, y.y);
      EXPECT_EQ(x.z, y.z);
    }
  }
}

TEST(History, DoesNotShowInTheContacts) {
  int touching = 0, apart = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const std::vector<Mover> movers = randomMovers(100 * seed, 8);
    Scene lasting = sceneOf(movers);
    for (int step = 0; step < 60; ++step) {
      // To and fro, so that what was kept on the way is met again from the other side.
      const double t = 1.5 * (step < 30 ? step : 60 - step) / 30;
      Scene fresh = sceneOf(movers);
      place(lasting, movers, t);
      place(fresh, movers, t);
      const double margin = step % 3 == 0 ? 0 : 0.02;
      const auto expected = contacts(fresh, margin);
      expectSame(contacts(lasting, margin), expected);
      expected.empty() ? ++apart : ++touching;
    }
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(apart + touching, 700);
}

}  // namespace
}  // namespace espalier
