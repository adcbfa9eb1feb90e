#include "tests/unit/contact/scenes.h"

#include <algorithm>
#include <cmath>

namespace espalier::contact::test {

int Scene::addContact(int a, int b, const Vec3d& p, Vec3d n, double mu, double bias) {
  n = n * (1 / norm(n));
  const Vec3d seed = std::abs(n.z) < 0.7 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
  Vec3d t1 = cross(seed, n);
  t1 = t1 * (1 / norm(t1));
  const Vec3d axes[3] = {t1, cross(n, t1), n};
  Group group;
  group.mu = mu;
  double v[3] = {0, 0, bias};
  for (int end = 0; end < 2; ++end) {
    const int which = end == 0 ? a : b;
    if (which < 0) continue;
    const Body& body = bodies[which];
    const double sign = end == 0 ? 1 : -1;
    Rows rows{body.mover, {}, {}, {}, {}};
    for (int r = 0; r < 3; ++r) {
      const Vec3d j = axes[r] * sign, t = cross(p - body.c, j);
      v[r] += dot(j, body.v) + dot(t, body.w);
      rows.y.insert(rows.y.end(), {j.x, j.y, j.z, t.x, t.y, t.z});
      rows.yd.insert(rows.yd.end(),
                     {j.x / body.mass, j.y / body.mass, j.z / body.mass, t.x / body.inertia.x,
                      t.y / body.inertia.y, t.z / body.inertia.z});
    }
    group.sides.push_back(rows);
  }
  group.b = {v[0], v[1], v[2]};
  groups.push_back(group);
  return static_cast<int>(groups.size()) - 1;
}

void Scene::fill(Problem<double>& problem, int few) const {
  problem.clear();
  for (const Group& g : groups) {
    Side<double> sides[4];
    int n = 0;
    for (const Rows& r : g.sides) sides[n++] = r.side();
    problem.addGroup({sides, static_cast<std::size_t>(n)}, g.b, g.mu);
  }
  problem.finish(few);
}

Dense Scene::dense() const {
  Dense d(size());
  const auto row = [&](int i, int r, bool response) {
    std::vector<double> full(numbers, 0.0);
    for (const Rows& s : groups[i].sides) {
      const int n = static_cast<int>(s.y.size() / 3);
      for (int k = 0; k < n; ++k)
        full[s.mover + (s.dof.empty() ? k : s.dof[k])] += (response ? s.yd : s.y)[r * n + k];
    }
    return full;
  };
  std::vector<std::vector<double>> y, yd;
  for (int i = 0; i < size(); ++i)
    for (int r = 0; r < 3; ++r) {
      y.push_back(row(i, r, false));
      yd.push_back(row(i, r, true));
    }
  for (int r = 0; r < d.rows(); ++r)
    for (int c = 0; c < d.rows(); ++c)
      for (int k = 0; k < numbers; ++k) d.at(r, c) += y[r][k] * yd[c][k];
  for (int i = 0; i < size(); ++i) {
    d.mu[i] = groups[i].mu;
    d.b[3 * i] = groups[i].b.x;
    d.b[3 * i + 1] = groups[i].b.y;
    d.b[3 * i + 2] = groups[i].b.z;
  }
  return d;
}

Vec3d direction(Rng& rng) {
  for (;;) {
    const Vec3d a{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)};
    const double length = norm(a);
    if (length > 0.1 && length < 1) return a * (1 / length);
  }
}

SingleCase singleCase(Rng& rng, double digits, bool isSingular) {
  Vec3d q[3];
  for (Vec3d& a : q) a = {uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)};
  q[0] = q[0] * (1 / norm(q[0]));
  q[1] = nmadd(q[0], dot(q[0], q[1]), q[1]);
  q[1] = q[1] * (1 / norm(q[1]));
  q[2] = cross(q[0], q[1]);
  const double least = std::pow(10, -uniform(rng, 0, digits));
  const double values[3] = {
      1, isSingular ? uniform(rng, 1e-3, 1) : std::pow(least, uniform(rng, 0, 1)),
      isSingular ? 0 : least};
  SingleCase k;
  const Vec3d any{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 0.3)};
  k.c = isSingular ? zero3<double>() : any;
  for (int i = 0; i < 3; ++i) {
    const Vec3d& a = q[i];
    const double d = values[i];
    k.g += Sym3<double>{d * a.x * a.x, d * a.x * a.y, d * a.x * a.z,
                        d * a.y * a.y, d * a.y * a.z, d * a.z * a.z};
    if (isSingular) k.c += a * (std::sqrt(d) * uniform(rng, -1, 1));
  }
  k.mu = uniform(rng, 0.05, 1.5);
  return k;
}

