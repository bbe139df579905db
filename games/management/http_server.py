"""The HTTP server: waitress, since gunicorn gives each slow phone a thread, with limits on what is sent.

It answers requests that it refuses itself (400, 408, 413, 414, 429, 431, 500, 501) with one line that repeats
nothing of the request, and closes the connection: nothing after a refused request is read. Responses that
HTTP sends without a body have none.
"""

from __future__ import annotations

import re
import socket
import sys
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from django.core.wsgi import get_wsgi_application
from waitress import server, wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import ChunkedReceiver
from waitress.server import BaseWSGIServer, MultiSocketServer
from waitress.task import ErrorTask, Task, WSGITask
from waitress.utilities import BadRequest, Error

from games.common import body_limits, network, rate_limits, request_head, site_header
from games.management import stop_signals

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

CONNECTIONS = 4096  # at once, including idle ones
THREADS = 8
IDLE = 40  # seconds until an idle connection is closed; longer than a locked phone waits between two polls
SWITCH_INTERVAL = 0.0005  # seconds until Python switches threads; the default of 5 ms would delay polls

LONGEST_HEAD = 32_000  # bytes of a request line and its fields
LONGEST_TARGET = 3 * body_limits.LONGEST_ADDRESS  # bytes of a URL with each of its bytes encoded as %00
MOST_FIELDS = 100
LONGEST_WAIT = 60  # seconds from the first byte of a request to its last, if its body is short
SLOWEST_BODY = 20_000  # bytes of a body that each further second must bring
MOST_PIPELINED = 8  # requests of a connection that wait for their responses

# The framing of a chunked body.
LONGEST_CONTROL_LINE = 64  # bytes of a chunk's size and extensions
LONGEST_TRAILER = 1000
LEAST_FRAMING = 16_000  # bytes of control lines, line ends and trailer that every body may have
FRAMING_SHARE = 200  # bytes of data that allow one more byte of framing

END_OF_HEAD, END_OF_LINE = b"\r\n\r\n", b"\r\n"
# Waitress's time for parsing a head grows with the square of a field's blanks, and of the digits of a
# malformed request line. Such heads never reach it.
REQUEST_LINE = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ ([^ ]+) HTTP/1\.[01]")
CONTINUED_FIELD, MANY_BLANKS = b"\r\n ", b" " * 32
TRANSFER_CODING = re.compile(rb"^transfer-encoding:[ \t]*(.*?)[ \t]*\r$", re.IGNORECASE | re.MULTILINE)


