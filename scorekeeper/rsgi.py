"""The adapter between the server of `manage.py serve`, Granian (RSGI), and Django (WSGI).

A request goes to one of a few threads only once its whole body has arrived, and the thread returns the whole
response. So a slow phone occupies a connection, which costs little, but never a thread. Clients take turns
(`turns.py`), so that no client waits behind hundreds of requests of another.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from io import BytesIO
from typing import Any, Protocol

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from granian._granian import RSGIProtocolClosed as ProtocolClosed

from games.network import client_key
from games.tickets import BY_TICKET_ALONE, HEADER, NOT_ENOUGH
from scorekeeper import bodies
from scorekeeper.bodies import Bodies, Headers, IncompleteRequest
from scorekeeper.environment import env_int
from scorekeeper.proxies import client_address
from scorekeeper.turns import Turns

TURN = 0.0005  # seconds (Python's thread switch interval); the default of 5 ms would delay polls
API = "/api/"
PROBLEMS = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE}
THREADS = "SERVE_THREADS"  # an environment variable that `manage.py serve` sets


class Scope(Protocol):
    """Granian's description of a request."""

    http_version: str
    server: str
    client: str
    scheme: str
    method: str
    path: str
    query_string: str
    headers: Any


class Wire(bodies.Wire, Protocol):
    """Granian's protocol object for one request: it reads the body and sends the response."""

    def response_bytes(self, status: int, headers: Headers, body: bytes) -> None: ...


class Server:
    """The application that Granian calls."""

    def __init__(self, application: WSGIHandler, threads: int) -> None:
        self.application = application
        self.threads = ThreadPoolExecutor(threads)
        self.polls = ThreadPoolExecutor(2)
        self.turns = Turns(threads)
        self.bodies = Bodies()

    async def __rsgi__(self, scope: Scope, wire: Wire) -> None:
        """Answer a request.

        A poll (a request by which an open page asks for news) may carry a ticket, a signed permission. Such a
        poll is first tried in a separate thread pool, so that it does not wait behind pages. If the ticket
        does not suffice, the poll is answered like any other request.
        """
        loop = asyncio.get_running_loop()
        if HEADER.lower() in scope.headers and scope.method == "GET":
            polled = await loop.run_in_executor(
                self.polls, self._answered, scope, b"", {BY_TICKET_ALONE: True}
            )
            if polled[0] != NOT_ENOUGH:
                return wire.response_bytes(*polled)
        client = client_of(scope)
        try:
            body = await self._read_body(scope, wire, client)
        except ProtocolClosed:  # the client closed the connection
            return
        except IncompleteRequest as error:
            if not (scope.path.startswith(API) and error.status in PROBLEMS):
                return wire.response_bytes(error.status, error.headers, error.text)
            body = b""  # too slow or too large: the API itself answers with problem details
        async with self.turns.turn(client):
            response = await loop.run_in_executor(self.threads, self._answered, scope, body, {})
        wire.response_bytes(*response)

    def __rsgi_del__(self, _loop: AbstractEventLoop) -> None:
        """Let the threads finish their work as the server stops."""
        for threads in (self.polls, self.threads):
            threads.shutdown()

    async def _read_body(self, scope: Scope, wire: Wire, client: str) -> bytes:
        """Return the whole body of the request; b"" without one.

        Raise IncompleteRequest for a body without a Content-Length, and if the body is not read completely.
        """
        if "transfer-encoding" in scope.headers:
            raise IncompleteRequest(HTTPStatus.LENGTH_REQUIRED)
        length = int(scope.headers.get("content-length") or 0)  # Granian accepts nothing but digits
        return await self.bodies.read(wire, length, client) if length else b""

    def _answered(self, scope: Scope, body: bytes, extra: Mapping[str, object]) -> tuple[int, Headers, bytes]:
        """Return the status, headers and body of Django's response.

        `extra` is added to the WSGI environment.
        """
        responses: list[tuple[int, Headers]] = []

        def begin(status: str, headers: Headers, _error: object = None, /) -> Callable[[bytes], object]:
            sent_headers = [
                (name.lower(), value.strip()) for name, value in headers
            ]  # the value of Django's Set-Cookie header begins with a blank
            responses.append((int(status.split(maxsplit=1)[0]), sent_headers))
            return list[bytes]().append  # WSGI's `write`, which Django never calls

        parts: Iterable[bytes] = self.application({**environ_of(scope, body), **extra}, begin)
        try:
            content = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        status, headers = responses[-1]
        return status, headers, b"" if scope.method == "HEAD" else content


def client_of(scope: Scope) -> str:
    """Return the key by which rate limits count the client: its address, or its network for IPv6.

    Behind a trusted proxy, the client's address is the one that the proxy forwarded.
    """
    forwarded = ",".join(value for name, value in scope.headers.items() if name == "x-forwarded-for")
    return client_key(client_address(_address_of(scope), forwarded, settings.TRUSTED_PROXIES))


def _address_of(scope: Scope) -> str:
    return scope.client.rpartition(":")[0].strip("[]")


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """Return the request as a WSGI environment (PEP 3333)."""
    server, _colon, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "REMOTE_ADDR": _address_of(scope),
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
        if "_" in name:  # otherwise a header X_Forwarded_For would be taken for X-Forwarded-For
            continue
        key = name.upper().replace("-", "_")
        key = key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    return environ


def _end_with(parent: int) -> None:
    """Stop this process once its parent process, with the id `parent`, is gone, perhaps killed.

    Otherwise this process would keep the port in use.
    """
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGKILL)


def make_server() -> Server:
    """Return the server for this worker process. Granian calls this function in each new process."""
    from scorekeeper.wsgi import application  # loads all of Django, so only here

    sys.setswitchinterval(TURN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    return Server(application, env_int(THREADS, 4, lowest=1, highest=64))