SingleResult solveToTheEnd(const SingleCase& k) {
  const auto f = factorSingle(k.g, k.mu);
  const double d = (k.g.xx + k.g.yy + k.g.zz) / 3;
  SingleResult r;
  r.isSingular = f.shift > 0;
  Vec3d lambda = zero3<double>(), v = k.c;
  double size = 0;
  do {
    lambda = solveSingle(f, k.mu, lambda, v, nmadd(lambda, f.shift, k.c));
    v = mul(k.g, lambda) + k.c;
    size = norm(k.c) + 3 * d * norm(lambda);
    r.residual = residual(lambda, v, k.mu, d, 1 / d) / size;
  } while (++r.steps < 50 && r.residual > 1e-12);
  const double pull = tangentNorm(lambda), speed = tangentNorm(v);
  r.slips = lambda.z > 0 && pull >= k.mu * lambda.z * (1 - 1e-9) && speed > 1e-6 * size;
  if (r.slips) {
    const double sine = (lambda.x * v.y - lambda.y * v.x) / (pull * speed);
    const double cosine = (lambda.x * v.x + lambda.y * v.y) / (pull * speed);
    r.misalignment = std::abs(std::atan2(sine, -cosine));
  }
  return r;
}

Scene stack(const std::vector<double>& mass, double size, double mu, double push) {
  Scene scene;
  const int n = static_cast<int>(mass.size());
  for (int k = 0; k < n; ++k) {
    const double i = mass[k] * size * size / 6;
    scene.addBody({mass[k], {i, i, i}, {0, 0, (k + 0.5) * size}, {push, 0, -0.00981}, {}});
  }
  for (int k = 0; k < n; ++k)
    for (int corner = 0; corner < 4; ++corner) {
      const double x = corner & 1 ? size / 2 : -size / 2, y = corner & 2 ? size / 2 : -size / 2;
      scene.addContact(k, k - 1, {x, y, k * size}, {0, 0, 1}, mu);
    }
  return scene;
}

Scene randomBodies(Rng& rng, int bodies, int contacts, double ratio, bool wedges) {
  Scene scene;
  for (int k = 0; k < bodies; ++k) {
    const double m = std::pow(ratio, uniform(rng, 0, 1)), r = uniform(rng, 0.1, 0.3);
    const auto i = [&] { return m * r * r * uniform(rng, 0.15, 0.3); };
    const Vec3d inertia{i(), i(), i()};
    const Vec3d c{uniform(rng, -1, 1), uniform(rng, -1, 1), 0.3 * k};
    const Vec3d v = direction(rng) * 0.1, w = direction(rng) * 0.3;
    scene.addBody({m, inertia, c, {v.x, v.y, v.z - 0.05}, w});
  }
  for (int k = 0; k < contacts; ++k) {
    // Every body touches the one below it; further contacts anywhere.
    const int a = k < bodies ? k : static_cast<int>(uniform(rng, 0, bodies - 1e-9));
    const int b = k < bodies ? k - 1 : (uniform(rng, 0, 1) < 0.3 ? -1 : a - 1);
    const Vec3d n = direction(rng), out{n.x, n.y, std::abs(n.z) + 0.2};
    const Vec3d p = scene.bodies[a].c - out * uniform(rng, 0.1, 0.3);
    const double mu = uniform(rng, 0.1, 1.0), loose = 0.9 * out.z / std::hypot(out.x, out.y);
    scene.addContact(a, b, p, out, wedges ? mu : std::min(mu, loose));
  }
  return scene;
}

Scene jammed(Rng& rng, int contacts, double squeeze) {
  Scene scene;
  scene.addBody({2, {0.02, 0.03, 0.04}, {0, 0, 0}, {0.01, 0.02, -0.0981}, {0.1, 0, 0.2}});
  for (int k = 0; k < contacts; ++k) {
    const double side = k % 2 ? 1 : -1;
    const Vec3d n{-side, 0, 0}, p{0.1 * side, uniform(rng, -0.2, 0.2), uniform(rng, -0.2, 0.2)};
    scene.addContact(0, -1, p, n, 0.6, -squeeze);
  }
  return scene;
}

