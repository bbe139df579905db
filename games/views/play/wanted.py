"""The HTML form of a new game: seats, variant, house rules, and the direction of the deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from games.book import states_of
from games.models import Game, Record, Table, of_variant
from games.people.founding import named_after
from games.regions import current_region
from games.scoring.events import NightImported
from games.scoring.options import Variant
from games.scoring.rematch import rematch_deal
from games.scoring.state import GameState
from games.scoring.state import Seat as InGame
from games.scoring.text.codec import KINDS
from games.scoring.variants import VARIANTS, split_title
from games.scoring.variants.loba_menos import LOBA_MENOS
from games.shown.play.house import DIRECTION, posted_house, typed_house
from games.shown.play.stakes import amounts_kept
from games.views.common.numbers import whole_number

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
    """The values of the form, posted or taken from the table's last game.

    `draws` is how often the seats or the dealer were drawn by chance.
    """

    variant: Variant
    house: Mapping[str, str]
    seats: tuple[Seat, ...]
    direction: str
    draws: int = 0
    table_name: str = ""
    unit: str = field(default_factory=lambda: current_region().units[0])
    timezone: str = ""  # the time zone of the phone that opens a table
    errors: Mapping[str, str] = field(default_factory=dict)
    apart: tuple[str, ...] = ()  # names confirmed to be new people, although they look like members' names

    @property
    def taken(self) -> tuple[Seat, ...]:
        """The seats for which a player is entered."""
        return tuple(seat for seat in self.seats if seat.is_taken)

    @property
    def table_called(self) -> str:
        """The name of a new table: the typed name, else the names of its players, shortened to fit."""
        return self.table_name or named_after([seat.new for seat in self.taken]) or _("Our table")


def blank(table: Table | None) -> Wanted:
    """Return the initial form: variant, rules and players of the table's last game.

    Without a last game, the form has the variant Loba de Menos, its usual rules and no players.
    """
    last = None if table is None else _played_at(table).first()
    known = None if last is None else VARIANTS.get(split_title(last.variant)[0])
    variant = known or LOBA_MENOS
    state = None if last is None or known is None else states_of([last.pk])[last.pk]
    house, direction = _rules_of(variant, state)
    seated = () if table is None or state is None else _seated_again(state, table)
    return Wanted(variant, house, _seats_of(seated, _seats_shown(table, variant)), direction)


def _seated_again(state: GameState, table: Table) -> tuple[str, ...]:
    """Return the slugs of the players who may play again, clockwise from the next dealer.

    `state` is that of the last game. Players who left it or have retired from the table are left out.
    """
    members = {member.slug: member.now for member in table.members.select_related("merged_into")}
    playing = [player.id for player in state.players if player.seat is not InGame.LEFT]
    here = [seat for seat in playing if members[seat].retired_at is None]
    dealer, _direction = rematch_deal(state)
    first = next((seat.id for seat in state.seats_from(dealer) if seat.id in here), None)
    place = 0 if first is None else here.index(first)
    return tuple(members[seat].slug for seat in (*here[place:], *here[:place]))


def _seats_of(seated: Sequence[str], shown: int) -> tuple[Seat, ...]:
    """Return at least `shown` seats. The members with the slugs `seated` take the first of them."""
    taken = dict(enumerate(seated, start=1))
    return tuple(Seat(number, taken.get(number, "")) for number in range(1, max(shown, len(seated)) + 1))


def _played_at(table: Table) -> QuerySet[Game]:
    """Return the table's games whose rules are known, newest first.

    A game imported from an old notebook has no rules, so it is left out, as is a discarded game.
    """
    nights = Record.objects.filter(number=1, kind=KINDS[NightImported])
    return table.games.filter(discarded_at=None).exclude(records__in=nights)


def _rules_of(variant: Variant, state: GameState | None) -> tuple[dict[str, str], str]:
    """Return the house rules and the direction of the deal of the game in `state`.

    The house rules map an option's key to its value as the form has it. If `state` is None, return the
    variant's defaults. If the direction changes with every rematch, return the default direction.
    """
    if state is None:
        return typed_house(variant, variant.house()), variant.direction
    direction = variant.direction if state.rules.winner_deals else state.direction
    return typed_house(variant, state.house), direction


def _last_rules(table: Table | None, variant: Variant) -> tuple[dict[str, str], str]:
    """Return house rules and direction of the table's last game of this variant, or the usual ones."""
    last = None if table is None else _played_at(table).filter(of_variant(variant.key)).first()
    return _rules_of(variant, states_of([last.pk])[last.pk] if last else None)


def posted(post: QueryDict, table: Table | None, errors: Mapping[str, str] = MappingProxyType({})) -> Wanted:
    """Return the form as it was sent, with the error messages `errors` by field.

    If the user has just chosen another variant, the form gets the rules of the table's last game of this
    variant, or its usual rules; only the amounts are kept as typed.
    """
    variant = VARIANTS.get(post.get("variant", ""), LOBA_MENOS)
    house, direction = posted_house(variant, post), post.get(DIRECTION, variant.direction)
    if post.get("shown", variant.key) != variant.key:  # the form showed the rules of another variant
        usual, direction = _last_rules(table, variant)
        house = _kept(post, usual)
    return Wanted(
        variant,
        house,
        _posted_seats(post, _seats_shown(table, variant), errors),
        direction,
        whole_number(post.get("draws", ""), most_digits=3),
        post.get("table-name", "").strip(),
        post.get("unit", current_region().units[0]).strip(),
        post.get("timezone", ""),
        errors,
        tuple(post.getlist("apart")[:MOST_SEATS]),
    )


def _kept(post: QueryDict, house: Mapping[str, str]) -> dict[str, str]:
    """Return the house rules `house` of the chosen variant, with the amounts that the user had typed.

    The user typed the amounts while the form still showed another variant.
    """
    shown = VARIANTS.get(post.get("shown", ""))
    return (
        dict(house) if shown is None else dict(house) | amounts_kept(shown, posted_house(shown, post), house)
    )


def _seats_shown(table: Table | None, variant: Variant) -> int:
    """Return the number of seats of the form: as many as the variant allows.

    For a new table it is the most of any variant, because its people are entered before they choose the game.
    """
    return MOST_SEATS if table is None else variant.max_players


def _posted_seats(post: QueryDict, shown: int, problems: Mapping[str, str]) -> tuple[Seat, ...]:
    """Return the first `shown` posted seats, and the further ones up to the last seat with a player.

    `problems` are error messages by field.
    """
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
    return tuple(seats[: max(last, shown)])
