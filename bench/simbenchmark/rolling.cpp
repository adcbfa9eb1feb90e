// Rolling: a sledge of 10 kg carries 25 balls and is pulled over the ground by 150 N.
//
// The sledge slips on the ground, the balls roll on it without slipping. With F the pull, f1 the
// friction of the ground, f2 that of one ball, M and m the masses:
//
//   f1 = mu (M + 25 m) g,   M a_box = F - f1 - 25 f2,   m a_ball = f2,
//   a ball rolls: a_ball + f2 r^2 / I = a_box,   I = 2/5 m r^2   =>  a_box = 3.5 f2 / m
//
// Error: mean over time of |v_box - a_box t|^2 + |v_ball - a_ball t|^2, of the first ball.
#include <cmath>

#include "bench/simbenchmark/task.h"

namespace bench {
namespace {

constexpr double pull = 150, sledge = 10, mass = 1, radius = 0.5, overlap = 2e-5;
constexpr int side = 5;

double squaredDistance(const Vec3& v, const Vec3& direction, double speed) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += std::pow(v[i] - direction[i] * speed, 2);
  return sum;
}

Figures rolling(const Setup& setup, const Vec3& direction) {
  Scene scene;
  scene.dt = setup.dt;
  scene.iterations = setup.iterations;
  scene.erp = 0;
  scene.frictions = {{"ground", "box", 0.4}, {"ball", "box", 0.8}, {"ground", "ball", 0.5}};
  scene.solids.push_back(box({20, 20, 1}, sledge, {0, 0, 0.5 - overlap}));
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      scene.solids.push_back(ball(radius, mass, {i * 2.0 - 4, j * 2.0 - 4, 1.5 - 3 * overlap}));

  const double balls = side * side;
  const double f1 = 0.4 * (sledge + balls * mass) * scene.gravity;
  const double f2 = ((pull - f1) / sledge) / (3.5 / mass + balls / sledge);
  const double ofBall = f2 / mass, ofBox = 3.5 * f2 / mass;

  double sum = 0;
  Script script;
  script.sample = [&](Engine& engine, double t) {
    sum += squaredDistance(engine.velocity(0), direction, ofBox * t) +
           squaredDistance(engine.velocity(1), direction, ofBall * t);
  };
  script.drive = [&](Engine& engine, double) {
    engine.push(0, {pull * direction[0], pull * direction[1], 0});
  };
  const long steps = stepsOf(4, setup.dt);
  Figures figures = run(scene, setup, script, steps);
  figures.error = sum / static_cast<double>(steps);
  return figures;
}

}  // namespace

Figures rollingXy(const Setup& setup) { return rolling(setup, {0.5, std::sqrt(0.75), 0}); }
Figures rollingY(const Setup& setup) { return rolling(setup, {0, 1, 0}); }

}  // namespace bench
