"""HTTP as bytes on a socket, because a client library would hide a server's mistakes."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any

from waitress import wasyncore

from games.management import http_server
from games.management.commands.serve import bind_sockets
from tests.server_processes import free_port

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

SILENCE = 5.0  # seconds without data after which a connection counts as finished
ANSWER = re.compile(rb"HTTP/1\.[01] (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n")


@dataclass
class Answer:
    status: int
    fields: dict[str, str]
    body: bytes


@contextmanager
def serve_application(application: WSGIApplication) -> Iterator[int]:
    """Serve this application in a thread during the `with` block, and yield the port."""
    port = free_port()
    with bind_sockets("127.0.0.1", port) as sockets:
        server: Any = http_server.create_server(sockets, application)
        thread = Thread(target=server.run)
        thread.start()
        try:
            yield port
        finally:
            server.trigger.pull_trigger(lambda: wasyncore.close_all(server._map))
            thread.join()
            server.task_dispatcher.shutdown()


def exchange(port: int, *pieces: bytes) -> bytes:
    """Send these bytes and return everything received until the server closes the connection or is silent."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=SILENCE)) as connection:
        try:
            for piece in pieces:
                connection.sendall(piece)
        except ConnectionError:
            pass
        return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    """Return everything received until the connection is closed, reset or silent."""
    received = b""
    try:
        while piece := connection.recv(1 << 16):
            received += piece
    except (TimeoutError, ConnectionError):
        pass
    return received


def read_head(connection: socket.socket) -> bytes:
    """Return the head of an answer without a body. Fail if the connection is closed first."""
    received = b""
    while not received.endswith(http_server.END_OF_HEAD):
        piece = connection.recv(1 << 16)
        assert piece, received
        received += piece
    return received


def parse_answers(received: bytes, *methods: str) -> list[Answer]:
    """Return the answers to requests with these methods. Fail if bytes are left over."""
    answers = []
    for method in methods:
        head = ANSWER.match(received)
        assert head, received[:200]
        received = received[head.end() :]
        fields = dict(line.split(": ", 1) for line in head[2].decode("latin-1").splitlines())
        body = b""
        if method != "HEAD" and head[1] not in {b"204", b"304"}:
            body, received = _split_body(received, fields)
        answers.append(Answer(int(head[1]), fields, body))
    assert received == b"", received[:200]
    return answers


def _split_body(received: bytes, fields: dict[str, str]) -> tuple[bytes, bytes]:
    if "Content-Length" in fields:
        length = int(fields["Content-Length"])
        return received[:length], received[length:]
    body = b""
    while True:
        size, received = received.split(b"\r\n", 1)
        chunk = int(size, 16)
        body, received = body + received[:chunk], received[chunk + 2 :]
        if not chunk:
            return body, received
