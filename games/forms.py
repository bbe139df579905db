"""Posted fields read into what they say: shape only, the rules judge."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.messages import translate
from games.names import NOBODY
from games.scoring.cards import Deck
from games.scoring.errors import NotationError
from games.scoring.notation import read_hand
from games.scoring.rounds import Hand, PlayerId, RoundEntry, field_of
from games.scoring.rules import CloserHand, Closing, LeftoverPoints
from games.scoring.state import GameState

_AROUND_PARTS = re.compile(r"[ \t]*([][{}+])[ \t]*")
# Melds, then cards in hand that nobody put between brackets, then bought cards.
_BARE_CARDS = re.compile(
    r"(?P<melds>(?:\{[^][{}]*\})*)(?P<cards>[0-9AJQKSHDCOEBajqkshdcoeb*= \t]+)(?P<bought>\+[0-9]+)?"
)
_COUNTED = re.compile(r"-?[0-9]+(?:\+[0-9]+)?")
_WRITTEN_SMALL = "ajqk"


@dataclass(frozen=True)
class RoundForm:
    """A round as it was posted; `entry` may be played where there are no `errors`, which stand by field.

    `texts` are the fields in which something stands, by player, just as they were sent.
    """

    entry: RoundEntry
    errors: Mapping[str, str]
    texts: Mapping[PlayerId, str]


def read_round(post: Mapping[str, str], state: GameState) -> RoundForm:
    """The round in these fields. A blank is not zero: whoever has anything left has a hand."""
    closer = post.get("closer", "")
    key = post.get("closing", "") or state.rules.closings[0].key
    closing = state.rules.closing(key)
    errors: dict[str, str] = {}
    if not closer:
        is_cut = isinstance(state.rules.scoring, LeftoverPoints)
        errors["closer"] = _("Say who cut.") if is_cut else _("Say who went out.")
    hands: list[tuple[PlayerId, Hand]] = []
    texts: dict[PlayerId, str] = {}
    for player in state.playing:
        name = field_of(player.id)
        text = post.get(name, "")
        if not text.strip():
            if not _may_be_blank(closing, is_closer=player.id == closer):
                errors[name] = _("The hand of %(name)s is missing.") % {"name": player.name}
            continue
        texts[player.id] = text
        try:
            hands.append((player.id, read_typed_hand(text, state.rules.deck)))
        except NotationError as error:
            errors[name] = translate(error.text)
    entry = RoundEntry(None if closer in ("", NOBODY) else closer, key, tuple(hands))
    return RoundForm(entry, errors, texts)


def _may_be_blank(closing: Closing | None, *, is_closer: bool) -> bool:
    """Whether nothing needs to be written for somebody in a round closed like this."""
    if closing is None:
        return is_closer
    return closing.wins_game or (is_closer and closing.closer_hand is CloserHand.NOTHING)


def read_typed_hand(text: str, deck: Deck) -> Hand:
    """A hand as a person types it: points, or melds and cards of this pack, in small letters or capitals.

    Cards need no brackets, and no blanks but between two numbers.
    """
    typed = text.replace("★", "*").replace("\u2212", "-").replace(",", " ").strip()
    typed = _AROUND_PARTS.sub(r"\1", typed)
    if _COUNTED.fullmatch(typed):
        return read_hand(typed)
    bare = _BARE_CARDS.fullmatch(typed)
    if bare is not None:
        typed = f"{bare['melds']}[{bare['cards']}]{bare['bought'] or ''}"
    if typed.startswith(("[", "{")):
        typed = "".join(_as_printed(letter, deck) for letter in typed)
        typed = re.sub(rf"(?<=[AJQK*{deck.suits}])(?=[0-9AJQK*])|(?<=[0-9])(?=[AJQK*])", " ", typed)
    return read_hand(typed)


def _as_printed(letter: str, deck: Deck) -> str:
    """A letter as this pack's cards have it: French ranks and suits in capitals, Spanish suits small."""
    for suit in (letter.upper(), letter.lower()):
        if suit in deck.suits:
            return suit
    return letter.upper() if letter in _WRITTEN_SMALL else letter


LONGEST_POINTS = 10  # a sign and the digits that are read


def read_points(text: str) -> int | None:
    """A whole number with an optional sign, None where it is none."""
    found = re.fullmatch(r"[+-]?[0-9]{1,9}", text.strip().replace("\u2212", "-"))
    return None if found is None else int(found[0])
