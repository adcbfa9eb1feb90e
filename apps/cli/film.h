#pragma once

// Films of a recording, encoded by ffmpeg.

#include <cstddef>
#include <span>
#include <string>

#include "apps/cli/pictures.h"

namespace espalier::cli {

enum class FilmFormat { Mp4, Webp };

/// Writes one as MP4 (H.264) or as animated WebP that goes round and round.
///   in      rate       pictures for each second
///   errors  throws Failure where ffmpeg is missing or fails, and as takePictures() does
void writeFilm(std::span<const std::byte> recording, const std::string& name,
               const PictureOptions& options, double rate, FilmFormat format,
               const std::string& file);

}  // namespace espalier::cli
