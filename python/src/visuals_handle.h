#pragma once

// A program's drawings in Python: Visuals and Server, and the handles of their objects. A handle
// keeps its Visuals and raises once its object was removed there.
//
// A Server is drawn on by one thread while another one steps: `turn` is held by whoever has it.

#include <nanobind/nanobind.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <utility>

#include "espalier/visual/visuals.h"

namespace espalier::python {

namespace nb = nanobind;

/// A lock that is taken with the GIL. While it waits other threads of Python run, and Ctrl-C raises.
class Turn {
 public:
  void lock() {
    using namespace std::chrono_literals;
    // A loop of short turns would starve whoever waits.
    if (waiting_ > 0) {
      const nb::gil_scoped_release release;
      std::this_thread::sleep_for(100us);
    }
    if (mutex_.try_lock()) return;
    ++waiting_;
    bool isTaken = false;
    while (!isTaken) {
      {
        const nb::gil_scoped_release release;
        isTaken = mutex_.try_lock_for(50ms);
      }
      if (!isTaken && PyErr_CheckSignals() != 0) {
        --waiting_;
        throw nb::python_error();
      }
    }
    --waiting_;
  }
  void unlock() { mutex_.unlock(); }

  /// Held by a thread that has released the GIL.
  class WithoutGil {
   public:
    explicit WithoutGil(Turn& turn) : lock_(turn.mutex_) {}

   private:
    std::lock_guard<std::recursive_timed_mutex> lock_;
  };

 private:
  std::recursive_timed_mutex mutex_;
  int waiting_ = 0;  // threads; under the GIL
};

struct VisualsHandle {
  VisualsHandle() : own(std::make_unique<Visuals>()), visuals(own.get()) {}
  explicit VisualsHandle(Visuals* drawn) : visuals(drawn) {}
  VisualsHandle(const VisualsHandle&) = delete;
  VisualsHandle& operator=(const VisualsHandle&) = delete;

  Visuals& get() const {
    if (!visuals) throw std::runtime_error("what it drew on is gone");
    return *visuals;
  }
  /// Notes that an object is removed: its handles raise from now on.
  void forget(const void* item) {
    const auto found = isThere.find(item);
    if (found == isThere.end()) return;
    *found->second = false;
    isThere.erase(found);
  }

  std::unique_ptr<Visuals> own;  ///< null for a Server
  Visuals* visuals;
  Turn turn;
  std::unordered_map<const void*, std::shared_ptr<bool>> isThere;  ///< of all that have handles
};

/// A handle of something drawn.
template <class T>
struct Drawn {
  Drawn(nb::object itsOwner, VisualsHandle& itsVisuals, T* itsItem)
      : owner(std::move(itsOwner)), visuals(&itsVisuals), item(itsItem) {
    std::shared_ptr<bool>& noted = itsVisuals.isThere[itsItem];
    if (!noted) noted = std::make_shared<bool>(true);
    isThere = noted;
  }
  /// errors  throws std::runtime_error where it was removed
  T& use() const {
    if (!*isThere) throw std::runtime_error("this was removed from what the program draws");
    return *item;
  }
  Turn& turn() const {
    if (!owner.is_valid()) throw std::runtime_error("what it was drawn on is gone");
    return visuals->turn;
  }

  nb::object owner;  ///< Python's Visuals or Server
  VisualsHandle* visuals;
  T* item;
  std::shared_ptr<bool> isThere;
};

/// A function of T as one of its handle, which holds the turn meanwhile.
template <class T, class R, class... A>
auto held(R (*f)(T&, A...)) {
  return [f](Drawn<T>& self, A... a) -> R {
    const std::lock_guard lock(self.turn());
    return f(self.use(), std::forward<A>(a)...);
  };
}
template <class T, class... A>
auto held(void (T::*f)(A...)) {
  return [f](Drawn<T>& self, A... a) {
    const std::lock_guard lock(self.turn());
    (self.use().*f)(std::forward<A>(a)...);
  };
}
/// A field, as a getter and a setter.
template <class T, class R>
auto got(R T::*field) {
  return [field](Drawn<T>& self) -> std::remove_const_t<R> {
    const std::lock_guard lock(self.turn());
    return self.use().*field;
  };
}
template <class T, class R>
auto put(R T::*field) {
  return [field](Drawn<T>& self, const R& value) {
    const std::lock_guard lock(self.turn());
    self.use().*field = value;
  };
}

template <class T>
PyType_Slot* drawnSlots() {
  static const auto traverse = +[](PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<Drawn<T>>(self)->owner.ptr());
    return 0;
  };
  static const auto clear = +[](PyObject* self) {
    if (nb::inst_ready(self)) nb::inst_ptr<Drawn<T>>(self)->owner.reset();
    return 0;
  };
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear)},
                                {0, nullptr}};
  return slots;
}

template <class T>
using DrawnClass = nb::class_<Drawn<T>>;

/// The class of handles of T.
template <class T>
DrawnClass<T> drawnClass(nb::module_& m, const char* name, const char* doc) {
  return {m, name, nb::type_slots(drawnSlots<T>()), doc};
}

void bindVisualObjects(nb::module_& m);
void bindCharts(nb::module_& m);

}  // namespace espalier::python
