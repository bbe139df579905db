"""Requests that only read while the database cannot be written: they are answered, and note nothing.

A page notes in passing that somebody was here: an owner's visit, the device, the session, a token's use. The
next request tries again. Faults of requests that write are in `test_faults.py`.

`api/test_reading.py` has the contents of the API's answers.
"""

from __future__ import annotations

import resource
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import InterfaceError, OperationalError, connection
from django.urls import reverse
from django.utils.timezone import localdate

from games.common import poll_tickets
from games.models import Access, Device, Token
from games.tables.services import authorization, tokens
from tests.databases import FULL, LOCK_TABLES, hold_lock, refuse_writes
from tests.factories import make_table, make_user, start
from tests.reader import read_page
from tests.server_processes import Phone, Site
from tests.test_rights import actions

FAULTS = (
    FULL,
    OperationalError("attempt to write a readonly database"),
    InterfaceError("connection already closed"),
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner(transactional_db):
    return make_user("ana")


@pytest.fixture
def table(owner):
    """A table that its owner has not opened today."""
    table = make_table(owner)
    Access.objects.update(opened_on=None)
    return table


@pytest.fixture
def game(table, owner):
    return start(table, owner)


@pytest.fixture
def program(client_for, owner):
    """A client with a token of the owner, which was never used."""
    _token, secret = tokens.create(owner, "reloj")
    phone = client_for(raise_request_exception=False)
    phone.defaults["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    return phone


def noted(owner):
    """Return what was noted of the owner: the visit, the devices and the use of the token."""
    return (
        Access.objects.get(user=owner).opened_on,
        [*Device.objects.filter(user=owner).values_list("seen_on", flat=True)],
        [*Token.objects.values_list("used_on", flat=True)],
    )


def read_addresses(table, game):
    return (
        "/",
        reverse("accounts", args=[table.code]),
        reverse("season", args=[table.code]),
        reverse("sheet", args=[game.code]),
        reverse("yours"),
        f"/api/v1/tables/{table.code}/accounts/",
        f"/api/v1/games/{game.code}/",
    )


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_the_first_requests_of_a_day_are_answered_and_the_next_ones_note_it(
    client_for, program, owner, table, game, fault
):
    phone = client_for(owner, raise_request_exception=False)
    addresses = read_addresses(table, game)
    with refuse_writes(fault):
        pages = [phone.get(address) for address in addresses]
        answers = [program.get(address) for address in addresses[-2:]]
    assert [200] * 9 == [answer.status_code for answer in (*pages, *answers)]
    assert (None, [], [None]) == noted(owner)
    assert not any(settings.SESSION_COOKIE_NAME in page.cookies for page in pages)

    assert 200 == phone.get(addresses[1]).status_code
    assert 200 == program.get(addresses[-1]).status_code
    assert (localdate(), [localdate()], [localdate()]) == noted(owner)


def test_nobody_waits_for_the_lock_to_note_a_visit(client_for, program, owner, table, game):
    phone = client_for(owner, raise_request_exception=False)
    addresses = read_addresses(table, game)
    with hold_lock():
        pages = [phone.get(address) for address in addresses]
        answers = [program.get(address) for address in addresses[-2:]]
        assert [200] * 9 == [answer.status_code for answer in (*pages, *answers)]
        assert (None, [], [None]) == noted(owner)

    assert 200 == phone.get(addresses[1]).status_code
    assert 200 == program.get(addresses[-1]).status_code
    assert (localdate(), [localdate()], [localdate()]) == noted(owner)


READ_ONLY = {
    "sqlite": ("PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
    "postgresql": ("SET default_transaction_read_only = on", "RESET default_transaction_read_only"),
}


def test_a_database_that_is_only_read_is_read(client_for, program, owner, table, game):
    phone = client_for(owner, raise_request_exception=False)
    begin, end = READ_ONLY[connection.vendor]
    addresses = read_addresses(table, game)
    connection.cursor().execute(begin)
    try:
        answers = [phone.get(address) for address in addresses]
        answers += [program.get(address) for address in addresses[-2:]]
        refused = phone.post(reverse("add-member", args=[table.code]), {"name": "Eva"})
    finally:
        connection.cursor().execute(end)

    assert [200] * 9 == [answer.status_code for answer in answers]
    assert (503, None, [], [None]) == (refused.status_code, *noted(owner))


@pytest.mark.parametrize("fault", [None, FULL])
def test_a_writer_is_as_patient_after_a_visit_as_before(owner, table, fault):
    def patience():
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout")
            return cursor.fetchone()

    before = patience()
    with refuse_writes(fault) if fault else nullcontext():
        authorization.get_table(owner, table.code)

    assert before == patience()
    assert before[0] not in (0, "0")


def test_every_page_and_every_answer_is_the_same_although_nothing_can_be_noted(
    subtests, client_for, owner, table, game
):
    """So a page that starts to note something else is found here."""
    for action in actions(table):
        if action.method == "get":
            with subtests.test(action.name):
                phone = client_for(owner, raise_request_exception=False)
                Access.objects.update(opened_on=None)
                code = game.code if action.is_game_action else table.code
                with refuse_writes(FULL):
                    while_full = action.ask(phone, code).status_code

                assert action.ask(phone, code).status_code == while_full


def test_another_table_is_shown_although_it_cannot_be_remembered(client_for, owner, table):
    other = make_table(owner, name="Otra mesa")
    phone = client_for(owner)
    phone.get(reverse("table", args=[table.code]))
    with refuse_writes(FULL):
        page = phone.get(reverse("table", args=[other.code]), follow=True)
        live = phone.get(
            reverse("live-home", args=[other.code, poll_tickets.PageVersion(0)]),
            headers={"HX-Request": "true"},
        )

    assert [(f"/?table={other.code}", 302)] == page.redirect_chain
    assert ["Otra mesa", "Otra mesa"] == [read_page(answer).only("h1").text for answer in (page, live)]
    assert [("/", 302)] == phone.get(reverse("table", args=[other.code]), follow=True).redirect_chain


@pytest.mark.parametrize("code", ["nowhere", "", "é", "a" * 1000])
def test_any_other_code_in_the_address_of_the_first_page_shows_the_current_table(
    client_for, owner, table, code
):
    phone = client_for(owner)

    assert "Mesa de los jueves" in phone.get("/", {"table": code}).content.decode()


def test_a_session_that_has_ended_is_anonymous_although_it_cannot_be_deleted(client_for, owner, table):
    phone = client_for(owner, raise_request_exception=False)
    owner.set_password("tres lobas en la mesa")
    owner.save()
    with refuse_writes(FULL):
        page = phone.get(reverse("yours"))
    assert (200, False, 1) == (
        page.status_code,
        page.wsgi_request.user.is_authenticated,
        Session.objects.count(),
    )

    assert not phone.get(reverse("yours")).wsgi_request.user.is_authenticated
    assert 0 == Session.objects.count()


# --- on a socket ------------------------------------------------------------------------------------------------------

OWNERS = 10
FIND_TABLES = """
import json, sys, django
django.setup()
from games.models import Access, Game
Access.objects.update(opened_on=None)
print(json.dumps([Game.objects.get(code=code).table.code for code in sys.argv[1:]]))
"""
COUNT_NOTED = """
import json, django
django.setup()
from django.utils.timezone import localdate
from games.models import Access, Device
today = localdate()
print(json.dumps([Access.objects.filter(opened_on=today).count(), Device.objects.filter(seen_on=today).count()]))
"""


@pytest.fixture
def site(prepared_site, new_database, tmp_path):
    site = Site(tmp_path / "data", prepared_site / "static", new_database())
    site.folder.mkdir(mode=0o700)
    site.start()
    yield site
    site.stop()


@contextmanager
def lock_database(site):
    """Hold the lock of the site's database, as a backup or an operator's program may."""
    if site.database:
        import psycopg

        with closing(psycopg.connect(site.database)) as other:
            other.execute(LOCK_TABLES)
            yield
    else:
        with closing(sqlite3.connect(site.folder / "db.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield


@contextmanager
def fill_disk(site):
    """Let no process of the site write to a file any more."""
    if site.database:
        pytest.skip("PostgreSQL's own processes write")
    assert 200 == site.request("GET", "/readyz")[0]  # an open connection keeps the files that others map
    before = resource.prlimit(site.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(site.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.prlimit(site.pid, resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("fault", [lock_database, fill_disk])
def test_ten_owners_read_at_once_and_are_noted_once_the_fault_is_over(site, fault):
    phones = site.create_phones(OWNERS)
    tables = site.run_program(FIND_TABLES, *(phone.game for phone in phones))

    def read(phone: Phone, table: str) -> list[int]:
        addresses = ("/", f"/t/{table}/accounts/", f"/t/{table}/season/", f"/api/v1/tables/{table}/accounts/")
        return [phone.get(address)[0] for address in addresses]

    with ThreadPoolExecutor(OWNERS + 1) as pool:
        with fault(site):
            answers = pool.map(read, phones, tables)
            health = pool.submit(site.request, "GET", "/healthz")
            assert [[200] * 4] * OWNERS == list(answers)
            assert 200 == health.result()[0]
        assert [0, 0] == site.run_program(COUNT_NOTED)

        assert [[200] * 4] * OWNERS == list(pool.map(read, phones, tables))
    assert [OWNERS, OWNERS] == site.run_program(COUNT_NOTED)
