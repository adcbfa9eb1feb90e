// Tracing: a Python function is called with numbers that record the operations applied to them.

#include "espalier/model/spec/trace.h"

#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bindings.h"
#include "casters.h"
#include "espalier/model/spec/play.h"
#include "trace_call.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

constexpr int most_inputs = 100000;

/// x^n by multiplications.
Traced power(const Traced& x, nb::handle exponent) {
  double e = 0;
  if (!nb::try_cast(exponent, e))
    throw nb::type_error("the exponent of a traced number is a plain number");
  if (e == 0.5) return sqrt(x);
  if (e == -0.5) return 1.0 / sqrt(x);
  if (e != std::round(e) || std::abs(e) > 64)
    throw std::invalid_argument(
        "the exponent of a traced number is a whole number of at most 64, 0.5 or -0.5");
  Traced result = 1.0, square = x;
  for (int n = static_cast<int>(std::abs(e)); n > 0; n /= 2) {
    if (n % 2 == 1) result = result * square;
    if (n > 1) square = square * square;
  }
  return e < 0 ? 1.0 / result : result;
}

[[noreturn]] void refuseNumber() {
  throw nb::type_error(
      "a traced number has no value while it is traced: use espalier.sin, cos, sqrt, atan2 ... or "
      "numpy's in place of those of the module math, and no branches");
}

void bindTraced(nb::module_& m) {
  nb::class_<Traced> traced(
      m, "Traced",
      "A number that writes down what is done to it: + - * /, ** by whole numbers, and sqrt, sin, "
      "cos, tan, asin, acos, atan, atan2 of espalier or numpy. It cannot be compared.");
  traced.def(nb::init<double>(), "constant"_a = 0.0)
      .def(nb::self + nb::self)
      .def(nb::self - nb::self)
      .def(nb::self * nb::self)
      .def(nb::self / nb::self)
      .def(nb::self + double())
      .def(nb::self - double())
      .def(nb::self * double())
      .def(nb::self / double())
      .def(double() + nb::self)
      .def(double() - nb::self)
      .def(double() * nb::self)
      .def(double() / nb::self)
      .def(-nb::self)
      .def(+nb::self)
      .def("__pow__", &power, "exponent"_a);
  // Comparisons throw ValueError with what to write instead.
  traced.def("__lt__", [](const Traced& a, nb::handle) { return a < Traced(); })
      .def("__gt__", [](const Traced& a, nb::handle) { return a > Traced(); })
      .def("__le__", [](const Traced& a, nb::handle) { return a <= Traced(); })
      .def("__ge__", [](const Traced& a, nb::handle) { return a >= Traced(); })
      .def("__eq__", [](const Traced& a, nb::handle) { return a == Traced(); })
      .def("__ne__", [](const Traced& a, nb::handle) { return a != Traced(); })
      .def("__abs__", [](const Traced& a) { return abs(a); })
      .def("__bool__", [](const Traced& a) { return a != Traced(); })
      .def("__float__", [](const Traced&) -> double { refuseNumber(); })
      .def("__int__", [](const Traced&) -> int { refuseNumber(); })
      .def("__repr__", [](const Traced&) { return std::string("<a traced number>"); });
  traced.attr("__hash__") = nb::none();
  // numpy's functions call methods of these names on objects.
  const auto both = [&](const char* name, const char* numpy, auto of) {
    traced.def(numpy, [of](const Traced& x) { return of(x); });
    m.def(
        name, [of](const Traced& x) { return of(x); }, "x"_a);
  };
  both("sqrt", "sqrt", [](const Traced& x) { return sqrt(x); });
  both("sin", "sin", [](const Traced& x) { return sin(x); });
  both("cos", "cos", [](const Traced& x) { return cos(x); });
  both("tan", "tan", [](const Traced& x) { return tan(x); });
  both("asin", "arcsin", [](const Traced& x) { return asin(x); });
  both("acos", "arccos", [](const Traced& x) { return acos(x); });
  both("atan", "arctan", [](const Traced& x) { return atan(x); });
  both("square", "square", [](const Traced& x) { return square(x); });
  traced.def("arctan2", [](const Traced& y, const Traced& x) { return atan2(y, x); })
      .def("arctan2", [](const Traced& y, double x) { return atan2(y, x); })
      .def("hypot", [](const Traced& x, const Traced& y) { return sqrt(x * x + y * y); })
      .def("hypot", [](const Traced& x, double y) { return sqrt(x * x + y * y); });
  nb::implicitly_convertible<double, Traced>();
  m.def(
      "sqrt", [](double x) { return std::sqrt(x); }, "x"_a, "Square root.");
  m.def(
      "sin", [](double x) { return std::sin(x); }, "x"_a, "Sine of x, rad.");
  m.def(
      "cos", [](double x) { return std::cos(x); }, "x"_a, "Cosine of x, rad.");
  m.def(
      "tan", [](double x) { return std::tan(x); }, "x"_a, "Tangent of x, rad.");
  m.def(
      "asin", [](double x) { return std::asin(x); }, "x"_a, "Arc sine, rad.");
  m.def(
      "acos", [](double x) { return std::acos(x); }, "x"_a, "Arc cosine, rad.");
  m.def(
      "atan", [](double x) { return std::atan(x); }, "x"_a, "Arc tangent, rad.");
  m.def(
      "square", [](double x) { return x * x; }, "x"_a, "x x");
  m.def(
      "atan2", [](double y, double x) { return std::atan2(y, x); }, "y"_a, "x"_a);
  m.def(
      "atan2", [](const Traced& y, const Traced& x) { return atan2(y, x); }, "y"_a, "x"_a,
      "The angle of the point (x, y), rad.");
  m.def(
      "fma", [](double a, double b, double c) { return std::fma(a, b, c); }, "a"_a, "b"_a, "c"_a);
  m.def(
      "fma", [](const Traced& a, const Traced& b, const Traced& c) { return fma(a, b, c); }, "a"_a,
      "b"_a, "c"_a, "a b + c, rounded once.");
  m.def(
      "fnma", [](double a, double b, double c) { return std::fma(-a, b, c); }, "a"_a, "b"_a, "c"_a);
  m.def(
      "fnma", [](const Traced& a, const Traced& b, const Traced& c) { return fnma(a, b, c); },
      "a"_a, "b"_a, "c"_a, "c - a b, rounded once.");
}

