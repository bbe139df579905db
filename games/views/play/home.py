"""The home page (*Jugar*): the games of the table that the user opened last.

An access is a user's access to a table in a role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, reduce
from itertools import accumulate
from operator import or_
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber
from django.db.models.lookups import IsNull
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.book import states_of
from games.keys import new_key
from games.models import Access, Game, Member, Payment, Record, Role, Table
from games.money.balances import People, awaiting, to_settle
from games.money.own_money import OwnMoney, own_money_of
from games.money.tallies import NightTally, tallies_of
from games.names import isolated
from games.nights import local, night_of
from games.people.access import Visitor, accounts_for, accounts_seen_by, get_table_or_404
from games.people.lobby import knocking
from games.people.owners import only_ways_in
from games.people.roles import WRITERS
from games.regions import formats_of
from games.scoring.admission import MOST_STEPS
from games.scoring.money import pot_of
from games.scoring.state import GameState
from games.shown.common.amounts import money_of
from games.shown.common.days import date_in_figures
from games.shown.common.people import people_among
from games.shown.common.played import title_in_words
from games.shown.common.wins import Win, win_of
from games.shown.common.words import People as Persons
from games.shown.money.own_money import OwnRow, own_rows
from games.shown.money.tallies import TallyShown, tally_shown, win_of_night
from games.shown.play.columns import Column, columns_of
from games.views.common.context import THEMES
from games.views.common.current import current_code, make_current
from games.views.common.numbers import row_id
from games.views.common.recording import Refused
from games.views.common.ticked import Done, has_ticks, just_done
from games.views.play.wanted import as_query

RUNNING_SHOWN, FINISHED_SHOWN = 10, 3  # of each table; all games are in its nights
# The states by the game's id: None if the records cannot be read; games beyond the page's budget are missing.
States = Mapping[int, GameState | None]
EVENTS_SHOWN = 3000  # limit of the events replayed for this page, more than anybody's running games have

ADVISED = "advised"  # session variable: the guest has read what a lost phone costs


@dataclass(frozen=True)
class Tile:
    """A game on the home page. Only a running game has `columns` (players with totals) and a `pot`.

    All texts are in the formats of the table's region.
    """

    game: Game
    title: str
    detail: str
    columns: tuple[Column, ...]
    pot: str
    day: str
    key: str
    has_rematch: bool
    win: Win | None  # None while the game is played, or if it was not replayed


@dataclass(frozen=True)
class Tables:
    """The user's tables: one is shown with its games, the others by name, and the erased but restorable.

    `open` are the tables that are not erased, `writable` those at which the user may record.
    """

    place: TableTiles | None = None
    erased: Sequence[Table] = ()
    open: Sequence[Table] = ()
    writable: Sequence[Table] = ()


@dataclass(frozen=True)
class TableTiles:
    """A table with its running games and its last finished games."""

    table: Table
    may_write: bool
    may_see_accounts: bool
    has_knocks: bool
    has_payments: bool
    money: Sequence[OwnRow]
    running: tuple[Tile, ...]
    finished: tuple[Tile, ...]
    tonight: Tonight | None


@dataclass(frozen=True)
class Tonight:
    """The night under way at a table: who is ahead, everybody's sum so far, and its date in ISO format."""

    win: Win
    tally: TallyShown
    night: str


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the home page."""
    return show_home(request)


@require_GET
def table(request: HttpRequest, table_code: str) -> HttpResponse:
    """Make this table the one that the home page shows."""
    make_current(request, get_table_or_404(request, table_code))
    return redirect("home")


@has_ticks("home")
def show_home(request: HttpRequest, refused: Refused | None = None) -> HttpResponse:
    """Show the home page, with the refusal of a tick if there was one."""
    tables = _tables_of(request)
    if tables.place and tables.place.table.code != current_code(request):
        make_current(request, tables.place.table)
    context = {
        "place": tables.place,
        "table": tables.place and tables.place.table,
        "others": [table for table in tables.open if tables.place and table != tables.place.table],
        "erased": tables.erased,
        "only_here": _only_here(request, tables.open),
        "refused": refused,
        "done": _just_done(request, tables.open),
        "discarded": _discarded(tables.writable, request.GET.get("discarded", "")),
        "languages": settings.LANGUAGES,
        **(_of_folder(tables.place) if settings.SERVE_FOLDER else {}),
    }
    return render(request, "games/play/home.html", context, status=refused.status if refused else 200)


def _of_folder(place: TableTiles | None) -> dict[str, object]:
    """Return the size of the folder without a server, and the query with which this table begins there."""
    return {"solo_size": _folder_size(), "solo_query": place and place.may_write and as_query(place.table)}


@cache
def _folder_size() -> int:
    return sum(path.stat().st_size for path in settings.FOLDER.rglob("*") if path.is_file())


def _only_here(request: HttpRequest, tables: Sequence[Table]) -> Table | None:
    """Return a table that a guest would lose with this phone, to say so once, after its first night.

    Return None if the guest has read it, and for anybody else.
    """
    if not isinstance(request.user, User) or request.session.get(ADVISED):
        return None
    lost = only_ways_in(tables, request.user)
    ended = [
        Q(table=table, night_number__lt=night_of(now(), table).toordinal())
        for table in tables
        if table.pk in lost
    ]
    if not ended:
        return None
    games = Game.objects.filter(reduce(or_, ended), ended_at__isnull=False, discarded_at=None)
    first = games.order_by("started_at").values_list("table", flat=True).first()
    return next((table for table in tables if table.pk == first), None)


@require_POST
def take_advice(request: HttpRequest) -> HttpResponse:
    """Note that the guest of this phone has read what a lost phone costs; the page does not say it again."""
    if isinstance(request.user, User):
        request.session[ADVISED] = True
    return redirect("home")


def _just_done(request: HttpRequest, tables: Sequence[Table]) -> Done | None:
    """Return the bar about the payment that the user just ticked at one of these tables."""
    number = row_id(request.GET.get("done", ""))
    payment = Payment.objects.filter(pk=number, table__in=tables).first() if number else None
    if payment is None:
        return None
    try:
        table, role = accounts_for(Visitor(request.user), payment.table.code)
    except PermissionDenied:  # a witness whom nobody confirmed
        return None
    return just_done(request, table, People.of(table), role)


def _discarded(tables: Sequence[Table], code: str) -> str:
    """Return `code` if it is the code of a discarded game at one of these tables; else "".

    The user may record at the tables, so the page offers to restore the game.
    """
    if not code:
        return ""
    codes = Game.objects.filter(table__in=tables, discarded_at__isnull=False).values_list("code", flat=True)
    return code if code in set(codes) else ""


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Store the posted theme ("day", "dark" or "light") in a cookie of this phone.

    For any other value, delete the cookie, so that the system's setting applies.
    """
    response = redirect("home")
    theme = request.POST.get("theme")
    if theme in THEMES:
        response.set_cookie(
            *("theme", theme),
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            samesite="Lax",
            httponly=True,
        )
    else:
        response.delete_cookie("theme")
    return response


