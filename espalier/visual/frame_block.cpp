#include "espalier/visual/frame_block.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

#include "espalier/visual/byte_stream.h"
#include "espalier/visual/column.h"

namespace espalier {
namespace {

constexpr double position_quantum = 1e-5;  // m
constexpr double quaternion_quantum = 1.0 / (1 << 15);
constexpr double point_quantum = 1e-4;  // m, of contacts, pushes and rays
constexpr double normal_quantum = 1.0 / 1024;

double poseQuantum(std::size_t number) {
  return number % 7 < 3 ? position_quantum : quaternion_quantum;
}

/// The largest and the smallest of the finite numbers.
struct Range {
  double least = 0, most = 0;
  bool isEmpty = true;

  void add(double x) {
    if (!std::isfinite(x)) return;
    least = isEmpty ? x : std::min(least, x);
    most = isEmpty ? x : std::max(most, x);
    isEmpty = false;
  }
  double magnitude() const { return std::max(std::abs(least), std::abs(most)); }
};

/// 2^14 steps over the range of a number in a block, but not finer than a float: a power of two,
/// so that counts and other round numbers come back as they were.
float channelQuantum(const Range& range) {
  const double wanted = std::max((range.most - range.least) * 0x1p-14, range.magnitude() * 0x1p-23);
  if (wanted == 0) return 0;
  return static_cast<float>(std::max(std::exp2(std::floor(std::log2(wanted))), double{FLT_MIN}));
}

// ---- Contacts, pushes and rays: rows of integers, as differences to the row in the same place of the frame
// before.

using ContactRow = std::array<std::int64_t, 11>;
using BodyRow = std::array<std::int64_t, 7>;  // of a push or a ray

template <std::size_t N>
void setVector(std::array<std::int64_t, N>& row, std::size_t at, const std::array<float, 3>& v,
               double quantum) {
  for (std::size_t i = 0; i < 3; ++i) row[at + i] = quantize(double{v[i]}, quantum);
}

template <std::size_t N>
std::array<float, 3> vectorAt(const std::array<std::int64_t, N>& row, std::size_t at,
                              double quantum) {
  return {dequantize(row[at], quantum), dequantize(row[at + 1], quantum),
          dequantize(row[at + 2], quantum)};
}

ContactRow rowOf(const ContactMark& c, double forceQuantum) {
  ContactRow row{std::int64_t{c.bodyA} + 1, std::int64_t{c.bodyB} + 1};
  setVector(row, 2, c.position, point_quantum);
  setVector(row, 5, c.normal, normal_quantum);
  setVector(row, 8, c.force, forceQuantum);
  return row;
}

/// A body, a point, and a vector of another quantum.
BodyRow bodyRow(std::int32_t body, const std::array<float, 3>& point,
                const std::array<float, 3>& vector, double quantum) {
  BodyRow row{std::int64_t{body} + 1};
  setVector(row, 1, point, point_quantum);
  setVector(row, 4, vector, quantum);
  return row;
}
BodyRow rowOf(const PushMark& p, double forceQuantum) {
  return bodyRow(p.body, p.point, p.force, forceQuantum);
}
BodyRow rowOf(const RayMark& r, double) { return bodyRow(r.body, r.start, r.end, point_quantum); }

/// body + 1 as it is stored.
bool isBody(std::int64_t number, std::uint32_t bodies) {
  return number >= 0 && number <= std::int64_t{bodies};
}

bool readMark(const ContactRow& row, std::uint32_t bodies, double forceQuantum, ContactMark& c) {
  if (!isBody(row[0], bodies) || !isBody(row[1], bodies)) return false;
  c.bodyA = static_cast<std::int32_t>(row[0] - 1);
  c.bodyB = static_cast<std::int32_t>(row[1] - 1);
  c.position = vectorAt(row, 2, point_quantum);
  c.normal = vectorAt(row, 5, normal_quantum);
  c.force = vectorAt(row, 8, forceQuantum);
  return true;
}

bool readMark(const BodyRow& row, std::uint32_t bodies, double forceQuantum, PushMark& p) {
  p = {vectorAt(row, 1, point_quantum), vectorAt(row, 4, forceQuantum),
       static_cast<std::int32_t>(row[0] - 1)};
  return isBody(row[0], bodies);
}

bool readMark(const BodyRow& row, std::uint32_t bodies, double, RayMark& r) {
  r = {vectorAt(row, 1, point_quantum), vectorAt(row, 4, point_quantum),
       static_cast<std::int32_t>(row[0] - 1)};
  return isBody(row[0], bodies);
}

/// The rows of one kind, frame by frame.
template <class Row>
class Rows {
 public:
  template <class Mark>
  void put(const std::vector<Mark>& marks, double forceQuantum, std::vector<std::byte>& out) {
    rows_.resize(marks.size());
    putVarint(out, static_cast<std::int64_t>(marks.size()));
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const Row row = rowOf(marks[i], forceQuantum);
      for (std::size_t k = 0; k < row.size(); ++k) putVarint(out, row[k] - rows_[i][k]);
      rows_[i] = row;
    }
  }

