#include "espalier/world/checkpoint.h"

#include <cmath>
#include <cstring>

#include "espalier/core/check.h"
#include "espalier/model/state.h"

namespace espalier {
namespace {

constexpr std::uint64_t magic = 0x3752414c41505345;  // "ESPALAR7"

/// What is asked of every number, in one order for both ways.
class Writer {
 public:
  static constexpr bool isReading = false;

  template <class T>
  void operator()(T& x) {
    const auto* first = reinterpret_cast<const std::byte*>(&x);
    out.insert(out.end(), first, first + sizeof x);
  }
  void operator()(bool& flag) {
    auto byte = static_cast<std::uint8_t>(flag);
    (*this)(byte);
  }
  std::vector<std::byte> out;
};

class Reader {
 public:
  static constexpr bool isReading = true;

  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}
  template <class T>
  void operator()(T& x) {
    ESPALIER_REQUIRE(sizeof x <= left_.size(),
                     "the checkpoint is another world's: it is too short");
    std::memcpy(&x, left_.data(), sizeof x);
    left_ = left_.subspan(sizeof x);
  }
  void operator()(bool& flag) {
    std::uint8_t byte = 0;
    (*this)(byte);
    flag = byte != 0;
  }
  bool isAtEnd() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

/// A list whose length is the world's.
template <class Archive, class List>
void visitList(Archive& archive, List& list) {
  std::uint64_t count = list.size();
  archive(count);
  ESPALIER_REQUIRE(count == list.size(),
                   "the checkpoint is another world's: " + std::to_string(count) +
                       " numbers, not " + std::to_string(list.size()));
  for (auto& x : list) archive(x);
}

template <class Archive>
void visit(Archive& archive, WorldData& world) {
  std::uint64_t header = magic;
  archive(header);
  ESPALIER_REQUIRE(header == magic, "these bytes are no checkpoint");
  archive(world.state.time);
  visitList(archive, world.state.q);
  visitList(archive, world.state.u);
  std::int32_t warm = world.warmCount;
  archive(warm);
  ESPALIER_REQUIRE(
      warm >= 0 && static_cast<std::size_t>(warm) <= world.warm.size(),
      "the checkpoint is another world's: it has " + std::to_string(warm) + " contacts");
  world.warmCount = warm;
  for (int i = 0; i < warm; ++i) {
    WarmImpulse& x = world.warm[static_cast<std::size_t>(i)];
    archive(x.a.value);
    archive(x.b.value);
    archive(x.feature);
    archive(x.impulse);
    archive(x.torque);
    archive(x.position);
  }
  for (const auto& sys : world.owned) {
    visitList(archive, sys->warm);
    sys->hasWarm = true;
    archive(sys->knowsMomentum);
    archive(sys->touchesStatic);
    archive(sys->momentum);
    visitList(archive, sys->endQ);
    visitList(archive, sys->endU);
    if (!sys->loopImpulses.empty()) visitList(archive, sys->loopImpulses);
    if (!sys->loops) continue;
    archive(sys->loops->knownAccelerations);
    visitList(archive, sys->loops->lastAcceleration);
    visitList(archive, sys->loops->accelerationBefore);
    visitList(archive, sys->loops->bend);
    const auto each = [&](auto& list) { visitList(archive, list); };
    sys->loops->coasting.visit(each);
    sys->loops->ends.visit(each);
    sys->loops->middles.visit(each);
    if (Archive::isReading) resume(*sys, world.qOf(*sys), world.uOf(*sys));
  }
  for (const auto& body : world.free) {
    bool isAsleep = body->isAsleep;
    archive(isAsleep);
    if (Archive::isReading && body->q0 >= 0) setAsleep(world, *body, isAsleep);
    archive(body->quietSteps);
    archive(body->knowsL);
    archive(body->L);
  }
  for (const auto& weld : world.welds) {
    archive(weld->impulse);
    archive(weld->torque);
  }
}

void read(WorldData& world, std::span<const std::byte> bytes) {
  Reader reader(bytes);
  visit(reader, world);
  ESPALIER_REQUIRE(reader.isAtEnd(), "the checkpoint is another world's: it is too long");
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
  const std::vector<std::byte> before = writeCheckpoint(world);
  try {
    read(world, body);
  } catch (...) {
    read(world, std::span(before).first(before.size() - sizeof sum));
    throw;
  }
  world.knowsEnergy = false;
}

}  // namespace espalier
