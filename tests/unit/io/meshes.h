#pragma once

// Mesh files as text: the tetrahedron (0,0,0) (1,0,0) (0,2,0) (0,0,3), volume 1.

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
