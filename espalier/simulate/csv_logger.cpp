#include "espalier/simulate/csv_logger.h"

#include <iomanip>
#include <limits>

#include "espalier/core/check.h"
#include "espalier/simulate/joint_slots.h"

namespace espalier::sim {

void CsvLogger::init(Simulation& simulation, const std::vector<double>&) {
  simulation_ = &simulation;
  out_ = std::ofstream(file_, std::ios::trunc);
  ESPALIER_REQUIRE(out_.is_open(), "'" + file_ + "' cannot be written");
  out_ << std::setprecision(std::numeric_limits<double>::max_digits10) << "time";
  for (const bool velocities : {false, true})
    for (const auto& actor : simulation.actors())
      for (const JointSlot& joint : jointSlots(actor->model(), simulation.actors().size() > 1))
        for (int k = 0; k < (velocities ? joint.nv : joint.nq); ++k)
          out_ << ',' << joint.name << (velocities ? ".u" : ".q") << k;
  out_ << '\n';
}

void CsvLogger::update(double) { note(); }

void CsvLogger::note() {
  out_ << simulation_->currentTime();
  for (const bool velocities : {false, true})
    for (const auto& actor : simulation_->actors())
      for (double x : velocities ? actor->tree().u() : actor->tree().q()) out_ << ',' << x;
  out_ << '\n';
}

void CsvLogger::finish() {
  note();
  out_.close();
}

}  // namespace espalier::sim
