"""What a round of a contract game asks for, as players say it."""

from __future__ import annotations

from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.scoring.solvers.contracts import CONTRACTS, LongRun, SetsAndRuns


def contract_in_words(key: str | None) -> str:
    """A contract (contrato) in words, such as “2 trios”; "" where a round asks for nothing."""
    if key is None:
        return ""
    contract = CONTRACTS[key]
    match contract:
        case SetsAndRuns(sets=sets, runs=runs):
            return _sets_and_runs(sets, runs)
        case LongRun():
            return {
                "sucia": _("dirty run"),
                "color": _("run of one colour"),
                "imperial": _("imperial run"),
                "bicolor": _("run of two colours"),
                "real": _("royal run"),
            }[key]
        case _:
            assert_never(contract)


def _sets_and_runs(sets: int, runs: int) -> str:
    in_runs = ngettext("%(count)s run", "%(count)s runs", runs) % {"count": runs}
    in_sets = ngettext("%(count)s trio", "%(count)s trios", sets) % {"count": sets}
    if not sets:
        return in_runs
    if not runs:
        return in_sets
    return _("%(runs)s and %(sets)s") % {"runs": in_runs, "sets": in_sets}
