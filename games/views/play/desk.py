"""The re-entry desk (reenganche): each bust player is asked, with price, score and margin."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games.keys import new_key
from games.locks import StaleGame
from games.play.recording import Recorded
from games.scoring.events import PlayerReentered, PlayerStayedOut, RoundPlayed
from games.scoring.money import pot_of, reentry_fee
from games.scoring.rules import price_of
from games.scoring.state import GameState, PlayerState
from games.shown.common.amounts import money, points
from games.shown.common.people import Person, all_of
from games.shown.play.columns import margin_in_words
from games.shown.play.sheet import sheet_of
from games.views.common.live import asks_at, nothing_new
from games.views.common.opened import OpenGame, open_game
from games.views.common.recording import Refused, refused_by, try_to_record, unanswered
from games.views.play.sheet import next_page, show_sheet

LADDER_AHEAD = 1


@dataclass(frozen=True)
class Rung:
    """One price on a player's ladder: paid, asked now, or to come."""

    count: int
    price: str
    when: str


@dataclass(frozen=True)
class Desk:
    """The question put to one bust player; `round_number` is 0 where a penalty made him bust, and no round."""

    person: Person
    total: str
    back_with: str
    like: str
    margin: str
    is_close: bool
    price: str
    pot_before: str
    pot_after: str
    ladder: tuple[Rung, ...]
    later: tuple[str, ...]
    round_number: int
    cause_url: str


@require_http_methods(["GET", "POST"])
def reentry(request: HttpRequest, code: str) -> HttpResponse:
    """Asks the next bust player, and records his answer."""
    opened = open_game(request, code, for_writing=True)
    if request.method == "POST":
        return _answer(request, opened)
    if not _is_asking(opened):
        return redirect("sheet", code)
    return _show(request, opened)


@require_GET
def live_reentry(request: HttpRequest, code: str, after: int, version: int) -> HttpResponse:
    """Where the game is by now, for a phone that asks as of event `after` and `version`; 204 where nothing is new."""
    unchanged = nothing_new(request, code, version, for_writing=True)
    if unchanged is not None:
        return unchanged
    opened = open_game(request, code, for_writing=True)
    since = opened.log[after:]
    news = refused_by(StaleGame(after=after, since=since), opened) if since else None
    return _show_where_it_is(request, opened, news and replace(news, status=200))


def _is_asking(opened: OpenGame) -> bool:
    return bool(opened.state.pending) and opened.game.discarded_at is None


def _answer(request: HttpRequest, opened: OpenGame) -> HttpResponse:
    result = try_answer(request, opened)
    if isinstance(result, Refused):
        return _show_where_it_is(request, open_game(request, opened.game.code), result)
    return redirect(next_page(opened, result))


def _show_where_it_is(request: HttpRequest, opened: OpenGame, refused: Refused | None) -> HttpResponse:
    """The next question, or the sheet where nobody is asked any more, with what was recorded meanwhile."""
    return (_show if _is_asking(opened) else show_sheet)(request, opened, refused)


def try_answer(request: HttpRequest, opened: OpenGame) -> Recorded | Refused:
    """Record the posted answer and return the game as it stands then, or the refusal."""
    if request.POST.get("answer") not in ("reenter", "stay_out") and opened.state.pending:
        return unanswered(opened)
    return try_to_record(request, opened, sent_answer(request))


def sent_answer(request: HttpRequest) -> PlayerReentered | PlayerStayedOut:
    """The posted answer as it would be recorded."""
    player = request.POST.get("player", "")
    return PlayerReentered(player) if request.POST.get("answer") == "reenter" else PlayerStayedOut(player)


def _show(request: HttpRequest, opened: OpenGame, refused: Refused | None = None) -> HttpResponse:
    first, *others = opened.state.pending
    context = {
        **opened.context,
        "desk": _desk(opened, first, others),
        "sheet": sheet_of(opened.game, opened.log, opened.state, opened.people),
        "key": new_key(),
        **asks_at(request, opened.table, "live-reentry", opened.game.code, len(opened.log), opened.version),
        "refused": refused,
    }
    return render(request, "games/play/reentry.html", context, status=refused.status if refused else 200)


def _desk(opened: OpenGame, player: PlayerState, others: list[PlayerState]) -> Desk:
    state, table = opened.state, opened.table
    assert player.reentry_total is not None
    fee, pot, cause = reentry_fee(state, player.id), pot_of(state), state.steps[player.bust_at - 1]
    return Desk(
        person=opened.people[player.id],
        total=points(player.total),
        back_with=points(player.reentry_total),
        like=all_of(
            [opened.people[found.id].name for found in state.playing if found.total == player.reentry_total]
        ),
        margin=margin_in_words(state, player.reentry_total, opened.people),
        is_close=state.rules.out_at is not None and player.reentry_total >= state.rules.out_at - 1,
        price=money(fee, table) if state.rules.pot else "",
        pot_before=money(pot, table),
        pot_after=money(pot + fee, table),
        ladder=tuple(_ladder(state, player, opened)) if state.rules.pot else (),
        later=tuple(_later(opened, other) for other in others),
        round_number=len(state.rounds) if isinstance(cause.event, RoundPlayed) else 0,
        cause_url=reverse("correct", args=[opened.game.code, cause.number]),
    )


def _ladder(state: GameState, player: PlayerState, opened: OpenGame) -> list[Rung]:
    reentry = state.rules.reentry
    assert reentry is not None
    now = player.reentries + 1
    last = now + LADDER_AHEAD if reentry.cap is None else min(now + LADDER_AHEAD, reentry.cap)
    return [
        Rung(
            count,
            money(price_of(reentry.price, count), opened.table),
            "was" if count < now else "now" if count == now else "",
        )
        for count in range(max(1, now - 1), last + 1)
    ]


def _later(opened: OpenGame, player: PlayerState) -> str:
    said = {
        "name": opened.people[player.id].name,
        "total": points(player.total),
        "fee": money(reentry_fee(opened.state, player.id), opened.table),
    }
    if not opened.state.rules.pot:
        return _("%(name)s (%(total)s)") % said
    return _("%(name)s (%(total)s), %(fee)s") % said
