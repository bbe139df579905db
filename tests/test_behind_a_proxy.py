"""A night through nginx and through Caddy over HTTPS, with the configurations of `docs/` and a real server."""

from __future__ import annotations

import gzip
import http.client
import re
import shutil
import ssl
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from games.files.services import file_reader
from games.tables.api.permissions import WRONG
from tests.proxy_servers import HOST, LOOPBACK, PROXIES, HttpsPhone, Proxy, nginx, skip_unless_installed
from tests.raw_http import Answer, parse_answers, read_all
from tests.reader import Node, Walker, read_html, read_page
from tests.server_processes import Site, free_port

pytestmark = pytest.mark.slow

BURST = 500  # requests beyond 100 a second that nginx allows an address
STALLED = 72  # more than the server has threads
COMPRESSED = {"Accept-Encoding": "gzip, br"}
PATIENCE = 60.0  # seconds
EACH = ["nginx", pytest.param("caddy", marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def site(prepared_site, tmp_path_factory) -> Iterator[Site]:
    """The server behind both proxies."""
    data = shutil.copytree(prepared_site / "data", tmp_path_factory.mktemp("behind") / "data")
    variables = {"HTTPS": "1", "ALLOWED_HOSTS": HOST, "TRUSTED_PROXIES": LOOPBACK}
    running = Site(data, prepared_site / "static", variables=variables)
    try:
        running.start()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module", params=EACH)
def proxy(request, site, tmp_path_factory) -> Iterator[Proxy]:
    skip_unless_installed(request.param, "openssl")
    with PROXIES[request.param](tmp_path_factory.mktemp(request.param), site.port) as running:
        yield running


numbers = count(2)


@pytest.fixture
def phone(proxy):
    """`phone()` returns a phone with its own address."""
    return lambda: HttpsPhone(proxy, f"127.0.0.{next(numbers)}")


class PolledPage:
    """A sheet that a phone polls as `scripts/base/live.js` does, with the latest address and ticket."""

    def __init__(self, phone: HttpsPhone, page: Node) -> None:
        self.phone, self.page = phone, page
        self.news = page.only(id="news").attrs

    def poll(self) -> int:
        """Poll once, show the new page if there is one, and return the status."""
        answer = self.phone.get(self.news["data-live"], headers={"X-Ticket": self.news["data-ticket"]})
        if answer.status_code == 200:
            self.page = read_page(answer)
            self.news |= self.page.only(id="news").attrs
        self.news["data-ticket"] = answer.headers.get("X-Ticket") or self.news["data-ticket"]
        return answer.status_code


def open_table(phone: HttpsPhone) -> tuple[Walker, str]:
    """Create a table with a game. Return its owner, who sees the sheet, and the address of the sheet."""
    owner = phone.walker
    owner.open("/new/")
    owner.press("Start", table_name="Los jueves", new_1="Ana", new_2="Beto", new_3="Caro")
    assert (200, "/g/") == (owner.status, owner.address[:3])
    return owner, owner.address


def record(owner: Walker, sheet: str) -> None:
    """Record a round closed by Ana."""
    owner.open(f"{sheet}round/")
    owner.send("Save", {"closer": "ana", "closing": "out", "hand-beto": "7", "hand-caro": "9"})
    assert (200, sheet) == (owner.status, owner.address.partition("?")[0])


@contextmanager
def stalled_connections(phone: HttpsPhone, many: int) -> Iterator[list[ssl.SSLSocket]]:
    """Hold connections open during the `with` block that announce a body of 16 MB and send two bytes."""
    head = (
        f"POST /new/ HTTP/1.1\r\nHost: {HOST}:{phone.proxy.https}\r\nCookie: csrftoken={'a' * 32}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 16000000\r\n\r\nab"
    )
    with ExitStack() as stack:
        connections = [stack.enter_context(phone.connect()) for _connection in range(many)]
        for connection in connections:
            connection.sendall(head.encode())
        yield connections


def test_a_night_is_played_and_watched_over_https(phone):
    anas, betos = phone(), phone()
    owner, sheet = open_table(anas)
    owner.open("/")
    owner.follow("People")
    link = owner.press("Invite").only("textarea", id="link").text
    assert link.startswith(f"{anas.proxy.origin}/i/")

    beto = betos.walker
    beto.open(link)
    watched = PolledPage(betos, beto.press("B Beto"))
    assert sheet == beto.address
    polls = []
    for _round in range(3):
        polls.append(watched.poll())
        record(owner, sheet)
        polls.append(watched.poll())

    assert [204, 200] * 3 == polls
    assert "4" == watched.news["data-after"]
    assert {"21", "27"} <= {cell.text for cell in watched.page.every("td", "b", "span")}
    assert {"sessionid", "csrftoken"} <= {cookie.name for cookie in anas.cookies}
    assert {True} == {cookie.secure for phone in (anas, betos) for cookie in phone.cookies}


def download_file(owner: Walker) -> bytes:
    """Return the file of the owner's only table."""
    owner.open("/")
    owner.follow("People")
    content = owner.client.get(owner.address.replace("people/", "export/table/")).getvalue()
    assert b'"Los jueves"' in content
    return content


def import_file(phone: HttpsPhone, file: bytes, size: int) -> HttpResponse:
    """Import this file, padded to the size of a table that has played for years."""
    key = read_page(phone.get("/import/")).only("input", name="key").attrs["value"]
    token = next(cookie.value for cookie in phone.cookies if cookie.name == "csrftoken")
    upload = SimpleUploadedFile("mesa.json", file.ljust(size))
    return phone.post("/import/", {"csrfmiddlewaretoken": token, "key": key, "file": upload})


def test_a_large_file_comes_in_and_one_too_large_is_refused_by_the_page(phone):
    owner, _sheet = open_table(phone())
    file, beto = download_file(owner), phone()

    assert 200 == import_file(beto, file, size=file_reader.LARGEST - 1000).status_code
    refusal = import_file(beto, file, size=file_reader.LARGEST + 1000)
    assert 422 == refusal.status_code
    assert "This file is too large." in " ".join(read_page(refusal).alerts)


def test_guesses_are_counted_by_the_address_that_connects_whatever_they_claim(phone):
    def guess(guesser: HttpsPhone, claimed: int) -> int:
        proxy_headers = dict.fromkeys(
            ("X-Forwarded-For", "X_Forwarded_For", "X-Real-IP"), f"198.51.100.{claimed}"
        )
        headers = {"Authorization": "Bearer no", "Forwarded": f"for=198.51.100.{claimed}", **proxy_headers}
        return guesser.get("/api/v1/tables/", headers=headers).status_code

    guesser = phone()
    assert [401] * WRONG.most + [429] * 2 == [guess(guesser, number) for number in range(WRONG.most + 2)]
    assert 401 == guess(phone(), 0)


def test_http_leads_to_https_whatever_it_claims(phone):
    connection = http.client.HTTPConnection(LOOPBACK, phone().proxy.http, timeout=PATIENCE)
    connection.request("GET", "/login/?a=b", headers={"Host": HOST, "X-Forwarded-Proto": "https"})
    answer = connection.getresponse()
    connection.close()

    assert answer.status in (301, 308)
    assert re.fullmatch(rf"https://{HOST}(:\d+)?/login/\?a=b", answer.headers["Location"])
    assert "max-age=2592000" == phone().get("/login/").headers["Strict-Transport-Security"]


def test_compression_caching_and_versions_arrive_as_the_site_sends_them(phone):
    asker = phone()
    _owner, sheet = open_table(asker)
    page = asker.get(sheet, headers=COMPRESSED)
    assert ("gzip", True) == (page.headers["Content-Encoding"], "no-store" in page.headers["Cache-Control"])
    links = read_html(gzip.decompress(page.content).decode()).every("link", rel="stylesheet")
    style = links[0].attrs["href"]

    file = asker.get(style, headers=COMPRESSED)
    assert ("br", True) == (file.headers["Content-Encoding"], "immutable" in file.headers["Cache-Control"])
    assert 304 == asker.get(style, headers={"If-Modified-Since": file.headers["Last-Modified"]}).status_code

    answer = asker.get(f"/api/v1/games{sheet[2:]}", headers=COMPRESSED)
    version = answer.headers["ETag"]
    assert ("W/", "gzip") == (version[:2], answer.headers.get("Content-Encoding"))
    assert 304 == asker.get(f"/api/v1/games{sheet[2:]}", headers={"If-None-Match": version}).status_code


# --- the bytes of one request never reach another ---------------------------------------------------------------------

OWNERS_TOKEN = """
import json, django
django.setup()
from games.models import Access
from games.tables.services.tokens import create
access = Access.objects.filter(role="owner").latest("pk")
print(json.dumps([access.table.code, create(access.user, "Casa")[1]]))
"""
STRANGERS, TURNS, HEADS = 5, 10, 100
PIPELINED = 8


def request_to(phone: HttpsPhone, method: str, path: str, *fields: str, body: str = "") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{phone.proxy.https}", *fields]
    return "\r\n".join([*lines, "", body]).encode()


def walk_as_a_stranger(phone: HttpsPhone) -> list[Answer]:
    """Send small requests over one connection after another: pipelined, by HEAD and in chunks."""
    chunked = ("Transfer-Encoding: chunked", "Content-Type: application/json")
    requests = [
        ("GET", request_to(phone, "GET", "/healthz")),
        ("HEAD", request_to(phone, "HEAD", "/api/v1/variants/")),
        ("POST", request_to(phone, "POST", "/api/v1/score/", *chunked, body="2\r\n{}\r\n0\r\n\r\n")),
        ("GET", request_to(phone, "GET", "/healthz", "Connection: close")),
    ]
    order = [*[requests[0]] * (PIPELINED - len(requests) + 1), *requests[1:]]
    answers = []
    for _turn in range(TURNS):
        with phone.connect() as connection:
            connection.sendall(b"".join(request for _method, request in order))
            answers += parse_answers(read_all(connection), *(method for method, _request in order))
    return answers


def ask_heads(phone: HttpsPhone, path: str, secret: str) -> list[Answer]:
    """Send HEAD requests for a page of a table over few connections."""
    answers = []
    request = request_to(phone, "HEAD", path, f"Authorization: Bearer {secret}")
    last = request_to(phone, "HEAD", path, f"Authorization: Bearer {secret}", "Connection: close")
    for _connection in range(HEADS // PIPELINED + 1):
        with phone.connect() as connection:
            connection.sendall(request * (PIPELINED - 1) + last)
            answers += parse_answers(read_all(connection), *["HEAD"] * PIPELINED)
    return answers


def test_strangers_beside_heads_with_a_token_get_their_own_bytes(phone, site):
    open_table(phone())
    code, secret = site.run_program(OWNERS_TOKEN)
    with ThreadPoolExecutor(STRANGERS + 1) as pool:
        heads = pool.submit(ask_heads, phone(), f"/api/v1/tables/{code}/", secret)
        strangers = [pool.submit(walk_as_a_stranger, phone()) for _stranger in range(STRANGERS)]
        answers = [answer for stranger in strangers for answer in stranger.result()]

    assert {200} == {answer.status for answer in heads.result()}
    assert {b""} == {answer.body for answer in heads.result()}
    assert 400 == len(answers)
    assert {200: 350, 400: 50} == Counter(answer.status for answer in answers)
    alive = {answer.body for answer in answers if answer.status == 200}
    assert {b"", f"alive: {settings.RELEASE}\n".encode()} == alive
    assert code.encode() not in b"".join(answer.body for answer in answers)


class Leaky(BaseRequestHandler):
    """A faulty server that keeps its connections open and answers HEAD with a whole body."""

    def handle(self) -> None:
        received = b""
        while piece := self.request.recv(65536):
            received += piece
            while b"\r\n\r\n" in received:
                head, _end, received = received.partition(b"\r\n\r\n")
                body = b"a table's debts" if b" /secret " in head else b"alive"
                self.request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body))
                time.sleep(0.02)  # otherwise the proxy notices at once that there is more than it asked for
                self.request.sendall(body)


@pytest.mark.parametrize("name", EACH)
def test_no_proxy_passes_on_what_a_site_answers_to_head(name, tmp_path):
    skip_unless_installed(name, "openssl")
    with ThreadingTCPServer((LOOPBACK, 0), Leaky) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        with PROXIES[name](tmp_path, server.server_address[1]) as proxy:
            asker = HttpsPhone(proxy, "127.0.2.1")
            for _time in range(20):
                with asker.connect() as connection:
                    headers = ("Connection: close",)
                    connection.sendall(
                        request_to(asker, "HEAD", "/secret") + request_to(asker, "GET", "/healthz", *headers)
                    )
                    head, alive = parse_answers(read_all(connection), "HEAD", "GET")
                    assert ("15", 200, b"alive") == (head.fields["Content-Length"], alive.status, alive.body)
        server.shutdown()


def test_nginx_stops_an_address_that_asks_too_much_and_passes_the_others_on(tmp_path):
    """No site is behind it, because that would slow the flood down: what nginx lets through gets a 502."""
    skip_unless_installed("nginx", "openssl")
    with nginx(tmp_path, free_port()) as proxy:
        flood = [
            status for _connection in range(4) for status in pipeline_statuses(HttpsPhone(proxy, "127.0.1.1"))
        ]
        assert {"502", "503"} == set(flood)
        assert BURST <= flood.count("502") < 2 * BURST
        other = HttpsPhone(proxy, "127.0.1.2")
        assert 502 == other.get("/login/").status_code

        with stalled_connections(HttpsPhone(proxy, "127.0.1.3"), 200):
            assert 503 == HttpsPhone(proxy, "127.0.1.3").get("/login/").status_code
            assert 502 == other.get("/login/").status_code


@pytest.mark.parametrize("name", EACH)
def test_a_proxy_that_finds_no_site_logs_no_path(tmp_path, name):
    skip_unless_installed(name, "openssl")
    with PROXIES[name](tmp_path, free_port()) as proxy:
        assert 502 == HttpsPhone(proxy, "127.0.1.1").get("/t/abc/accounts/of/tio_raul/").status_code

    logs = [*tmp_path.glob("*.log")]
    assert [] != logs
    assert [] == [log for log in logs if "tio_raul" in log.read_text() or "127.0.1.1" in log.read_text()]


def pipeline_statuses(phone: HttpsPhone, many: int = 300) -> list[str]:
    """Return the statuses of many requests sent over one connection without waiting."""
    request = f"GET /healthz HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
    with phone.connect() as connection:
        connection.sendall(
            request.encode() * (many - 1)
            + request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").encode()
        )
        heard = b"".join(iter(lambda: connection.recv(65536), b""))
    return re.findall(r"^HTTP/1.1 (\d+)", heard.decode(), re.MULTILINE)


def is_waiting(connection: ssl.SSLSocket) -> bool:
    """Return whether no answer has arrived on this connection."""
    connection.setblocking(False)
    try:
        connection.recv(1)
    except ssl.SSLWantReadError:
        return True
    return False


def test_bodies_sent_by_half_delay_nobody_else(phone):
    owner, sheet = open_table(phone())
    beto = phone()
    with stalled_connections(phone(), STALLED) as stalled:
        record(owner, sheet)
        assert 200 == beto.get("/login/").status_code
        assert 200 == import_file(beto, download_file(owner), size=file_reader.LARGEST // 4).status_code
        assert STALLED // 2 < sum(map(is_waiting, stalled)), "the others were served only after these"
