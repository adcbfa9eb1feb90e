
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "espalier/io/text/text_file.h"
#include "espalier/io/urdf/urdf.h"

namespace espalier::io {
namespace {

TEST(FilesRead, HoldsTheFilesReadByThisThread) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "/link.stl")
      << "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
         "vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
  std::ofstream(folder + "/robot.urdf")
      << "<robot name='r'><link name='a'><inertial><mass value='1'/>"
         "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><visual><geometry>"
         "<mesh filename='link.stl'/></geometry></visual></link></robot>";
  const FilesRead outer;
  {
    const FilesRead inner;
    (void)loadRobot(folder + "/robot.urdf", {});
    std::thread([&] { (void)readTextFile(folder + "/another"); }).join();
    bool hasMesh = false;
    for (const std::string& path : inner.paths()) hasMesh |= path.ends_with("link.stl");
    EXPECT_TRUE(hasMesh);
    EXPECT_TRUE(inner.paths().count(folder + "/robot.urdf"));
    EXPECT_FALSE(inner.paths().count(folder + "/another"));
  }
  (void)readTextFile(folder + "/missing");
  EXPECT_TRUE(outer.paths().count(folder + "/missing"));
  EXPECT_TRUE(outer.paths().count(folder + "/robot.urdf"));
}

TEST(FilesRead, NotesNothingWhereNoneLives) { FilesRead::note("nobody listens"); }

}  // namespace
}  // namespace espalier::io
