#include "espalier/visual/frame_block.h"

#include <gtest/gtest.h>

#include "espalier/visual/column.h"
#include "tests/unit/visual/made_run.h"

namespace espalier {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

TEST(Varint, TakesSevenBitsAByte) {
  const std::pair<std::int64_t, int> sizes[] = {{0, 1},  {-1, 1},   {63, 1},   {-64, 1},
                                                {64, 2}, {8191, 2}, {8192, 3}, {no_number, 6}};
  for (const auto& [value, size] : sizes) {
    std::vector<std::byte> bytes;
    putVarint(bytes, value);
    EXPECT_EQ(static_cast<int>(bytes.size()), size) << value;
    EXPECT_EQ(varintBytes(value), size) << value;
    ByteReader reader(bytes);
    EXPECT_EQ(reader.varint(), value);
    EXPECT_TRUE(reader.isGood());
  }
  std::vector<std::byte> bytes;
  putVarint(bytes, -150);  // zigzag 299 = 0b10'0101011
  EXPECT_EQ(bytes, (std::vector<std::byte>{std::byte{0xab}, std::byte{0x02}}));
}

TEST(Varint, WithoutAnEndIsAFault) {
  const std::vector<std::byte> bytes(20, std::byte{0x80});
  ByteReader reader(bytes);
  EXPECT_EQ(reader.varint(), 0);
  EXPECT_FALSE(reader.isGood());
  EXPECT_EQ(reader.number<double>(), 0);
}

TEST(Column, IsDifferencedAsOftenAsPays) {
  for (int k = 0; k <= 2; ++k) {
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < 100; ++i)
      values.push_back(k == 0   ? (i % 2 == 0 ? 60 : -60)
                       : k == 1 ? 100000 + (i % 2 == 0 ? 30 * i : 30 * i + 20)
                                : 300 * i * i);
    const std::vector<std::int64_t> wanted = values;
    std::vector<std::byte> bytes;
    putColumn(values, bytes);
    EXPECT_EQ(std::to_integer<int>(bytes[0]), k);
    ByteReader reader(bytes);
    std::vector<std::int64_t> read(values.size());
    EXPECT_TRUE(readColumn(reader, read));
    EXPECT_EQ(read, wanted);
    EXPECT_EQ(reader.left(), 0u);
  }
}

TEST(Column, OfExtremesComesBack) {
  std::vector<std::int64_t> values;
  for (int i = 0; i < 128; ++i)
    values.push_back(i % 3 == 0 ? no_number : i % 3 == 1 ? 1 - no_number : 0);
  const std::vector<std::int64_t> wanted = values;
  std::vector<std::byte> bytes;
  putColumn(values, bytes);
  ByteReader reader(bytes);
  EXPECT_TRUE(readColumn(reader, values));
  EXPECT_EQ(values, wanted);
}

void expectNear(const std::array<float, 3>& a, const std::array<float, 3>& b, double bound) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], bound);
}

/// Of the same body: a quaternion and its negative are the same.
void expectSamePose(const float* a, const float* b) {
  expectNear({a[0], a[1], a[2]}, {b[0], b[1], b[2]}, 1e-5 * 0.51 + 1e-7 * std::abs(a[2]));
  float same = 0;
  for (int k = 3; k < 7; ++k) same += a[k] * b[k];
  for (int k = 3; k < 7; ++k) EXPECT_NEAR(a[k], same < 0 ? -b[k] : b[k], 0.51 / (1 << 15));
}

