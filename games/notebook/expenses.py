"""Read the expenses of a group as Splitwise exports them: the third layout of an old notebook.

Each row is an expense or a payment between people. After the columns *Cost* and *Currency*, each person has a
column with the change of their balance by this row: above zero it is owed to them. The last row, *Total
balance*, has no cost and adds up the rows above.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.names import same_name
from games.notebook.figures import folded, is_absent, read_figure
from games.scoring.words import Text, _

Row = tuple[int, Sequence[str]]

CENTS = 2  # decimals of the amounts
MOST_PEOPLE = 100
MOST_PROBLEMS = 100  # after so many problems, the rest of the file is not read
COST = frozenset({"cost", "coste", "costo"})
CURRENCY = frozenset({"currency", "moneda", "divisa"})
BALANCE = frozenset({"total balance", "balance total", "saldo total"})
TOTAL = BALANCE | {"total"}
# Amounts that can be read in two ways: three digits after a comma or point may be thousands or decimals. And
# amounts that begin with a comma or point. Minus signs and currencies were removed before.
_UNCLEAR = re.compile(r"[.,]?\d*[.,]\d{3}[.,]?|[.,]\d+")


@dataclass
class Expenses:
    """The balance of each person of a group, in cents of `currency`: the sums of the rows of a file.

    `rows` counts the rows that were read. `has_total` is True if the file ends with its own total, which
    agrees.
    """

    currency: str = ""
    balances: dict[str, int] = field(default_factory=dict)
    rows: int = 0
    has_total: bool = False

    @property
    def left_over(self) -> int:
        """The sum of all balances in cents; not always zero, because the amounts in the rows are rounded."""
        return sum(self.balances.values())

    @property
    def evened(self) -> dict[str, int]:
        """The balances, corrected by a few cents so that their sum is zero.

        Everybody takes an equal part of the cents left over. Of the remaining cents, the people with the
        largest balances (owed or owing) take one each.
        """
        each, more = divmod(abs(self.left_over), len(self.balances))
        taken = 1 if self.left_over > 0 else -1
        largest = sorted(self.balances, key=lambda name: -abs(self.balances[name]))
        return {
            name: balance - taken * (each + (name in largest[:more]))
            for name, balance in self.balances.items()
        }


def is_of_expenses(names: Sequence[str]) -> bool:
    """Return whether these names of columns are the header of a group's expenses."""
    plain = {folded(name) for name in names}
    return bool(plain & COST and plain & CURRENCY)


def read_expenses(head: Row, rows: Sequence[Row], wrong: Callable[[int, Text], None]) -> Expenses:
    """Return the balances of the people in the header. Call `wrong` with each problem's line and text."""
    line, names = head
    places = _places_of(names)
    people = {place: name for place, name in enumerate(names) if place > places.currency and name}
    if not 1 < len(people) <= MOST_PEOPLE:
        wrong(line, _("The currency must be followed by 2 to {most} columns of people.", most=MOST_PEOPLE))
        return Expenses()
    for place, name in people.items():
        if any(same_name(name, other) for before, other in people.items() if before < place):
            wrong(line, _("Two columns are called {name}.", name=name))
            return Expenses()
    problems: list[tuple[int, Text]] = []
    reader = _Reader(
        Expenses(balances=dict.fromkeys(people.values(), 0)),
        places,
        people,
        lambda line, text: problems.append((line, text)),
    )
    for row in rows:
        if not reader.read(*row) or len(problems) >= MOST_PROBLEMS:
            break
    for problem in problems:
        wrong(*problem)
    if not reader.expenses.rows and not problems:
        wrong(0, _("There are no expenses below the names of the columns."))
    return reader.expenses


@dataclass(frozen=True)
class _Places:
    """The positions of the columns *Cost* and *Currency*; `width` counts the columns up to the last name."""

    cost: int
    currency: int
    width: int


def _places_of(names: Sequence[str]) -> _Places:
    plain = [folded(name) for name in names]
    cost, currency = (
        next(place for place, name in enumerate(plain) if name in wanted) for wanted in (COST, CURRENCY)
    )
    return _Places(cost, currency, width=_width(names))


