"""What is wrong with an installation, a sentence each that says what to do; nothing is changed or made by looking."""

from __future__ import annotations

import gettext
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.core.checks import WARNING, run_checks
from django.db import DatabaseError, connection
from django.utils.translation import to_locale

from games.guards import wrong_guards
from games.management import backups, collected
from games.management.marker import is_marked, marker
from games.management.place import in_megabytes, is_begun, lost, room, sqlite_file, unwritable, where
from games.management.schema import is_up_to_date, newer

# Who redirects to https, and what else under the domain has it, is for the proxy and its owner to know; a secret that
# is too short is refused at the start.
NOT_OURS = {"security.W005", "security.W008", "security.W009", "security.W021"}
LEAST_ROOM = 100_000_000  # bytes
OTHERS = stat.S_IRWXG | stat.S_IRWXO
# Or PostgreSQL loses what it has acknowledged.
SWITCHED_OFF = "off"  # as PostgreSQL says it
MUST_BE_ON = ("fsync", "full_page_writes", "synchronous_commit")


def of_settings() -> Iterator[str]:
    """What Django says of them, of serving over https only where that is set."""
    if settings.DEBUG:
        yield "DEBUG is on: whoever meets an error reads the program's insides. Leave it out where others play."
    if "*" in settings.ALLOWED_HOSTS:
        yield "ALLOWED_HOSTS lets any name through: name those the site has."
    for found in run_checks(include_deployment_checks=settings.SESSION_COOKIE_SECURE and not settings.DEBUG):
        if found.level >= WARNING and found.id not in NOT_OURS:
            yield f"{' '.join(str(found.msg).split())} ({found.id})"


def of_folders() -> Iterator[str]:
    """Rights: too few for the site, or too many for others."""
    yield from unwritable()
    for path in (Path(settings.DATA_DIR), backups.secret_file()):
        if path.exists() and path.stat().st_mode & OTHERS:
            yield f"Others on this computer may read {path}, which lets them in: run `chmod go= {path}`."


def of_secret() -> Iterator[str]:
    """Whether there is one that the next start finds again."""
    file = backups.secret_file()
    if file.exists() and not backups.secret_is_kept():
        yield f"SECRET_KEY is set and {file} holds another secret: a start without it would sign everybody out."


def of_room() -> Iterator[str]:
    """Room for the games to come, and for a copy of the database."""
    file = sqlite_file()
    size = file.stat().st_size if file and file.exists() else 0
    for folder in dict.fromkeys([Path(settings.DATA_DIR), *([file.parent] if file else [])]):
        least = max(LEAST_ROOM, 2 * size)
        if folder.exists() and room(folder) < least:
            yield f"The disk of {folder} has {in_megabytes(room(folder))} left: {in_megabytes(least)} is the least."


def of_database() -> Iterator[str]:
    """Whether it is there, ours and whole, refuses to change records, and keeps what it acknowledges."""
    gone = lost()
    if gone or not is_begun():
        yield gone or f"There is no database at {where()} yet: `manage.py serve` makes it."
        return
    if not is_marked():
        yield f"{marker()} is missing, so a lost database would be begun anew: run `manage.py migrate`."
    sentence = newer()
    if sentence or not is_up_to_date():
        yield (
            sentence
            or "The database is of an older version: run `manage.py migrate`, which `serve` does too."
        )
        return
    guards = wrong_guards(connection)
    if guards:
        yield f"The database lets records be changed: {', '.join(guards)}. `manage.py check_books --guards` mends it."
    yield from _of_sqlite() if connection.vendor == "sqlite" else _of_postgresql()


def of_texts() -> Iterator[str]:
    """Whether each language but the code's own can be spoken."""
    for language, _name in settings.LANGUAGES:
        if language == "en":
            continue
        catalogue = Path(settings.LOCALE_PATHS[0], to_locale(language), "LC_MESSAGES", "django.mo")
        try:
            with catalogue.open("rb") as file:
                gettext.GNUTranslations(file)
        except (OSError, ValueError, UnicodeDecodeError) as error:
            yield f"{catalogue} cannot be read ({error}): pages speak English. Run `manage.py compilemessages`."


def of_files() -> Iterator[str]:
    """Whether what pages load is what there is."""
    if not collected.is_collected():
        yield f"The files in {settings.STATIC_ROOT} are missing or older than the program's: `manage.py serve` collects them."


LOOKED_AT: tuple[Callable[[], Iterator[str]], ...] = (
    of_settings,
    of_folders,
    of_secret,
    of_room,
    of_database,
    of_texts,
    of_files,
)


def complaints() -> Iterator[str]:
    """All that is wrong. A database that cannot be asked is a complaint, and hides no other."""
    for look in LOOKED_AT:
        try:
            yield from look()
        except (DatabaseError, OSError) as error:
            yield f"{where()} cannot be asked: {' '.join(str(error).split())}."


def _of_sqlite() -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(1)")
        (found,) = cursor.fetchone()
        if found != "ok":
            yield f"{where()} is damaged ({found}): bring a backup back with `manage.py restore`."


def _of_postgresql() -> Iterator[str]:
    with connection.cursor() as cursor:
        for name in MUST_BE_ON:
            cursor.execute(f"SHOW {name}")
            if cursor.fetchone()[0] == SWITCHED_OFF:
                yield f"PostgreSQL has {name} off: a power cut would lose what was acknowledged."