TEST(FrameBlock, FramesComeBackToWithinTheirQuanta) {
  const std::vector<Frame> frames = madeFrames(0, 100);
  const auto read = decodeFrames(encodeFrames(frames));
  ASSERT_TRUE(read && read->size() == frames.size());
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const Frame &a = frames[f], &b = (*read)[f];
    EXPECT_EQ(a.version, b.version);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.flags, b.flags);
    ASSERT_EQ(a.poses.size(), b.poses.size());
    for (std::size_t k = 0; k < a.poses.size(); k += 7) expectSamePose(&a.poses[k], &b.poses[k]);
    ASSERT_EQ(a.channels.size(), b.channels.size());
    EXPECT_NEAR(a.channels[0], b.channels[0], 2.0 / (1 << 14));
    EXPECT_EQ(b.channels[1], 0);
    EXPECT_NEAR(a.channels[2], b.channels[2], 2e-9 / (1 << 14));
    EXPECT_EQ(a.channels[3], b.channels[3]) << "small whole numbers are exact";
    ASSERT_EQ(a.contacts.size(), b.contacts.size());
    for (std::size_t c = 0; c < a.contacts.size(); ++c) {
      EXPECT_EQ(a.contacts[c].bodyA, b.contacts[c].bodyA);
      EXPECT_EQ(a.contacts[c].bodyB, b.contacts[c].bodyB);
      expectNear(a.contacts[c].position, b.contacts[c].position, 0.51e-4);
      expectNear(a.contacts[c].normal, b.contacts[c].normal, 0.51 / 1024);
      expectNear(a.contacts[c].force, b.contacts[c].force, 1200.0 / (1 << 14));
    }
    ASSERT_EQ(a.pushes.size(), b.pushes.size());
    for (std::size_t p = 0; p < a.pushes.size(); ++p) {
      EXPECT_EQ(a.pushes[p].body, b.pushes[p].body);
      expectNear(a.pushes[p].point, b.pushes[p].point, 0.51e-4);
      expectNear(a.pushes[p].force, b.pushes[p].force, 1200.0 / (1 << 14));
    }
    ASSERT_EQ(a.rays.size(), b.rays.size());
    for (std::size_t r = 0; r < a.rays.size(); ++r) {
      EXPECT_EQ(a.rays[r].body, b.rays[r].body);
      expectNear(a.rays[r].start, b.rays[r].start, 0.51e-4);
      expectNear(a.rays[r].end, b.rays[r].end, 0.51e-4);
    }
  }
}

TEST(FrameBlock, NumbersNotFiniteOrTooLargeBecomeNaN) {
  std::vector<Frame> frames = madeFrames(0, 9);
  frames[4].poses[0] = std::numeric_limits<float>::infinity();
  frames[5].poses[1] = 1e12f;
  frames[6].channels[1] = missing;
  frames[3].contacts[0].force[1] = -std::numeric_limits<float>::infinity();
  const auto read = decodeFrames(encodeFrames(frames));
  ASSERT_TRUE(read);
  EXPECT_TRUE(std::isnan((*read)[4].poses[0]));
  EXPECT_TRUE(std::isnan((*read)[5].poses[1]));
  EXPECT_TRUE(std::isnan((*read)[6].channels[1]));
  EXPECT_TRUE(std::isnan((*read)[3].contacts[0].force[1]));
  EXPECT_NEAR((*read)[5].poses[0], frames[5].poses[0], 1e-5);  // those behind are well
  EXPECT_NEAR((*read)[6].poses[1], frames[6].poses[1], 1e-5);
  EXPECT_EQ((*read)[7].channels[1], 0);
}

TEST(FrameBlock, QuaternionsKeepTheirSign) {
  const auto read = decodeFrames(encodeFrames(madeFrames(0, 120)));
  ASSERT_TRUE(read);
  for (std::size_t f = 1; f < read->size(); ++f) {
    float same = 0;
    for (std::size_t k = 3; k < 7; ++k) same += (*read)[f].poses[k] * (*read)[f - 1].poses[k];
    EXPECT_GT(same, 0.99f);
  }
}

TEST(FrameBlock, OneFrameWithoutAnythingComesBack) {
  const auto read = decodeFrames(encodeFrames(madeFrames(0, 1, 0, 0)));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, madeFrames(0, 1, 0, 0));
}

TEST(FrameBlock, CutContentsAreRefused) {
  const std::vector<std::byte> whole = encodeFrames(madeFrames(0, 8));
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_FALSE(decodeFrames({whole.data(), n})) << n;
  std::vector<std::byte> longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(decodeFrames(longer));
}

TEST(FrameBlock, ClaimsOfSizeAreChecked) {
  for (std::size_t at = 0; at < 16; at += 4) {
    if (at == 4) continue;  // any version is well
    std::vector<std::byte> bytes = encodeFrames(madeFrames(0, 8));
    for (std::size_t k = 0; k < 4; ++k) bytes[at + k] = std::byte{0xff};
    EXPECT_FALSE(decodeFrames(bytes)) << at;
  }
}

}  // namespace
}  // namespace espalier
