#include "espalier/compat/arboris/csv_logger.h"

#include <iomanip>
#include <limits>
#include <stdexcept>

#include "espalier/compat/arboris/joint_slots.h"
#include "espalier/core/check.h"

namespace espalier::sim {

namespace {

/// A stream that has failed once writes nothing more, so the error would go unseen.
void requireWritten(const std::ofstream& out, const std::string& file) {
  if (!out)
    throw std::runtime_error("'" + file + "' cannot be written: the trajectory is incomplete; is " +
                             "there space left on its disk?");
}

}  // namespace

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
  requireWritten(out_, file_);
}

void CsvLogger::finish() {
  note();
  out_.close();
  requireWritten(out_, file_);
}

}  // namespace espalier::sim
