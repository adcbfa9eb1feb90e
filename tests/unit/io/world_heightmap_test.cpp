#include <gtest/gtest.h>

#include "espalier/geometry/terrain.h"
#include "espalier/io/mesh/heightmap_file.h"
#include "espalier/io/world_xml/world_xml.h"
#include "folder.h"
#include "png.h"
#include "remarks.h"

namespace espalier::io {
namespace {

/// The one height map of the world <raisim><objects>object</objects></raisim>.
BodySpec loadTerrain(const std::string& object, const std::string& folder = ".") {
  WorldOptions options;
  options.folder = folder;
  auto world = loadWorld("<raisim><objects>" + object + "</objects></raisim>", options);
  EXPECT_TRUE(world) << world.diagnostics().toString();
  EXPECT_TRUE(world.diagnostics().all().empty()) << world.diagnostics().toString();
  return world && world->bodies.size() == 1 ? world->bodies[0] : BodySpec();
}

const HeightfieldData& dataOf(const BodySpec& body) {
  return *std::get<Heightfield>(body.collisions.at(0).shape).data;
}

TEST(WorldHeightmap, RawHeights) {
  const BodySpec terrain = loadTerrain(
      "<heightmap name='t' x_sample='3' ySample='2' xSize='4' y_size='5' centerX='1' center_y='2' "
      "center_z='3' material='soil' height='1 2 3, 4 5 6'/>");
  EXPECT_EQ(terrain.type, BodyType::STATIC);
  EXPECT_EQ(terrain.X_WB.p.x, 1);
  EXPECT_EQ(terrain.X_WB.p.y, 2);
  EXPECT_EQ(terrain.X_WB.p.z, 3);
  EXPECT_EQ(terrain.collisions[0].material, "soil");
  EXPECT_EQ(dataOf(terrain).xSamples, 3);
  EXPECT_EQ(dataOf(terrain).ySamples, 2);
  EXPECT_EQ(dataOf(terrain).xSize, 4);
  EXPECT_EQ(dataOf(terrain).ySize, 5);
  EXPECT_EQ(dataOf(terrain).heights, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(WorldHeightmap, TextFile) {
  const TestFolder folder;
  folder.write("hill.txt", "2, 3, 10, 20\n0 0.5\n1 -1\n2 2.5e0\n");
  const BodySpec terrain =
      loadTerrain("<heightmap text='[THIS_DIR]/hill.txt' center_x='7'/>", folder.path());
  EXPECT_EQ(dataOf(terrain).xSamples, 2);
  EXPECT_EQ(dataOf(terrain).ySamples, 3);
  EXPECT_EQ(dataOf(terrain).ySize, 20);
  EXPECT_EQ(dataOf(terrain).heights, (std::vector<double>{0, 0.5, 1, -1, 2, 2.5}));
  EXPECT_EQ(terrain.X_WB.p.x, 7);
}

TEST(WorldHeightmap, BadTextFilesSayWhere) {
  const TestFolder folder;
  const auto remarks = [&](const std::string& text) {
    const std::string file = folder.write("bad.txt", text);
    const auto field = readHeightmapText(file);
    EXPECT_FALSE(field);
    return field.diagnostics();
  };
  const std::string file = folder.path("bad.txt");
  expectRemark(remarks(""), Severity::Error, 1, "does not begin with its size", file);
  expectRemark(remarks("1 5 1 1\n0"), Severity::Error, 1, "does not begin with its size", file);
  expectRemark(remarks("2 2 1 0\n0 0 0 0"), Severity::Error, 1, "does not begin", file);
  expectRemark(remarks("1e6 1e6 1 1"), Severity::Error, 1, "does not begin", file);
  expectRemark(remarks("2 2 1 1\n0 0\n0\n"), Severity::Error, 4, "3 heights instead of 4", file);
  expectRemark(remarks("2 2 1 1\n0 0\n0 up"), Severity::Error, 3, "height 4", file);
  const auto longer = readHeightmapText(folder.write("bad.txt", "2 2 1 1\n0 0\n0 0\n0"));
  ASSERT_TRUE(longer);
  expectRemark(longer.diagnostics(), Severity::Warning, 4, "what follows", file);
}

TEST(WorldHeightmap, PngOfEightAndSixteenBits) {
  const TestFolder folder;
  folder.write("a.png", greyPng(3, 2, 8, {0, 1, 2, 253, 254, 255}));
  folder.write("b.png", greyPng(2, 2, 16, {0, 256, 40000, 65535}));
  const BodySpec a = loadTerrain(
      "<heightmap png='[THIS_DIR]/a.png' xSize='3' ySize='2' zScale='0.5' zOffset='-1'/>",
      folder.path());
  EXPECT_EQ(dataOf(a).xSamples, 3);
  EXPECT_EQ(dataOf(a).ySamples, 2);
  // The picture's lower row has the smaller y.
  EXPECT_EQ(dataOf(a).heights, (std::vector<double>{125.5, 126, 126.5, -1, -0.5, 0}));
  const BodySpec b = loadTerrain(
      "<heightmap png='b.png' x_size='3' y_size='2' height_scale='2' height_offset='10'/>",
      folder.path());
  EXPECT_EQ(dataOf(b).heights, (std::vector<double>{80010, 131080, 10, 522}));
}

TEST(WorldHeightmap, BadPicturesAreRefused) {
  const TestFolder folder;
  const std::string good = greyPng(4, 4, 8, std::vector<int>(16, 7));
  const auto what = [&](const std::string& bytes) {
    const std::string file = folder.write("bad.png", bytes);
    const auto field = readHeightmapPng(file, 1, 1, 1, 0);
    EXPECT_FALSE(field);
    return field.diagnostics().all().empty() ? "" : field.diagnostics().all()[0].what;
  };
  EXPECT_EQ(what("not a picture"), "this is no PNG picture");
  EXPECT_EQ(what(greyPng(1, 4, 8, {1, 2, 3, 4})),
            "the picture has fewer than two pixels along a side");
  EXPECT_EQ(what(good.substr(0, good.size() / 2)), "the PNG picture cannot be unpacked");
}

TEST(WorldHeightmap, ProceduralTerrain) {
  const BodySpec terrain = loadTerrain(
      "<heightmap xSample='20' ySample='30' xSize='8' ySize='9' centerX='1' centerY='2'>"
      "<terrainProperties frequency='0.4' zScale='0.3' fractalOctaves='2' fractalLacunarity='2.5' "
      "fractalGain='0.5' stepSize='0.01' seed='7' heightOffset='0.5'/></heightmap>");
  TerrainProperties t;
  t.xSamples = 20;
  t.ySamples = 30;
  t.xSize = 8;
  t.ySize = 9;
  t.frequency = 0.4;
  t.zScale = 0.3;
  t.fractalOctaves = 2;
  t.fractalLacunarity = 2.5;
  t.fractalGain = 0.5;
  t.stepSize = 0.01;
  t.seed = 7;
  t.heightOffset = 0.5;
  EXPECT_EQ(dataOf(terrain).heights, makeTerrain(t, 1, 2).heights);
}

TEST(WorldHeightmap, ImpossibleOnesAreReported) {
  const auto remarks = [](const std::string& object) {
    return loadWorld("<raisim>\n<objects>\n" + object + "</objects></raisim>").diagnostics();
  };
  expectRemark(remarks("<heightmap name='t'/>"), Severity::Error, 3, "has no heights");
  expectRemark(remarks("<heightmap x_sample='2' y_sample='2' height='1 2 3'/>"), Severity::Error, 3,
               "3 heights instead of 4");
  expectRemark(remarks("<heightmap x_sample='1' y_sample='2' height='1 2'/>"), Severity::Error, 3,
               "not a whole number from 2");
  expectRemark(remarks("<heightmap x_size='0' x_sample='2' y_sample='2' height='1 2 3 4'/>"),
               Severity::Error, 3, "no extent");
  expectRemark(remarks("<heightmap png='nowhere.png'/>"), Severity::Error, 3, "was not found");
  expectRemark(remarks("<heightmap x_sample='2' y_sample='2'>\n<terrain_properties "
                       "step_size='-1'/></heightmap>"),
               Severity::Error, 4, "negative");
  expectRemark(remarks("<heightmap x_sample='2' y_sample='2' height='1 2 3 4' "
                       "body_type='dynamic'/>"),
               Severity::Error, 3, "cannot move");
}

}  // namespace
}  // namespace espalier::io
