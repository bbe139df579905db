"""Settings from environment variables, like environs, but each error says what is allowed instead.

The functions read the variable `name`, or return `default`. A wrong value raises ImproperlyConfigured. They
create nothing; `create_folder` and `get_or_create_secret` do.
"""

from __future__ import annotations

import fcntl
import os
import re
from contextlib import suppress
from datetime import timedelta
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from games.common import program

YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off"})
UNITS = {"m": "minutes", "h": "hours", "d": "days"}
SHORTEST_SECRET = 32
SYSTEM_ZONES = Path("/usr/share/zoneinfo")  # which Django requires to have the zone, where they exist
PATIENCE = 2  # seconds until a request to the cache times out


def get_bool(name: str) -> bool:
    """Return the boolean in the variable: 1/0, true/false, yes/no or on/off; False if it is not set."""
    written = os.environ.get(name, "").strip().lower()
    if written not in YES | NO | {""}:
        raise _invalid_value(name, written, "1 or 0 (also true/false, yes/no, on/off)")
    return written in YES


def get_choice(name: str, *choices: str) -> str:
    """Return the choice in the variable; the first one if it is not set."""
    written = os.environ.get(name, "").strip().lower() or choices[0]
    if written not in choices:
        raise _invalid_value(name, written, f"one of {', '.join(choices)}")
    return written


def get_duration(name: str, default: timedelta) -> timedelta:
    """Return the duration in the variable: minutes, hours or days such as 90m, 36h or 2d, or 0."""
    written = os.environ.get(name, "").strip()
    return parse_duration(name, written) if written else default


def parse_duration(name: str, written: str) -> timedelta:
    """Return the duration `written`; the error for a wrong one mentions `name`."""
    parts = re.fullmatch(r"([0-9]{1,4})([mhd])|0", written)
    if not parts:
        raise _invalid_value(name, written, "a number of minutes, hours or days such as 90m, 36h or 2d, or 0")
    return timedelta(**{UNITS[parts[2]]: int(parts[1])}) if parts[2] else timedelta()


def get_list(name: str, default: list[str], *, form: re.Pattern[str], allowed: str) -> list[str]:
    """Return the comma-separated items in the variable, each of the given form, which `allowed` describes."""
    written = os.environ.get(name, "").strip()
    if not written:
        return default
    items = [item.strip() for item in written.split(",")]
    for item in items:
        if not form.fullmatch(item):
            raise _invalid_value(name, item, f"{allowed}, several separated by commas")
    return items


def get_path(name: str, default: Path) -> Path:
    """Return the folder in the variable as an absolute path."""
    written = os.environ.get(name, "").strip()
    return Path(written).expanduser().absolute() if written else default


def get_port(name: str, default: int) -> int:
    written = os.environ.get(name, "").strip() or str(default)
    if not (re.fullmatch("[0-9]{1,5}", written) and 1 <= int(written) <= 65535):
        raise _invalid_value(name, written, "a whole number from 1 to 65535")
    return int(written)


def create_folder(name: str, folder: Path) -> None:
    """Create the folder that the variable names, readable only by this user, if it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name} is {str(folder)!r}, which user {os.getuid()} cannot write ({error.strerror}): "
            "a folder of this user's own is allowed."
        ) from error


def find_secret(name: str, file: Path) -> str | None:
    """Return the secret in the variable; if it is not set, the one in `file`; None if this user reads none."""
    written = os.environ.get(name, "")
    if not written:
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            return file.read_text(encoding="ascii").strip() or None
        return None
    if len(written) < SHORTEST_SECRET:
        raise _too_short(name)
    return written


def get_metrics_token(name: str) -> str:
    """Return the token in the variable, which needs the package prometheus_client; "" if it is not set."""
    written = os.environ.get(name, "").strip()
    if written:
        if len(written) < SHORTEST_SECRET:
            raise _too_short(name)
        _require("prometheus_client", "metrics", name)
    return written


def get_time_zone(name: str, default: str) -> str:
    """Return the name of the time zone in the variable. The system's own zones, if it has any, decide."""
    written = os.environ.get(name, "").strip() or default
    # Debian lists `localtime` too, which is another zone on another computer.
    is_known = written in available_timezones() - {"localtime"}
    if written != default and (
        not is_known or (SYSTEM_ZONES.exists() and not (SYSTEM_ZONES / written).exists())
    ):
        raise _invalid_value(name, written, "a name like Europe/Madrid")
    return written


