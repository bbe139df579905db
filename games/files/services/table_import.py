"""The import of a table from its file: a new table with all of its rows, owned by the importing user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from games import models
from games.common import bulk, locks
from games.common.bulk import BulkRows
from games.common.rate_limits import RateLimit
from games.files.services.file_contents import FileContents
from games.money.services import member_merges
from games.play.services.writer import PreparedGames
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.scoring.text_line import shorten
from games.tables.services import setup

CONTRADICTION = _("Nothing was imported: rows of this file contradict each other, or what is here.")
IMPORT_LIMIT = RateLimit("import", most=10)
FIRST_VERSION = 1  # the version of an imported table: the whole file is one write


class AlreadyImported(Exception):
    """The importing user already has this table, or a copy of it."""

    def __init__(self, table: models.Table) -> None:
        super().__init__(table.code)
        self.table = table


def create_table(contents: FileContents, *, key: str, by: User, again: bool = False) -> models.Table:
    """Store the file's table for this user and return it.

    Idempotent: the same user, file and key return the same table. A game's code that another game has already
    is replaced by a new one. Raise RuleError if the key is invalid or the database refuses a row, and
    AlreadyImported if the user has a copy of this table. With `again`, import the file anyway and add a
    number to the table's name.
    """
    locks.check_key(key)
    code = setup.secret_code(f"{by.pk} {key} {contents.digest}")
    copies = models.Table.objects.filter(identity=contents.table.identity, erased_at=None)
    user_copies = list(copies.filter(accesses__in=by.accesses.valid()).order_by("-pk"))
    # Queried last, because the same request may run twice.
    known = models.Table.objects.filter(code=code).first()
    if known is not None:
        return known
    if user_copies and not again:
        raise AlreadyImported(user_copies[0])
    contents.table.code = code
    if contents.table.name in {table.name for table in user_copies}:
        contents.table.name = _numbered_name(contents.table.name, len(user_copies) + 1)
    try:
        replace_used_codes([whole.game for whole in contents.games])
        return _PreparedTable(contents).store(by)
    except IntegrityError:  # the same request may have run twice at once, and the other one was first
        known = models.Table.objects.filter(code=code).first()
        if known is None:
            raise RuleError(CONTRADICTION) from None
        return known


def replace_used_codes(games: Sequence[models.Game]) -> None:
    """Give each of these unsaved games a new code if a stored game has its code."""
    for start in range(0, len(games), bulk.AT_ONCE):
        some = {game.code: game for game in games[start : start + bulk.AT_ONCE]}
        for code in models.Game.objects.filter(code__in=some).values_list("code", flat=True):
            some[code].code = models.new_code()


def _numbered_name(name: str, number: int) -> str:
    mark = f" ({number})"
    return shorten(name, models.TABLE_NAME_LENGTH - len(mark)) + mark


class _PreparedTable:
    """The rows of a file, prepared for storing before any lock is taken."""

    def __init__(self, contents: FileContents) -> None:
        self._contents = contents
        self._games = PreparedGames(contents.games, contents.members)
        self._entries = BulkRows(contents.entries)
        self._rest: Sequence[BulkRows[Any]] = [
            BulkRows(contents.payments),
            BulkRows(contents.costs),
            BulkRows(contents.hand_sources),
            BulkRows(contents.debts),
        ]

    @transaction.atomic
    def store(self, by: User) -> models.Table:
        """Store the table with all rows, owned by this user, in one transaction. Return the table."""
        contents = self._contents
        contents.table.version = FIRST_VERSION
        contents.table.save(force_insert=True)
        models.Access.objects.create(user=by, table=contents.table, role=models.Role.OWNER)
        User.objects.bulk_create(contents.recorders.values())
        _store_members(list(contents.members.values()))
        models.Season.objects.bulk_create(contents.seasons)
        self._games.store(FIRST_VERSION)
        for rows in self._rest:
            rows.insert()
        self._entries.insert(version=FIRST_VERSION)
        return contents.table


def _store_members(members: list[models.Member]) -> None:
    """Store all members, and then the merges, which refer to stored members."""
    merged = [
        (member, {name: getattr(member, name) for name in member_merges.MERGE_FIELDS}) for member in members
    ]
    for member in members:
        member.merged_into = member.merged_at = member.merged_by = None
    models.Member.objects.bulk_create(members)
    for member, merge in merged:
        if merge["merged_into"] is not None:
            for name, value in merge.items():
                setattr(member, name, value)
            member.save(update_fields=member_merges.MERGE_FIELDS)
