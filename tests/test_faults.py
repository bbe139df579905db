"""A full, locked or missing database: pages, parts and queued entries get 503, and nothing is lost."""

from __future__ import annotations

import contextlib
import errno
import html
import sqlite3
from threading import Event
from urllib.parse import urlencode

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.urls import reverse

from games.common import db_errors
from games.common.poll_tickets import PageVersion
from games.models import Payment
from tests.factories import new_key
from tests.queued_entries import build_entry, entry_answers, send_entries
from tests.reader import fields, read_page

FAULTS = (
    OperationalError("database or disk is full"),
    OperationalError("database is locked"),
    OperationalError("attempt to write a readonly database"),
    OperationalError("unable to open database file"),
    InterfaceError("connection already closed"),
)
HANDS = {"closer": "ana", "closing": "out", "hand_beto": "9", "hand_caro": "9", "hand_dani": "9"}


@pytest.fixture
def phone(client_for, owner):
    """Ana's phone, which gets the error page instead of the exception."""
    return client_for(owner, raise_request_exception=False)


def round_fields(game, **changes):
    return fields(**{"after": len(game.log()), "key": new_key(), **HANDS, **changes})


def person_id(phone):
    return read_page(phone.get("/")).only("main").attrs["data-person"]


def raiser(raised):
    def fail(*args, **kwargs):
        raise raised

    return fail


@contextlib.contextmanager
def database_refusing(pragma, back):
    """Make the database refuse writes during the `with` block by this pragma; `back` reverts it."""
    with connection.cursor() as cursor:
        cursor.execute(pragma)
        try:
            yield
        finally:
            cursor.execute(back)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_database_fault_is_503_wherever_it_strikes(phone, game, monkeypatch, fault):
    mark = person_id(phone)
    entry = build_entry("round", game=game.code, after=1, **HANDS)
    monkeypatch.setattr("games.common.event_store.EventLog.load", raiser(fault))
    sheet, played = reverse("sheet", args=[game.code]), reverse("play-round", args=[game.code])
    answers = [
        phone.get(sheet),
        phone.get(sheet, headers={"HX-Request": "true"}),
        phone.get(reverse("live-sheet", args=[game.code, PageVersion(0)])),
        phone.post(played, round_fields(game)),
        send_entries(phone, entry, person=mark),
    ]

    assert [(503, "5")] * 5 == [(answer.status_code, answer["Retry-After"]) for answer in answers]
    assert "no-store" in answers[0]["Cache-Control"]
    assert "Content-Security-Policy" in answers[0]
    assert "The site cannot be reached" == read_page(answers[0]).only("h1").text


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own way to refuse")
def test_a_full_disk_is_503_and_records_nothing_of_what_it_cut_short(phone, game):
    pages = connection.cursor().execute("PRAGMA page_count").fetchone()[0]
    played = reverse("play-round", args=[game.code])
    statuses: list[int] = []
    with database_refusing(f"PRAGMA max_page_count = {pages}", "PRAGMA max_page_count = 4294967294"):
        while 503 not in statuses and len(statuses) < 300:
            closer_wins = {"hand_beto": "0", "hand_caro": "0", "hand_dani": "0"}
            statuses.append(phone.post(played, round_fields(game, **closer_wins)).status_code)
        assert 200 == phone.get(reverse("sheet", args=[game.code])).status_code

    assert {302, 503} == {*statuses}
    assert statuses.count(302) + 1 == game.records.count()
    assert 302 == phone.post(played, round_fields(game)).status_code  # there is space again


@pytest.mark.parametrize(
    "broken",
    ["django.contrib.sessions.backends.db.SessionStore.save", "games.tables.services.devices.record"],
)
def test_who_comes_back_on_another_day_reads_although_that_cannot_be_noted(phone, game, monkeypatch, broken):
    monkeypatch.setattr(broken, raiser(OperationalError("database or disk is full")))

    answer = phone.get(reverse("sheet", args=[game.code]))
    assert 200 == answer.status_code
    assert "Mesa de los jueves" in answer.content.decode()
    assert 503 == phone.post(reverse("play-round", args=[game.code]), round_fields(game)).status_code


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own way to wait")
@pytest.mark.django_db(transaction=True)
def test_while_somebody_holds_the_database_too_long_others_read_and_their_round_is_recorded_later(
    phone, game
):
    """A backup or an operator's program may hold the lock. The timeout is shortened here."""
    sheet, played = reverse("sheet", args=[game.code]), reverse("play-round", args=[game.code])
    data = round_fields(game)
    phone.get(sheet)
    connection.cursor().execute("PRAGMA busy_timeout = 100")
    with contextlib.closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert 200 == phone.get(sheet).status_code
        response = phone.post(played, data)
        other.execute("ROLLBACK")
    connection.close()

    assert 503 == response.status_code
    assert "Nothing was recorded. Try again in a moment." in read_page(response).only("main").text
    assert [302, 302] == [phone.post(played, data).status_code for _time in range(2)]
    assert 2 == game.records.count()


