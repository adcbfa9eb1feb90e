#include "espalier/visual/visual_messages.h"

#include <algorithm>

#include "espalier/core/check.h"
#include "espalier/visual/scene_json.h"

namespace espalier {
namespace {

using nlohmann::json;

constexpr double pixels_per_metre = 200;  ///< of the width of lines

json colorJson(const std::string& name, const Vec<4>& color) {
  ESPALIER_REQUIRE(color.allFinite(), "the colour of '" + name + "' must be finite");
  return {color[0], color[1], color[2], color[3]};
}
json poseJson(const Vec<3>& position, const Vec<4>& quaternion) {
  return {position[0],   position[1],   position[2],  quaternion[0],
          quaternion[1], quaternion[2], quaternion[3]};
}
json pointsJson(const std::string& name, const std::vector<Eigen::Vector3d>& points) {
  json list = json::array();
  for (const Eigen::Vector3d& p : points) {
    ESPALIER_REQUIRE(p.allFinite(), "the points of '" + name + "' must be finite");
    list.push_back({p[0], p[1], p[2]});
  }
  return list;
}

bool isInOverlay(const Visual& visual) {
  return visual.kind() != Visual::Kind::ARROW && visual.hasVaryingLook();
}

}  // namespace

/// All that the overlay is made of.
void VisualMessages::note(const Visuals& visuals) {
  now_.clear();
  const auto addPoints = [this](const auto& points) {
    now_.add(points.size());
    for (const Eigen::Vector3d& p : points) now_.addNumbers(p);
  };
  for (const auto& line : visuals.lines()) {
    now_.add(line->name);
    now_.addNumbers(line->color);
    now_.add(line->width);
    addPoints(line->points);
  }
  now_.add('.');
  for (const auto& cloud : visuals.clouds()) {
    now_.add(cloud->name);
    now_.addNumbers(cloud->color);
    now_.add(cloud->size);
    addPoints(cloud->points);
  }
  now_.add('.');
  for (const auto& label : visuals.texts()) {
    now_.add(label->name);
    now_.add(label->text);
    now_.addNumbers(label->position);
    now_.addNumbers(label->color);
  }
  now_.add('.');
  for (const auto& shape : visuals.shapes()) {
    if (shape->kind() != Visual::Kind::ARROW && !isInOverlay(*shape)) continue;
    now_.addLook(shape->look());
    now_.add(shape->pose());
  }
  now_.add('.');
  for (const auto& set : visuals.instanced()) {
    now_.addLook(set->shape());
    now_.add(set->count());
    for (const InstancedVisuals::Instance& i : set->instances()) {
      now_.addNumbers(i.position);
      now_.addNumbers(i.quaternion);
      now_.addNumbers(i.scale);
      now_.addNumbers(set->colorOf(i));
    }
  }
}

bool VisualMessages::updateOverlay(const Visuals& visuals) {
  note(visuals);
  if (version_ > 0 && now_ == seen_) return false;
  write(visuals);
  seen_.swap(now_);
  return true;
}

void VisualMessages::write(const Visuals& visuals) {
  json polylines = json::array(), arrows = json::array(), points = json::array(),
       instances = json::array(), texts = json::array();
  for (const auto& line : visuals.lines())
    polylines.push_back({{"name", line->name},
                         {"color", colorJson(line->name, line->color)},
                         {"width", std::max(1.0, pixels_per_metre * line->width)},
                         {"points", pointsJson(line->name, line->points)}});
  for (const auto& cloud : visuals.clouds())
    points.push_back({{"name", cloud->name},
                      {"color", colorJson(cloud->name, cloud->color)},
                      {"size", cloud->size},
                      {"points", pointsJson(cloud->name, cloud->points)}});
  for (const auto& label : visuals.texts())
    texts.push_back({{"name", label->name},
                     {"text", label->text},
                     {"position", pointsJson(label->name, {label->position})[0]},
                     {"color", colorJson(label->name, label->color)}});
  meshes_.beginScene();
  for (const auto& shape : visuals.shapes()) {
    const Transformd X = shape->pose();
    const VisualSpec look = shape->look();
    if (shape->kind() == Visual::Kind::ARROW) {
      const auto& shaft = std::get<CylinderShape>(look.shape);
      arrows.push_back({{"name", shape->name},
                        {"color", look.rgba},
                        {"from", vectorJson(X.p)},
                        {"to", vectorJson(X * Vec3d{0, 0, shaft.height})},
                        {"radius", shaft.radius}});
    } else if (isInOverlay(*shape)) {
      instances.push_back({{"name", shape->name},
                           {"shape", shapeJson(look, meshes_)},
                           {"poses", json::array({espalier::poseJson(X)})},
                           {"scales", json::array({json::array({1, 1, 1})})},
                           {"colors", json::array({look.rgba})}});
    }
  }
  for (const auto& set : visuals.instanced()) {
    json poses = json::array(), scales = json::array(), colors = json::array();
    for (const InstancedVisuals::Instance& i : set->instances()) {
      poses.push_back(poseJson(i.position, i.quaternion));
      scales.push_back({i.scale[0], i.scale[1], i.scale[2]});
      colors.push_back(colorJson(set->name, set->colorOf(i)));
    }
    instances.push_back({{"name", set->name},
                         {"shape", shapeJson(set->shape(), meshes_)},
                         {"poses", std::move(poses)},
                         {"scales", std::move(scales)},
                         {"colors", std::move(colors)}});
  }
  meshes_.endScene();
  overlay_ = textOf({{"type", "overlay"},
                     {"version", ++version_},
                     {"polylines", std::move(polylines)},
                     {"arrows", std::move(arrows)},
                     {"points", std::move(points)},
                     {"instances", std::move(instances)},
                     {"texts", std::move(texts)}});
}

bool VisualMessages::updateGraphs(const Visuals& visuals) {
  json list = json::array();
  for (const auto& graph : visuals.series())
    list.push_back({{"title", graph->title},
                    {"kind", "time"},
                    {"labels", graph->names},
                    {"xUnit", graph->xAxis},
                    {"yUnit", graph->yAxis}});
  for (const auto& bars : visuals.bars())
    list.push_back({{"title", bars->title},
                    {"kind", "bar"},
                    {"labels", bars->names},
                    {"xUnit", ""},
                    {"yUnit", ""}});
  std::string now = textOf({{"type", "graphs"}, {"graphs", std::move(list)}});
  if (now == graphs_) return false;
  graphs_ = std::move(now);
  return true;
}

std::vector<std::string> Visuals::takeSamples() {
  std::vector<std::string> messages;
  for (const auto& graph : series())
    for (const TimeSeriesGraph::Sample& sample : graph->takeSamples())
      messages.push_back(textOf({{"type", "graphData"},
                                 {"title", graph->title},
                                 {"time", sample.time},
                                 {"values", sample.values}}));
  for (const auto& chart : bars())
    if (chart->takeChange())
      messages.push_back(textOf({{"type", "graphData"},
                                 {"title", chart->title},
                                 {"time", 0},
                                 {"values", chart->data()}}));
  return messages;
}

}  // namespace espalier
