"""Read a table's file. Every game is replayed and every part is checked before anything is stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from games.common import json_reader, schema_version
from games.common.json_reader import InvalidFile, JsonObjectReader
from games.files import rows
from games.files.contents import Contents
from games.files.other_files import what_it_seems
from games.files.played import read_game
from games.files.writing import FORMAT, VERSION
from games.models import MOST_MEMBERS
from games.scoring.errors import RuleError
from games.scoring.i18n import Text, _
from games.scoring.step_budget import EVENT_STEPS, StepBudget, count_steps, spend_steps

MOST_SEASONS, MOST_GAMES, MOST_ROWS = 500, 50_000, 200_000
PROBLEMS_TOLD = 10
# Limits for an import by a page or a program. The command `manage.py import_table` has no limits.
LARGEST = 10 * 2**20  # bytes: a few thousand games
TOO_MUCH = _(
    "This file is too much to check here. Nothing was imported. The site's "
    "operator can import it from the command line."
)
ROW = EVENT_STEPS  # the steps counted for a payment, a member, or any other entry of a list
MOST_BRACKETS, MOST_COMMAS = 400_000, 700_000  # a real file of 10 MB has 292,000 and 579,000
MOST_STEPS = 1_900_000  # steps of replaying the games and reading the entries: about half a second


def read_table(text: bytes, *, most: int | None = None) -> Contents:
    """Return the file's contents. Raise Unreadable, with the first few problems, if the file is invalid.

    `most` limits the computing steps (`scoring/step_budget.py`) for replaying games and reading entries; None
    means no limit. A file that needs more is invalid.
    """
    if most is not None and (
        text.count(b"[") + text.count(b"{") > MOST_BRACKETS or text.count(b",") > MOST_COMMAS
    ):
        raise InvalidFile(TOO_MUCH)
    effort: StepBudget | None = None
    try:
        with count_steps(most) as effort:
            return _read(text)
    except (InvalidFile, RuleError):
        if effort is None or effort.limit is None or effort.used <= effort.limit:
            raise
        raise InvalidFile(TOO_MUCH) from None


def _read(text: bytes) -> Contents:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidFile(what_it_seems(text) or _("This is not a complete JSON file.")) from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InvalidFile(
            what_it_seems(text) or _("This is not the file of a table: “{format}” is missing.", format=FORMAT)
        )
    if (value.get("version"), value.get("shape")) != (VERSION, schema_version.SHAPE):
        raise InvalidFile(_("This file was made by a newer version."))
    return _read_parts(value, sha256(text).hexdigest())


def _read_parts(value: dict[str, Any], digest: str) -> Contents:
    """Read the parts of the file, each after those to which it refers. `digest` is the hash of its text."""
    lists = ("members", "seasons", "games", "payments", "costs", "entries", "debts")
    _showable(list(value))
    whole = JsonObjectReader(value, "format", "version", "shape", "table", *lists)
    with json_reader.error_at(_("The table")):
        contents = rows.read_head(_showable(whole.part("table")))
        contents.digest = digest
    _read_list(whole, "members", _("Member {number}"), MOST_MEMBERS, rows.read_member, contents)
    with json_reader.error_at(_("Members")):
        rows.join_members(whole.part("members"), contents)
    _read_list(whole, "seasons", _("Season {number}"), MOST_SEASONS, rows.read_season, contents)
    with json_reader.error_at(_("Seasons")):
        if not contents.seasons:
            raise InvalidFile(_("A table has at least one season."))
    _read_list(whole, "games", _("Game {number}"), MOST_GAMES, read_game, contents)
    _read_list(whole, "payments", _("Payment {number}"), MOST_ROWS, rows.read_payment, contents)
    _read_list(whole, "costs", _("Expense {number}"), MOST_ROWS, rows.read_cost, contents)
    _read_list(whole, "entries", _("Entry {number}"), MOST_ROWS, rows.read_entry, contents)
    _read_list(whole, "debts", _("Debt {number}"), MOST_ROWS, rows.read_debt, contents)
    return contents


def _read_list(
    whole: JsonObjectReader,
    name: str,
    where: Text,
    most: int,
    read: Callable[[Any, Contents], None],
    contents: Contents,
) -> None:
    """Read each entry of the list `name`, of at most `most` entries, with the function `read`.

    Raise Unreadable with the problems of the first few invalid entries. Each is prefixed by `where`, with the
    entry's number.
    """
    problems: list[Text] = []
    for number, value in enumerate(whole.read_list(name, most=most), start=1):
        spend_steps(ROW)
        try:
            with json_reader.error_at(Text(where.template, {"number": number})):
                read(_showable(value), contents)
        except InvalidFile as wrong:
            problems += wrong.problems
        if len(problems) == PROBLEMS_TOLD:
            problems.append(_("… and perhaps more."))
            break
    if problems:
        raise InvalidFile(*problems)


def _showable(value: Any) -> Any:
    """Return the value. Raise Unreadable if a text in it has a lone surrogate, which no page can show."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InvalidFile(_("It contains half a character, which cannot be shown.")) from None
    return value
