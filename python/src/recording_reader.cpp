// RecordingReader and Frame: the contents of an .esp file; and the viewer's page.

#include "espalier/visual/recording_reader.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <span>
#include <tuple>

#include "bindings.h"
#include "casters.h"
#include "diagnostics.h"
#include "espalier/core/check.h"
#include "espalier/visual/page.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

using Floats3 = std::array<float, 3>;

Vec<3> vectorOf(const Floats3& v) { return Vec<3>(v[0], v[1], v[2]); }

nb::bytes bytesOf(std::span<const std::byte> bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}
std::span<const std::byte> spanOf(const nb::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}

/// A field of three numbers as an array.
template <class T>
auto three(Floats3 T::*field) {
  return [field](const T& self) { return vectorOf(self.*field); };
}

template <class T>
using List = nb::typed<nb::list, T>;

template <class T>
List<T> listOf(const std::vector<T>& items) {
  nb::list list;
  for (const T& item : items) list.append(nb::cast(item));
  return List<T>(std::move(list));
}

void bindFrame(nb::module_& m) {
  nb::class_<ContactMark>(m, "ContactMark", "A contact in a Frame.")
      .def_prop_ro("position", three(&ContactMark::position), "ndarray (3,): m, world")
      .def_prop_ro("normal", three(&ContactMark::normal), "ndarray (3,): unit, the push on A")
      .def_prop_ro("force", three(&ContactMark::force), "ndarray (3,): N, world, on A")
      .def_ro("body_a", &ContactMark::bodyA, "int: place among the scene's bodies; -1: none")
      .def_ro("body_b", &ContactMark::bodyB, "int: place among the scene's bodies; -1: none");
  nb::class_<PushMark>(m, "PushMark", "An external force in a Frame.")
      .def_prop_ro("point", three(&PushMark::point), "ndarray (3,): m, world")
      .def_prop_ro("force", three(&PushMark::force), "ndarray (3,): N, world")
      .def_ro("body", &PushMark::body, "int: place among the scene's bodies");
  nb::class_<RayMark>(m, "RayMark", "A ray that was cast, in a Frame.")
      .def_prop_ro("start", three(&RayMark::start), "ndarray (3,): m, world")
      .def_prop_ro("end", three(&RayMark::end), "ndarray (3,): m, world")
      .def_ro("body", &RayMark::body, "int: that it meets; -1: none");
  nb::class_<Frame>(m, "Frame", "Where everything is at one moment of a recording.")
      .def_ro("version", &Frame::version, "int: of the scene that it belongs to")
      .def_ro("time", &Frame::time, "float, s")
      .def_ro("flags", &Frame::flags, "int: StepReport.flags")
      .def_prop_ro(
          "poses",
          [](const Frame& f) -> Eigen::MatrixXd {
            using Rows = Eigen::Matrix<float, Eigen::Dynamic, 7, Eigen::RowMajor>;
            const auto bodies = static_cast<Eigen::Index>(f.poses.size() / 7);
            return Eigen::Map<const Rows>(f.poses.data(), bodies, 7).cast<double>();
          },
          "ndarray (bodies, 7): x, y, z, m, and quaternion w, x, y, z; body to world")
      .def_prop_ro(
          "channels",
          [](const Frame& f) { return std::vector<double>(f.channels.begin(), f.channels.end()); },
          "ndarray (channels,)")
      .def_prop_ro(
          "contacts", [](const Frame& f) { return listOf(f.contacts); }, "list of ContactMark")
      .def_prop_ro(
          "pushes", [](const Frame& f) { return listOf(f.pushes); }, "list of PushMark")
      .def_prop_ro(
          "rays", [](const Frame& f) { return listOf(f.rays); }, "list of RayMark");
  m.def(
      "encode_frame",
      [](const Frame& frame) {
        std::vector<std::byte> message;
        encodeFrame(frame, message);
        return bytesOf(message);
      },
      "frame"_a, "bytes: the frame as the binary message of docs/viewer_protocol.md.");
  m.def(
      "decode_frame",
      [](const nb::bytes& message) {
        auto frame = decodeFrame(spanOf(message));
        ESPALIER_REQUIRE(frame.has_value(), "these bytes are not one whole frame");
        return *std::move(frame);
      },
      "message"_a, "Frame: of a binary message. ValueError where it is not one whole frame.");
}

using Table = std::tuple<std::vector<double>, Eigen::MatrixXd, Eigen::MatrixXd, List<Frame>>;

/// The frames of blocks as arrays, for espalier.Recording: times, flags, poses, channels, frames.
Table tableOf(const RecordingReader& reader, const List<RecordingBlock>& blocks) {
  std::vector<Frame> all;
  for (nb::handle block : blocks) {
    auto frames = reader.frames(nb::cast<const RecordingBlock&>(block));
    if (!frames.hasValue()) throwErrors(frames.diagnostics());
    for (Frame& frame : *frames) all.push_back(std::move(frame));
  }
  const auto count = static_cast<Eigen::Index>(all.size());
  const auto poses = static_cast<Eigen::Index>(all.empty() ? 0 : all.front().poses.size());
  const auto channels = static_cast<Eigen::Index>(all.empty() ? 0 : all.front().channels.size());
  std::vector<double> times;
  Eigen::MatrixXd poseRows(count, poses), channelRows(count, channels);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Frame& frame = all[i];
    ESPALIER_REQUIRE(static_cast<Eigen::Index>(frame.poses.size()) == poses &&
                         static_cast<Eigen::Index>(frame.channels.size()) == channels,
                     "the recording is damaged: frames of a scene differ in their bodies");
    times.push_back(frame.time);
    poseRows.row(i) =
        Eigen::Map<const Eigen::RowVectorXf>(frame.poses.data(), poses).cast<double>();
    channelRows.row(i) =
        Eigen::Map<const Eigen::RowVectorXf>(frame.channels.data(), channels).cast<double>();
  }
  return {std::move(times), std::move(poseRows), std::move(channelRows), listOf(all)};
}

