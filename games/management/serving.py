"""The addresses at which `manage.py serve` is reached, and the note of where it served last.

The note is the file `served-at` in `DATA_DIR`, for commands that print an address of the site.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv4Address
from pathlib import Path

from django.conf import settings

from games.common.network import lan_addresses

NAME = "served-at"
EVERY_NETWORK = str(IPv4Address(socket.INADDR_ANY))
EVERY_ADDRESS = frozenset({EVERY_NETWORK, "::"})
THIS_COMPUTER = frozenset({"127.0.0.1", "localhost", "::1"})


def reachable_addresses(bind: str) -> list[str]:
    """Return the addresses at which other phones reach a server bound to `bind`."""
    if bind in EVERY_ADDRESS:
        return lan_addresses()
    return [] if bind in THIS_COMPUTER else [bind]


def in_address(host: str) -> str:
    """Return the host as an address contains it: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def note_served(bind: str, port: int) -> None:
    """Note that the site is served there from now on. If the note cannot be written, do nothing."""
    with suppress(OSError):
        _file().write_text(f"{bind} {port}", encoding="utf-8")


def served_address() -> str | None:
    """Return the address at which phones reach what was served last; None if nothing was served from here."""
    try:
        bind, port = _file().read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return None
    host = next(iter(reachable_addresses(bind)), "localhost")
    return f"http://{in_address(host)}:{port}" if port.isdecimal() else None


def _file() -> Path:
    return Path(settings.DATA_DIR) / NAME
