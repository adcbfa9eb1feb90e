// State as a value, keyframes, checkpoints.

#include <cmath>
#include <cstring>

#include "espalier/core/check.h"
#include "espalier/world/free_bodies.h"
#include "espalier/world/objects.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

/// A checkpoint is a header and then arrays of numbers, each with its count before it.
inline constexpr std::uint64_t checkpoint_magic = 0x3152414c41505345;  // "ESPALAR1"

class Writer {
 public:
  void number(std::uint64_t x) { bytes(&x, sizeof x); }
  void numbers(const double* x, std::size_t count) {
    number(count);
    bytes(x, count * sizeof *x);
  }
  template <class T>
  void raw(const T& x) {
    bytes(&x, sizeof x);
  }
  std::vector<std::byte> out;

 private:
  void bytes(const void* x, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(x);
    out.insert(out.end(), first, first + size);
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}
  std::uint64_t number() {
    std::uint64_t x;
    raw(x);
    return x;
  }
  void numbers(double* x, std::size_t count) {
    ESPALIER_REQUIRE(number() == count, "the checkpoint is another world's");
    bytes(x, count * sizeof *x);
  }
  template <class T>
  void raw(T& x) {
    bytes(&x, sizeof x);
  }
  bool isAtEnd() const { return left_.empty(); }

 private:
  void bytes(void* x, std::size_t size) {
    ESPALIER_REQUIRE(size <= left_.size(), "the checkpoint is damaged: it ends too early");
    if (size > 0) std::memcpy(x, left_.data(), size);
    left_ = left_.subspan(size);
  }
  std::span<const std::byte> left_;
};

void writeVector(Writer& w, const Vec3d& v) {
  const double x[3] = {v.x, v.y, v.z};
  w.numbers(x, 3);
}
void readVector(Reader& r, Vec3d& v) {
  double x[3];
  r.numbers(x, 3);
  v = {x[0], x[1], x[2]};
}

void requireFinite(const State& state) {
  for (const auto* numbers : {&state.q, &state.u})
    for (double x : *numbers) ESPALIER_REQUIRE(std::isfinite(x), "a state must be finite");
  ESPALIER_REQUIRE(std::isfinite(state.time), "the time of a state must be finite");
}

}  // namespace

const State& World::getState() const { return data_->state; }
void World::setState(const State& state) {
  WorldData& w = *data_;
  requireBetweenSteps(w);
  ESPALIER_REQUIRE(state.q.size() == w.state.q.size() && state.u.size() == w.state.u.size(),
                   "the state is another world's: " + std::to_string(state.q.size()) +
                       " coordinates, not " + std::to_string(w.state.q.size()));
  requireFinite(state);
  w.state = state;
  for (const auto& sys : w.owned) makeUnit(*sys, w.qOf(*sys));
  for (const auto& body : w.free)
    if (body->q0 >= 0) makeUnit(w.qOf(*body) + 3);
  forget(w);
}
std::uint64_t World::stateHash() const { return hash(data_->state); }

std::vector<std::byte> World::saveCheckpoint() const {
  WorldData& w = *data_;
  requireBetweenSteps(w);
  Writer out;
  out.number(checkpoint_magic);
  out.raw(w.state.time);
  out.numbers(w.state.q.data(), w.state.q.size());
  out.numbers(w.state.u.data(), w.state.u.size());
  out.number(static_cast<std::uint64_t>(w.warmCount));
  for (int i = 0; i < w.warmCount; ++i) {
    const WarmImpulse& x = w.warm[static_cast<std::size_t>(i)];
    out.raw(x.a.value);
    out.raw(x.b.value);
    out.raw(x.feature);
    writeVector(out, x.impulse);
    writeVector(out, x.torque);
  }
  for (const auto& sys : w.owned) {
    out.numbers(sys->warm.data(), sys->warm.size());
    out.raw(sys->knowsMomentum);
    out.raw(sys->touchesStatic);
    writeVector(out, sys->momentum.n);
    writeVector(out, sys->momentum.f);
    out.numbers(sys->endQ.data(), sys->endQ.size());
    out.numbers(sys->endU.data(), sys->endU.size());
  }
  for (const auto& body : w.free) {
    out.raw(body->knowsL);
    writeVector(out, body->L);
  }
  for (const auto& weld : w.welds) {
    writeVector(out, weld->impulse);
    writeVector(out, weld->torque);
  }
  return out.out;
}

void World::restoreCheckpoint(std::span<const std::byte> bytes) {
  WorldData& w = *data_;
  requireBetweenSteps(w);
  prepare(w);
  const std::vector<std::byte> before = saveCheckpoint();  // all or nothing
  const auto read = [&](std::span<const std::byte> from) {
    Reader in(from);
    ESPALIER_REQUIRE(in.number() == checkpoint_magic, "these bytes are no checkpoint");
    in.raw(w.state.time);
    in.numbers(w.state.q.data(), w.state.q.size());
    in.numbers(w.state.u.data(), w.state.u.size());
    requireFinite(w.state);
    const std::uint64_t warm = in.number();
    ESPALIER_REQUIRE(warm <= w.warm.size(), "the checkpoint is another world's: it has " +
                                                std::to_string(warm) + " contacts");
    w.warmCount = static_cast<int>(warm);
    for (int i = 0; i < w.warmCount; ++i) {
      WarmImpulse& x = w.warm[static_cast<std::size_t>(i)];
      in.raw(x.a.value);
      in.raw(x.b.value);
      in.raw(x.feature);
      readVector(in, x.impulse);
      readVector(in, x.torque);
    }
    for (const auto& sys : w.owned) {
      in.numbers(sys->warm.data(), sys->warm.size());
      in.raw(sys->knowsMomentum);
      in.raw(sys->touchesStatic);
      readVector(in, sys->momentum.n);
      readVector(in, sys->momentum.f);
      in.numbers(sys->endQ.data(), sys->endQ.size());
      in.numbers(sys->endU.data(), sys->endU.size());
    }
    for (const auto& body : w.free) {
      in.raw(body->knowsL);
      readVector(in, body->L);
    }
    for (const auto& weld : w.welds) {
      readVector(in, weld->impulse);
      readVector(in, weld->torque);
    }
    ESPALIER_REQUIRE(in.isAtEnd(), "the checkpoint is another world's: it is too long");
  };
  try {
    read(bytes);
  } catch (...) {
    read(before);
    throw;
  }
  w.knowsEnergy = false;
}

void World::saveKeyframe(const std::string& name) { data_->keyframes[name] = saveCheckpoint(); }
void World::reset(const std::string& keyframe) {
  const auto found = data_->keyframes.find(keyframe);
  ESPALIER_REQUIRE(found != data_->keyframes.end(), "there is no keyframe '" + keyframe + "'");
  restoreCheckpoint(found->second);
}
void World::reset() {
  WorldData& w = *data_;
  requireBetweenSteps(w);
  for (int i = 0; i < objectCount(); ++i) resetObject(w, i);
  w.state.time = 0;
  w.contactCount = 0;
  forget(w);
}

}  // namespace espalier
