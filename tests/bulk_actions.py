"""Bulk actions: each builder creates a given number of rows and returns the act to measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime, timedelta
from unittest import mock

from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.db import SessionStore
from django.shortcuts import redirect
from django.test import RequestFactory
from django.utils.timezone import now

from games.files.services import file_reader, file_writer, import_preview, imports
from games.files.services.import_preview import ImportPreview
from games.models import Access, Device, Flag, Game, Link, LinkKind, Member, Offer, Role, Season, Table, Token
from games.money.services import member_merges, payments
from games.play.services import recording
from games.scoring.errors import RuleError
from games.seasons.services import season_setup
from games.tables.services import confirmations, devices, erasure, links, lobby, membership, operators, setup
from games.tables.views.login import sign_in
from tests.factories import (
    SECRET,
    confirm_as_member,
    make_table,
    make_user,
    new_key,
    start,
    winning_round,
    with_new_codes,
)

Act = Callable[[], object]


@contextmanager
def without_bounds() -> Iterator[None]:
    """Lift the limits on running games, which an imported file may exceed."""
    with (
        mock.patch("games.play.services.duplicates.MOST_RUNNING", 1000),
        mock.patch("games.play.services.duplicates.MOST_GAMES_A_NIGHT", 1000),
    ):
        yield


# --- tables of a user -------------------------------------------------------------------------------------------------


def tables(count: int, *users: User) -> list[Table]:
    """Create tables with a member and a running game each. The users are viewers there, as that member."""
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
    ticked = list(guest.accesses.values_list("pk", flat=True))
    request = RequestFactory().post("/login/", {"along": ticked})
    request.user, request.session = guest, SessionStore()
    return lambda: sign_in(request, olga, redirect("home"))


def blocking(count: int) -> Act:
    olga = make_user("olga")
    tables(count, olga)
    return lambda: operators.block(olga)


def deleting_an_account(count: int) -> Act:
    olga = make_user("olga")
    tables(count, olga)
    return lambda: erasure.delete_account(olga)


# --- phones of a table ------------------------------------------------------------------------------------------------


class ClaimedTable:
    """A table with an owner and many phones with identity claims."""

    def __init__(self, count: int) -> None:
        self.owner = make_user("ana")
        self.table = make_table(self.owner, people=("Ana", *(f"B{number}" for number in range(50))))
        self.beto = self.table.members.get(slug="b0")
        self.users = User.objects.bulk_create(User(username=f"u{number}") for number in range(count))

    def grant_access(self, **values: object) -> list[Access]:
        until = now() + timedelta(days=1)
        return Access.objects.bulk_create(
            Access(user=user, table=self.table, role=Role.WITNESS, **{"until": until, **values})
            for user in self.users
        )


def confirming_all_devices_of_a_member(count: int) -> Act:
    room = ClaimedTable(count)
    phones = room.grant_access(member=room.beto)
    return lambda: confirmations.confirm_phones(phones, by=room.owner, member=room.beto)


def confirming_a_replacement(count: int) -> Act:
    room = ClaimedTable(count)
    room.grant_access(member=room.beto, confirmed_at=now(), confirmed_by=room.owner)
    new = Access.objects.create(
        user=make_user("nueva"), table=room.table, role=Role.WITNESS, member=room.beto
    )
    return lambda: confirmations.confirm(new, by=room.owner, member=room.beto)


def confirming_one_of_many_claims(count: int) -> Act:
    room = ClaimedTable(count)
    phones = room.grant_access(member=room.beto)
    return lambda: confirmations.confirm(phones[0], by=room.owner, member=room.beto)


def confirming_everybody(count: int) -> Act:
    room = ClaimedTable(count)
    faces = list(room.table.members.all())
    phones = room.grant_access()
    for phone, face in zip(phones, faces[1:], strict=False):
        Access.objects.filter(pk=phone.pk).update(member=face)
    return lambda: confirmations.confirm_all(room.table, by=room.owner)


def denying_everybody(count: int) -> Act:
    room = ClaimedTable(count)
    half = room.grant_access(member=room.beto)[::2]
    Access.objects.filter(pk__in=[phone.pk for phone in half]).update(member=None, name="Eva")
    return lambda: confirmations.deny_all(room.table, by=room.owner)


def using_a_personal_link(count: int) -> Act:
    room = ClaimedTable(count)
    room.grant_access(member=room.beto, confirmed_at=now(), confirmed_by=room.owner)
    link, _token = links.create_personal(room.table, role=Role.SCORER, member=room.beto, by=room.owner)
    return lambda: links.redeem_personal(link, make_user("nueva"))


def changing_roles(count: int) -> Act:
    room = ClaimedTable(count)
    phone = room.grant_access(member=room.beto, confirmed_at=now(), confirmed_by=room.owner, until=None)[0]
    return lambda: lobby.set_role(phone, Role.SCORER, by=room.owner)


def ending_a_phone(count: int) -> Act:
    room = ClaimedTable(count)
    phone = room.grant_access(member=room.beto, confirmed_at=now(), confirmed_by=room.owner)[0]
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
    return lambda: lobby.revoke(phone, by=room.owner)


def signing_out_elsewhere(count: int) -> Act:
    olga = make_user("olga")
    tables(count, olga)
    Device.objects.bulk_create(
        Device(user=olga, session_key=f"{number:032}", seen_on=date(2026, 1, 1)) for number in range(count)
    )
    request = RequestFactory().post("/you/")
    request.user, request.session = AnonymousUser(), SessionStore()
    return lambda: devices.sign_out_elsewhere(request, olga, before=None)


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
    return lambda: season_setup.create(table, name="Otra", first_day=date(2026, 1, 1))


def moving_a_season(count: int) -> Act:
    _table, some = seasons(count)
    return lambda: season_setup.update(some[1], first_day=some[1].starts_on + timedelta(days=1))


def dropping_a_season(count: int) -> Act:
    _table, some = seasons(count)
    return lambda: season_setup.delete(some[1])


def revoking_tokens(count: int) -> Act:
    olga = make_user("olga")
    (table,) = tables(1, olga)
    Token.objects.bulk_create(
        Token(
            user=olga, table=table, name="Casa", token_hash=f"h{number}", expires_at=now() + timedelta(days=1)
        )
        for number in range(count)
    )
    return lambda: operators.block(olga)


# --- games of a night, payments of a person ---------------------------------------------------------------------------


def night_of_games(count: int) -> tuple[Table, User, list[Game]]:
    """Record a night of games at 100 each. Each is one round from its end."""
    owner = make_user(f"owner-{count}")
    table = make_table(owner)
    return table, owner, [start(table, owner, stake=100, reentries=0) for _number in range(count)]


def win(games: list[Game], owner: User) -> None:
    for game in games:
        game.refresh_from_db()
        recording.record(game, winning_round("ana"), after=1, key=new_key(), by=owner)


def table_file(table: Table) -> bytes:
    return with_new_codes(file_writer.write_table(table)).encode()


def preview(home: Table, file: bytes, at: datetime) -> ImportPreview:
    return import_preview.build(home, file_reader.read_table(file), {}, by=home.accesses.get().user, at=at)


def importing(count: int) -> Act:
    """Import a whole night of another table."""
    cabin, owner, games = night_of_games(count)
    win(games, owner)
    home, file = make_table(make_user("home")), table_file(cabin)
    return import_act(home, file)


def import_act(home: Table, file: bytes) -> Act:
    at, by = now(), home.accesses.get().user
    seen = preview(home, file, at).preview_digest
    return lambda: imports.run(home, lambda: preview(home, file, at), seen=seen, by=by, at=at)


def importing_continued_games(count: int) -> Act:
    """Import a night again after its games, unfinished at the first import, have ended."""
    cabin, owner, games = night_of_games(count)
    home = make_table(make_user("home"))
    import_act(home, table_file(cabin))()
    win(games, owner)
    return import_act(home, table_file(cabin))


def reverting_continued_games(count: int) -> Act:
    home_act = importing_continued_games(count)
    home_act()
    home = Table.objects.get(accesses__user__username="home")
    arrival = home.arrivals.latest("at")
    return lambda: imports.revert(arrival, by=home.accesses.get().user)


def starting_a_game(count: int) -> Act:
    table, owner, games = night_of_games(count)
    win(games, owner)
    return lambda: start(table, owner)


def merging(count: int) -> Act:
    table, owner, games = night_of_games(count)
    win(games, owner)
    eva, ana = membership.add(table, "Eva"), table.members.get(slug="ana")
    for _number in range(count):
        payments.create(table, eva, ana, 5, key=new_key(), by=owner)
    seen = member_merges.preview(eva, ana).digest
    return lambda: member_merges.merge(eva, ana, seen=seen, by=owner)


def unmerging(count: int) -> Act:
    act = merging(count)
    act()
    eva = Member.objects.exclude(merged_into=None).get()
    win(night_of_games(0)[2], eva.merged_by or User())
    return lambda: member_merges.unmerge(eva, by=eva.merged_by or User())


def paying(count: int) -> Act:
    owner = make_user("ana")
    table = make_table(owner)
    beto, caro = table.members.get(slug="beto"), table.members.get(slug="caro")
    for user, member in ((owner, beto), (make_user("caro"), caro)):
        confirm_as_member(user, member)
    for _number in range(count):  # identity claims, since Caro has a phone
        payments.create(table, beto, caro, 5, key=new_key(), by=owner)
    claim = table.payments.latest("pk")
    return lambda: payments.confirm(claim, by=User.objects.get(username="caro"), is_asking=False)


def changing_decimals(count: int) -> Act:
    owner = make_user("ana")
    table = make_table(owner)
    for _number in range(count):
        start(table, owner, stake=0)

    def change() -> None:
        with suppress(RuleError):
            setup.change_settings(table, decimals=2)

    return change


def retiring(count: int) -> Act:
    table, owner, games = night_of_games(count)
    win(games, owner)
    return lambda: membership.retire(membership.add(table, "Eva"))


ACTS = (
    *(signing_in, blocking, deleting_an_account, signing_out_elsewhere),
    *(confirming_all_devices_of_a_member, confirming_a_replacement),
    *(confirming_one_of_many_claims, confirming_everybody, denying_everybody),
    *(using_a_personal_link, changing_roles, ending_a_phone),
    *(beginning_a_season, moving_a_season, dropping_a_season, revoking_tokens),
    *(paying, changing_decimals),
)
GAME_ACTS = (
    *(importing, importing_continued_games, reverting_continued_games),
    *(starting_a_game, merging, unmerging, retiring),
)
