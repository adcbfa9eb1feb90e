// Observers of batches, as the class Observer of espalier/observation.py sees them.

#include "espalier/batch/observer.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "batch_handle.h"
#include "bindings.h"
#include "casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

using AnyArray = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
template <class Out>
using OutArray = nb::ndarray<Out, nb::ndim<2>, nb::device::cpu>;
using Worlds = std::optional<std::vector<int>>;

ObservedArray observedArray(const AnyArray& array) {
  using enum ObservedArray::Type;
  const nb::dlpack::dtype type = array.dtype();
  const auto bytes = static_cast<std::ptrdiff_t>(type.bits / 8);
  ObservedArray observed;
  observed.data = array.data();
  observed.worlds = static_cast<int>(array.shape(0));
  observed.columns = static_cast<int>(array.shape(1));
  observed.worldStride = array.stride(0) * bytes;
  observed.columnStride = array.stride(1) * bytes;
  if (type == nb::dtype<float>())
    observed.type = FLOAT;
  else if (type == nb::dtype<double>())
    observed.type = DOUBLE;
  else if (type == nb::dtype<std::int32_t>())
    observed.type = INT32;
  else if (type == nb::dtype<std::int64_t>())
    observed.type = INT64;
  else if (type == nb::dtype<bool>())
    observed.type = BOOL;
  else
    throw nb::value_error("an observed array is of float32, float64, int32, int64 or bool");
  return observed;
}

/// Observer<S> with the arrays that it reads.
template <class S>
class ObserverHandle {
 public:
  ///   in  list  Quantity of espalier/observation.py
  ObserverHandle(BatchHandle<S>& batch, const nb::list& list, const ObserverOptions& options)
      : batch_(batch), observer_(batch.use(), quantities(list), options) {}

  Observer<S>& use() {
    batch_.use();
    return observer_;
  }
  template <class Out>
  void observe(const OutArray<Out>& array, const Worlds& worlds) {
    const Observed<Out> out{array.data(), array.stride(0), array.stride(1)};
    batch_.run([&](Batch<S>&) {
      worlds ? observer_.observe(std::span<const int>(*worlds), out) : observer_.observe(out);
    });
  }

 private:
  std::vector<Quantity> quantities(const nb::list& list) {
    std::vector<Quantity> all;
    for (const nb::handle given : list) {
      Quantity& quantity = all.emplace_back();
      const auto take = [&](const char* name, auto& to) {
        to = nb::cast<std::remove_reference_t<decltype(to)>>(given.attr(name));
      };
      take("name", quantity.name);
      take("of", quantity.of);
      take("is_local", quantity.isLocal);
      take("scale", quantity.scale);
      take("offset", quantity.offset);
      take("low", quantity.low);
      take("high", quantity.high);
      take("threshold", quantity.threshold);
      take("points", quantity.points);
      take("label", quantity.label);
      std::string reduction;
      take("reduction", reduction);
      if (reduction == "squares") quantity.reduction = Reduction::SQUARES;
      if (reduction == "largest") quantity.reduction = Reduction::LARGEST;
      takeArray(given.attr("array"), quantity.array);
      takeArray(given.attr("minus"), quantity.minus);
    }
    return all;
  }

  void takeArray(const nb::object& given, ObservedArray& to) {
    if (given.is_none()) return;
    arrays_.push_back(nb::cast<AnyArray>(given));
    to = observedArray(arrays_.back());
  }

  BatchHandle<S>& batch_;
  std::vector<AnyArray> arrays_;
  Observer<S> observer_;
};

template <class S>
void bindObserverOf(nb::module_& m, const char* name) {
  using Handle = ObserverHandle<S>;
  nb::class_<Handle>(m, name, "What an Observer writes.")
      .def(
          "__init__",
          [](Handle* self, BatchHandle<S>& batch, const nb::list& list, int history,
             const std::vector<int>& delay, const std::vector<double>& noise, std::uint64_t seed,
             std::uint64_t firstWorld) {
            ObserverOptions options{history, delay, noise, seed, firstWorld};
            new (self) Handle(batch, list, options);
          },
          "batch"_a, "quantities"_a, "history"_a, "delay"_a, "noise"_a, "seed"_a, "first_world"_a,
          nb::keep_alive<1, 2>())
      .def("names", [](Handle& o) { return o.use().names(); })
      .def(
          "observe",
          [](Handle& o, const OutArray<float>& out, const Worlds& worlds) {
            o.observe(out, worlds);
          },
          nb::arg("out").noconvert(), "worlds"_a.none(),
          nb::sig("def observe(self, out: numpy.ndarray, worlds: Sequence[int] | None) -> None"))
      .def(
          "observe_double",
          [](Handle& o, const OutArray<double>& out, const Worlds& worlds) {
            o.observe(out, worlds);
          },
          nb::arg("out").noconvert(), "worlds"_a.none(),
          nb::sig(
              "def observe_double(self, out: numpy.ndarray, worlds: Sequence[int] | None) -> None"))
      .def("reset", [](Handle& o) { o.use().reset(); })
      .def(
          "reset_of", [](Handle& o, const std::vector<int>& worlds) { o.use().reset(worlds); },
          "worlds"_a)
      .def(
          "restart", [](Handle& o, const std::vector<int>& worlds) { o.use().restart(worlds); },
          "worlds"_a)
      .def("memory_size", [](Handle& o) { return o.use().memorySize(); })
      .def(
          "memory",
          [](Handle& o, int world) {
            std::vector<double> memory(static_cast<std::size_t>(o.use().memorySize()));
            o.use().getMemory(world, memory);
            return memory;
          },
          "world"_a)
      .def(
          "set_memory",
          [](Handle& o, int world, const std::vector<double>& memory) {
            o.use().setMemory(world, memory);
          },
          "world"_a, "memory"_a)
      .def(
          "set_delay",
          [](Handle& o, const std::vector<int>& worlds, const std::vector<int>& delay) {
            o.use().setDelay(worlds, delay);
          },
          "worlds"_a, "delay"_a);
}

}  // namespace

void bindObserver(nb::module_& m) {
  bindObserverOf<double>(m, "_ObserverDouble");
  bindObserverOf<float>(m, "_ObserverFloat");
}

}  // namespace espalier::python
