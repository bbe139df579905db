"""Hands that clash over the pack: together they have more copies of a card than there are."""

from __future__ import annotations

from collections.abc import Sequence

from games.scoring.cards import JOKER
from games.scoring.errors import RuleError
from games.scoring.rounds import PlayerId, RoundEntry

TOO_MANY = {"card", "there_are", "counted"}  # the parameters of the refusal by `Deck.check`


def clashing(refusal: RuleError, entry: RoundEntry) -> Sequence[PlayerId]:
    """Return the players who hold the card of which, by this refusal, the pack has fewer copies.

    Return an empty tuple for a refusal with another reason.
    """
    if not refusal.text.params.keys() >= TOO_MANY:
        return ()
    name = refusal.text.params["card"]
    card = JOKER if name == "★" else name
    return tuple(
        player
        for player, hand in entry.hands
        if any(card in (one.rank, f"{one.rank}{one.suit}") for one in hand.cards)
    )
