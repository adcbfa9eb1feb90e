#include "espalier/model/state.h"

#include <cstring>

#include "espalier/model/coordinates.h"

namespace espalier {
namespace {

std::uint64_t fnv1a(std::uint64_t hash, const std::vector<double>& numbers) {
  for (double x : numbers) {
    unsigned char bytes[sizeof x];
    std::memcpy(bytes, &x, sizeof x);
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace

State neutralState(const Model& model) {
  State state{std::vector<double>(static_cast<std::size_t>(model.nq())),
              std::vector<double>(static_cast<std::size_t>(model.nv())), 0};
  neutral(model.topology, state.q.data());
  return state;
}

std::uint64_t hash(const State& state) {
  return fnv1a(fnv1a(0xcbf29ce484222325u, state.q), state.u);
}

}  // namespace espalier
