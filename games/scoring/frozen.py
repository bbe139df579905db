"""`FrozenDict`, an immutable mapping with a hash, for the fields of frozen dataclasses."""

from __future__ import annotations

from typing import NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


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
