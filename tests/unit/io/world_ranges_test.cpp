// Settings of a world file outside the range that World takes: an Error with its line.

#include <gtest/gtest.h>

#include "espalier/io/world_xml/world_xml.h"

namespace espalier::io {
namespace {

Diagnostics remarks(const std::string& element) {
  return loadWorld("<raisim>\n" + element + "</raisim>").diagnostics();
}

TEST(WorldRanges, OutsideThemIsAnErrorWithItsLine) {
  for (const char* bad :
       {R"(<erp erp="1.5"/>)", R"(<erp erp="-0.1"/>)",
        R"(<material><default restitution="1.01"/></material>)",
        R"(<material><pair_prop name1="a" name2="b" restitution="-1"/></material>)",
        R"(<material><default static_friction_velocity_threshold="0"/></material>)"}) {
    const Diagnostics said = remarks(bad);
    ASSERT_EQ(said.count(Severity::Error), 1) << bad << said.toString();
    EXPECT_EQ(said.all()[0].line, 2);
    EXPECT_FALSE(said.all()[0].remedy.empty());
  }
}

TEST(WorldRanges, TheirEndsAreInside) {
  for (const char* good :
       {R"(<erp erp="0"/>)", R"(<erp erp="1"/>)",
        R"(<material><default restitution="1"/></material>)",
        R"(<material><pair_prop name1="a" name2="b" restitution="0"/></material>)"}) {
    EXPECT_FALSE(remarks(good).hasErrors()) << good << remarks(good).toString();
  }
}

}  // namespace
}  // namespace espalier::io