  template <class Mark>
  bool read(ByteReader& bytes, std::uint32_t bodies, double forceQuantum,
            std::vector<Mark>& marks) {
    const std::int64_t count = bytes.varint();
    constexpr std::size_t bytes_of_row = std::tuple_size_v<Row>;  // at least
    if (count < 0 || static_cast<std::uint64_t>(count) > bytes.left() / bytes_of_row) return false;
    rows_.resize(static_cast<std::size_t>(count));
    marks.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::int64_t& number : rows_[i]) {
        number += bytes.varint();  // below 2^40 + 2^55
        if (!isQuantized(number)) return false;
      }
      if (!readMark(rows_[i], bodies, forceQuantum, marks[i])) return false;
    }
    return bytes.isGood();
  }

 private:
  std::vector<Row> rows_;  // of the frame before; a row that was not there is zero
};

// ---- Columns

/// The numbers of one body's quaternion, with the sign that makes them go on from the frame before.
void continueQuaternions(std::span<const Frame> frames, std::size_t body,
                         std::vector<float>& signs) {
  signs[0] = 1;
  for (std::size_t f = 1; f < frames.size(); ++f) {
    float same = 0;
    for (std::size_t k = 7 * body + 3; k < 7 * body + 7; ++k)
      same += frames[f - 1].poses[k] * frames[f].poses[k];
    signs[f] = same < 0 ? -signs[f - 1] : signs[f - 1];
  }
}

void putPoses(std::span<const Frame> frames, std::vector<std::byte>& out) {
  std::vector<std::int64_t> column(frames.size());
  std::vector<float> signs(frames.size());
  for (std::size_t k = 0; k < frames[0].poses.size(); ++k) {
    if (k % 7 == 3) continueQuaternions(frames, k / 7, signs);
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const float sign = k % 7 < 3 ? 1.0f : signs[f];
      column[f] = quantize(double{sign * frames[f].poses[k]}, poseQuantum(k));
    }
    putColumn(column, out);
  }
}

float channelQuantum(std::span<const Frame> frames, std::size_t channel) {
  Range range;
  for (const Frame& frame : frames) range.add(double{frame.channels[channel]});
  return channelQuantum(range);
}

/// Of all forces of the block; 1 where there are none.
float forceQuantum(std::span<const Frame> frames) {
  Range range;
  const auto add = [&](const std::array<float, 3>& force) {
    for (const float x : force) range.add(double{x});
  };
  for (const Frame& frame : frames) {
    for (const ContactMark& c : frame.contacts) add(c.force);
    for (const PushMark& p : frame.pushes) add(p.force);
  }
  const float quantum = channelQuantum(range);
  return quantum > 0 ? quantum : 1;
}

struct Head {
  std::uint32_t frames, version, bodies, channels;
};

/// Bytes that a block with this head has at least.
std::uint64_t leastBytes(const Head& head) {
  const std::uint64_t frames = head.frames;
  const std::uint64_t columns = std::uint64_t{7} * head.bodies + head.channels;
  return sizeof(Head) + 12 * frames + std::uint64_t{4} * head.channels + 4 +
         columns * (1 + frames) + 3 * frames;
}

