// compile() and Model.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "diagnostics.h"
#include "espalier/model/compile/compile_cache.h"
#include "espalier/model/compile/coordinate_names.h"
#include "model_object.h"
#include "spec_casters.h"
#include "tree_text.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// A Spec that a Model's object keeps; C++'s, so that nobody edits it.
struct KeptSpec {
  std::shared_ptr<const SystemSpec> spec;
};

const SystemSpec& specOf(nb::handle model) {
  const nb::object kept = nb::getattr(model, "_spec", nb::none());
  if (!nb::isinstance<KeptSpec>(kept))
    throw std::invalid_argument("this Model is not known by a Spec: it was not made by compile()");
  return *nb::cast<const KeptSpec&>(kept).spec;
}

ModelObject compileSpec(const SystemSpec& spec, Diagnostics* remarks) {
  const auto kept = std::make_shared<const SystemSpec>(spec);
  Expected<Model> model = [&] {
    const nb::gil_scoped_release release;
    return compile(*kept);
  }();
  return modelObject(std::make_shared<const Model>(valueOf(std::move(model), remarks)), kept);
}

ModelObject compileCached(CompileCache& cache, const SystemSpec& spec, Diagnostics* remarks) {
  const auto kept = std::make_shared<const SystemSpec>(spec);
  auto model = [&] {
    const nb::gil_scoped_release release;
    return cache.compile(*kept);
  }();
  return modelObject(valueOf(std::move(model), remarks), kept);
}

void requireSize(std::size_t size, int wanted, const char* name, const Model& model) {
  if (size != static_cast<std::size_t>(wanted))
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(size) +
                                " numbers, expected " + std::to_string(wanted) + " for '" +
                                model.name + "'");
}

template <class Owner, class Member>
void list(nb::class_<Owner>& type, const char* name, std::vector<Member> Owner::*member,
          const char* doc) {
  type.def_prop_ro(
      name, [member](const Owner& owner) -> const std::vector<Member>& { return owner.*member; },
      nb::rv_policy::reference_internal, doc);
}

void defineModel(nb::class_<Model>& type) {
  type.def_ro("name", &Model::name, "of the robot")
      .def_ro("topology", &Model::topology, "the tree as integers")
      .def_prop_ro(
          "mechanism",
          [](const Model& model) { return model.mechanism.isTree() ? nullptr : &model.mechanism; },
          nb::rv_policy::reference_internal,
          "what ties the tree: loops and couplings that coordinates keep; None for a tree")
      .def_ro("bilateral", &Model::bilateral, "loops that rows of the contact problem keep")
      .def_ro("authored", &Model::authored, "inertias and joints as authored, welded links merged")
      .def_ro("public_dof", &Model::publicDof,
              "list of int: place of each dof among the public ones; -1: dependent")
      .def_ro("public_coordinate", &Model::publicCoordinate,
              "list of int: place of each coordinate among the public ones; -1: dependent")
      .def_ro("spanning_dof", &Model::spanningDof,
              "list of int: place of each dof among those of all joints, authored order")
      .def_ro("spanning_coordinate", &Model::spanningCoordinate,
              "list of int: place of each coordinate among those of all joints, authored order")
      .def_ro("public_nv", &Model::publicNv, "number of public dofs")
      .def_ro("public_nq", &Model::publicNq, "number of public coordinates")
      .def_ro("public_order_is_internal", &Model::publicOrderIsInternal,
              "whether public and internal order are the same")
      .def_ro("mass", &Model::mass, "kg, fixed base included")
      .def_prop_ro("has_loops", &Model::hasLoops, "whether it is more than a tree")
      .def_prop_ro("nb", &Model::nb, "number of bodies, the base included")
      .def_prop_ro("nq", &Model::nq, "number of coordinates of the spanning tree")
      .def_prop_ro("nv", &Model::nv, "number of dofs of the spanning tree")
      .def("body", &Model::body, "link"_a, "Index of the body of a link; -1 where there is none.")
      .def("joint", &Model::joint, "name"_a,
           "Index of the body that a joint carries; -1 where there is none.")
      .def("frame", &Model::frame, "name"_a, "Index in frames; -1 where there is none.")
      .def("rotor", &Model::rotor, "joint"_a, "Index in rotors; -1 where there is none.");
  list(type, "bodies", &Model::bodies, "list of BodyInfo; body 0 is the base");
  list(type, "frames", &Model::frames, "list of FrameInfo, one for each joint of the file");
  list(type, "links", &Model::links, "list of FrameInfo, one for each link of the file");
  list(type, "collisions", &Model::collisions, "list of CollisionInfo");
  list(type, "rotors", &Model::rotors, "list of RotorInfo: geared rotors that are no bodies");
  list(type, "tendons", &Model::tendons, "list of TendonInfo");
  list(type, "held_weights", &Model::heldWeights, "list of HeldWeight");
  list(type, "drag_boxes", &Model::dragBoxes, "list of DragBox: links that move in a medium");
  list(type, "ignored_body_pairs", &Model::ignoredBodyPairs,
       "list of IgnoredBodies: each body with its parent, then the others");
  type.def_prop_ro(
          "spec", [](nb::handle model) { return specOf(model); },
          "A copy of the SystemSpec that it was compiled from. ValueError where there is none.")
      .def(
          "coordinate_names",
          [](const Model& model, bool all) {
            return coordinateNames(model, all ? Joints::All : Joints::Public);
          },
          "all"_a = false,
          "A name for each public coordinate, or for those of all joints, in the authored order.")
      .def(
          "dof_names",
          [](const Model& model, bool all) {
            return dofNames(model, all ? Joints::All : Joints::Public);
          },
          "all"_a = false,
          "A name for each public dof, or for those of all joints, in the authored order.")
      .def("__repr__", [](const Model& model) { return treeText(model); })
      .def("__copy__", [](nb::object self) { return self; })
      .def(
          "__deepcopy__", [](nb::object self, nb::handle) { return self; }, "memo"_a)
      .def("__reduce__", [](nb::handle self) {
        return nb::make_tuple(nb::module_::import_("espalier.load").attr("recompile"),
                              nb::make_tuple(specOf(self)));
      });
}

}  // namespace

