#include "espalier/visual/visuals.h"

#include <algorithm>

#include "espalier/core/check.h"
#include "espalier/core/diagnostic.h"
#include "espalier/io/mesh/mesh_file.h"
#include "espalier/visual/visual_messages.h"

namespace espalier {
namespace {

template <class T>
T* find(const std::vector<std::unique_ptr<T>>& list, const std::string& name) {
  for (const auto& item : list)
    if (item->name == name) return item.get();
  return nullptr;
}
template <class T>
T* findChart(const std::vector<std::unique_ptr<T>>& list, const std::string& title) {
  for (const auto& chart : list)
    if (chart->title == title) return chart.get();
  return nullptr;
}

template <class T>
T* need(T* found, const std::string& name) {
  ESPALIER_REQUIRE(found != nullptr, "there is no visual '" + name + "' of this kind");
  return found;
}

template <class T>
void remove(std::vector<std::unique_ptr<T>>& list, const T* item) {
  std::erase_if(list, [item](const auto& other) { return other.get() == item; });
}

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
  ESPALIER_REQUIRE(!find(shapes_, name) && !find(instanced_, name) && !find(lines_, name) &&
                       !find(clouds_, name) && !find(texts_, name) && !find(ghosts_, name),
                   "there is a visual '" + name + "' already");
}

// ---- shapes

Visual* Visuals::add(Visual* made, double opacity, const std::string& material, bool glow,
                     bool shadow) {
  std::unique_ptr<Visual> visual(made);
  requireFree(visual->name);
  visual->color[3] = opacity < 0 ? 1 : opacity;
  visual->material = material;
  visual->glow = glow;
  visual->shadow = shadow;
  shapes_.push_back(std::move(visual));
  return shapes_.back().get();
}

Visual* Visuals::addVisualSphere(const std::string& name, double radius, double red, double green,
                                 double blue, double opacity, const std::string& material,
                                 bool glow, bool shadow) {
  return add(new Visual(name, Visual::Kind::SPHERE, Vec<3>(radius, radius, radius),
                        Vec<4>(red, green, blue, opacity)),
             opacity, material, glow, shadow);
}
Visual* Visuals::addVisualBox(const std::string& name, double x, double y, double z, double red,
                              double green, double blue, double opacity,
                              const std::string& material, bool glow, bool shadow) {
  return add(
      new Visual(name, Visual::Kind::BOX, Vec<3>(x, y, z), Vec<4>(red, green, blue, opacity)),
      opacity, material, glow, shadow);
}
Visual* Visuals::addVisualCylinder(const std::string& name, double radius, double height,
                                   double red, double green, double blue, double opacity,
                                   const std::string& material, bool glow, bool shadow) {
  return add(new Visual(name, Visual::Kind::CYLINDER, Vec<3>(radius, height, height),
                        Vec<4>(red, green, blue, opacity)),
             opacity, material, glow, shadow);
}
Visual* Visuals::addVisualCapsule(const std::string& name, double radius, double height, double red,
                                  double green, double blue, double opacity,
                                  const std::string& material, bool glow, bool shadow) {
  return add(new Visual(name, Visual::Kind::CAPSULE, Vec<3>(radius, height, height),
                        Vec<4>(red, green, blue, opacity)),
             opacity, material, glow, shadow);
}
Visual* Visuals::addVisualMesh(const std::string& name, const std::string& file, double scaleX,
                               double scaleY, double scaleZ, double red, double green, double blue,
                               double opacity, bool glow, bool shadow) {
  const Vec<3> scale(scaleX, scaleY, scaleZ);
  auto visual = std::unique_ptr<Visual>(
      new Visual(name, Visual::Kind::MESH, scale, Vec<4>(red, green, blue, opacity)));
  visual->mesh_ = readMesh(file, scale);
  return add(visual.release(), opacity, "", glow, shadow);
}
Visual* Visuals::addVisualArrow(const std::string& name, double radius, double height, double red,
                                double green, double blue, double opacity, bool glow, bool shadow) {
  return add(new Visual(name, Visual::Kind::ARROW, Vec<3>(radius, height, height),
                        Vec<4>(red, green, blue, opacity)),
             opacity, "", glow, shadow);
}
Visual* Visuals::getVisualObject(const std::string& name) const {
  return need(find(shapes_, name), name);
}
void Visuals::removeVisualObject(const std::string& name) {
  remove<Visual>(shapes_, getVisualObject(name));
}
void Visuals::removeVisualObject(const Visual* visual) { remove(shapes_, visual); }

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
  instanced_.push_back(std::unique_ptr<InstancedVisuals>(
      new InstancedVisuals(name, std::move(shape), firstColor, secondColor)));
  return instanced_.back().get();
}
InstancedVisuals* Visuals::getInstancedVisuals(const std::string& name) const {
  return need(find(instanced_, name), name);
}
void Visuals::removeInstancedVisuals(const std::string& name) {
  remove<InstancedVisuals>(instanced_, getInstancedVisuals(name));
}

