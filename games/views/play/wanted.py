"""The HTML form of a new game: seats, variant and house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from games.book import states_of
from games.models import NAME_LENGTH, TABLE_NAME_LENGTH, Game, Record, Table, of_variant
from games.names import read_name
from games.scoring.errors import RuleError
from games.scoring.events import NightImported
from games.scoring.options import Variant
from games.scoring.text.codec import KINDS
from games.scoring.variants import VARIANTS, find_variant, split_title
from games.scoring.variants.loba_menos import LOBA_MENOS
from games.shown.play.house import DIRECTION, posted_house, typed_house
from games.shown.play.stakes import amounts_kept

UNITS = ("$", "fichas", "porotos")
MOST_SEATS = max(variant.max_players for variant in VARIANTS.values())


@dataclass(frozen=True)
class Seat:
    """A seat of the form: a chosen member, or the name of a newcomer."""

    number: int
    slug: str = ""
    new: str = ""
    error: str = ""

    @property
    def is_taken(self) -> bool:
        """True if a player is entered for the seat."""
        return bool(self.slug or self.new)


@dataclass(frozen=True)
class Wanted:
    """The values of the form, posted or taken from the table's last game; `draws` counts the draws."""

    variant: Variant
    house: Mapping[str, str]
    seats: tuple[Seat, ...]
    direction: str
    draws: int = 0
    table_name: str = ""
    unit: str = UNITS[0]
    errors: Mapping[str, str] = field(default_factory=dict)
    apart: tuple[str, ...] = ()  # names confirmed to be new people, although they look like members' names

    @property
    def taken(self) -> tuple[Seat, ...]:
        """The seats for which a player is entered."""
        return tuple(seat for seat in self.seats if seat.is_taken)

    @property
    def table_called(self) -> str:
        """The name of a new table: the typed name, else the names of its players, shortened to fit."""
        return self.table_name or _named_after([seat.new for seat in self.taken]) or _("Our table")


def blank(table: Table | None) -> Wanted:
    """Return the initial form: the variant and rules of the table's last game, or Loba de Menos."""
    last = None if table is None else _played_at(table).first()
    variant = LOBA_MENOS if last is None else find_variant(split_title(last.variant)[0])
    seats = tuple(Seat(number) for number in range(1, variant.max_players + 1))
    house, direction = _last_rules(table, variant)
    return Wanted(variant, house, seats, direction)


def _played_at(table: Table) -> QuerySet[Game]:
    """Return the table's games with known rules; a game from an old notebook has none."""
    nights = Record.objects.filter(number=1, kind=KINDS[NightImported])
    return table.games.filter(discarded_at=None).exclude(records__in=nights)


def _last_rules(table: Table | None, variant: Variant) -> tuple[dict[str, str], str]:
    """Return the house rules and direction of the table's last game of this variant.

    Return the variant's defaults if there is no such game. If the direction changes with every rematch,
    return the default direction.
    """
    last = None if table is None else _played_at(table).filter(of_variant(variant.key)).first()
    state = states_of([last.pk])[last.pk] if last else None
    if state is None:
        return typed_house(variant, variant.house()), variant.direction
    direction = variant.direction if state.rules.winner_deals else state.direction
    return typed_house(variant, state.house), direction


def posted(post: QueryDict, table: Table | None, errors: Mapping[str, str] = MappingProxyType({})) -> Wanted:
    """Return the form as it was sent, with errors by field.

    If the user chose another variant, return that variant's own rules with the amounts that were typed.
    """
    variant = VARIANTS.get(post.get("variant", ""), LOBA_MENOS)
    house, direction = posted_house(variant, post), post.get(DIRECTION, variant.direction)
    if post.get("shown", variant.key) != variant.key:  # the form showed the rules of another variant
        usual, direction = _last_rules(table, variant)
        house = _kept(post, usual)
    return Wanted(
        variant,
        house,
        _posted_seats(post, variant, errors),
        direction,
        _posted_draws(post),
        post.get("table-name", "").strip(),
        post.get("unit", UNITS[0]).strip(),
        errors,
        tuple(post.getlist("apart")[:MOST_SEATS]),
    )


def _named_after(people: Sequence[str]) -> str:
    """Return the names joined by commas, as many as fit; "" if one of them is no valid name."""
    try:
        names = [read_name(name, longest=NAME_LENGTH) for name in people]
    except RuleError:
        return ""
    while names and len(", ".join(names)) > TABLE_NAME_LENGTH:
        names.pop()
    return ", ".join(names)


def _posted_draws(post: QueryDict) -> int:
    text = post.get("draws", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0


def _kept(post: QueryDict, house: Mapping[str, str]) -> dict[str, str]:
    """Return the rules of the chosen variant.

    Amounts that were typed while the form showed another variant are kept.
    """
    shown = VARIANTS.get(post.get("shown", ""))
    return (
        dict(house) if shown is None else dict(house) | amounts_kept(shown, posted_house(shown, post), house)
    )


def _posted_seats(post: QueryDict, variant: Variant, problems: Mapping[str, str]) -> tuple[Seat, ...]:
    """Return the seats of this variant, and any filled seats beyond its number of players."""
    seats = [
        Seat(
            number,
            post.get(f"seat-{number}", ""),
            "" if post.get(f"seat-{number}") else post.get(f"new-{number}", "").strip(),
            problems.get(f"new-{number}", ""),
        )
        for number in range(1, MOST_SEATS + 1)
    ]
    last = max((seat.number for seat in seats if seat.is_taken), default=0)
    return tuple(seats[: max(last, variant.max_players)])
