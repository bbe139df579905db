"""The scoresheet page, and undo."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from games.access import may_record
from games.book import Book
from games.history import History, history_of
from games.scoring.errors import ScoringError
from games.scoring.state import GameState
from games.services import KeyReused, StaleGame, redo, undo
from games.shown.settlement import rules_in_short
from games.shown.sheet import sheet_of
from games.shown.words import event_in_words
from games.views.opened import OpenGame, open_game, user_of
from games.views.recording import Refused, new_key, refused_by, sent_after, sent_key


@require_GET
def sheet(request: HttpRequest, code: str) -> HttpResponse:
    """The scoresheet of a game."""
    opened = open_game(request, code, or_old_night=True)
    if opened.state.imported is not None:
        return redirect("old-night", code)
    return show_sheet(request, opened)


def show_sheet(request: HttpRequest, opened: OpenGame, refused: Refused | None = None) -> HttpResponse:
    """The scoresheet, with why something was refused."""
    done = request.GET.get("done") == str(len(opened.log))
    history = history_of(opened.log, Book.read(opened.game).batches(after=len(opened.log)))
    context = {
        **opened.context,
        "sheet": sheet_of(opened.game, opened.log, opened.state, opened.people),
        "round_number": len(opened.state.rounds) + 1,
        "may_record": may_record(request.user, opened.table),
        "said": _last_said(opened, history) if done and len(opened.log) > 1 else "",
        "can_undo": bool(history.undoable),
        "can_redo": history.last_is_undo,
        "key": new_key(),
        "draft_sweep": f"{opened.game.code}:",
        "draft_keep": f"{opened.game.code}:{len(opened.log)}",
        "dealer": opened.people[opened.state.dealer] if opened.state.dealer else None,
        "asked": opened.people[opened.state.pending[0].id] if opened.state.pending else None,
        "house": rules_in_short(opened.state, opened.table),
        "refused": refused,
    }
    return render(request, "games/sheet.html", context, status=refused.status if refused else 200)


@require_POST
def undo_last(request: HttpRequest, code: str) -> HttpResponse:
    """Takes back what was recorded last and still stands, all of it."""
    return _step(request, code, undo)


@require_POST
def redo_last(request: HttpRequest, code: str) -> HttpResponse:
    """Brings back what was undone last."""
    return _step(request, code, redo)


def _step(request: HttpRequest, code: str, step: Callable[..., GameState]) -> HttpResponse:
    opened = open_game(request, code, for_writing=True)
    try:
        step(opened.game, after=sent_after(request), key=sent_key(request), by=user_of(request))
    except (ScoringError, StaleGame, KeyReused) as refusal:
        return show_sheet(request, open_game(request, code), refused_by(refusal, opened))
    return redirect(done_address(code, opened.game.records.count()))


def done_address(code: str, number: int) -> str:
    """The sheet's address, where it says what was just recorded, up to event `number`, and offers to undo it."""
    return f"{reverse('sheet', args=[code])}?done={number}"


def next_page(opened: OpenGame, state: GameState) -> str:
    """Where recording leads: to the bust players' answers, to the result, or back to the sheet."""
    code = opened.game.code
    if state.is_over:
        return reverse("settlement", args=[code])
    if state.pending:
        return reverse("reentry", args=[code])
    return done_address(code, opened.game.records.count())


def _last_said(opened: OpenGame, history: History) -> str:
    # An undo strikes backwards: its last strike is about the first event of what it took back.
    number = history.last[-1] if history.last_is_undo else history.last[0]
    return event_in_words(
        opened.log[number - 1],
        log=opened.log,
        state=opened.state,
        people=opened.people,
        table=opened.table,
    )
