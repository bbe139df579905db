"""Contracts in words, and sentences about what cards lack to fulfil a contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from games.scoring.going_down import NotDown
from games.scoring.solvers.contracts import Contract, LongRun, SetsAndRuns
from games.scoring.words import Text, _, ngettext

_LONG_RUNS: Final = {
    "sucia": _("dirty run"),
    "color": _("run of one colour"),
    "imperial": _("imperial run"),
    "bicolor": _("run of two colours"),
    "real": _("royal run"),
}


def contract_text(contract: Contract) -> Text:
    """Return a contract (contrato) as players say it, such as “1 run and 2 trios”."""
    match contract:
        case SetsAndRuns(sets=sets, runs=runs):
            return _games_text(sets, runs)
        case LongRun(key=key):
            return _LONG_RUNS[key]
        case _:
            assert_never(contract)


def not_down_texts(result: NotDown) -> Iterator[Text]:
    """Yield sentences about the missing cards, and about why seemingly sufficient cards fail."""
    missing = result.lacking
    what = ", ".join(missing.ranks) if missing.ranks else _games_text(missing.sets, missing.runs)
    yield _("Missing: {what}.", what=what)
    if result.too_many_jokers:
        yield _("Going down, each game may hold one joker at most.")
    if result.unseen_suits:
        yield _("A card without its suit serves in no run.")


def _games_text(sets: int, runs: int) -> Text:
    in_runs = ngettext("{count} run", "{count} runs", runs)
    in_sets = ngettext("{count} trio", "{count} trios", sets)
    if not sets:
        return in_runs
    if not runs:
        return in_sets
    return _("{runs} and {sets}", runs=in_runs, sets=in_sets)
