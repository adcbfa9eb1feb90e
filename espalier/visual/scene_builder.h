#pragma once

// The message `scene` of worlds side by side, and the meaning of the numbers in a frame. Internal.

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "espalier/visual/mesh_blob.h"
#include "espalier/visual/scene_layout.h"
#include "espalier/visual/visuals.h"

namespace espalier {

class SceneBuilder {
 public:
  /// io  meshes  gets the meshes of all shapes
  explicit SceneBuilder(MeshStore& meshes) : meshes_(meshes) {}

  /// in  index   of the world, in its objects
  /// in  prefix  of its channels' names
  void addWorld(World& world, int index, const std::string& prefix);

  /// What the program draws: its shapes that are of constant looks, and its ghosts; the meshes of what
  /// the overlay draws, too.
  void addVisuals(const Visuals& visuals);

  SceneLayout layout;
  nlohmann::json objects = nlohmann::json::array();
  nlohmann::json bodies = nlohmann::json::array();
  nlohmann::json loops = nlohmann::json::array();
  nlohmann::json tendons = nlohmann::json::array();

 private:
  void addObject(const std::string& name, const char* kind, int world);
  /// The name, or where it is taken NAME 2, NAME 3 ...
  std::string uniqueName(const std::string& name);
  // Their channels are called PREFIX..., NAME/...; a ghost has none.
  void addSystem(const World& world, const ArticulatedSystem& robot, const std::string& prefix,
                 const Vec<4>* ghostColor = nullptr);
  void addChannels(ShownSystem& shown, const std::string& prefix);
  void addSingleBody(World& world, const SingleBodyObject& object, const std::string& name,
                     bool hasChannels);
  nlohmann::json bodyOf(const ShownSystem& shown, int body);
  nlohmann::json rotorOf(const ShownSystem& shown, int rotor);
  void addVisuals(const ShownSystem& shown, const Vec<4>* ghostColor);
  void addCollisions(const ShownSystem& shown);
  void addLoops(ShownSystem& shown, const std::string& prefix);
  void addTendons(ShownSystem& shown, const std::string& prefix);
  void addStepChannels(ShownWorld& shown, const std::string& prefix);
  /// A body behind the others, and where it can touch a channel for the force on it.
  void addBody(nlohmann::json body, bool collides, const std::string& channel);
  nlohmann::json& bodyAt(int place) { return bodies[place]; }

  MeshStore& meshes_;
  int object_ = 0;               ///< place of the object that is being added
  std::set<std::string> names_;  ///< of objects of this world, in channels
};

}  // namespace espalier
