#include "guard.h"

#include <stdexcept>
#include <string>
#include <typeinfo>

#include "object_handle.h"

namespace espalier::python {

void WorldHandle::throwBusy() {
  throw std::runtime_error(
      "another thread is stepping this World: wait until its call returns (one thread at a time "
      "for each World; different Worlds step in parallel)");
}

PyObject* WorldHandle::handleOf(const Object* object) const {
  const auto found = handles_.find(object);
  return found == handles_.end() ? nullptr : found->second;
}

void WorldHandle::remove(Object& object) {
  PyObject* handle = handleOf(&object);
  world().removeObject(&object);
  callsOfRobot.erase(&object);
  std::erase_if(welds, [&](const WeldedPair& w) { return w.a == &object || w.b == &object; });
  if (!handle) return;
  nb::inst_ptr<ObjectHandle>(handle)->object = nullptr;
  drop(&object);
}

void ObjectHandle::clear() {
  if (!owner) return;
  if (object) world->drop(object);
  object = nullptr;
  world = nullptr;
  PyObject* kept = owner;
  owner = nullptr;
  Py_DECREF(kept);
}

void ObjectHandle::throwRemoved() {
  throw std::runtime_error("this object was removed from its World");
}

namespace {

template <class T>
PyObject* make(PyObject* owner, WorldHandle& world, Object& object) {
  nb::object handle = nb::inst_alloc(nb::type<HandleOf<T>>());
  new (nb::inst_ptr<HandleOf<T>>(handle)) HandleOf<T>(owner, world, object);
  nb::inst_mark_ready(handle);
  world.note(&object, handle.ptr());
  return handle.release().ptr();
}

PyObject* makeFor(PyObject* owner, WorldHandle& world, Object& object) {
  const std::type_info& type = typeid(object);
  if (type == typeid(ArticulatedSystem)) return make<ArticulatedSystem>(owner, world, object);
  if (type == typeid(Sphere)) return make<Sphere>(owner, world, object);
  if (type == typeid(Box)) return make<Box>(owner, world, object);
  if (type == typeid(Cylinder)) return make<Cylinder>(owner, world, object);
  if (type == typeid(Capsule)) return make<Capsule>(owner, world, object);
  if (type == typeid(Mesh)) return make<Mesh>(owner, world, object);
  if (type == typeid(Ground)) return make<Ground>(owner, world, object);
  if (type == typeid(HeightMap)) return make<HeightMap>(owner, world, object);
  if (type == typeid(Compound)) return make<Compound>(owner, world, object);
  return make<SingleBodyObject>(owner, world, object);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<ObjectHandle>(self)->owner);
  return 0;
}

int clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<ObjectHandle>(self)->clear();
  return 0;
}

}  // namespace

PyType_Slot handle_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                              {Py_tp_clear, reinterpret_cast<void*>(clear)},
                              {0, nullptr}};

PyObject* handleOf(const Object* object, PyObject* self) noexcept {
  if (!object) Py_RETURN_NONE;
  try {
    PyObject* owner = self;
    WorldHandle* world = nullptr;
    if (self && !nb::try_cast(nb::handle(self), world)) {
      HandleOf<Object>* other = nullptr;
      if (nb::try_cast(nb::handle(self), other) && other && other->owner) {
        owner = other->owner;
        world = other->world;
      }
    }
    if (!world) {
      PyErr_SetString(PyExc_RuntimeError, "an object of a World was asked for without its World");
      return nullptr;
    }
    if (PyObject* known = world->handleOf(object)) {
      Py_INCREF(known);
      return known;
    }
    return makeFor(owner, *world, const_cast<Object&>(*object));
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

}  // namespace espalier::python
