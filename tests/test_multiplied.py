"""Acts on what a user can multiply: under the write lock two hundred of it take as many queries as two."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection, transaction
from django.shortcuts import redirect
from django.test import RequestFactory
from django.utils.timezone import now

from games.models import Access, Device, Flag, Game, Link, LinkKind, Member, Offer, Role, Season, Table, Token
from games.seasons.seasons import begin_season, change_season, drop_season
from games.tables import confirming, lobby, operating
from games.tables.devices import sign_out_elsewhere
from games.tables.erasing import delete_account
from games.tables.links import make_personal, use_personal
from games.tables.views.login import sign_in
from tests.worlds import SECRET, make_table, make_user

pytestmark = pytest.mark.django_db

FEW, MANY = 2, 200
ROWS_OF_A_STATEMENT = 50  # at least: SQLite takes 999 values
Act = Callable[[], object]


def queries_under_lock(build: Callable[[int], Act], count: int) -> int:
    """Return how many queries an act makes inside its own transactions, and roll back what it wrote."""
    asked = 0

    def note(execute, *query):
        nonlocal asked
        asked += len(connection.savepoint_ids) > outside
        return execute(*query)

    with transaction.atomic():
        act, outside = build(count), len(connection.savepoint_ids)
        with connection.execute_wrapper(note):
            act()
        transaction.set_rollback(True)
    return asked


# --- tables of a user -------------------------------------------------------------------------------------------------


def tables(count: int, *users: User) -> list[Table]:
    """Create tables with a member and a running game each, at which these users watch as that member."""
    some = [
        Table(code=f"t{number}", identity=f"i{number}", name="Mesa", unit="$", language="es-ar")
        for number in range(count)
    ]
    Table.objects.bulk_create(some)
    Season.objects.bulk_create(Season(table=table, name="2026", starts_on=date(2026, 1, 1)) for table in some)
    members = Member.objects.bulk_create(
        Member(table=table, slug="ana", name="Ana", colour=1, account="alias") for table in some
    )
    Access.objects.bulk_create(
        Access(
            user=user,
            table=member.table,
            role=Role.SCORER,
            member=member,
            confirmed_at=now(),
            confirmed_by=user,
        )
        for user in users
        for member in members
    )
    Game.objects.bulk_create(
        Game(
            table=table,
            season=table.seasons.get(),
            code=f"g{table.code}",
            key=table.code,
            variant="x",
            started_at=now(),
            night_number=1,
        )
        for table in some
    )
    return some


def signing_in(count: int) -> Act:
    guest, olga = make_user(f"guest-{count}"), User.objects.create_user("olga", password=SECRET)
    both = tables(count, guest, olga)
    Access.objects.filter(user=olga, table__in=both[::2]).update(ended_at=now())
    for table in both:
        game = table.games.get()
        for user in (guest, olga):
            Offer.objects.create(game=game, player="ana", user=user, round_number=1, after=1, hand="7o")
            Flag.objects.create(game=game, player="ana", user=user, number=1, after=1)
    request = RequestFactory().post("/login/")
    request.user, request.session = guest, SessionStore()
    return lambda: sign_in(request, olga, redirect("home"))


def blocking(count: int) -> Act:
    olga = make_user("olga")
    tables(count, olga)
    return lambda: operating.block(olga)


def deleting_an_account(count: int) -> Act:
    olga = make_user("olga")
    tables(count, olga)
    return lambda: delete_account(olga)


# --- phones of a table ------------------------------------------------------------------------------------------------


class Room:
    """A table with an owner, at which many phones say to be somebody."""

    def __init__(self, count: int) -> None:
        self.owner = make_user("ana")
        self.table = make_table(self.owner, people=("Ana", *(f"B{number}" for number in range(50))))
        self.beto = self.table.members.get(slug="b0")
        self.users = User.objects.bulk_create(User(username=f"u{number}") for number in range(count))

    def let_in(self, **values: object) -> list[Access]:
        """Give each of the phones an access until tomorrow."""
        until = now() + timedelta(days=1)
        return Access.objects.bulk_create(
            Access(user=user, table=self.table, role=Role.WITNESS, **{"until": until, **values})
            for user in self.users
        )


def confirming_all_phones_of_a_person(count: int) -> Act:
    room = Room(count)
    phones = room.let_in(member=room.beto)
    return lambda: confirming.confirm_each(phones, by=room.owner, member=room.beto)


def confirming_one_in_place_of_the_others(count: int) -> Act:
    room = Room(count)
    room.let_in(member=room.beto, confirmed_at=now(), confirmed_by=room.owner)
    new = Access.objects.create(
        user=make_user("nueva"), table=room.table, role=Role.WITNESS, member=room.beto
    )
    return lambda: confirming.confirm(new, by=room.owner, member=room.beto)


def confirming_one_of_those_who_claim(count: int) -> Act:
    room = Room(count)
    phones = room.let_in(member=room.beto)
    return lambda: confirming.confirm(phones[0], by=room.owner, member=room.beto)


def confirming_everybody(count: int) -> Act:
    room = Room(count)
    faces = list(room.table.members.all())
    phones = room.let_in()
    for phone, face in zip(phones, faces[1:], strict=False):
        Access.objects.filter(pk=phone.pk).update(member=face)
    return lambda: confirming.confirm_all(room.table, by=room.owner)


def turning_everybody_away(count: int) -> Act:
    room = Room(count)
    half = room.let_in(member=room.beto)[::2]
    Access.objects.filter(pk__in=[phone.pk for phone in half]).update(member=None, name="Eva")
    return lambda: confirming.turn_all_away(room.table, by=room.owner)


def coming_by_a_personal_link(count: int) -> Act:
    room = Room(count)
    room.let_in(member=room.beto, confirmed_at=now(), confirmed_by=room.owner)
    link, _token = make_personal(room.table, role=Role.SCORER, member=room.beto, by=room.owner)
    return lambda: use_personal(link, make_user("nueva"))


def changing_roles(count: int) -> Act:
    room = Room(count)
    phone = room.let_in(member=room.beto, confirmed_at=now(), confirmed_by=room.owner, until=None)[0]
    return lambda: lobby.set_role(phone, Role.SCORER, by=room.owner)


def ending_a_phone(count: int) -> Act:
    room = Room(count)
    phone = room.let_in(member=room.beto, confirmed_at=now(), confirmed_by=room.owner)[0]
    Link.objects.bulk_create(
        Link(
            kind=LinkKind.PERSONAL,
            table=room.table,
            role=Role.WITNESS,
            token_hash=f"h{number}",
            made_by=phone.user,
            expires_at=now() + timedelta(days=1),
            revoked_at=now(),
        )
        for number in range(count)
    )
    return lambda: lobby.end(phone, by=room.owner)


def signing_out_elsewhere(count: int) -> Act:
    olga = make_user("olga")
    tables(count, olga)
    Device.objects.bulk_create(
        Device(user=olga, session_key=f"{number:032}", seen_on=date(2026, 1, 1)) for number in range(count)
    )
    request = RequestFactory().post("/you/")
    request.user, request.session = AnonymousUser(), SessionStore()
    return lambda: sign_out_elsewhere(request, olga, before=None)


# --- seasons and tokens -----------------------------------------------------------------------------------------------


def seasons(count: int) -> tuple[Table, list[Season]]:
    table = make_table(make_user("ana"))
    first = table.seasons.get()
    Season.objects.filter(pk=first.pk).update(starts_on=date(2000, 1, 1))
    Season.objects.bulk_create(
        Season(table=table, name=f"T{number}", starts_on=date(2001, 1, 1) + timedelta(days=7 * number))
        for number in range(count)
    )
    return table, list(table.seasons.order_by("starts_on"))


def beginning_a_season(count: int) -> Act:
    table, _seasons = seasons(count)
    return lambda: begin_season(table, name="Otra", first_day=date(2026, 1, 1))


def moving_a_season(count: int) -> Act:
    _table, some = seasons(count)
    return lambda: change_season(some[1], first_day=some[1].starts_on + timedelta(days=1))


def dropping_a_season(count: int) -> Act:
    _table, some = seasons(count)
    return lambda: drop_season(some[1])


def revoking_tokens(count: int) -> Act:
    olga = make_user("olga")
    (table,) = tables(1, olga)
    Token.objects.bulk_create(
        Token(
            user=olga, table=table, name="Casa", token_hash=f"h{number}", expires_at=now() + timedelta(days=1)
        )
        for number in range(count)
    )
    return lambda: operating.block(olga)


ACTS = (
    *(signing_in, blocking, deleting_an_account, signing_out_elsewhere),
    *(confirming_all_phones_of_a_person, confirming_one_in_place_of_the_others),
    *(confirming_one_of_those_who_claim, confirming_everybody, turning_everybody_away),
    *(coming_by_a_personal_link, changing_roles, ending_a_phone),
    *(beginning_a_season, moving_a_season, dropping_a_season, revoking_tokens),
)


@pytest.mark.parametrize("build", ACTS, ids=lambda build: build.__name__)
def test_two_hundred_take_as_many_queries_under_the_lock_as_two(build):
    few, many = queries_under_lock(build, FEW), queries_under_lock(build, MANY)

    assert 0 < few
    assert many - few <= MANY // ROWS_OF_A_STATEMENT
