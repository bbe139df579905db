"""The server on a socket: what it sends without a body, which requests it refuses, and what it reads of them."""

from __future__ import annotations

import io
import socket
import time
from contextlib import closing

import pytest
from django.conf import settings
from waitress.channel import ClientDisconnected

from games.common import rate_limits
from games.management import http_server
from tests.raw_http import exchange, parse_answers, read_all, read_head, serve_application

BODY = b"a balance of nobody else's business"
END = b"GET /after HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


def application(environ, start_response):
    """A faulty application: it always sends a body, in a form chosen by the path."""
    match environ["PATH_INFO"]:
        case "/plain":
            start_response("200 OK", [("Content-Length", str(len(BODY)))])
            return [BODY]
        case "/pieces":
            start_response("200 OK", [])
            return iter([BODY, BODY])
        case "/written":
            start_response("200 OK", [])(BODY)
            return []
        case "/file":
            start_response("200 OK", [("Content-Length", str(len(BODY)))])
            return environ.get("wsgi.file_wrapper", lambda file: file)(io.BytesIO(BODY))
        case "/empty":
            start_response("204 No Content", [("Content-Length", "0")])
            return [BODY]
        case "/unchanged":
            start_response("304 Not Modified", [])
            return iter([BODY])
        case "/unchanged-file":
            start_response("304 Not Modified", [])
            return environ["wsgi.file_wrapper"](io.BytesIO(BODY))
        case "/broken":
            raise RuntimeError("broken on purpose")
        case "/length":
            read = environ["wsgi.input"].read()
            text = f"{environ.get('CONTENT_LENGTH')} {len(read)}".encode()
            start_response("200 OK", [("Content-Length", str(len(text)))])
            return [text]
        case _:
            start_response("200 OK", [("Content-Length", "5")])
            return [b"after"]


@pytest.fixture(scope="module")
def port():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("signal.signal", lambda *_handler: None)
        patch.setattr("sys.setswitchinterval", lambda _seconds: None)
        with serve_application(application) as port:
            yield port


def request(method="GET", path="/", *fields, body=b"", version="1.1"):
    lines = [f"{method} {path} HTTP/{version}", "Host: a", *fields]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def get_status(port, *pieces):
    """Return the status of the only answer. Assert that the connection is closed after it."""
    (answer,) = parse_answers(exchange(port, *pieces), "GET")
    assert "close" == answer.fields["Connection"]
    return answer.status


# --- no body where HTTP has none --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["plain", "pieces", "written", "file"])
def test_after_the_head_of_a_head_comes_the_next_answer(port, path):
    received = exchange(port, request("HEAD", f"/{path}"), END)
    whole = parse_answers(exchange(port, request("GET", f"/{path}", "Connection: close")), "GET")[0]
    head = parse_answers(received, *("HEAD", "GET")[: received.count(b"HTTP/1.1 ")])[0]

    assert BODY in whole.body
    assert (whole.status, whole.fields.get("Content-Length")) == (
        head.status,
        head.fields.get("Content-Length"),
    )
    assert BODY not in received


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["empty", "unchanged"])
@pytest.mark.filterwarnings("ignore")
def test_an_answer_without_a_body_has_neither_one_nor_a_length(port, method, path):
    answer, _after = parse_answers(exchange(port, request(method, f"/{path}"), END), method, "GET")

    assert {"Content-Length", "Transfer-Encoding"}.isdisjoint(answer.fields)


REFUSED = {
    400: request("HEAD", "/plain", "Content-Length: x"),
    413: request("HEAD", "/plain", "Content-Length: 20000000"),
    414: request("HEAD", "/" + "a" * 10_000),
    431: request("HEAD", "/plain", "X: " + "a" * 40_000),
    500: request("HEAD", "/broken"),
    501: request("HEAD", "/plain", "Transfer-Encoding: gzip"),
}