class HttpRefusal(Error):
    """The response, with this status, to a request that the application never sees."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__("")
        self.code, self.reason = status.value, status.phrase


class BoundedChunks(ChunkedReceiver):
    """A receiver of chunked bodies that refuses more framing, or other framing, than clients send."""

    _received = 0

    def received(self, s: bytes) -> int:
        """Receive the next bytes, and return how many of them were part of the body."""
        used = 0
        while used < len(s) and not self.completed and not self.error:
            piece = s[used : used + self._most_at_once()]
            if self._is_in_control_line():
                line, end, _data = (self.control_line + piece).partition(END_OF_LINE)
                piece = piece[: len(line) + len(end) - len(self.control_line)]
                if b"\n" in line or (end and not line):
                    self.error = BadRequest("")
            part = super().received(piece)
            used += part
            self._received += part
            framing = self._received - len(self)
            if (
                len(self.control_line) > LONGEST_CONTROL_LINE + 1
                or len(self.trailer) > LONGEST_TRAILER
                or framing > LEAST_FRAMING + len(self) // FRAMING_SHARE
            ):
                self.error = BadRequest("")
        return used

    def _most_at_once(self) -> int:
        """Return the number of bytes to look at: up to the end of a chunk, or of the longest allowed line."""
        if self.chunk_remainder:
            return self.chunk_remainder
        if self.validate_chunk_end:
            return len(END_OF_LINE) - len(self.chunk_end)
        return LONGEST_CONTROL_LINE + len(END_OF_LINE) - len(self.control_line)

    def _is_in_control_line(self) -> bool:
        return not (self.chunk_remainder or self.validate_chunk_end or self.all_chunks_received)


class BoundedParser(HTTPRequestParser):
    """A parser of a request that refuses what no browser, program or proxy sends.

    With a `refusal`, it refuses everything with this status, unread.
    """

    is_head = False  # whether the request is a HEAD; set for a refused one too
    path = ""  # a request that is refused before it is parsed needs one too, because waitress logs it

    def __init__(self, adj: Adjustments, *, refusal: HTTPStatus | None = None) -> None:
        super().__init__(adj)
        self.refusal = refusal
        self._head = bytearray()  # as much of it as has been received
        self._began_at: float | None = None

    def received(self, data: bytes) -> int:
        """Receive the next bytes, and return how many belonged to this request: all if it is refused."""
        if self.refusal:
            self._refuse(self.refusal)
        used = self._receive(data) if not self.error else 0
        if self.error or self.completed or used < len(data):
            # waitress would ask for a body that it refuses, or that is already arriving
            self.expect_continue = False
        return len(data) if self.error else used

    def _receive(self, data: bytes) -> int:
        if self._began_at is None:  # line ends before a request belong to no request
            request = data.lstrip(END_OF_LINE)
            if not request:
                return len(data)
            self._began_at = monotonic()
            return len(data) - len(request) + self._receive_head(request)
        if monotonic() - self._began_at > LONGEST_WAIT + self.body_bytes_received / SLOWEST_BODY:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            return len(data)
        return super().received(data) if self.headers_finished else self._receive_head(data)

    def _receive_head(self, data: bytes) -> int:
        """Collect a head until it is complete or too long, so that it is searched and parsed only once."""
        before = len(self._head)
        self._head += data
        self.is_head = self._head.startswith(b"HEAD ")
        end = self._head.find(END_OF_HEAD, max(0, before - len(END_OF_HEAD) + 1))
        if end < 0 and len(self._head) < LONGEST_HEAD:
            return len(data)
        head, self._head = bytes(self._head), bytearray()
        self.header_bytes_received = len(head)
        if status := head_refusal(head[:end] if end >= 0 else head):
            self._refuse(status)
            return len(data)
        return super().received(head) - before

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the head of a request. Raise ParsingError if it is malformed or its body's end ambiguous."""
        try:
            super().parse_header(header_plus)
            self.headers = request_head.clean_fields(self.headers)
        except ValueError as error:  # waitress does not expect a ValueError from a URL
            raise ParsingError("") from error
        codings = TRANSFER_CODING.findall(header_plus)
        is_sure = self.chunked and len(codings) == 1 and codings[0].lower() == b"chunked"
        if codings and not (is_sure and "CONTENT_LENGTH" not in self.headers):
            raise ParsingError("")
        if self.chunked and self.body_rcv is not None:  # it is falsy while it is empty
            self.body_rcv = BoundedChunks(self.body_rcv.getbuf())

    def _refuse(self, status: HTTPStatus) -> None:
        self.error = HttpRefusal(status)
        self.completed = True


def head_refusal(head: bytes) -> HTTPStatus | None:
    """Return the status that refuses a request line and its fields before they are parsed, or None."""
    if len(head) + len(END_OF_HEAD) > LONGEST_HEAD:
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    line, *fields = head.split(END_OF_LINE)
    request_line = REQUEST_LINE.fullmatch(line)
    blanks = head.replace(b"\t", b" ")
    if request_line is None or CONTINUED_FIELD in blanks or MANY_BLANKS in blanks:
        return HTTPStatus.BAD_REQUEST
    if len(request_line[1]) > LONGEST_TARGET:
        return HTTPStatus.REQUEST_URI_TOO_LONG
    return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE if len(fields) > MOST_FIELDS else None


class BodilessTask(Task):
    """A task that answers HEAD with the head of the response to GET."""

    @property
    def is_head(self) -> bool:
        """True if the request to answer, which may have failed, is a HEAD."""
        request = self.channel.requests[0]
        return isinstance(request, BoundedParser) and request.is_head

    def build_response_header(self) -> bytes:
        """Return the head of the response. A response to HEAD has no chunks, not even the last one."""
        head = super().build_response_header()
        self.chunked_response = self.chunked_response and not self.is_head
        return head

    def write(self, data: bytes) -> None:
        """Send the head before the first data; send the data unless this answers HEAD."""
        super().write(b"" if self.is_head else data)


