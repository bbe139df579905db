"""A restored site: its links and tokens are revoked, and what the replaced database says has ended ends again."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, connections
from django.utils.timezone import now

from games.management.copies import copy_database
from games.management.marker import mark
from games.models import Role, SignInLink, Table
from games.money.holders import set_account
from games.people.access import role_at
from games.people.claims import claim
from games.people.deletion import delete_account
from games.people.erasing import bring_back, erase
from games.people.invitations import LASTS, accept_invite, find_invite, make_invite
from games.people.leaving import leave
from games.people.removals import put_out
from games.people.sign_in_links import make_link
from games.people.tokens import LIVES, find_token, make_token
from games.people.users import is_deleted
from tests.commands import output_of
from tests.databases import At
from tests.tables import let_in_as, make_table, make_user

pytestmark = pytest.mark.django_db
only_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL replaces no database")

_numbers = count(1)


# --- sites ------------------------------------------------------------------------------------------------------------


@contextmanager
def new_database(folder: Path, *, template: str = "template1") -> Iterator[None]:
    """Use an empty database: a file in this folder or, on PostgreSQL, a new one of the same server."""
    if connection.vendor == "sqlite":
        with At(folder / "db.sqlite3"):
            yield
        return
    if not shutil.which("pg_restore"):
        pytest.skip("PostgreSQL's client programs are missing")
    server, name = connections["default"], f"{connection.settings_dict['NAME']}_{next(_numbers)}"
    beside = server.copy()  # outside the transaction of the test
    with beside.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name}")
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    connections["default"] = type(server)({**server.settings_dict, "NAME": name}, "default")
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = server
        with beside.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name}")
        beside.close()


@cache
def migrated() -> str:
    """Return the name of a migrated database on the same PostgreSQL, which is made once."""
    server, name = connections["default"], f"{connection.settings_dict['NAME']}_migrated"
    with closing(server.copy()) as beside, beside.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name}")
        cursor.execute(f"CREATE DATABASE {name}")
    connections["default"] = type(server)({**server.settings_dict, "NAME": name}, "default")
    call_command("migrate", verbosity=0)
    connections["default"].close()
    connections["default"] = server
    return name


@pytest.fixture
def site(db, settings, tmp_path):
    """A site of its own, with the tables of the program and no row in them."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir(mode=0o700)
    if connection.vendor == "sqlite":
        copy_database(Path(connection.settings_dict["NAME"]), settings.DATA_DIR / "db.sqlite3")
    with new_database(
        settings.DATA_DIR, template="template1" if connection.vendor == "sqlite" else migrated()
    ):
        mark()
        yield settings.DATA_DIR


@pytest.fixture
def back_up(site, tmp_path) -> Callable[[], Path]:
    """`back_up()` makes a backup on another disk and returns its path."""

    def make() -> Path:
        output_of("backup", "--to", str(tmp_path / "disk"))
        return Path(max((tmp_path / "disk").glob("backup-*")))

    return make


@pytest.fixture
def ana(site):
    return registered("ana")


@pytest.fixture
def thursdays(ana):
    return make_table(ana)


def registered(name: str) -> User:
    user = make_user(name)
    user.set_password("tres lobas negras")
    user.save()
    return user


def restored(backup: Path) -> str:
    """Restore the backup in place of the site's database, check the books, and return what was printed."""
    printed = output_of("restore", str(backup), "--overwrite")
    assert "Everything adds up." in output_of("check_books")
    return printed


def role_of(user: User, table: Table) -> Role | None:
    return role_at(User.objects.get(pk=user.pk), table)


# --- links and tokens -------------------------------------------------------------------------------------------------


def test_links_and_tokens_of_the_backup_are_revoked_and_access_stays(
    ana, thursdays, back_up, settings, tmp_path
):
    """The backup is restored on another machine, with nothing of this one."""
    _open, link = make_invite(thursdays, Role.SCORER, lasts=LASTS["week"], by=ana)
    used, _link = make_invite(thursdays, Role.SCORER, lasts=LASTS["week"], by=ana)
    beto = registered("beto")
    accept_invite(used, beto)
    _token, secret = make_token(ana, "Planilla", lasts=LIVES["year"])
    make_link(ana)
    backup = back_up()
    settings.DATA_DIR = tmp_path / "new"
    settings.DATA_DIR.mkdir(mode=0o700)

    with new_database(settings.DATA_DIR):
        printed = output_of("restore", str(backup))

        assert "Revoked: 1 invitations, 1 sign-in links, 1 tokens." in printed
        assert "No database was replaced that says what ended" in printed
        assert (None, None, 0) == (find_invite(link, None), find_token(secret), SignInLink.objects.count())
        assert [Role.OWNER, Role.SCORER] == [role_of(user, thursdays) for user in (ana, beto)]


