// Functions of a Model: its configuration manifold, clusters, and closing its loops. Coordinates
// are in internal order, as a State's.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/loops/all_loops.h"
#include "espalier/model/loops/clusters.h"
#include "model_object.h"
#include "spec_casters.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

using Numbers = std::vector<double>;

Numbers room(int n) { return Numbers(static_cast<std::size_t>(n)); }

void requireBody(const Model& model, int body) {
  if (body < -1 || body >= model.nb())
    throw nb::index_error("a body is -1, the world, or an index below Model.nb");
}

void bindCoordinates(nb::module_& m) {
  m.def(
      "advance",
      [](const Model& model, Numbers q, const Numbers& step) {
        requireCoordinates(model, q);
        requireVelocities(model, step, "step");
        advance(model.topology, q.data(), step.data(), q.data());
        return q;
      },
      "model"_a, "q"_a, "step"_a,
      "q (+) step, step = dt u: (nq,) and (nv,) to (nq,); quaternions stay unit.");
  m.def(
      "neutral",
      [](const Model& model) {
        Numbers q = room(model.nq());
        neutral(model.topology, q.data());
        return q;
      },
      "model"_a, "(nq,) the coordinates at which every joint is closed: 0, or the identity.");
  m.def(
      "difference",
      [](const Model& model, const Numbers& q0, const Numbers& q1) {
        requireCoordinates(model, q0, "q0");
        requireCoordinates(model, q1, "q1");
        Numbers step = room(model.nv());
        difference(model.topology, q0.data(), q1.data(), step.data());
        return step;
      },
      "model"_a, "q0"_a, "q1"_a, "(nv,) step with q0 (+) step = q1.");
  m.def(
      "difference_of_joints",
      [](const Model& model, const Numbers& q0, const Numbers& q1) {
        requireCoordinates(model, q0, "q0");
        requireCoordinates(model, q1, "q1");
        Numbers step = room(model.nv());
        differenceOfJoints(model.topology, q0.data(), q1.data(), step.data());
        return step;
      },
      "model"_a, "q0"_a, "q1"_a, "(nv,) the same of the joints alone: zero for a floating base.");
  m.def(
      "normalize",
      [](const Model& model, Numbers q) {
        requireCoordinates(model, q);
        normalize(model.topology, q.data());
        return q;
      },
      "model"_a, "q"_a,
      "(nq,) with every quaternion scaled to unit length; a zero one becomes the identity.");
  m.def(
      "random_configuration",
      [](const Model& model, std::uint64_t seed, double spread) {
        Numbers q = room(model.nq());
        randomConfiguration(model.topology, seed, spread, q.data());
        return q;
      },
      "model"_a, "seed"_a, "spread"_a = 1.0,
      "(nq,) reproducible: angles and metres in [-1, 1] * spread, any orientation. Loops are open: "
      "see assemble().");
}

void bindClusters(nb::module_& m) {
  nb::class_<LoopPath>(m, "LoopPath", "Bodies between two bodies and their common ancestor.")
      .def_ro("first", &LoopPath::first, "list of int, root side first")
      .def_ro("second", &LoopPath::second, "list of int, root side first");
  m.def(
      "path_between",
      [](const Model& model, int a, int b) {
        requireBody(model, a);
        requireBody(model, b);
        return pathBetween(model.topology, a, b);
      },
      "model"_a, "a"_a, "b"_a,
      "The bodies between each of two bodies and their nearest common ancestor, that one left out; "
      "-1 "
      "is the world.");
  m.def(
      "find_clusters",
      [](const Model& model, const std::vector<std::vector<int>>& ties) {
        for (const auto& tie : ties)
          for (const int body : tie)
            if (body < 0 || body >= model.nb())
              throw nb::index_error("a tie names a body that is not there");
        return findClusters(model.topology, ties);
      },
      "model"_a, "ties"_a,
      "Bodies of each cluster, ascending, clusters by their first body; ties: bodies that each "
      "loop "
      "or coupling ties.");
}

/// Every loop and coupling of a model, with the closures that allClosures() has given.
LoopSystem loopsOf(const Model& model, const std::vector<Closure>& closures) {
  return {model.topology, model.lowered, closures, model.mechanism.couplings};
}

std::vector<char> heldDofs(const Model& model, const std::vector<std::string>& joints) {
  std::vector<char> held;
  if (joints.empty()) return held;
  held.assign(static_cast<std::size_t>(model.nv()), 0);
  for (const std::string& joint : joints) {
    const int body = model.joint(joint);
    if (body < 0)
      throw std::invalid_argument("'" + model.name + "' has no joint '" + joint + "' that moves");
    const BodyTopology& at = model.topology.bodies[body];
    for (int k = 0; k < at.nv; ++k) held[at.u + k] = 1;
  }
  return held;
}

void requireFinite(const Numbers& q) {
  for (const double x : q)
    if (!std::isfinite(x)) throw std::invalid_argument("q has a number that is not finite");
}

void bindAssembly(nb::module_& m) {
  nb::class_<AssemblyResult>(m, "AssemblyResult", "Whether loops were closed.")
      .def_ro("is_closed", &AssemblyResult::isClosed, "to 1e-12")
      .def_ro("residual", &AssemblyResult::residual, "the largest |phi|, m or 1")
      .def_ro("worst", &AssemblyResult::worst, "its row")
      .def("__repr__", [](const AssemblyResult& r) {
        return nb::str("AssemblyResult(is_closed={}, residual={})").format(r.isClosed, r.residual);
      });
  using Result = std::pair<Numbers, AssemblyResult>;
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  m.def(
      "assemble",
      [](const Model& model, Numbers q, const std::vector<std::string>& held) {
        requireCoordinates(model, q);
        requireFinite(q);
        const AssemblyResult result =
            loopsOf(model, allClosures(model)).assemble(heldDofs(model, held), q);
        return Result(std::move(q), result);
      },
      "model"_a, "q"_a, "held"_a = std::vector<std::string>(), free,
      "Closes all loops near q (nq,), from there and, where that fails, from starts around it: (q, "
      "AssemblyResult). held: names of joints that keep their coordinates.");
  m.def(
      "close_near",
      [](const Model& model, Numbers q) {
        requireCoordinates(model, q);
        requireFinite(q);
        const AssemblyResult result = loopsOf(model, allClosures(model)).closeNear({}, q);
        return Result(std::move(q), result);
      },
      "model"_a, "q"_a, free, "assemble() from this one start: (q, AssemblyResult).");
  m.def(
      "assemble_dependents",
      [](const Model& model, Numbers q) {
        requireCoordinates(model, q);
        requireFinite(q);
        const AssemblyResult result = closeAllLoops(model, model.lowered, true, q);
        return Result(std::move(q), result);
      },
      "model"_a, "q"_a, free,
      "Closes all loops by the dependent joints alone: the independent ones keep their "
      "coordinates. "
      "(q, AssemblyResult); q as it was where they do not close.");
  m.def(
      "closure_residual",
      [](const Model& model, const Numbers& q) {
        requireCoordinates(model, q);
        return closureResidual(model, model.lowered, q.data());
      },
      "model"_a, "q"_a, "The largest |phi| at q, m or 1; 0 for a tree.");
}

}  // namespace

void bindModelFunctions(nb::module_& m) {
  bindCoordinates(m);
  bindClusters(m);
  bindAssembly(m);
}

}  // namespace espalier::python
