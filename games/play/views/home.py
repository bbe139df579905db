"""The home page (*Jugar*): the games of the table that the user opened last.

It is the first of a table's four tabs (`templates/parts/_tabs.html`). `/t/<code>/` chooses its table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.common import (
    amounts,
    context_processors,
    days,
    event_sentences,
    event_store,
    game_labels,
    locks,
    naming,
    regions,
    request_handling,
    roles,
)
from games.common.event_sentences import PersonsById
from games.common.game_labels import WinnerText
from games.common.poll_tickets import PageVersion
from games.common.request_handling import PageRefusal
from games.models import Access, Game, Payment, Record, Role, Table
from games.money.presenters import member_money, night_display
from games.money.services import accounting, night_summary, proposals
from games.money.views.debt_pages import ActionNotice, action_notice, register_page
from games.play.presenters import new_game_form, scoresheet_columns, variant_list
from games.play.presenters.scoresheet_columns import Column
from games.play.services import recording
from games.scoring.money import pot_amount
from games.scoring.state import GameState
from games.scoring.validation import MAX_STEPS
from games.tables.presenters import claim_list, lone_owner, parked_guests, pen_display, site_info
from games.tables.services import authorization, lobby, roster
from games.tables.services.lobby import LobbySnapshot
from games.tables.services.pens import PenState
from games.tables.services.roster import People
from games.tables.views.lobby import answer_notice, no_news, poll_context

TABLE = "table"  # query parameter of the home page: the code of the table that it shows
MAX_RUNNING_GAMES, MAX_FINISHED_GAMES = 10, 3  # all games are in the archive
MOST_DRAWN = 6  # members at a table where nobody has played
# the most events replayed for the page; the running games of a table have fewer
MAX_REPLAYED_EVENTS = 3000


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return show_home(request)


@require_safe
def table(request: HttpRequest, table_code: str) -> HttpResponse:
    """Make the home page show this table. If that cannot be stored, the redirect has the table's code."""
    request_handling.remember_table(request, authorization.get_table(request.user, table_code)[0])
    home_url = reverse("home")
    is_stored = locks.attempt(request.session.save)
    return redirect(home_url if is_stored else f"{home_url}?{urlencode({TABLE: table_code})}")


@require_safe
def live_home(request: HttpRequest, table_code: str, version: PageVersion) -> HttpResponse:
    """Answer the poll of a home page that shows this table at `version`; 204 if nothing changed."""
    access = authorization.get_access(request.user, table_code)
    if version == PageVersion.of(access.table):
        return no_news(request, access)
    request.path = reverse("home")  # the page's forms refer to this path
    return show_home(request, table_code=table_code)


@register_page("home")
def show_home(
    request: HttpRequest,
    refusal: PageRefusal | None = None,
    *,
    pasted: str = "",
    link_error: str = "",
    table_code: str = "",
) -> HttpResponse:
    """Show the home page, with the refusal of a tick or of a pasted link if there was one.

    A poll has the `table_code` of the table that its page shows.
    """
    accesses = list(_list_accesses(request.user)) if isinstance(request.user, User) else []
    active_accesses = [access for access in accesses if access.table.erased_at is None]
    tables = [access.table for access in active_accesses]
    ended = _find_ended(request, active_accesses)
    current_access = _choose_access(request, active_accesses, table_code)
    context = {
        "ended": ended,
        **(_table_context(request, current_access) if current_access else {}),
        "languages": settings.LANGUAGES,
        **(_folder_context(current_access) if settings.SERVE_FOLDER else {}),
        "others": [table for table in tables if current_access and table != current_access.table],
        "erased": [access.table for access in accesses if _can_restore(access)],
        **({} if current_access else _front_context(request)),
        "closed": site_info.closed_message(request.user),
        "refused": refusal,
        "pasted": pasted,
        "link_error": link_error,
        "done": _payment_notice(request, tables) or _account_notice(request),
        "discarded": _discarded_code(active_accesses, request.GET.get("discarded", "")),
    }
    status = refusal.status if refusal else request_handling.UNPROCESSABLE if link_error else 200
    return render(request, "play/home.html", context, status=status)


def _front_context(request: HttpRequest) -> dict[str, object]:
    """Return the template variables of the page of somebody without a table."""
    return {
        **lone_owner.NO_WARNING,
        "games": variant_list.regional_names(),
        "parked_guests": parked_guests.list_items(request),
    }


def _find_ended(request: HttpRequest, accesses: Sequence[Access]) -> Access | None:
    """Return the access to the current table if it has ended."""
    current = request_handling.current_code(request)
    is_valid = any(access.table.code == current for access in accesses)
    return None if is_valid or not current else authorization.find_ended(request.user, current)


