"""Contracts in words, and sentences about what cards lack to fulfill a contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from ..going_down import NotDown
from ..i18n import Text, _, ngettext
from ..solvers.contracts import Contract, LongRun, SetsAndRuns

_NAMES: Final = {
    "sucia": _("dirty run"),
    "color": _("run of one color"),
    "imperial": _("imperial run"),
    "bicolor": _("run of two colors"),
    "real": _("royal run"),
}


LONG_RUNS: Final = {
    "sucia": _("sucia is a dirty run: ace to king, in any suits."),
    "color": _("color is a run of one color: ace to king, all red or all black."),
    "imperial": _("imperial is a run of one color: ace to king, all red or all black."),
    "bicolor": _("bicolor is a run of two colors: ace to king, red and black alternating."),
    "real": _("real is the royal run: ace to king, in one suit."),
}


def contract_text(contract: Contract) -> Text:
    """Return a contract (contrato) as players say it, such as “2 trios and 1 run”."""
    match contract:
        case SetsAndRuns(sets=sets, runs=runs):
            return _melds_label(sets, runs)
        case LongRun(key=key):
            return _NAMES[key]
        case _:
            assert_never(contract)


def contract_sentences(contract: Contract, dealt: int) -> Iterator[Text]:
    """Yield sentences that explain a contract, e.g. what a run is; each player is dealt `dealt` cards."""
    match contract:
        case SetsAndRuns(sets=sets, runs=runs):
            if sets:
                yield _("A trio is three cards of the same rank.")
            if runs:
                yield _("A run is four cards of one suit in sequence.")
        case LongRun(key=key):
            yield LONG_RUNS[key]
        case _:
            assert_never(contract)
    yield _("Each player is dealt {count} cards.", count=dealt)


def not_down_sentences(result: NotDown) -> Iterator[Text]:
    """Yield sentences about what is missing, and about cards that are held but do not help."""
    missing = result.lacking
    what = ", ".join(missing.ranks) if missing.ranks else _melds_label(missing.sets, missing.runs)
    yield _("Missing: {what}.", what=what)
    if result.too_many_jokers:
        yield _("When going down, each trio or run may have at most one joker.")
    if result.unseen_suits:
        yield _("A card needs its suit to be in a run.")


def _melds_label(sets: int, runs: int) -> Text:
    in_runs = ngettext("{count} run", "{count} runs", runs)
    in_sets = ngettext("{count} trio", "{count} trios", sets)
    if not sets:
        return in_runs
    if not runs:
        return in_sets
    return _("{sets} and {runs}", sets=in_sets, runs=in_runs)
