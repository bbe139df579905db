"""The round entry: the pad's keys, the hands to be filled in, and what the page already knows of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from django.utils.translation import gettext as _

from games.messages import translate
from games.scoring.cards import JOKER
from games.scoring.melds import HELD_VALUES
from games.scoring.rounds import RoundEntry, field_of
from games.scoring.rules import HeldPoints, LeftoverPoints, MeldPoints, Rules
from games.scoring.state import GameState
from games.scoring.writing import write_hand
from games.shown.amounts import points
from games.shown.words import People

NOBODY = "nobody"


@dataclass(frozen=True)
class Key:
    """A card on the pad, with this table's value."""

    text: str
    label: str
    sub: str
    spoken: str
    value: int
    copies: int


@dataclass(frozen=True)
class Closer:
    """Somebody who may have closed the round, or nobody."""

    id: str
    name: str
    initial: str
    colour: int
    checked: bool


@dataclass(frozen=True)
class ClosingChoice:
    """A way the round may have ended."""

    key: str
    label: str
    short: str
    by_player: bool
    points: str
    checked: bool


@dataclass(frozen=True)
class HandSeat:
    """A hand to fill in."""

    id: str
    field: str
    name: str
    initial: str
    colour: int
    total: int
    value: str
    error: str


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Everything the entry page shows; `seat` is the hand to open first, `other` what else can be done to a round."""

    heading: str
    subheading: str
    action: str
    preview_url: str
    back: str
    after: int
    key: str
    draft_key: str
    submit_label: str
    closers: Sequence[Closer]
    closings: Sequence[ClosingChoice]
    seats: Sequence[HandSeat]
    keys: Sequence[Key]
    limit: int | None
    dealt: int
    seat: str = ""
    other: str = ""
    closer_error: str = ""
    closing_error: str = ""
    errors: Sequence[str] = field(default=())
    notice: Sequence[str] = field(default=())


@dataclass(frozen=True)
class Typed:
    """What stands in the fields: from a recorded round, or as somebody sent it."""

    closer: str = ""
    closing: str = ""
    hands: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_entry(cls, entry: RoundEntry) -> Typed:
        """The fields that say what this round says."""
        return cls(
            closer=entry.closer or NOBODY,
            closing=entry.closing,
            hands={player: write_hand(hand) for player, hand in entry.hands},
        )

    @classmethod
    def from_post(cls, post: Mapping[str, str], state: GameState) -> Typed:
        """The fields as they were sent."""
        return cls(
            closer=post.get("closer", ""),
            closing=post.get("closing", ""),
            hands={player.id: post.get(field_of(player.id), "") for player in state.playing},
        )


def closers_of(state: GameState, people: People, typed: Typed) -> list[Closer]:
    """Who may have closed the next round."""
    found = [
        Closer(
            player.id,
            people[player.id].name,
            people[player.id].initial,
            people[player.id].colour,
            typed.closer == player.id,
        )
        for player in state.playing
    ]
    if any(not closing.by_player for closing in state.rules.closings):
        found.append(Closer(NOBODY, _("Nobody"), "", 0, typed.closer == NOBODY))
    return found


def closings_of(rules: Rules, typed: Typed) -> list[ClosingChoice]:
    """The ways the next round may end, the usual one chosen where nothing was."""
    chosen = typed.closing or rules.closings[0].key
    short = {"out": _("went out"), "in_one_go": _("in one go"), "stock_out": _("stock")}
    return [
        ClosingChoice(
            key=closing.key,
            label=translate(closing.name),
            short=short.get(closing.key, translate(closing.name)),
            by_player=closing.by_player,
            points=points(closing.bonus),
            checked=closing.key == chosen,
        )
        for closing in rules.closings
    ]


def seats_of(state: GameState, people: People, typed: Typed, errors: Mapping[str, str]) -> list[HandSeat]:
    """A hand for each player dealt in, with what was typed and what is wrong with it."""
    return [
        HandSeat(
            id=player.id,
            field=field_of(player.id),
            name=people[player.id].name,
            initial=people[player.id].initial,
            colour=people[player.id].colour,
            total=player.total,
            value=typed.hands.get(player.id, ""),
            error=errors.get(field_of(player.id), ""),
        )
        for player in state.playing
    ]


def keys_of(rules: Rules) -> list[Key]:
    """The pad's keys: every rank of the pack with its value at this table."""
    values = _values_in_hand(rules)
    return [_key(rank, values[rank], rules.deck.copies_of(rank)) for rank in rules.deck.ranks_with_jokers()]


def _values_in_hand(rules: Rules) -> Mapping[str, int]:
    match rules.scoring:
        case HeldPoints(values):
            return values
        case MeldPoints():
            return HELD_VALUES
        case LeftoverPoints(values=values, wild_value=wild_value):
            return {**values, JOKER: wild_value}
        case _:
            assert_never(rules.scoring)


def _key(rank: str, value: int, copies: int) -> Key:
    name = _spoken(rank)
    spoken = _("%(card)s, %(points)s points") % {"card": name, "points": value}
    if rank == JOKER:
        return Key(rank, "★", f"{name} {value}", spoken, value, copies)
    return Key(rank, rank, str(value), spoken, value, copies)


def _spoken(rank: str) -> str:
    names = {"A": _("ace"), "J": _("jack"), "Q": _("queen"), "K": _("king"), JOKER: _("joker")}
    return names.get(rank, rank)
