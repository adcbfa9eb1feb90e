#include "espalier/step/history.h"

#include <cmath>
#include <limits>
#include <string>

#include "espalier/core/check.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/momentum.h"
#include "espalier/step/room.h"

namespace espalier {
namespace {

// One order of all numbers, visit(), for three archives: Writer lists them, Reader<false> looks
// whether numbers are a history of this world and changes nothing, Reader<true> takes them.

class Writer {
 public:
  static constexpr bool isReading = false, keeps = false;

  double next(double number) {
    out.push_back(number);
    return number;
  }
  std::vector<double> out;
};

/// in  takes  whether what is read goes into the world
template <bool takes>
class Reader {
 public:
  static constexpr bool isReading = true, keeps = takes;

  explicit Reader(std::span<const double> numbers) : left_(numbers) {}
  double next(double) {
    ESPALIER_REQUIRE(!left_.empty(), "the history is another world's: it is too short");
    const double x = left_.front();
    ESPALIER_REQUIRE(std::isfinite(x), "the history holds a number that is not finite");
    left_ = left_.subspan(1);
    return x;
  }
  bool isAtEnd() const { return left_.empty(); }

 private:
  std::span<const double> left_;
};

// ---- one number, or a few; each returns the value read

template <class Archive>
double pass(Archive& archive, double& number) {
  const double x = archive.next(number);
  if (Archive::keeps) number = x;
  return x;
}

void requireWhole(double x, double least, double most, const char* what) {
  ESPALIER_REQUIRE(x >= least && x <= most && x == std::floor(x),
                   "the history is another world's: it has " + std::to_string(x) + " " + what);
}

/// A whole number from `least` to `most`.
template <class Archive>
int pass(Archive& archive, int& number, int least, int most, const char* what) {
  const double x = archive.next(number);
  if (Archive::isReading) requireWhole(x, least, most, what);
  if (Archive::keeps) number = static_cast<int>(x);
  return static_cast<int>(x);
}

template <class Archive>
bool pass(Archive& archive, bool& flag) {
  const double x = archive.next(flag ? 1 : 0);
  if (Archive::isReading) requireWhole(x, 0, 1, "for yes or no");
  if (Archive::keeps) flag = x != 0;
  return x != 0;
}

template <class Archive>
void pass(Archive& archive, Vec3d& v) {
  for (double* x : {&v.x, &v.y, &v.z}) pass(archive, *x);
}

template <class Archive>
void pass(Archive& archive, Force<double>& f) {
  pass(archive, f.n);
  pass(archive, f.f);
}

/// A list whose length is the world's.
template <class Archive, class List>
void passList(Archive& archive, List& list) {
  for (auto& number : list) pass(archive, number);
}

// ---- the parts of a world

constexpr int any_low = std::numeric_limits<int>::min(), any_high = -(any_low + 1);
constexpr int most_steps = any_high / 2;

template <class Archive>
void visitWarmStart(Archive& archive, StepData& world) {
  const int count =
      pass(archive, world.warmCount, 0, static_cast<int>(world.points.size()), "contacts");
  if (Archive::isReading) makeRoomForContacts(world, count);
  for (int i = 0; i < count; ++i) {
    WarmImpulse& x = world.warm[i];
    for (int* name : {&x.a.value, &x.b.value, &x.feature})  // are compared and nothing else
      pass(archive, *name, any_low, any_high, "as a name");
    for (Vec3d* v : {&x.impulse, &x.torque, &x.position}) pass(archive, *v);
  }
}

template <class Archive>
void visit(Archive& archive, Backoff& corrections) {
  pass(archive, corrections.failures, 0, Backoff::most_failures, "failures");
  pass(archive, corrections.waiting, 0, Backoff::most_waiting, "steps to wait");
}

template <class Archive>
void visit(Archive& archive, StepData& world, System& sys) {
  passList(archive, sys.warm);
  if (Archive::keeps) sys.hasWarm = true;
  const bool knows = pass(archive, sys.knowsMomentum);
  if (Archive::isReading)
    ESPALIER_REQUIRE(!knows || hasFreeMomentum(sys),
                     "the history is another world's: it knows the momentum of a system that "
                     "keeps none");
  if (Archive::keeps) sys.knowsMomentum &= keepsMomentum(sys, world.scheme);
  pass(archive, sys.touchesStatic);
  pass(archive, sys.momentum);
  passList(archive, sys.endQ);
  passList(archive, sys.endU);
  pass(archive, sys.energyLost);
  visit(archive, sys.corrections);
  passList(archive, sys.loopImpulses);
  Loops& loops = sys.loops();
  if (!sys.hasLoops()) return;
  pass(archive, loops.knownAccelerations, 0, 2, "accelerations of one system");
  passList(archive, loops.lastAcceleration);
  passList(archive, loops.accelerationBefore);
  passList(archive, sys.lastG);
  // in  most  the numbers are whole ones from 0 to this; negative: any
  const auto list = [&](auto& numbers, double most = -1) {
    for (double& number : numbers) {
      const double x = pass(archive, number);
      if (Archive::isReading && most >= 0) requireWhole(x, 0, most, "in a count");
    }
  };
  loops.traversal.visit(list);
  loops.endpointHistory.visit(list);
  loops.midpointHistory.visit(list);
  if (Archive::keeps) resume(sys, world.qOf(sys), world.uOf(sys));
}

template <class Archive>
void visit(Archive& archive, StepData& world, FreeBody& body) {
  bool isAsleep = body.isAsleep;
  const bool sleeps = pass(archive, isAsleep);
  if (Archive::isReading)
    ESPALIER_REQUIRE(!sleeps || body.type == BodyType::DYNAMIC,
                     "the history is another world's: in it a body sleeps that cannot");
  if (Archive::keeps && body.q0 >= 0) setAsleep(world, body, isAsleep);
  pass(archive, body.quietSteps, 0, most_steps, "quiet steps");
  pass(archive, body.knowsL);
  pass(archive, body.L);
  visit(archive, body.corrections);
}

template <class Archive>
void visit(Archive& archive, StepData& world) {
  visitWarmStart(archive, world);
  for (const auto& sys : world.owned) visit(archive, world, *sys);
  for (const auto& body : world.free) visit(archive, world, *body);
  for (const auto& weld : world.welds) {
    pass(archive, weld->impulse);
    pass(archive, weld->torque);
  }
}

// ---- what a history belongs to

constexpr std::size_t key_numbers = 2;

struct Key {
  double high, low;  // 32 bits each
  bool operator==(const Key&) const = default;
};

Key keyOf(const StepData& world, const State& state) {
  std::vector<std::uint64_t> parts{hash(state)};
  for (const auto& weld : world.welds) parts.push_back(static_cast<std::uint64_t>(weld->id));
  const std::uint64_t key = hash(std::as_bytes(std::span(parts)));
  return {static_cast<double>(key >> 32), static_cast<double>(key & 0xffffffff)};
}

}  // namespace

std::vector<double> historyOf(StepData& world) {
  std::vector<double> history;
  writeHistory(world, history);
  return history;
}

void writeHistory(StepData& world, std::vector<double>& history) {
  const Key key = keyOf(world, world.state);
  Writer writer{std::move(history)};
  writer.out.clear();
  writer.out.push_back(key.high);
  writer.out.push_back(key.low);
  visit(writer, world);
  history = std::move(writer.out);
}

bool hasHistory(const StepData& world, const State& state) {
  return state.history.size() >= key_numbers &&
         Key{state.history[0], state.history[1]} == keyOf(world, state);
}

void requireHistory(StepData& world, std::span<const double> history) {
  Reader<false> reader(history.subspan(key_numbers));
  visit(reader, world);
  ESPALIER_REQUIRE(reader.isAtEnd(), "the history is another world's: it is too long");
}

void takeHistory(StepData& world, std::span<const double> history) {
  Reader<true> reader(history.subspan(key_numbers));
  visit(reader, world);
}

void goOnFrom(StepData& world, const std::vector<double>* history) {
  for (const auto& sys : world.owned) makeUnit(*sys, world.qOf(*sys));
  for (const auto& body : world.free)
    if (body->q0 >= 0) makeUnit(world.qOf(*body) + 3);
  world.clearContacts();
  forget(world);
  if (history) takeHistory(world, *history);
}

}  // namespace espalier