class ApplicationTask(BodilessTask, WSGITask):
    """The response of the application."""

    def get_environment(self) -> WSGIEnvironment:
        """Return the WSGI environment of the request.

        For HEAD it has no file wrapper, so that a file is not sent past `write`.
        """
        environ = super().get_environment()
        if self.is_head:
            environ.pop("wsgi.file_wrapper", None)
        return environ

    def set_close_on_finish(self) -> None:
        """Close the connection after this response, unless it ends with its head and the client stays.

        Waitress would close it after each poll without news. It sends a file after any head, so a response
        that came with a length is not trusted to end there.
        """
        options = cast(HTTPRequestParser, self.request).headers.get("CONNECTION", "")
        client_leaves = self.version == "1.0" or "close" in options.lower()
        if client_leaves or self.has_body or self.content_length:
            super().set_close_on_finish()


class RefusalTask(BodilessTask, ErrorTask):
    """The response to a request that was refused before the application saw it, or that failed there."""

    def execute(self) -> None:
        """Count the request, and send a line that does not quote it.

        The line is missing if the request was not looked at, because it may be a HEAD.
        """
        parser = self.channel.requests[0]
        error = cast(HTTPRequestParser, self.request).error
        assert error is not None
        size = parser.header_bytes_received + parser.body_bytes_received
        if not rate_limits.FLOODS.hit(network.client_key(str(self.channel.addr[0])), size):
            error = HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS)
        self.status = f"{error.code} {error.reason}"
        self.response_headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Cache-Control", "no-store"),
            site_header.field(),
        ]
        if error.code == HTTPStatus.TOO_MANY_REQUESTS:
            self.response_headers.append(("Retry-After", str(rate_limits.FLOODS.resets_in)))
        self.set_close_on_finish()
        line = b"" if isinstance(parser, BoundedParser) and parser.refusal else f"{error.reason}\n".encode()
        self.content_length = len(line)
        self.write(line)


class Channel(HTTPChannel):
    """A connection that queues only a few requests, and reads nothing after one that is refused."""

    task_class = ApplicationTask
    error_task_class = RefusalTask

    def parser_class(self, adj: Adjustments) -> BoundedParser:  # type: ignore[override]  # called like the class
        is_full = len(self.requests) >= MOST_PIPELINED
        return BoundedParser(adj, refusal=HTTPStatus.TOO_MANY_REQUESTS if is_full else None)


class StopDispatcher(wasyncore.dispatcher):
    """A dispatcher that ends the server's loop once its socket can be read."""

    def writable(self) -> bool:
        return False

    def handle_read(self) -> None:
        raise SystemExit


def serve(sockets: list[socket.socket]) -> None:
    """Serve on these sockets until Ctrl+C or SIGTERM, and finish open requests."""
    with stop_signals.stop_socket() as stop:
        dispatchers: dict[int, Any] = {}
        StopDispatcher(stop, dispatchers)
        create_server(sockets, dispatchers=dispatchers).run()


def create_server(
    sockets: list[socket.socket],
    application: WSGIApplication | None = None,
    dispatchers: dict[int, Any] | None = None,
) -> BaseWSGIServer | MultiSocketServer:
    """Return a server on these sockets. Its loop also polls the `dispatchers`, by file descriptor.

    A request gets a thread only once its whole body has arrived, and the thread hands over the whole
    response: a slow phone occupies a connection, which costs little, but never a thread.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    BaseWSGIServer.channel_class = Channel
    return server.create_server(
        application or get_wsgi_application(),
        map=dispatchers,
        sockets=sockets,
        threads=THREADS,
        backlog=2048,
        connection_limit=CONNECTIONS,
        asyncore_use_poll=True,  # `select` handles only 1,024 connections
        channel_timeout=IDLE,
        max_request_header_size=LONGEST_HEAD + 1,
        max_request_body_size=body_limits.LARGEST_UPLOAD,
        clear_untrusted_proxy_headers=False,  # scorekeeper/proxies.py decides which proxies may forward
        ident=None,
    )
