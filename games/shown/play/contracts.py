"""The contract that a round of a contract game asks for, as players say it."""

from __future__ import annotations

from games.scoring.solvers.contracts import CONTRACTS
from games.scoring.text.contracts import contract_text
from games.shown.common.sentences import translate


def contract_in_words(key: str | None) -> str:
    """Return a contract (contrato) in words, such as “2 trios”; "" for a round without one."""
    return "" if key is None else translate(contract_text(CONTRACTS[key]))
