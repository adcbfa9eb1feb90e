// Loops and tendons of a robot in the message `scene`.

#include "espalier/visual/scene_builder.h"
#include "espalier/visual/scene_json.h"

namespace espalier {
namespace {

using nlohmann::json;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

void SceneBuilder::addLoops(ShownSystem& shown, const std::string& prefix) {
  const std::shared_ptr<const SystemSpec>& spec = shown.robot->system().spec;
  const auto add = [&](const Closure& closure) {
    const std::string name = spec && closure.spec >= 0
                                 ? spec->loops[at(closure.spec)].name
                                 : "loop " + std::to_string(shown.loops.size());
    const auto place = [&](int body) { return body < 0 ? -1 : shown.firstBody + body; };
    const int channel = layout.addChannel(prefix + "loop/" + name, "m", "loop");
    shown.loops.push_back({&closure, channel});
    loops.push_back({{"name", name},
                     {"object", object_},
                     {"kind", nameOf(closure.kind)},
                     {"a", place(closure.a)},
                     {"pointA", vectorJson(closure.X_LA.p)},
                     {"b", place(closure.b)},
                     {"pointB", vectorJson(closure.X_LB.p)},
                     {"channel", channel}});
  };
  for (const Closure& closure : shown.model->mechanism.closures) add(closure);
  for (const Closure& closure : shown.model->bilateral.closures) add(closure);
}

void SceneBuilder::addTendons(ShownSystem& shown, const std::string& prefix) {
  for (const TendonInfo& info : shown.model->tendons) {
    const std::string name = prefix + "tendon/" + info.spec.name;
    ShownTendon tendon;
    tendon.state = shown.robot->system().tendons[shown.tendons.size()];
    tendon.length = layout.addChannel(name, info.segments.empty() ? "" : "m", "tendon");
    layout.addChannel(name + "/tension", info.segments.empty() ? "" : "N", "tendon");

    const auto fixedEnd = [&](const TendonInfo::End& end) -> json {
      return {{"body", end.body < 0 ? -1 : shown.firstBody + end.body},
              {"point", vectorJson(end.point_L)}};
    };
    json segments = json::array();
    for (const TendonInfo::Segment& segment : info.segments)
      segments.push_back({fixedEnd(segment.from), fixedEnd(segment.to)});
    for (const TendonInfo::Wrap& wrap : info.wraps) {
      const auto k = at(wrap.segment);
      const auto touch = [&](const char* which) {
        const std::string place = name + "/wrap " + std::to_string(tendon.touches.size()) + which;
        const int first = layout.addChannel(place + ".x", "m", "path");
        layout.addChannel(place + ".y", "m", "path");
        layout.addChannel(place + ".z", "m", "path");
        return first;
      };
      const int first = touch(" first"), second = touch(" second");
      tendon.touches.push_back({wrap.segment, first, second});
      segments[k][1] = {{"channel", first}};
      segments[k + 1][0] = {{"channel", second}};
      segments.push_back({json{{"channel", first}}, json{{"channel", second}}});
    }
    tendons.push_back({{"name", info.spec.name},
                       {"object", object_},
                       {"channel", tendon.length},
                       {"segments", std::move(segments)}});
    shown.tendons.push_back(std::move(tendon));
  }
}

}  // namespace espalier
