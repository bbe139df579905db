"""Entering a round: a new one, an old one corrected, or one that was forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.forms import RoundForm, read_round
from games.messages import translate
from games.scoring.errors import RuleError
from games.scoring.events import RoundPlayed
from games.scoring.replay import apply, replay
from games.scoring.rounds import field_of
from games.scoring.state import GameState
from games.shown.consequences import Consequence, of_round
from games.shown.entry import Entry, Typed, closers_of, closings_of, keys_of, seats_of
from games.views.opened import OpenGame, open_game
from games.views.recording import (
    UNPROCESSABLE,
    Refused,
    new_key,
    number_under,
    sent_after,
    sent_key,
    try_to_record,
    unanswered,
)
from games.views.sheet import next_page, show_sheet


@dataclass(frozen=True)
class Place:
    """Where in the game the round is: what stood before it, and the addresses of its page."""

    before: GameState
    heading: str
    action: str
    draft: str
    submit: str
    seat: str = ""
    other: str = ""


@require_http_methods(["GET", "POST"])
def play_round(request: HttpRequest, code: str) -> HttpResponse:
    """The entry of the next round."""
    opened = open_game(request, code, for_writing=True)
    if request.method == "POST":
        return _record_round(request, opened)
    if opened.game.discarded_at is not None:
        return redirect("sheet", code)
    if opened.state.is_over:
        return redirect("settlement", code)
    if opened.state.pending:
        return redirect("reentry", code)
    return show_round(request, opened, next_place(opened), Typed())


def _record_round(request: HttpRequest, opened: OpenGame) -> HttpResponse:
    number = number_under(sent_key(request), opened)
    if number is not None:  # sent again: read as it was the first time, when others may still have been in
        return _record_entry(request, opened, read_round(request.POST, replay(opened.log[: number - 1])))
    form = read_round(request.POST, opened.state)
    if sent_after(request) == len(opened.log) and _takes_rounds(opened):
        if opened.state.pending:
            return _refuse_round(request, opened, unanswered(opened))
        if form.errors:
            return _refuse_round(request, opened, Refused(UNPROCESSABLE, form.errors))
    return _record_entry(request, opened, form)


def _record_entry(request: HttpRequest, opened: OpenGame, form: RoundForm) -> HttpResponse:
    result = try_to_record(request, opened, RoundPlayed(form.entry))
    if isinstance(result, Refused):
        return _refuse_round(request, open_game(request, opened.game.code), result)
    return redirect(next_page(opened, result))


def _refuse_round(request: HttpRequest, opened: OpenGame, refused: Refused) -> HttpResponse:
    if not _takes_rounds(opened) or opened.state.pending:
        return show_sheet(request, opened, refused)
    return show_round(
        request, opened, next_place(opened), Typed.from_post(request.POST, opened.state), refused
    )


def _takes_rounds(opened: OpenGame) -> bool:
    return opened.game.discarded_at is None and not opened.state.is_over


def next_place(opened: OpenGame) -> Place:
    """The round to come."""
    return Place(
        before=opened.state,
        heading=_("Round %(number)s") % {"number": len(opened.state.rounds) + 1},
        action=reverse("play-round", args=[opened.game.code]),
        draft=f"{opened.game.code}:{len(opened.log)}",
        submit=_("Save the round"),
    )


def show_round(
    request: HttpRequest, opened: OpenGame, place: Place, typed: Typed, refused: Refused | None = None
) -> HttpResponse:
    """The entry page with what was typed, and with what is wrong at its field."""
    errors = refused.errors if refused else {}
    state = place.before
    at_fields = ("closer", "closing", *(field_of(player.id) for player in state.playing))
    entry = Entry(
        heading=place.heading,
        subheading=_("Tap who went out"),
        action=place.action,
        preview_url=f"{place.action}preview/",
        back=reverse("sheet", args=[opened.game.code]),
        after=len(opened.log),
        key=new_key(),
        draft_key=place.draft,
        submit_label=place.submit,
        closers=closers_of(state, opened.people, typed),
        closings=closings_of(state.rules, typed),
        seats=seats_of(state, opened.people, typed, errors),
        keys=keys_of(state.rules),
        limit=state.rules.out_at,
        dealt=state.rules.cards_dealt,
        seat=place.seat,
        other=place.other,
        closer_error=errors.get("closer", ""),
        closing_error=errors.get("closing", ""),
        errors=refused.general(*at_fields) if refused else (),
        notice=refused.notice if refused else (),
    )
    status = refused.status if refused else 200
    return render(request, "games/round.html", {**opened.context, "entry": entry}, status=status)


@require_POST
def preview_round(request: HttpRequest, code: str) -> HttpResponse:
    """What the round being entered would lead to: sentences, nothing is written."""
    opened = open_game(request, code, for_writing=True)
    return show_consequences(request, opened, opened.state)


def show_consequences(request: HttpRequest, opened: OpenGame, before: GameState) -> HttpResponse:
    """The consequences of the posted round after the state `before`, or what is wrong with the cards so far."""
    form = read_round(request.POST, before)
    found = [] if before.is_over else list(_consequences(opened, before, form))
    return render(request, "games/_consequences.html", {"consequences": found})


def _consequences(opened: OpenGame, before: GameState, form: RoundForm) -> list[Consequence]:
    try:
        if form.errors:  # hands are missing still: only the count of the cards can be judged
            before.rules.deck.check((field_of(player), hand.cards) for player, hand in form.entry.hands)
            return []
        after = apply(before, len(opened.log) + 1, RoundPlayed(form.entry))
    except RuleError as refusal:
        return [Consequence(translate(refusal.text), "red")]
    is_last = len(before.steps) == len(opened.state.steps)
    return list(of_round(after, opened.people, opened.table, is_last=is_last))