def _tables_of(request: HttpRequest) -> Tables:
    """Return the user's tables. The number of queries does not grow with their number."""
    if not isinstance(request.user, User):
        return Tables()
    accesses = list(_accesses_of(request.user))
    there = [access for access in accesses if access.table.erased_at is None]
    owned = [access.table for access in accesses if access.role == Role.OWNER]
    current = current_code(request)
    chosen = [access for access in there if access.table.code == current] or there[:1]
    people = People.of_each(access.table for access in chosen)
    own = own_money_of(request.user, people)
    money = {
        access.table_id: _own_rows(own[access.table_id], access.table)
        for access in chosen
        if access.table_id in own
    }
    return Tables(
        place=next(iter(_with_games(chosen, request.user, people, money)), None),
        erased=[table for table in owned if table.gone_at is not None and table.gone_at > now()],
        open=[access.table for access in there],
        writable=[access.table for access in there if access.role in WRITERS],
    )


def _own_rows(own: OwnMoney, table: Table) -> Sequence[OwnRow]:
    with formats_of(table.region):
        return own_rows(own, table)


def _with_games(
    accesses: Sequence[Any], user: User, people: Mapping[int, People], money: Mapping[int, Sequence[OwnRow]]
) -> Sequence[TableTiles]:
    tables = [access.table for access in accesses]
    accounts, games = accounts_seen_by(accesses), _shown_of(tables)
    states, persons = _states_of(games), {pk: people_among(members) for pk, members in people.items()}
    by_pk, tonight = {table.pk: table for table in tables}, _tonight(tables, games, people)
    tiles = [(game, _tile(game, by_pk[game.table_id], states, persons[game.table_id])) for game in games]
    return [
        TableTiles(
            table=access.table,
            may_write=access.role in WRITERS,
            may_see_accounts=access.table_id in accounts,
            has_knocks=access.has_knocks and access.role in WRITERS,
            has_payments=access.has_payments and access.role in WRITERS,
            money=money.get(access.table_id, ()),
            running=_of(access.table, tiles, over=False),
            finished=_of(access.table, tiles, over=True),
            tonight=tonight.get(access.table_id),
        )
        for access in accesses
    ]


