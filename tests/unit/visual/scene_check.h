#pragma once

// What every scene and every frame must keep to (docs/viewer_protocol.md): fields, indices, counts,
// numbers. Each breach is a test failure.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "espalier/visual/world_capture.h"

namespace espalier::testing {

inline void checkNumbers(const nlohmann::json& numbers, std::size_t count, const std::string& of) {
  ASSERT_TRUE(numbers.is_array() && numbers.size() == count) << of << ": " << numbers.dump();
  for (const auto& x : numbers)
    ASSERT_TRUE(x.is_number() && std::isfinite(x.get<double>())) << of << ": " << numbers.dump();
}

inline void checkPose(const nlohmann::json& pose, const std::string& of) {
  ASSERT_NO_FATAL_FAILURE(checkNumbers(pose, 7, of));
  double square = 0;
  for (int i = 3; i < 7; ++i) square += pose[i].get<double>() * pose[i].get<double>();
  EXPECT_NEAR(square, 1, 1e-9) << of << ": " << pose.dump();
}

inline void checkShape(const nlohmann::json& shape, const std::set<std::string>& meshes) {
  const std::string of = "shape " + shape.value("name", "?");
  ASSERT_NO_FATAL_FAILURE(checkPose(shape.at("pose"), of));
  ASSERT_NO_FATAL_FAILURE(checkNumbers(shape.at("color"), 4, of));
  EXPECT_TRUE(shape.at("material").is_string()) << of;
  const std::string kind = shape.at("kind");
  const auto length = [&](const char* name) {
    const double x = shape.at(name);
    EXPECT_TRUE(std::isfinite(x) && x >= 0) << of << ": " << name << " " << x;
  };
  if (kind == "box")
    checkNumbers(shape.at("size"), 3, of);
  else if (kind == "ellipsoid")
    checkNumbers(shape.at("radii"), 3, of);
  else if (kind == "sphere")
    length("radius");
  else if (kind == "cylinder" || kind == "capsule")
    length("radius"), length("height");
  else if (kind == "mesh")
    EXPECT_TRUE(meshes.count(shape.at("mesh"))) << of;
  else if (kind == "missing")
    EXPECT_FALSE(shape.at("file").get<std::string>().empty()) << of;
  else
    EXPECT_EQ(kind, "plane") << of;
}

/// Vertices are finite, triangles point at them, the size is right.
inline void checkMesh(const MeshBlob& mesh, const nlohmann::json& described) {
  ASSERT_EQ(mesh.hash.size(), 16u);
  ASSERT_GE(mesh.bytes.size(), 16u);
  std::uint32_t head[4];
  std::memcpy(head, mesh.bytes.data(), sizeof head);
  EXPECT_EQ(described.at("vertices"), head[0]);
  EXPECT_EQ(described.at("triangles"), head[1]);
  const std::size_t n = head[0], m = head[1];
  ASSERT_EQ(mesh.bytes.size(), 16 + 12 * (n + m) + (head[2] & 1 ? 4 * n : 0));
  std::vector<float> x(3 * n);
  std::vector<std::uint32_t> corners(3 * m);
  std::memcpy(x.data(), mesh.bytes.data() + 16, 12 * n);
  std::memcpy(corners.data(), mesh.bytes.data() + 16 + 12 * n, 12 * m);
  for (float number : x) ASSERT_TRUE(std::isfinite(number));
  for (std::uint32_t corner : corners) ASSERT_LT(corner, n);
}

inline void checkJoint(const nlohmann::json& joint, int channels) {
  const std::string of = "joint " + joint.at("name").get<std::string>();
  for (const auto& axis : joint.at("axes")) {
    ASSERT_NO_FATAL_FAILURE(checkNumbers(axis, 3, of));
    EXPECT_NEAR(std::hypot(double(axis[0]), double(axis[1]), double(axis[2])), 1, 1e-9) << of;
  }
  EXPECT_TRUE(joint.at("isIndependent").is_boolean());
  const int q = joint.at("q"), nq = joint.at("coordinates"), u = joint.at("u"),
            nv = joint.at("dofs");
  EXPECT_TRUE(q >= 0 && nq > 0 && q + nq <= channels) << of;
  EXPECT_TRUE(u >= 0 && nv > 0 && u + nv <= channels) << of;
  const auto& limits = joint.at("limits");
  if (limits.is_null()) return;
  EXPECT_EQ(nv, 1) << of;
  ASSERT_EQ(limits.size(), 2u) << of;
  if (limits[0].is_number() && limits[1].is_number()) {
    EXPECT_LE(double(limits[0]), double(limits[1])) << of;
  }
}

/// The scene and a frame of it, and the overlay that belongs to it, if any.
inline void checkScene(const SceneDescription& description, const Frame& frame,
                       const nlohmann::json& overlay = nlohmann::json::object()) {
  const auto scene = nlohmann::json::parse(description.json);
  EXPECT_EQ(scene.at("type"), "scene");
  EXPECT_EQ(scene.at("version"), description.version);
  EXPECT_EQ(frame.version, description.version);
  const auto &bodies = scene.at("bodies"), &objects = scene.at("objects"),
             &channels = scene.at("channels");
  const int bodyCount = static_cast<int>(bodies.size()),
            channelCount = static_cast<int>(channels.size());
  ASSERT_EQ(frame.poses.size(), 7 * bodies.size());
  ASSERT_EQ(frame.channels.size(), channels.size());

  std::set<std::string> meshes;
  ASSERT_EQ(scene.at("meshes").size(), description.meshes.size());
  for (std::size_t i = 0; i < description.meshes.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(checkMesh(*description.meshes[i], scene["meshes"][i]));
    EXPECT_EQ(scene["meshes"][i].at("hash"), description.meshes[i]->hash);
    EXPECT_TRUE(meshes.insert(description.meshes[i]->hash).second);
  }

  int next = 0;  // objects have the bodies one after another
  for (const auto& object : objects) {
    ASSERT_EQ(object.at("bodies").at(0), next);
    next += object.at("bodies").at(1).get<int>();
    EXPECT_LT(object.at("world").get<int>(), scene.at("worlds").get<int>());
  }
  EXPECT_EQ(next, bodyCount);

  std::set<std::string> used;
  for (int b = 0; b < bodyCount; ++b) {
    const auto& body = bodies[b];
    const int parent = body.at("parent"), object = body.at("object");
    EXPECT_TRUE(parent >= -1 && parent < b) << body.at("name");
    ASSERT_LT(object, static_cast<int>(objects.size()));
    const auto& range = objects[object]["bodies"];
    EXPECT_TRUE(b >= int(range[0]) && b < int(range[0]) + int(range[1]));
    EXPECT_GE(double(body.at("mass")), 0);
    checkNumbers(body.at("com"), 3, "com");
    if (!body.at("inertiaBox").is_null()) {
      checkNumbers(body["inertiaBox"].at("size"), 3, "inertia box");
      checkPose(body["inertiaBox"].at("pose"), "inertia box");
    }
    for (const auto& f : body.at("frames")) checkPose(f.at("pose"), f.at("name"));
    if (!body.at("joint").is_null()) checkJoint(body["joint"], channelCount);
    for (const char* list : {"visuals", "collisions"})
      for (const auto& shape : body.at(list)) {
        checkShape(shape, meshes);
        if (shape.at("kind") == "mesh") used.insert(shape.at("mesh"));
      }
  }
  for (const auto& instances : overlay.value("instances", nlohmann::json::array()))
    if (instances.at("shape").at("kind") == "mesh") used.insert(instances["shape"].at("mesh"));
  EXPECT_EQ(used, meshes);  // none is sent that nobody shows
  for (const auto& loop : scene.at("loops")) {
    for (const char* end : {"a", "b"}) {
      EXPECT_TRUE(int(loop.at(end)) >= -1 && int(loop.at(end)) < bodyCount);
    }
    checkNumbers(loop.at("pointA"), 3, loop.at("name"));
    checkNumbers(loop.at("pointB"), 3, loop.at("name"));
    const int channel = loop.at("channel");
    ASSERT_TRUE(channel >= 0 && channel < channelCount);
    EXPECT_EQ(channels[channel].at("group"), "loop");
  }
  for (const auto& tendon : scene.at("tendons"))
    for (const auto& segment : tendon.at("segments")) {
      ASSERT_EQ(segment.size(), 2u) << tendon.at("name");
      for (const auto& end : segment) {
        if (end.contains("channel")) {
          EXPECT_LE(int(end["channel"]) + 3, channelCount) << tendon.at("name");
          continue;
        }
        EXPECT_TRUE(int(end.at("body")) >= -1 && int(end.at("body")) < bodyCount);
        checkNumbers(end.at("point"), 3, tendon.at("name"));
      }
    }
  std::set<std::string> names;
  for (const auto& channel : channels)
    EXPECT_TRUE(names.insert(channel.at("name")).second) << channel.at("name");
  for (float x : frame.poses) ASSERT_TRUE(std::isfinite(x));
  for (std::size_t i = 0; i < frame.channels.size(); ++i)
    EXPECT_TRUE(std::isfinite(frame.channels[i])) << channels[i].at("name");
  for (const ContactMark& c : frame.contacts)
    EXPECT_TRUE(c.bodyA >= 0 && c.bodyA < bodyCount && c.bodyB >= -1 && c.bodyB < bodyCount);
}

}  // namespace espalier::testing