// ---- lines, points, texts

PolyLine* Visuals::addVisualPolyLine(const std::string& name) {
  requireFree(name);
  return lines_.emplace_back(std::make_unique<PolyLine>(name)).get();
}
PolyLine* Visuals::getVisualPolyLine(const std::string& name) const {
  return need(find(lines_, name), name);
}
void Visuals::removeVisualPolyLine(const std::string& name) {
  remove<PolyLine>(lines_, getVisualPolyLine(name));
}
PointCloud* Visuals::addPointCloud(const std::string& name) {
  requireFree(name);
  return clouds_.emplace_back(std::make_unique<PointCloud>(name)).get();
}
PointCloud* Visuals::getPointCloud(const std::string& name) const {
  return need(find(clouds_, name), name);
}
void Visuals::removePointCloud(const std::string& name) {
  remove<PointCloud>(clouds_, getPointCloud(name));
}
TextLabel* Visuals::addVisualText(const std::string& name, const std::string& text) {
  requireFree(name);
  texts_.push_back(std::make_unique<TextLabel>(name));
  texts_.back()->text = text;
  return texts_.back().get();
}
TextLabel* Visuals::getVisualText(const std::string& name) const {
  return need(find(texts_, name), name);
}
void Visuals::removeVisualText(const std::string& name) {
  remove<TextLabel>(texts_, getVisualText(name));
}

// ---- ghosts

ArticulatedSystemVisual* Visuals::addVisualArticulatedSystem(const std::string& name,
                                                             const std::string& urdfFile,
                                                             double red, double green, double blue,
                                                             double opacity) {
  requireFree(name);
  ghosts_.push_back(std::unique_ptr<ArticulatedSystemVisual>(
      new ArticulatedSystemVisual(name, urdfFile, Vec<4>(red, green, blue, opacity))));
  return ghosts_.back().get();
}
ArticulatedSystemVisual* Visuals::getVisualArticulatedSystem(const std::string& name) const {
  return need(find(ghosts_, name), name);
}
void Visuals::removeVisualArticulatedSystem(const std::string& name) {
  remove<ArticulatedSystemVisual>(ghosts_, getVisualArticulatedSystem(name));
}
void Visuals::removeVisualArticulatedSystem(const ArticulatedSystemVisual* ghost) {
  remove(ghosts_, ghost);
}

// ---- charts

TimeSeriesGraph* Visuals::addTimeSeriesGraph(const std::string& title,
                                             const std::vector<std::string>& names,
                                             const std::string& xAxis, const std::string& yAxis) {
  requireFreeTitle(title);
  return series_.emplace_back(std::make_unique<TimeSeriesGraph>(title, names, xAxis, yAxis)).get();
}
BarChart* Visuals::addBarChart(const std::string& title, const std::vector<std::string>& names) {
  requireFreeTitle(title);
  return bars_.emplace_back(std::make_unique<BarChart>(title, names)).get();
}
void Visuals::requireFreeTitle(const std::string& title) const {
  ESPALIER_REQUIRE(!findChart(series_, title) && !findChart(bars_, title),
                   "there is a chart '" + title + "' already");
}
TimeSeriesGraph* Visuals::getTimeSeriesGraph(const std::string& title) const {
  return need(findChart(series_, title), title);
}
BarChart* Visuals::getBarChart(const std::string& title) const {
  return need(findChart(bars_, title), title);
}
void Visuals::removeChart(const std::string& title) {
  TimeSeriesGraph* graph = findChart(series_, title);
  BarChart* bars = findChart(bars_, title);
  ESPALIER_REQUIRE(graph || bars, "there is no chart '" + title + "'");
  remove<TimeSeriesGraph>(series_, graph);
  remove<BarChart>(bars_, bars);
}

// ---- messages

void Visuals::updateLooks() {
  for (const auto& shape : shapes_) {
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
