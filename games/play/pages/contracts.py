"""Contracts (contratos) in words, and the contracts still to be played.

In a contract game, each round prescribes the melds (its contract) that players must lay down first.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import pgettext

from games.common.words import translate
from games.scoring.solvers.contracts import CONTRACTS, LongRun
from games.scoring.state import GameState
from games.scoring.text.contracts import contract_asks, contract_text


def contract_in_words(key: str | None) -> str:
    """Return the contract (contrato) with this key in words, such as “2 trios”; "" if `key` is None."""
    return "" if key is None else translate(contract_text(CONTRACTS[key]))


def contract_code(key: str) -> str:
    """Return a short code for the contract with this key, with the initials of the reader's language.

    In Spanish it is the key itself, such as `2T1E` (E for escalera); in English `2T1R` (R for run).
    """
    is_named = isinstance(CONTRACTS[key], LongRun)
    return key if is_named else key.replace("E", pgettext("letter of a run", "R"))


@dataclass(frozen=True)
class NextContract:
    """A contract still to be played: the number of its round, its key, and its name.

    `asks` is a text on the cards that it asks for.
    """

    number: int
    key: str
    name: str
    asks: str


def contracts_ahead(state: GameState) -> tuple[NextContract, ...]:
    """Return the contracts still to be played, in order; () in a game without contracts or after its end."""
    if state.contract is None:
        return ()
    rules, played = state.rules, len(state.rounds)
    return tuple(
        NextContract(number, key, contract_in_words(key), _asks(key, rules.cards_dealt_for(key)))
        for number, key in enumerate(rules.contracts[played:], start=played + 1)
    )


def _asks(key: str, dealt: int) -> str:
    return " ".join(map(translate, contract_asks(CONTRACTS[key], dealt)))
