#include "espalier/model/state.h"

#include "espalier/model/coordinates.h"

namespace espalier {
namespace {

std::uint64_t fnv1a(std::uint64_t hash, std::span<const std::byte> bytes) {
  for (std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  return hash;
}

constexpr std::uint64_t basis = 0xcbf29ce484222325u;

}  // namespace

/// Of a model with loops: where they were assembled.
State neutralState(const Model& model) {
  State state{std::vector<double>(static_cast<std::size_t>(model.nq())),
              std::vector<double>(static_cast<std::size_t>(model.nv())), 0};
  neutral(model.topology, state.q.data());
  if (model.mechanism) state.q = model.mechanism->assembled;
  if (!model.bilateral.isEmpty()) state.q = model.bilateral.assembled;
  return state;
}

std::uint64_t hash(const State& state) {
  return fnv1a(fnv1a(basis, std::as_bytes(std::span(state.q))), std::as_bytes(std::span(state.u)));
}
std::uint64_t hash(std::span<const std::byte> bytes) { return fnv1a(basis, bytes); }

}  // namespace espalier