std::vector<double> playOn(const Tape& tape, const std::vector<double>& q) {
  if (q.size() != static_cast<std::size_t>(tape.inputs))
    throw std::invalid_argument("the tape is of " + std::to_string(tape.inputs) + " numbers, not " +
                                std::to_string(q.size()));
  std::vector<double> values(static_cast<std::size_t>(tape.values()));
  std::vector<double> phi(static_cast<std::size_t>(tape.rows()));
  playValues(tape, q.data(), values.data(), phi.data());
  return phi;
}

Eigen::MatrixXd jacobianOn(const Tape& tape, const std::vector<double>& q) {
  if (q.size() != static_cast<std::size_t>(tape.inputs))
    throw std::invalid_argument("the tape is of " + std::to_string(tape.inputs) + " numbers, not " +
                                std::to_string(q.size()));
  std::vector<Dual<double>> values(static_cast<std::size_t>(tape.values()));
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> K(tape.rows(),
                                                                           tape.inputs);
  playJacobian(tape, q.data(), values.data(), K.data());
  return K;
}

/// A tape that can be played.
Tape checkedTape(int inputs, std::vector<double> constants, const std::vector<Tape::Step>& steps,
                 std::vector<int> outputs) {
  Tape tape{inputs, std::move(constants), steps, std::move(outputs)};
  if (tape == Tape()) return tape;  // that of a ConstraintSpec which is not filled yet
  if (inputs > most_inputs)
    throw std::invalid_argument("a tape has at most " + std::to_string(most_inputs) + " inputs");
  const std::string fault = tape.fault();
  if (!fault.empty()) throw std::invalid_argument(fault);
  return tape;
}