def _choose_access(request: HttpRequest, accesses: Sequence[Access], shown_code: str) -> Access | None:
    """Return the access to the table that the poll's page shows, else to that of the query or the current one.

    Without any of them, it is the access to the table that played last. Unless this is a poll, the table
    becomes the current one.
    """
    current = request_handling.current_code(request)
    by_code = {access.table.code: access for access in accesses}
    codes = (shown_code, request.GET.get(TABLE, ""), current)
    chosen = next((by_code[code] for code in codes if code in by_code), next(iter(accesses), None))
    if chosen is not None and chosen.table.code != current and not shown_code:
        request_handling.remember_table(request, chosen.table)
    return chosen


def _list_accesses(user: User) -> QuerySet[Any]:
    """Return the user's accesses by the last game of their table, newest first."""
    games = Game.objects.filter(table=OuterRef("table"), discarded_at=None).order_by("-started_at")
    played_at = Coalesce(Subquery(games.values("started_at")[:1]), "table__created_at")
    accesses = user.accesses.valid().select_related("table")
    return accesses.annotate(played_at=played_at).order_by("-played_at", "-table")


def _can_restore(access: Access) -> bool:
    restorable_until = access.table.restorable_until
    return access.role == Role.OWNER and restorable_until is not None and restorable_until > now()


def _folder_context(access: Access | None) -> dict[str, object]:
    """Return the size of the folder without a server, and the query string that opens this table there."""
    query = (
        new_game_form.initial_query(access.table)
        if access is not None and access.role in roles.WRITERS
        else ""
    )
    return {"solo_size": _folder_size(), "solo_query": query}


@cache
def _folder_size() -> int:
    return sum(path.stat().st_size for path in settings.FOLDER.rglob("*") if path.is_file())


def _payment_notice(request: HttpRequest, tables: Sequence[Table]) -> ActionNotice | None:
    number = request_handling.parse_pk(request.GET.get("done", ""))
    payment = Payment.objects.filter(pk=number, table__in=tables).first() if number else None
    if payment is None:
        return None
    try:
        table, role = authorization.get_accounts(request.user, payment.table.code)
    except PermissionDenied:  # an unconfirmed viewer
        return None
    return action_notice(request, table, People.of(table), role)


def _account_notice(request: HttpRequest) -> ActionNotice | None:
    act, name = request_handling.pop_notice(request, "named", "in", "parked", "out", "owner")
    signed_in = (
        _("You are signed in as %(name)s.") % {"name": naming.isolate(name)}
        if name
        else _("You are signed in.")
    )
    sentences = {
        "named": _("Your name and password were saved."),
        "in": signed_in,
        "parked": f"{signed_in} {_('What you did not tick has stayed: “Your account” leads back to it.')}",
        "out": _("You are signed out."),
        "owner": _("%(name)s is now an owner too.") % {"name": naming.isolate(name)},
    }
    return ActionNotice(sentences[act], "", {}) if act else None


