#include "espalier/visual/world_capture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "espalier/core/check.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/loops/loop_gap.h"
#include "espalier/step/pose.h"
#include "espalier/step/tendons.h"
#include "espalier/visual/fingerprint.h"
#include "espalier/visual/scene_builder.h"
#include "espalier/visual/scene_json.h"
#include "espalier/visual/visuals.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

using nlohmann::json;

json flagsJson() {
  json flags = json::array();
  for (const StepFlagInfo& info : step_flags)
    flags.push_back({{"bit", static_cast<std::uint32_t>(info.flag)},
                     {"name", info.name},
                     {"remedy", info.remedy}});
  return flags;
}

json channelsJson(const std::vector<Channel>& channels) {
  json list = json::array();
  for (const Channel& c : channels)
    list.push_back({{"name", c.name}, {"unit", c.unit}, {"group", c.group}});
  return list;
}

std::array<float, 3> floats(const Vec3d& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

void putPoint(const Vec3d& p, float* at) { std::ranges::copy(floats(p), at); }

void putPose(const Transformd& X, int body, std::vector<float>& poses) {
  const Quat<double> q = quaternion(X.R);
  float* at = poses.data() + std::size_t{7} * static_cast<std::size_t>(body);
  for (double x : {X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z}) *at++ = static_cast<float>(x);
}
Transformd poseOf(const std::vector<Transformd>& poses, int body) {
  return body < 0 ? identityTransform<double>() : poses[body];
}

}  // namespace

struct WorldCapture::Data {
  std::vector<World*> worlds;
  Visuals* visuals;
  std::string name;

  MeshStore meshes;
  Fingerprint seen, now;
  SceneDescription description;
  SceneLayout layout;
  std::vector<Transformd> poses;  ///< [bodies] of the frame in progress

  void describe();
  void noteVisuals();
  void captureSystem(ShownSystem& shown, Frame& frame);
  void captureBody(const ShownBody& shown, Frame& frame);
  void captureContacts(const ShownWorld& shown, Frame& frame);
  void captureStep(const ShownWorld& shown, double stepTime, Frame& frame) const;
  void addPushes(const AppliedForces& forces, int firstBody, Frame& frame) const;
};

void WorldCapture::Data::describe() {
  meshes.beginScene();
  SceneBuilder builder(meshes);
  for (std::size_t i = 0; i < worlds.size(); ++i)
    builder.addWorld(*worlds[i], static_cast<int>(i),
                     worlds.size() > 1 ? "world " + std::to_string(i) + "/" : "");
  if (visuals) builder.addVisuals(*visuals);
  const World& first = *worlds.front();
  json scene = {{"type", "scene"},
                {"version", ++description.version},
                {"name", name},
                {"dt", first.getTimeStep()},
                {"gravity", vectorJson(first.getGravity())},
                {"worlds", worlds.size()},
                {"flags", flagsJson()},
                {"keyframes", first.getKeyframeNames()}};
  if (name.empty())
    scene["name"] = first.systemCount() > 0 ? first.system(0)->getName() : std::string("world");
  layout = std::move(builder.layout);
  scene["objects"] = std::move(builder.objects);
  scene["bodies"] = std::move(builder.bodies);
  scene["loops"] = std::move(builder.loops);
  scene["tendons"] = std::move(builder.tendons);
  scene["channels"] = channelsJson(layout.channels);
  description.meshes = meshes.endScene();
  json list = json::array();
  for (const auto& mesh : description.meshes) {
    std::uint32_t sizes[2];
    std::memcpy(sizes, mesh->bytes.data(), sizeof sizes);
    list.push_back({{"hash", mesh->hash}, {"vertices", sizes[0]}, {"triangles", sizes[1]}});
  }
  scene["meshes"] = std::move(list);
  description.json = textOf(scene);
  poses.resize(static_cast<std::size_t>(layout.bodyCount));
}

void WorldCapture::Data::noteVisuals() {
  visuals->updateLooks();
  for (const auto& shape : visuals->shapes()) {
    if (shape->kind() == Visual::Kind::ARROW) continue;
    now.add(shape->hasVaryingLook());
    if (!shape->hasVaryingLook()) now.addLook(shape->look());
    now.add(shape.get());
  }
  for (const auto& set : visuals->instanced()) now.addShape(set->shape().shape);
  for (const auto& ghost : visuals->ghosts()) {
    now.add(&ghost->robot());
    now.add(&ghost->world());
    now.add(ghost->name);
    now.addNumbers(ghost->color);
    now.addRobot(ghost->robot());
  }
}

