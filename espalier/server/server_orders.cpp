// Commands of pages, as a Server executes them.

#include <fmt/format.h>

#include <algorithm>

#include "espalier/core/overloaded.h"
#include "espalier/server/joint_slider.h"
#include "espalier/server/server_data.h"

namespace espalier {
namespace {

constexpr int most_steps = 1'000'000;  ///< that wait

/// The message of a failed ESPALIER_REQUIRE, "what; remedy (required: condition)".
CommandError toError(const std::exception& exception) {
  std::string what = exception.what();
  what = what.substr(0, what.rfind(" (required: "));
  const std::size_t end = what.find("; ");
  if (end == std::string::npos) return {what, ""};
  return {what.substr(0, end), what.substr(end + 2)};
}

}  // namespace

void Server::Data::obey() {
  if (queue.isEmpty()) return;
  queue.take(orders);
  for (const Order& order : orders) obey(order);
  sendStatus();
}

void Server::Data::obey(const Order& order) {
  isFrameWanted = true;
  std::visit(Overloaded{[&](const Command& command) {
                          try {
                            obey(order.from, command);
                          } catch (const CommandError& error) {
                            order.from->sendText(toJson(error));
                          } catch (const std::exception& exception) {
                            order.from->sendText(toJson(toError(exception)));
                          }
                        },
                        [](const Joined&) {}, [&](const Left&) { drags.erase(order.from.get()); }},
             order.what);
}

void Server::Data::obey(const ClientPtr& from, const Command& command) {
  std::visit(
      Overloaded{
          [&](const PauseCommand& c) {
            isPaused = c.on;
            stepsLeft = 0;
            pacer.rest();
          },
          [&](const StepCommand& c) {
            if (!isPaused)
              throw CommandError{"single steps are for a world that is paused", "pause it"};
            stepsLeft = std::min(stepsLeft + c.count, most_steps);
          },
          [&](const SpeedCommand& c) { pacer.setSpeed(c.factor); },
          [&](const ResetCommand& c) { resetWorlds(c.keyframe); },
          [&](const ReloadCommand&) {
            if (!reload)
              throw CommandError{"this world does not come from a file", "start the program again"};
            reload();
          },
          [&](const JointCommand& c) { slide(c); }, [&](const DragCommand& c) { drag(from, c); },
          [&](const ReleaseCommand&) { drags.erase(from.get()); }},
      command);
}

void Server::Data::resetWorlds(const std::optional<std::string>& keyframe) {
  pacer.restart();
  if (reset) return reset(keyframe);
  for (World* world : worlds) keyframe ? world->reset(*keyframe) : world->reset();
}

BodyPlace Server::Data::bodyOf(int place) {
  const std::optional<BodyPlace> seen = capture->bodyAt(place);  // by the page; it may be gone
  updateScene();
  const std::optional<BodyPlace> body = capture->bodyAt(place);
  if (!body) throw CommandError{fmt::format("the scene has no body {}", place), ""};
  if (!seen || seen->object != body->object || seen->body != body->body)
    throw CommandError{"the scene has changed meanwhile", "look at it as it is now"};
  return *body;
}

void Server::Data::slide(const JointCommand& command) {
  const BodyPlace place = bodyOf(command.body);
  auto* robot = dynamic_cast<ArticulatedSystem*>(place.object);
  if (!robot || place.isRotor)
    throw CommandError{"this body has no joint that a slider moves", "take a joint of a robot"};
  slideJoint(*robot, place.body, command.value);
}

void Server::Data::drag(const ClientPtr& from, const DragCommand& command) {
  const BodyPlace place = bodyOf(command.body);
  auto at = drags.find(from.get());
  if (at == drags.end() || !at->second.isAt(*place.object, place.body, command.point)) {
    if (at != drags.end()) drags.erase(at);
    const std::optional<Drag> drag =
        Drag::start(*place.world, *place.object, place.body, command.point);
    if (!drag) throw CommandError{"nothing there can be moved", "pull at a body that is not fixed"};
    at = drags.emplace(from.get(), *drag).first;
  }
  at->second.moveTo(command.target);
}

}  // namespace espalier
