"""An old notebook taken over by a program: first what was understood of it, then all of it at once, or back again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.limits import Counting, PerUser
from games.api.common.problems import Problem
from games.api.common.schema import CODE, refusals
from games.api.common.writing import KEY, key_sent
from games.api.notebook import old_payloads as payloads
from games.models import KEY_LENGTH, Table
from games.names import Alike
from games.nights import night_of
from games.notebook.fields import Fields
from games.notebook.old_games import OldGame, Outlook, outlook_of
from games.notebook.old_nights import LONGEST, Figures, OldNotebook, read_old_notebook
from games.notebook.taking_over import StaleOutlook, take_back, take_over
from games.scoring.variants import VARIANTS
from games.scoring.words import _
from games.shown.common.amounts import money_of
from games.shown.common.sentences import translate

SENT = ("text", "figures", "variant", "same", "joined")


@dataclass(frozen=True)
class Wanted:
    """A notebook as it was sent, and read for a table."""

    table: Table
    notebook: OldNotebook
    variant: str
    same: Mapping[str, bool]
    joined: Mapping[str, str]

    def outlook(self) -> Outlook:
        """What it would bring to the table as that is now."""
        return outlook_of(self.table, self.notebook, variant=self.variant, same=self.same, joined=self.joined)


class OfANotebook(Endpoint):
    """A notebook for a table, from one of its owners: reading a long one takes a while, so not many at once."""

    throttle_classes = [PerUser, Counting]


class PreviewedNotebook(OfANotebook):
    """An old notebook looked at."""

    @extend_schema(
        operation_id="preview_notebook",
        summary="See what is understood of an old notebook",
        description=(
            "For owners. A spreadsheet of nights as text, as one saves it. Nothing is written: the answer says every "
            "game that would come of it, or what is wrong in which line, and “seen” is sent with it to take it over."
        ),
        parameters=[CODE],
        request=payloads.NotebookSent,
        responses={200: payloads.NotebookRead, **refusals("body", "not_found")},
        examples=[payloads.NOTEBOOK],
    )
    def post(self, request: Request, code: str) -> Response:
        """What was understood."""
        table = self.table_opened(code, for_owning=True)
        wanted = _wanted(self.sent(*SENT), table)
        return answer(_read(wanted, wanted.outlook()))


class OldNotebooks(OfANotebook):
    """An old notebook taken over."""

    @extend_schema(
        operation_id="take_notebook_over",
        summary="Take an old notebook over",
        description=(
            "For owners: the same notebook again, and the “seen” of its preview; stale where the table is another "
            "by now. All its games come at once. With “paid” nobody owes anything of them. The same key brings it once."
        ),
        parameters=[CODE, KEY],
        request=payloads.NotebookTaken,
        responses={201: payloads.GamesBrought, **refusals("body", "not_found", "stale", "alike")},
    )
    def post(self, request: Request, code: str) -> Response:
        """How many games came."""
        table, key = self.table_opened(code, for_owning=True), key_sent(request)
        sent = self.sent(*SENT, "seen", "paid")
        wanted, seen = _wanted(sent, table), sent.text("seen", longest=payloads.LONGEST_WORD)
        paid = _yes_or_no(sent, "paid") if sent.has("paid") else True
        try:
            games = take_over(table, wanted.outlook, seen=seen, paid=paid, key=key, by=self.user)
        except StaleOutlook as stale:
            raise _stale(stale.outlook) from None
        except Alike:
            raise Problem("alike", _("Say first who is who."), field="same") from None
        return answer({"games": games}, status=201)


class TakingNotebookBack(OfANotebook):
    """A notebook that was taken over, about to go again."""

    @extend_schema(
        operation_id="take_notebook_back",
        summary="Take back what a notebook brought",
        description="For owners: the games that came under this key are discarded, and what was noted as paid for them.",
        parameters=[CODE],
        request=payloads.NotebookKey,
        responses={200: payloads.GamesBrought, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """How many games went."""
        table = self.table_opened(code, for_owning=True)
        key = self.sent("key").text("key", longest=KEY_LENGTH)
        return answer({"games": take_back(table, key=key, by=self.user)})


def _wanted(sent: Fields, table: Table) -> Wanted:
    """The notebook that was sent; Problem for what is none."""
    text = sent.part("text")
    if not isinstance(text, str) or not text.strip():
        raise Problem("misshapen", _("Send the notebook as text."), field="text")
    if len(text) > LONGEST:
        raise Problem("too_large", _("This is more than {most} letters: bring it in parts.", most=LONGEST))
    figures = _word(sent, "figures", {str(one) for one in Figures}) or Figures.GUESSED
    same = sent.part("same") if sent.has("same") else {}
    if not isinstance(same, dict) or not all(isinstance(meant, bool) for meant in same.values()):
        raise Problem("misshapen", _("“same” says true or false for each name."), field="same")
    joined = sent.part("joined") if sent.has("joined") else {}
    if not isinstance(joined, dict) or not all(isinstance(other, str) for other in joined.values()):
        raise Problem("misshapen", _("“joined” says a name for each name."), field="joined")
    today = night_of(now(), table)
    notebook = read_old_notebook(text, decimals=table.decimals, today=today, figures=Figures(figures))
    return Wanted(table, notebook, _word(sent, "variant", set(VARIANTS)), same, joined)


def _word(sent: Fields, name: str, known: set[str]) -> str:
    """One of the known words, "" where none was sent."""
    word = sent.text(name, longest=payloads.LONGEST_WORD) if sent.has(name) else ""
    if word and word not in known:
        raise Problem("misshapen", _("“{name}” is not known here.", name=word), field=name)
    return word


def _yes_or_no(sent: Fields, name: str) -> bool:
    found = sent.part(name)
    if not isinstance(found, bool):
        raise Problem("misshapen", _("“{name}” is true or false.", name=name), field=name)
    return found


def _stale(outlook: Outlook) -> Problem:
    """What stands in the way of taking over: a line that is wrong, or a table that is another by now."""
    if outlook.problems:
        first = outlook.problems[0]
        return Problem("unreadable", first.text, field="text", line=first.line or None)
    return Problem("stale", _("This is not what you saw before. Look at it once more."))


def _read(wanted: Wanted, outlook: Outlook) -> dict[str, Any]:
    notebook, money = wanted.notebook, money_of(wanted.table)
    problems = outlook.problems[: payloads.MOST_PROBLEMS]
    return {
        "seen": outlook.seen,
        "figures": notebook.figures,
        "problems": [
            {"line": problem.line or None, "text": translate(problem.text, money)} for problem in problems
        ],
        "more_problems": len(outlook.problems) - len(problems),
        "games": [_game(game) for game in outlook.games],
        "newcomers": [{"id": slug, "name": name} for slug, name in outlook.newcomers.items()],
        "alike": [
            {
                **{"name": pair.name, "other": pair.other},
                **{"same": pair.is_same, "remembered": pair.is_remembered},
            }
            for pair in outlook.pairs
        ],
        "known_lines": outlook.known_lines,
        "sums": notebook.sums,
        "unread": [{"column": number, "name": name} for number, name in notebook.unread],
    }


def _game(game: OldGame) -> dict[str, Any]:
    totals, nets = dict(game.event.totals), dict(game.event.nets)
    return {
        "line": game.night.line,
        "night": game.night.day.isoformat(),
        "variant": game.event.variant,
        "players": [
            {"id": slug, "place": place, "total": totals.get(slug), "net": nets.get(slug)}
            for slug, place in sorted(game.event.places, key=lambda placed: placed[1])
        ],
    }