ModelObject modelObject(std::shared_ptr<const Model> model,
                        std::shared_ptr<const SystemSpec> spec) {
  nb::object object = nb::cast(std::const_pointer_cast<Model>(std::move(model)));
  if (spec && !nb::hasattr(object, "_spec"))
    object.attr("_spec") = nb::cast(KeptSpec{std::move(spec)});
  return ModelObject(std::move(object));
}

void requireCoordinates(const Model& model, const std::vector<double>& q, const char* name) {
  requireSize(q.size(), model.nq(), name, model);
}
void requireVelocities(const Model& model, const std::vector<double>& u, const char* name) {
  requireSize(u.size(), model.nv(), name, model);
}

void bindModel(nb::module_& m) {
  nb::class_<KeptSpec>(m, "KeptSpec_", "The Spec of a Model.");
  nb::class_<Model> type(
      m, "Model", nb::dynamic_attr(), nb::is_weak_referenceable(),
      "An articulated system after compile(). It never changes; copies of it are "
      "itself, pickles compile its Spec again.");
  defineModel(type);
  m.def("compile", &compileSpec, "spec"_a, "diagnostics"_a = nb::none(),
        "Compiles a SystemSpec to a Model. Warnings go to `warnings`, or to `diagnostics` where "
        "given; "
        "SpecError, a ValueError, with every problem.");
  nb::class_<CompileCache>(m, "CompileCache", "Compiled models by what they were compiled from.")
      .def(nb::init<>())
      .def_static("of_process", &CompileCache::ofProcess, nb::rv_policy::reference,
                  "The one that all worlds of the process ask.")
      .def(
          "compile", &compileCached, "spec"_a, "diagnostics"_a = nb::none(),
          "compile(spec), or the same Model as the last time while anybody holds it. The base of a "
          "fixed robot stands at the world's origin, wherever spec.X_WB puts it.")
      .def_prop_ro("size", &CompileCache::size, "number of models that somebody holds");
  m.def("neutral_state", &neutralState, "model"_a,
        "State of the neutral coordinates, at rest, at time 0.");
  m.def(
      "hash", [](const State& state) { return hash(state); }, "state"_a,
      "FNV-1a over the bytes of q and u: equal states, equal hashes.");
}

}  // namespace espalier::python
