#include "espalier/world/checkpoint.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "espalier/core/check.h"
#include "espalier/model/state.h"
#include "espalier/step/momentum.h"

namespace espalier {
namespace {

constexpr std::uint64_t magic = 0x3852414c41505345;  // "ESPALAR8"

// One order of all numbers, visit(), for three archives: Writer puts them down, Reader<false> looks
// whether bytes are a checkpoint of this world and changes nothing, Reader<true> takes them.

class Writer {
 public:
  static constexpr bool isReading = false, keeps = false;

  template <class T>
  void operator()(T& x) {
    const auto* first = reinterpret_cast<const std::byte*>(&x);
    out.insert(out.end(), first, first + sizeof x);
  }
  std::vector<std::byte> out;
};

/// in  takes  whether what is read goes into the world
template <bool takes>
class Reader {
 public:
  static constexpr bool isReading = true, keeps = takes;

  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}
  template <class T>
  void operator()(T& x) {
    ESPALIER_REQUIRE(sizeof x <= left_.size(),
                     "the checkpoint is another world's: it is too short");
    std::memcpy(&x, left_.data(), sizeof x);
    left_ = left_.subspan(sizeof x);
  }
  bool isAtEnd() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

// ---- one number, or a few; each returns the value read

template <class Archive>
double pass(Archive& archive, double& number) {
  double x = number;
  archive(x);
  if (Archive::isReading)
    ESPALIER_REQUIRE(std::isfinite(x), "the checkpoint holds a number that is not finite");
  if (Archive::keeps) number = x;
  return x;
}

/// A whole number from `least` to `most`.
template <class Archive>
int pass(Archive& archive, int& number, int least, int most, const char* what) {
  std::int32_t x = number;
  archive(x);
  if (Archive::isReading)
    ESPALIER_REQUIRE(x >= least && x <= most,
                     "the checkpoint is another world's: it has " + std::to_string(x) + " " + what);
  if (Archive::keeps) number = x;
  return x;
}

template <class Archive>
bool pass(Archive& archive, bool& flag) {
  auto x = static_cast<std::uint8_t>(flag);
  archive(x);
  if (Archive::isReading)
    ESPALIER_REQUIRE(x <= 1, "the checkpoint holds " + std::to_string(x) + " for yes or no");
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
///   in  most  its numbers are whole ones from 0 to this; negative: any
template <class Archive, class List>
void passList(Archive& archive, List& list, double most = -1) {
  std::uint64_t count = list.size();
  archive(count);
  ESPALIER_REQUIRE(count == list.size(),
                   "the checkpoint is another world's: " + std::to_string(count) +
                       " numbers, not " + std::to_string(list.size()));
  for (auto& number : list) {
    if constexpr (std::is_same_v<decltype(number), double&>) {
      const double x = pass(archive, number);
      if (Archive::isReading && most >= 0)
        ESPALIER_REQUIRE(x >= 0 && x <= most && x == std::floor(x),
                         "the checkpoint is another world's: it counts " + std::to_string(x));
    } else {
      pass(archive, number);
    }
  }
}

// ---- the parts of a world

template <class Archive>
void visit(Archive& archive, State& state) {
  std::uint64_t header = magic;
  archive(header);
  ESPALIER_REQUIRE(header == magic, "these bytes are no checkpoint");
  pass(archive, state.time);
  passList(archive, state.q);
  passList(archive, state.u);
}

constexpr int any_low = std::numeric_limits<int>::min(), any_high = -(any_low + 1);
constexpr int most_steps = any_high / 2;

template <class Archive>
void visitWarmStart(Archive& archive, StepData& world) {
  const int count =
      pass(archive, world.warmCount, 0, static_cast<int>(world.warm.size()), "contacts");
  for (int i = 0; i < count; ++i) {
    WarmImpulse& x = world.warm[static_cast<std::size_t>(i)];
    for (int* name : {&x.a.value, &x.b.value, &x.feature})  // are compared and nothing else
      pass(archive, *name, any_low, any_high, "as a name");
    for (Vec3d* v : {&x.impulse, &x.torque, &x.position}) pass(archive, *v);
  }
}

template <class Archive>
void visit(Archive& archive, StepData& world, System& sys) {
  passList(archive, sys.warm);
  if (Archive::keeps) sys.hasWarm = true;
  const bool knows = pass(archive, sys.knowsMomentum);
  if (Archive::isReading)
    ESPALIER_REQUIRE(!knows || hasFreeMomentum(sys),
                     "the checkpoint is another world's: it knows the momentum of a system that "
                     "keeps none");
  if (Archive::keeps) sys.knowsMomentum &= keepsMomentum(sys, world.scheme);
  pass(archive, sys.touchesStatic);
  pass(archive, sys.momentum);
  passList(archive, sys.endQ);
  passList(archive, sys.endU);
  pass(archive, sys.energyLost);
  if (!sys.loopImpulses.empty()) passList(archive, sys.loopImpulses);
  if (!sys.loops) return;
  Loops& loops = *sys.loops;
  pass(archive, loops.knownAccelerations, 0, 2, "accelerations of one system");
  passList(archive, loops.lastAcceleration);
  passList(archive, loops.accelerationBefore);
  passList(archive, loops.lastG);
  const auto list = [&](auto& numbers, double most = -1) { passList(archive, numbers, most); };
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
                     "the checkpoint is another world's: in it a body sleeps that cannot");
  if (Archive::keeps && body.q0 >= 0) setAsleep(world, body, isAsleep);
  pass(archive, body.quietSteps, 0, most_steps, "quiet steps");
  pass(archive, body.knowsL);
  pass(archive, body.L);
}

template <class Archive>
void visit(Archive& archive, StepData& world) {
  visit(archive, world.state);
  visitWarmStart(archive, world);
  for (const auto& sys : world.owned) visit(archive, world, *sys);
  for (const auto& body : world.free) visit(archive, world, *body);
  for (const auto& weld : world.welds) {
    pass(archive, weld->impulse);
    pass(archive, weld->torque);
  }
}

}  // namespace

std::vector<std::byte> writeCheckpoint(WorldData& world) {
  Writer writer;
  visit(writer, world);
  std::uint64_t sum = hash(writer.out);
  writer(sum);
  return std::move(writer.out);
}

void readCheckpoint(WorldData& world, std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  ESPALIER_REQUIRE(bytes.size() > sizeof sum, "these bytes are no checkpoint");
  const auto body = bytes.first(bytes.size() - sizeof sum);
  std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
  ESPALIER_REQUIRE(sum == hash(body), "the checkpoint is damaged: its checksum is wrong");
  State state = world.state;
  Reader<true> head(body);
  visit(head, state);
  requireState(world, state);
  Reader<false> check(body);
  visit(check, world);
  ESPALIER_REQUIRE(check.isAtEnd(), "the checkpoint is another world's: it is too long");

  Reader<true> reader(body);
  visit(reader, world);
  world.clearContacts();
  world.knowsEnergy = false;
}

}  // namespace espalier
