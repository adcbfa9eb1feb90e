#pragma once

// The frames of a model: links, joints and <frame>s, each placed relative to another.

#include <map>
#include <optional>
#include <string>

#include "espalier/io/sdf/sdf_node.h"

namespace espalier::io {

/// A name of a (nested) model as one of the whole: "arm::link"; of "__model__" the model's own, without "::".
///   in   prefix   "" or "arm::"
std::string inSdfModel(const std::string& prefix, const std::string& name);

class SdfFrames {
 public:
  /// node: the element whose <pose> it is, for remarks. relativeTo: empty for the model itself.
  void add(const std::string& name, const std::string& relativeTo, const Transformd& X,
           const SdfNode& node);
  bool has(const std::string& name) const { return all_.count(name) != 0; }
  /// In the model; an Error and the identity where frames name each other in a ring, or one that
  /// does not exist. An empty name is the model.
  Transformd find(const std::string& name);
  /// In a frame that it hangs from; none where it does not, or frames name each other in a ring.
  std::optional<Transformd> find(const std::string& name, const std::string& in) const;

 private:
  struct Frame {
    std::string relativeTo;
    Transformd X;  ///< in relativeTo, then in the model
    SdfNode node;
    enum { Waiting, Open, Done } state = Waiting;
  };
  std::map<std::string, Frame> all_;
};

}  // namespace espalier::io
