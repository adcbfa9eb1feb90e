#include "espalier/model/state.h"

#include <cstring>

#include "espalier/core/check.h"
#include "espalier/model/coordinates.h"

namespace espalier {
namespace {

std::uint64_t fnv1a(std::uint64_t hash, std::span<const std::byte> bytes) {
  for (std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  return hash;
}

constexpr std::uint64_t basis = 0xcbf29ce484222325u;

constexpr std::uint64_t magic = 0x3952414c41505345;  // "ESPALAR9"

template <class T>
void put(std::vector<std::byte>& bytes, const T& x) {
  const auto* first = reinterpret_cast<const std::byte*>(&x);
  bytes.insert(bytes.end(), first, first + sizeof x);
}

/// Takes numbers from the front of bytes.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class T>
  void take(T* first, std::size_t count) {
    ESPALIER_REQUIRE(count <= left_.size() / sizeof(T),
                     "the checkpoint is damaged: it is too short");
    if (count != 0) std::memcpy(first, left_.data(), count * sizeof(T));
    left_ = left_.subspan(count * sizeof(T));
  }
  std::vector<double> list() {
    std::uint64_t count = 0;
    take(&count, 1);
    ESPALIER_REQUIRE(count <= left_.size() / sizeof(double),
                     "the checkpoint is damaged: it is too short");
    std::vector<double> numbers(static_cast<std::size_t>(count));
    take(numbers.data(), numbers.size());
    return numbers;
  }
  bool isAtEnd() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

}  // namespace

/// Of a model with loops: where they were assembled.
State neutralState(const Model& model) {
  State state{model.mechanism.assembled, std::vector<double>(static_cast<std::size_t>(model.nv())),
              0};
  if (!model.bilateral.isEmpty()) state.q = model.bilateral.assembled;
  return state;
}

std::uint64_t hash(const State& state) {
  return fnv1a(fnv1a(basis, std::as_bytes(std::span(state.q))), std::as_bytes(std::span(state.u)));
}
std::uint64_t hash(std::span<const std::byte> bytes) { return fnv1a(basis, bytes); }

std::vector<std::byte> toBytes(const State& state) {
  std::vector<std::byte> bytes;
  put(bytes, magic);
  put(bytes, state.time);
  for (const auto* list : {&state.q, &state.u, &state.history}) {
    put(bytes, static_cast<std::uint64_t>(list->size()));
    const auto numbers = std::as_bytes(std::span(*list));
    bytes.insert(bytes.end(), numbers.begin(), numbers.end());
  }
  put(bytes, hash(bytes));
  return bytes;
}

State stateFromBytes(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0, header = 0;
  ESPALIER_REQUIRE(bytes.size() > sizeof sum, "these bytes are no checkpoint");
  const auto body = bytes.first(bytes.size() - sizeof sum);
  std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
  ESPALIER_REQUIRE(sum == hash(body), "the checkpoint is damaged: its checksum is wrong");
  Reader reader(body);
  reader.take(&header, 1);
  ESPALIER_REQUIRE(header == magic, "these bytes are no checkpoint");
  State state;
  reader.take(&state.time, 1);
  for (auto* list : {&state.q, &state.u, &state.history}) *list = reader.list();
  ESPALIER_REQUIRE(reader.isAtEnd(), "the checkpoint is damaged: it is too long");
  return state;
}

}  // namespace espalier
