#pragma once

// The meaning of the numbers of a frame: for every object of a scene where its poses and its
// channels begin. Made with the description (scene_builder.h), read for every frame (world_capture.cpp).
// Internal.

#include <memory>
#include <string>
#include <vector>

#include "espalier/dynamics/tree/workspace.h"
#include "espalier/visual/visual_objects.h"
#include "espalier/world/world.h"

namespace espalier {

struct Channel {
  std::string name, unit, group;
};

/// A loop of a robot, and the channel of its closure error.
struct ShownLoop {
  const Closure* closure = nullptr;
  int channel = 0;
};

/// A tendon of a robot: the first of the channels of its length and tension, and where it touches
/// the surfaces that it is led round.
struct ShownTendon {
  struct Touch {
    int segment;        ///< the one that ends there
    int first, second;  ///< first of the three channels of where it meets and leaves the surface
  };

  int length = 0;
  std::vector<Touch> touches;
  TendonState state;  ///< scratch
};

/// A robot; its bodies are followed by its rotors that are none.
struct ShownSystem {
  ShownSystem(const World& world, const ArticulatedSystem& robot, int firstBody)
      : world(&world),
        robot(&robot),
        model(robot.system().model),
        firstBody(firstBody),
        ws(model->topology) {}

  const World* world;
  const ArticulatedSystem* robot;
  std::shared_ptr<const Model> model;  ///< kept, so that its address is not another's
  int firstBody;
  /// Channels: all coordinates and rates in internal order, each followed by those of the rotors; and
  /// the motors' torques of all dofs but those of a floating base. -1: none, it is a ghost.
  int q = -1, u = -1, torque = -1;
  std::vector<ShownLoop> loops;
  std::vector<ShownTendon> tendons;
  Workspace<double> ws;  ///< scratch
};

/// A single body.
struct ShownBody {
  const World* world = nullptr;
  const SingleBodyObject* object = nullptr;
  std::shared_ptr<const BodySpec> spec;  ///< likewise
  int body = 0;
  int q = -1, u = -1;  ///< channels of its seven coordinates and six rates; -1: none
};

/// Bodies firstBody .. firstBody + count of the scene.
struct ShownObject {
  Object* object = nullptr;
  int firstBody = 0, count = 0;
};

/// A shape of the program's own.
struct ShownShape {
  const Visual* visual = nullptr;
  int body = 0;
};

struct ShownWorld {
  World* world = nullptr;
  std::vector<ShownObject> objects;  ///< in the world's order
  int step = 0;                      ///< first of the channels of a step
  int energy = -1;                   ///< first of two; -1: not monitored
};

struct SceneLayout {
  std::vector<ShownWorld> worlds;
  std::vector<ShownSystem> systems;
  std::vector<ShownBody> bodies;
  std::vector<ShownShape> shapes;
  std::vector<Channel> channels;
  int bodyCount = 0;
  /// [bodyCount] channel of the contact force on each body; -1: it has no collision shape
  std::vector<int> contactChannel;
  std::vector<Vec3d> contactForce;  ///< [bodyCount] scratch

  int addChannel(std::string name, std::string unit, std::string group) {
    channels.push_back({std::move(name), std::move(unit), std::move(group)});
    return static_cast<int>(channels.size()) - 1;
  }
};

}  // namespace espalier
