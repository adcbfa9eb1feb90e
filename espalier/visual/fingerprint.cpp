#include "espalier/visual/fingerprint.h"

#include "espalier/core/overloaded.h"
#include "espalier/robot/editing.h"

namespace espalier {

void Fingerprint::add(std::string_view text) {
  add(text.size());
  append(text.data(), text.size());
}

void Fingerprint::addWorld(const World& world) {
  add(world.getTimeStep());
  addNumbers(world.getGravity());
  add(world.getEnergyMonitoring());
  for (const std::string& name : world.getKeyframeNames()) add(name);
  add(world.objectCount());
  for (int i = 0; i < world.objectCount(); ++i) {
    const Object* object = world.getObject(i);
    add(object);
    add(object->getName());
    if (object->getObjectType() == ObjectType::ARTICULATED_SYSTEM)
      addRobot(static_cast<const ArticulatedSystem&>(*object));
    else
      addSingleBody(static_cast<const SingleBodyObject&>(*object));
  }
}

void Fingerprint::addRobot(const ArticulatedSystem& robot) {
  const System& sys = robot.system();
  add(sys.model.get());
  add(sys.edits);
  for (const LimitedDof& limit : sys.limits) add(limit);
  if (sys.editing)
    for (const CollisionBody& body : sys.editing->collisionBodies) addShape(body.getShape());
  for (const CoordinateFrame& frame : robot.getFrames()) {
    add(frame.name);
    addNumbers(frame.position);
    addNumbers(frame.orientation);
  }
  addVisuals(robot.getVisOb());
  addVisuals(robot.getVisColOb());
}

void Fingerprint::addVisuals(const std::vector<VisObject>& visuals) {
  add(visuals.size());
  for (const VisObject& v : visuals) {
    add(v.shape);
    add(v.visShapeParam.size());
    append(v.visShapeParam.data(), sizeof(double) * v.visShapeParam.size());
    addNumbers(v.offset);
    addNumbers(v.rot);
    addNumbers(v.color);
    addNumbers(v.scale);
    add(v.fileName);
    add(v.name);
    add(v.localIdx);
    add(v.material);
    add(v.link);
    add(v.triangles.get());
  }
}

void Fingerprint::addShape(const Shape& shape) {
  add(shape.index());
  std::visit(Overloaded{
                 [this]<ParametricShape S>(const S& s) {
                   forEachParameter<S>([&](const auto& p) { add(s.*p.member); });
                 },
                 [this](const MeshShape& m) { add(m.data.get()); },
                 [this](const Heightfield& h) { add(h.data.get()); },
             },
             shape);
}

void Fingerprint::addLook(const VisualSpec& look) {
  add(look.name);
  add(look.material);
  add(look.rgba);
  add(look.meshScale);
  add(look.X_LG);
  addShape(look.shape);
}

void Fingerprint::addSingleBody(const SingleBodyObject& object) {
  const FreeBody& body = object.body();
  add(body.spec.get());
  add(body.type);
  add(body.mass);
  add(body.com);
  add(body.I);
  add(object.getAppearance());
}

}  // namespace espalier
