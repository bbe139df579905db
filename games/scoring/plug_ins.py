"""Games of other packages, which declare them as entry points (engine/README.md, A game of your own).

A game stores its package and an edition, a digest of its rules, as one more option. So a game is refused if
its package is missing or has changed, or if another package now has its key. It is never scored by other
rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

from .errors import PlugInError, RuleError
from .kinds import Closing, Ending, LeftoverPoints, MoneyRule, Price, Rules, Scoring
from .options import House, Option, Variant, Words
from .variants import VARIANTS, find_variant, is_offered
from .variants.chinchon import SPANISH_SUITS
from .variants.notebook import NOTEBOOK
from .words import Text, _

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "naipes.variants"
PACKAGE = "package"
LONGEST_KEY = 32
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_DIGITS_OF_EDITION = 8


@dataclass(frozen=True)
class Unusable:
    """A game of another package that cannot be offered, and the reason in English."""

    package: str
    key: str
    reason: str

    def __str__(self) -> str:
        return f"The game {self.key} of the package {self.package} is left out: {self.reason}."


class _Unfit(Exception):
    """Raised for an entry point whose game the engine cannot score."""


@cache
def load_plug_ins() -> tuple[Unusable, ...]:
    """Add the games of other packages to VARIANTS. Return the games that cannot be offered.

    A process does this only once, and later calls return the same answer.
    """
    from importlib.metadata import entry_points

    by_key: dict[str, list[EntryPoint]] = {}
    for point in sorted(entry_points(group=GROUP), key=_package_of):
        by_key.setdefault(point.name, []).append(point)
    unusable: list[Unusable] = []
    for key, points in by_key.items():
        packages = ", ".join(map(_package_of, points))
        if key in VARIANTS or key == NOTEBOOK.key:
            unusable.append(Unusable(packages, key, "the engine has a game with this key"))
        elif len(points) > 1:
            unusable.append(Unusable(packages, key, "several packages have a game with this key"))
        else:
            try:
                VARIANTS[key] = _variant_at(points[0])
            except Exception as error:  # a package can fail in any way
                unusable.append(Unusable(packages, key, " ".join(str(error).split()) or repr(error)))
    return tuple(unusable)


def begun_variant(key: str, options: Mapping[str, object]) -> Variant:
    """Return the variant `key` of a game that began with these options.

    Raise PlugInError if the variant came from a package that is missing here or has changed since, or if
    another package has the variant's key now.
    """
    package = options.get(PACKAGE)
    if package is None:
        return find_variant(key)
    variant = VARIANTS[key] if is_offered(key) else None
    known = {} if variant is None else {option.key: option.default for option in variant.options}
    if variant is None or known.get(PACKAGE) != package:
        raise PlugInError(
            _(
                "This game's rules come from the package {package}, which is missing or has changed.",
                package=str(package),
            ),
            field="variant",
        )
    return variant


def _package_of(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "?"


def _variant_at(point: EntryPoint) -> Variant:
    variant = point.load()
    if not isinstance(variant, Variant):
        raise _Unfit("it is no Variant of this engine")
    if variant.key != point.name:
        raise _Unfit(f"its entry point calls it {point.name}, and it calls itself {variant.key}")
    if not _KEY.fullmatch(variant.key) or len(variant.key) > LONGEST_KEY:
        raise _Unfit(f"its key has other signs than a-z, 0-9 and _, or more than {LONGEST_KEY}")
    if PACKAGE in {option.key for option in variant.options}:
        raise _Unfit(f"it has an option {PACKAGE} of its own")
    rules = variant.build(variant.house())
    _check(rules)
    version = point.dist.version if point.dist else "?"
    edition = f"{_package_of(point)}-{_digest(rules)}"
    origin = Option(
        key=PACKAGE,
        label=_("Package"),
        default=edition,
        allowed=Words({edition: _("{value}", value=f"{_package_of(point)} {version}")}),
        noted=True,
    )
    return replace(variant, options=(*variant.options, origin), build=_guarded(variant.build))


def _check(rules: object) -> None:
    """Raise _Unfit unless the rules use only the engine's own classes: it can score no others."""
    if not isinstance(rules, Rules):
        raise _Unfit("it builds no Rules")
    prices: Iterable[object] = () if rules.reentry is None else (rules.reentry.price,)
    for kinds, values in (
        (get_args(Scoring), (rules.scoring,)),
        (get_args(Ending), (rules.ending,)),
        (get_args(Price), prices),
        (get_args(MoneyRule), rules.money),
        ((Closing,), rules.closings),
    ):
        for value in values:
            if type(value) not in kinds:
                raise _Unfit(f"{type(value).__name__} is no kind that the engine knows")
    if isinstance(rules.scoring, LeftoverPoints) and rules.deck.suits != SPANISH_SUITS:
        raise _Unfit("LeftoverPoints counts Spanish cards alone")


def _guarded(build: Callable[[House], Rules]) -> Callable[[House], Rules]:
    """Return a function that calls `build` and turns each of its failures into a PlugInError.

    A failure in a package must not break a page. RuleErrors are passed on.
    """

    def built(house: House) -> Rules:
        try:
            rules = build(house)
            _check(rules)
        except RuleError:
            raise
        except Exception as error:
            raise PlugInError(
                _(
                    "The package of this game cannot build its rules: {error}",
                    error=" ".join(str(error).split()),
                ),
                field="variant",
            ) from error
        return rules

    return built


# --- the edition ------------------------------------------------------------------------------------------------------


def _digest(rules: Rules) -> str:
    from hashlib import sha256

    return sha256(repr(_canonical(rules)).encode()).hexdigest()[:_DIGITS_OF_EDITION]


def _canonical(value: Any) -> object:
    """Return a part of the rules as plain values (numbers, keys, lists), so that equal rules have one `repr`.

    Texts are left out, because they change no score. Fields with their default are left out too, so that a
    field added by a later engine does not change the digest.
    """
    if is_dataclass(value):
        own = [field for field in fields(value) if not isinstance(getattr(value, field.name), Text)]
        changed = [field.name for field in own if not _is_default(field, value)]
        return (type(value).__name__, [(name, _canonical(getattr(value, name))) for name in sorted(changed)])
    if isinstance(value, Mapping):
        return sorted((str(key), _canonical(inner)) for key, inner in value.items())
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    if isinstance(value, tuple | list):
        return [_canonical(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int) else str(value)


def _is_default(field: Field[Any], value: object) -> bool:
    if field.default_factory is not MISSING:
        return bool(getattr(value, field.name) == field.default_factory())
    return field.default is not MISSING and bool(getattr(value, field.name) == field.default)
