"""`FrozenDict`, an immutable mapping, and `dataclass`, a faster decorator for frozen dataclasses."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dict whose content never changes, so that it can be hashed.

    A subclass of `dict`, because a replay reads and makes several mappings a round: `MappingProxyType` has no
    hash in Python 3.11 and takes longer to read.
    """

    __slots__ = ()

    def _refuse(self, *_arguments: object, **_named: object) -> NoReturn:
        raise TypeError("this mapping cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has no hash because it can change
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[FrozenDict[K, V]], tuple[dict[K, V]]]:
        return type(self), (dict(self),)


def freeze(value: object, *fields: str) -> None:
    """Replace the mappings in these fields of a frozen dataclass with `FrozenDict` copies.

    `__post_init__` calls this, because a plug-in may pass plain dicts.
    """
    for field in fields:
        content = getattr(value, field)
        if type(content) is not FrozenDict:
            object.__setattr__(value, field, FrozenDict(content))


# --- frozen dataclasses -----------------------------------------------------------------------------------------------


def _frozen(cls: type, *, eq: bool, kw_only: bool) -> type:
    """Turn the class into a frozen dataclass, as `dataclasses.dataclass` does, in a fifth of the time.

    `dataclasses.dataclass` compiles six methods for each class; for the engine's hundred classes this took
    half of the time of its import. This function compiles only `__init__`, and all classes share the others.
    """
    dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    members = dataclasses.fields(cls)
    own: dict[str, Any] = {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    own["__init__"] = _init_of(cls, members)
    if "__repr__" not in cls.__dict__:
        own["__repr__"] = _repr
    if eq:
        content = _getter([member.name for member in members if member.compare])
        if "__eq__" not in cls.__dict__:
            own["__eq__"] = _eq_of(content)
        if cls.__dict__.get("__hash__") is None:
            own["__hash__"] = lambda self: hash(content(self))
    for name, method in own.items():
        setattr(cls, name, method)
    return cls


def _getter(names: Sequence[str]) -> Callable[[object], object]:
    return attrgetter(*names) if names else lambda _value: ()


def _eq_of(content: Callable[[object], object]) -> Callable[[object, object], object]:
    def equal(self: object, other: object) -> object:
        if other.__class__ is self.__class__:
            return content(self) == content(other)
        return NotImplemented

    return equal


def _repr(self: Any) -> str:
    shown = [
        f"{member.name}={getattr(self, member.name)!r}" for member in dataclasses.fields(self) if member.repr
    ]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: object, name: str, _value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _init_of(cls: type, members: Sequence[dataclasses.Field[Any]]) -> Callable[..., None]:
    """Return the method `__init__` that sets every field, and calls `__post_init__` if there is one."""
    given: dict[str, object] = {"_missing": dataclasses.MISSING, "_set": object.__setattr__}
    # One dict of all fields: Python reads an attribute from it in less time than from a dict filled field by
    # field.
    parameters, content = ["self"], []
    for member in sorted(members, key=lambda member: bool(member.kw_only)):
        if member.kw_only and "*" not in parameters:
            parameters.append("*")
        name = value = member.name
        if member.default is not dataclasses.MISSING:
            given[f"_default_{name}"] = member.default
            parameters.append(f"{name}=_default_{name}")
        elif member.default_factory is not dataclasses.MISSING:
            given[f"_make_{name}"] = member.default_factory
            parameters.append(f"{name}=_missing")
            value = f"_make_{name}() if {name} is _missing else {name}"
        else:
            parameters.append(name)
        content.append(f"{name!r}: {value}")
    lines = [f"  _set(self, '__dict__', {{{', '.join(content)}}})"]
    if hasattr(cls, "__post_init__"):
        lines.append("  self.__post_init__()")
    code = f"def make({', '.join(given)}):\n def __init__({', '.join(parameters)}):\n"
    made: dict[str, Any] = {}
    exec(code + "\n".join(lines) + "\n return __init__", vars(sys.modules[cls.__module__]), made)
    init: Callable[..., None] = made["make"](**given)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {member.name: member.type for member in members} | {"return": None}
    return init


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool, eq: bool = True, kw_only: bool = False) -> Callable[[type], type]:
        """Return the decorator that turns a class into a frozen dataclass (`_frozen`)."""
        assert frozen
        return lambda cls: _frozen(cls, eq=eq, kw_only=kw_only)
