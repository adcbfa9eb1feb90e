// Small files that expand without end are refused, with the bound and what to do about it.

#include "espalier/io/text/reading_budget.h"

#include <gtest/gtest.h>

#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/text/template.h"
#include "espalier/io/text/xml_document.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "folder.h"
#include "meshes.h"
#include "remarks.h"

namespace espalier::io {
namespace {

std::string doubling(int times) {
  std::string text = "<params><p0 value=\"ha\"/>";
  for (int i = 1; i <= times; ++i) {
    const std::string before = "@@p" + std::to_string(i - 1);
    text += "<p" + std::to_string(i) + " value=\"" + before + before + "\"/>";
  }
  return text + "</params>";
}

std::shared_ptr<ReadingBudget> budgetOf(ReadingLimits limits) {
  return std::make_shared<ReadingBudget>(limits);
}

TEST(ReadingBudget, CountsAndStaysSpent) {
  ReadingLimits limits;
  limits.textBytes = 10;
  limits.files = 2;
  ReadingBudget budget(limits);
  EXPECT_FALSE(budget.takeText(4));
  EXPECT_EQ(budget.textLeft(), 6u);
  EXPECT_FALSE(budget.takeText(6));
  EXPECT_FALSE(budget.isSpent());
  const auto excess = budget.takeText(1);
  ASSERT_TRUE(excess);
  EXPECT_NE(excess->what.find("10 bytes"), std::string::npos) << excess->what;
  EXPECT_NE(excess->remedy.find("textBytes"), std::string::npos) << excess->remedy;
  EXPECT_TRUE(budget.isSpent());
  EXPECT_TRUE(budget.takeText(0)) << "spent is spent";
  EXPECT_EQ(budget.textLeft(), 0u);
  EXPECT_FALSE(budget.takeFile()) << "each bound by itself";
  EXPECT_FALSE(budget.takeFile());
  EXPECT_TRUE(budget.takeFile());
  EXPECT_TRUE(budget.takeNumbers(~std::size_t{0})) << "no overflow";
}

TEST(Expansion, ParametersThatDoubleEnd) {
  const auto robot =
      parseUrdf("<robot name=\"r\">\n" + doubling(30) + "<link name=\"@@p30\"/></robot>");
  ASSERT_FALSE(robot);
  expectRemark(robot.diagnostics(), Severity::Error, 2, "more than the 65536 of a value");
  const auto world = loadWorld("<raisim>\n" + doubling(30) + "</raisim>");
  ASSERT_FALSE(world);
  expectRemark(world.diagnostics(), Severity::Error, 2, "more than the 65536 of a value");
}

TEST(Expansion, ManyUsesOfALongParameterEnd) {
  ReadingLimits limits;
  limits.textBytes = 100000;
  ReadingBudget budget(limits);
  std::string text = "<robot>\n";
  for (int i = 0; i < 20; ++i) text += "<link name=\"@@long\"/>\n";
  const auto expanded = expandTemplate(text, {{"long", std::string(10000, 'x')}}, "<text>", budget);
  ASSERT_FALSE(expanded);
  EXPECT_EQ(expanded.diagnostics().count(Severity::Error), 1) << "said once";
  expectRemark(expanded.diagnostics(), Severity::Error, 11, "more than 100000 bytes of text");
}

TEST(Expansion, ArraysTakeFromTheSameBudget) {
  ReadingLimits limits;
  limits.textBytes = 50000;
  UrdfOptions options;
  options.budget = budgetOf(limits);
  const auto robot = parseUrdf(
      "<robot name=\"r\">\n<array idx='i' start='1' end='100'><link name='l@@i'/></array></robot>",
      "<text>", options);
  ASSERT_FALSE(robot);
  expectRemark(robot.diagnostics(), Severity::Error, 2, "repeats too much");
  EXPECT_TRUE(options.budget->isSpent());
}

TEST(Expansion, IncludesThatFanOutEnd) {
  const TestFolder folder;
  for (int level = 0; level < 7; ++level) {
    std::string text = "<raisim>";
    for (int i = 0; i < 10; ++i) {
      text += "\n<include value=\"[THIS_DIR]/" + std::to_string(level + 1) + ".xml\"/>";
    }
    folder.write(std::to_string(level) + ".xml", text + "\n</raisim>");
  }
  folder.write("7.xml", "<raisim><gravity value=\"0 0 -1\"/></raisim>");
  const auto world = loadWorld(folder.path("0.xml"));
  ASSERT_FALSE(world);
  EXPECT_EQ(world.diagnostics().count(Severity::Error), 1) << world.diagnostics().toString();
  const Diagnostic* found =
      findRemark(world.diagnostics(), Severity::Error, "more than 4096 files");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->remedy.find("ReadingLimits::files"), std::string::npos);
  const auto few = loadWorld(folder.path("5.xml"));
  EXPECT_TRUE(few) << few.diagnostics().toString();
}

TEST(Expansion, ManyAttributesAreRefusedBeforeTheyAreParsed) {
  std::string many = "<robot name=\"r\">\n<link name=\"a\"";
  for (int i = 0; i < 100000; ++i) many += " a" + std::to_string(i) + "=\"\"";
  many += "/></robot>";
  const auto robot = parseUrdf(many);
  ASSERT_FALSE(robot);
  expectRemark(robot.diagnostics(), Severity::Error, 2, "100001 attributes, more than the 256");
  many.replace(many.find("robot name"), 5, "raisim");
  many.replace(many.rfind("robot"), 5, "raisim");
  EXPECT_FALSE(loadWorld(many));
}

TEST(Expansion, ElementsAreCountedBeforeTheyAreParsed) {
  ReadingLimits limits;
  limits.elements = 100;
  std::string links;
  for (int i = 0; i < 200; ++i) links += "<x/>";
  UrdfOptions urdf;
  urdf.budget = budgetOf(limits);
  EXPECT_FALSE(parseUrdf("<robot name=\"r\">" + links + "</robot>", "<text>", urdf));
  MjcfOptions mjcf;
  mjcf.budget = budgetOf(limits);
  const auto arm = parseMjcfRobot("<mujoco>" + links + "</mujoco>", "<text>", mjcf);
  ASSERT_FALSE(arm);
  expectRemark(arm.diagnostics(), Severity::Error, 1, "more than 100 XML elements");
  SdfOptions sdf;
  sdf.budget = budgetOf(limits);
  const auto model = parseSdfRobot("<sdf version=\"1.7\">" + links + "</sdf>", "<text>", sdf);
  ASSERT_FALSE(model);
  expectRemark(model.diagnostics(), Severity::Error, 1, "more than 100 XML elements");
  WorldOptions world;
  world.budget = budgetOf(limits);
  EXPECT_FALSE(loadWorld("<raisim>" + links + "</raisim>", world));
}

TEST(Expansion, ClassesThatRepeatTheirPartsEnd) {
  std::string parts, objects;
  for (int i = 0; i < 100; ++i) parts += "<sphere><dim radius=\"1\"/></sphere>";
  for (int i = 0; i < 100; ++i) objects += "<many/>";
  ReadingLimits limits;
  limits.elements = 5000;
  WorldOptions options;
  options.budget = budgetOf(limits);
  const auto world =
      loadWorld("<raisim><object_class><many type=\"compound\" mass=\"1\"><children>" + parts +
                    "</children></many></object_class><objects>" + objects + "</objects></raisim>",
                options);
  ASSERT_FALSE(world);
  EXPECT_EQ(countRemarks(world.diagnostics(), Severity::Error, "more than 5000 XML elements"), 1);
}

TEST(Expansion, MeshesAndTerrainsTakeNumbers) {
  const TestFolder folder;
  folder.write("t.obj", tetrahedron_obj);
  std::string shapes;
  for (int i = 1; i <= 10; ++i) {
    const std::string s = std::to_string(i);
    shapes += "<collision><geometry><mesh filename=\"t.obj\" scale=\"" + s + " " + s + " " + s +
              "\"/></geometry></collision>";
  }
  ReadingLimits limits;
  limits.numbers = 100;  // a tetrahedron has 24
  UrdfOptions urdf;
  urdf.budget = budgetOf(limits);
  const auto robot = loadUrdf(
      folder.write("r.urdf", "<robot name=\"r\"><link name=\"a\">" + shapes + "</link></robot>"),
      urdf);
  ASSERT_FALSE(robot);
  EXPECT_NE(findRemark(robot.diagnostics(), Severity::Error, "more than 100 numbers"), nullptr);
  WorldOptions options;
  options.budget = budgetOf(limits);
  const auto world = loadWorld(
      "<raisim><objects><heightmap x_sample=\"20\" "
      "y_sample=\"20\"><terrain_properties/></heightmap>"
      "</objects></raisim>",
      options);
  ASSERT_FALSE(world);
  EXPECT_NE(findRemark(world.diagnostics(), Severity::Error, "more than 100 numbers"), nullptr);
}

TEST(Expansion, MaterialsAreBounded) {
  std::string pairs;
  for (int i = 0; i < 1500; ++i) {
    pairs += "<pair_prop name1=\"m" + std::to_string(i) + "\" name2=\"default\"/>\n";
  }
  const auto world = loadWorld("<raisim><material>\n" + pairs + "</material></raisim>");
  ASSERT_FALSE(world);
  expectRemark(world.diagnostics(), Severity::Error, 1025, "more than 1024 materials");
}

TEST(Expansion, IncludedMjcfFilesTakeFromTheBudget) {
  const TestFolder folder;
  folder.write("part.xml", "<mujocoinclude>" + std::string(1000, ' ') + "</mujocoinclude>");
  ReadingLimits limits;
  limits.textBytes = 500;
  MjcfOptions options;
  options.folder = folder.path();
  options.budget = budgetOf(limits);
  const auto robot =
      parseMjcfRobot("<mujoco>\n<include file=\"part.xml\"/></mujoco>", "<text>", options);
  ASSERT_FALSE(robot);
  expectRemark(robot.diagnostics(), Severity::Error, 2, "more than 500 bytes of text");
}

TEST(XmlTally, AgreesWithAParser) {
  const XmlTally tally = tallyXml(
      "<?xml version='1.0'?><!-- <a b='c'/> -->\n<r>\n<a b='>' c=\"'\"/><![CDATA[<x/>]]></r>");
  EXPECT_EQ(tally.elements, 5u);
  EXPECT_EQ(tally.attributes, 2u);
  EXPECT_EQ(tally.line, 3);
  EXPECT_EQ(tallyXml("<a b=\"never closed").attributes, 1u);
  EXPECT_EQ(tallyXml("no tags").elements, 0u);
}

}  // namespace
}  // namespace espalier::io
