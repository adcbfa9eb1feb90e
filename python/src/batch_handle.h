#pragma once

// A Batch as Python holds it: it makes Worlds by a Python function, and steps without the GIL.

#include <memory>
#include <span>
#include <vector>

#include "bindings.h"
#include "espalier/batch/batch.h"
#include "espalier/core/check.h"
#include "guard.h"

namespace espalier::python {

template <class S>
class BatchHandle {
 public:
  BatchHandle(const nb::callable& make, int worlds, const BatchOptions& options)
      : batch_([&] { return worldOf(make()); }, worlds, options) {}

  Batch<S>& use() {
    if (isStepping_) throw std::runtime_error("another thread steps this Batch");
    return batch_;
  }
  /// f(the batch) without the GIL; until it returns, no other call may use the batch.
  template <class F>
  void run(const F& f) {
    runAll({this}, [&](std::span<Batch<S>* const> batches) { f(*batches[0]); });
  }
  /// f(the batches), as run().
  template <class F>
  static void runAll(const std::vector<BatchHandle*>& handles, const F& f) {
    std::vector<Batch<S>*> batches;
    for (BatchHandle* handle : handles) batches.push_back(&handle->use());
    struct Marked {
      const std::vector<BatchHandle*>& handles;
      explicit Marked(const std::vector<BatchHandle*>& all) : handles(all) { mark(true); }
      ~Marked() { mark(false); }
      void mark(bool is) {
        for (BatchHandle* handle : handles) handle->isStepping_ = is;
      }
    } marked(handles);
    const nb::gil_scoped_release release;
    f(std::span<Batch<S>* const>(batches));
  }
  void step(const std::vector<int>* worlds, int steps) {
    run([&](Batch<S>& batch) { worlds ? batch.step(*worlds, steps) : batch.step(steps); });
  }

 private:
  /// A World that lives as long as its owner in Python.
  static std::shared_ptr<World> worldOf(nb::object object) {
    ESPALIER_REQUIRE(nb::isinstance<WorldHandle>(object),
                     "the function that makes worlds must return a World");
    World& world = nb::cast<WorldHandle&>(object).world();
    const auto release = [owner = object.release()](World*) {
      const nb::gil_scoped_acquire acquire;
      owner.dec_ref();
    };
    return std::shared_ptr<World>(&world, release);
  }

  Batch<S> batch_;
  bool isStepping_ = false;
};

}  // namespace espalier::python
