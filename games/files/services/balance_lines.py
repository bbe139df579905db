"""Starting balances as people write them: a line for each person, with the amount; a minus sign is a debt."""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.common import naming, parsing
from games.common.regions import Region
from games.files.services.notebook_cells import LineProblem
from games.models import MOST_ACTIVE, NAME_LENGTH, Table
from games.money.services import starting_balances
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import setup

# Only for short lines: its parts overlap, so the time grows with the cube of a line's length.
LINE = re.compile(r"(?P<name>.*?)[\s:;=]*(?P<sign>[-+−–]?)\s*(?P<amount>\d[\d.,]*)\s*")
LONGEST_LINE = 3 * NAME_LENGTH


@dataclass(frozen=True)
class BalanceLine:
    """A person's balance; below zero, they owe it."""

    name: str
    balance: int


def read_balances(text: str, table: Table, region: Region) -> tuple[list[BalanceLine], list[LineProblem]]:
    """Return the balances of these lines, in the table's smallest coin, and the problems of the others."""
    rows: list[BalanceLine] = []
    problems: list[LineProblem] = []
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MOST_ACTIVE:
        return [], [LineProblem(0, setup.TOO_MANY_PEOPLE)]
    for number, line in lines:
        try:
            rows.append(_read_line(line, table, region, [row.name for row in rows]))
        except RuleError as refusal:
            problems.append(LineProblem(number, refusal.text))
    if lines and not problems:
        try:
            starting_balances.check_balances([row.balance for row in rows])
        except RuleError as refusal:
            problems.append(LineProblem(0, refusal.text))
    return rows, problems


def _read_line(line: str, table: Table, region: Region, known: list[str]) -> BalanceLine:
    match = LINE.fullmatch(line) if len(line) <= LONGEST_LINE else None
    amount = parsing.parse_amount(match["amount"], table, region) if match else None
    if match is None or amount is None:
        raise RuleError(_("Write a name and an amount, such as {example}.", example="Ana -3000"))
    name = naming.clean_name(match["name"], longest=NAME_LENGTH)
    naming.check_name_free(name, {each: each for each in known})
    return BalanceLine(name, -amount if match["sign"] in ("-", "−", "–") else amount)