def _width(cells: Sequence[str]) -> int:
    """Return the number of cells up to the last one that is not blank."""
    return max((place for place, cell in enumerate(cells, start=1) if cell), default=0)


@dataclass
class _Reader:
    """A reader that adds up rows. `people` has names by column. `is_over` is True after the total."""

    expenses: Expenses
    places: _Places
    people: dict[int, str]
    wrong: Callable[[int, Text], None]
    is_over: bool = False

    def read(self, line: int, cells: Sequence[str]) -> bool:
        """Read a row, and return whether the next row may be read too.

        It may not if this row has another currency, or is below the total.
        """
        if self.is_over:
            self.wrong(line, _("This row is below the total balance, which has to be the last row."))
            return False
        self.is_over = self._is_total(cells)
        if not self._is_whole(line, cells):
            return True
        currency = self._cell(cells, self.places.currency)
        self.expenses.currency = self.expenses.currency or currency
        if currency != self.expenses.currency and not (self.is_over and not currency):
            self.wrong(
                line,
                _(
                    "This row is in {currency}, others are in {other}. Several currencies cannot be added up.",
                    currency=currency[:20],
                    other=self.expenses.currency[:20],
                ),
            )
            return False
        amounts = {
            name: self._amount(line, cells[place])
            for place, name in self.people.items()
            if place < len(cells)
        }
        if self.is_over:
            self._compare(line, amounts)
        else:
            self._add(line, amounts)
        return True

    def _is_total(self, cells: Sequence[str]) -> bool:
        """Return whether the row is the total. An expense may be called *Total* too, but it has a cost."""
        names = {folded(cell) for cell in cells[: self.places.currency]}
        return bool(names & BALANCE or (names & TOTAL and is_absent(self._cell(cells, self.places.cost))))

    def _is_whole(self, line: int, cells: Sequence[str]) -> bool:
        """Return whether the row has a cell for each column, and a currency. If not, report a problem.

        The row of the total may be shorter and needs no currency.
        """
        width = self.places.width
        if _width(cells) > width or (len(cells) < width and not self.is_over):
            count = max(len(cells), _width(cells))
            self.wrong(
                line,
                _("This row has {count} cells, and the header has {width}.", count=count, width=width),
            )
            return False
        if not self._cell(cells, self.places.currency) and not self.is_over:
            self.wrong(line, _("This row names no currency."))
            return False
        return True

    def _cell(self, cells: Sequence[str], place: int) -> str:
        return cells[place] if place < len(cells) else ""

    def _amount(self, line: int, written: str) -> int:
        amount = read_figure(written, CENTS) if written else 0
        if amount is None or _UNCLEAR.fullmatch(re.sub(r"[^\d.,]", "", written)):
            self.wrong(line, _("“{text}” is not an amount like 12.50.", text=written[:40]))
            return 0
        return amount

    def _add(self, line: int, amounts: dict[str, int]) -> None:
        """Add the amounts of a row to the balances.

        They are rounded, so their sum may miss zero by less than a cent for each person.
        """
        shared = sum(amount != 0 for amount in amounts.values())
        if shared and abs(sum(amounts.values())) >= shared:
            self.wrong(
                line,
                _(
                    "The amounts of this row add up to {sum}, not to zero.",
                    sum=in_decimals(sum(amounts.values())),
                ),
            )
        for name, amount in amounts.items():
            self.expenses.balances[name] += amount
        self.expenses.rows += 1

    def _compare(self, line: int, amounts: dict[str, int]) -> None:
        for name, amount in amounts.items():
            added = self.expenses.balances[name]
            if amount != added:
                self.wrong(
                    line,
                    _(
                        "The total of {name} says {total}, but the rows above add up to {sum}: is a row missing?",
                        name=name[:40],
                        total=in_decimals(amount),
                        sum=in_decimals(added),
                    ),
                )
        self.expenses.has_total = len(amounts) == len(self.people)


def in_decimals(cents: int) -> str:
    """Return an amount in cents as files write it: `-12.50`."""
    whole, part = divmod(abs(cents), 10**CENTS)
    return f"{'-' if cents < 0 else ''}{whole}.{part:0{CENTS}d}"
