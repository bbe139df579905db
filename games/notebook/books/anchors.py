"""Compare the site with an earlier state of it: an anchor, a backup, or a table's file.

An anchor is a short digest of a table's audit trail (the log of changes, a hash chain) at one moment.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from django.db.models import QuerySet

from games.models import Table, TrailEntry
from games.notebook.older import upgraded
from games.notebook.writing import write_table
from games.trail import ROWS_AT_ONCE, anchor_at

_TRAILS = """
    SELECT games_table.code, number, hash, data, at
    FROM games_trailentry JOIN games_table ON games_table.id = table_id ORDER BY games_table.id, number"""


History = Mapping[str, Sequence[object]]


class NothingToCompare(Exception):
    """Raised for a file that is no earlier state of a table here, or for a backup without audit trails."""


def entry_at(anchor: str, trail: QuerySet[TrailEntry]) -> TrailEntry | None:
    """Return the entry of these audit trails of which `anchor` is a digest; None if there is no such entry.

    When the anchor was written, this entry was the newest in its table's audit trail.
    """
    entries = trail.select_related("table").iterator(ROWS_AT_ONCE)
    return next((entry for entry in entries if anchor_at(entry.hash) == anchor), None)


def since_anchors(lines: str) -> Iterator[tuple[Table, str]]:
    """Yield each table whose audit trail no longer has the anchor that a backup noted for it.

    `lines` is the backup's list of anchors: a table's code and its anchor in each line. Each table comes with
    a sentence. A table that was deleted since is left out.
    """
    tables = Table.objects.in_bulk(field_name="code")
    for line in lines.splitlines():
        code, _blank, anchor = line.partition(" ")
        if code in tables and entry_at(anchor, tables[code].trail.all()) is None:
            yield tables[code], "its audit trail never had the anchor in the backup: its history was changed"


def since_backup(backup: sqlite3.Connection) -> Iterator[tuple[Table, str]]:
    """Yield each table whose audit trail differs from the one in a backup.

    Each comes with a sentence on the first entry that differs. Raise NothingToCompare if the backup has no
    audit trails.
    """
    try:
        rows = backup.execute(_TRAILS)
    except sqlite3.OperationalError as error:
        raise NothingToCompare("It was made by a release without an audit trail.") from error
    present: dict[str, dict[int, str]] = {}
    wrong: dict[str, str] = {}
    tables = Table.objects.in_bulk(field_name="code")
    for code, number, hash_then, data, at in rows:
        if code not in tables or code in wrong:
            continue
        if code not in present:
            present[code] = dict(tables[code].trail.values_list("number", "hash"))
        if present[code].get(number) != hash_then:
            names = ", ".join(list(json.loads(data))[:3])
            wrong[code] = (
                f"trail entry {number} of {at} ({names}) is not what it was in the backup, or is gone"
            )
    for code, sentence in wrong.items():
        yield tables[code], sentence


def since_file(text: bytes) -> Iterator[tuple[Table, str]]:
    """Yield the table of the file, with a sentence on the first entry of the file that is gone or altered.

    Yield nothing if the table still has all of the file's entries, perhaps with newer ones. If the file was
    imported here, several tables may match it. Then yield each of them, unless one still has all the entries.

    Raise NothingToCompare if the text is no file of a table of this site.
    """
    try:
        then = upgraded(json.loads(text))
        earlier, created_at = _history(then), then["table"]["created_at"]
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise NothingToCompare("It is neither an anchor, nor a backup, nor the file of a table.") from error
    tables = Table.objects.filter(created_at=created_at, erased_at=None).order_by("pk")
    wrong = {table: _first_difference(earlier, _history(json.loads(write_table(table)))) for table in tables}
    if not wrong:
        raise NothingToCompare("No table of this site was created when the one in the file was.")
    if all(wrong.values()):
        yield from wrong.items()


def _first_difference(earlier: History, present: History) -> str:
    """Return a sentence on the first entry of `earlier` that `present` lacks or has changed; "" if none."""
    for name, entries in earlier.items():
        same = [was == now for was, now in zip_longest(entries, present.get(name, ())[: len(entries)])]
        if not all(same):
            return f"{name}: number {same.index(False) + 1} is not what it was in the file, or is gone"
    return ""


def _history(file: Mapping[str, Any]) -> History:
    """Return the lists in a table's file to which entries are only ever added, by name, such as "payments".

    In a later file of the same table, each list begins with the same entries.
    """
    games = {
        f"game of {game['started_at']}": [
            [batch["at"], event["kind"], event["data"]]
            for batch in game["batches"]
            for event in batch["events"]
        ]
        for game in file["games"]
    }
    steps = {
        f"steps of payment {number}": [[step["turn"], step["at"], step["text"]] for step in payment["steps"]]
        for number, payment in enumerate(file["payments"], start=1)
    }
    return {
        "members": [member["id"] for member in file["members"]],
        **games,
        "payments": [_first_wording(payment) for payment in file["payments"]],
        **steps,
        "costs": [_first_content(cost) for cost in file["costs"]],
        **{
            f"steps of cost {number}": [[step["turn"], step["at"], step["text"]] for step in cost["steps"]]
            for number, cost in enumerate(file["costs"], start=1)
        },
        "closing notes": [
            [note[name] for name in ("night", "made_at", "as_of", "balances", "lines", "text")]
            for note in file["closing_notes"]
        ],
    }


def _first_wording(payment: Mapping[str, Any]) -> Sequence[object]:
    """Return the fields of a payment as it was first recorded, as a list to compare.

    Its amount, method and note are those before any amendment.
    """
    amended = (step["before"] for step in payment["steps"] if step["before"] is not None)
    words = next(amended, payment)
    return [
        payment["payer"],
        payment["payee"],
        payment["recorded_at"],
        words["amount"],
        words["method"],
        words["note"],
    ]


def _first_content(cost: Mapping[str, Any]) -> Sequence[object]:
    """Return the fields of a shared cost as it was first recorded, as a list to compare.

    Its payer, amount, sharers and note are those before any amendment.
    """
    amended = (step["before"] for step in cost["steps"] if step["before"] is not None)
    words = next(amended, cost)
    return [
        cost["night"],
        cost["recorded_at"],
        *(words[name] for name in ("payer", "amount", "sharers", "note")),
    ]