void WorldCapture::Data::captureSystem(ShownSystem& shown, Frame& frame) {
  const System& sys = shown.robot->system();
  const Model& model = *shown.model;
  const double* q = shown.world->coordinates().data() + sys.q0;
  const double* u = shown.world->velocities().data() + sys.u0;
  kinematics(model.topology, sys.parameters, q, u, shown.ws);

  Transformd* bodies = poses.data() + shown.firstBody;
  for (int b = 0; b < model.nb(); ++b) {
    bodies[b] = {mul(shown.ws.R[b], transpose(model.bodies[b].R_LC)),
                 shown.ws.origin + shown.ws.x[b]};
  }
  for (std::size_t r = 0; r < model.rotors.size(); ++r) {
    const RotorInfo& rotor = model.rotors[r];
    const Mat3d turn = rotation(expQuat(rotor.axis * rotor.angle(q)));
    bodies[model.nb() + static_cast<int>(r)] =
        bodies[rotor.body] * rotor.X_LJ * Transformd{turn, {0, 0, 0}};
  }
  const int count = model.nb() + static_cast<int>(model.rotors.size());
  for (int b = 0; b < count; ++b) putPose(bodies[b], shown.firstBody + b, frame.poses);
  addPushes(sys.pushes, shown.firstBody, frame);
  if (shown.q < 0) return;

  float* channels = frame.channels.data();
  for (int i = 0; i < model.nq(); ++i) channels[shown.q + i] = static_cast<float>(q[i]);
  for (int i = 0; i < model.nv(); ++i) channels[shown.u + i] = static_cast<float>(u[i]);
  const int base = model.topology.floating ? 6 : 0;
  for (int d = base; d < model.nv(); ++d)
    channels[shown.torque + d - base] = static_cast<float>(sys.applied[d]);
  for (std::size_t r = 0; r < model.rotors.size(); ++r) {
    const int place = static_cast<int>(r);
    channels[shown.q + model.nq() + place] = static_cast<float>(model.rotors[r].angle(q));
    channels[shown.u + model.nv() + place] = static_cast<float>(model.rotors[r].rate(u));
  }
  for (const ShownLoop& loop : shown.loops) {
    const Closure& c = *loop.closure;
    const auto pose = [&](int body) {
      return body < 0 ? identityTransform<double>() : bodies[body];
    };
    const LoopGap gap = gapOf(c, {pose(c.a) * c.X_LA, pose(c.b) * c.X_LB});
    channels[loop.channel] = static_cast<float>(std::max(gap.distance, gap.angle));
  }
  for (std::size_t i = 0; i < shown.tendons.size(); ++i) {
    ShownTendon& tendon = shown.tendons[i];
    measureTendon(model.tendons[i], shown.ws, q, u, tendon.state);
    channels[tendon.length] = static_cast<float>(tendon.state.length);
    const TendonState& step = sys.tendons[i];
    channels[tendon.length + 1] = static_cast<float>(step.spring.force + step.actuator.force);
    for (const ShownTendon::Touch& touch : tendon.touches) {
      const TendonState::Segment* s = tendon.state.segments.data() + touch.segment;
      putPoint(shown.ws.origin + s[0].to, channels + touch.first);
      putPoint(shown.ws.origin + s[1].from, channels + touch.second);
    }
  }
}

void WorldCapture::Data::captureBody(const ShownBody& shown, Frame& frame) {
  const FreeBody& body = shown.object->body();
  const auto place = static_cast<std::size_t>(shown.body);
  if (body.q0 < 0) {
    poses[place] = body.X_WB;
  } else {
    const double* q = shown.world->coordinates().data() + body.q0;
    const double* u = shown.world->velocities().data() + body.u0;
    poses[place] = readPose(q);
    if (shown.q >= 0)
      for (int i = 0; i < 7; ++i) frame.channels[shown.q + i] = static_cast<float>(q[i]);
    if (shown.u >= 0)
      for (int i = 0; i < 6; ++i) frame.channels[shown.u + i] = static_cast<float>(u[i]);
  }
  putPose(poses[place], shown.body, frame.poses);
  addPushes(body.pushes, shown.body, frame);
}

void WorldCapture::Data::addPushes(const AppliedForces& forces, int firstBody, Frame& frame) const {
  for (const AppliedForce& f : forces.last) {
    const int body = firstBody + f.body;
    frame.pushes.push_back({floats(poseOf(poses, body) * f.point_B), floats(f.force), body});
  }
}

void WorldCapture::Data::captureContacts(const ShownWorld& shown, Frame& frame) {
  const double perStep = 1 / shown.world->getTimeStep();
  for (const Contact& c : shown.world->contacts()) {
    if (!c.touches()) continue;
    const Vec3d force = tmul(c.frame, c.impulse) * perStep;
    const auto place = [&](int object, int body) {
      return object < 0 ? -1 : shown.objects[object].firstBody + body;
    };
    const int a = place(c.objectA, c.bodyA), b = place(c.objectB, c.bodyB);
    if (a >= 0) layout.contactForce[a] += force;
    if (b >= 0) layout.contactForce[b] -= force;
    frame.contacts.push_back({floats(c.position), floats(c.normal), floats(force), a, b});
  }
}

