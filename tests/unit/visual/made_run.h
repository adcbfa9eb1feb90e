#pragma once

// Frames made up for tests of recordings: a few bodies that swing, numbers that jump and vanish, contacts
// that come and go.

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "espalier/visual/frame.h"
#include "espalier/visual/world_capture.h"

namespace espalier {

inline Frame madeFrame(int step, std::size_t bodies = 3, std::size_t channels = 4,
                       std::uint32_t version = 1) {
  std::mt19937 random(static_cast<unsigned>(step));
  std::uniform_real_distribution<float> noise(-1, 1);
  Frame frame;
  frame.version = version;
  frame.time = step / 60.0;
  frame.flags = step % 7 == 0 ? 5u : 0u;
  for (std::size_t b = 0; b < bodies; ++b) {
    const float phase = 0.05f * static_cast<float>(step) + static_cast<float>(b);
    // Past half a turn the quaternion's sign changes, as that of a rotation matrix's does.
    const float sign = std::cos(phase) < 0 ? -1.0f : 1.0f;
    const float poses[7] = {
        std::sin(phase),       1e-3f * noise(random), 100 + phase, sign * std::cos(phase), 0, 0,
        sign * std::sin(phase)};
    frame.poses.insert(frame.poses.end(), poses, poses + 7);
  }
  for (std::size_t c = 0; c < channels; ++c) {
    const float values[4] = {std::sin(0.1f * static_cast<float>(step)), 0, 1e-9f * noise(random),
                             static_cast<float>(step % 5)};
    frame.channels.push_back(values[c % 4]);
  }
  for (int c = 0; c < step % 4; ++c) {
    ContactMark contact;
    contact.position = {0.1f * static_cast<float>(c), noise(random), 0};
    contact.normal = {0, 0.6f, 0.8f};
    contact.force = {10 * noise(random), 0, 50};
    contact.bodyA = c % 3;
    contact.bodyB = -1;
    frame.contacts.push_back(contact);
  }
  if (step % 3 == 1) frame.pushes.push_back({{1, 2, 3}, {-4, 5, 600}, 2});
  if (step % 3 != 0) frame.rays.push_back({{0, 0, 5}, {0, 0, 0.5f}, step % 3 - 2});
  return frame;
}

inline std::vector<Frame> madeFrames(int first, int count, std::size_t bodies = 3,
                                     std::size_t channels = 4) {
  std::vector<Frame> frames;
  for (int i = first; i < first + count; ++i) frames.push_back(madeFrame(i, bodies, channels));
  return frames;
}

/// A tetrahedron.
inline MeshBlob madeMesh(const std::string& hash) {
  MeshBlob mesh{hash, {}};
  const auto add = [&](const auto& value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    mesh.bytes.insert(mesh.bytes.end(), bytes, bytes + sizeof(value));
  };
  for (const std::uint32_t n : {4u, 4u, 0u, 0u}) add(n);
  for (const float x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) add(x);
  for (const std::uint32_t i : {0u, 2u, 1u, 0u, 1u, 3u, 1u, 2u, 3u, 2u, 0u, 3u}) add(i);
  return mesh;
}

inline SceneDescription madeScene(std::uint32_t version = 1) {
  SceneDescription scene;
  scene.version = version;
  scene.json = R"({"type": "scene", "version": )" + std::to_string(version) +
               R"(, "name": "made", "objects": [], "bodies": [], "channels": []})";
  scene.meshes.push_back(std::make_shared<const MeshBlob>(madeMesh("0123456789abcdef")));
  return scene;
}

}  // namespace espalier