void bindReader(nb::module_& m) {
  nb::class_<RecordingBlock>(m, "RecordingBlock", "A block of an .esp file.")
      .def_prop_ro(
          "tag", [](const RecordingBlock& b) { return std::string(b.head.tag.data(), 4); },
          "str: SCEN, MESH, OVER, FRAM or INFO; others are unknown")
      .def_ro("number", &RecordingBlock::number, "int: place in the file, from 1 on")
      .def_ro("offset", &RecordingBlock::offset, "int: of its head, bytes")
      .def_prop_ro(
          "first_time", [](const RecordingBlock& b) { return b.head.firstTime; }, "float, s")
      .def_prop_ro(
          "last_time", [](const RecordingBlock& b) { return b.head.lastTime; }, "float, s")
      .def_prop_ro(
          "stored", [](const RecordingBlock& b) { return bytesOf(b.stored); },
          "bytes: the content, deflated");
  nb::class_<MeshBlob>(m, "MeshBlob", "A mesh of a recording.")
      .def_ro("hash", &MeshBlob::hash, "str: 16 hexadecimal digits, of the content")
      .def_prop_ro(
          "bytes", [](const MeshBlob& b) { return bytesOf(b.bytes); },
          "bytes, as docs/viewer_protocol.md has them");
  nb::class_<RecordingReader>(
      m, "RecordingReader",
      "The blocks of an .esp file; Recording shows what is in them as arrays. Of bytes that are "
      "damaged or cut off all blocks before that place are there.")
      .def(
          "__init__",
          [](RecordingReader* self, const nb::bytes& bytes, std::string name) {
            new (self) RecordingReader(spanOf(bytes), std::move(name));
          },
          nb::keep_alive<1, 2>(), "bytes"_a, "name"_a = "recording",
          "bytes: the whole file. name: of the file, for diagnostics.")
      .def_prop_ro(
          "diagnostics", [](const RecordingReader& r) { return r.diagnostics(); },
          "Diagnostics: an error where the bytes are no recording, a warning where they are "
          "damaged")
      .def_prop_ro(
          "blocks",
          [](nb::handle_t<RecordingReader> self) {
            nb::list list;
            for (const RecordingBlock& block : nb::cast<const RecordingReader&>(self).blocks())
              list.append(nb::cast(&block, nb::rv_policy::reference_internal, self));
            return List<RecordingBlock>(std::move(list));
          },
          "list of RecordingBlock that are whole")
      .def_prop_ro("whole_bytes", &RecordingReader::wholeBytes,
                   "int: bytes to the end of the last whole block")
      .def(
          "frames",
          [](const RecordingReader& r, const RecordingBlock& block) {
            return listOf(valueOf(r.frames(block)));
          },
          "block"_a, "list of Frame of a FRAM block. SpecError where it is none.")
      .def(
          "mesh",
          [](const RecordingReader& r, const RecordingBlock& b) { return valueOf(r.mesh(b)); },
          "block"_a, "MeshBlob of a MESH block. SpecError where it is none.")
      .def(
          "text",
          [](const RecordingReader& r, const RecordingBlock& b) { return valueOf(r.text(b)); },
          "block"_a, "str: JSON of a SCEN, OVER or INFO block. SpecError where it is none.")
      .def("table", &tableOf, "blocks"_a,
           "Times (n,), poses (n, 7 bodies), channels (n, channels) and the Frames of FRAM blocks "
           "of one scene. SpecError where they are none.");
}

void bindPage(nb::module_& m) {
  m.def(
      "page_html", [] { return pageHtml(); },
      "str: the viewer's page; empty where the library was built without it.");
  m.def(
      "page_gzip", [] { return bytesOf(pageGzip()); },
      "bytes: the viewer's page, compressed by gzip; empty likewise.");
  m.def(
      "filled_page",
      [](const std::string& config, const nb::bytes& recording) {
        return filledPage(config, spanOf(recording));
      },
      "config"_a, "recording"_a = nb::bytes("", 0),
      "str: the page with its configuration (JSON) and the bytes of an .esp file in it. "
      "RuntimeError where the library was built without the page.");
  m.def(
      "fill_page",
      [](std::string page, const std::string& config, const nb::bytes& recording) {
        return fillPage(std::move(page), config, spanOf(recording));
      },
      "page"_a, "config"_a, "recording"_a,
      "str: a page of which the two places are filled, as filled_page does with its own.");
}

}  // namespace

void bindRecordingReader(nb::module_& m) {
  bindFrame(m);
  bindReader(m);
  bindPage(m);
}

}  // namespace espalier::python
