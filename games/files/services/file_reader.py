"""The reader of a table's file. It replays every game and checks every part before anything is stored."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from games.common import json_reader, schema_version
from games.common.json_reader import InvalidFile, JsonObjectReader
from games.files.services import file_writer, game_reader, ledger_proof, other_apps, row_reader
from games.files.services.file_contents import FileContents
from games.models import MOST_MEMBERS
from games.scoring.errors import RuleError
from games.scoring.i18n import Text, _
from games.scoring.step_budget import count_steps, spend_steps

MOST_SEASONS, MOST_GAMES, MOST_ROWS = 500, 50_000, 200_000
MOST_PROBLEMS = 10
# Limits of an import by a page or a program. The command `manage.py import_table` has none.
LARGEST = 10 * 2**20  # bytes: a few thousand games
TOO_MUCH = _(
    "This file is too big to check here. Nothing was imported. The site's operator can import it "
    "from the command line."
)
MOST_STEPS = 1_900_000  # steps of reading the file, replaying its games and proving its ledger: half a second
# The measured steps of a value (a field, a share, an item of a list), of a row besides its values, and of looking
# for half a character in a value.
VALUE_STEPS, ROW_STEPS, ENCODING_STEPS = 4, 150, 3
HALF_CHARACTER = re.compile(rb"\xed[\xa0-\xbf]")  # in UTF-8, where it is invalid

ROW_LABELS = {
    "members": _("Member {number}"),
    "seasons": _("Season {number}"),
    "games": _("Game {number}"),
    "payments": _("Payment {number}"),
    "costs": _("Expense {number}"),
    "entries": _("Entry {number}"),
    "debts": _("Debt {number}"),
}
FILE_FIELDS = frozenset(("format", "version", "shape", "table", *ROW_LABELS))


def read_checked(text: bytes) -> FileContents:
    """Return the contents of a file that somebody sent, once its ledger was proved.

    Raise InvalidFile like `read_table`, and if this takes more than MOST_STEPS (`scoring/step_budget.py`).
    """
    with count_steps(MOST_STEPS) as effort:
        try:
            contents = read_table(text)
            ledger_proof.check_ledger(contents)
        except (InvalidFile, RuleError):
            if effort.used <= MOST_STEPS:
                raise
            raise InvalidFile(TOO_MUCH) from None
        return contents


def read_table(text: bytes) -> FileContents:
    """Return the file's contents. Raise InvalidFile, with the first few problems, if the file is invalid.

    The steps of each value are counted before the file is parsed.
    """
    count = text.count(b",")  # of the values, which commas separate; commas in texts count too
    spend_steps(VALUE_STEPS * count)
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
    if _may_have_half_characters(text):
        spend_steps(ENCODING_STEPS * count)
        _check_encodable(value)
    return _read_parts(value, sha256(text).hexdigest())


def _read_parts(value: dict[str, Any], digest: str) -> FileContents:
    """Read the parts of the file, each after those that it refers to. `digest` is the hash of the file."""
    whole = JsonObjectReader(value, FILE_FIELDS)
    with json_reader.error_at(_("The table")):
        contents = row_reader.read_table_row(whole.part("table"))
        contents.digest = digest
    _read_list(whole, "members", MOST_MEMBERS, row_reader.read_member, contents)
    with json_reader.error_at(_("Members")):
        row_reader.read_merges(whole.part("members"), contents)
    _read_list(whole, "seasons", MOST_SEASONS, row_reader.read_season, contents)
    with json_reader.error_at(_("Seasons")):
        if not contents.seasons:
            raise InvalidFile(_("A table has at least one season."))
    _read_list(whole, "games", MOST_GAMES, game_reader.read_game, contents)
    _read_list(whole, "payments", MOST_ROWS, row_reader.read_payment, contents)
    _read_list(whole, "costs", MOST_ROWS, row_reader.read_cost, contents)
    with json_reader.error_at(_("Expenses")):
        row_reader.check_versions(contents)
    _read_list(whole, "entries", MOST_ROWS, row_reader.read_entry, contents)
    _read_list(whole, "debts", MOST_ROWS, row_reader.read_debt, contents)
    return contents


def _read_list(
    whole: JsonObjectReader,
    name: str,
    most: int,
    read: Callable[[Any, FileContents], None],
    contents: FileContents,
) -> None:
    """Read each entry of the list `name` with the function `read`.

    Raise InvalidFile for more than `most` entries, or with the problems of the first few invalid ones, each
    prefixed by its label.
    """
    problems: list[Text] = []
    for number, value in enumerate(whole.read_list(name, most=most), start=1):
        spend_steps(ROW_STEPS)
        try:
            with json_reader.error_at(_row_label(name, number)):
                read(value, contents)
        except InvalidFile as wrong:
            problems += wrong.problems
        if len(problems) == MOST_PROBLEMS:
            problems.append(_("… and perhaps more."))
            break
    if problems:
        raise InvalidFile(*problems)


def _row_label(name: str, number: int) -> Text:
    return Text(ROW_LABELS[name].template, {"number": number})


def _may_have_half_characters(text: bytes) -> bool:
    """Return whether a text of this JSON may have a lone surrogate: as `\\ud800`, or unless it is valid UTF-8."""
    return b"\\ud" in text.lower() or b"\0" in text or HALF_CHARACTER.search(text) is not None


def _check_encodable(value: dict[str, Any]) -> None:
    """Raise InvalidFile, with its place, if a text in the file has a lone surrogate, which no page can show."""
    for name, part in value.items():
        rows = part if isinstance(part, list) and name in ROW_LABELS else [part]
        for number, row in enumerate(rows, start=1):
            try:
                json.dumps([name, row], ensure_ascii=False).encode()
            except UnicodeEncodeError:
                where = _row_label(name, number) if name in ROW_LABELS else _("The table")
                problem = _("It contains half a character, which cannot be shown.")
                raise InvalidFile(_("{where}: {problem}", where=where, problem=problem)) from None
