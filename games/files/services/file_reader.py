"""The reader of a table's file. It replays every game and checks every part before anything is stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from games.common import json_reader, schema_version
from games.common.json_reader import InvalidFile, JsonObjectReader
from games.files.services import file_writer, game_reader, other_apps, row_reader
from games.files.services.file_contents import FileContents
from games.models import MOST_MEMBERS
from games.scoring.errors import RuleError
from games.scoring.i18n import Text, _
from games.scoring.step_budget import EVENT_STEPS, StepBudget, count_steps, spend_steps

MOST_SEASONS, MOST_GAMES, MOST_ROWS = 500, 50_000, 200_000
MOST_PROBLEMS = 10
# Limits of an import by a page or a program. The command `manage.py import_table` has none.
LARGEST = 10 * 2**20  # bytes: a few thousand games
TOO_MUCH = _(
    "This file is too big to check here. Nothing was imported. The site's operator can import it "
    "from the command line."
)
ROW = EVENT_STEPS  # the steps counted for a payment, a member, or any other entry of a list
MOST_BRACKETS, MOST_COMMAS = 400_000, 700_000  # a real file of 10 MB has 292,000 and 579,000
MOST_STEPS = 1_900_000  # steps of replaying the games and reading the entries: about half a second


def read_table(text: bytes, *, most: int | None = None) -> FileContents:
    """Return the file's contents. Raise InvalidFile, with the first few problems, if the file is invalid.

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


def _read(text: bytes) -> FileContents:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidFile(other_apps.find_advice(text) or _("This is not a complete JSON file.")) from None
    if not isinstance(value, dict) or value.get("format") != file_writer.FORMAT:
        raise InvalidFile(
            other_apps.find_advice(text)
            or _("This is not a table file: “{format}” is missing.", format=file_writer.FORMAT)
        )
    if (value.get("version"), value.get("shape")) != (file_writer.VERSION, schema_version.SHAPE):
        raise InvalidFile(_("This file is from a newer version."))
    return _read_parts(value, sha256(text).hexdigest())


def _read_parts(value: dict[str, Any], digest: str) -> FileContents:
    """Read the parts of the file, each after those that it refers to. `digest` is the hash of the file."""
    lists = ("members", "seasons", "games", "payments", "costs", "entries", "debts")
    _check_encodable(list(value))
    whole = JsonObjectReader(value, "format", "version", "shape", "table", *lists)
    with json_reader.error_at(_("The table")):
        contents = row_reader.read_table_row(_check_encodable(whole.part("table")))
        contents.digest = digest
    _read_list(whole, "members", _("Member {number}"), MOST_MEMBERS, row_reader.read_member, contents)
    with json_reader.error_at(_("Members")):
        row_reader.read_merges(whole.part("members"), contents)
    _read_list(whole, "seasons", _("Season {number}"), MOST_SEASONS, row_reader.read_season, contents)
    with json_reader.error_at(_("Seasons")):
        if not contents.seasons:
            raise InvalidFile(_("A table has at least one season."))
    _read_list(whole, "games", _("Game {number}"), MOST_GAMES, game_reader.read_game, contents)
    _read_list(whole, "payments", _("Payment {number}"), MOST_ROWS, row_reader.read_payment, contents)
    _read_list(whole, "costs", _("Expense {number}"), MOST_ROWS, row_reader.read_cost, contents)
    with json_reader.error_at(_("Expenses")):
        row_reader.check_versions(contents)
    _read_list(whole, "entries", _("Entry {number}"), MOST_ROWS, row_reader.read_entry, contents)
    _read_list(whole, "debts", _("Debt {number}"), MOST_ROWS, row_reader.read_debt, contents)
    return contents


def _read_list(
    whole: JsonObjectReader,
    name: str,
    where: Text,
    most: int,
    read: Callable[[Any, FileContents], None],
    contents: FileContents,
) -> None:
    """Read each entry of the list `name` with the function `read`.

    Raise InvalidFile for more than `most` entries, or with the problems of the first few invalid ones, each
    prefixed by `where` with the entry's number.
    """
    problems: list[Text] = []
    for number, value in enumerate(whole.read_list(name, most=most), start=1):
        spend_steps(ROW)
        try:
            with json_reader.error_at(Text(where.template, {"number": number})):
                read(_check_encodable(value), contents)
        except InvalidFile as wrong:
            problems += wrong.problems
        if len(problems) == MOST_PROBLEMS:
            problems.append(_("… and perhaps more."))
            break
    if problems:
        raise InvalidFile(*problems)


def _check_encodable(value: Any) -> Any:
    """Return the value. Raise InvalidFile if a text in it has a lone surrogate, which no page can show."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InvalidFile(_("It contains half a character, which cannot be shown.")) from None
    return value
