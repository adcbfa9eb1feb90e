#pragma once

// WorldCapture: description and frames of a World for viewers, or of several side by side. The
// description says what there is and is made anew when that changes; a frame says where it is now.
//
//   WorldCapture capture(world);
//   Frame frame;
//   while (...) {
//     world.integrate();
//     if (capture.update()) send(capture.description());
//     capture.capture(frame);
//   }
//
// It only asks: a world that is looked at goes on with the bits of one that is not.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/geometry/shape.h"
#include "espalier/visual/frame.h"

namespace espalier {

class Object;
class World;
class Visuals;

struct MeshBlob {
  std::string hash;              ///< 16 hexadecimal digits, of the content
  std::vector<std::byte> bytes;  ///< docs/viewer_protocol.md, "A mesh as bytes"
};

struct SceneDescription {
  std::uint32_t version = 0;
  std::string json;  ///< the message `scene`
  std::vector<std::shared_ptr<const MeshBlob>> meshes;
};

/// The object in its world of a body of the scene.
struct BodyPlace {
  World* world = nullptr;
  Object* object = nullptr;
  int body = 0;          ///< of the object; of a rotor that is no body: its carrier
  bool isRotor = false;  ///< such a one
};

class WorldCapture {
 public:
  /// pre  both outlive this object; `visuals` are the program's own drawings; null: none
  explicit WorldCapture(World& world, Visuals* visuals = nullptr, std::string name = "");
  /// Worlds that are shown together, as a grid or as ghosts of the first one.
  ///   in  after  versions count from the next one: of a scene that takes another one's place
  explicit WorldCapture(std::vector<World*> worlds, Visuals* visuals = nullptr,
                        std::string name = "", std::uint32_t after = 0);
  ~WorldCapture();
  WorldCapture(WorldCapture&&) noexcept;
  WorldCapture& operator=(WorldCapture&&) noexcept;

  /// Looks whether objects, their shapes, keyframes or the program's visuals have changed.
  ///   returns  true where description() is new; so it is at the first call
  bool update();
  const SceneDescription& description() const;

  /// The body at a place among the scene's bodies; none for bodies in no world, and where there is
  /// no such place. Of the last update(): the object may have been removed since.
  std::optional<BodyPlace> bodyAt(int place) const;
  /// Where an object's first body stands among the scene's; -1: nowhere.
  int placeOf(const Object& object) const;

  /// Where everything is now, for the description of the last update().
  ///   pre  no object was added or removed since
  ///   in   stepTime  s that the last step took, for the channel of that name; 0: not measured
  ///   out  frame     keeps its memory
  void capture(Frame& frame, double stepTime = 0) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace espalier