def _discarded_code(accesses: Sequence[Access], code: str) -> str:
    """Return `code` if it belongs to a discarded game that the user may restore, and "" otherwise."""
    if not code:
        return ""
    tables = [access.table for access in accesses if access.role in roles.WRITERS]
    codes = Game.objects.filter(table__in=tables, discarded_at__isnull=False).values_list("code", flat=True)
    return code if code in set(codes) else ""


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Store the posted theme ("day", "dark" or "light") in a cookie of this phone.

    For any other value, delete the cookie, so that the system's setting applies.
    """
    response = redirect("yours" if request.POST.get("next") == reverse("yours") else "home")
    theme = request.POST.get("theme")
    if theme in context_processors.THEMES:
        response.set_cookie(
            settings.THEME_COOKIE_NAME,
            theme,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            samesite="Lax",
            httponly=True,
        )
    else:
        response.delete_cookie(settings.THEME_COOKIE_NAME)
    return response


def _table_context(request: HttpRequest, access: Access) -> dict[str, object]:
    """Return the template variables of the current table, in the formats of its region."""
    table, role = access.table, Role(access.role)
    people, may_write, table.reader_access = People.of(table), role in roles.WRITERS, access
    games, me = _newest_games(table), people.by_pk.get(access.member_id or 0)
    with regions.use_formats(table.region):
        tiles, money = _build_tiles(games, table, people), member_money.load(access.user, table, people)
        may_answer = may_write or access.is_lasting
        claims = lobby.pending_claims(table).exclude(user=access.user).count() if may_answer else 0
        phone_claims = claim_list.new_phone_items(LobbySnapshot(table, people), access.user) if claims else ()
        pen = pen_display.build_notice(PenState.load(table), access)
        sees = authorization.can_view_accounts(access)
        waiting = (
            accounting.pending_payments(access.user, table, people, is_scorer=may_write).count()
            if sees
            else 0
        )
        return {
            "table": table,
            "me": me and roster.to_person(me),
            "may_record": may_write or pen.is_mine,
            "pen": pen,
            "claims": claims if may_write else 0,
            "phone_claims": phone_claims,
            "claim_answer": answer_notice(request, table, page="home"),
            **lone_owner.warning_context(table, access.user),
            "money": money,
            "payments": waiting - money.questions,
            "is_owner": role is Role.OWNER,
            **({} if tiles else _empty_context(people)),
            "running": [tile for tile in tiles if tile.game.ended_at is None],
            "finished": [tile for tile in tiles if tile.game.ended_at is not None],
            "tonight": _night_context(table, games, people, sees_accounts=sees),
            "key": locks.new_form_key(),
            **poll_context(request, access, "live-home", table.code, PageVersion.of(table)),
            "after": PageVersion.of(table),
            "may_see_accounts": sees,
            "waits": waiting
            + len(money.news)
            + (proposals.list_open(table, people, me, is_scorer=may_write).count() if sees else 0),
        }


def _empty_context(people: People) -> dict[str, object]:
    """Return who sits at a table where nobody has played, and its free seats."""
    active = [member for member in people.current_members if member.retired_at is None]
    sitting = [roster.to_person(member) for member in active[:MOST_DRAWN]]
    return {"sitting": sitting, "free": range(max(0, new_game_form.DRAWN_SEATS - len(sitting)))}


def _night_context(
    table: Table, games: Sequence[Game], people: People, *, sees_accounts: bool
) -> dict[str, object] | None:
    """Return the night under way: the leader, and everybody's sum so far.

    Return None unless tonight has several games and one of them is over: the tile of a single game shows the
    same.
    """
    night = days.night_for(now(), table)
    of_tonight = [game for game in games if game.night_number == night.toordinal()]
    if len(of_tonight) < 2 or all(game.ended_at is None for game in of_tonight):
        return None
    evening = night_summary.summarize(night, table, people)
    return {
        "win": night_display.night_winner_text(evening, table, is_playing=True),
        "games": game_labels.games_label(len(evening.winners)),
        "rows": night_display.attendee_items(evening, table, can_view_accounts=sees_accounts),
        "night": night.isoformat(),
    }


# --- the newest games ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameTile:
    """A game on the home page. Only a running game has `columns` (players with totals) and a `pot`.

    `win` is None while the game is played, or if it was not replayed. `rematch_names` are the people of a
    rematch; "" if the game cannot have one.
    """

    game: Game
    title: str
    detail: str
    day: str
    columns: tuple[Column, ...] = ()
    pot: str = ""
    win: WinnerText | None = None
    rematch_names: str = ""


def _newest_games(table: Table) -> list[Any]:
    """Return the last running and the last finished games of the table, each newest first."""
    newest_record = Record.objects.filter(game=OuterRef("pk")).order_by("-number").values("number")[:1]
    games = table.games.filter(discarded_at=None).order_by("-started_at", "-pk")
    games = games.annotate(length=Subquery(newest_record))
    running, finished = games.filter(ended_at=None), games.exclude(ended_at=None)
    return [*running[:MAX_RUNNING_GAMES], *finished[:MAX_FINISHED_GAMES]]


def _build_tiles(games: Sequence[Any], table: Table, people: People) -> list[GameTile]:
    """Return the tiles of the games. Games beyond this page's replay budget show only their names."""
    lengths = accumulate(game.length or 0 for game in games)
    chosen = [game.pk for game, length in zip(games, lengths, strict=True) if length <= MAX_REPLAYED_EVENTS]
    states = event_store.load_states(chosen, most=MAX_STEPS)
    persons = roster.to_persons(people)
    return [_build_tile(game, states, table, people, persons) for game in games]


def _build_tile(
    game: Game, states: Mapping[int, GameState | None], table: Table, members: People, people: PersonsById
) -> GameTile:
    title = game_labels.variant_label(game.variant)
    day = days.format_day(days.to_table_time(game.started_at, table).date())
    state = states.get(game.pk)
    if state is None:
        return GameTile(game, title, _("Its entries can't be read.") if game.pk in states else "", day)
    if state.outcome is None:
        pot = pot_amount(state)
        return GameTile(
            game,
            title,
            _progress_label(state, people),
            day,
            columns=scoresheet_columns.build_columns(state, people),
            pot=amounts.money_formatter(table)(pot) if pot else "",
        )
    again = recording.rematch_members(state, members).values() if state.imported_night is None else ()
    return GameTile(
        game,
        title,
        "",
        day,
        win=game_labels.winner_text(state, people, table),
        rematch_names=naming.join_names([member.name for member in again]),
    )


def _progress_label(state: GameState, people: PersonsById) -> str:
    if state.pending:
        return event_sentences.reentry_question(people[state.pending[0].id].name)
    of_round = _("round %(round_number)s") % {"round_number": len(state.rounds) + 1}
    if state.dealer is None:
        return of_round
    deals = _("%(name)s deals") % {"name": naming.isolate(people[state.dealer].name)}
    return f"{of_round} · {deals}"