@pytest.mark.parametrize(
    ("form", "broken"),
    [
        ("round", "games.play.services.recording.record"),
        ("tick", "games.play.presenters.offline_queue.settle_debt"),
        ("payment", "games.play.presenters.offline_queue.record_payment"),
    ],
)
def test_what_waited_and_broke_something_is_told_so_and_not_sent_for_ever(
    phone, game, monkeypatch, caplog, form, broken
):
    monkeypatch.setattr(broken, raiser(RuntimeError("broken on purpose")))
    table, code = ("", game.code) if form == "round" else (game.table.code, "")
    paid = {"payer": "beto", "payee": "ana", "amount": "5", "method": "cash"}
    entry_fields = HANDS if form == "round" else paid
    (answer,) = entry_answers(
        send_entries(phone, build_entry(form, table=table, game=code, after=1, **entry_fields))
    )

    assert ("refused", ["An error on our side. It was not recorded."]) == (
        answer["status"],
        answer["sentences"],
    )
    assert "broken on purpose" in caplog.text
    assert (1, 0) == (game.records.count(), Payment.objects.count())


def with_cause(error, cause):
    error.__cause__ = cause
    return error


class ReadOnlyTransaction(Exception):
    """Psycopg's error for a write to a read-only database."""

    sqlstate = "25006"


def test_a_damaged_file_and_a_lost_connection_are_faults():
    torn = sqlite3.DatabaseError("database disk image is malformed")
    torn.sqlite_errorcode = sqlite3.SQLITE_CORRUPT

    assert db_errors.is_database_failure(with_cause(DatabaseError("malformed"), torn))
    assert db_errors.is_database_failure(OperationalError("server closed the connection unexpectedly"))
    assert db_errors.is_database_failure(with_cause(DatabaseError("read-only"), ReadOnlyTransaction()))
    assert not db_errors.is_database_failure(DatabaseError("value too long"))
    assert not db_errors.is_database_failure(RuntimeError("database is locked"))


def test_tries_that_cannot_be_counted_on_a_full_disk_let_nobody_in(phone, monkeypatch):
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr("django.core.cache.backends.filebased.FileBasedCache.set", raiser(full))

    assert 503 == phone.post("/login/", {"username": "ana", "password": "siete de oros"}).status_code


def test_only_the_404_of_who_has_no_access_to_the_table_has_the_phone_drop_its_pages(
    ana, nobody, table, game
):
    answers = [
        (phone.get(address).status_code, phone.get(address).headers.get("X-Access"))
        for phone, address in (
            (nobody, f"/t/{table.code}/accounts/"),
            (nobody, f"/g/{game.code}/"),
            (nobody, "/g/nowhere/"),
            (ana, f"/t/{table.code}/accounts/of/nobody/"),
            (ana, "/nowhere/"),
        )
    ]
    assert [(404, "none")] * 3 + [(404, None)] * 2 == answers


NAMES = {"new-1": "Ana", "new-2": "Beto", "password": "tres lobas"}


def test_a_form_from_before_a_sign_in_comes_back_with_what_was_typed_and_a_valid_token(client_for, owner):
    owner.first_name = "Olga"
    owner.save()
    phone = client_for(owner, enforce_csrf_checks=True)
    page = phone.post("/new/", NAMES, headers={"Origin": "http://testserver"})
    text = page.content.decode()
    assert 403 == page.status_code
    assert "You are Olga on this phone now" in read_page(page).only("main").text
    assert "tres lobas" not in text
    assert "<li>" in text
    form = next(node for node in read_page(page).every() if node.attrs.get("action") == "/new/")
    data = {node.attrs["name"]: node.attrs["value"] for node in form.every() if node.tag == "input"}
    assert {"new-1": "Ana", "new-2": "Beto"} == {name: data[name] for name in ("new-1", "new-2")}
    again = phone.post("/new/", data, headers={"Origin": "http://testserver"})
    assert again.status_code != 403


