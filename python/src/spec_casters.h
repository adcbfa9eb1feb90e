#pragma once

// How Specs, shapes, States and options cross to Python: as the classes of fields of
// python/espalier/spec.py, shapes.py, child.py, io.py and cluster_joint.py. Take them by const& or
// by value, return them by value. An error in one is a TypeError or ValueError that says where,
// such as "links[2].inertial.mass: expected a number, got str".
//
// Here it is only said which types cross so; their fields stand in spec_fields.h, and the code is
// compiled once, in spec_crossing.cpp.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "casters.h"
#include "espalier/compat/grbda/cluster_joints.h"
#include "espalier/geometry/terrain.h"
#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/sdf/sdf.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/urdf/bound_inertia.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/spec/spec.h"
#include "espalier/model/spec/spherical_limits.h"
#include "espalier/model/state.h"
#include "espalier/robot/child.h"

namespace espalier::python {

/// Something of an object of fields that is not as it should be.
struct WrongField {
  std::string where;  ///< "links[2].inertial.mass"; empty: the object itself
  std::string what;
  bool isType;  ///< a TypeError, else a ValueError

  std::string text() const { return where.empty() ? what : where + ": " + what; }
};

/// The Python class of a type that crosses by its fields.
template <class T>
struct FieldsClass;

template <class T>
concept CrossesByFields = requires {
  FieldsClass<T>::name;
};

/// The way there and back; both need the GIL.
template <class T>
struct Crossing {
  static bool isInstance(nb::handle object);
  static nb::object to(const T& value);
  static void from(nb::handle object, T& value);  ///< throws WrongField or nb::python_error
};

/// An alternative of Shape.
template <class S>
requires requires {
  S::className;
  S::shapeType;
}
struct FieldsClass<S> {
  static constexpr std::string_view module = "espalier.shapes.", own = S::className;
  struct Text {
    char all[module.size() + own.size() + 1] = {};
    constexpr Text() {
      std::copy(own.begin(), own.end(), std::copy(module.begin(), module.end(), all));
    }
  };
  static constexpr Text text{};
  static constexpr const auto& name = text.all;
  static constexpr const char* in = "espalier.shapes";
  static constexpr const char* as = S::className;
};

#define ESPALIER_FIELDS_CLASS(Type, module, className)               \
  template <>                                                        \
  struct FieldsClass<Type> {                                         \
    static constexpr char name[] = "espalier." module "." className; \
    static constexpr const char* in = "espalier." module;            \
    static constexpr const char* as = className;                     \
  };

ESPALIER_FIELDS_CLASS(TerrainProperties, "shapes", "TerrainProperties")
ESPALIER_FIELDS_CLASS(InertialSpec, "spec", "InertialSpec")
ESPALIER_FIELDS_CLASS(CollisionSpec, "spec", "CollisionSpec")
ESPALIER_FIELDS_CLASS(VisualSpec, "spec", "VisualSpec")
ESPALIER_FIELDS_CLASS(LinkSpec, "spec", "LinkSpec")
ESPALIER_FIELDS_CLASS(JointLimits, "spec", "JointLimits")
ESPALIER_FIELDS_CLASS(JointDynamics, "spec", "JointDynamics")
ESPALIER_FIELDS_CLASS(ActuatorSpec, "spec", "ActuatorSpec")
ESPALIER_FIELDS_CLASS(MimicSpec, "spec", "MimicSpec")
ESPALIER_FIELDS_CLASS(MediumSpec, "spec", "MediumSpec")
ESPALIER_FIELDS_CLASS(JointSpec, "spec", "JointSpec")
ESPALIER_FIELDS_CLASS(LoopSpec, "spec", "LoopSpec")
ESPALIER_FIELDS_CLASS(CouplingSpec, "spec", "CouplingSpec")
ESPALIER_FIELDS_CLASS(ConstraintSpec, "spec", "ConstraintSpec")
ESPALIER_FIELDS_CLASS(WrapSurface, "spec", "WrapSurface")
ESPALIER_FIELDS_CLASS(TendonSpec::Term, "spec", "TendonTerm")
ESPALIER_FIELDS_CLASS(TendonSpec::Point, "spec", "TendonPoint")
ESPALIER_FIELDS_CLASS(TendonSpec::Wrap, "spec", "TendonWrap")
ESPALIER_FIELDS_CLASS(TendonSpec::Way, "spec", "TendonWay")
ESPALIER_FIELDS_CLASS(TendonSpec, "spec", "TendonSpec")
ESPALIER_FIELDS_CLASS(TransmissionSpec, "spec", "TransmissionSpec")
ESPALIER_FIELDS_CLASS(IgnoredPair, "spec", "IgnoredPair")
ESPALIER_FIELDS_CLASS(SystemSpec, "spec", "SystemSpec")
ESPALIER_FIELDS_CLASS(MaterialPairSpec, "spec", "MaterialPairSpec")
ESPALIER_FIELDS_CLASS(BodySpec, "spec", "BodySpec")
ESPALIER_FIELDS_CLASS(PlacedSystemSpec, "spec", "PlacedSystemSpec")
ESPALIER_FIELDS_CLASS(WorldSpec, "spec", "WorldSpec")
ESPALIER_FIELDS_CLASS(SphericalLimits, "spec", "SphericalLimits")
ESPALIER_FIELDS_CLASS(RigidInertia<double>, "spec", "RigidInertia")
ESPALIER_FIELDS_CLASS(State, "spec", "State")
ESPALIER_FIELDS_CLASS(Child::Joint, "child", "ChildJoint")
ESPALIER_FIELDS_CLASS(Child::Body, "child", "ChildBody")
ESPALIER_FIELDS_CLASS(Child, "child", "Child")
ESPALIER_FIELDS_CLASS(io::LeastInertia, "io", "LeastInertia")
ESPALIER_FIELDS_CLASS(io::UrdfOptions, "io", "UrdfOptions")
ESPALIER_FIELDS_CLASS(io::MjcfOptions, "io", "MjcfOptions")
ESPALIER_FIELDS_CLASS(io::SdfOptions, "io", "SdfOptions")
ESPALIER_FIELDS_CLASS(io::WorldOptions, "io", "WorldOptions")
ESPALIER_FIELDS_CLASS(io::ReadingLimits, "io", "ReadingLimits")
ESPALIER_FIELDS_CLASS(ClusterBody, "cluster_joint", "ClusterBody")
ESPALIER_FIELDS_CLASS(GearedTransmissionModule, "cluster_joint", "GearedTransmissionModule")
ESPALIER_FIELDS_CLASS(ParallelBeltTransmissionModule<1>, "cluster_joint",
                      "ParallelBeltTransmissionModule")
ESPALIER_FIELDS_CLASS(ParallelBeltTransmissionModule<2>, "cluster_joint",
                      "ParallelBeltTransmissionModule")
ESPALIER_FIELDS_CLASS(ParallelBeltTransmissionModule<3>, "cluster_joint",
                      "ParallelBeltTransmissionModule")
ESPALIER_FIELDS_CLASS(TelloDifferentialModule, "cluster_joint", "TelloDifferentialModule")

#undef ESPALIER_FIELDS_CLASS

/// An object to be filled.
template <class T>
T blank() {
  if constexpr (std::is_default_constructible_v<T>)
    return T();
  else
    return T("", "");  // IgnoredPair
}

}  // namespace espalier::python

