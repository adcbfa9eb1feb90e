#include "espalier/robot/vis_object.h"

#include <algorithm>

#include "espalier/core/check.h"
#include "espalier/core/overloaded.h"

namespace espalier {

ShapeType shapeType(const Shape& shape) {
  return std::visit([](const auto& s) { return s.shapeType; }, shape);
}

namespace {

std::vector<double> lengthsOf(const Shape& shape) {
  std::vector<double> lengths;
  std::visit(Overloaded{[&](const ParametricShape auto& s) {
                          forEachNumber(s, [&](const char*, double x) { lengths.push_back(x); });
                        },
                        [](const auto&) {}},
             shape);
  return lengths;
}

VisObject drawn(const Shape& shape, const Transformd& X_BG, int body) {
  VisObject v;
  v.shape = shapeType(shape);
  v.visShapeParam = lengthsOf(shape);
  v.offset = X_BG.p;
  v.rot = X_BG.R;
  v.localIdx = static_cast<std::size_t>(body);
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
    v.fileName = mesh->file;
    v.triangles = mesh->data;
  }
  return v;
}

/// The triangles as they are at another scale.
std::shared_ptr<const TriangleMesh> rescaled(const TriangleMesh& mesh, const Vec<3>& from,
                                             const Vec<3>& to) {
  auto scaled = std::make_shared<TriangleMesh>(mesh);
  for (Vec3d& v : scaled->vertices)
    v = {v.x * to[0] / from[0], v.y * to[1] / from[1], v.z * to[2] / from[2]};
  return scaled;
}

Shape shapeOf(const VisObject& v) {
  if (v.shape == ShapeType::Ground) return Plane{};
  if (v.shape == ShapeType::Mesh) return MeshShape{v.fileName, v.triangles};
  std::size_t next = 0;
  const std::optional<Shape> solid = makeSolid(
      [&](const auto& s) { return s.shapeType == v.shape; },
      [&](const auto& p, auto& value) {
        forEachNumber(p.name, value, [&](const char*, double& x) {
          ESPALIER_REQUIRE(next < v.visShapeParam.size() && v.visShapeParam[next] >= 0,
                           "visual '" + v.name + "' needs more lengths, none of them negative");
          x = v.visShapeParam[next++];
        });
      });
  ESPALIER_REQUIRE(solid, "visual '" + v.name + "' has no shape that can be drawn");
  return *solid;
}

}  // namespace

VisualSpec visualSpec(const VisObject& v, const VisObject* before) {
  ESPALIER_REQUIRE(v.offset.allFinite() && v.rot.allFinite() && v.color.allFinite() &&
                       v.scale.allFinite() && (v.scale.array() != 0).all(),
                   "visual '" + v.name + "' has numbers that are not finite, or no scale");
  VisualSpec spec;
  spec.name = v.name;
  spec.shape = shapeOf(v);
  if (auto* mesh = std::get_if<MeshShape>(&spec.shape); mesh && mesh->data && before) {
    if (mesh->file != before->fileName)
      mesh->data = nullptr;  // another file's
    else if (v.scale != before->scale)
      mesh->data = rescaled(*mesh->data, before->scale, v.scale);
  }
  spec.meshScale = v.scale;
  spec.X_LG = {v.rot, v.offset};
  std::copy_n(v.color.data(), 4, spec.rgba.begin());
  spec.material = v.material;
  return spec;
}

std::vector<VisObject> visualsOf(const SystemSpec& spec, const Model& model) {
  // A base that loops weld to the world carries one more: the world's own frame (model/loops/weld_joints.h).
  const bool hasWorld =
      model.links.size() == spec.links.size() + 1 && model.links.back().name == "world";
  ESPALIER_REQUIRE(hasWorld || spec.links.size() == model.links.size(),
                   "the Spec '" + spec.name + "' has " + std::to_string(spec.links.size()) +
                       " links, the model '" + model.name + "' " +
                       std::to_string(model.links.size()) + ": give the Spec it was compiled from");
  std::vector<VisObject> all;
  for (std::size_t l = 0; l < spec.links.size(); ++l) {
    const FrameInfo& link = model.links[l];
    int i = 0;
    for (const VisualSpec& visual : spec.links[l].visuals) {
      VisObject v = drawn(visual.shape, link.X_LF * visual.X_LG, link.body);
      v.name = visual.name.empty() ? link.name + "/" + std::to_string(i) : visual.name;
      std::copy_n(visual.rgba.begin(), 4, v.color.data());
      v.scale = visual.meshScale;
      v.material = visual.material;
      v.link = static_cast<int>(l);
      all.push_back(std::move(v));
      ++i;
    }
  }
  return all;
}

std::vector<VisObject> visualsOfCollisions(const Model& model) {
  std::vector<VisObject> all;
  for (const CollisionInfo& c : model.collisions) {
    VisObject v = drawn(c.shape, c.X_LG, c.body);
    v.name = c.name;
    v.material = c.material;
    all.push_back(std::move(v));
  }
  return all;
}

void writeVisuals(const std::vector<VisObject>& visuals, const Model& model, SystemSpec& spec) {
  const std::vector<VisObject> before = visualsOf(spec, model);
  if (visuals == before) return;
  std::vector<const VisualSpec*> source;
  for (const LinkSpec& link : spec.links)
    for (const VisualSpec& visual : link.visuals) source.push_back(&visual);

  std::vector<std::vector<VisualSpec>> byLink(spec.links.size());
  for (std::size_t i = 0; i < visuals.size(); ++i) {
    const VisObject& v = visuals[i];
    if (i < before.size() && v == before[i]) {
      byLink[v.link].push_back(*source[i]);
      continue;
    }
    ESPALIER_REQUIRE(v.localIdx < static_cast<std::size_t>(model.nb()),
                     "there is no body " + std::to_string(v.localIdx));
    const auto body = static_cast<int>(v.localIdx);
    const auto isOwn = [&](int l) {
      return l >= 0 && l < static_cast<int>(model.links.size()) && model.links[l].body == body;
    };
    int link = v.link;
    for (int l = 0; !isOwn(link); ++l) link = l;  // the body's own link is among them
    VisualSpec spec = visualSpec(v, i < before.size() ? &before[i] : nullptr);
    spec.X_LG = inverse(model.links[link].X_LF) * spec.X_LG;
    byLink[link].push_back(std::move(spec));
  }
  for (std::size_t l = 0; l < byLink.size(); ++l) spec.links[l].visuals = std::move(byLink[l]);
}

}  // namespace espalier
