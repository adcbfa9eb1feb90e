#include <algorithm>
#include <cstdio>

#include "espalier/core/check.h"
#include "espalier/model/spec/named.h"
#include "espalier/robot/articulated_system.h"

namespace espalier {
namespace {

/// Index of the first frame of which this is true, or -1.
template <class Is>
int find(const std::vector<CoordinateFrame>& frames, Is&& is) {
  const auto found = std::find_if(frames.begin(), frames.end(), is);
  return found == frames.end() ? -1 : static_cast<int>(found - frames.begin());
}

}  // namespace

int ArticulatedSystem::getDOF() const { return model().publicNv; }
int ArticulatedSystem::getGeneralizedVelocityDim() const { return model().publicNv; }
int ArticulatedSystem::getGeneralizedCoordinateDim() const { return model().publicNq; }
int ArticulatedSystem::getNumberOfJoints() const { return model().nb(); }

std::vector<std::string> ArticulatedSystem::getMovableJointNames() const {
  std::vector<std::pair<int, std::string>> named;
  for (int b = 1; b < model().nb(); ++b)
    named.emplace_back(model().spanningDof[model().topology.bodies[b].u], model().bodies[b].joint);
  std::sort(named.begin(), named.end());
  std::vector<std::string> names{model().bodies[0].name};
  for (auto& [place, name] : named) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> ArticulatedSystem::getBodyNames() const {
  std::vector<std::string> names;
  for (const BodyInfo& body : model().bodies) names.push_back(body.name);
  return names;
}

int ArticulatedSystem::getBodyIdx(const std::string& link) const { return model().body(link); }
int ArticulatedSystem::getFrameIdxByName(const std::string& name) const {
  return find(frames_, [&](const CoordinateFrame& f) { return f.name == name; });
}
int ArticulatedSystem::getFrameIdxByLinkName(const std::string& link) const {
  return find(frames_, [&](const CoordinateFrame& f) { return f.bodyName == link; });
}

int ArticulatedSystem::getGeneralizedVelocityIndex(const std::string& joint) const {
  const int b = joint == model().bodies[0].name ? 0 : model().joint(joint);
  ESPALIER_REQUIRE(b >= 0 && firstU_[b] >= 0,
                   "there is no movable joint '" + joint + "' that is independent");
  return firstU_[b];
}
int ArticulatedSystem::getGeneralizedCoordinateIndex(const std::string& joint) const {
  const int b = joint == model().bodies[0].name ? 0 : model().joint(joint);
  ESPALIER_REQUIRE(b >= 0 && firstQ_[b] >= 0,
                   "there is no movable joint '" + joint + "' that is independent");
  return firstQ_[b];
}

const std::vector<int>& ArticulatedSystem::getMappingFromBodyIndexToGeneralizedVelocityIndex()
    const {
  return firstU_;
}
const std::vector<int>& ArticulatedSystem::getMappingFromBodyIndexToGeneralizedCoordinateIndex()
    const {
  return firstQ_;
}

std::vector<int> ArticulatedSystem::getMappingFromGeneralizedVelocityIndexToBodyIndex() const {
  std::vector<int> bodies(static_cast<std::size_t>(model().publicNv));
  for (std::size_t d = 0; d < model().publicDof.size(); ++d)
    if (const int place = model().publicDof[d]; place >= 0)
      bodies[place] = model().topology.dofBody[d];
  return bodies;
}
std::vector<int> ArticulatedSystem::getMappingFromGeneralizedCoordinateIndexToBodyIndex() const {
  std::vector<int> bodies(static_cast<std::size_t>(model().publicNq));
  for (int b = 0; b < model().nb(); ++b) {
    const BodyTopology& t = model().topology.bodies[b];
    for (int k = 0; k < t.nq; ++k)
      if (const int place = model().publicCoordinate[t.q + k]; place >= 0) bodies[place] = b;
  }
  return bodies;
}

std::vector<int> ArticulatedSystem::getParentVector() const {
  std::vector<int> parents;
  for (const BodyTopology& body : model().topology.bodies) parents.push_back(body.parent);
  return parents;
}
JointKind ArticulatedSystem::getJointType(int joint) const {
  return model().topology.bodies[bodyAt(joint)].kind;
}

// ---- printed

namespace {

void print(const std::vector<std::string>& names) {
  for (const std::string& name : names) std::printf("%s\n", name.c_str());
}

}  // namespace

void ArticulatedSystem::printOutBodyNamesInOrder() const { print(getBodyNames()); }
void ArticulatedSystem::printOutMovableJointNamesInOrder() const { print(getMovableJointNames()); }
void ArticulatedSystem::printOutFrameNamesInOrder() const {
  for (const CoordinateFrame& frame : frames_) std::printf("%s\n", frame.name.c_str());
}

// ---- frames

CoordinateFrame& ArticulatedSystem::getFrameByIdx(int frame) {
  return const_cast<CoordinateFrame&>(frameAt(frame));
}
CoordinateFrame& ArticulatedSystem::getFrameByName(const std::string& joint) {
  return const_cast<CoordinateFrame&>(frameAt(joint));
}
CoordinateFrame& ArticulatedSystem::getFrameByLinkName(const std::string& link) {
  const int frame = getFrameIdxByLinkName(link);
  ESPALIER_REQUIRE(frame >= 0, "there is no joint above a link '" + link + "'");
  return getFrameByIdx(frame);
}
const CoordinateFrame& ArticulatedSystem::getFrameByIdx(int frame) const { return frameAt(frame); }
const CoordinateFrame& ArticulatedSystem::getFrameByName(const std::string& joint) const {
  return frameAt(joint);
}
const CoordinateFrame& ArticulatedSystem::getFrameByLinkName(const std::string& link) const {
  const int frame = getFrameIdxByLinkName(link);
  ESPALIER_REQUIRE(frame >= 0, "there is no joint above a link '" + link + "'");
  return frameAt(frame);
}

const CoordinateFrame& ArticulatedSystem::frameAt(const FrameOf& which) const {
  if (which.frame()) {
    bodyAt(which.frame()->parentId);
    return *which.frame();
  }
  int index = which.index();
  if (which.isNamed()) {
    index = getFrameIdxByName(which.name());
    ESPALIER_REQUIRE(index >= 0, "there is no frame '" + which.name() + "'");
  }
  ESPALIER_REQUIRE(index >= 0 && index < static_cast<int>(frames_.size()),
                   "there is no frame " + std::to_string(index));
  return frames_[index];
}

// ---- references

JointRef ArticulatedSystem::getJoint(const std::string& joint) {
  const int frame = getFrameIdxByName(joint);
  ESPALIER_REQUIRE(frame >= 0, "there is no joint '" + joint + "'");
  return JointRef(*this, frame);
}
LinkRef ArticulatedSystem::getLink(const std::string& link) {
  const int index = indexOf(model().links, link);
  ESPALIER_REQUIRE(index >= 0, "there is no link '" + link + "'");
  return LinkRef(*this, index);
}

}  // namespace espalier
