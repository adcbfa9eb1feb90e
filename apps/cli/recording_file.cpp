#include "apps/cli/recording_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "apps/cli/failure.h"
#include "apps/cli/table.h"
#include "espalier/io/text/text_file.h"

namespace espalier::cli {
namespace {

/// With the first Error, or with a Warning that leaves nothing.
[[noreturn]] void failOf(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::Error) throw Failure(d);
  Diagnostic first = diagnostics.all().front();
  first.severity = Severity::Error;
  throw Failure(std::move(first));
}

/// An object of a text that nobody vouches for; empty where it is none.
Json objectOf(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

std::size_t lengthOf(const Json& scene, const char* list) {
  const auto found = scene.find(list);
  return found != scene.end() && found->is_array() ? found->size() : 0;
}

std::string textOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Json describeScene(const std::string& text) {
  const Json scene = objectOf(text);
  Json::array_t objects;
  if (lengthOf(scene, "objects") > 0)
    for (const Json& object : scene["objects"])
      if (object.is_object() && textOf(object, "kind") != "ground")
        objects.push_back(textOf(object, "name"));
  return {{"name", textOf(scene, "name")},       {"objects", objects},
          {"bodies", lengthOf(scene, "bodies")}, {"loops", lengthOf(scene, "loops")},
          {"meshes", lengthOf(scene, "meshes")}, {"channels", lengthOf(scene, "channels")}};
}

}  // namespace

bool isRecording(const std::string& path) {
  std::array<char, 6> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return path.ends_with(".esp") || std::string_view(head.data(), head.size()) == "ESPREC";
}

RecordingFile::RecordingFile(std::string path) : path_(std::move(path)) {
  Expected<std::string> bytes = io::readFileBytes(path_, most_recording_bytes);
  if (!bytes) failOf(bytes.diagnostics());
  bytes_ = std::move(*bytes);
  reader_ = std::make_unique<RecordingReader>(asBytes(bytes_), path_);
  if (reader_->diagnostics().hasErrors()) failOf(reader_->diagnostics());
  bool hasFrames = false;
  for (const RecordingBlock& block : reader_->blocks()) {
    if (block.head.tag != frames_tag) continue;
    firstTime_ = hasFrames ? std::min(firstTime_, block.head.firstTime) : block.head.firstTime;
    lastTime_ = hasFrames ? std::max(lastTime_, block.head.lastTime) : block.head.lastTime;
    hasFrames = true;
  }
  if (hasFrames) return;
  if (!reader_->diagnostics().all().empty()) failOf(reader_->diagnostics());
  throw Failure(
      {Severity::Error, path_, 0, "the recording holds no frames", "record the run again"});
}

std::span<const std::byte> RecordingFile::wholeBytes() const {
  return asBytes(bytes_).first(reader_->wholeBytes());
}

Json describe(const RecordingFile& file, Diagnostics& diagnostics) {
  Json run = Json::object();
  Json::array_t scenes;
  std::size_t frames = 0;
  Json bytes{{"file", file.reader().wholeBytes()}, {"frames", 0}, {"scenes", 0}, {"meshes", 0}};
  const auto addBytes = [&](const char* kind, const RecordingBlock& block) {
    bytes[kind] = bytes[kind].get<std::size_t>() + block.stored.size();
  };
  for (const RecordingBlock& block : file.reader().blocks()) {
    Diagnostics said;
    if (block.head.tag == frames_tag) {
      const auto read = file.reader().frames(block);
      if (read) frames += read->size();
      said = read.diagnostics();
      addBytes("frames", block);
    } else if (block.head.tag == mesh_tag) {
      said = file.reader().mesh(block).diagnostics();
      addBytes("meshes", block);
    } else if (block.head.tag == scene_tag || block.head.tag == info_tag) {
      const auto text = file.reader().text(block);
      said = text.diagnostics();
      if (text && block.head.tag == info_tag) run = objectOf(*text);
      if (text && block.head.tag == scene_tag) scenes.push_back(describeScene(*text));
      addBytes("scenes", block);
    }
    diagnostics.append(said);
  }
  return {{"file", file.path()},
          {"run", run},
          {"time", {file.firstTime(), file.lastTime()}},
          {"frames", frames},
          {"blocks", file.reader().blocks().size()},
          {"scenes", scenes},
          {"bytes", bytes}};
}

std::string drawDescription(const Terminal& terminal, const Json& d) {
  const auto number = [&](const Json& n) { return fmt::format("{}", n.get<std::size_t>()); };
  Table table({{""}, {""}});
  const Json& run = d["run"];
  if (run.contains("source") && run["source"].is_array()) {
    std::string files;
    for (const Json& file : run["source"])
      if (file.is_string())
        files += (files.empty() ? "" : ", ") + printable(file.get<std::string>());
    table.add({"of", files});
  }
  table.add({"time", fmt::format("{:.6g} to {:.6g} s", d["time"][0].get<double>(),
                                 d["time"][1].get<double>())});
  table.add({"frames", number(d["frames"])});
  for (const Json& scene : d["scenes"])
    table.add({"scene", fmt::format("{}: {} bodies, {} loops, {} meshes, {} channels",
                                    printable(scene["name"].get<std::string>()),
                                    number(scene["bodies"]), number(scene["loops"]),
                                    number(scene["meshes"]), number(scene["channels"]))});
  const Json& bytes = d["bytes"];
  table.add(
      {"size",
       fmt::format("{:.1f} kB: frames {:.1f}, scenes {:.1f}, meshes {:.1f}",
                   1e-3 * bytes["file"].get<double>(), 1e-3 * bytes["frames"].get<double>(),
                   1e-3 * bytes["scenes"].get<double>(), 1e-3 * bytes["meshes"].get<double>())});
  return table.draw(terminal);
}

}  // namespace espalier::cli
