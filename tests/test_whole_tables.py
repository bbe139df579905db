"""At most two requests read or write a whole table at once: the third is told to try again, and loses nothing."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import ExitStack, closing
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse

from games.common.lanes import LaneFull
from games.files.presenters import spreadsheets
from games.files.services import file_writer, table_import
from games.models import Table
from games.tables.services import tokens
from tests.concurrency import two_at_work
from tests.factories import make_table, make_user, new_key, start, with_new_codes
from tests.raw_http import exchange, parse_answers, serve_application
from tests.reader import read_page

NOTEBOOK = "fecha;Ana;Beto\n1/5/2026;300;-300"
WORKING = "The site is making this for others right now. Tap again in a few seconds."
BUSY = "The site is busy with other tables. Nothing was recorded. Try again in a few seconds."


def is_free() -> bool:
    try:
        with two_at_work():
            return True
    except LaneFull:
        return False


@pytest.fixture
def file(db):
    """The file of another table, where Beto is spelled with an accent."""
    cabin = make_table(owner := make_user("cabin"), people=("Ana", "Béto", "Primo"), name="La cabaña")
    start(cabin, owner)
    return with_new_codes(file_writer.write_table(cabin)).encode()


@pytest.fixture
def program(owner):
    _token, secret = tokens.create(owner, "Casa")
    return Client(headers={"authorization": f"Bearer {secret}", "accept-language": "en"})


def upload(file: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("mesa.json", file)


# --- the third --------------------------------------------------------------------------------------------------------

Ask = Callable[[Client, Table, bytes], Any]


def export(what: str) -> Ask:
    return lambda client, table, _file: client.get(reverse("download", args=[table.code, what]))


READ: dict[str, Ask] = {
    **{what: export(what) for what in ("table", *spreadsheets.SPREADSHEETS)},
    "accounts": lambda client, table, _file: client.get(reverse("accounts", args=[table.code]), {"send": ""}),
}
SENT: dict[str, Ask] = {
    "import-table": lambda client, _table, file: client.post(
        reverse("import-table"), {"file": upload(file), "key": new_key()}
    ),
    "bring-file": lambda client, table, file: client.post(
        reverse("bring-file", args=[table.code]), {"file": upload(file), "look": "1"}
    ),
    "import-nights": lambda client, table, _file: client.post(
        reverse("import-nights", args=[table.code]), {"text": NOTEBOOK, "look": "1"}
    ),
    "bring": lambda client, _table, _file: client.post(
        reverse("bring"), {"what": "notebook", "text": NOTEBOOK, "look": "typed", "key": new_key()}
    ),
}
OF_PROGRAMS: dict[str, Ask] = {
    "export": lambda client, table, _file: client.get(reverse("api-table-file", args=[table.code])),
    "spreadsheet": lambda client, table, _file: client.get(
        reverse("api-spreadsheet", args=[table.code, "entries"])
    ),
    "import": lambda client, _table, file: client.post(
        reverse("api-table-files"),
        file,
        content_type="application/json",
        headers={"idempotency-key": new_key()},
    ),
}


@pytest.mark.django_db
@pytest.mark.usefixtures("new_window")
@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        *(pytest.param(ask, WORKING, id=name) for name, ask in READ.items()),
        *(pytest.param(ask, BUSY, id=name) for name, ask in SENT.items()),
    ],
)
def test_the_third_gets_a_page_that_says_to_try_again_and_then_is_served(ask, sentence, ana, table, file):
    with two_at_work():
        refusal = ask(ana, table, file)
    page = read_page(refusal)

    assert (429, "5") == (refusal.status_code, refusal["Retry-After"])
    assert "Wait a moment" == page.only("h1").text
    assert sentence in page.only("main").text
    assert "/" == page.link("My tables")
    assert ask(ana, table, file).status_code in (200, 302)
    assert is_free()


@pytest.mark.django_db
@pytest.mark.usefixtures("new_window")
@pytest.mark.parametrize("ask", OF_PROGRAMS.values(), ids=OF_PROGRAMS)
def test_a_third_program_gets_a_problem_and_then_is_served(ask, program, table, file):
    with two_at_work():
        refusal = ask(program, table, file)

    assert (429, "5") == (refusal.status_code, refusal["Retry-After"])
    assert "too_many_requests" == refusal.json()["code"]
    assert ask(program, table, file).status_code in (200, 201)
    assert is_free()


@pytest.mark.django_db
def test_pages_that_read_no_whole_table_are_open_meanwhile(ana, table):
    with two_at_work():
        for name in ("accounts", "bring-file", "import-nights"):
            assert 200 == ana.get(reverse(name, args=[table.code])).status_code
        for name in ("import-table", "bring"):
            assert 200 == ana.get(reverse(name)).status_code
        balances = {"what": "balances", "text": "Ana -100\nBeto 100", "look": "typed", "key": new_key()}
        assert 200 == ana.post(reverse("bring"), balances).status_code


# --- nothing is lost --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_reader_with_scripts_gets_the_sentence_and_keeps_the_page_with_its_file(ana, table, file):
    with two_at_work():
        refusal = ana.post(
            reverse("bring-file", args=[table.code]),
            {"file": upload(file), "look": "1"},
            headers={"hx-request": "true"},
        )

    assert (429, "none", BUSY) == (refusal.status_code, refusal["HX-Reswap"], refusal.content.decode())


@pytest.mark.django_db
@pytest.mark.usefixtures("new_window")
def test_without_scripts_the_page_asks_for_the_file_again_and_keeps_everything_else(ana, table, file):
    """Ana answers who is who and taps *Import* while others import: only the file has to be chosen once more."""
    address = reverse("bring-file", args=[table.code])
    answers = {"who-beto": "beto", "who-primo": "+"}
    preview = read_page(ana.post(address, {"file": upload(file), "look": "1", **answers}))
    shown = preview.only("form", enctype="multipart/form-data").every("input", type="hidden")
    fields = {field.attrs["name"]: field.attrs.get("value", "") for field in shown} | answers
    with two_at_work():
        refusal = ana.post(address, {"file": upload(file), "take": "1", **fields})
    page = read_page(refusal)
    form, _button = page.form_with("Try again")
    choice = page.only("input", type="file")

    assert "Choose the file again: everything else is still here." in page.only("main").text
    assert (address, "multipart/form-data") == (form.attrs["action"], form.attrs["enctype"])
    assert ("file", form.attrs["id"]) == (choice.attrs["name"], choice.attrs["form"])
    assert 0 == table.games.count()
    response = ana.post(address, {**form.fields, "file": upload(file)})
    assert (302, 1, 5) == (response.status_code, table.games.count(), table.members.count())


@pytest.mark.django_db
@pytest.mark.usefixtures("new_window")
def test_a_refusal_is_no_attempt_of_those_that_are_counted(nobody, table, file):
    with two_at_work():
        for _time in range(table_import.IMPORT_LIMIT.most):
            assert 429 == SENT["import-table"](nobody, table, file).status_code

    assert 302 == SENT["import-table"](nobody, table, file).status_code


@pytest.mark.django_db
def test_an_export_that_fails_makes_room(ana, table, monkeypatch):
    monkeypatch.setattr(file_writer, "write_table", lambda _table: 1 / 0)
    for _time in range(3):
        with pytest.raises(ZeroDivisionError):
            READ["table"](ana, table, b"")

    assert is_free()


# --- while a client sends or reads ------------------------------------------------------------------------------------


class WatchedBody(BytesIO):
    """The body of a request, which notes whether the lane was free when the last bytes were read."""

    was_free = False

    def read(self, size: int | None = -1, /) -> bytes:
        self.was_free = is_free()
        return super().read(size)


@pytest.mark.django_db
@pytest.mark.usefixtures("new_window")
def test_no_place_is_held_while_a_body_is_read(ana, program, table, file):
    """A server other than `serve` may call the app before the whole body has arrived."""
    form = encode_multipart(BOUNDARY, {"file": upload(file), "key": new_key(), "look": "1"})
    for client, address, body, kind in (
        (ana, reverse("import-table"), form, MULTIPART_CONTENT),
        (ana, reverse("bring-file", args=[table.code]), form, MULTIPART_CONTENT),
        (program, f"{reverse('api-table-files')}?again=true", file, "application/json"),
    ):
        watched = WatchedBody(body)
        response = client.generic(
            "POST",
            address,
            body,
            content_type=kind,
            headers={"idempotency-key": new_key()},
            **{"wsgi.input": watched},
        )
        assert response.status_code in (200, 201, 302)
        assert watched.was_free


@pytest.mark.django_db
def test_an_export_is_whole_before_it_is_sent(ana, table):
    for ask in READ.values():
        assert isinstance(ask(ana, table, b""), HttpResponse)


@pytest.mark.django_db(transaction=True)
def test_clients_that_send_or_read_slowly_occupy_no_place_and_no_thread(owner, table, monkeypatch):
    """Nine send half of a file, and nine read the first bytes of an export; then somebody exports a table."""
    monkeypatch.setattr("signal.signal", lambda *_handler: None)
    monkeypatch.setattr("sys.setswitchinterval", lambda _seconds: None)
    monkeypatch.setattr(spreadsheets, "write", lambda _what, _table: "x" * 20_000_000)
    _token, secret = tokens.create(owner, "Casa")
    head = f"HTTP/1.1\r\nHost: {site.ALLOWED_HOSTS[0]}\r\nAuthorization: Bearer {secret}\r\n"
    half = f"POST {reverse('api-table-files')} {head}Content-Length: 1000\r\n\r\n".encode() + b"x" * 500
    export = f"GET {reverse('api-spreadsheet', args=[table.code, 'entries'])} {head}\r\n".encode()
    whole = f"GET {reverse('api-table-file', args=[table.code])} {head}Connection: close\r\n\r\n".encode()
    with serve_application(get_wsgi_application()) as port:
        with ExitStack() as connections:
            for request in [half, export] * 9:
                client = connections.enter_context(closing(socket.socket()))
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.connect(("127.0.0.1", port))
                client.sendall(request)
                if request is export:
                    assert client.recv(12) == b"HTTP/1.1 200"
            assert is_free()
            (answer,) = parse_answers(exchange(port, whole), "GET")
        exchange(port, whole)  # meanwhile the server closes what the others left unread
    assert (200, file_writer.write_table(table)) == (answer.status, answer.body.decode())
