"""The checks of `manage.py doctor`: each yields a sentence with advice per problem and changes nothing."""

from __future__ import annotations

import gettext
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.core.checks import WARNING, run_checks
from django.db import DatabaseError, connection
from django.utils.timezone import now
from django.utils.translation import to_locale

from games.guards import wrong_guards
from games.last_backup import last_backup_at
from games.management import backups, collected
from games.management.marker import is_marked, marker
from games.management.place import (
    database_in_words,
    in_megabytes,
    is_begun,
    lost,
    room,
    sqlite_file,
    unwritable,
)
from games.management.schema import foreign, is_up_to_date

# Django's warnings that are left out. The proxy's operator decides about redirects to HTTPS and about
# subdomains. The warning about a short secret is not needed, because the server does not start with one.
NOT_OURS = {"security.W005", "security.W008", "security.W009", "security.W021"}
LEAST_ROOM = 100_000_000  # free bytes on a disk
OTHERS = stat.S_IRWXG | stat.S_IRWXO
SWITCHED_OFF = "off"  # the value that PostgreSQL reports
# With one of these settings off, PostgreSQL may lose transactions that it has committed.
MUST_BE_ON = ("fsync", "full_page_writes", "synchronous_commit")


def of_settings() -> Iterator[str]:
    """Yield a problem for DEBUG, for ALLOWED_HOSTS with "*", and for each warning of Django's own checks.

    Warnings about HTTPS are included only if the site uses HTTPS.
    """
    if settings.DEBUG:
        yield "DEBUG is on: whoever meets an error reads the program's insides. Leave it out where others play."
    if "*" in settings.ALLOWED_HOSTS:
        yield "ALLOWED_HOSTS lets any name through: name those the site has."
    for warning in run_checks(
        include_deployment_checks=settings.SESSION_COOKIE_SECURE and not settings.DEBUG
    ):
        if warning.level >= WARNING and warning.id not in NOT_OURS:
            yield f"{' '.join(str(warning.msg).split())} ({warning.id})"


def of_folders() -> Iterator[str]:
    """Yield a problem for each path that the site cannot write, or that others on the computer can read."""
    yield from unwritable()
    for path in (Path(settings.DATA_DIR), backups.secret_file()):
        if path.exists() and path.stat().st_mode & OTHERS:
            yield f"Others on this computer may read {path}, which lets them in: run `chmod go= {path}`."


def of_secret() -> Iterator[str]:
    """Yield a problem if a start without the variable SECRET_KEY would use another secret key than now."""
    file = backups.secret_file()
    if file.exists() and not backups.secret_is_kept():
        yield f"SECRET_KEY is set and {file} holds another secret: a start without it would sign everybody out."


def of_room() -> Iterator[str]:
    """Yield a problem for each disk without space for more games and a copy of the database."""
    file = sqlite_file()
    size = file.stat().st_size if file and file.exists() else 0
    for folder in dict.fromkeys([Path(settings.DATA_DIR), *([file.parent] if file else [])]):
        least = max(LEAST_ROOM, 2 * size)
        if folder.exists() and room(folder) < least:
            yield f"The disk of {folder} has {in_megabytes(room(folder))} left: {in_megabytes(least)} is the least."


def of_database() -> Iterator[str]:
    """Yield problems of the database.

    It may be missing, damaged or of another snapshot, lack its guards (triggers), or have settings that can lose
    transactions.
    """
    gone = lost()
    if gone or not is_begun():
        yield gone or f"There is no database at {database_in_words()} yet: `manage.py serve` makes it."
        return
    if not is_marked():
        yield f"{marker()} is missing, so a lost database would be begun anew: run `manage.py migrate`."
    sentence = foreign()
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


def of_backups() -> Iterator[str]:
    """Yield a problem if the last backup is too old."""
    if not settings.BACKUP_EVERY or not is_begun():
        return
    made_at = last_backup_at()
    if made_at is None:
        yield "There is no backup yet: run `manage.py backup --to` a folder on another disk, every day."
    elif now() - made_at > settings.BACKUP_EVERY:
        yield f"The last backup is of {made_at:%Y-%m-%d %H:%M} UTC, which is longer ago than BACKUP_EVERY: run `manage.py backup`."


def of_texts() -> Iterator[str]:
    """Yield a problem for each language whose translations cannot be read."""
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
    """Yield a problem if the collected static files are out of date."""
    if not collected.is_collected():
        yield f"The files in {settings.STATIC_ROOT} are missing or older than the program's: `manage.py serve` collects them."


LOOKED_AT: tuple[Callable[[], Iterator[str]], ...] = (
    of_settings,
    of_folders,
    of_secret,
    of_room,
    of_database,
    of_backups,
    of_texts,
    of_files,
)


def complaints() -> Iterator[str]:
    """Yield the problems of all checks. If the database does not answer, the other checks still run."""
    for look in LOOKED_AT:
        try:
            yield from look()
        except (DatabaseError, OSError) as error:
            yield f"{database_in_words()} cannot be asked: {' '.join(str(error).split())}."


def _of_sqlite() -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(1)")
        (result,) = cursor.fetchone()
        if result != "ok":
            yield f"{database_in_words()} is damaged ({result}): bring a backup back with `manage.py restore`."


def _of_postgresql() -> Iterator[str]:
    with connection.cursor() as cursor:
        for name in MUST_BE_ON:
            cursor.execute(f"SHOW {name}")
            if cursor.fetchone()[0] == SWITCHED_OFF:
                yield f"PostgreSQL has {name} off: a power cut would lose what was acknowledged."
