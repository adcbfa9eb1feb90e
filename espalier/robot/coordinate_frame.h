#pragma once

// A frame fixed to a body, as its owner may edit it: queries about it follow, the dynamics
// do not.

#include <cstddef>
#include <string>

#include "espalier/model/joints/joint_kind.h"
#include "espalier/robot/math.h"

namespace espalier {

struct CoordinateFrame {
  Mat<3, 3> orientation;   ///< R_BF, B the frame of the body that carries it
  Vec<3> position;         ///< m, in B
  int parentId = 0;        ///< that body
  int currentBodyId = 0;   ///< the same
  std::string name;        ///< of the joint
  std::string parentName;  ///< of the joint's parent link
  std::string bodyName;    ///< of the joint's child link
  bool isChild = false;    ///< the joint moves; false: it is a weld
  JointKind jointType = JointKind::Fixed;
  int rotor = -1;  ///< Model::rotors: it turns with it
};

/// A frame by its index, by its name, or as an object.
class FrameOf {
 public:
  FrameOf(int index) : index_(index) {}
  FrameOf(std::size_t index) : index_(static_cast<int>(index)) {}
  FrameOf(const std::string& name) : name_(&name) {}
  FrameOf(const char* name) : text_(name) {}
  FrameOf(const CoordinateFrame& frame) : frame_(&frame) {}

  const CoordinateFrame* frame() const { return frame_; }
  bool isNamed() const { return name_ || text_; }
  std::string name() const { return name_ ? *name_ : std::string(text_); }
  int index() const { return index_; }

 private:
  int index_ = -1;
  const std::string* name_ = nullptr;
  const char* text_ = nullptr;
  const CoordinateFrame* frame_ = nullptr;
};

}  // namespace espalier
