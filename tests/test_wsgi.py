"""The WSGI application as any server calls it, without a client that hides its mistakes."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache

import pytest
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.urls import reverse

from games.common import rate_limits, request_head
from scorekeeper.request_limits import BoundedHeads
from tests.page_urls import PAGES, page_url

pytestmark = pytest.mark.django_db


@dataclass
class Answer:
    status: int
    fields: dict[str, str]
    body: bytes


@pytest.fixture
def ask(settings):
    """`ask("GET", "/", COOKIE="…")` calls the application, with header fields by their CGI names.

    The test's transaction needs its connection, which Django would close after a request.
    """
    settings.WHITENOISE_USE_FINDERS = True  # no files are collected here
    application = cache(lambda: BoundedHeads(get_wsgi_application()))  # created with the settings of the test
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)

    def ask(method, path, *, body=b"", **fields):
        heard = []
        path, _mark, query = path.partition("?")
        environ = {
            **{"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query},
            **{"SERVER_NAME": "testserver", "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1"},
            **{"wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))},
            **{("" if name == "CONTENT_TYPE" else "HTTP_") + name: text for name, text in fields.items()},
        }

        def start_response(status, headers, _raised=None):
            heard.append((status, headers))
            return pytest.fail

        pieces = application()(environ, start_response)
        content = b"".join(pieces)
        getattr(pieces, "close", lambda: None)()
        ((status, headers),) = heard
        return Answer(int(status[:3]), dict(headers), content)

    yield ask
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def cookie(ana):
    return f"{settings.SESSION_COOKIE_NAME}={ana.cookies[settings.SESSION_COOKIE_NAME].value}"


# --- no body where HTTP has none --------------------------------------------------------------------------------------


def test_every_page_answers_the_head_of_a_get_with_its_length_and_no_body(
    subtests, ask, cookie, table, finished
):
    for name in PAGES:
        where = page_url(name, game=finished, table=table)
        with subtests.test(page=name):
            whole, head = ask("GET", where, COOKIE=cookie), ask("HEAD", where, COOKIE=cookie)
            length = str(len(whole.body))
            assert (whole.status, length, b"") == (head.status, head.fields.get("Content-Length"), head.body)


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("/", {}, 200),
        ("/nowhere/", {}, 404),
        ("/" + "a" * 3000, {}, 414),
        ("/login/", {"HOST": "elsewhere.example"}, 400),
        ("/login/", {"RANGE": "a" * 301}, 400),
        ("/static/app.css", {}, 200),
        ("/static/nowhere.css", {}, 404),
        ("/healthz", {}, 200),
        ("/readyz", {}, 200),
        ("/admin/", {}, 404),
        ("/api/v1/tables/", {}, 401),
        ("/api/v1/variants/", {}, 200),
        ("/api/v1/variants/", {"ORIGIN": "https://elsewhere.example"}, 200),
        ("/api/v1/nowhere/", {}, 404),
        ("/api/v1/score/", {}, 405),
        ("/manifest.webmanifest", {}, 200),
    ],
)
def test_whoever_answers_sends_the_length_of_a_get_and_no_body(ask, path, fields, status):
    whole, head = ask("GET", path, **fields), ask("HEAD", path, **fields)

    assert (status, status) == (whole.status, head.status)
    assert (str(len(whole.body)), b"") == (head.fields["Content-Length"], head.body)


def test_an_answer_without_news_or_content_has_no_length(ask, cookie, game):
    version = ask("GET", f"/api/v1/games/{game.code}/", COOKIE=cookie).fields["ETag"]
    unchanged = ask("GET", f"/api/v1/games/{game.code}/", COOKIE=cookie, IF_NONE_MATCH=version)
    preflight = ask(
        "OPTIONS",
        "/api/v1/variants/",
        ORIGIN="https://elsewhere.example",
        ACCESS_CONTROL_REQUEST_METHOD="GET",
    )

    assert [(304, b""), (204, b"")] == [(answer.status, answer.body) for answer in (unchanged, preflight)]
    assert "Content-Length" not in {**unchanged.fields, **preflight.fields}


# --- what is too long to be parsed, and what is ignored ---------------------------------------------------------------


@pytest.mark.parametrize("name", request_head.LONGEST_FIELDS)
def test_a_field_of_a_head_is_refused_beyond_its_length(ask, name):
    longest = {"CONTENT_LENGTH": "9", "HOST": "a", "CONTENT_TYPE": "a", "X_FORWARDED_FOR": "1,"}.get(
        name, "a;"
    )
    response = ask("GET", "/login/", **{name: (longest * 3000)[: request_head.LONGEST_FIELDS[name] + 1]})

    assert (400, b"Bad Request\n", settings.RELEASE) == (
        response.status,
        response.body,
        response.fields["X-Anotador"],
    )
    assert (
        5
        > ask("GET", "/login/", **{name: (longest * 3000)[: request_head.LONGEST_FIELDS[name]]}).status // 100
    )


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        *(
            (f"multipart/form-data; boundary=x; charset={name}", 400)
            for name in ("punycode", '"idna"', "zlib")
        ),
        *(
            (f"text/plain;CHARSET ={name}", 400)
            for name in ("latin-1", "utf-7", "utf-8-sig", "utf-8; charset=hz")
        ),
        *((f"text/plain; {name}=idna''%FF", 400) for name in ("x*", "charset* ", "boundary*")),
        *((f"application/json; charset={name}", 200) for name in ("utf-8", "UTF8", '"utf-8"')),
        ("multipart/form-data; boundary=x", 200),
    ],
)
def test_a_head_that_names_another_encoding_than_utf_8_is_refused(ask, kind, status):
    """Some take time that grows with the square of the length, others raise an exception that nobody catches."""
    assert status == ask("GET", "/login/", CONTENT_TYPE=kind).status


@pytest.mark.parametrize("url", ["http://[", "http%3A//%5B", "//[", "a" * 3000, "http://\u2100.example/"])
def test_a_page_that_htmx_names_wrongly_is_ignored(ask, cookie, game, url):
    htmx = {"HX_REQUEST": "true", "HX_CURRENT_URL": url.encode().decode("latin-1")}
    for encoded in ({}, {"HX_CURRENT_URL_URI_AUTOENCODED": "true"}):
        assert 200 == ask("GET", reverse("sheet", args=[game.code]), COOKIE=cookie, **htmx, **encoded).status


def test_a_browser_with_a_long_name_is_answered(ask, cookie, game):
    assert 200 == ask("GET", reverse("sheet", args=[game.code]), COOKIE=cookie, USER_AGENT="a" * 9000).status


def test_among_the_cookies_of_other_programs_on_this_host_ours_are_found(ask, cookie, game):
    sheet = reverse("sheet", args=[game.code])
    others = "; ".join(f"program-{number}={'x' * 100}" for number in range(200))
    assert request_head.LONGEST_COOKIE < len(others)

    assert [200, 200, 404] == [
        ask("GET", sheet, COOKIE=cookie_header).status
        for cookie_header in (f"{others}; {cookie}", f"{cookie};{others}", f"{others}; {cookie[:-1]}")
    ]
    assert 404 == ask("GET", sheet, COOKIE="; ".join([cookie] * 500)).status


@pytest.mark.parametrize("key", ['"abcdefgh\\000"', "a" * 31, "a" * 33, "A" * 32, "á" * 16, ""])
def test_a_session_key_that_is_none_of_ours_counts_as_no_cookie(ask, key):
    cookie_header = f"{settings.SESSION_COOKIE_NAME}={key}".encode().decode("latin-1")

    assert [200, 401] == [ask("GET", path, COOKIE=cookie_header).status for path in ("/", "/api/v1/me/")]


# --- floods -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def flood_limit(settings, monkeypatch):
    """`flood_limit(requests, size)` limits an address to this many requests and bytes a minute."""

    def count(requests, size=10**6):
        counter = rate_limits.FloodCounter()
        counter.most_requests, counter.most_bytes = requests, size
        settings.MIDDLEWARE = ["scorekeeper.floods.FloodMiddleware", *settings.MIDDLEWARE]
        monkeypatch.setattr("games.common.rate_limits.FLOODS", counter)

    return count


@pytest.mark.usefixtures("new_window")
def test_a_flood_is_refused_in_one_line_and_health_checks_are_counted_but_answered(ask, flood_limit):
    flood_limit(3)
    paths = (
        "/login/",
        "/healthz",
        "/api/v1/variants/",
        "/login/",
        "/api/v1/variants/",
        "/healthz",
        "/readyz",
    )
    answers = [ask("GET", path) for path in paths]

    assert [200] * 3 + [429] * 2 + [200] * 2 == [answer.status for answer in answers]
    assert (b"Too many requests\n", "60") == (answers[3].body, answers[3].fields["Retry-After"])


@pytest.mark.usefixtures("new_window")
def test_bytes_are_counted_too_before_anything_reads_them(ask, flood_limit):
    flood_limit(100, 10_000)
    headers = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}

    assert 403 == ask("POST", "/login/", body=b"a=1&" * 800, **headers).status
    assert 429 == ask("POST", "/login/", body=b"a=1&" * 2000, **headers).status


@pytest.mark.usefixtures("new_window")
def test_each_address_has_its_own_count_which_ends_with_the_minute(monkeypatch):
    counter = rate_limits.FloodCounter()
    counter.most_requests, counter.most_clients = 1, 2
    clients = ("a", "b", "a", "c", "c")
    assert [True, True, False, True, True] == [counter.hit(client, 1) for client in clients]

    monkeypatch.setattr("games.common.rate_limits.time", lambda: 61.0)
    assert (True, 59) == (counter.hit("a", 1), counter.resets_in)


# --- parts of a form with files ---------------------------------------------------------------------------------------

PART = b'--x\r\nContent-Disposition: form-data; name="a"%b\r\n\r\n1\r\n'


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (PART % b"" * 200 + b"--x--\r\n", 403),
        (PART % b"" * 201 + b"--x--\r\n", 400),
        (PART % (b";a" * 240) + b"--x--\r\n", 400),
        (PART % b"" + b"--x--" + b";a" * 300 + b"\r\n\r\n", 400),
        (PART % b"" + b'--x\r\nContent-Disposition: form-data; name="' + b"a" * 20_000, 400),
        (b"", 403),
        (b"--", 403),
    ],
)
def test_parts_of_a_form_are_counted_and_measured_before_they_are_parsed(ask, body, status):
    headers = {"CONTENT_TYPE": "multipart/form-data; boundary=x"}
    assert status == ask("POST", "/login/", body=body, **headers).status
