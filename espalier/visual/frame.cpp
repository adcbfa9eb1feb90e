#include "espalier/visual/frame.h"

#include <bit>
#include <cstring>

namespace espalier {
namespace {

static_assert(std::endian::native == std::endian::little, "messages are little endian");
static_assert(sizeof(ContactMark) == 44 && sizeof(PushMark) == 28 && sizeof(RayMark) == 28,
              "written as they are");

constexpr std::uint32_t frame_magic = 0x46505345;  // "ESPF"

struct Head {
  std::uint32_t magic, version;
  double time;
  std::uint32_t flags, bodies, contacts, pushes, channels, rays;
};
static_assert(sizeof(Head) == 40);

template <class T>
std::byte* write(std::byte* at, const std::vector<T>& values) {
  const std::size_t size = values.size() * sizeof(T);
  if (size > 0) std::memcpy(at, values.data(), size);
  return at + size;
}

template <class T>
const std::byte* read(const std::byte* at, std::size_t count, std::vector<T>& values) {
  values.resize(count);
  if (count > 0) std::memcpy(values.data(), at, count * sizeof(T));
  return at + count * sizeof(T);
}

}  // namespace

void encodeFrame(const Frame& frame, std::vector<std::byte>& message) {
  const Head head{frame_magic,
                  frame.version,
                  frame.time,
                  frame.flags,
                  static_cast<std::uint32_t>(frame.poses.size() / 7),
                  static_cast<std::uint32_t>(frame.contacts.size()),
                  static_cast<std::uint32_t>(frame.pushes.size()),
                  static_cast<std::uint32_t>(frame.channels.size()),
                  static_cast<std::uint32_t>(frame.rays.size())};
  message.resize(sizeof(Head) + sizeof(float) * (frame.poses.size() + frame.channels.size()) +
                 sizeof(ContactMark) * frame.contacts.size() +
                 sizeof(PushMark) * frame.pushes.size() + sizeof(RayMark) * frame.rays.size());
  std::memcpy(message.data(), &head, sizeof(Head));
  std::byte* at = write(message.data() + sizeof(Head), frame.poses);
  at = write(at, frame.contacts);
  at = write(at, frame.pushes);
  at = write(at, frame.rays);
  write(at, frame.channels);
}

std::optional<Frame> decodeFrame(std::span<const std::byte> message) {
  Head head;
  if (message.size() < sizeof(Head)) return std::nullopt;
  std::memcpy(&head, message.data(), sizeof(Head));
  const std::uint64_t size = sizeof(Head) + std::uint64_t{28} * head.bodies +
                             std::uint64_t{44} * head.contacts + std::uint64_t{28} * head.pushes +
                             std::uint64_t{28} * head.rays + std::uint64_t{4} * head.channels;
  if (head.magic != frame_magic || message.size() != size) return std::nullopt;
  Frame frame;
  frame.version = head.version;
  frame.time = head.time;
  frame.flags = head.flags;
  const std::byte* at =
      read(message.data() + sizeof(Head), std::size_t{7} * head.bodies, frame.poses);
  at = read(at, head.contacts, frame.contacts);
  at = read(at, head.pushes, frame.pushes);
  at = read(at, head.rays, frame.rays);
  read(at, head.channels, frame.channels);
  return frame;
}

}  // namespace espalier
