#include "espalier/io/sdf/sdf_frames.h"

#include <vector>

namespace espalier::io {

std::string inSdfModel(const std::string& prefix, const std::string& name) {
  if (name != "__model__") return prefix + name;
  return prefix.empty() ? "" : prefix.substr(0, prefix.size() - 2);
}

void SdfFrames::add(const std::string& name, const std::string& relativeTo, const Transformd& X,
                    const SdfNode& node) {
  if (!all_.emplace(name, Frame{relativeTo, X, node}).second) {
    node.error("the name " + shown(name) + " is taken by another link, joint or frame",
               "give each a name of its own");
  }
}

Transformd SdfFrames::find(const std::string& name) {
  // A chain of frames may be long: it is walked, not called through.
  std::vector<Frame*> chain;
  Transformd X = identityTransform<double>();
  std::string next = name;
  while (!next.empty()) {
    const auto place = all_.find(next);
    if (place == all_.end()) {
      if (!chain.empty()) {
        chain.back()->node.error(
            "its pose is relative to " + shown(next) + ", which does not exist",
            "name a link, joint or frame of the model");
      }
      break;
    }
    Frame& frame = place->second;
    if (frame.state == Frame::Done) {
      X = frame.X;
      break;
    }
    if (frame.state == Frame::Open) {
      frame.node.error("the pose of " + shown(next) + " is relative to itself, through others",
                       "place one of them relative to the model");
      break;
    }
    frame.state = Frame::Open;
    chain.push_back(&frame);
    next = frame.relativeTo;
  }
  for (auto frame = chain.rbegin(); frame != chain.rend(); ++frame) {
    X = X * (*frame)->X;
    (*frame)->X = X;
    (*frame)->state = Frame::Done;
  }
  return X;
}

std::optional<Transformd> SdfFrames::find(const std::string& name, const std::string& in) const {
  Transformd X = identityTransform<double>();
  std::string next = name;
  for (std::size_t steps = 0; next != in; ++steps) {
    const auto place = all_.find(next);
    if (place == all_.end() || steps > all_.size()) return std::nullopt;
    X = place->second.X * X;
    next = place->second.relativeTo;
  }
  return X;
}

}  // namespace espalier::io