@pytest.mark.parametrize("status", REFUSED)
def test_what_the_server_itself_refuses_by_head_has_no_body_either(port, status):
    (answer,) = parse_answers(exchange(port, REFUSED[status]), "HEAD")
    (whole,) = parse_answers(exchange(port, REFUSED[status].replace(b"HEAD", b"GET", 1)), "GET")

    assert (status, status) == (answer.status, whole.status)
    assert str(len(whole.body)) == answer.fields["Content-Length"]
    assert ("close", settings.RELEASE) == (answer.fields["Connection"], answer.fields["X-Anotador"])


# --- one connection for several requests ------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_a_connection_stays_open_after_an_answer_without_a_body(port, method):
    heads = []
    with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as connection:
        for path in ("empty", "unchanged", "empty"):
            connection.sendall(request(method, f"/{path}"))
            heads.append(read_head(connection))
        connection.sendall(END)
        last = read_all(connection)
    answers = parse_answers(b"".join([*heads, last]), *[method] * 3, "GET")

    assert [(204, None), (304, None), (204, None), (200, "close")] == [
        (answer.status, answer.fields.get("Connection")) for answer in answers
    ]


@pytest.mark.parametrize("path", ["empty", "unchanged"])
@pytest.mark.parametrize(
    ("version", "fields"),
    [
        ("1.1", ["Connection: close"]),
        ("1.1", ["Connection: TE, Close"]),
        ("1.0", []),
        ("1.0", ["Connection: keep-alive"]),
    ],
)
def test_it_is_closed_if_the_client_says_so_or_speaks_http_1_0(port, path, version, fields):
    statuses = {"empty": 204, "unchanged": 304}
    assert statuses[path] == get_status(port, request("GET", f"/{path}", *fields, version=version) + END)


def test_it_is_closed_after_a_file_that_was_sent_with_such_an_answer(port):
    """Otherwise, the file would be read as the next answer."""
    received = exchange(port, request("GET", "/unchanged-file") + END)

    assert (1, True) == (received.count(b"HTTP/1.1 "), b"Connection: close" in received)


def test_pipelined_requests_are_answered_in_order_after_answers_without_a_body(port):
    paths = ("empty", "plain", "unchanged", "unchanged", "empty")
    received = exchange(port, b"".join(request("GET", f"/{path}") for path in paths) + END)
    answers = parse_answers(received, *["GET"] * 6)

    assert [204, 200, 304, 304, 204, 200] == [answer.status for answer in answers]


def test_a_refusal_after_an_answer_without_a_body_closes_the_connection(port):
    received = exchange(port, request("GET", "/empty") + b"x\r\n\r\n" + END)
    answers = parse_answers(received, "GET", "GET")

    assert [(204, None), (400, "close")] == [
        (answer.status, answer.fields.get("Connection")) for answer in answers
    ]


# --- heads ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "raw"),
    [
        (200, request("GET", "/", *(f"X-{n}: a" for n in range(98)), "Connection: close")),
        (431, request("GET", "/", *(f"X-{n}: a" for n in range(100)))),
        (431, request("GET", "/", "X: " + "a" * 32_000)),
        (431, b"GET / HTTP/1.1\r\nX: " + b"a" * 40_000),
        (414, request("GET", "/" + "%00" * 4000)),
        (400, request("GET", "/", "X: a\r\n b")),
        (400, request("GET", "/", "X: " + " " * 20_000 + "\x00")),
        (400, b"GET a://" + b"1" * 20_000 + b"  x\r\n\r\n"),
        (400, b"GET /\r\n\r\n"),
        (400, request("get", "/")),
        (400, request("GET", "/", version="2.0")),
        (400, request("GET", "http://[")),
        (400, request("GET", "/", "Content-Length: " + "9" * 5000)),
        (400, request("POST", "/", "Content-Length: 1", "Content-Length: 1", body=b"a")),
        (400, request("POST", "/", "Content-Length: 1", "Transfer-Encoding: chunked", body=b"0\r\n\r\n")),
        (400, request("POST", "/", "Transfer-Encoding: chunked", version="1.0", body=b"0\r\n\r\n")),
        *(
            (400, request("POST", "/", f"Transfer-Encoding:{coding}", *length, body=b"0\r\n\r\n"))
            for coding in (
                "",
                " ,",
                " ,chunked",
                " chunked,",
                " chunked, chunked",
                " chunked\r\nTransfer-Encoding: chunked",
            )
            for length in ([], ["Content-Length: 5"])
        ),
    ],
)
def test_a_head_that_nobody_sends_is_refused(port, status, raw):
    assert status == get_status(port, raw)