Scene leaning(Rng& rng, double push) {
  Scene scene;
  const int nv = 18;
  scene.numbers = 2 * nv;
  std::vector<double> response(2 * nv);
  for (int r = 0; r < 2; ++r)
    for (int k = 0; k < nv; ++k)
      response[r * nv + k] = k < 3 ? 1 / 30.0 : (k < 6 ? 1 / 1.5 : uniform(rng, 3, 30));
  const auto chain = [&](int robot, int leg, const Vec3d& r, double sign) {
    Scene::Rows rows{robot * nv, {0, 1, 2, 3, 4, 5}, {}, {}, {}};
    if (leg >= 0)
      for (int k = 0; k < 3; ++k) rows.dof.push_back(6 + 3 * leg + k);
    const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Vec3d& j : axes) {
      const Vec3d t = cross(r, j);
      std::vector<double> y = {j.x, j.y, j.z, t.x, t.y, t.z};
      while (y.size() < rows.dof.size()) y.push_back(uniform(rng, -0.4, 0.4));
      for (std::size_t k = 0; k < y.size(); ++k) {
        rows.y.push_back(sign * y[k]);
        rows.yd.push_back(sign * y[k] * response[robot * nv + rows.dof[k]]);
      }
    }
    return rows;
  };
  for (int robot = 0; robot < 2; ++robot)
    for (int leg = 0; leg < 4; ++leg) {
      Scene::Group g;
      g.sides.push_back(
          chain(robot, leg, {leg & 1 ? 0.35 : -0.35, leg & 2 ? 0.2 : -0.2, -0.45}, 1));
      g.b = {push * (robot ? -1 : 1), uniform(rng, -0.003, 0.003), -0.0098};
      scene.groups.push_back(g);
    }
  for (int k = 0; k < 2; ++k) {
    Scene::Group g;
    g.sides.push_back(chain(0, -1, {0.4, k ? 0.1 : -0.1, 0.1}, 1));
    g.sides.push_back(chain(1, k, {-0.4, k ? 0.1 : -0.1, 0.1}, -1));
    g.b = {uniform(rng, -0.01, 0.01), uniform(rng, -0.01, 0.01), -0.02};
    g.mu = 0.5;
    scene.groups.push_back(g);
  }
  return scene;
}

Scene heap(Rng& rng, int width, int layers) {
  Scene scene;
  const double size = 0.2;
  const auto index = [&](int layer, int x, int y) {
    x = std::clamp(x, 0, width - 1);
    y = std::clamp(y, 0, width - 1);
    return (layer * width + y) * width + x;
  };
  for (int layer = 0; layer < layers; ++layer)
    for (int y = 0; y < width; ++y)
      for (int x = 0; x < width; ++x) {
        const double shift = layer % 2 * 0.5 * size, i = size * size / 6;
        scene.addBody({1,
                       {i, i, i},
                       {x * size + shift, y * size + shift, (layer + 0.5) * size},
                       {uniform(rng, -0.02, 0.02), uniform(rng, -0.02, 0.02), -0.0245},
                       direction(rng) * 0.02});
      }
  for (int layer = 0; layer < layers; ++layer)
    for (int y = 0; y < width; ++y)
      for (int x = 0; x < width; ++x)
        for (int corner = 0; corner < 4; ++corner) {
          const int a = index(layer, x, y), cx = corner & 1, cy = corner >> 1;
          const int d = layer % 2 ? 0 : -1;
          const int b = layer == 0 ? -1 : index(layer - 1, x + cx + d, y + cy + d);
          const Vec3d c = scene.bodies[a].c;
          const Vec3d tilt{uniform(rng, -0.05, 0.05), uniform(rng, -0.05, 0.05), 1};
          scene.addContact(
              a, b, {c.x + (cx - 0.5) * 0.9 * size, c.y + (cy - 0.5) * 0.9 * size, layer * size},
              tilt, 0.6);
        }
  return scene;
}

}  // namespace espalier::contact::test
