"""The consequences of a correction or an early end: shown with its questions, then recorded in one step.

Undo and redo, and the page of the seats, are here too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from games.common import event_sentences, locks, request_handling
from games.common.locks import StaleGame
from games.common.request_handling import PageRefusal
from games.play.presenters import change_effects, correction_preview, open_game
from games.play.presenters.open_game import OpenGame
from games.play.services import game_results, recording, snapshots
from games.play.views import missing
from games.play.views.missing import CompletionStep
from games.play.views.rounds import is_preview
from games.play.views.sheet import next_url, show_sheet
from games.scoring import corrections
from games.scoring.conflicts import Conflict
from games.scoring.errors import RuleError, ScoringError
from games.scoring.events import (
    Corrected,
    Correction,
    Event,
    GameStopped,
    Inserted,
    Log,
    PlayerJoined,
    PlayerLeft,
    PlayersSeated,
    RoundPlayed,
    SeatHandedOver,
    Struck,
    WinnersNamed,
)
from games.scoring.i18n import Text
from games.scoring.preview import Preview, preview_changes
from games.scoring.state import GameState
from games.scoring.text.notation import parse_line


@request_handling.require_form
def changes(request: HttpRequest, code: str) -> HttpResponse:
    """Show the consequences of a change, or record it if the form confirms the ones that the user saw.

    While the corrected game lacks something, show the page that asks for it. With `?preview`, a POST shows
    the points of the round as it is being completed. A reloaded page leads to the sheet.
    """
    game_page = open_game.get_or_404(request, code, for_recording=True)
    if request.method != "POST":
        return redirect("sheet", code)
    try:
        requested_events = _parse_events(request.POST.get("change", ""))
        if is_preview(request):
            return _preview_step(request, game_page, _Trial.parse(request, game_page, requested_events))
        if open_game.find_number_by_key(request_handling.form_key(request), game_page) is not None:
            return _repeat_recording(request, game_page, requested_events)
        return try_changes(request, game_page, *requested_events)
    except ScoringError as refusal:
        return show_sheet(
            request, game_page, missed_events(request, game_page) or open_game.refusal_for(refusal, game_page)
        )


@require_POST
def undo_last(request: HttpRequest, code: str) -> HttpResponse:
    """Undo the last step of the game: all events that were recorded together.

    Once the night when the game ended is over, show the consequences first, since debts were settled on its
    result.
    """
    game_page = open_game.get_or_404(request, code, for_recording=True)
    undoable = game_page.history.undoable
    if game_page.is_past and undoable:
        return try_changes(request, game_page, *snapshots.build_strikes(undoable[-1]))
    return _undo_or_redo(request, game_page, recording.undo)


@require_POST
def redo_last(request: HttpRequest, code: str) -> HttpResponse:
    return _undo_or_redo(request, open_game.get_or_404(request, code, for_recording=True), recording.redo)


def _undo_or_redo(request: HttpRequest, game_page: OpenGame, step: Callable[..., GameState]) -> HttpResponse:
    code, result = game_page.game.code, open_game.try_to_record(request, game_page, step=step)
    if isinstance(result, PageRefusal):
        return show_sheet(request, open_game.get_or_404(request, code), result)
    return redirect("sheet", code)


def _repeat_recording(
    request: HttpRequest, game_page: OpenGame, requested_events: tuple[Event, ...]
) -> HttpResponse:
    """Answer a form that was sent twice: redirect as after its first submission, and record nothing again."""
    events = parse_line(request.POST.get("seen", "")) or requested_events
    result = open_game.try_to_record(request, game_page, *events)
    if isinstance(result, PageRefusal):
        return show_sheet(request, game_page, result)
    return redirect(next_url(game_page, result))


@dataclass(frozen=True)
class _Trial:
    """Requested changes with what was given for them, and their preview."""

    log: Log
    requested: tuple[Event, ...]
    given: tuple[Event, ...]
    answers: Mapping[str, str]

    @classmethod
    def parse(cls, request: HttpRequest, game_page: OpenGame, requested: tuple[Event, ...]) -> _Trial:
        answers = {
            name.removeprefix("conflict-"): str(answer)
            for name, answer in request.POST.items()
            if name.startswith("conflict-")
        }
        return cls(game_page.log, requested, missing.parse_given(request, game_page.log), answers)

    @cached_property
    def tried(self) -> Preview:
        return preview_changes(self.log, *self.requested, given=self.given, answers=self.answers)

    def with_given(self, *events: Event) -> _Trial:
        return replace(self, given=(*self.given, *events))


def _preview_step(request: HttpRequest, game_page: OpenGame, trial: _Trial) -> HttpResponse:
    asked = missing.find_step(request, trial.tried)
    if asked is None:
        raise Http404
    return missing.preview_step(request, game_page, asked)


def try_changes(request: HttpRequest, game_page: OpenGame, *requested_events: Event) -> HttpResponse:
    """Show the consequences of these corrections, or record them once the user has confirmed.

    While hands, a round or an answer are missing, show the page that asks for the first of them. Raise
    RuleError if the rules do not allow the corrections.
    """
    trial = _Trial.parse(request, game_page, requested_events)
    asked, news = missing.find_step(request, trial.tried), missed_events(request, game_page)
    if asked is not None:
        answer = missing.read_answer(request, game_page, asked)
        if isinstance(answer, PageRefusal):
            return _ask_again(request, game_page, trial, asked, answer)
        completed = trial.with_given(*answer)
        refusal = missing.find_refusal(game_page, asked, lambda: completed.tried.missing)
        if refusal is not None:
            return _ask_again(request, game_page, trial, asked, refusal)
        trial = completed
    tried = trial.tried
    if tried.missing is not None:
        step = CompletionStep(tried.missing, trial.requested, trial.given)
        return missing.show_step(request, game_page, step, news)
    if tried.after is not None:
        game_results.check_people(game_page.members, tried.after)
    if news is not None:
        sentence = _("Not saved: there are newer entries. Below is what would change now.")
        return _show_changes(request, game_page, trial, replace(news, news=sentence))
    is_seen = request.POST.get("seen") == missing.notation(tried.changes)
    if "confirm" in request.POST and tried.after is not None and is_seen:
        result = open_game.try_to_record(request, game_page, *tried.changes)
        if isinstance(result, PageRefusal):
            game_page = open_game.get_or_404(request, game_page.game.code)
            return _show_changes(request, game_page, replace(trial, log=game_page.log), result)
        return redirect(next_url(game_page, result))
    return _show_changes(request, game_page, trial)


def _ask_again(
    request: HttpRequest, game_page: OpenGame, trial: _Trial, asked: Conflict, refusal: PageRefusal
) -> HttpResponse:
    """Show the page that asks for `asked` again, with the typed values and the refusal."""
    news = missed_events(request, game_page)
    if news is not None:
        refusal = replace(news, errors=refusal.errors)
    step = CompletionStep(asked, trial.requested, trial.given)
    return missing.show_step(request, game_page, step, refusal, missing.posted_values(request, asked))


def _show_changes(
    request: HttpRequest, game_page: OpenGame, trial: _Trial, refusal: PageRefusal | None = None
) -> HttpResponse:
    tried = trial.tried
    accounts, effects = (
        change_effects.compute_effects(game_page.game, tried.before, tried.after) if tried.after else ([], [])
    )
    context = {
        **game_page.context,
        "heading": _heading(game_page, trial.requested),
        "fields": missing.hidden_fields(trial.requested, trial.given),
        "seen": missing.notation(tried.changes),
        "count": len(tried.changes),
        "changes": correction_preview.changed_figures(tried, game_page.people, game_page.table),
        "accounts": accounts,
        "effects": effects,
        "questions": correction_preview.conflict_questions(tried, game_page.people, game_page.table),
        "key": locks.new_form_key(),
    }
    return request_handling.render_page(request, "play/correction.html", context, refusal)


def missed_events(request: HttpRequest, game_page: OpenGame) -> PageRefusal | None:
    """Return a refusal that lists the events recorded since the user loaded the page; None without any."""
    after = request_handling.seen_version(request)
    if after == len(game_page.log):
        return None
    return open_game.refusal_for(StaleGame(after=after, since=game_page.log[after:]), game_page)


PREVIEWED_EVENTS = Correction | GameStopped | WinnersNamed
MOVED_EVENTS = PlayerLeft | PlayerJoined | SeatHandedOver  # after a strike: the event was the last to happen


def _parse_events(text: str) -> tuple[Event, ...]:
    requested_events = parse_line(text)
    is_move = len(requested_events) == 2 and isinstance(requested_events[0], Struck)
    allowed = PREVIEWED_EVENTS | MOVED_EVENTS if is_move else PREVIEWED_EVENTS
    if not requested_events or not all(isinstance(event, allowed) for event in requested_events):
        raise RuleError(Text(gettext_noop("This correction doesn't exist.")))
    return requested_events


def _heading(game_page: OpenGame, requested_events: Sequence[Event]) -> str:
    first = requested_events[0]
    if isinstance(first, GameStopped):
        return _("Stop early")
    if isinstance(first, WinnersNamed):
        return _("Who has won?")
    assert isinstance(first, Correction)
    if isinstance(first, Corrected) and isinstance(first.event, PlayersSeated):
        return _("Correct the seats")
    if first.number == 1:
        return _("Correct the rules")
    event = dict(corrections.effective_events(game_page.log)).get(first.number)
    if isinstance(event, RoundPlayed):
        number = event_sentences.round_number(game_page.state, first.number)
        if isinstance(first, Struck):
            return _("Remove round %(number)s") % {"number": number}
        if isinstance(first, Inserted):
            return _("Add a round before round %(number)s") % {"number": number}
        return _("Correct round %(number)s") % {"number": number}
    return _("Correct this entry")


@request_handling.require_form
def seats(request: HttpRequest, code: str) -> HttpResponse:
    """Show the seats at the start of the game. A changed order first shows its consequences."""
    game_page = open_game.get_or_404(request, code, for_recording=True)
    refusal: PageRefusal | None = None
    start = game_page.start_event
    players_by_id = {player.id: player for player in start.players}
    order = [*players_by_id]
    if request.method == "POST":
        order = [request.POST.get(f"seat-{number}", "") for number in range(1, len(players_by_id) + 1)]
        if sorted(order) == sorted(players_by_id) and order != [*players_by_id]:
            players = tuple(players_by_id[player] for player in order)
            return try_changes(request, game_page, Corrected(1, PlayersSeated(players)))
        sentence = _("Choose a seat for each player.")
        if order == [*players_by_id]:
            sentence = _("The players already sit in this order.")
        refusal = missed_events(request, game_page) or PageRefusal(
            request_handling.UNPROCESSABLE, {"": sentence}
        )
    context = {
        **game_page.context,
        "dealer": game_page.people[start.dealer] if start.dealer else None,
        "order": order,
        "people": [game_page.people[player] for player in players_by_id],
        "key": locks.new_form_key(),
    }
    return request_handling.render_page(request, "play/seats.html", context, refusal)
