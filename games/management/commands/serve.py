"""`manage.py serve`: prepares the database and the static files, and serves the site on the local network."""

from __future__ import annotations

import errno
import io
import os
import resource
import socket
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from games.management.collected import begin_collecting, is_collected, note_collected
from games.management.serving import (
    EVERY_ADDRESS,
    EVERY_NETWORK,
    THIS_COMPUTER,
    in_address,
    note_served,
    reachable_addresses,
)
from games.network import host_names

CONNECTIONS = 8192  # the most connections of a process, idle ones included
HEADERS_WITHIN = 40_000  # milliseconds; longer than a locked phone waits between two polls
LONGEST_HEAD = 2**16  # the most bytes of a request's headers
LAST_WORDS = 30  # seconds to finish requests when the server is stopped
ACCESS_LINE = "%(method)s %(path)s %(status)d %(dt_ms).1f ms"  # no query, which may hold typed text


class Command(BaseCommand):
    help = "Prepare the database and the static files and serve the pages to the phones on this network."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=_between(1, 65535), default=8000)
        parser.add_argument(
            "--bind",
            default=EVERY_NETWORK,
            help=f"{EVERY_NETWORK} (default): every network; 127.0.0.1: this computer",
        )
        parser.add_argument("--workers", type=_between(1, 64), default=2, help="processes (default 2)")
        parser.add_argument(
            "--threads", type=_between(1, 64), default=4, help="threads of each process (default 4)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bind, port = options["bind"].strip("[]"), options["port"]
        _refuse_a_taken_port(bind, port)
        is_new = not is_collected()
        if is_new:
            self.stdout.write(
                "Preparing the database and the pages. The first start may take a minute or two."
            )
            self.stdout.flush()
        call_command("migrate", interactive=False, verbosity=0)
        call_command("clean", stdout=io.StringIO())
        if is_new:
            begin_collecting()
            call_command("collectstatic", interactive=False, verbosity=0)
            note_collected()
        connections.close_all()

        addresses = reachable_addresses(bind)
        self._say_where(port, bind, addresses)
        self.stdout.flush()
        _allow_many_connections()
        note_served(bind, port)
        # The server replaces this process, so that signals reach the server directly.
        os.execve(
            sys.executable,
            server_command(bind, port, options["workers"]),
            {
                **os.environ,
                "ALLOWED_HOSTS": ",".join(accepted_hosts(addresses)),
                "SERVE_THREADS": str(options["threads"]),
            },
        )

    def _say_where(self, port: int, bind: str, addresses: list[str]) -> None:
        if bind in EVERY_ADDRESS | THIS_COMPUTER:
            self.stdout.write(f"On this computer: http://localhost:{port}/")
        if addresses:
            first, *others = [f"http://{in_address(address)}:{port}/" for address in addresses]
            self.stdout.write(f"On other phones in this network: {first}")
            self.stdout.write(terminal_code(first))
            for other in others:
                self.stdout.write(f"or, where that does not open: {other}")
        elif bind in EVERY_ADDRESS:
            self.stdout.write("This computer is on no network now: other phones cannot reach it.")
        else:
            self.stdout.write("Only this computer can reach it: serve without --bind to let other phones in.")
        if settings.SESSION_COOKIE_SECURE:
            self.stdout.write("HTTPS=1: sign-in works only by the https address of your proxy.")
        self.stdout.write("Stop with Ctrl+C.")


def accepted_hosts(addresses: list[str]) -> list[str]:
    """Return the hosts for ALLOWED_HOSTS: those of the settings, and this machine's addresses and names."""
    own = [*(in_address(address) for address in addresses), *host_names()]
    return list(dict.fromkeys([*settings.ALLOWED_HOSTS, *own]))


def terminal_code(address: str) -> str:
    """Return the QR code of `address`, drawn with the characters of a terminal."""
    drawn = io.StringIO()
    segno.make(address).terminal(out=drawn, compact=True)
    return drawn.getvalue()


def server_command(bind: str, port: int, workers: int) -> list[str]:
    """Return the command line that starts the server, as a list of words."""
    return [
        sys.executable,
        *("-m", "granian", "scorekeeper.rsgi:make_server", "--factory", "--interface", "rsgi"),
        *("--http", "1", "--no-ws"),
        *("--working-dir", str(settings.BASE_DIR)),
        *("--host", bind, "--port", str(port)),
        *("--workers", str(workers), "--respawn-failed-workers"),
        *("--loop", "asyncio"),  # used even if other event loops are installed
        *("--backlog", "2048", "--backpressure", str(CONNECTIONS)),
        # This is also the time for which a connection is kept open between two polls of a live page.
        *("--http1-header-read-timeout", str(HEADERS_WITHIN)),
        *("--http1-buffer-size", str(LONGEST_HEAD)),
        *("--workers-kill-timeout", str(LAST_WORDS)),
        *("--log-level", "warning"),
        *(("--access-log", "--access-log-fmt", ACCESS_LINE) if settings.ACCESS_LOG else ()),
    ]


def _allow_many_connections() -> None:
    """Increase the limit of open files as far as the system allows. Each connection needs one."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 2 * CONNECTIONS if hard == resource.RLIM_INFINITY else hard
    with suppress(ValueError, OSError):  # macOS, for example, has a second limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _refuse_a_taken_port(bind: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        # The server uses this option too: connections of a server that just stopped do not block the port.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((bind, port))
        except OSError as error:
            raise CommandError(_why_not(error, bind, port)) from error


def _why_not(error: OSError, bind: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program. Stop that one, or choose: serve --port {port + 1}"
    if error.errno == errno.EACCES:
        return f"This user may not open port {port}. Choose one above 1023: serve --port 8000"
    return f"This computer cannot listen at {bind}:{port}: {error.strerror or error}"


def _between(lowest: int, highest: int) -> Callable[[str], int]:
    """Return a function that reads a command-line argument as a number from `lowest` to `highest`."""

    def read(written: str) -> int:
        if not (written.isascii() and written.isdigit() and lowest <= int(written) <= highest):
            raise ArgumentTypeError(f"{written!r} is not a whole number from {lowest} to {highest}")
        return int(written)

    return read
