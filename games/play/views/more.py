"""The list of a game's other actions, its recorded events, and discarding and restoring it."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.common import event_sentences, naming, request_handling
from games.play.presenters import change_effects, open_game
from games.play.presenters.open_game import OpenGame
from games.play.services import recording
from games.play.views.game_actions import FORMS, is_offered
from games.play.views.sheet import show_sheet
from games.scoring.errors import RuleError
from games.scoring.events import GameStarted, RoundPlayed


@require_safe
def more(request: HttpRequest, code: str) -> HttpResponse:
    """List all actions of a game besides entering a round; each has its own page."""
    game_page = open_game.get_or_404(request, code, for_recording=True)
    state, rounds = game_page.state, len(game_page.state.rounds)
    dealer = naming.isolate(game_page.people[state.dealer].name) if state.dealer else ""
    players = ("adjust", "leave", "replace", "join")
    with_player = [_action_row(name, code) for name in players if is_offered(name, game_page)]
    with_game = [
        *([_action_row("deal", code, dealer)] if not state.is_over else ()),
        *([(_("Correct a round"), reverse("recorded-rounds", args=[code]), rounds)] if rounds else ()),
        *([_action_row("won", code)] if is_offered("won", game_page) else ()),
        *([_action_row("stop", code)] if not state.is_over else ()),
        *([(_("An expense"), _expense_url(game_page), "")] if game_page.has_role else ()),
    ]
    context = {
        **game_page.context,
        "with_player": with_player,
        "with_game": with_game,
        "between": len(state.steps) - rounds - 1,  # without the start of the game
    }
    return render(request, "play/more.html", context)


def _expense_url(game_page: OpenGame) -> str:
    night = date.fromordinal(game_page.game.night_number).isoformat()
    return f"{reverse('accounts', args=[game_page.table.code])}?night={night}"


def _action_row(name: str, code: str, value: str = "") -> tuple[object, str, str]:
    return FORMS[name][0], reverse(name, args=[code]), value


@require_safe
def recorded_rounds(request: HttpRequest, code: str) -> HttpResponse:
    """List the rounds, each with a link to its correction."""
    return _list_recorded(request, code, of_rounds=True)


@require_safe
def between(request: HttpRequest, code: str) -> HttpResponse:
    """List the events recorded between the rounds, each with a link to its correction."""
    return _list_recorded(request, code, of_rounds=False)


def _list_recorded(request: HttpRequest, code: str, *, of_rounds: bool) -> HttpResponse:
    game_page = open_game.get_or_404(request, code, for_recording=True)
    title = _("Correct a round") if of_rounds else _("Recorded between rounds")
    context = {
        **game_page.context,
        "title": title,
        "recorded": _recorded_rows(game_page, of_rounds=of_rounds),
    }
    return render(request, "play/recorded.html", context)


def _recorded_rows(game_page: OpenGame, *, of_rounds: bool) -> list[tuple[str, str]]:
    """Return the rounds, or the events between them, as sentences with the URLs of their corrections.

    The newest comes first.
    """
    state, people, table = game_page.state, game_page.people, game_page.table
    return [
        (
            event_sentences.play_sentence(
                step.event, number=step.number, state=state, people=people, table=table
            ),
            reverse("correct", args=[game_page.game.code, step.number]),
        )
        for step in reversed(state.steps)
        if isinstance(step.event, RoundPlayed) is of_rounds and not isinstance(step.event, GameStarted)
    ]


@require_POST
def discard(request: HttpRequest, code: str) -> HttpResponse:
    """Discard a game started by mistake; the home page then offers to restore it.

    For a finished game, show the consequences first, and again if events were added since (`confirm`).
    """
    game_page = open_game.get_or_404(request, code, for_writing=True, or_old_night=True)
    counts = game_page.state.is_over and game_page.game.discarded_at is None
    is_seen = request.POST.get("confirm") == str(len(game_page.log))
    if counts and game_page.state.imported_night is None and not is_seen:
        return _confirm_discard(request, game_page)
    recording.discard_game(game_page.game, by=request_handling.current_user(request))
    return redirect(f"{reverse('home')}?discarded={code}")


def _confirm_discard(request: HttpRequest, game_page: OpenGame) -> HttpResponse:
    changes, effects = change_effects.compute_effects(game_page.game, game_page.state, None)
    context = {
        **game_page.context,
        "result": event_sentences.winners_sentence(game_page.state, game_page.people),
        "changes": changes,
        "effects": effects,
    }
    return render(request, "play/discard.html", context)


@require_POST
def restore(request: HttpRequest, code: str) -> HttpResponse:
    game_page = open_game.get_or_404(request, code, for_writing=True, or_old_night=True)
    try:
        recording.restore_game(game_page.game, by=request_handling.current_user(request))
    except RuleError as refusal:
        return show_sheet(request, game_page, open_game.refusal_for(refusal, game_page))
    return redirect("sheet", code)
