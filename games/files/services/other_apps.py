"""Files of other apps: advice on what they seem to be, and what can be imported from them and where."""

from __future__ import annotations

import csv
from collections.abc import Collection

from games.files.services import notebook_cells
from games.scoring.i18n import Text, _

SAMPLE_LENGTH = 4000  # characters that suffice to recognize a table of text
PICTURES = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"%PDF")
PICTURES_BY_OFFSET = {4: (b"ftypheic", b"ftypmif1"), 8: (b"WEBP",)}
WORKBOOKS = (b"xl/", b"mimetypeapplication/vnd.oasis")  # in the zip of a spreadsheet
SCORES = frozenset({"score", "points", "puntos", "puntaje"})
PLAYERS = frozenset({"player", "jugador", "jugadora", "nombre", "name"})

NOTEBOOK = _("This looks like a spreadsheet. “An old notebook” in the table settings reads nights from it.")
EXPENSES = _(
    "This looks like a list of expenses from Splitwise. The expenses can't be imported; enter "
    "each person's total, in the last row, as “Starting balances” in the table settings."
)
PLAYS = _(
    "This looks like a file from BG Stats. Its plays can be imported as “An old notebook” in the "
    "table settings: a row for each play with its date, a column for each person, and their "
    "scores."
)
ONE_ROW_EACH = _(
    "This has a row for each player. An old notebook has a row for each night and a column for "
    "each player: turn it around in the spreadsheet (a pivot table), and import it again."
)
WORKBOOK = _("This is a spreadsheet's own file: save it as CSV first, and import it as “An old notebook”.")


def find_advice(content: bytes) -> Text | None:
    """Return a sentence on what this file seems to be and where it can go; None if it is unknown."""
    if not content.strip():
        return _("This file is empty.")
    is_picture = content.startswith(PICTURES) or any(
        content[place : place + 8].startswith(signs) for place, signs in PICTURES_BY_OFFSET.items()
    )
    if is_picture:
        return _("This is a picture or a PDF. Type its nights as “An old notebook” in the table settings.")
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        return WORKBOOK
    if content.startswith((b"PK", b"\x1f\x8b")):
        is_workbook = any(sign in content for sign in WORKBOOKS)
        return WORKBOOK if is_workbook else _("This is a compressed file: unzip it, and import what's in it.")
    if content.lstrip().startswith(b"{") and all(name in content for name in (b'"plays"', b'"players"')):
        return PLAYS
    return _find_text_advice(content[:SAMPLE_LENGTH].decode("utf-8-sig", errors="replace"))


def _find_text_advice(text: str) -> Text | None:
    lines = [line for line in text.splitlines() if line.strip()]
    separator = max("\t;,|", key=lambda delimiter: sum(line.count(delimiter) for line in lines))
    if len(lines) < 2 or lines[0].lstrip().startswith(("{", "[")) or separator not in lines[0]:
        return None
    return find_column_advice(next(csv.reader(lines[:1], delimiter=separator))) or NOTEBOOK


def find_column_advice(names: Collection[str]) -> Text | None:
    """Return a sentence on what a table with these columns seems to be; None if it may be a notebook."""
    known = {notebook_cells.comparison_key(name) for name in names}
    if known >= {"date", "description", "cost", "currency"} or known >= {
        "fecha",
        "descripcion",
        "coste",
        "moneda",
    }:
        return EXPENSES
    return ONE_ROW_EACH if known & SCORES and known & PLAYERS else None