@pytest.mark.parametrize("origin", ["null", "https://elsewhere.example", None])
def test_a_form_that_another_site_may_have_sent_is_not_offered_again(client_for, owner, origin):
    phone = client_for(owner, enforce_csrf_checks=True)
    page = phone.post("/new/", NAMES, headers={"Origin": origin} if origin else {})
    text = page.content.decode()
    assert 403 == page.status_code
    assert 'value="Ana"' not in text
    assert (origin == "null") == ("This browser hides which page the form came from" in text)
    assert (origin == "null") == (">http://testserver/new/<" in text)
    assert (origin != "null") == ("keep cookies" in text)
    assert "Ana" in text  # the typed values can be read


@pytest.fixture
def proxy_warning_reset(monkeypatch):
    """Make this process one that has not yet warned about a misconfigured proxy."""
    monkeypatch.setattr("scorekeeper.error_handlers._PROXY_WARNING_LOGGED", Event())


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("cards.example.org", "https://cards.example.org"),
        ("cards.example.org", "https://cards.example.org:8443"),
        ("cards.example.org", "http://cards.example.org:8080"),
    ],
)
@pytest.mark.usefixtures("proxy_warning_reset")
def test_a_form_through_a_misset_proxy_says_so_to_the_person_and_once_to_the_log(
    client_for, owner, settings, caplog, host, origin
):
    settings.ALLOWED_HOSTS = [host]
    phone = client_for(owner, enforce_csrf_checks=True)
    answers = [phone.post("/new/", NAMES, headers={"Host": host, "Origin": origin}) for _time in range(2)]

    text = read_page(answers[0]).only("main").text
    assert [403, 403] == [answer.status_code for answer in answers]
    assert f"This form came from {origin}, but the site takes itself for http://{host}." in text
    assert "set HTTPS=1 and TRUSTED_PROXIES" in text
    assert "keep cookies" not in text
    assert ["My tables"] == [link.text for link in read_page(answers[0]).only("main").every("a")]
    (warning,) = [
        record.getMessage() for record in caplog.records if record.name == "scorekeeper.error_handlers"
    ]
    assert (
        f"Forms from {origin} are refused: this site takes itself for http://{host}. Set HTTPS=1" in warning
    )


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "http://[", "null", "ftp://testserver", None]
)
@pytest.mark.usefixtures("proxy_warning_reset")
def test_a_form_from_elsewhere_says_nothing_of_proxies(client_for, owner, caplog, origin):
    phone = client_for(owner, enforce_csrf_checks=True)
    page = phone.post("/new/", NAMES, headers={"Origin": origin} if origin else {})

    assert (403, False) == (page.status_code, "TRUSTED_PROXIES" in page.content.decode() + caplog.text)


def test_a_form_with_more_than_any_page_has_is_not_repeated(client_for, owner):
    phone = client_for(owner, enforce_csrf_checks=True)
    body = urlencode({f"name-{number}": "<" * 600 for number in range(240)})
    headers, kind = {"Origin": "http://testserver"}, "application/x-www-form-urlencoded"
    page = phone.post("/new/", body, headers=headers, content_type=kind)

    assert 403 == page.status_code
    assert 20_000 >= len(page.content)
    assert "<" * 20 not in html.unescape(page.content.decode())


def test_the_text_of_an_old_notebook_is_repeated_as_its_own_page_repeats_it(client_for, owner, table):
    phone = client_for(owner, enforce_csrf_checks=True)
    notebook = "fecha;Ana;Beto\n" + "1/1/2024;1;2\n" * 8000
    page = phone.post(
        f"/t/{table.code}/notebook/", {"text": notebook}, headers={"Origin": "http://testserver"}
    )

    (text,) = read_page(page).every("input", name="text")
    assert notebook == text.attrs["value"]
    assert len(notebook) + 20_000 > len(page.content)


@pytest.mark.usefixtures("rate_limited", "new_window")
@pytest.mark.parametrize("origin", [{}, {"Origin": "http://testserver"}])
def test_forms_without_a_token_are_counted_and_the_121st_of_a_minute_is_not_repeated(client_for, db, origin):
    phone = client_for(enforce_csrf_checks=True)
    answers = [phone.post("/login/", {"username": "Wanda"}, headers=origin) for _time in range(122)]

    assert [403] * 120 + [429] * 2 == [answer.status_code for answer in answers]
    assert ["Wanda" in answer.content.decode() for answer in answers] == [True] * 120 + [False] * 2
