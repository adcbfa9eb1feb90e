// Observers: what they note, and what can be read back from their files.

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "espalier/compat/arboris/csv_logger.h"
#include "espalier/compat/arboris/hdf5_logger.h"
#include "espalier/compat/arboris/monitors.h"
#include "espalier/compat/arboris/weight_controller.h"
#include "tests/unit/arboris/scenes.h"

namespace espalier::testing {
namespace {

using sim::Stepping;

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("espalier_observers_" + name)).string();
}

TEST(Observers, EnergyOfASwing) {
  World world;
  ArticulatedSystem* arm = world.addArticulatedSystem(hangingArm(2));
  arm->setGeneralizedCoordinate(Eigen::Vector2d(1, 0.5));
  sim::EnergyMonitor energy;
  sim::PerfMonitor perf;
  simulate(world, timeline(1e-3, 500), {&energy, &perf});
  ASSERT_EQ(energy.time().size(), 501u);
  EXPECT_DOUBLE_EQ(energy.time().front(), 0);
  EXPECT_NEAR(energy.time().back(), 0.5, 1e-12);
  EXPECT_EQ(energy.kinetic().front(), 0);
  EXPECT_GT(energy.kinetic()[300], 0.1);
  for (std::size_t k = 0; k < 501; ++k)
    ASSERT_NEAR(energy.mechanical(k), energy.mechanical(0), 3e-5) << k;
  EXPECT_NEAR(energy.mechanical(500), arm->getEnergy(), 1e-12);
  EXPECT_EQ(perf.durations().size(), 500u);
  EXPECT_LE(perf.fastest(), perf.average());
  EXPECT_LE(perf.average(), perf.slowest());
}

// A robot and a single body in flight: their common centre of mass is thrown.
TEST(Observers, CentreOfMassIsThrown) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(lopsidedBody());
  SingleBodyObject* ball = world.addSphere(0.1, 3.0);
  ball->setPosition(5, 5, 5);
  ball->setVelocity(1, 0, 2, 0, 0, 0);
  Eigen::VectorXd u(6);
  u << 0, 1, 0, 1, 2, 3;
  robot->setGeneralizedVelocity(u);
  const Eigen::Vector3d pushed = robot->getLinearMomentum() + ball->getLinearMomentum();
  sim::CoMObserver com;
  simulate(world, timeline(1e-2, 50), {&com});
  const Eigen::Vector3d p = com.position()[0], v = com.velocity()[0], g(0, 0, -9.81);
  EXPECT_LT((5 * v - pushed).norm(), 1e-14);
  for (std::size_t k = 0; k < 51; ++k) {
    const double t = com.time()[k];
    ASSERT_LT((com.position()[k] - (p + v * t + g * t * t / 2)).norm(), 1e-4) << k;
    ASSERT_LT((com.velocity()[k] - (v + g * t)).norm(), 1e-4) << k;
  }
}

/// Remembers q and u as the World says them.
struct Recorder : sim::Observer {
  void init(Simulation& simulation, const std::vector<double>&) override { s = &simulation; }
  void update(double) override { note(); }
  void finish() override { note(); }
  void note() {
    std::vector<double> row{s->currentTime()};
    for (const VecDyn& x : {s->world().system(0)->getGeneralizedCoordinate(),
                            s->world().system(0)->getGeneralizedVelocity()})
      row.insert(row.end(), x.data(), x.data() + x.size());
    rows.push_back(row);
  }
  Simulation* s = nullptr;
  std::vector<std::vector<double>> rows;
};

TEST(Observers, CsvReadsBackToTheBit) {
  const std::string file = temporary("trajectory.csv");
  World world;
  world.addArticulatedSystem(hangingArm(2))->setGeneralizedCoordinate(Eigen::Vector2d(1, 0.5));
  Recorder recorder;
  sim::CsvLogger csv(file);
  simulate(world, timeline(1e-2, 20), {&recorder, &csv});
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "time,joint0.q0,joint1.q0,joint0.u0,joint1.u0");
  for (const auto& row : recorder.rows) {
    ASSERT_TRUE(std::getline(in, line));
    std::stringstream cells(line);
    std::string cell;
    for (double x : row) {
      ASSERT_TRUE(std::getline(cells, cell, ','));
      EXPECT_EQ(std::stod(cell), x);
    }
  }
  EXPECT_FALSE(std::getline(in, line));
  std::filesystem::remove(file);
  sim::CsvLogger nowhere("/no/such/folder/trajectory.csv");
  EXPECT_THROW(simulate(world, timeline(1e-2, 1), {&nowhere}), std::invalid_argument);
}

/// A whole dataset and its shape.
std::vector<double> readBack(hid_t file, const char* name, std::vector<hsize_t>& shape) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  EXPECT_GE(set, 0) << name;
  if (set < 0) return {};
  const hid_t space = H5Dget_space(set);
  shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  std::size_t count = 1;
  for (hsize_t s : shape) count *= s;
  std::vector<double> data(count);
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data());
  H5Sclose(space);
  H5Dclose(set);
  return data;
}

TEST(Observers, Hdf5ReadsBack) {
  const std::string path = temporary("trajectory.h5");
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(lopsidedBody());
  Simulation simulation(world);
  simulation.add<sim::WeightController>();
  const sim::Vector6 nu = (sim::Vector6() << 0.7, -0.4, 1.1, 0.3, 0.2, -0.5).finished();
  simulation.setGvel(nu);
  sim::Hdf5Logger log(path, {.model = true});
  simulate(simulation, timeline(1e-2, 10), {&log});

  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  std::vector<hsize_t> shape;
  EXPECT_EQ(readBack(file, "timeline", shape).size(), 11u);
  const std::vector<double> poses = readBack(file, "gpositions/body", shape);
  EXPECT_EQ(shape, (std::vector<hsize_t>{11, 4, 4}));
  EXPECT_EQ(poses, readBack(file, "transforms/body", shape));
  const VecDyn q = robot->getGeneralizedCoordinate();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(poses[10 * 16 + static_cast<std::size_t>(4 * i + 3)], q[i]);
  const std::vector<double> twists = readBack(file, "gvelocities/body", shape);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(twists[i], nu[i], 1e-15);
    EXPECT_NEAR(twists[60 + static_cast<std::size_t>(i)], simulation.gvel()[i], 1e-15);
  }
  const std::vector<double> mass = readBack(file, "model/mass", shape);
  EXPECT_EQ(shape, (std::vector<hsize_t>{10, 6, 6}));
  EXPECT_DOUBLE_EQ(mass[5 * 6 + 5], 2.0);
  H5Fclose(file);
  std::filesystem::remove(path);

  sim::Hdf5Logger nowhere("/no/such/folder/trajectory.h5");
  EXPECT_THROW(simulate(simulation, timeline(1e-2, 1), {&nowhere}), std::runtime_error);
}

}  // namespace
}  // namespace espalier::testing
