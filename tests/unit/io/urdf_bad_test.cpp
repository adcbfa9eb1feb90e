// What is wrong with a URDF is said with file, line, name and remedy; nothing crashes or hangs.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "espalier/io/urdf/urdf.h"
#include "remarks.h"
#include "tests/support/source_folder.h"

namespace espalier::io {
namespace {

Diagnostics refuse(const std::string& text, const UrdfOptions& options = {}) {
  const auto result = parseUrdf(text, "<text>", options);
  EXPECT_FALSE(result) << text.substr(0, 300);
  EXPECT_TRUE(result.diagnostics().hasErrors());
  return result.diagnostics();
}

/// Refused with an Error at that line of the robot's body (the first is line 2).
void expectError(const std::string& body, int line, const std::string& part) {
  SCOPED_TRACE(body.substr(0, 300));
  expectRemark(refuse("<robot name=\"r\">\n" + body + "</robot>"), Severity::Error, line, part);
}

const std::string links = "<link name=\"a\"/><link name=\"b\"/>\n";

std::string joint(const std::string& attributes, const std::string& tags = "") {
  return "<joint " + attributes + "><parent link=\"a\"/><child link=\"b\"/>\n" + tags + "</joint>";
}

std::string inertial(const std::string& mass, const std::string& moments) {
  return "<link name=\"a\"><inertial>\n<mass value=\"" + mass + "\"/>\n<inertia " + moments +
         "/></inertial></link>";
}

TEST(BadUrdf, UnreadableXml) {
  expectRemark(refuse(""), Severity::Error, 1, "empty");
  expectRemark(refuse("   \n "), Severity::Error, 1, "empty");
  expectRemark(refuse("hello"), Severity::Error, 1, "");
  expectRemark(refuse("<robot name=\"r\">\n<link name=\"a\">\n</robot>"), Severity::Error, 2,
               "opens here is not closed");
  expectRemark(refuse("<robot name=\"r\"><link name=a/></robot>"), Severity::Error, 1,
               "cannot be read");
  expectRemark(refuse("<robot name=\"r\">"), Severity::Error, 1, "cannot be read");
  expectRemark(refuse(std::string("<robot>\n\0</robot>", 17)), Severity::Error, 2, "zero byte");
  expectRemark(refuse("<!-- only -->"), Severity::Error, 1, "");
}

TEST(BadUrdf, OtherFormats) {
  expectRemark(refuse("\n<sdf version=\"1.6\"/>"), Severity::Error, 2, "'sdf'");
  expectRemark(refuse("<mujoco/>"), Severity::Error, 1, "'mujoco'");
  expectError("<xacro:macro name=\"m\"/>", 2, "<xacro:macro> is not expanded");
}

TEST(BadUrdf, EmptyRobot) {
  expectRemark(refuse("<robot name=\"r\"/>"), Severity::Error, 0, "no links");
}

TEST(BadUrdf, TenMegabytesOfGarbage) {
  std::string garbage;
  unsigned state = 1;
  while (garbage.size() < 10'000'000) {
    state = state * 1664525u + 1013904223u;
    garbage += static_cast<char>(state >> 24);
  }
  refuse(garbage);
  for (char& c : garbage) c = c == '\0' ? 'x' : c;
  refuse(garbage);
  refuse("<robot name=\"r\">" + garbage);
  std::string tags = "<robot name=\"r\">";
  while (tags.size() < 10'000'000) tags += "<link/><joint type=\"x\" a=\"{\"/>\n";
  refuse(tags + "</robot>");
  std::string numbered = "<robot name=\"r\">";
  for (int i = 0; numbered.size() < 10'000'000; ++i) {
    numbered += "<link name=\"" + std::to_string(i) + "\"/>";
  }
  expectRemark(refuse(numbered + "</robot>"), Severity::Error, 1, "roots");
}

TEST(BadUrdf, DeepNesting) {
  std::string text = "<robot name=\"r\">";
  for (int i = 0; i < 100000; ++i) text += "<link>";
  expectRemark(refuse(text), Severity::Error, 1, "nested too deeply");
}

TEST(BadUrdf, AnErrorIsNeverLostAmongManyRemarks) {
  std::string body = "<link name=\"a\">";
  for (int i = 0; i < 3000; ++i) body += "<t" + std::to_string(i) + "/>";
  expectError(body + "</link>\n<joint name=\"j\" type=\"hinge\"/>", 3, "'hinge' is not known");
}

TEST(BadUrdf, NamesMissingOrDoubled) {
  expectError("<link/>", 2, "a link has no name");
  expectError("<link name=\"a\"/>\n<link name=\"a\"/>", 3,
              "link 'a' has the name of another one, of line 2");
  expectError(links + joint("type=\"fixed\""), 3, "a joint has no name");
  expectError(
      links + "<link name=\"c\"/>" + joint("name=\"j\" type=\"fixed\"") +
          "\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint>",
      5, "joint 'j' has the name of another one, of line 3");
}

TEST(BadUrdf, GraphsThatAreNoTrees) {
  expectError("<link name=\"a\"/>\n<link name=\"b\"/>", 3, "2 roots: links 'a', 'b'");
  expectError(
      "<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"x\"/>"
      "<child link=\"a\"/></joint>",
      3, "joint 'j' names the parent link 'x'");
  expectError(
      "<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/>"
      "<child link=\"y\"/></joint>",
      3, "joint 'j' names the child link 'y'");
  expectError("<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><child link=\"a\"/></joint>", 3,
              "joint 'j' has no parent link");
  expectError("<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>",
              3, "joint 'j' has no child link");
  expectError(
      "<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/>"
      "<child link=\"a\"/></joint>",
      3, "joint 'j' closes a cycle");
  expectError(
      links + joint("name=\"j\" type=\"fixed\"") +
          "\n<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>",
      5, "closes a cycle: 'a' <- 'b' <- 'a'");
  expectError(
      links + joint("name=\"j\" type=\"fixed\"") +
          "\n<joint name=\"k\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>",
      5, "joint 'k' is a second parent of link 'b', beside joint 'j' of line 3");
}

TEST(BadUrdf, ACycleBesideATree) {
  expectError(
      "<link name=\"root\"/>" + links + joint("name=\"j\" type=\"fixed\"") +
          "\n<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>",
      5, "closes a cycle");
}

TEST(BadUrdf, JointTypes) {
  expectError(links + joint("name=\"j\" type=\"hinge\""), 3, "joint 'j': the joint type 'hinge'");
  expectError(links + joint("name=\"j\""), 3, "joint 'j': the joint has no type");
}

TEST(BadUrdf, Axes) {
  expectError(links + joint("name=\"j\" type=\"continuous\"", "<axis xyz=\"0 0 0\"/>"), 3,
              "joint 'j' has a zero axis");
  expectError(links + joint("name=\"j\" type=\"universal\"", "<axis xyz=\"0 1 0\"/>"), 3,
              "axis and axis2 in parallel");
  expectError(links + joint("name=\"j\" type=\"euler\"", "<axis3 xyz=\"0 0 0\"/>"), 3,
              "zero axis3");
  expectError(links + joint("name=\"j\" type=\"continuous\"", "<axis xyz=\"0 0\"/>"), 4,
              "joint 'j': <axis xyz> is '0 0', not 3 finite numbers");
  expectError(links + joint("name=\"j\" type=\"helical\""), 3, "no pitch");
}

TEST(BadUrdf, UnreadableNumbers) {
  expectError(inertial("abc", "ixx=\"1\" iyy=\"1\" izz=\"1\""), 3,
              "link 'a': <mass value> is 'abc', not a finite number");
  expectError(inertial("nan", "ixx=\"1\" iyy=\"1\" izz=\"1\""), 3, "<mass value> is 'nan'");
  expectError(inertial("inf", "ixx=\"1\" iyy=\"1\" izz=\"1\""), 3, "<mass value> is 'inf'");
  expectError(inertial("1", "ixx=\"1,0\" iyy=\"1\" izz=\"1\""), 4, "<inertia ixx> is '1,0'");
  expectError(inertial("1", "ixx=\"1\" iyy=\"1\""), 4, "<inertia> lacks the attribute 'izz'");
  expectError(links + joint("name=\"j\" type=\"fixed\"", "<origin xyz=\"1 2 3 4\"/>"), 4,
              "joint 'j': <origin xyz> is '1 2 3 4', not 3 finite numbers");
  expectError(links + joint("name=\"j\" type=\"revolute\"", "<limit lower=\"nan\" upper=\"1\"/>"),
              4, "<limit lower> is 'nan'");
  expectError(
      "<link name=\"a\"><collision><geometry>\n<sphere radius=\"r\"/></geometry></collision>"
      "</link>",
      3, "<sphere radius> is 'r'");
  expectError("<link name=\"a\"><collision><geometry>\n<box/></geometry></collision></link>", 3,
              "<box> lacks the attribute 'size'");
  expectError(
      "<link name=\"a\"><visual><geometry><sphere radius=\"1\"/></geometry>\n"
      "<material name=\"m\"><color rgba=\"red\"/></material></visual></link>",
      3, "link 'a': <color rgba> is 'red'");
}

TEST(BadUrdf, CommasBetweenNumbersAreAWarning) {
  const auto spec =
      loadRobot("<robot name=\"r\">\n" + links +
                joint("name=\"j\" type=\"fixed\"", "<origin xyz=\"0.5, -1,2\"/>") + "</robot>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 4, "its commas are read as spaces");
  EXPECT_EQ(spec->joints[0].X_PJ.p.x, 0.5);
  EXPECT_EQ(spec->joints[0].X_PJ.p.y, -1);
  EXPECT_EQ(spec->joints[0].X_PJ.p.z, 2);
}

TEST(BadUrdf, AnUnreadableReductionIsAWarning) {
  const auto spec = loadRobot(
      "<robot name=\"r\">\n" + links + joint("name=\"j\" type=\"fixed\"") +
      "<transmission name=\"t\">\n"
      "<joint "
      "name=\"j\"><mechanicalReduction>x</mechanicalReduction></joint></transmission></robot>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 5, "<mechanicalReduction> is 'x'");
  EXPECT_EQ(spec->transmissions.at(0).reduction, 1);
}

TEST(BadUrdf, ALineOfItsOwnForAnAttributeOfALongTag) {
  expectError(
      "<link name=\"a\"><inertial><mass value=\"1\"/><inertia\n ixx=\"1\"\n iyy=\"x\"\n "
      "izz=\"1\"/></inertial></link>",
      4, "<inertia iyy> is 'x'");
}

TEST(BadUrdf, Inertias) {
  expectError(inertial("-1", "ixx=\"1\" iyy=\"1\" izz=\"1\""), 2, "link 'a' has the negative mass");
  expectError(inertial("1", "ixx=\"-1\" iyy=\"1\" izz=\"1\""), 2,
              "link 'a' has an inertia that is not positive");
  expectError(inertial("1", "ixx=\"1\" ixy=\"2\" iyy=\"1\" izz=\"1\""), 2, "not positive");
  expectError("<link name=\"a\"><inertial>\n</inertial></link>", 2, "<inertial> has no <mass>");
}

TEST(BadUrdf, JointNumbers) {
  const auto revolute = [](const std::string& tags) {
    return links + joint("name=\"j\" type=\"revolute\"", tags);
  };
  expectError(revolute("<limit lower=\"2\" upper=\"1\"/>"), 3, "lower limit above its upper");
  expectError(revolute("<limit lower=\"0\" upper=\"1\" effort=\"-1\"/>"), 3, "negative limit");
  expectError(revolute("<limit upper=\"1\"/><dynamics friction=\"-1\"/>"), 3, "has a friction");
  expectError(revolute("<limit upper=\"1\"/><dynamics rotor_inertia=\"-1\"/>"), 3,
              "has a rotor_inertia");
  expectError(revolute("<limit upper=\"1\"/><dynamics spring_mount=\"1 2\"/>"), 4,
              "<dynamics spring_mount> is '1 2'");
  expectError(
      links + joint("name=\"j\" type=\"spherical\"", "<dynamics spring_mount=\"0 0 0 0\"/>"), 3,
      "spring_mount");
  expectError(revolute("<limit upper=\"1\"/><mimic joint=\"x\"/>"), 3,
              "joint 'j' mimics the joint 'x', which does not exist");
  expectError(revolute("<limit upper=\"1\"/><mimic joint=\"j\"/>"), 3, "mimics itself");
}

TEST(BadUrdf, Quaternions) {
  expectError(links + joint("name=\"j\" type=\"fixed\"", "<origin quat_xyzw=\"0 0 0 0\"/>"), 4,
              "joint 'j': <origin quat_xyzw> is no rotation");
}

TEST(BadUrdf, JointOrder) {
  UrdfOptions options;
  options.jointOrder = {"x", "j", "j"};
  const Diagnostics all = refuse(
      "<robot name=\"r\">" + links + joint("name=\"j\" type=\"continuous\"") + "</robot>", options);
  expectRemark(all, Severity::Error, 0, "'x', which is no joint");
  expectRemark(all, Severity::Error, 0, "'j' twice");
}

TEST(BadUrdf, UnsetTemplateVariable) {
  expectError("<link name=\"a\"/>\n<link name=\"@@second\"/>", 3, "'second' is not set");
}

TEST(BadUrdf, AllProblemsAtOnce) {
  const Diagnostics all = refuse(
      "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"x\"/></inertial></link>\n"
      "<link name=\"b\"/>\n<joint name=\"j\" type=\"hinge\"><parent link=\"a\"/></joint></robot>");
  expectRemark(all, Severity::Error, 2, "<mass value> is 'x'");
  expectRemark(all, Severity::Error, 2, "no <inertia>");
  expectRemark(all, Severity::Error, 4, "'hinge'");
  expectRemark(all, Severity::Error, 4, "no child link");
  expectRemark(all, Severity::Error, 3, "2 roots");
}

TEST(BadUrdf, FilesThatCannotBeRead) {
  const auto folder = loadUrdf(sourceFolder());
  ASSERT_FALSE(folder);
  expectRemark(folder.diagnostics(), Severity::Error, 0, "not a regular file", sourceFolder());
  const auto device = loadUrdf("/dev/zero");
  EXPECT_FALSE(device);
  const auto empty = loadUrdf("");
  EXPECT_FALSE(empty);
}

}  // namespace
}  // namespace espalier::io