void WorldCapture::Data::captureStep(const ShownWorld& shown, double stepTime, Frame& frame) const {
  const StepReport& report = shown.world->report();
  float* at = frame.channels.data() + shown.step;
  for (double x :
       {report.residual, report.penetration, double(report.contacts), double(report.activeContacts),
        double(report.iterations), report.closure, stepTime})
    *at++ = static_cast<float>(x);
  frame.flags |= report.flags;
  if (shown.energy < 0) return;
  frame.channels[shown.energy] = static_cast<float>(report.energy);
  frame.channels[static_cast<std::size_t>(shown.energy) + 1] =
      static_cast<float>(report.energyBalance);
}

WorldCapture::WorldCapture(World& world, Visuals* visuals, std::string name)
    : WorldCapture(std::vector<World*>{&world}, visuals, std::move(name)) {}
WorldCapture::WorldCapture(std::vector<World*> worlds, Visuals* visuals, std::string name,
                           std::uint32_t after)
    : data_(std::make_unique<Data>()) {
  ESPALIER_REQUIRE(!worlds.empty(), "a capture needs a world");
  for (const World* world : worlds) ESPALIER_REQUIRE(world != nullptr, "a capture needs a world");
  data_->worlds = std::move(worlds);
  data_->visuals = visuals;
  data_->name = std::move(name);
  data_->description.version = after;
}
WorldCapture::~WorldCapture() = default;
WorldCapture::WorldCapture(WorldCapture&&) noexcept = default;
WorldCapture& WorldCapture::operator=(WorldCapture&&) noexcept = default;

bool WorldCapture::update() {
  data_->now.clear();
  for (const World* world : data_->worlds) data_->now.addWorld(*world);
  if (data_->visuals) data_->noteVisuals();
  if (!data_->description.json.empty() && data_->now == data_->seen) return false;
  data_->describe();
  data_->seen.swap(data_->now);
  return true;
}
const SceneDescription& WorldCapture::description() const { return data_->description; }

std::optional<BodyPlace> WorldCapture::bodyAt(int place) const {
  const SceneLayout& layout = data_->layout;
  for (const ShownWorld& shown : layout.worlds)
    for (const ShownObject& object : shown.objects) {
      const int body = place - object.firstBody;
      if (body < 0 || body >= object.count) continue;
      // The object itself is not asked: it may have been removed since.
      const auto system = std::ranges::find_if(
          layout.systems, [&](const ShownSystem& s) { return s.firstBody == object.firstBody; });
      const int rotor = system == layout.systems.end() ? -1 : body - system->model->nb();
      if (rotor < 0) return BodyPlace{shown.world, object.object, body, false};
      return BodyPlace{shown.world, object.object, system->model->rotors[rotor].body, true};
    }
  return std::nullopt;
}
int WorldCapture::placeOf(const Object& object) const {
  for (const ShownWorld& shown : data_->layout.worlds)
    for (const ShownObject& candidate : shown.objects)
      if (candidate.object == &object && candidate.count > 0) return candidate.firstBody;
  return -1;
}

namespace {

/// By an object's address alone: since the ray was cast it may have gone.
int placeOf(const CastRay& ray, const ShownWorld& shown) {
  if (ray.object == nullptr) return -1;
  for (const ShownObject& object : shown.objects)
    if (object.object == ray.object && ray.body < object.count) return object.firstBody + ray.body;
  return -1;
}

void captureRays(const ShownWorld& shown, Frame& frame) {
  for (const CastRay& ray : shown.world->raysOfLastStep())
    frame.rays.push_back({floats(ray.start), floats(ray.end), placeOf(ray, shown)});
}

}  // namespace

void WorldCapture::capture(Frame& frame, double stepTime) const {
  ESPALIER_REQUIRE(!data_->description.json.empty(), "call update() before capture()");
  SceneLayout& layout = data_->layout;
  frame.version = data_->description.version;
  frame.time = data_->worlds.front()->getWorldTime();
  frame.flags = 0;
  frame.poses.resize(std::size_t{7} * static_cast<std::size_t>(layout.bodyCount));
  frame.channels.resize(layout.channels.size());
  frame.contacts.clear();
  frame.pushes.clear();
  frame.rays.clear();
  for (ShownSystem& shown : layout.systems) data_->captureSystem(shown, frame);
  for (const ShownBody& shown : layout.bodies) data_->captureBody(shown, frame);
  for (const ShownShape& shown : layout.shapes)
    putPose(shown.visual->pose(), shown.body, frame.poses);
  for (Vec3d& force : layout.contactForce) force = {0, 0, 0};
  for (const ShownWorld& shown : layout.worlds) {
    data_->captureContacts(shown, frame);
    captureRays(shown, frame);
    data_->captureStep(shown, stepTime, frame);
  }
  for (int b = 0; b < layout.bodyCount; ++b)
    if (const int channel = layout.contactChannel[b]; channel >= 0)
      frame.channels[channel] = static_cast<float>(norm(layout.contactForce[b]));
}

}  // namespace espalier
