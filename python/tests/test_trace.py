"""Tracing Python functions to tapes."""

import copy
import math
import pickle

import numpy as np
import pytest

import espalier


def everything(q):
    a, b, c = q
    return [
        a + 2 * b - c / 3 + 1.5,
        -a * b / (c * c + 4),
        espalier.sin(a) + np.cos(b) + espalier.tan(c),
        np.sqrt(a * a + 2) + espalier.sqrt(4),
        espalier.atan2(b, a + 3) + np.arctan2(c, 5.0),
        np.arcsin(a / 3) + espalier.acos(b / 3) + np.arctan(c),
        a**3 + b**-2 + (c * c + 1) ** 0.5,
        espalier.fma(a, b, c) + espalier.fnma(a, b, 1.0) + espalier.square(c),
        np.hypot(a, c),
        np.float64(2) * a - np.float64(3),
    ]


def by_math(q):
    a, b, c = q
    return [
        a + 2 * b - c / 3 + 1.5,
        -a * b / (c * c + 4),
        math.sin(a) + math.cos(b) + math.tan(c),
        math.sqrt(a * a + 2) + 2,
        math.atan2(b, a + 3) + math.atan2(c, 5.0),
        math.asin(a / 3) + math.acos(b / 3) + math.atan(c),
        a**3 + b**-2 + (c * c + 1) ** 0.5,
        a * b + c + 1 - a * b + c * c,
        math.hypot(a, c),
        2 * a - 3,
    ]


POINTS = np.random.default_rng(2).uniform(0.2, 1.2, (20, 3))


def test_every_function_is_what_math_says():
    tape = espalier.trace(everything, 3)
    assert (tape.inputs, tape.rows) == (3, 10) and tape.fault() == ""
    for q in POINTS:
        np.testing.assert_allclose(tape(q), by_math(q), rtol=1e-13, atol=1e-14)


def test_the_jacobian_is_that_of_finite_differences():
    tape = espalier.trace(everything, 3)
    h = 1e-6
    for q in POINTS[:5]:
        columns = [(tape(q + h * e) - tape(q - h * e)) / (2 * h) for e in np.eye(3)]
        np.testing.assert_allclose(tape.jacobian(q), np.transpose(columns), atol=1e-8)


def test_numpy_works_on_all_numbers_at_once():
    A = np.array([[1.0, 2, 3], [4, 5, 6]])
    tape = espalier.trace(lambda q: A @ np.sin(q) - np.array([1.0, 2]) * q[:2], 3)
    q = POINTS[0]
    np.testing.assert_allclose(tape(q), A @ np.sin(q) - np.array([1.0, 2]) * q[:2], rtol=1e-14)
    single = espalier.trace(lambda q: q @ q, 3)
    assert single.rows == 1
    np.testing.assert_allclose(single(q), [q @ q])
    constant = espalier.trace(lambda q: [q[0], 3], 1)
    np.testing.assert_array_equal(constant([5]), [5, 3])


@pytest.mark.parametrize(
    ("phi", "kind", "text"),
    [
        (lambda q: q[0] if q[0] > 0 else -q[0], ValueError, "does not branch"),
        (lambda q: abs(q[0]), ValueError, "abs"),
        (lambda q: q[0] == 1, ValueError, "=="),
        (lambda q: q[0] or 1, ValueError, "does not branch"),
        (lambda q: max(q[0], q[1]), ValueError, "does not branch"),
        (lambda q: np.maximum(q[0], 1), ValueError, "does not branch"),
        (lambda q: math.sin(q[0]), TypeError, "espalier.sin"),
        (lambda q: float(q[0]), TypeError, "no value"),
        (lambda q: q[0] ** q[1], TypeError, "exponent"),
        (lambda q: q[0] ** 0.3, ValueError, "exponent"),
        (lambda q: "text", TypeError, "returns numbers"),
        (lambda q: None, TypeError, "returns numbers"),
        (lambda q: [], ValueError, "output"),
        (lambda q: q[7], IndexError, "7"),
        (lambda q: q[0] * math.inf, ValueError, "not finite"),
        (lambda q: 1 / 0, ZeroDivisionError, "zero"),
    ],
)
def test_what_cannot_be_traced_is_refused(phi, kind, text):
    with pytest.raises(kind, match=text):
        espalier.trace(phi, 2)


def test_functions_that_change_are_refused():
    calls = []

    def phi(q):
        calls.append(1)
        return q[0] * len(calls)

    with pytest.raises(ValueError, match="second time"):
        espalier.trace(phi, 1)
    leaked = []
    espalier.trace(lambda q: leaked.append(q[0]) or q[0], 1)
    with pytest.raises(ValueError):
        espalier.trace(lambda q: q[0] + leaked[0], 1)
    for inputs in (0, -1, 10**9):
        with pytest.raises(ValueError):
            espalier.trace(lambda q: q[0], inputs)
    with pytest.raises(TypeError):
        espalier.trace(lambda q: q[0], "two")
    with pytest.raises(TypeError):
        espalier.trace(3, 2)


def test_tapes_are_values():
    tape = espalier.trace(everything, 3)
    again = espalier.trace(everything, 3)
    other = espalier.trace(lambda q: everything(q)[1:], 3)
    assert tape == again and hash(tape) == hash(again) and tape.hash() == again.hash()
    assert tape != other and tape.hash() != other.hash()
    assert copy.deepcopy(tape) is tape
    assert pickle.loads(pickle.dumps(tape)) == tape
    rebuilt = espalier.Tape(tape.inputs, tape.constants, tape.steps, tape.outputs)
    assert rebuilt == tape and tape.values == tape.first_step + len(tape.steps)
    row = espalier.single_row(tape, 3)
    np.testing.assert_allclose(row(POINTS[0]), tape(POINTS[0])[3:4])
    assert len(row.steps) < len(tape.steps)
    assert repr(tape).startswith("Tape(3 inputs")


def test_tapes_by_hand():
    step = espalier.Tape.Step
    op = espalier.TapeOp
    tape = espalier.Tape(2, [3.0], [step(op.MULTIPLY, 0, 1), step(op.ADD, 3, 2)], [4])
    np.testing.assert_array_equal(tape([2, 5]), [13])
    assert espalier.operands_of(op.FUSED) == 3
    for wrong in (
        lambda: espalier.Tape(1, [], [step(op.ADD, 0, 5)], [1]),
        lambda: espalier.Tape(1, [], [step(op.SINE, 0)], [1]),
        lambda: espalier.Tape(1, [], [], [1]),
        lambda: espalier.Tape(1, [math.nan], [], [0]),
        lambda: espalier.Tape(-1, [], [], [0]),
        lambda: espalier.Tape(1, [], [], []),
        lambda: espalier.Tape(2**31 - 1, [1.0], [], [0]),
    ):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(ValueError, match="of 2 numbers"):
        tape([1, 2, 3])
    with pytest.raises(ValueError):
        tape.jacobian([1])
    with pytest.raises(IndexError):
        espalier.single_row(tape, 1)
    assert espalier.Tape().rows == 0
