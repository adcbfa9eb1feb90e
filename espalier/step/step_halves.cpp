// The two halves of a step, from the stages in step.cpp, and the energy of a world that is asked for it.

#include <limits>

#include "espalier/step/stages.h"

namespace espalier {

void prepareStep(StepData& w) {
  prepare(w);
  if (!w.monitorsEnergy || w.knowsEnergy) return;
  w.energyBefore = mechanicalEnergy(w);
  w.knowsEnergy = true;
}

void endStep(StepData& w, double work) {
  if (!w.monitorsEnergy) return;
  w.report.energy = mechanicalEnergy(w);
  w.report.energyBalance = w.report.refused > 0 ? std::numeric_limits<double>::quiet_NaN()
                                                : w.report.energy - w.energyBefore - work;
  w.energyBefore = w.report.energy;
}

void firstHalf(StepData& w) {
  try {
    evaluate(w);
    findContacts(w);
  } catch (...) {  // the contact callback's
    abandonStep(w);
    throw;
  }
  w.isBetween = true;
}

void secondHalf(StepData& w) {
  solveStep(w);
  const double work = w.monitorsEnergy ? workOfStep(w) : 0;
  finishStep(w);
  endStep(w, work);
  w.isBetween = false;
}

void stepAlone(StepData& w) {
  firstHalf(w);
  secondHalf(w);
}

}  // namespace espalier
