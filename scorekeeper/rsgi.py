"""What `manage.py serve` hands to the server, Granian: between its RSGI and Django's WSGI.

A request is given to one of a few threads once it is there whole, and its answer is taken from the thread whole. So a
phone that sends half a body, or reads half an answer, holds a connection, which costs little, and never a thread.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from asyncio import AbstractEventLoop, Semaphore
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from io import BytesIO
from typing import Any, Protocol

from django.core.handlers.wsgi import WSGIHandler
from granian._granian import RSGIProtocolClosed as ProtocolClosed

from games.tickets import BY_TICKET_ALONE, HEADER, NOT_ENOUGH
from scorekeeper.environment import env_int

LARGEST = (
    16 * 2**20
)  # bytes of a body: more than any page takes, so that it is the page that says what it takes
SMALL = 2**16  # bytes: a round, a payment, a form
LARGE_AT_ONCE = 4  # bodies that are not small, of a process: they could fill the memory together
PATIENCE = 20.0  # seconds for a body, however it drips
SLOWEST = 2**14  # bytes a second beyond that
TURN = 0.0005  # seconds for which a page keeps a look in vain waiting; Python's own five milliseconds add up
API = "/api/"
PROBLEMS = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE}
THREADS = "SERVE_THREADS"  # in the environment, from `manage.py serve`

Headers = list[tuple[str, str]]


class Scope(Protocol):
    """What Granian says of a request."""

    http_version: str
    server: str
    client: str
    scheme: str
    method: str
    path: str
    query_string: str
    headers: Any


class Wire(Protocol):
    """By what Granian gives the body of a request and takes its answer."""

    def __call__(self) -> Any: ...

    def response_bytes(self, status: int, headers: Headers, body: bytes) -> None: ...


class Unheard(Exception):
    """No whole request came; what is answered instead, after which the connection is of no use."""

    headers: Headers = [("content-type", "text/plain"), ("connection", "close"), ("retry-after", "5")]

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status
        self.text = f"{status.phrase}\n".encode()


class Server:
    """The site, as Granian asks it."""

    def __init__(self, application: WSGIHandler, threads: int) -> None:
        self.application = application
        self.threads = ThreadPoolExecutor(threads)
        self.looks = ThreadPoolExecutor(2)
        self.large = Semaphore(LARGE_AT_ONCE)

    async def __rsgi__(self, scope: Scope, wire: Wire) -> None:
        """Answers a request; a look in vain, in a thread of its own, before the sheets that others wait for."""
        loop = asyncio.get_running_loop()
        if HEADER.lower() in scope.headers and scope.method == "GET":
            answer = await loop.run_in_executor(
                self.looks, self._answered, scope, b"", {BY_TICKET_ALONE: True}
            )
            if answer[0] != NOT_ENOUGH:
                return wire.response_bytes(*answer)
        try:
            body = await self._hear(scope, wire)
        except ProtocolClosed:  # whoever asked is gone
            return
        except Unheard as unheard:
            if not (scope.path.startswith(API) and unheard.status in PROBLEMS):
                return wire.response_bytes(unheard.status, unheard.headers, unheard.text)
            body = b""  # shorter than it says, or longer than is read: the API tells so itself
        wire.response_bytes(*await loop.run_in_executor(self.threads, self._answered, scope, body, {}))

    def __rsgi_del__(self, _loop: AbstractEventLoop) -> None:
        """Lets the threads end what they have begun, as the server stops."""
        for threads in (self.looks, self.threads):
            threads.shutdown()

    async def _hear(self, scope: Scope, wire: Wire) -> bytes:
        """The whole body; Unheard where it is too long, of no known length, too slow, or one too many of the large."""
        if "transfer-encoding" in scope.headers:
            raise Unheard(HTTPStatus.LENGTH_REQUIRED)
        length = int(scope.headers.get("content-length") or 0)  # Granian lets nothing but digits pass
        if not length:
            return b""
        if length > LARGEST:
            raise Unheard(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if length <= SMALL:
            return await _whole(wire, length)
        if self.large.locked():
            raise Unheard(HTTPStatus.SERVICE_UNAVAILABLE)
        async with self.large:
            return await _whole(wire, length)

    def _answered(self, scope: Scope, body: bytes, besides: dict[str, bool]) -> tuple[int, Headers, bytes]:
        """The status, the headers and the body of what Django answers; `besides` is told to it too."""
        begun: list[tuple[int, Headers]] = []

        def begin(status: str, headers: Headers, _error: object = None, /) -> Callable[[bytes], object]:
            told = [(name.lower(), value.strip()) for name, value in headers]  # cookies begin with a blank
            begun.append((int(status.split(maxsplit=1)[0]), told))
            return list[bytes]().append  # which nobody calls by now

        parts: Iterable[bytes] = self.application(environ_of(scope, body) | besides, begin)
        try:
            content = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        status, headers = begun[-1]
        return status, headers, b"" if scope.method == "HEAD" else content


async def _whole(wire: Wire, length: int) -> bytes:
    try:
        async with asyncio.timeout(PATIENCE + length / SLOWEST):
            body: bytes = await wire()
            return body
    except TimeoutError:
        raise Unheard(HTTPStatus.REQUEST_TIMEOUT) from None


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """The request as WSGI (PEP 3333) says it."""
    client, _colon, _port = scope.client.rpartition(":")
    server, _colon, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "REMOTE_ADDR": client.strip("[]"),
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        if "_" in name:  # nobody can pass one off as that of a proxy, which has a line in its place
            continue
        key = name.upper().replace("-", "_")
        key = key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    return environ


def _end_with(parent: int) -> None:
    """Stops this process once the one that started it is gone, killed perhaps: it would hold the port for ever."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGKILL)


def make_server() -> Server:
    """The server of a process that has just begun."""
    from scorekeeper.wsgi import application  # which loads everything

    sys.setswitchinterval(TURN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    return Server(application, env_int(THREADS, 4, lowest=1, highest=64))
