"""Hands that clash: together they have more copies of a card than the pack has."""

from __future__ import annotations

from collections.abc import Sequence

from games.scoring.errors import RuleError
from games.scoring.rounds import PlayerId, RoundEntry

TOO_MANY = {"card", "there_are", "counted"}  # the parameters of the error that `Deck.check` raises


def clashing(refusal: RuleError, entry: RoundEntry) -> Sequence[PlayerId]:
    """Return the players whose hand has the card of which the round has too many copies.

    `refusal` is the error with which the rules refused the round `entry`; it names the card. Return () if the
    round was refused for another reason.
    """
    if not refusal.text.params.keys() >= TOO_MANY:
        return ()
    card = refusal.text.params["card"]
    return tuple(
        player
        for player, hand in entry.hands
        if any(card in (one.rank, f"{one.rank}{one.suit}") for one in hand.cards)
    )
