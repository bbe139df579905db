"""The file of settings: `.env` beside manage.py (in the current folder for an installed program), or the file named
by ANOTADOR_ENV.

The settings read it before anything else, so it holds for every command and under every WSGI server. Variables that
are set in the environment win. docs/hosting.md describes the lines.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

VARIABLE = "ANOTADOR_ENV"
FILE_NAME = ".env"
FOLDERS = frozenset({"DATA_DIR", "STATIC_ROOT"})
NAMES = FOLDERS | {
    *("ACCESS_LOG", "ALLOWED_HOSTS", "BACKUP_EVERY", "CACHE_URL", "DATABASE_URL", "HTTPS"),
    *("METRICS_TOKEN", "NEW_TABLES"),
    *("OPERATOR_CONTACT", "PORT", "SECRET_KEY", "SERVE_FOLDER", "SITE_URL", "TIME_ZONE", "TRUSTED_PROXIES"),
}
FOR_COMPOSE = frozenset({"COMMIT", "COMPOSE_FILE", "DATABASE_PASSWORD", "DOMAIN"})
# Shells, systemd and compose would each read these another way.
AMBIGUOUS = re.compile(r"""["'$\\]|\s#""")
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def find(base: Path) -> Path | None:
    """Return the file to read; None if there is none, or if ANOTADOR_ENV is empty."""
    named = os.environ.get(VARIABLE)
    if named is None:
        file = base / FILE_NAME
        return file if os.path.lexists(file) else None
    return Path(named).expanduser().absolute() if named.strip() else None


def load(base: Path) -> Path | None:
    """Set the environment variables that the file sets, except those that are set already. Return the file."""
    file = find(base)
    if file is not None:
        for name, value in parse(file, _read(file)).items():
            os.environ.setdefault(name, value)
        os.environ[VARIABLE] = ""  # the environment of this process's children has them
    return file


def parse(file: Path, text: str) -> dict[str, str]:
    """Return the settings in `text`. Raise ImproperlyConfigured with a line's number, never with its value."""
    values = {}
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals or name not in NAMES | FOR_COMPOSE:
            wrong = "is not NAME=value with the name of a setting (docs/hosting.md lists them)"
        elif name in FOR_COMPOSE:
            continue
        elif AMBIGUOUS.search(value):
            wrong = f"sets {name} with a quote, a $, a backslash or a comment: write the bare value"
        elif name in FOLDERS and value.strip() and not Path(value.strip()).is_absolute():
            wrong = f"sets {name} to a relative path: write it from / on"
        else:
            values[name] = value.strip()
            continue
        raise ImproperlyConfigured(f"Line {number} of {file} {wrong}.")
    return values


def sudo_line() -> str:
    """Return the command line to run instead, if this command belongs to another user."""
    return f"sudo {shlex.join([sys.executable, *sys.argv])}"


def _read(file: Path) -> str:
    try:
        status = file.stat()
        if status.st_uid not in {0, os.geteuid()}:
            raise ImproperlyConfigured(
                f"{file} belongs to user {status.st_uid}, who could change what this site does. "
                f"Run as root: chown root {shlex.quote(str(file))} && chmod 640 {shlex.quote(str(file))}"
            )
        if status.st_mode & WRITABLE_BY_OTHERS:
            raise ImproperlyConfigured(
                f"Others may write {file}. Run as its owner: chmod go-w {shlex.quote(str(file))}"
            )
        return file.read_text(encoding="utf-8")
    except PermissionError as error:
        raise ImproperlyConfigured(
            f"{file} has this site's settings, and user {os.geteuid()} may not read it. Run: {sudo_line()}"
        ) from error
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise ImproperlyConfigured(
            f"{file} has this site's settings and cannot be read ({reason})."
        ) from error
