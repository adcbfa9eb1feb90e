#pragma once

// Python's World: an engine's World, the thread that steps it, and the handles that Python
// holds of its objects.
//
//   m.def("f", [](World& world) {...});          a caster takes a World from Python. Where another
//                                                thread is stepping it, a RuntimeError is raised
//   m.def("g", [](WorldHandle& world) {
//     return withoutGil(world, [](World& w) { return w.integrate(); });
//   });                                          long work: others may run, but not on this World
//
// The thread that steps may call (contact callbacks, controllers in Python): the engine judges what
// is allowed then. Everything here needs the GIL but what withoutGil runs.

#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "espalier/world/world.h"

namespace espalier::python {

namespace nb = nanobind;

struct ObjectHandle;

/// Told of each step of a world, in the thread that steps, without the GIL.
struct StepListener {
  virtual ~StepListener() = default;
  virtual void stepped(World& world) = 0;
};

/// A weld by its id, and its two objects; null: the world.
struct WeldedPair {
  int id;
  const Object *a, *b;
};

class WorldHandle {
 public:
  explicit WorldHandle(std::unique_ptr<World> world) : world_(std::move(world)) {}

  /// errors  throws std::runtime_error while another thread steps the world
  World& world() {
    check();
    return *world_;
  }
  void check() const {
    const unsigned long thread = stepper_.load(std::memory_order_acquire);
    if (thread != 0 && thread != PyThread_get_thread_ident()) throwBusy();
  }

  /// While it lives, other threads' calls raise.
  struct Mark {
    explicit Mark(WorldHandle& handle) : world(handle) {
      world.check();
      before = world.stepper_.exchange(PyThread_get_thread_ident());
    }
    ~Mark() { world.stepper_.store(before, std::memory_order_release); }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    WorldHandle& world;
    unsigned long before;
  };

  // Handles, one of each object at most, held weakly (object_handle.h).
  PyObject* handleOf(const Object* object) const;
  void note(const Object* object, PyObject* handle) { handles_[object] = handle; }
  void drop(const Object* object) { handles_.erase(object); }
  /// Takes an object out of the world; its handle raises from now on.
  void remove(Object& object);

  /// Added and removed with the GIL, while nobody steps (check()).
  std::vector<StepListener*> listeners;
  /// To be called behind each step, within the Stepping.
  void stepped() {
    for (StepListener* listener : listeners) listener->stepped(*world_);
  }

  // For copies (espalier/_world_copy.py): what the user set and neither getters nor specs tell.
  nb::object callback;                                       ///< the contact callback
  std::unordered_map<std::string, nb::object> calls;         ///< setter: its arguments
  std::unordered_map<std::string, nb::object> keyframes;     ///< name: checkpoint
  std::unordered_map<const Object*, nb::dict> callsOfRobot;  ///< by setter: (setter, arguments)
  std::vector<WeldedPair> welds;

 private:
  [[noreturn]] static void throwBusy();

  std::unique_ptr<World> world_;
  std::atomic<unsigned long> stepper_{0};  // thread ident; 0: nobody steps
  std::unordered_map<const Object*, PyObject*> handles_;
};

/// While it lives, this thread alone has the world, and the GIL is released.
///   errors  throws std::runtime_error where another thread steps the world
class Stepping {
 public:
  using Mark = WorldHandle::Mark;

  explicit Stepping(WorldHandle& world) : mark_(world) {}

 private:
  Mark mark_;
  nb::gil_scoped_release release_;  // taken back before the mark goes
};

/// The engine's object of a bound class.
///   errors  throws nb::type_error for another class, and where __init__ was never called
template <class T>
T& heldBy(nb::handle object) {
  T* held = nullptr;
  if (object.is_none() || !nb::try_cast(object, held, false) || !held)
    throw nb::type_error("an object of another class was given, or one that was never initialised");
  return *held;
}

/// f(world) in a Stepping.
template <class F>
decltype(auto) withoutGil(WorldHandle& handle, F&& f) {
  World& world = handle.world();
  const Stepping stepping(handle);
  return std::forward<F>(f)(world);
}

}  // namespace espalier::python

namespace nanobind::detail {

template <>
struct type_caster<espalier::World> : type_caster_base_tag {
  using Handle = espalier::python::WorldHandle;
  using World = espalier::World;
  static constexpr auto Name = const_name<Handle>();
  template <class T_>
  using Cast = precise_cast_t<T_>;

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    return inner.from_python(source, flags, cleanup);
  }
  template <class T_>
  bool can_cast() const noexcept {
    return inner.template can_cast<Handle*>();
  }
  operator World*() {
    Handle* handle = inner.operator Handle*();
    return handle ? &handle->world() : nullptr;
  }
  operator World&() {
    if (World* world = operator World*()) return *world;
    throw next_overload();
  }

  type_caster_base<Handle> inner;
};

}  // namespace nanobind::detail
