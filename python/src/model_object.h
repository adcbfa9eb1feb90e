#pragma once

// Models as Python holds them: immutable and shared; with the Spec they were compiled from, by
// which they are pickled.

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <memory>

#include "espalier/model/model.h"

namespace espalier::python {

namespace nb = nanobind;

/// An espalier.Model, for signatures.
using ModelObject = nb::typed<nb::object, Model>;

/// The espalier.Model of a model. Needs the GIL.
///   in  spec  its Spec
ModelObject modelObject(std::shared_ptr<const Model> model, std::shared_ptr<const SystemSpec> spec);

/// Throws std::invalid_argument where q is not [nq] of the model, or u not [nv].
void requireCoordinates(const Model& model, const std::vector<double>& q, const char* name = "q");
void requireVelocities(const Model& model, const std::vector<double>& u, const char* name = "u");

}  // namespace espalier::python
