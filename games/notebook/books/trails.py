"""Compare a table with its audit trail to find rows that were changed, deleted or added outside the app."""

from __future__ import annotations

import json
from collections.abc import Iterator

from games import trail
from games.chain import UNLINKED
from games.models import Table


def wrong_trail(table: Table) -> Iterator[tuple[str, str]]:
    """Yield a name and a sentence for each difference between the table and its trail.

    The name is that of a row of the table, such as "member 12", or of an altered entry of the trail itself,
    such as "trail entry 7".
    """
    expected: dict[str, trail.Content] = {}
    number, before = 0, UNLINKED
    for entry in table.trail.order_by("number").iterator(trail.ROWS_AT_ONCE):
        number += 1
        if entry.number != number or entry.hash != trail.entry_hash(
            before, entry.number, entry.at, entry.data
        ):
            yield f"trail entry {number}", "is not what was recorded, or is gone"
        number, before = entry.number, entry.hash
        expected |= json.loads(entry.data)
    for part in trail.whole(table):
        for name, content in part.items():
            was = expected.pop(name, None)
            if was is None:
                yield name, "was added without a note in the trail"
            elif was != content:
                yield name, f"is {content}, and was recorded as {was}"
    for name, content in expected.items():
        if content is not None:
            yield name, "was recorded, and is gone"
