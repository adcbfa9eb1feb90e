"""Fields of the Spec classes: typed attributes that check and convert what is assigned to them.

A class of fields is a dataclass whose defaults are fields. Arrays are stored as float64 arrays of
the shape that the field names, lists as lists, so both can be edited in place; what is appended to
a list is checked when the Spec is used.
"""

from __future__ import annotations

import enum
import inspect
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, SupportsFloat, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

Get = TypeVar("Get")
Set = TypeVar("Set")
E = TypeVar("E", bound=enum.Enum)
T = TypeVar("T")
Array = npt.NDArray[np.float64]


class Default:
    """Stands for a field's default among the arguments of a constructor."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def __repr__(self) -> str:
        value = self.make()
        return repr(value.tolist() if isinstance(value, np.ndarray) else value)


class Field(Generic[Get, Set]):
    """An attribute that converts what is assigned, kept in the object's __dict__."""

    def __init__(self, make: Callable[[], Get], convert: Callable[[Any], Get], doc: str) -> None:
        self.default = Default(make)
        self.convert = convert
        self.name = ""
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, obj: None, owner: type) -> Default: ...
    @overload
    def __get__(self, obj: object, owner: type | None = None) -> Get: ...
    def __get__(self, obj: object | None, owner: type | None = None) -> Default | Get:
        if obj is None:
            return self.default
        try:
            value: Get = obj.__dict__[self.name]
        except KeyError:
            raise AttributeError(f"{type(obj).__name__} has no value for {self.name}") from None
        return value

    def __set__(self, obj: object, value: Set) -> None:
        try:
            kept = self.default.make() if isinstance(value, Default) else self.convert(value)
        except (TypeError, ValueError) as error:
            text = f"{type(obj).__name__}.{self.name}: {error}"
            raise type(error)(text) from None
        obj.__dict__[self.name] = kept


Number = Field[float, SupportsFloat]
Integer = Field[int, SupportsIndex]
Text = Field[str, str]
Flag = Field[bool, bool]
ArrayField = Field[Array, npt.ArrayLike]


def _float(value: Any) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"expected a number, got {value!r}")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a str, got {type(value).__name__}")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"expected a bool, got {type(value).__name__}")
    return bool(value)


def _instance(*types: type) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if not isinstance(value, types):
            expected = " or ".join(t.__name__ for t in types)
            raise TypeError(f"expected {expected}, got {type(value).__name__}")
        return value

    return convert


def _optional(convert: Callable[[Any], T]) -> Callable[[Any], T | None]:
    return lambda value: None if value is None else convert(value)


def _list(convert: Callable[[Any], T]) -> Callable[[Any], list[T]]:
    def convert_all(values: Any) -> list[T]:
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise TypeError(f"expected a list, got {type(values).__name__}")
        return [convert(value) for value in values]

    return convert_all


def number(default: float, doc: str) -> Number:
    return Field(lambda: float(default), _float, doc)


def integer(default: int, doc: str) -> Integer:
    return Field(lambda: default, operator.index, doc)


def text(doc: str, default: str = "") -> Text:
    return Field(lambda: default, _text, doc)


def flag(default: bool, doc: str) -> Flag:
    return Field(lambda: default, _flag, doc)


def optional_flag(doc: str) -> Field[bool | None, bool | None]:
    return Field(lambda: None, _optional(_flag), doc)


def array(default: npt.ArrayLike, shape: tuple[int, ...], doc: str) -> ArrayField:
    """An array of float64; -1 in the shape: any length."""
    start = np.array(default, dtype=np.float64).reshape(shape)

    def convert(value: Any) -> Array:
        kept = np.array(value, dtype=np.float64, order="C")
        fits = kept.ndim == len(shape) and all(
            n in (-1, m) for n, m in zip(shape, kept.shape, strict=True)
        )
        if not fits:
            expected = tuple("n" if n < 0 else n for n in shape)
            raise ValueError(f"expected shape {expected}, got {kept.shape}".replace("'", ""))
        return kept

    return Field(start.copy, convert, doc)


def vector3(default: npt.ArrayLike, doc: str) -> ArrayField:
    return array(default, (3,), doc)


def pose(doc: str) -> ArrayField:
    """A pose X_AB as a homogeneous matrix; the identity."""
    return array(np.eye(4), (4, 4), doc)


def numbers(doc: str) -> ArrayField:
    return array([], (-1,), doc)


def choice(default: E, doc: str) -> Field[E, E]:
    return Field(lambda: default, _instance(type(default)), doc)


def part(make: type[T], doc: str) -> Field[T, T]:
    """Another object of fields, made anew for each owner."""
    return Field(make, _instance(make), doc)


def optional(kind: type[T], doc: str) -> Field[T | None, T | None]:
    return Field(lambda: None, _optional(_instance(kind)), doc)


def parts(kind: type[T], doc: str) -> Field[list[T], Iterable[T]]:
    return Field(list, _list(_instance(kind)), doc)


def parts_later(
    kind: Callable[[], type[T]], doc: str
) -> Field[list[T], Iterable[T]]:
    """The same of a class that is not there yet."""
    return Field(list, _list(lambda value: _instance(kind())(value)), doc)


def texts(doc: str) -> Field[list[str], Iterable[str]]:
    return Field(list, _list(_text), doc)


def table(doc: str) -> Field[dict[str, str], Mapping[str, str]]:
    """A dict of texts; numbers are written as texts."""

    def convert(value: Any) -> dict[str, str]:
        return {_text(k): v if isinstance(v, str) else repr(_float(v)) for k, v in value.items()}

    return Field(dict, convert, doc)


def one_of(make: type[T], kinds: tuple[type, ...], doc: str) -> Field[T, T]:
    return Field(make, _instance(*kinds), doc)


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_equal(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def _show(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return repr(value.tolist())
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, list):
        return "[" + ", ".join(_show(v) for v in value) + "]"
    return repr(value)


class Fields:
    """Base of all classes of fields: no other attributes, equality by value, a short repr."""

    def __init_subclass__(cls) -> None:
        """Lists the fields in the docstring of the class."""
        super().__init_subclass__()
        fields = [(name, f) for name, f in vars(cls).items() if isinstance(f, Field)]
        lines = [f"- ``{name}``: {field.__doc__}" for name, field in fields]
        cls.__doc__ = "\n".join([inspect.cleandoc(cls.__doc__ or ""), "", *lines]).strip()

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name):
            names = ", ".join(self.__dict__)
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}; it has {names}")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self.__dict__.keys() == other.__dict__.keys() and all(
            _equal(value, other.__dict__[name]) for name, value in self.__dict__.items()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """The fields that are not as by default."""
        shown = []
        for name, value in self.__dict__.items():
            default = getattr(type(self), name)
            if not (isinstance(default, Default) and _equal(value, default.make())):
                shown.append(f"{name}={_show(value)}")
        return f"{type(self).__qualname__}({', '.join(shown)})"