# --- what has ended ---------------------------------------------------------------------------------------------------


@only_sqlite
def test_an_erased_table_is_erased_again_and_its_owner_can_bring_it_back(ana, thursdays, back_up):
    backup = back_up()
    erase(thursdays, name=thursdays.name, by=ana)
    erased_at = Table.objects.get().erased_at

    assert f"in the replaced database: the table {thursdays.name} ({thursdays.code})." in restored(backup)
    assert erased_at == Table.objects.get().erased_at
    bring_back(thursdays, by=ana)
    assert Role.OWNER == role_of(ana, thursdays)


@only_sqlite
def test_a_table_erased_over_seven_days_ago_is_deleted_at_once(ana, thursdays, back_up):
    backup = back_up()
    erase(thursdays, name=thursdays.name, by=ana)
    Table.objects.update(erased_at=now() - timedelta(days=8))

    assert "the table Mesa de los jueves" in restored(backup)
    assert 0 == Table.objects.count()


@only_sqlite
def test_a_deleted_account_is_deleted_again_with_its_access_and_payment_details(ana, thursdays, back_up):
    beto = registered("beto")
    let_in_as(beto, thursdays, Role.SCORER)
    set_account(claim(thursdays.members.get(slug="beto"), beto, is_agreed=True), "alias.de.beto")
    backup = back_up()
    delete_account(beto)

    assert "the account beto." in restored(backup)
    member = thursdays.members.get(slug="beto")
    assert is_deleted(User.objects.get(pk=beto.pk))
    assert (None, None, "") == (role_of(beto, thursdays), member.user, member.account)


@only_sqlite
@pytest.mark.parametrize("leaves", [True, False])
def test_an_ended_grant_ends_again_and_a_grant_that_stands_stays(ana, thursdays, back_up, leaves):
    beto, caro = registered("beto"), registered("caro")
    for user in (beto, caro):
        let_in_as(user, thursdays, Role.SCORER)
    backup = back_up()
    if leaves:
        leave(thursdays, by=beto)
    else:
        put_out(thursdays.grants.get(user=beto), by=ana)

    assert f"the access of beto to {thursdays.name} ({thursdays.code})." in restored(backup)
    assert [None, Role.SCORER] == [role_of(user, thursdays) for user in (beto, caro)]


@only_sqlite
def test_the_only_owner_of_a_table_in_the_backup_keeps_it(ana, thursdays, back_up):
    backup = back_up()
    let_in_as(registered("beto"), thursdays, Role.OWNER)
    leave(thursdays, by=ana)

    assert f"not the access of ana to {thursdays.name} ({thursdays.code})" in restored(backup)
    assert Role.OWNER == role_of(ana, thursdays)


@only_sqlite
def test_a_dismissed_operator_is_no_operator_again(ana, back_up):
    User.objects.update(is_staff=True)
    backup = back_up()
    User.objects.update(is_staff=False)

    assert "ana is no operator." in restored(backup)
    assert not User.objects.get().is_staff


@only_sqlite
def test_nothing_ends_if_nothing_has_ended(ana, thursdays, back_up):
    beto = registered("beto")
    grant = let_in_as(beto, thursdays, Role.SCORER)
    put_out(grant, by=ana)
    backup = back_up()
    let_in_as(registered("caro"), thursdays, Role.SCORER)

    assert "as in the replaced database: nothing." in restored(backup)


@only_sqlite
def test_a_damaged_database_is_replaced_with_a_warning(ana, thursdays, back_up, site):
    backup = back_up()
    connection.close()
    with closing(sqlite3.connect(site / "db.sqlite3")) as database:
        database.execute("DROP TABLE games_grant")
        database.commit()

    printed = restored(backup)
    assert "The replaced database cannot be read: no such table: games_grant." in printed
    assert "No database was replaced that says what ended" in printed
    assert Role.OWNER == role_of(ana, thursdays)