def test_a_head_of_32_kilobytes_is_read_however_it_is_cut(port):
    empty = request("GET", "/", "Connection: close", "X: ")
    raw = request("GET", "/", "Connection: close", "X: " + "a" * (http_server.LONGEST_HEAD - len(empty)))
    assert http_server.LONGEST_HEAD == len(raw)

    assert 200 == get_status(port, raw)
    assert 200 == get_status(port, b"\r\n\r\n", *(raw[n : n + 1000] for n in range(0, len(raw), 1000)))
    assert 431 == get_status(port, raw.replace(b"X: ", b"X: a"))


def test_a_request_that_takes_longer_than_a_minute_is_refused_at_its_next_byte(port, monkeypatch):
    head, body = request("POST", "/length", "Content-Length: 2"), b"ab"
    clock = iter((0.0, 59.0, 61.0))
    monkeypatch.setattr(http_server, "monotonic", lambda: next(clock))
    with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as connection:
        for piece in (head, body[:1], body[1:]):
            connection.sendall(piece)
            time.sleep(0.1)
        (answer,) = parse_answers(read_all(connection), "POST")

    assert 408 == answer.status


def test_a_long_body_may_take_longer_as_long_as_it_comes(port, monkeypatch):
    head, half = request("POST", "/length", "Content-Length: 2000000", "Connection: close"), b"a" * 1_000_000
    clock = iter((0.0, *[59.0] * 1000))
    monkeypatch.setattr(http_server, "monotonic", lambda: next(clock))
    with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as connection:
        connection.sendall(head)
        time.sleep(0.1)
        connection.sendall(half)
        time.sleep(0.5)
        clock = iter([108.0] * 1000)
        connection.sendall(half)
        (answer,) = parse_answers(read_all(connection), "POST")

    assert (200, b"2000000 2000000") == (answer.status, answer.body)


def test_of_many_pipelined_requests_eight_are_answered(port):
    received = exchange(port, request("GET", "/length") * 400)
    answers = parse_answers(received, *["GET"] * 9)

    assert [200] * 8 + [429] == [answer.status for answer in answers]


@pytest.mark.parametrize("last", ["GET", "HEAD"])
def test_the_refusal_of_one_more_has_no_body_since_nobody_has_looked_what_it_asks_for(port, last):
    received = exchange(port, request("GET", "/length") * 8 + request(last, "/plain"))
    *_earlier, answer = parse_answers(received, *["GET"] * 8, last)

    assert (429, b"", "0") == (answer.status, answer.body, answer.fields["Content-Length"])
    assert 0 < int(answer.fields["Retry-After"]) <= 60


def test_a_connection_that_breaks_while_a_refusal_is_sent_is_no_fault_of_the_server(
    port, monkeypatch, caplog
):
    def disconnected(_task):
        raise ClientDisconnected

    monkeypatch.setattr(http_server.RefusalTask, "execute", disconnected)
    assert b"" == exchange(port, b"x\r\n\r\n")
    assert [] == [record for record in caplog.records if record.exc_info]


def test_line_ends_before_a_request_belong_to_none(port):
    (answer,) = parse_answers(exchange(port, b"\r\n" * 100_000, END), "GET")
    assert b"after" == answer.body


# --- bodies in chunks -------------------------------------------------------------------------------------------------


def chunked(body, *fields, path="/length"):
    headers = ("Transfer-Encoding: chunked", "Connection: close", *fields)
    return request("POST", path, *headers, body=body)


