"""The report of reading an old notebook: how much was read, what counts, and what does not."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, field

MOST_EXAMPLES = 3  # texts of a kind that are quoted; the others are counted
LONGEST_EXAMPLE = 40
OTHERS = "…"


@dataclass
class ReadingReport:
    """The counts and quotes of a reading, shown before the import and after it. JSON can store it.

    `rows` are those below the column names that are not empty. `nights` of them count, unless the table has
    `known` of these already. The quoted texts are counted.
    """

    rows: int = 0
    nights: int = 0
    known: int = 0
    empty_rows: int = 0
    left_out_lines: list[int] = field(default_factory=list)  # as sums
    left_out_columns: list[str] = field(default_factory=list)  # as sums
    empty_columns: list[str] = field(default_factory=list)
    above_names: dict[str, int] = field(default_factory=dict)  # the rows above the column names
    day_notes: dict[str, int] = field(default_factory=dict)  # such as a time
    absences: dict[str, int] = field(default_factory=dict)  # cells such as *x*


def quote(texts: MutableMapping[str, int], text: str) -> None:
    """Count this text among those quoted, or among the others if there are too many."""
    short = text if len(text) <= LONGEST_EXAMPLE else f"{text[: LONGEST_EXAMPLE - 1]}{OTHERS}"
    known = short if short in texts or len(texts) < MOST_EXAMPLES else OTHERS
    texts[known] = texts.get(known, 0) + 1
