// Batches of worlds, as the class Batch of espalier/batch.py sees them.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "batch_handle.h"
#include "bindings.h"
#include "casters.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

template <class S>
void bindBatchOf(nb::module_& m, const char* name) {
  using Handle = BatchHandle<S>;
  using View = nb::ndarray<nb::numpy, S, nb::ndim<2>>;
  nb::class_<Handle>(m, name, "The worlds of a Batch.")
      .def(
          "__init__",
          [](Handle* self, const nb::callable& make, int worlds, bool isAccurate, int threads,
             int iterations) {
            BatchOptions options;
            options.mode = isAccurate ? BatchMode::ACCURATE : BatchMode::THROUGHPUT;
            options.threads = threads;
            options.iterations = iterations;
            new (self) Handle(make, worlds, options);
          },
          "make"_a, "worlds"_a, "is_accurate"_a, "threads"_a, "iterations"_a)
      .def_prop_ro("threads", [](Handle& b) { return b.use().threads(); })
      .def_prop_ro("time_step", [](Handle& b) { return b.use().prototype().getTimeStep(); })
      .def("names",
           [](Handle&) {
             std::vector<std::string> names;
             for (const auto each : BatchData<S>::names()) names.emplace_back(each);
             return names;
           })
      .def(
          "bind",
          [](nb::handle self, const std::string& quantity) {
            Batch<S>& batch = nb::cast<Handle&>(self).use();
            const Rows<S> rows = batch.bind(quantity);
            return View(
                rows.data,
                {static_cast<std::size_t>(batch.size()), static_cast<std::size_t>(rows.count)},
                self, {1, static_cast<std::int64_t>(rows.stride)});
          },
          "name"_a, nb::sig("def bind(self, name: str) -> numpy.ndarray"))
      .def(
          "step", [](Handle& b, int steps) { b.step(nullptr, steps); }, "steps"_a)
      .def(
          "step_of",
          [](Handle& b, const std::vector<int>& worlds, int steps) { b.step(&worlds, steps); },
          "worlds"_a, "steps"_a)
      .def_static(
          "step_together",
          [](const std::vector<Handle*>& batches, int steps) {
            Handle::runAll(batches, [&](std::span<Batch<S>* const> all) {
              Batch<S>::stepTogether(all, steps);
            });
          },
          "batches"_a, "steps"_a)
      .def("reset", [](Handle& b) { b.use().reset(); })
      .def(
          "reset_of", [](Handle& b, const std::vector<int>& worlds) { b.use().reset(worlds); },
          "worlds"_a)
      .def(
          "reset_to",
          [](Handle& b, const std::vector<int>& worlds, const State& state) {
            b.use().reset(worlds, state);
          },
          "worlds"_a, "state"_a)
      .def(
          "state", [](Handle& b, int world) { return b.use().getState(world); }, "world"_a)
      .def("initial_state", [](Handle& b) { return State(b.use().initialState()); })
      .def("report", [](nb::handle self) {
        const BatchReport<S>& report = nb::cast<Handle&>(self).use().report();
        nb::dict views;
        const auto add = [&]<class N>(const char* name, const std::vector<N>& numbers) {
          views[name] =
              nb::ndarray<nb::numpy, const N, nb::ndim<1>>(numbers.data(), {numbers.size()}, self);
        };
        add("flags", report.flags);
        add("residual", report.residual);
        add("closure", report.closure);
        add("penetration", report.penetration);
        add("iterations", report.iterations);
        add("uncorrected", report.uncorrected);
        return views;
      });
}

}  // namespace

void bindBatch(nb::module_& m) {
  bindBatchOf<double>(m, "_BatchDouble");
  bindBatchOf<float>(m, "_BatchFloat");
}

}  // namespace espalier::python