def _tonight(
    tables: Sequence[Table], games: Sequence[Game], people: Mapping[int, People]
) -> Mapping[int, Tonight]:
    """Return the night under way at each table, by the table's id.

    A table is left out unless tonight has several games and one of them is over. While there is only one
    game, the tile of the game shows the same.
    """
    nights = {table.pk: night_of(now(), table) for table in tables}
    of_tonight = [game for game in games if nights[game.table_id].toordinal() == game.night_number]
    counts = Counter(game.table_id for game in of_tonight)
    over = {game.table_id for game in of_tonight if game.ended_at is not None}
    wanted = [(table, nights[table].toordinal()) for table in over if counts[table] > 1]
    by_pk = {table.pk: table for table in tables}
    return {
        table: _tonight_at(by_pk[table], nights[table], tally)
        for (table, _night), tally in tallies_of(wanted, people).items()
    }


def _tonight_at(table: Table, night: date, tally: NightTally) -> Tonight:
    with formats_of(table.region):
        return Tonight(
            win_of_night(tally, table, is_playing=True), tally_shown(tally, table), night.isoformat()
        )


def _accesses_of(user: User) -> QuerySet[Any]:
    """Return the user's accesses, ordered by the last game of their table, newest first.

    Two annotations say if something of the table waits for an answer: `has_knocks` for somebody who says who
    they are, `has_payments` for payments. `has_payments` ignores those that wait for this user as the
    payee, and those of which this user is the payer.
    """
    knocks = knocking(OuterRef("table")).exclude(user=user)
    mine = Member.objects.filter(pk__in=user.accesses.for_good().values("member"))
    open_payments = to_settle(OuterRef("table")).exclude(pk__in=awaiting(mine).values("pk"))
    standing: QuerySet[Access] = user.accesses.standing()
    games = Game.objects.filter(table=OuterRef("table"), discarded_at=None).order_by("-started_at")
    return (
        standing.select_related("table")
        .annotate(
            played_at=Coalesce(Subquery(games.values("started_at")[:1]), "table__created_at"),
            has_knocks=Exists(knocks),
            has_payments=Exists(open_payments.exclude(payer__in=mine)),
        )
        .order_by("-played_at", "-table")
    )


def _shown_of(tables: list[Table]) -> list[Game]:
    """Return the last running and the last finished games of each table, newest first."""
    is_over = IsNull(F("ended_at"), False)
    newest = Window(RowNumber(), partition_by=["table", is_over], order_by=["-started_at", "-pk"])
    newest_record = Record.objects.filter(game=OuterRef("pk")).order_by("-number").values("number")[:1]
    games = Game.objects.filter(table__in=tables, discarded_at=None)
    games = games.annotate(place=newest, length=Subquery(newest_record))
    running = Q(ended_at=None, place__lte=RUNNING_SHOWN)
    return list(games.filter(running | Q(place__lte=FINISHED_SHOWN)))


def _states_of(games: Sequence[Any]) -> States:
    """Return the states of the games by id; None for a game whose records cannot be read.

    Games are left out once this page has used up its budget for replaying games.
    """
    lengths = accumulate(game.length or 0 for game in games)
    chosen = [game.pk for game, length in zip(games, lengths, strict=True) if length <= EVENTS_SHOWN]
    return states_of(chosen, most=MOST_STEPS)


def _of(table: Table, tiles: list[tuple[Game, Tile]], *, over: bool) -> tuple[Tile, ...]:
    return tuple(
        tile for game, tile in tiles if game.table_id == table.pk and (game.ended_at is not None) is over
    )


def _tile(game: Game, table: Table, states: States, people: Persons) -> Tile:
    state = states.get(game.pk)
    is_played = state is not None and state.outcome is None
    with formats_of(table.region):
        return Tile(
            game=game,
            title=title_in_words(game.variant),
            detail=_detail(states, game, people),
            columns=columns_of(state, people) if state is not None and is_played else (),
            pot=_pot(state, table) if state is not None and is_played else "",
            day=date_in_figures(local(game.started_at, table).date()),
            key=new_key(),
            has_rematch=game.pk not in states or (state is not None and state.imported is None),
            win=win_of(state, people, table) if state is not None and state.outcome is not None else None,
        )


def _pot(state: GameState, table: Table) -> str:
    pot = pot_of(state)
    return money_of(table)(pot) if pot else ""


def _detail(states: States, game: Game, people: Persons) -> str:
    if game.pk not in states:  # not replayed, because the budget was spent
        return ""
    state = states[game.pk]
    if state is None:
        return _("Its records cannot be read.")
    if state.outcome is not None:
        return ""  # the tile shows the result instead
    if state.pending:
        return _("Does %(name)s re-enter?") % {"name": isolated(people[state.pending[0].id].name)}
    return _("round %(round_number)s") % {"round_number": len(state.rounds) + 1}