bool readColumns(ByteReader& bytes, std::vector<Frame>& frames, const std::vector<float>& quanta) {
  std::vector<std::int64_t> column(frames.size());
  for (std::size_t k = 0; k < frames[0].poses.size(); ++k) {
    if (!readColumn(bytes, column)) return false;
    for (std::size_t f = 0; f < frames.size(); ++f)
      frames[f].poses[k] = dequantize(column[f], poseQuantum(k));
  }
  for (std::size_t k = 0; k < quanta.size(); ++k) {
    if (!readColumn(bytes, column)) return false;
    for (std::size_t f = 0; f < frames.size(); ++f)
      frames[f].channels[k] = dequantize(column[f], double{quanta[k]});
  }
  return true;
}

bool isQuantum(float quantum) { return std::isfinite(quantum) && quantum >= 0; }

bool isPossible(const Head& head, std::size_t size) {
  return head.frames != 0 && head.frames <= most_frames_of_block && leastBytes(head) <= size;
}

bool readRows(ByteReader& bytes, std::uint32_t bodies, double quantum, std::vector<Frame>& frames) {
  Rows<ContactRow> contacts;
  Rows<BodyRow> pushes, rays;
  return std::all_of(frames.begin(), frames.end(), [&](Frame& frame) {
    return contacts.read(bytes, bodies, quantum, frame.contacts) &&
           pushes.read(bytes, bodies, quantum, frame.pushes) &&
           rays.read(bytes, bodies, quantum, frame.rays);
  });
}

}  // namespace

std::vector<std::byte> encodeFrames(std::span<const Frame> frames) {
  const Frame& first = frames[0];
  std::vector<std::byte> out;
  putNumber(out, Head{static_cast<std::uint32_t>(frames.size()), first.version,
                      static_cast<std::uint32_t>(first.poses.size() / 7),
                      static_cast<std::uint32_t>(first.channels.size())});
  for (const Frame& frame : frames) putNumber(out, frame.time);
  for (const Frame& frame : frames) putNumber(out, frame.flags);
  std::vector<float> quanta;
  for (std::size_t k = 0; k < first.channels.size(); ++k)
    quanta.push_back(channelQuantum(frames, k));
  for (const float quantum : quanta) putNumber(out, quantum);
  const float ofForces = forceQuantum(frames);
  putNumber(out, ofForces);
  putPoses(frames, out);
  std::vector<std::int64_t> column(frames.size());
  for (std::size_t k = 0; k < quanta.size(); ++k) {
    for (std::size_t f = 0; f < frames.size(); ++f)
      column[f] = quantize(double{frames[f].channels[k]}, double{quanta[k]});
    putColumn(column, out);
  }
  Rows<ContactRow> contacts;
  Rows<BodyRow> pushes, rays;
  for (const Frame& frame : frames) {
    contacts.put(frame.contacts, double{ofForces}, out);
    pushes.put(frame.pushes, double{ofForces}, out);
    rays.put(frame.rays, double{ofForces}, out);
  }
  return out;
}

std::optional<std::vector<Frame>> decodeFrames(std::span<const std::byte> content) {
  ByteReader bytes(content);
  const Head head = bytes.number<Head>();
  if (!bytes.isGood() || !isPossible(head, content.size())) return std::nullopt;
  std::vector<Frame> frames(head.frames);
  for (Frame& frame : frames) {
    frame.version = head.version;
    frame.time = bytes.number<double>();
    if (!std::isfinite(frame.time)) return std::nullopt;
    frame.poses.resize(std::size_t{7} * head.bodies);
    frame.channels.resize(head.channels);
  }
  for (Frame& frame : frames) frame.flags = bytes.number<std::uint32_t>();
  std::vector<float> quanta(head.channels);
  for (float& quantum : quanta) quantum = bytes.number<float>();
  const float ofForces = bytes.number<float>();
  if (!std::all_of(quanta.begin(), quanta.end(), isQuantum) || !isQuantum(ofForces) ||
      !readColumns(bytes, frames, quanta) ||
      !readRows(bytes, head.bodies, double{ofForces}, frames))
    return std::nullopt;
  if (!bytes.isGood() || bytes.left() > 0) return std::nullopt;
  return frames;
}

}  // namespace espalier
