// Who solves which contact problems, how exactly and with how many iterations.
//
//   contact_problems [SEED]
//
// One line a family of random or built problems:
//   solved     share that converged
//   1e-8, worst   share below 1e-8 m/s, and the largest residual
//   sweeps, newton   mean iterations
//   ms, most   CPU time of a solve, mean and largest, from a cold start
// and for single contacts the largest residual over |c| + |G| |lambda|.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "espalier/contact/gauss_seidel.h"
#include "tests/unit/contact/scenes.h"

namespace {

using namespace espalier;
using namespace espalier::contact;
using namespace espalier::contact::test;

double cpuTime() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

using Draw = std::function<Scene(Rng&, int)>;

void family(const char* name, int trials, unsigned seed, const Draw& draw) {
  Rng rng(seed);
  int converged = 0, solved = 0, most = 0, least = 1 << 30;
  double worst = 0, total = 0, longest = 0, sweeps = 0, newton = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Scene scene = draw(rng, trial);
    Problem<double> problem(scene.capacity());
    GaussSeidel<double> solver(scene.capacity());
    scene.fill(problem);
    std::vector<Vec3d> lambda(static_cast<std::size_t>(scene.size()), zero3<double>());
    const double start = cpuTime();
    const auto report = solver.solve(problem, lambda.data());
    const double time = cpuTime() - start;
    least = std::min(least, scene.size());
    most = std::max(most, scene.size());
    converged += report.converged;
    solved += report.residual <= 1e-8;
    worst = std::max(worst, report.residual);
    total += time;
    longest = std::max(longest, time);
    sweeps += report.sweeps;
    newton += report.newtonSteps;
  }
  char size[32];
  std::snprintf(size, sizeof size, least == most ? "%d" : "%d-%d", least, most);
  std::printf("%-24s %9s %6d %7.1f%% %6.1f%% %9.1e %7.1f %7.1f %9.3f %9.2f\n", name, size, trials,
              100.0 * converged / trials, 100.0 * solved / trials, worst, sweeps / trials,
              newton / trials, 1e3 * total / trials, 1e3 * longest);
  std::fflush(stdout);
}

void singles(const char* name, int trials, unsigned seed, double digits, bool isSingular) {
  Rng rng(seed);
  double worst = 0, angle = 0, steps = 0;
  int above = 0, slips = 0, most = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const SingleResult r = solveToTheEnd(singleCase(rng, digits, isSingular));
    worst = std::max(worst, r.residual);
    angle = std::max(angle, r.misalignment);
    above += r.residual > 1e-12;
    slips += r.slips;
    steps += r.steps;
    most = std::max(most, r.steps);
  }
  std::printf(
      "%-24s %d problems, %d slip: residual %.1e, %d above 1e-12; misalignment %.1e rad; "
      "steps %.2f, at most %d\n",
      name, trials, slips, worst, above, angle, steps / trials, most);
}

void sweepSpeed(unsigned seed) {
  Rng rng(seed);
  const Scene scene = heap(rng, 7, 20);
  Problem<double> problem(scene.capacity());
  GaussSeidel<double> solver(scene.capacity());
  scene.fill(problem);
  SolveOptions<double> options;
  options.maxSweeps = 50;
  options.primalSteps = 0;
  double best = 1e9;
  for (int run = 0; run < 10; ++run) {
    std::vector<Vec3d> lambda(static_cast<std::size_t>(scene.size()), zero3<double>());
    const double start = cpuTime();
    solver.solve(problem, lambda.data(), options);
    best = std::min(best, cpuTime() - start);
  }
  std::printf("%-24s %d contacts: %.0f ns a contact and sweep\n", "heap by sweeps", scene.size(),
              1e9 * best / options.maxSweeps / scene.size());
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned seed = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 42;
  singles("single, cond to 1e12", 100000, seed, 12, false);
  singles("single, singular", 100000, seed, 12, true);
  sweepSpeed(seed);
  std::printf("%-24s %9s %6s %8s %7s %9s %7s %7s %9s %9s\n", "problem", "contacts", "drawn",
              "solved", "1e-8", "worst", "sweeps", "newton", "ms", "most");
  const auto ones = [](int n) { return std::vector<double>(static_cast<std::size_t>(n), 1.0); };
  family("random 4-16", 1000, seed,
         [](Rng& r, int t) { return randomBodies(r, 2 + t % 3, 4 + t % 13, 10); });
  family("random 20-60", 300, seed,
         [](Rng& r, int t) { return randomBodies(r, 4 + t % 6, 20 + t % 41, 10); });
  family("random 100-200", 11, seed,
         [](Rng& r, int t) { return randomBodies(r, 20 + 2 * t, 100 + 10 * t, 10); });
  family("mass ratio 1e4", 400, seed,
         [](Rng& r, int t) { return randomBodies(r, 3 + t % 6, 4 + t % 41, 1e4); });
  family("wedging", 300, seed,
         [](Rng& r, int t) { return randomBodies(r, 3 + t % 6, 4 + t % 41, 10, true); });
  family("box on four corners", 10, seed,
         [&](Rng&, int t) { return stack(ones(1), 0.2, 0.6, 0.001 * t); });
  family("stack of ten", 10, seed,
         [&](Rng&, int t) { return stack(ones(10), 0.2, 0.6, 0.001 * t); });
  family("1e4 on top of 1-9", 9, seed, [&](Rng&, int t) {
    auto mass = ones(1 + t);
    mass.push_back(1e4);
    return stack(mass, 0.2, 0.6, 0.0005 * t);
  });
  family("jammed between walls", 200, seed, [](Rng& r, int t) { return jammed(r, 6 + t % 60, 0); });
  family("two robots leaning", 200, seed, [](Rng& r, int t) { return leaning(r, 0.0005 * t); });
  family("heap of boxes", 6, seed, [](Rng& r, int t) { return heap(r, 2 + t % 2, 3 + t / 2); });
  return 0;
}
