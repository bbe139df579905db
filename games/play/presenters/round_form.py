"""Parsing of posted rounds, points and penalties. Only the syntax is checked here; the rules do the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.common import amounts, naming, parsing, texts
from games.models import HAND_LENGTH
from games.play.presenters import pad
from games.scoring.card_points import LeftoverPoints, TypedPoints
from games.scoring.errors import NotationError, RuleError
from games.scoring.events import PlayerReentered, PlayerStayedOut
from games.scoring.rounds import Hand, PlayerId, RoundEntry, hand_field
from games.scoring.rule_types import Closing, Rules
from games.scoring.state import GameState
from games.scoring.text.hand_input import parse_hand_input
from games.scoring.text_line import check_length


@dataclass(frozen=True)
class RoundForm:
    """A posted round: everything that could be read, and messages by form field.

    `raw_hands` are the hands that are not blank, exactly as typed, by player id.
    """

    entry: RoundEntry
    errors: Mapping[str, str]
    raw_hands: Mapping[PlayerId, str]


def parse_round(post: Mapping[str, str], state: GameState) -> RoundForm:
    """Return the round in these posted fields, with an error for each field that cannot be read.

    A blank hand does not count as zero. It is an error, with two exceptions: any hand may be blank if the
    closing wins the game, and the closer's if the closing leaves them without cards.
    """
    rules = state.rules
    closer = post.get("closer", "") if rules.asks_closer else naming.NOBODY
    key = post.get("closing", "") or rules.closings[0].key
    closing = rules.closing(key)
    errors: dict[str, str] = {}
    if not closer:
        is_cut = isinstance(rules.scoring, LeftoverPoints)
        errors["closer"] = _("Choose who cut.") if is_cut else _("Choose who went out.")
    missing = missing_label(rules)
    hands: list[tuple[PlayerId, Hand]] = []
    raw_hands: dict[PlayerId, str] = {}
    for player in state.playing:
        name = hand_field(player.id)
        text = post.get(name, "")
        if not text.strip():
            if not _can_be_blank(closing, is_closer=player.id == closer):
                errors[name] = missing % {"name": naming.isolate(player.name)}
            continue
        raw_hands[player.id] = text
        try:
            check_length(text.strip(), HAND_LENGTH, name)
            hands.append((player.id, parse_hand_input(parsing.strip_separators(text), rules.deck)))
        except (NotationError, RuleError) as error:
            errors[name] = texts.translate(error.text)
    entry = RoundEntry(None if closer in ("", naming.NOBODY) else closer, key, tuple(hands))
    return RoundForm(entry, errors, raw_hands)


def missing_label(rules: Rules) -> str:
    """Return the sentence about a missing hand, in which `name` stands for its player."""
    if isinstance(rules.scoring, TypedPoints):
        return _("%(name)s's points are missing.")
    return _("%(name)s's hand is missing.")


def _can_be_blank(closing: Closing | None, *, is_closer: bool) -> bool:
    """Return whether a player's hand may be blank in a round with this closing; None if it is unknown."""
    if closing is None:
        return is_closer
    return closing.wins_game or (is_closer and closing.closer_hand.is_optional)


REENTRY_EVENTS: Mapping[str, type[PlayerReentered] | type[PlayerStayedOut]] = {
    "reenter": PlayerReentered,
    "stay_out": PlayerStayedOut,
}


def parse_points(text: str) -> int | None:
    """Return the whole number in this text, with an optional sign; None if it is no number."""
    match = re.fullmatch(r"[+-]?[0-9]{1,9}", parsing.strip_separators(text).strip().replace("\u2212", "-"))
    return None if match is None else int(match[0])


QUICK_POINTS = (5, 10, 25)


def penalty_choices(rules: Rules) -> dict[str, list[tuple[int, str]] | list[str]]:
    """Return the choices in one tap for a penalty: points, as posted and as shown, and reasons.

    Points that harm the player come before bonuses.
    """
    sign = 1 if rules.lowest_wins else -1
    given = [direction * value for direction in (sign, -sign) for value in QUICK_POINTS]
    return {
        "points": [(value, amounts.points(value, signed=True)) for value in given],
        "reasons": [_("broke a rule"), _("out of turn"), _("showed cards"), _("miscounted")],
    }


def default_reason(value: int, rules: Rules) -> str:
    """Return the reason for a penalty recorded without one: “bonus” if it helps the player, or “penalty”."""
    is_bonus = value < 0 if rules.lowest_wins else value > 0
    return _("bonus") if is_bonus else _("penalty")


HAND_PREFIX = hand_field("")
PLAYER_ID = re.compile(r"[a-z][a-z0-9_]{0,31}")
LONGEST_HAND, MOST_HANDS = 200, 20  # letters of a hand, and hands; a real form has no more


def unrecorded_hands(post: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the players and typed hands of a posted round that was not recorded, for the user to pass on.

    A closer without a typed hand comes first. Return [] if the post is not a round. The players are called by
    the ids in the form's field names: the user may no longer have access to the game, so their names are not
    looked up.
    """
    closer = str(post.get("closer", ""))
    hands = {
        field.removeprefix(HAND_PREFIX): str(text).strip()[:LONGEST_HAND]
        for field, text in post.items()
        if field.startswith(HAND_PREFIX)
    }
    player_hands = [(player, text) for player, text in hands.items() if PLAYER_ID.fullmatch(player) and text]
    if PLAYER_ID.fullmatch(closer) and closer not in (naming.NOBODY, pad.OTHER) and not hands.get(closer):
        player_hands.insert(0, (closer, _("ended the round")))
    return [(player.replace("_", " "), text) for player, text in player_hands[:MOST_HANDS]] if hands else []
