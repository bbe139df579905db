"""`manage.py serve`: prepares the database and the static files, and serves the site on the local network."""

from __future__ import annotations

import errno
import gc
import hashlib
import inspect
import io
import os
import resource
import socket
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import segno
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestFilesMixin
from django.core.files.storage import storages
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import get_resolver

from games.common import network, program
from games.management import http_server, schema, site_folder, worker_pool
from games.management.commands import clean
from games.management.commands.migrate import is_migrated, preparation_lock

EVERY_NETWORK = str(IPv4Address(socket.INADDR_ANY))
EVERY_NETWORK_6 = str(IPv6Address(0))
EVERY_ADDRESS = frozenset({EVERY_NETWORK, EVERY_NETWORK_6})
THIS_COMPUTER = frozenset({"127.0.0.1", "localhost", "::1"})
MOST_WORKERS = 64


class Command(BaseCommand):
    help = "Prepare the database and the static files and serve the pages to the phones on this network."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=_parse_port, default=settings.PORT, help="(default: PORT, or 8000)"
        )
        parser.add_argument(
            "--bind",
            default=EVERY_NETWORK,
            help=f"{EVERY_NETWORK} (default): every network; 127.0.0.1: this computer",
        )
        parser.add_argument(
            "--workers",
            type=_parse_worker_count,
            default=1,
            help="processes that answer (default: 1), one a processor",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bind, port, workers = options["bind"].strip("[]"), options["port"], options["workers"]
        with bind_sockets(bind, port) as sockets:
            addresses = self._prepare(bind)
            with site_folder.lock_marker(exclusive=False) as is_free:
                if not is_free:
                    raise CommandError("The database is being moved: start the server once that is done.")
                self._print_addresses(port, bind, addresses)
                self.stdout.flush()
                if workers == 1:
                    http_server.serve(sockets)
                    return
                with _metrics_folder():
                    worker_pool.run(workers, lambda: http_server.serve(sockets), self.stderr.write)

    def _prepare(self, bind: str) -> list[str]:
        """Prepare the database and the static files, and return the addresses for other phones."""
        self.stdout.write(settings.RELEASE)
        is_new = not is_collected()
        if is_new:
            self.stdout.write(
                "Preparing the database and the pages. The first start may take a minute or two."
            )
            self.stdout.flush()
        if not is_migrated():
            call_command("migrate", interactive=False, verbosity=0)
        schema.check_schema()
        clean.Command(stdout=io.StringIO()).handle()  # `call_command` would look for migrations again
        if is_new:
            self._collect()
        connections.close_all()
        addresses = reachable_addresses(bind)
        _allow_many_connections()
        _load_for_good()
        settings.ALLOWED_HOSTS = allowed_hosts(addresses)
        return addresses

    def _collect(self) -> None:
        folder = Path(settings.STATIC_ROOT)
        folder.mkdir(parents=True, exist_ok=True)
        with preparation_lock(folder, self.stdout.write):
            if not is_collected():  # another server may have collected them meanwhile
                mark_uncollected()
                call_command("collectstatic", interactive=False, verbosity=0)
                mark_collected()

    def _print_addresses(self, port: int, bind: str, addresses: list[str]) -> None:
        if settings.SITE_URL:  # in a container or behind a proxy, this machine's own addresses lead nowhere
            self.stdout.write(f"The address of the site: {settings.SITE_URL}/")
            return
        if bind in EVERY_ADDRESS | THIS_COMPUTER:
            self.stdout.write(f"On this computer: http://localhost:{port}/")
        if addresses:
            first, *others = [f"http://{url_host(address)}:{port}/" for address in addresses]
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


@contextmanager
def _metrics_folder() -> Iterator[None]:
    """Let the workers add up their metrics in a folder, which their prometheus_client finds by this variable."""
    with TemporaryDirectory(prefix="anotador-metrics-") as folder:
        if settings.METRICS_TOKEN:
            os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", folder)
        yield


def reachable_addresses(bind: str) -> list[str]:
    """Return the addresses where other phones reach a server bound to `bind`."""
    if bind in EVERY_ADDRESS:
        return network.lan_addresses()
    return [] if bind in THIS_COMPUTER else [bind]


def url_host(host: str) -> str:
    """Return the host as it is written in a URL: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def allowed_hosts(addresses: list[str]) -> list[str]:
    """Return the hosts for ALLOWED_HOSTS: those of the settings, and this machine's addresses and names."""
    local_hosts = [*(url_host(address) for address in addresses), *network.host_names()]
    return list(dict.fromkeys([*settings.ALLOWED_HOSTS, *local_hosts]))


def terminal_code(address: str) -> str:
    """Return the QR code of `address`, drawn with characters."""
    output = io.StringIO()
    segno.make(address).terminal(out=output, compact=True)
    return output.getvalue()


@contextmanager
def bind_sockets(bind: str, port: int) -> Iterator[list[socket.socket]]:
    """Yield bound sockets for this address and port, not listening yet. Raise CommandError if that fails."""
    with ExitStack() as stack:
        sockets = []
        # The socket for "::" accepts no IPv4 (IPV6_V6ONLY).
        for host in [EVERY_NETWORK, bind] if bind == EVERY_NETWORK_6 else [bind]:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            # Connections of a server that just stopped do not block the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                listener.bind((host, port))
            except OSError as error:
                raise CommandError(_bind_error(error, bind, port)) from error
            sockets.append(listener)
        yield sockets


def _allow_many_connections() -> None:
    """Raise the limit of open files as far as the system allows, since each connection needs one."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 2 * http_server.CONNECTIONS if hard == resource.RLIM_INFINITY else hard
    with suppress(ValueError, OSError):  # macOS, for example, has a second limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


YOUNG_OBJECTS = 50_000  # new objects until the next garbage collection; a page of a large book makes as many


def _load_for_good() -> None:
    """Load all views, and let no garbage collection look at what is loaded now, for it is never garbage.

    Otherwise a request that makes thousands of objects traverses everything several times. Workers that are
    forked later share this memory.
    """
    _views = get_resolver().url_patterns
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 20, 100)


def _bind_error(error: OSError, bind: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program. Stop that one, or choose: serve --port {port + 1}"
    if error.errno == errno.EACCES:
        return f"This user may not open port {port}. Choose one above 1023: serve --port 8000"
    return f"This computer cannot listen at {bind}:{port}: {error.strerror or error}"


def _parse_port(written: str) -> int:
    if not (written.isascii() and written.isdigit() and 1 <= int(written) <= 65535):
        raise ArgumentTypeError(f"{written!r} is not a whole number from 1 to 65535")
    return int(written)


def _parse_worker_count(written: str) -> int:
    if not (written.isascii() and written.isdigit() and 1 <= int(written) <= MOST_WORKERS):
        raise ArgumentTypeError(f"{written!r} is not a whole number from 1 to {MOST_WORKERS}")
    return int(written)


# --- are the collected static files up to date? ----------------------------------------------------------------------

COLLECTED_FROM = ".collected-from"
TOOLS = ("Django", "whitenoise", "brotli")  # their versions affect the collected files
IGNORED = ["CVS", ".*", "*~"]  # the patterns that collectstatic ignores


def is_collected() -> bool:
    """Return whether the collected files are complete and were made from the present sources.

    Those of an installed program always are.
    """
    if program.IS_INSTALLED and Path(settings.STATIC_ROOT) == program.path("staticfiles"):
        return True
    noted = _fingerprint_file()
    if not noted.exists() or noted.read_text(encoding="ascii") != fingerprint():
        return False
    storage = storages["staticfiles"]
    if not isinstance(storage, ManifestFilesMixin):
        return True
    return all(Path(settings.STATIC_ROOT, str(name)).exists() for name in storage.hashed_files.values())


def mark_uncollected() -> None:
    """Mark the static files as not collected, because collecting may be interrupted."""
    _fingerprint_file().unlink(missing_ok=True)


def mark_collected() -> None:
    """Mark the static files as collected from the present sources."""
    _fingerprint_file().parent.mkdir(parents=True, exist_ok=True)
    _fingerprint_file().write_text(fingerprint(), encoding="ascii")


def fingerprint() -> str:
    """Return a digest of the static files' sources, the code that processes them, and the tools' versions."""
    summed = hashlib.sha256("\n".join(f"{name} {version(name)}" for name in TOOLS).encode())
    storage = type(storages["staticfiles"])
    summed.update(storage.__qualname__.encode() + Path(inspect.getfile(storage)).read_bytes())
    for finder in get_finders():
        for name, place in sorted(finder.list(IGNORED), key=lambda item: item[0]):
            with place.open(name) as file:
                content = file.read()
            summed.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return summed.hexdigest()


def _fingerprint_file() -> Path:
    return Path(settings.STATIC_ROOT, COLLECTED_FROM)
