"""Checks of an installation, for `manage.py check --deploy --database default`. They change nothing."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register
from django.db import DatabaseError, connection
from django.http.request import validate_host
from django.utils.timezone import localtime, now

from games.common import program
from games.management import backups, schema, site_folder
from games.models import Table
from games.tables.services import setup

LEAST_SPACE = 100_000_000  # free bytes on a disk
OTHER_USERS = stat.S_IRWXG | stat.S_IRWXO


@register(Tags.security, deploy=True)
def check_hosts(**_kwargs: Any) -> list[CheckMessage]:
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    hint = "Name those that the site has."
    return [Warning("ALLOWED_HOSTS lets any host name through.", hint=hint, id="games.W002")]


@register(Tags.security, deploy=True)
def check_proxy(**_kwargs: Any) -> list[CheckMessage]:
    """Warn of a SITE_URL that does not match HTTPS, ALLOWED_HOSTS or TRUSTED_PROXIES."""
    messages: list[CheckMessage] = []
    site = urlsplit(settings.SITE_URL)
    if site.hostname and not validate_host(site.hostname, settings.ALLOWED_HOSTS):
        text = f"ALLOWED_HOSTS lacks {site.hostname}, the host of SITE_URL."
        messages.append(Warning(text, hint="Add it: no page answers at that address.", id="games.W017"))
    if site.scheme == "https" and not settings.HTTPS:
        text = "SITE_URL begins with https, but HTTPS is not 1."
        hint = "Set HTTPS=1, or every form from that address is refused."
        messages.append(Warning(text, hint=hint, id="games.W018"))
    if site.scheme == "http" and settings.HTTPS:
        text = "SITE_URL begins with http, but HTTPS is 1."
        hint = "Write it with https: the site leads every page there."
        messages.append(Warning(text, hint=hint, id="games.W018"))
    if (settings.HTTPS or site.scheme == "https") and not settings.TRUSTED_PROXIES:
        text = "The site is behind a proxy for https, but TRUSTED_PROXIES names none."
        hint = "Name its address, or all its clients count as one, and block each other."
        messages.append(Warning(text, hint=hint, id="games.W019"))
    return messages


@register(Tags.files, deploy=True)
def check_folders(**_kwargs: Any) -> list[CheckMessage]:
    """Report each path that the site cannot write, and warn of each that other users can read."""
    secret = site_folder.secret_file()
    messages: list[CheckMessage] = [
        Error(sentence, id="games.E003") for sentence in site_folder.write_problems()
    ]
    for path in (Path(settings.DATA_DIR), secret):
        if path.exists() and path.stat().st_mode & OTHER_USERS:
            text = f"Others on this computer may read {path}, which lets them in."
            messages.append(Warning(text, hint=f"Run: chmod go= {path}", id="games.W004"))
    if secret.exists() and not backups.uses_secret_file():
        text = f"SECRET_KEY is set, and {secret} holds another secret."
        hint = "A start without the variable would sign everybody out. Delete one of them."
        messages.append(Warning(text, hint=hint, id="games.W005"))
    return messages


@register(Tags.files, deploy=True)
def check_settings_file(**_kwargs: Any) -> list[CheckMessage]:
    """Warn if other users can read the file of settings, which may contain passwords."""
    file = settings.SETTINGS_FILE
    if not (file and file.exists() and file.stat().st_mode & stat.S_IROTH):
        return []
    text = f"Others on this computer may read {file}, which may contain passwords."
    return [Warning(text, hint=f"Run: chmod o= {file}", id="games.W020")]


@register(Tags.files, deploy=True)
def check_disk_space(**_kwargs: Any) -> list[CheckMessage]:
    """Warn of each disk without space for more games and a copy of the database."""
    file = site_folder.sqlite_file()
    size = file.stat().st_size if file and file.exists() else 0
    least = max(LEAST_SPACE, 2 * size)
    folders = dict.fromkeys([Path(settings.DATA_DIR), *([file.parent] if file else [])])
    return [
        Warning(
            f"The disk of {folder} has {site_folder.format_size(site_folder.free_space(folder))} left.",
            hint=f"{site_folder.format_size(least)} is the least.",
            id="games.W006",
        )
        for folder in folders
        if folder.exists() and site_folder.free_space(folder) < least
    ]


@register(Tags.files)
def check_database_kind(**_kwargs: Any) -> list[CheckMessage]:
    """Report a setting that leads to another kind of database than the data is in."""
    return [Error(sentence, id="games.E016")] if (sentence := site_folder.moved_data_message()) else []


@register(Tags.database, deploy=True)
def check_database(**_kwargs: Any) -> list[CheckMessage]:
    """Report a database that is missing, damaged, foreign or old, or lacks guards."""
    try:
        return list(_database_problems())
    except (DatabaseError, OSError) as error:
        text = f"{site_folder.database_label()} cannot be asked: {' '.join(str(error).split())}."
        return [Error(text, id="games.E007")]


def _database_problems() -> Iterator[CheckMessage]:
    if site_folder.moved_data_message():
        return  # `check_database_kind` reports it
    if sentence := site_folder.lost_database_message() or schema.newer_database_message():
        yield Error(sentence, id="games.E008")
    elif not site_folder.database_exists():
        text = f"There is no database at {site_folder.database_label()} yet."
        yield Warning(text, hint=f"Run: {program.NAME} serve", id="games.W009")
    elif not schema.is_up_to_date():
        yield Warning(
            "The database is of an older version.", hint=f"Run: {program.NAME} migrate", id="games.W010"
        )
    else:
        if not site_folder.is_marked():
            text = f"{site_folder.marker_file()} is missing, so a lost database would be begun anew."
            yield Warning(text, hint=f"Run: {program.NAME} migrate", id="games.W011")
        if sentence := schema.schema_mismatch_message():
            yield Error(sentence, id="games.E014")
        if sentence := schema.missing_triggers_message():
            yield Error(sentence, hint=f"Run: {program.NAME} check_books --repair", id="games.E012")
        if connection.vendor == "sqlite":
            yield from _damage()


def _damage() -> Iterator[CheckMessage]:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(1)")
        (result,) = cursor.fetchone()
    if result != "ok":
        text = f"{site_folder.database_label()} is damaged ({result})."
        yield Error(text, hint=f"Bring a backup back: {program.NAME} restore", id="games.E013")


@register(Tags.database, deploy=True)
def check_time_zones(**_kwargs: Any) -> list[CheckMessage]:
    """Warn of each table whose time zone not every computer has."""
    try:
        if not site_folder.database_exists() or not schema.is_up_to_date():
            return []
    except (DatabaseError, OSError):
        return []  # `check_database` reports it
    unknown = Table.objects.filter(erased_at=None).exclude(timezone__in=setup.time_zones()).order_by("pk")
    return [
        Warning(
            f"The table {table.name} ({table.code}) has the time zone {table.timezone!r}, which not every computer has.",
            hint=f"An owner chooses another in its settings; without it, times are those of {settings.TIME_ZONE}.",
            id="games.W021",
        )
        for table in unknown
    ]


@register(Tags.files, deploy=True)
def check_replaced_databases(**_kwargs: Any) -> list[CheckMessage]:
    """Name each database that `restore` replaced: it has what was erased or ended since the backup."""
    return [
        Info(
            f"{path} is the database that a restore replaced.",
            hint=f"`{program.NAME} clean` deletes it after {localtime(ends_at).strftime(settings.LOGGED_AT)}. Delete it now if nobody needs it.",
            id="games.I022",
        )
        for path, ends_at in backups.list_replaced()
    ]


@register(Tags.database, deploy=True)
def check_backups(**_kwargs: Any) -> list[CheckMessage]:
    """Warn if the last backup is older than BACKUP_EVERY, or if there is none."""
    try:
        if not settings.BACKUP_EVERY or not site_folder.database_exists():
            return []
    except DatabaseError:
        return []  # `check_database` reports it
    made_at = site_folder.last_backup_at()
    if made_at and now() - made_at <= settings.BACKUP_EVERY:
        return []
    text = (
        f"The last backup is of {localtime(made_at).strftime(settings.LOGGED_AT)}, which is longer ago than BACKUP_EVERY."
        if made_at
        else "There is no backup yet."
    )
    hint = f"Every day, to another disk, run: {program.NAME} backup --to FOLDER"
    return [Warning(text, hint=hint, id="games.W015")]
