#pragma once

// Triangle meshes and pictures of each format, and what their readers share. Which reader a file goes to:
// io/mesh/mesh_file.h.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/geometry/shape.h"

namespace espalier::io {

// stl_file.cpp: STL, binary and ASCII

/// The triangles of an STL file's bytes. Its normals and attributes are not used.
///   in   path    its name in remarks
///   in   scale   along x, y, z; an odd number of negative ones mirrors the mesh
///   out  as readMeshFile (io/mesh/mesh_file.h); Errors tell the line of ASCII, the byte of binary files
/// A file is binary if it has exactly the 84 + 50 n bytes that its number of triangles n asks for,
/// and ASCII if it is not binary and begins with "solid". Numbers are rounded to single precision.
Expected<TriangleMesh> readStl(std::string_view bytes, const std::string& path,
                               const Vec3d& scale = {1, 1, 1});

// obj_file.cpp: Wavefront OBJ

/// The faces of all objects and groups of an OBJ file's text, as triangles (polygon.cpp). Read are
///   v x y z [w]        a vertex, divided by w
///   v x y z r g b      a vertex; its colour is not used
///   f i j k ...        a face by vertices 1, 2, ... of the file, or -1, -2, ... backwards from the
///                      last one so far; i/t, i//n and i/t/n are i
///   mtllib a.mtl       a file of materials beside this one (mtl_file.cpp)
///   usemtl name        the material of the faces that follow
/// and every other statement is passed over; so is a material that is not there. A line that ends with \ goes on in the next.
///   in   path    its name in remarks
///   in   scale   along x, y, z; an odd number of negative ones mirrors the mesh
///   out  as readMeshFile (io/mesh/mesh_file.h); Errors tell the line
/// Numbers are rounded to single precision.
Expected<TriangleMesh> readObj(std::string_view text, const std::string& path,
                               const Vec3d& scale = {1, 1, 1});

// mtl_file.cpp: materials of OBJ files, of which the colour is read

/// Kd (diffuse colour) and d or 1 - Tr (opacity) of each newmtl that has a Kd. Other statements, and
/// those whose numbers cannot be read, are passed over: a colour is no reason to refuse a mesh.
std::map<std::string, Rgba8> parseMtl(std::string_view text);

/// The same of a file.
///   in  name  as in mtllib, relative to the folder of objFile
///   returns  nothing where there is no such file, it is not a regular one, or larger than 1 MiB
std::map<std::string, Rgba8> readMtl(const std::string& objFile, const std::string& name);

// msh_file.cpp: MuJoCo's own binary format

/// The triangles of an MSH file's bytes: four whole numbers of 32 bits, the counts v of vertices, n of
/// normals, t of texture coordinates and f of faces; then 3 v, 3 n and 2 t numbers of single precision,
/// and 3 f indices of vertices. Normals and texture coordinates are not used.
///   in   path    its name in remarks
///   in   scale   along x, y, z; an odd number of negative ones mirrors the mesh
///   out  as readMeshFile (io/mesh/mesh_file.h); Errors tell the byte
Expected<TriangleMesh> readMsh(std::string_view bytes, const std::string& path,
                               const Vec3d& scale = {1, 1, 1});

// assimp_mesh.cpp: formats that assimp reads, which it does in a child process: its readers
// are large and broken files can make them crash or take all memory

/// The triangles of a mesh file, read by assimp in a process of its own (runInChild() in
/// io/text/child_process.h: what it asks of programs with threads stands there). Errors where the child
/// crashes, or needs more than 60 s or 1 GiB and 16 times the file's size.
///   in   path, scale   as readMeshFile (io/mesh/mesh_file.h)
///   out  bit for bit the result of readByAssimpHere()
Expected<TriangleMesh> readByAssimp(const std::string& path, const Vec3d& scale = {1, 1, 1});

/// The same in this process; throws std::bad_alloc where memory ends. For tests and the child: a
/// broken file may end the process.
Expected<TriangleMesh> readByAssimpHere(const std::string& path, const Vec3d& scale = {1, 1, 1});

// polygon.cpp: polygons of mesh files as triangles

/// Corners of a polygon that is not convex, at most: ear clipping costs up to their cube.
inline constexpr std::size_t most_concave_corners = 256;

/// Appends the triangles of a polygon, as indices of its corners, in its sense of rotation: a fan
/// about corner 0 where the polygon is convex or has no area, else by ear clipping in the plane
/// of its vector area (Newell).
///   in   corners   3 or more, nearly in one plane
///   out  false where it is not convex and has more than most_concave_corners
bool triangulate(std::span<const Vec3d> corners, std::vector<std::array<int, 3>>& out);

// png_file.cpp: PNG pictures as grey levels

struct GreyImage {
  int width = 0, height = 0;
  std::vector<std::uint16_t> grey;  ///< [height][width], first row on top, as the file has them
};

/// Colours become grey by their luminance. Files of 8 bits have levels up to 255, of 16 bits up to
/// 65535.
///   in   mostPixels   larger pictures are refused before they are unpacked
Expected<GreyImage> readPng(const std::string& path, std::size_t mostPixels);

// Numbers in the bytes of binary files, the lowest byte first.

///   pre  at + 4 <= bytes.size()
inline std::uint32_t wordAt(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

inline double floatAt(std::string_view bytes, std::size_t at) {
  return static_cast<double>(std::bit_cast<float>(wordAt(bytes, at)));
}

}  // namespace espalier::io
