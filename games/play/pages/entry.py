"""The entry of a round: the players who may have closed it, the closings, and the hands to fill in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from django.utils.translation import gettext as _

from games.common.amounts import points
from games.common.names import NOBODY, shortened
from games.common.words import People, translate
from games.scoring.card_points import HeldPoints, LeftoverPoints, MeldPoints, TypedPoints
from games.scoring.kinds import CloserHand, Closing, ClosingKind, Rules
from games.scoring.rounds import RoundEntry, field_of
from games.scoring.state import GameState
from games.scoring.text.writing import write_hand

# The width of a name in ems, by the number of hands side by side; seven and eight hands stand in two rows.
ROOM, LEAST_ROOM = {2: 10.0, 3: 6.9, 5: 3.9, 6: 3.0}, 5.2


class Kind(StrEnum):
    """The way in which hands are entered: held cards, melds and held cards, leftover cards, or points."""

    HELD = "held"
    MELDS = "melds"
    LEFTOVER = "leftover"
    TYPED = "typed"


@dataclass(frozen=True)
class Typed:
    """The values with which the entry form is shown: those of a recorded round, or as they were posted."""

    closer: str = ""
    closing: str = ""
    hands: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_entry(cls, entry: RoundEntry) -> Typed:
        """Return the values of the fields for this recorded round."""
        return cls(
            closer=entry.closer or NOBODY,
            closing=entry.closing,
            hands={player: write_hand(hand) for player, hand in entry.hands},
        )

    @classmethod
    def from_post(cls, post: Mapping[str, str], state: GameState) -> Typed:
        """Return the values of the fields as they were posted; "" for a field that was not."""
        return cls(
            closer=post.get("closer", ""),
            closing=post.get("closing", ""),
            hands={player.id: post.get(field_of(player.id), "") for player in state.playing},
        )


def kind_of(rules: Rules) -> Kind:
    """Return the way in which the hands of this game are entered."""
    match rules.scoring:
        case HeldPoints():
            return Kind.HELD
        case MeldPoints():
            return Kind.MELDS
        case LeftoverPoints():
            return Kind.LEFTOVER
        case TypedPoints():
            return Kind.TYPED
        case _:
            assert_never(rules.scoring)


def question_of(rules: Rules) -> tuple[str, str]:
    """Return the question above the choice of the closer, and the instruction at the top of the entry page.

    In a game without a closer the question is whose points are entered.
    """
    match kind_of(rules):
        case Kind.HELD | Kind.MELDS:
            return _("Who went out?"), _("Tap who went out")
        case Kind.LEFTOVER:
            return _("Who cut?"), _("Tap who cut")
        case Kind.TYPED if rules.asks_closer:
            return _("Who went out?"), _("Tap who went out")
        case Kind.TYPED:
            return _("Whose points?"), _("Everybody's points")
        case _ as kind:
            assert_never(kind)


def help_of(rules: Rules) -> str:
    """Return an instruction for typing a hand without the on-screen pad."""
    match kind_of(rules):
        case Kind.HELD if rules.buy_points:
            return _(
                "Points (23) or cards ([K 7 *], * a joker), bought cards as +2. Leave the "
                "player who went out empty, or 0+2 for bought cards."
            )
        case Kind.HELD:
            return _(
                "Points, such as 23, or cards, such as [K 7 *], where * is a joker. Leave "
                "the player who went out empty."
            )
        case Kind.MELDS:
            return _(
                "Melds in braces, the hand in brackets, [] if empty: {9 9 9}{10 2 Q * A}[4 "
                "A]. Or points, melds less hand. Who went out has melds only."
            )
        case Kind.LEFTOVER:
            return _(
                "Leftovers as points (23) or cards (12 7 4), or all seven cards with suits, "
                "such as 5o 6o 7o 4b 1c 3e 10b. The player who cut too."
            )
        case Kind.TYPED if rules.asks_closer:
            return _(
                "Each player's points in this round, such as 23 or -5. Leave the player who went out empty, or "
                "enter points of their own."
            )
        case Kind.TYPED:
            return _("Each player's points in this round, such as 23 or -5, or 0 for none.")
        case _ as kind:
            assert_never(kind)


OTHER = "other"  # in the form of an own hand, the closer is not this player


def closers_of(
    state: GameState, people: People, typed: Typed, *, own: str = ""
) -> list[tuple[str, str, bool]]:
    """Return the choices for the closer of the round: the value, the name, and whether it is chosen.

    There is only “No one” in games that do not ask for a closer. In the form of a player's own hand, the choices
    are this player (`own`) and “Not me”.
    """
    if not state.rules.asks_closer:
        return [(NOBODY, _("No one"), True)]
    closers = [
        (player.id, people[player.id].name, typed.closer == player.id)
        for player in state.playing
        if own in ("", player.id)
    ]
    if own:
        return [*closers, (OTHER, _("Not me"), typed.closer != own)]
    if any(not closing.by_player for closing in state.rules.closings):
        closers.append((NOBODY, _("No one"), typed.closer == NOBODY))
    return closers


def closings_of(state: GameState, typed: Typed) -> list[dict[str, object]]:
    """Return the ways to close the round, with the `points` that each gives to the closer.

    `closer_hand` tells how the closer's hand is entered. Without a posted or recorded closing, the closer's usual
    one is `checked`.
    """
    rules = state.rules
    is_nobody = typed.closer == NOBODY or not rules.asks_closer
    fitting = (one.key for one in rules.closings if one.by_player != is_nobody)
    chosen = typed.closing or next(fitting, rules.closings[0].key)
    return [
        {
            "key": closing.key,
            "label": translate(closing.name),
            "short": translate(closing.short),
            "question": translate(closing.key_label or closing.name),
            "by_player": closing.by_player,
            "closer_hand": closing.closer_hand.value,
            "wins_game": closing.wins_game,
            "points": points(_closers_points(rules, closing, len(state.playing)), signed=True),
            "checked": closing.key == chosen,
        }
        for closing in rules.closings
    ]


def _closers_points(rules: Rules, closing: Closing, players: int) -> int:
    """Return the points that the closer gets for this closing among so many players, besides those of the hand."""
    if not isinstance(rules.scoring, LeftoverPoints):
        return closing.bonus_among(players)
    is_all_in_games = closing.by_player and closing.closer_hand is CloserHand.NOTHING
    is_rewarded = is_all_in_games and closing.kind is not ClosingKind.ONE_RUN
    return rules.scoring.nothing_left if is_rewarded else closing.bonus


def seats_of(
    state: GameState, people: People, typed: Typed, errors: Mapping[str, str], *, own: str = ""
) -> list[dict[str, object]]:
    """Return a hand to fill in for each player dealt in, or only for `own`, with its typed text and any error.

    `short` is the name cut to fit among all hands.
    """
    names = [people[player.id].name for player in state.playing]
    cut = shortened(names, ROOM.get(len(names), LEAST_ROOM))
    return [
        {
            "person": people[player.id],
            "short": short,
            "field": field_of(player.id),
            "total": state.rules.shown(player.total),
            "value": typed.hands.get(player.id, ""),
            "error": errors.get(field_of(player.id), ""),
        }
        for player, short in zip(state.playing, cut, strict=True)
        if own in ("", player.id)
    ]
