#include "apps/cli/film.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "apps/cli/failure.h"
#include "apps/cli/program.h"
#include "apps/cli/python.h"
#include "apps/cli/temporary_folder.h"

namespace espalier::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> command(const std::string& ffmpeg, double rate, FilmFormat format,
                                 const std::string& file) {
  std::vector<std::string> argv{
      ffmpeg,       "-y",   "-loglevel", "error",      "-f",
      "image2pipe", "-c:v", "png",       "-framerate", fmt::format("{}", rate),
      "-i",         "-"};
  const std::vector<std::string> mp4{"-c:v", "libx264",   "-pix_fmt",   "yuv420p", "-crf",
                                     "18",   "-movflags", "+faststart", "-f",      "mp4"};
  const std::vector<std::string> webp{
      "-c:v", "libwebp_anim", "-quality", "60", "-compression_level",
      "6",    "-loop",        "0",        "-f", "webp"};
  const std::vector<std::string>& coding = format == FilmFormat::Webp ? webp : mp4;
  argv.insert(argv.end(), coding.begin(), coding.end());
  argv.push_back(file);
  return argv;
}

}  // namespace

void writeFilm(std::span<const std::byte> recording, const std::string& name,
               const PictureOptions& options, double rate, FilmFormat format,
               const std::string& file) {
  const auto ffmpeg = findProgram({"ffmpeg"});
  if (!ffmpeg)
    throw Failure({Severity::Error, file, 0,
                   "films are encoded by ffmpeg, and there is none on PATH",
                   "install it (Debian: apt-get install ffmpeg), or use --png or --html"});
  const TemporaryFolder folder;
  const std::string film = folder.file("film");  // `file` is left alone until it is whole
  Program encoder(command(*ffmpeg, rate, format, film), folder.file("ffmpeg.log"),
                  Program::Input::Pipe);
  const auto failed = [&] {
    return Failure({Severity::Error, file, 0, "ffmpeg failed: " + lastLineOf(encoder.said()),
                    "see that it has libx264 and libwebp, and give an even width and height"});
  };
  takePictures(recording, name, options, [&](std::span<const std::byte> picture) {
    if (encoder.write(picture)) return;
    encoder.finish();
    throw failed();
  });
  if (encoder.finish() != 0) throw failed();
  std::error_code code;
  if (!fs::copy_file(film, file, fs::copy_options::overwrite_existing, code))
    throw Failure({Severity::Error, file, 0, "it cannot be written: " + code.message(),
                   "give a file in a folder that can be written, on a disk with space left"});
}

}  // namespace espalier::cli
