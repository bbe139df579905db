"""`Frozen`, the base of frozen dataclasses, and `FrozenDict`, an immutable mapping with a hash for their fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Frozen:
    """The base of dataclasses that are equal if their fields are, with the same hash, and show their fields.

    The methods are shared, because `dataclass` would compile its own for each of ninety classes, which takes
    a quarter of the time to import the library.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(_field_values(self) == _field_values(other))

    def __hash__(self) -> int:
        return hash(_field_values(self))

    def __repr__(self: Any) -> str:
        shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))
        return f"{type(self).__qualname__}({', '.join(shown)})"


def _field_values(value: Any) -> object:
    """Return the values of the fields of such a dataclass; of a single field, its value alone."""
    cls = type(value)
    if cls not in _FIELD_READERS:
        names = [field.name for field in fields(cls)]
        _FIELD_READERS[cls] = attrgetter(*names) if names else lambda _value: ()
    return _FIELD_READERS[cls](value)


_FIELD_READERS: dict[type[Any], Callable[[Any], object]] = {}


class FrozenDict(dict[K, V]):
    """A dict that cannot be changed and has a hash.

    It is a subclass of `dict` because a replay reads and makes several mappings a round: `MappingProxyType`
    has no hash in Python 3.11 and takes longer to read.
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

    `__post_init__` calls this, because callers may pass plain dicts.
    """
    for field in fields:
        content = getattr(value, field)
        if type(content) is not FrozenDict:
            object.__setattr__(value, field, FrozenDict(content))