void bindTape(nb::module_& m) {
  nb::enum_<TapeOp>(m, "TapeOp", "An operation of a Tape.")
      .value("ADD", TapeOp::ADD, "a + b")
      .value("SUBTRACT", TapeOp::SUBTRACT, "a - b")
      .value("MULTIPLY", TapeOp::MULTIPLY, "a b")
      .value("DIVIDE", TapeOp::DIVIDE, "a / b")
      .value("NEGATE", TapeOp::NEGATE, "-a")
      .value("FUSED", TapeOp::FUSED, "a b + c, rounded once")
      .value("SQRT", TapeOp::SQRT, "square root of a")
      .value("SINE", TapeOp::SINE, "sin a; the next step is its COSINE")
      .value("COSINE", TapeOp::COSINE, "cos a; stands behind the SINE of the same a")
      .value("ATAN2", TapeOp::ATAN2, "the angle of the point (b, a)");
  nb::class_<Tape> tape(m, "Tape",
                        "A function of several numbers as a list of operations; never changes. "
                        "tape(q) plays it, tape.jacobian(q) has its exact derivatives.");
  nb::class_<Tape::Step>(tape, "Step", "An operation on numbered values.")
      .def(
          "__init__",
          [](Tape::Step* self, TapeOp op, int a, int b, int c) {
            new (self) Tape::Step{op, a, b, c};
          },
          "op"_a = TapeOp::ADD, "a"_a = 0, "b"_a = 0, "c"_a = 0)
      .def_ro("op", &Tape::Step::op, "TapeOp")
      .def_ro("a", &Tape::Step::a, "value")
      .def_ro("b", &Tape::Step::b, "value; 0 where not read")
      .def_ro("c", &Tape::Step::c, "value; 0 where not read")
      .def(
          "__eq__", [](const Tape::Step& a, const Tape::Step& b) { return a == b; },
          nb::is_operator())
      .def("__repr__",
           [](const Tape::Step& s) {
             return nb::str("Step({}, {}, {}, {})")
                 .format(nb::cast(s.op).attr("name"), s.a, s.b, s.c);
           })
      .def("__reduce__", [](const Tape::Step& s) {
        return nb::make_tuple(nb::type<Tape::Step>(), nb::make_tuple(s.op, s.a, s.b, s.c));
      });
  tape.def(
          "__init__",
          [](Tape* self, int inputs, std::vector<double> constants,
             const std::vector<Tape::Step>& steps, std::vector<int> outputs) {
            new (self) Tape(checkedTape(inputs, std::move(constants), steps, std::move(outputs)));
          },
          "inputs"_a = 0, "constants"_a = std::vector<double>(),
          "steps"_a = std::vector<Tape::Step>(), "outputs"_a = std::vector<int>(),
          "Values are numbered: the inputs, then the constants, then what the steps find. "
          "ValueError "
          "where it cannot be played; espalier.trace() makes tapes of functions.")
      .def_ro("inputs", &Tape::inputs, "number of inputs")
      .def_ro("constants", &Tape::constants, "(n,)")
      .def_ro("steps", &Tape::steps, nb::rv_policy::copy, "list of Step")
      .def_ro("outputs", &Tape::outputs, "list of int: values")
      .def_prop_ro("first_step", &Tape::firstStep, "number of the value of the first step")
      .def_prop_ro("values", &Tape::values, "number of values")
      .def_prop_ro("rows", &Tape::rows, "number of outputs")
      .def("fault", &Tape::fault, "What is wrong with it; empty where it can be played.")
      .def("hash", &Tape::hash, "Equal tapes have equal hashes, on every machine.")
      .def("__hash__", [](const Tape& t) { return static_cast<Py_hash_t>(t.hash() >> 1U); })
      .def(
          "__eq__", [](const Tape& a, const Tape& b) { return a == b; }, nb::is_operator())
      .def("__call__", &playOn, "q"_a, "phi at q: (inputs,) to (rows,).")
      .def("jacobian", &jacobianOn, "q"_a, "(rows, inputs) d phi / d q, exact.")
      .def("__repr__",
           [](const Tape& t) {
             return "Tape(" + std::to_string(t.inputs) + " inputs, " +
                    std::to_string(t.steps.size()) + " steps, " + std::to_string(t.rows()) +
                    " outputs)";
           })
      .def("__copy__", [](nb::object self) { return self; })
      .def(
          "__deepcopy__", [](nb::object self, nb::handle) { return self; }, "memo"_a)
      .def("__reduce__", [](const Tape& t) {
        return nb::make_tuple(nb::type<Tape>(),
                              nb::make_tuple(t.inputs, t.constants, t.steps, t.outputs));
      });
  m.def("operands_of", &operandsOf, "op"_a, "How many of a, b, c a TapeOp reads.");
  m.def(
      "single_row",
      [](const Tape& t, int row) {
        if (row < 0 || row >= t.rows()) throw nb::index_error("the tape has no such row");
        return singleRow(t, row);
      },
      "tape"_a, "row"_a, "What one output needs.");
}

}  // namespace

Tape traceCall(nb::handle function, int inputs) {
  if (inputs > most_inputs)
    throw std::invalid_argument("a tape has at most " + std::to_string(most_inputs) + " inputs");
  const nb::module_ numpy = nb::module_::import_("numpy");
  return trace(inputs, [&](const std::vector<Traced>& q) {
    // Of dtype object: numpy's functions and products work on the whole array, too.
    const nb::object numbers = numpy.attr("empty")(inputs, "dtype"_a = "object");
    for (int i = 0; i < inputs; ++i) numbers[i] = nb::cast(q[i]);
    const nb::object result = function(numbers);
    std::vector<Traced> rows;
    for (const nb::handle row :
         numpy.attr("ravel")(numpy.attr("asarray")(result, "dtype"_a = "object"))) {
      double constant = 0;
      if (nb::isinstance<Traced>(row))
        rows.push_back(nb::cast<Traced>(row));
      else if (nb::try_cast(row, constant))
        rows.emplace_back(constant);
      else
        throw nb::type_error("a traced function returns numbers, or a sequence of them");
    }
    return rows;
  });
}

void bindTrace(nb::module_& m) {
  bindTape(m);
  bindTraced(m);
  m.def(
      "trace", [](const nb::callable& function, int inputs) { return traceCall(function, inputs); },
      "function"_a, "inputs"_a,
      "The Tape of a function of `inputs` numbers. It is called twice with an array of traced "
      "numbers and returns one or a sequence; it must do the same operations whatever the numbers "
      "are: ValueError for branches on them.");
}

}  // namespace espalier::python
