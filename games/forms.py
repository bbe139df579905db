"""Posted fields read into what they say: shape only, the rules judge."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.messages import translate
from games.scoring.errors import NotationError
from games.scoring.notation import read_hand
from games.scoring.rounds import Hand, RoundEntry, field_of
from games.scoring.state import GameState
from games.shown.entry import NOBODY

_BARE_CARDS = re.compile(r"[0-9AJQKajqkSHDCoceb*= \t]+")


@dataclass(frozen=True)
class RoundForm:
    """A round as it was posted; `entry` may be played where there are no `errors`, which stand by field."""

    entry: RoundEntry
    errors: Mapping[str, str]


def read_round(post: Mapping[str, str], state: GameState) -> RoundForm:
    """The round in these fields. A blank is not zero: whoever did not go out has a hand."""
    closer = post.get("closer", "")
    closing = post.get("closing", "") or state.rules.closings[0].key
    errors: dict[str, str] = {}
    if not closer:
        errors["closer"] = _("Say who went out.")
    hands: list[tuple[str, Hand]] = []
    for player in state.playing:
        name = field_of(player.id)
        text = post.get(name, "").strip()
        if not text:
            if player.id != closer:
                errors[name] = _("The hand of %(name)s is missing.") % {"name": player.name}
            continue
        try:
            hands.append((player.id, read_typed_hand(text)))
        except NotationError as error:
            errors[name] = translate(error.text)
    entry = RoundEntry(None if closer in ("", NOBODY) else closer, closing, tuple(hands))
    return RoundForm(entry, errors)


def read_typed_hand(text: str) -> Hand:
    """A hand as a person types it: points, or cards with or without brackets, in small letters or capitals."""
    typed = text.replace("★", "*").replace("\u2212", "-").replace(",", " ").strip()
    if not re.fullmatch(r"-?[0-9]+", typed) and _BARE_CARDS.fullmatch(typed):
        typed = f"[{typed}]"
    if typed.startswith("["):
        typed = re.sub(r"[ajqk]", lambda letter: letter[0].upper(), typed)
    return read_hand(typed)


def read_points(text: str) -> int | None:
    """A whole number with an optional sign, None where it is none."""
    found = re.fullmatch(r"[+-]?[0-9]{1,9}", text.strip().replace("\u2212", "-"))
    return None if found is None else int(found[0])
