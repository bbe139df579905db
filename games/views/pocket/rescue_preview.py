"""The preview of a rescue file, in which a phone saved its facts (unsent changes).

It shows whose file it is, what is in it, and what happens if its facts are recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from games.models import Game, Table
from games.money.balances import People
from games.notebook.fields import Unreadable
from games.people.access import WRITERS, Visitor, table_for
from games.people.users import mark_of
from games.pocket.opening import OPENED, opened_before
from games.pocket.rescue import LARGEST, READ, BroughtFact, RescueFile, read_rescue_file
from games.scoring.admission import MOST_STEPS
from games.scoring.effort import counting_steps, spend
from games.scoring.errors import ScoringError
from games.scoring.words import _
from games.shown.common.days import moment_in_figures, moment_in_words
from games.shown.common.members import known_as
from games.shown.common.sentences import translate
from games.shown.pocket.rescued import (
    TableContents,
    contents_of,
    contents_of_new_table,
    unseen_contents,
)
from games.views.common.context import person_of
from games.views.common.recording import refused_as_json
from games.views.pocket.bodies import read_json
from games.views.pocket.typed import read_paid


@require_POST
def rescue_preview(request: HttpRequest) -> HttpResponse:
    """Check a rescue file and show what is in it.

    Nothing is recorded here: this phone sends the facts of the file afterwards, like its own. The response
    is 422 if anything in the file cannot be read.
    """
    if not isinstance(request.user, User):
        return redirect("login")
    try:
        with counting_steps(MOST_STEPS):
            context = _context(request, _read(request))
    except Unreadable as wrong:
        return refused_as_json(*map(translate, wrong.problems))
    except ScoringError as refusal:
        return refused_as_json(translate(refusal.text))
    return render(request, "games/pocket/rescue_preview.html", context)


def _read(request: HttpRequest) -> RescueFile:
    if request.content_type == "application/json" and len(request.body) > LARGEST:
        raise Unreadable(_("This file is too large."), field="file")
    return read_rescue_file(read_json(request))


def _context(request: HttpRequest, file: RescueFile) -> dict[str, Any]:
    seen, contents = _tables(request, file)
    count, known = len(file.facts), sum(table.known for table in contents)
    return {
        "is_own": file.person == person_of(request),
        "name": _name(file, seen),
        "saved_at": moment_in_words(file.saved_at, seen[0]) if seen else moment_in_figures(file.saved_at),
        "tables": contents,
        "count": count,
        "known": known,
        "is_known": known == count,
        "claims": any(each.claims for each in contents),
        "answers": any(each.answers for each in contents),
        "has_new_table": any(each.is_new for each in contents),
    }


def _tables(request: HttpRequest, file: RescueFile) -> tuple[list[Table], list[TableContents]]:
    """Return the file's tables that the user may open, and what the file contains for each of its tables."""
    codes = {fact.game for fact in file.facts} - {""}
    games = {game.code: game for game in Game.objects.filter(code__in=codes).select_related("table")}
    facts_of: dict[str, list[BroughtFact]] = {}
    for fact in file.facts:
        code = fact.table or (games[fact.game].table.code if fact.game in games else "")
        facts_of.setdefault(code, []).append(fact)
    visitor, seen, contents = Visitor(request.user), list[Table](), list[TableContents]()
    for code, facts in facts_of.items():
        spend(READ)
        opening = next((fact for fact in facts if fact.kind == OPENED), None)
        if opening is not None and not opening.is_recorded:
            contents.append(contents_of_new_table(facts))
            continue
        try:
            table, role = table_for(visitor, _code_at_the_site(code, opening))
        except Http404:
            contents.append(unseen_contents(facts, is_opened_here=opening is not None))
            continue
        seen.append(table)
        refusal = "" if role in WRITERS else gettext("You can watch this table, but not record")
        contents.append(_contents(facts, table, games, refusal))
    return seen, contents


def _code_at_the_site(code: str, opening: BroughtFact | None) -> str:
    """Return the code that a table has on this site.

    `opening` is the fact with which a phone opened the table, else None. The phone's code for the table may
    have been taken, so the site may have given the table another one.
    """
    table = opened_before(code, opening.content["key"]) if opening is not None else None
    return code if table is None else table.code


def _contents(
    facts: Sequence[BroughtFact], table: Table, games: Mapping[str, Game], refusal: str
) -> TableContents:
    own = {code: game for code, game in games.items() if game.table_id == table.pk}
    return contents_of(facts, table, People.of(table), own, read_paid, refusal)


def _name(file: RescueFile, tables: Sequence[Table]) -> str:
    """Return the name of the user whose phone saved the file, as known at one of `tables`.

    A table also knows users whose access to it has ended. Return "" if no table knows the user.
    """
    for table in tables:
        for user in User.objects.filter(grants__table=table).distinct():
            if mark_of(user) == file.person:
                return known_as(user, People.of(table))
    return ""
