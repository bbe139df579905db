"""The import of an old notebook (a spreadsheet of past nights): preview, import and undo.

The import records all games at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.limits import Counting, PerUser
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.common.serializers import Parts
from games.api.common.writing import KEY, key_sent
from games.api.notebook import old_payloads as payloads
from games.models import Table
from games.nights import night_of
from games.notebook.old_games import ImportPreview, import_preview_of
from games.notebook.old_nights import Figures, OldNotebook, read_old_notebook
from games.notebook.old_nights import Problem as LineProblem
from games.notebook.taking_over import StaleOutlook, take_back, take_over
from games.regions import current_region
from games.scoring.words import _
from games.shown.common.amounts import money_of
from games.shown.common.sentences import translate


@dataclass(frozen=True)
class Wanted:
    """A parsed old notebook, its table, and the choices that the request sent with it."""

    table: Table
    notebook: OldNotebook
    variant: str

    def outlook(self) -> ImportPreview:
        """Return a preview of the import into the table in its present state."""
        return import_preview_of(self.table, self.notebook, variant=self.variant)


class OfANotebook(Endpoint):
    """The base class of endpoints that read an old notebook; only owners of the table may use them.

    They have a rate limit, because parsing a long notebook is slow.
    """

    throttle_classes = [PerUser, Counting]


class PreviewedNotebook(OfANotebook):
    """The endpoint that previews the import of an old notebook."""

    @extend_schema(
        operation_id="preview_notebook",
        summary="Preview the import of an old notebook",
        description=(
            "For owners. The notebook is a spreadsheet of nights, saved as text. Nothing is recorded: the "
            "answer has every game that the import would record, or the wrong lines with their errors. "
            "“seen” is to be sent with the import. One of the first rows names the columns; they are separated by "
            "tabs, semicolons, commas or |. Either each night has a row, with a date and a column for each player, "
            "or each player of a night has one, with the date (date or fecha), the player (player or jugador) and "
            "one figure. A date is 2026-03-05 or 5/3/2026, in the table's order of day and month. A night begins at "
            "21:00 in the table's time zone, each further game of it a minute later."
        ),
        request=payloads.NotebookSent,
        responses={200: payloads.NotebookRead, **refusals("body", "not_found")},
        examples=[payloads.NOTEBOOK, payloads.POINTS_OF_A_NIGHT],
    )
    def post(self, request: Request, code: str) -> Response:
        """Return the games that the import would record, and the problems found in the notebook."""
        table = self.table_opened(code, for_owning=True)
        wanted = _wanted(self.sent(payloads.NotebookSent), table)
        return answer(_read(wanted, wanted.outlook()))


class OldNotebooks(OfANotebook):
    """The endpoint that imports an old notebook."""

    @extend_schema(
        operation_id="take_notebook_over",
        summary="Import an old notebook",
        description=(
            "For owners: the same notebook, with the “seen” of its preview; stale if the table has changed "
            "since. All games are recorded at once. With “paid”, nobody owes anything for these games. A "
            "repeated request with the same key imports nothing twice; under another key the same notebook is "
            "answered with 409 “stale”, because its nights are known by then. Nights before the first season count "
            "in it: its first day moves back to the oldest of them."
        ),
        parameters=[KEY],
        request=payloads.NotebookTaken,
        responses={
            201: payloads.GamesBrought,
            **refusals("body", "not_found", "stale", "key_reused", "alike"),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Record all games of the notebook as finished games, and return their number."""
        table, key = self.table_opened(code, for_owning=True), key_sent(request)
        sent = self.sent(payloads.NotebookTaken)
        wanted, seen, paid = _wanted(sent, table), sent["seen"], sent.get("paid", True)
        apart = [str(name) for name in sent.get("apart", ())]
        try:
            games = take_over(table, wanted.outlook, seen=seen, paid=paid, apart=apart, key=key, by=self.user)
        except StaleOutlook as stale:
            raise _stale(stale.outlook) from None
        return answer({"games": games}, status=201)


class TakingNotebookBack(OfANotebook):
    """The endpoint that undoes the import of an old notebook."""

    @extend_schema(
        operation_id="take_notebook_back",
        summary="Undo the import of an old notebook",
        description=(
            "For owners: the games imported under this key are discarded. To discard a single one of them, use "
            "games/CODE/discard/; undo/ has nothing to undo there."
        ),
        request=payloads.NotebookKey,
        responses={200: payloads.GamesBrought, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Discard the games of the import, and return the number of discarded games."""
        table = self.table_opened(code, for_owning=True)
        key = self.sent(payloads.NotebookKey)["key"]
        return answer({"games": take_back(table, key=key, by=self.user)})


def _wanted(sent: Parts, table: Table) -> Wanted:
    """Return the old notebook that the request sent, parsed for this table, with the request's choices."""
    text, figures = sent["text"], sent.get("figures") or Figures.MONEY
    today = night_of(now(), table)
    notebook = read_old_notebook(
        text,
        decimals=table.decimals,
        today=today,
        figures=Figures(figures),
        is_month_first=current_region().is_month_first,
    )
    return Wanted(table, notebook, sent.get("variant", ""))


def _stale(outlook: ImportPreview) -> Problem:
    """Return the problem that prevents the import.

    It is about the first wrong line or, without one, about a table that changed since the preview.
    """
    if outlook.problems:
        first = outlook.problems[0]
        return Problem("unreadable", first.text, field="text", line=first.line or None)
    return Problem("stale", _("The result has changed since you saw it. Nothing was saved; check it again."))


def _read(wanted: Wanted, outlook: ImportPreview) -> dict[str, object]:
    notebook, money = wanted.notebook, money_of(wanted.table)
    problems = outlook.problems[: payloads.MOST_PROBLEMS]
    parts = {
        **{"seen": outlook.seen, "figures": notebook.figures, "games": outlook.games},
        "problems": [_line_said(problem, money) for problem in problems],
        "more_problems": len(outlook.problems) - len(problems),
        "newcomers": [{"id": slug, "name": name} for slug, name in outlook.newcomers.items()],
        "known_lines": outlook.known_lines,
    }
    return payloads.NotebookRead.of(parts)


def _line_said(problem: LineProblem, money: Callable[[int], str]) -> dict[str, object]:
    return {"line": problem.line or None, "text": translate(problem.text, money)}