def chunks(data, size):
    pieces = (data[n : n + size] for n in range(0, len(data), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize(
    ("length", "body"),
    [
        (0, b"0\r\n\r\n"),
        (3, b"3;name=value\r\nabc\r\n0\r\nX: trailer\r\n\r\n"),
        (2000, chunks(b"a" * 2000, 1)),
        (1_000_000, chunks(b"a" * 1_000_000, 1024)),
        (300_000, chunks(b"a" * 300_000, 300_000)),
        (1, b"1;" + b"a" * 62 + b"\r\na\r\n0\r\n\r\n"),
        (1, b"1\r\na\r\n0\r\nX: " + b"a" * 900 + b"\r\n\r\n"),
    ],
)
def test_a_body_in_chunks_is_read_as_real_clients_send_it(port, length, body):
    (answer,) = parse_answers(exchange(port, chunked(body)), "POST")
    assert f"{length} {length}".encode() == answer.body

    head, rest = chunked(body)[: -len(body)], body
    (answer,) = parse_answers(
        exchange(port, head, *(rest[n : n + 7] for n in range(0, min(7000, len(rest)), 7)), rest[7000:]),
        "POST",
    )
    assert f"{length} {length}".encode() == answer.body


NO_CHUNKS = {
    "a control line without an end": b"1;a=" + b"a" * 15_000_000,
    "a control line": b"1;" + b"a" * 63 + b"\r\na\r\n0\r\n\r\n",
    "a trailer without an end": b"0\r\nX: " + b"a" * 15_000_000,
    "a trailer": b"0\r\nX: " + b"a" * 1100 + b"\r\n\r\n",
    "one byte each": b"1\r\na\r\n" * 2_000_000,
    "empty lines": b"\r\n" * 10_000 + b"0\r\n\r\n",
    "no size": b"x\r\n",
    "a wrong end": b"1\r\nabc\r\n0\r\n\r\n",
    "a line feed alone": b"5\n\r\nabcde\r\n0\r\n\r\n",
    "a line feed after an extension": b"5;a\n\r\nabcde\r\n0\r\n\r\n",
    "a line feed at the end": b"0\n\r\n\r\n",
    "an empty line before a size": b"\r\n0\r\n\r\n",
    "an empty line between chunks": b"1\r\na\r\n\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("kind", NO_CHUNKS)
@pytest.mark.parametrize("expects", [False, True])
def test_more_around_the_chunks_than_real_clients_send_is_refused(port, kind, expects):
    raw = chunked(NO_CHUNKS[kind], *["Expect: 100-continue"] * expects)
    received = exchange(port, raw)

    assert received == b"" or received.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("status", [400, 413, 414, 431, 501])
def test_what_is_refused_is_not_asked_to_continue(port, status):
    raw = REFUSED[status].replace(b"HEAD", b"POST", 1).replace(b"Host: a", b"Host: a\r\nExpect: 100-continue")
    (answer,) = parse_answers(exchange(port, raw), "POST")
    assert status == answer.status


def test_who_waits_to_be_asked_is_asked_once(port):
    with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as connection:
        fields = ("Content-Length: 3", "Expect: 100-continue", "Connection: close")
        connection.sendall(request("POST", "/length", *fields))
        assert b"HTTP/1.1 100 Continue\r\n\r\n" == connection.recv(100)
        connection.sendall(b"abc")
        (answer,) = parse_answers(read_all(connection), "POST")
    assert b"3 3" == answer.body


def test_who_expects_to_be_asked_without_a_body_gets_the_answer(port):
    (answer,) = parse_answers(
        exchange(port, request("GET", "/after", "Expect: 100-continue", "Connection: close")), "GET"
    )
    assert b"after" == answer.body


# --- counting ---------------------------------------------------------------------------------------------------------


def test_refused_requests_are_counted_and_then_refused_in_one_line(port, monkeypatch):
    monkeypatch.setattr(rate_limits, "FLOODS", counter := rate_limits.FloodCounter())
    monkeypatch.setattr(counter, "most_requests", 2)

    statuses = [parse_answers(exchange(port, b"x\r\n\r\n"), "GET")[0].status for _time in range(3)]
    assert [400, 400, 429] == statuses
