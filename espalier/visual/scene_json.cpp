#include "espalier/visual/scene_json.h"

#include <algorithm>
#include <cmath>

#include "espalier/core/overloaded.h"
#include "espalier/model/spec/principal_axes.h"

namespace espalier {

using nlohmann::json;

std::string textOf(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

json vectorJson(const Vec3d& v) { return json::array({v.x, v.y, v.z}); }

json poseJson(const Transformd& X) {
  const Quat<double> q = quaternion(X.R);
  return json::array({X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z});
}

json bodyJson(const std::string& name, int parent) {
  return {{"name", name},
          {"parent", parent},
          {"rotor", false},
          {"mass", 0},
          {"com", vectorJson({0, 0, 0})},
          {"inertiaBox", nullptr},
          {"frames", json::array()},
          {"joint", nullptr}};
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

json inertiaBoxJson(double mass, const Vec3d& com, const Sym3<double>& I) {
  if (!(mass > 0)) return nullptr;
  PrincipalAxes axes = principalAxes(I);
  const auto edge = [&](std::size_t along, std::size_t a, std::size_t b) {
    const double square = 6 * (axes.moments[a] + axes.moments[b] - axes.moments[along]) / mass;
    return std::sqrt(std::max(square, 0.0));
  };
  const Vec3d size{edge(0, 1, 2), edge(1, 2, 0), edge(2, 0, 1)};
  const Mat3d columns = transpose(axes.R);
  if (dot(cross(columns.r0, columns.r1), columns.r2) < 0)  // a reflection is the same box
    axes.R = transpose(Mat3d{columns.r0, columns.r1, -columns.r2});
  return {{"size", vectorJson(size)}, {"pose", poseJson({axes.R, com})}};
}

}  // namespace espalier
