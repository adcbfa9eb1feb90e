#include "espalier/visual/shape_json.h"

#include "espalier/core/overloaded.h"

namespace espalier {

using nlohmann::json;

json vectorJson(const Vec3d& v) { return json::array({v.x, v.y, v.z}); }

json poseJson(const Transformd& X) {
  const Quat<double> q = quaternion(X.R);
  return json::array({X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z});
}

namespace {

/// Whether the robot's file says how it is to be painted.
bool hasColor(const VisualSpec& visual) {
  return !visual.material.empty() || visual.rgba != VisualSpec{}.rgba;
}

double numberJson(double x) { return x; }
json numberJson(const Vec3d& v) { return vectorJson(v); }

}  // namespace

json shapeJson(const VisualSpec& visual, MeshStore& meshes) {
  json shape = std::visit(
      Overloaded{
          []<ParametricShape S>(const S& s) -> json {
            json told;
            told["kind"] = s.name;
            forEachParameter<S>([&](const auto& p) { told[p.name] = numberJson(s.*p.member); });
            return told;
          },
          [&](const MeshShape& m) -> json {
            if (!m.data) return {{"kind", "missing"}, {"file", m.file}};
            return {{"kind", "mesh"},
                    {"mesh", meshes.blobOf(m.data).hash},
                    {"scale", vectorJson(visual.meshScale)},
                    {"ownColors", !m.data->colors.empty() && !hasColor(visual)}};
          },
          [&](const Heightfield& h) -> json {
            return {{"kind", "mesh"},
                    {"mesh", meshes.blobOf(h.data).hash},
                    {"scale", vectorJson({1, 1, 1})}};
          },
      },
      visual.shape);
  shape["name"] = visual.name;
  shape["pose"] = poseJson(visual.X_LG);
  shape["color"] = visual.rgba;
  shape["material"] = visual.material;
  return shape;
}

}  // namespace espalier
