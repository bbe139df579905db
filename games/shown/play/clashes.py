"""Hands that clash over the pack: together they have more copies of a card than there are."""

from __future__ import annotations

from collections.abc import Sequence

from games.scoring.cards import JOKER
from games.scoring.errors import RuleError
from games.scoring.rounds import PlayerId, RoundEntry

TOO_MANY = {"card", "there_are", "counted"}  # what the refusal of `Deck.check` names


def clashing(refusal: RuleError, entry: RoundEntry) -> Sequence[PlayerId]:
    """Return the players who hold the card of which this refusal says that the pack has fewer; else none."""
    if not refusal.text.params.keys() >= TOO_MANY:
        return ()
    name = refusal.text.params["card"]
    card = JOKER if name == "★" else name
    return tuple(
        player
        for player, hand in entry.hands
        if any(card in (one.rank, f"{one.rank}{one.suit}") for one in hand.cards)
    )
