#pragma once

// Mesh files: the tetrahedron (0,0,0) (1,0,0) (0,2,0) (0,0,3), volume 1.

#include <cstdint>
#include <cstring>
#include <string>

namespace espalier {

inline const std::string tetrahedron_obj =
    "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

inline std::string tetrahedronStl() {
  const char* p[] = {"0 0 0", "1 0 0", "0 2 0", "0 0 3"};
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  std::string text = "solid t\n";
  for (const auto& f : faces) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int v : f) text += std::string("vertex ") + p[v] + "\n";
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid t\n";
}

inline std::string tetrahedronPly() {
  return "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty "
         "float z\n"
         "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
}

/// glTF's binary form, in a node moved by (10, 0, 0).
inline std::string tetrahedronGlb() {
  std::string bin;
  const auto put = [](std::string& to, auto value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    to.append(bytes, sizeof value);
  };
  for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 2.f, 0.f, 0.f, 0.f, 3.f}) put(bin, x);
  for (const int i : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) put(bin, static_cast<std::uint16_t>(i));
  std::string json =
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
      R"("nodes":[{"mesh":0,"translation":[10,0,0]}],)"
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],)"
      R"("buffers":[{"byteLength":72}],"bufferViews":[{"buffer":0,"byteLength":48},)"
      R"({"buffer":0,"byteOffset":48,"byteLength":24}],"accessors":[{"bufferView":0,"count":4,)"
      R"("componentType":5126,"type":"VEC3","min":[0,0,0],"max":[1,2,3]},)"
      R"({"bufferView":1,"count":12,"componentType":5123,"type":"SCALAR"}]})";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string file = "glTF";
  put(file, std::uint32_t{2});
  put(file, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + bin.size()));
  put(file, static_cast<std::uint32_t>(json.size()));
  file += "JSON" + json;
  put(file, static_cast<std::uint32_t>(bin.size()));
  file += std::string("BIN\0", 4) + bin;
  return file;
}

/// The same in Collada, in a node moved by (10, 0, 0) of its units.
inline std::string tetrahedronDae(const std::string& meter, const std::string& up) {
  return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="u" meter=")" +
         meter + R"("/><up_axis>)" + up + R"(</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><translate>10 0 0</translate>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
)";
}

}  // namespace espalier
