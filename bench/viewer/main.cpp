// What spectators cost: a world that steps at 1 kHz, alone and with clients that take all frames, in
// turns within one run.
//
//   bench_viewer ROBOT CLIENTS SECONDS ROUNDS      prints one JSON object
//   bench_viewer --clients PORT COUNT              the clients, a process of their own
//
// Two figures of a step in each block: the CPU time of the thread that steps, which does not see what
// else the machine does, and wall-clock time, which does. A further block is paced at real time.

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "espalier/server/server.h"
#include "tests/unit/server/raw_client.h"

extern char** environ;

namespace {

using namespace espalier;
using Clock = std::chrono::steady_clock;

double threadTime() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Takes all that comes, until it is killed.
int runClients(int port, int count) {
  std::vector<std::unique_ptr<testing::RawClient>> clients;
  std::vector<pollfd> sockets;
  for (int i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<testing::RawClient>(port));
    if (clients.back()->upgrade("/ws") != 101) return 1;
    sockets.push_back({clients.back()->socket(), POLLIN, 0});
  }
  std::vector<char> bytes(1 << 16);
  while (poll(sockets.data(), sockets.size(), -1) > 0)
    for (pollfd& s : sockets)
      if (s.revents != 0 && read(s.fd, bytes.data(), bytes.size()) <= 0) s.fd = -1;
  return 0;
}

class Clients {
 public:
  Clients(const char* self, int port, int count) {
    std::string name = self, flag = "--clients", p = std::to_string(port),
                n = std::to_string(count);
    char* argv[] = {name.data(), flag.data(), p.data(), n.data(), nullptr};
    if (posix_spawn(&child_, self, nullptr, nullptr, argv, environ) != 0)
      throw std::runtime_error("the clients cannot be started");
  }
  ~Clients() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Clients(const Clients&) = delete;

 private:
  pid_t child_ = 0;
};

struct Block {
  double cpu = 0, wall = 0;  ///< s a step
};

Block measure(Server& server, double seconds) {
  long long steps = 0;
  const auto begin = Clock::now();
  const double cpu = threadTime();
  double elapsed = 0;
  while (elapsed < seconds) {
    for (int i = 0; i < 50; ++i, ++steps) server.integrateWorldThreadSafe();
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return {(threadTime() - cpu) / static_cast<double>(steps), elapsed / static_cast<double>(steps)};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void waitForSpectators(Server& server, int count) {
  while (server.spectators() != count) {
    server.integrateWorldThreadSafe();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

int run(const char* self, const std::string& file, int count, double seconds, int rounds) {
  World world;
  world.setTimeStep(0.001);
  world.addGround();
  ArticulatedSystem* robot = world.addArticulatedSystem(file);
  Eigen::VectorXd q = robot->getGeneralizedCoordinate();
  if (robot->model().topology.floating) q[2] += 0.02 - robot->getLowestCollisionPoint();
  robot->setGeneralizedCoordinate(q);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(robot->getDOF());
  robot->setPdGains(20 * robot->getTotalMass() * ones, robot->getTotalMass() * ones);
  robot->setPdTarget(q, 0 * ones);
  Server server(world);
  HttpServerOptions options;
  options.port = 0;
  server.launchServer(options);
  measure(server, 1);  // the robot comes to rest

  std::vector<double> cpuRatios, wallRatios, alone, watched;
  for (int k = 0; k < rounds; ++k) {
    Block without, with;
    const auto quiet = [&] { without = measure(server, seconds); };
    const auto busy = [&] {
      const Clients clients(self, server.port(), count);
      waitForSpectators(server, count);
      with = measure(server, seconds);
    };
    if (k % 2 == 0)
      quiet(), busy(), waitForSpectators(server, 0);
    else
      busy(), waitForSpectators(server, 0), quiet();
    cpuRatios.push_back(with.cpu / without.cpu);
    wallRatios.push_back(with.wall / without.wall);
    alone.push_back(without.cpu);
    watched.push_back(with.cpu);
  }
  double paced = 0;
  {
    const Clients clients(self, server.port(), count);
    waitForSpectators(server, count);
    server.setSpeed(1);
    paced = world.getTimeStep() / measure(server, 3).wall;
  }
  server.killServer();
  fmt::print(
      "{{\"clients\": {}, \"step_alone\": {:.4g}, \"step_watched\": {:.4g}, \"cpu_ratio\": "
      "{:.5f}, \"wall_ratio\": {:.5f}, \"real_time_factor\": {:.4f}}}\n",
      count, median(alone), median(watched), median(cpuRatios), median(wallRatios), paced);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--clients")
    return runClients(std::atoi(argv[2]), std::atoi(argv[3]));
  if (argc != 5) {
    fmt::print(stderr, "bench_viewer ROBOT CLIENTS SECONDS ROUNDS\n");
    return 2;
  }
  try {
    return run("/proc/self/exe", argv[1], std::atoi(argv[2]), std::atof(argv[3]),
               std::atoi(argv[4]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