def get_contact(name: str) -> str:
    """Return the email or web address in the variable; "" if it is not set."""
    written = os.environ.get(name, "").strip()
    if written and not re.fullmatch(r"[^\s@:/?&]+@[^\s@:/?&]+|https?://\S+", written):
        raise _invalid_value(name, written, "a mail address, or an address like https://example.org/contact")
    return written


def get_database(name: str, default: dict[str, Any]) -> dict[str, Any]:
    """Return Django's database settings for the URL in the variable."""
    written = os.environ.get(name, "").strip()
    return parse_database(name, written) if written else default


def parse_database(name: str, written: str) -> dict[str, Any]:
    """Return Django's database settings for the URL `written`; the error for a wrong one mentions `name`."""
    allowed = "an address like postgres://user:password@host:5432/name or sqlite:////absolute/path"
    try:
        database: dict[str, Any] = dict(
            dj_database_url.parse(written, conn_max_age=60, conn_health_checks=True)
        )
    except ValueError as error:  # the URL contains a password, so it is not repeated
        raise _invalid_value(name, "", allowed) from error
    # Each process would have its own database in memory, or another in each current folder.
    is_sqlite = database["ENGINE"].endswith(".sqlite3")
    is_located = Path(database["NAME"]).is_absolute() if is_sqlite else bool(database["NAME"])
    if not is_located or not database["ENGINE"].endswith((".sqlite3", ".postgresql")):
        raise _invalid_value(name, "", allowed)
    if database["ENGINE"].endswith(".postgresql"):
        _require("psycopg", "postgres", name)
    return database


def get_cache(name: str) -> dict[str, Any] | None:
    """Return Django's cache settings for the URL in the variable; None if it is not set."""
    written = os.environ.get(name, "").strip()
    if not written:
        return None
    if not re.fullmatch(r"(rediss?|unix)://\S+", written):  # not repeated, as it may contain a password
        raise _invalid_value(name, "", "an address like redis://host:6379/0 (Redis or Valkey)")
    _require("redis", "redis", name)
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": written,
        "KEY_PREFIX": "anotador",
        "OPTIONS": {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE},
    }


def get_origin(name: str) -> str:
    """Return the site's origin in the variable, without a trailing slash; "" if it is not set."""
    written = os.environ.get(name, "").strip().rstrip("/")
    if written and not re.fullmatch(r"https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?", written):
        raise _invalid_value(name, written, "an address like https://cards.example.org")
    return written


def get_networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return the comma-separated IP addresses and networks in the variable; [] if it is not set."""
    written = os.environ.get(name, "").strip()
    try:
        return [ip_network(item.strip()) for item in written.split(",")] if written else []
    except ValueError as error:
        allowed = "addresses and networks like 10.0.0.1 or 10.0.0.0/8, separated by commas"
        raise _invalid_value(name, written, allowed) from error


def get_or_create_secret(file: Path, secret: str) -> str:
    """Return the secret in `file`. If there is none yet, write this one; only this process's user can read it."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+", encoding="ascii") as stream:
        # Two workers may start at once: the second waits here and then reads the first one's secret.
        fcntl.flock(stream, fcntl.LOCK_EX)
        if written := stream.read().strip():
            secret = written
        else:
            stream.write(secret + "\n")
            stream.flush()
    return secret


def _require(package: str, extra: str, name: str) -> None:
    """Raise ImproperlyConfigured if the package that the value of `name` needs is not installed."""
    if find_spec(package) is None:
        source = (
            f"'anotador-site[{extra}]'"
            if program.IS_INSTALLED
            else "--require-hashes -r requirements-site.lock"
        )
        raise ImproperlyConfigured(
            f"{name} needs the package {package}: run pip install {source} in this program's virtual environment."
        )


def _too_short(name: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} is too short: {SHORTEST_SECRET} characters or more are allowed.")


def _invalid_value(name: str, written: str, allowed: str) -> ImproperlyConfigured:
    value = f" is {written!r}, which" if written else ""
    return ImproperlyConfigured(f"{name}{value} is not allowed: use {allowed}.")
