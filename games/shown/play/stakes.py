"""What a game is played for: the amounts asked for on the page of a new game, by how it is settled."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from games.shown.play.house import OptionField

SETTLEMENT = "settlement"
# By how much an amount goes up and down, and what tables often play for.
STEPS: Mapping[str, tuple[int, tuple[int, ...]]] = {
    "stake": (10, (10, 50, 100, 500, 1000)),
    "point_value": (1, (1, 5, 10, 50, 100)),
    "cut_prize": (10, (0, 10, 50, 100, 300)),
}
MONEY = (SETTLEMENT, *STEPS)
# The amounts that matter by how a game is settled; the prize of a cut only in the game that has it.
ASKED_FOR: Mapping[str, Collection[str]] = {
    "none": (),
    "pot": ("stake", "cut_prize"),
    "pairs": ("point_value",),
    "pot_and_pairs": ("stake", "point_value"),
    "to_winner": ("point_value", "cut_prize"),
}


# Other rules about money, and how a game has to be settled for them to say anything.
MATTERS_IN: Mapping[str, Collection[str]] = {
    "reentry_price": ("pot", "pot_and_pairs"),
    "reentry_fee": ("pot", "pot_and_pairs"),
    "chinchon_prize": ("pot", "to_winner"),
}


@dataclass(frozen=True)
class Amount:
    """An amount with a place of its own on the page, its steps, and what tables often play for."""

    field: OptionField
    step: int
    usual: tuple[int, ...]


@dataclass(frozen=True)
class Stakes:
    """How the game is settled and the amounts that go with it; all other rules are `folded` away.

    Those that mean nothing as the game is settled are `unseen`, and keep what they say.
    """

    settlement: OptionField
    amounts: tuple[Amount, ...]
    folded: tuple[OptionField, ...]
    unseen: tuple[OptionField, ...]


def stakes_of(fields: Sequence[OptionField]) -> Stakes:
    """The fields of a house, those of its money first; what is wrong with an amount is never folded away."""
    settlement = next(found for found in fields if found.key == SETTLEMENT)
    chosen = next((choice.value for choice in settlement.choices if choice.chosen), "")
    asked = [
        found
        for found in fields
        if found.key in STEPS and (found.error or found.key in ASKED_FOR.get(chosen, ()))
    ]
    others = [found for found in fields if found is not settlement and found not in asked]
    unseen = [found for found in others if not (found.error or _matters(found.key, chosen))]
    return Stakes(
        settlement,
        tuple(Amount(found, *STEPS[found.key]) for found in asked),
        tuple(found for found in others if found not in unseen),
        tuple(unseen),
    )


def _matters(key: str, settlement: str) -> bool:
    """Whether a rule that is not asked for at once says anything in a game settled like this."""
    return key not in STEPS and settlement in MATTERS_IN.get(key, (settlement,))


def amounts_kept(typed: Mapping[str, str], house: Mapping[str, str]) -> dict[str, str]:
    """The amounts typed for one game that matter in another, whose rules are `house`."""
    asked = ASKED_FOR.get(typed.get(SETTLEMENT, ""), ())
    return {key: typed[key] for key in asked if typed.get(key) and key in house}
