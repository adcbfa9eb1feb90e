#pragma once

// The messages `overlay`, `graphs` and `graphData` of a program's drawings. Internal.

#include <string>

#include "espalier/visual/fingerprint.h"
#include "espalier/visual/mesh_blob.h"
#include "espalier/visual/visuals.h"

namespace espalier {

class VisualMessages {
 public:
  /// return  true where the message is new
  bool updateOverlay(const Visuals& visuals);
  bool updateGraphs(const Visuals& visuals);
  const std::string& overlay() const { return overlay_; }
  const std::string& graphs() const { return graphs_; }

 private:
  void note(const Visuals& visuals);
  void write(const Visuals& visuals);

  MeshStore meshes_;
  Fingerprint seen_, now_;
  std::string overlay_, graphs_;
  int version_ = 0;
};

}  // namespace espalier
