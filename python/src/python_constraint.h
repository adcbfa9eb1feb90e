#pragma once

// Constraints that are classes of Python: what the engine asks is handed on to their methods, and what
// they return is looked at. The GIL is taken for each call.

#include <nanobind/trampoline.h>

#include "espalier/compat/arboris/point_contact.h"
#include "python_results.h"
#include "simulation_object.h"

namespace espalier::python {

/// The value of an attribute, or of a method without arguments.
inline nb::object attributeOf(nb::handle self, const char* name) {
  nb::object value = self.attr(name);
  return PyCallable_Check(value.ptr()) ? value() : value;
}

/// A constraint of a class of Python, of either base.
struct PythonConstraint : Membership {
  bool isPushing = true;  // as is_active was set
  virtual void setForce(const Eigen::VectorXd& force) = 0;
  virtual void updateOfBase(double dt) = 0;
  virtual bool activeOfBase() const = 0;
};

template <class Base>
struct PythonConstraintOf : Base, PythonConstraint {
  NB_TRAMPOLINE(Base);
  static constexpr bool is_contact = std::is_same_v<Base, sim::PointContact>;

  void init(sim::Simulation& engine) override {
    {
      const nb::detail::ticket ticket(nb_trampoline, "init", nb::detail::str_hash("init"), false);
      const nb::gil_scoped_acquire gil;
      const nb::handle self = nb_trampoline.base();
      if (ticket.key.is_valid()) self.attr(ticket.key)(simulation->self());
      const int ndol =
          requireCast<int>(attributeOf(self, "ndol"), classOf(self) + ".ndol is an int");
      ESPALIER_REQUIRE(ndol > 0 && ndol <= 1000000,
                       classOf(self) + ".ndol is " + std::to_string(ndol) +
                           ": it is positive, and not out of all proportion");
      this->force_.setZero(ndol);
    }
    engine.requireObjects();
    isInitialised = true;
  }
  int ndol() const override { return static_cast<int>(this->force_.size()); }
  void update(double dt) override {
    {
      const nb::detail::ticket ticket(nb_trampoline, "update", nb::detail::str_hash("update"),
                                      !is_contact);
      if (ticket.key.is_valid())
        nb_trampoline.base().attr(ticket.key)(dt);
      else
        updateOfBase(dt);
    }
    requireRest();
  }
  bool isActive() const override {
    const nb::gil_scoped_acquire gil;
    const nb::handle self = nb_trampoline.base();
    return requireCast<bool>(attributeOf(self, "is_active"),
                             classOf(self) + ".is_active is a bool");
  }
  void rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) const override {
    {
      const nb::detail::ticket ticket(nb_trampoline, "rows", nb::detail::str_hash("rows"), true);
      const nb::handle self = nb_trampoline.base();
      const nb::object result = self.attr(ticket.key)();
      if (nb::isinstance<nb::tuple>(result) && nb::len(result) == 2) {
        J = resultOf<Eigen::MatrixXd>(self, "rows()[0]", result[0], J.rows(), J.cols());
        drift = resultOf<Eigen::VectorXd>(self, "rows()[1]", result[1], J.rows(), 1);
      } else {
        J = resultOf<Eigen::MatrixXd>(self, "rows()", result, J.rows(), J.cols());
      }
    }
    requireRest();
  }
  void solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
             const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
             Eigen::Ref<Eigen::VectorXd> dforce) override {
    {
      const nb::detail::ticket ticket(nb_trampoline, "solve", nb::detail::str_hash("solve"), true);
      const nb::handle self = nb_trampoline.base();
      const nb::object result = self.attr(ticket.key)(nb::cast(Eigen::VectorXd(vel)),
                                                      nb::cast(Eigen::MatrixXd(admittance)), dt);
      dforce = resultOf<Eigen::VectorXd>(self, "solve()", result, dforce.size(), 1);
    }
    this->force_ += dforce;
    requireRest();
  }

  void setForce(const Eigen::VectorXd& force) override { this->force_ = force; }
  void updateOfBase(double dt) override {
    if constexpr (is_contact) {
      this->force_.setZero();
      Base::update(dt);
    }
  }
  bool activeOfBase() const override {
    if constexpr (is_contact)
      return Base::isActive();
    else
      return isPushing;
  }

 private:
  /// Checks that the callback has not removed moving objects from the World.
  void requireRest() const { simulation->raw().requireObjects(); }
};

}  // namespace espalier::python