namespace nanobind::detail {

template <espalier::python::CrossesByFields T>
struct type_caster<T> {
  using Value = T;
  static constexpr auto Name = const_name(espalier::python::FieldsClass<T>::name);
  template <class T_>
  using Cast = movable_cast_t<T_>;
  using Crossing = espalier::python::Crossing<T>;

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    try {
      if (!Crossing::isInstance(source)) return false;
      Crossing::from(source, value);
      return true;
    } catch (const espalier::python::WrongField& wrong) {
      fault = wrong.text();
      isType = wrong.isType;
      return true;
    } catch (python_error& error) {
      error.restore();
      PyErr_Clear();
      return false;
    } catch (...) {
      return false;
    }
  }
  static handle from_cpp(const T& x, rv_policy, cleanup_list*) noexcept {
    try {
      return Crossing::to(x).release();
    } catch (python_error& error) {
      error.restore();
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return {};
  }
  static handle from_cpp(const T* x, rv_policy policy, cleanup_list* list) noexcept {
    return x ? from_cpp(*x, policy, list) : none().release();
  }

  // Containers ask before they cast where nothing may be thrown; functions do not ask, and the
  // error is thrown.
  template <class T_>
  bool can_cast() const noexcept {
    return fault.empty();
  }
  explicit operator T*() { return &checked(); }
  explicit operator T&() { return checked(); }
  explicit operator T&&() { return static_cast<T&&>(checked()); }

  T& checked() {
    if (fault.empty()) return value;
    if (isType) throw type_error(fault.c_str());
    throw value_error(fault.c_str());
  }

  T value = espalier::python::blank<T>();
  std::string fault;
  bool isType = false;
};

}  // namespace nanobind::detail
