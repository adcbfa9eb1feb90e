#pragma once

// Pictures of a recording: a headless browser opens the viewer's page on a server of this process, and
// sends them back (docs/viewer_protocol.md, "Pictures").

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace espalier::cli {

struct CameraView {
  double azimuth = 0, elevation = 0;  ///< degrees; direction from the target to the camera
  double zoom = 1;                    ///< as near as in the first sight of a scene
};

struct PictureOptions {
  int width = 1280, height = 720;
  std::vector<double> times;         ///< s, one picture each
  std::optional<CameraView> camera;  ///< none: the first sight of a scene
  bool isDark = false;
  std::vector<std::string> layers;  ///< shown besides; hidden with a minus before the name
};

/// Calls `take` with each picture, a PNG, in the order of the times.
///   in      recording  bytes of an .esp file
///   in      name       of the file, for errors
///   errors  throws Failure where no browser is found, where it or the page fails, or says nothing for a
///           minute; what `take` throws
void takePictures(std::span<const std::byte> recording, const std::string& name,
                  const PictureOptions& options,
                  const std::function<void(std::span<const std::byte>)>& take);

}  // namespace espalier::cli
