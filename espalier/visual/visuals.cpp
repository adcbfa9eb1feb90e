#include "espalier/visual/visuals.h"

#include <algorithm>

#include "espalier/core/check.h"
#include "espalier/core/diagnostic.h"
#include "espalier/io/mesh/mesh_file.h"
#include "espalier/visual/visual_messages.h"

namespace espalier {
namespace {

MeshShape readMesh(const std::string& file, const Vec<3>& scale) {
  auto mesh = io::readMeshFile(file, scale);
  ESPALIER_REQUIRE(mesh.hasValue(),
                   "the mesh '" + file + "' cannot be read:\n" + mesh.diagnostics().toString());
  MeshShape shape;
  shape.file = file;
  shape.data = std::make_shared<const TriangleMesh>(std::move(mesh).value());
  return shape;
}

}  // namespace

Visuals::Visuals() : messages_(std::make_unique<VisualMessages>()) {}
Visuals::~Visuals() = default;

void Visuals::requireFree(const std::string& name) const {
  ESPALIER_REQUIRE(!shapes_.find(name) && !instanced_.find(name) && !lines_.find(name) &&
                       !clouds_.find(name) && !texts_.find(name) && !ghosts_.find(name),
                   "there is a visual '" + name + "' already");
}

// ---- shapes

Visual* Visuals::add(std::unique_ptr<Visual> visual, const VisualLook& look) {
  requireFree(visual->name);
  visual->material = look.material;
  visual->glow = look.glow;
  visual->shadow = look.shadow;
  return shapes_.add(std::move(visual));
}
Visual* Visuals::add(Visual::Kind kind, const std::string& name, const Vec<3>& size,
                     const VisualLook& look) {
  return add(std::unique_ptr<Visual>(new Visual(name, kind, size, look.color)), look);
}
Visual* Visuals::addMesh(const std::string& name, const std::string& file, const Vec<3>& scale,
                         const VisualLook& look) {
  std::unique_ptr<Visual> visual(new Visual(name, Visual::Kind::MESH, scale, look.color));
  visual->mesh_ = readMesh(file, scale);
  return add(std::move(visual), look);
}

InstancedVisuals* Visuals::addInstancedVisuals(const std::string& name, ShapeType type,
                                               const Vec<3>& size, const Vec<4>& firstColor,
                                               const Vec<4>& secondColor,
                                               const std::string& meshFile) {
  requireFree(name);
  VisualSpec shape;
  if (type == ShapeType::Mesh) {
    shape.name = name;
    shape.meshScale = size;
    shape.shape = readMesh(meshFile, size);
  } else {
    const auto kind = [&] {
      switch (type) {
        case ShapeType::Sphere: return Visual::Kind::SPHERE;
        case ShapeType::Box: return Visual::Kind::BOX;
        case ShapeType::Cylinder: return Visual::Kind::CYLINDER;
        case ShapeType::Capsule: return Visual::Kind::CAPSULE;
        default: break;
      }
      ESPALIER_REQUIRE(false, "instances of '" + name +
                                  "' can be spheres, boxes, cylinders, capsules or a mesh");
      return Visual::Kind::SPHERE;
    }();
    const Vec<3> lengths = type == ShapeType::Box      ? size
                           : type == ShapeType::Sphere ? Vec<3>(size[0], size[0], size[0])
                                                       : Vec<3>(size[0], size[1], size[1]);
    shape = Visual(name, kind, lengths, firstColor).look();
  }
  return instanced_.add(std::unique_ptr<InstancedVisuals>(
      new InstancedVisuals(name, std::move(shape), firstColor, secondColor)));
}

// ---- lines, points, texts

PolyLine* Visuals::addVisualPolyLine(const std::string& name) {
  requireFree(name);
  return lines_.add(std::make_unique<PolyLine>(name));
}
PointCloud* Visuals::addPointCloud(const std::string& name) {
  requireFree(name);
  return clouds_.add(std::make_unique<PointCloud>(name));
}
TextLabel* Visuals::addVisualText(const std::string& name, const std::string& text) {
  requireFree(name);
  TextLabel* label = texts_.add(std::make_unique<TextLabel>(name));
  label->text = text;
  return label;
}

// ---- ghosts

ArticulatedSystemVisual* Visuals::addVisualArticulatedSystem(const std::string& name,
                                                             const std::string& urdfFile,
                                                             double red, double green, double blue,
                                                             double opacity) {
  requireFree(name);
  return ghosts_.add(std::unique_ptr<ArticulatedSystemVisual>(
      new ArticulatedSystemVisual(name, urdfFile, Vec<4>(red, green, blue, opacity))));
}

// ---- charts

TimeSeriesGraph* Visuals::addTimeSeriesGraph(const std::string& title,
                                             const std::vector<std::string>& names,
                                             const std::string& xAxis, const std::string& yAxis) {
  requireFreeTitle(title);
  return series_.add(std::make_unique<TimeSeriesGraph>(title, names, xAxis, yAxis));
}
BarChart* Visuals::addBarChart(const std::string& title, const std::vector<std::string>& names) {
  requireFreeTitle(title);
  return bars_.add(std::make_unique<BarChart>(title, names));
}
void Visuals::requireFreeTitle(const std::string& title) const {
  ESPALIER_REQUIRE(!series_.find(title) && !bars_.find(title),
                   "there is a chart '" + title + "' already");
}
void Visuals::removeChart(const std::string& title) {
  TimeSeriesGraph* graph = series_.find(title);
  BarChart* bars = bars_.find(title);
  ESPALIER_REQUIRE(graph || bars, "there is no chart '" + title + "'");
  series_.remove(graph);
  bars_.remove(bars);
}

// ---- messages

void Visuals::updateLooks() {
  for (const auto& shape : shapes()) {
    if (shape->isShown_ && !shape->hasVaryingLook_)
      shape->hasVaryingLook_ =
          shape->color != shape->shownColor_ || shape->size_ != shape->shownSize_;
    shape->isShown_ = true;
    shape->shownColor_ = shape->color;
    shape->shownSize_ = shape->size_;
  }
}

bool Visuals::updateOverlay() {
  updateLooks();
  return messages_->updateOverlay(*this);
}
const std::string& Visuals::overlay() const { return messages_->overlay(); }
bool Visuals::updateGraphs() { return messages_->updateGraphs(*this); }
const std::string& Visuals::graphs() const { return messages_->graphs(); }

}  // namespace espalier
