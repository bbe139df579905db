"""The split of a game's money (cómo se repartió): a table whose rows add up to each player's net amount.

Its columns are what each put into the pot and took from it, the differences of totals with each of the
others, the points paid to the winner, and prizes. Payments made since never change it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.common.amounts import amount_alone, money, points, tone_of
from games.common.names import isolated
from games.common.people import Person
from games.money.pages.causes import Books
from games.scoring.kinds import Pairs, ToWinner
from games.scoring.money import POT, Cause, Movement
from games.scoring.state import GameState

_PUT_IN = (Cause.STAKE, Cause.REENTRY)
_TOOK = (Cause.POT, Cause.REFUND)
_POINTS = (Cause.POINTS, Cause.WON_POINTS)


@dataclass(frozen=True)
class Cell:
    """An amount won (+) or lost (−), and the points for which it was; both are "" without any."""

    amount: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Column:
    """A column of the table: its heading, and the player whose column of differences it is, if any."""

    title: str
    person: Person | None = None


@dataclass(frozen=True)
class Row:
    """A player's row: a cell for each column, and the net amount, which they add up to."""

    person: Person
    cells: tuple[Cell, ...]
    net: str
    tone: str


@dataclass(frozen=True)
class Split:
    """The table; `note` says how an amount follows from a difference of points, "" without such amounts."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str


def split_of(books: Books) -> Split | None:
    """Return how a game's money was split, the players in the order of their seats; None if none moved."""
    if not books.moved:
        return None
    seated = [player.id for player in books.state.players]
    parts = [part for part in _parts(books, seated) if any(part.won.values())]
    net = Counter[str]()
    for part in parts:
        net.update(part.won)
    return Split(
        tuple(Column(part.title, books.people[part.opponent] if part.opponent else None) for part in parts),
        tuple(
            Row(
                books.people[player],
                tuple(_cell(part, player, books) for part in parts),
                amount_alone(net[player], books.table, signed=True),
                tone_of(net[player]),
            )
            for player in seated
        ),
        _note(books),
    )


@dataclass(frozen=True)
class _Part:
    """A column to be: what each player won in it, and the value of a point if it was for points."""

    title: str
    won: Counter[str]
    value: int = 0
    opponent: str = ""


def _parts(books: Books, seated: Sequence[str]) -> Iterator[_Part]:
    state, moved = books.state, books.moved
    yield _Part(_("Put in"), _won(moved, _PUT_IN))
    yield _Part(_("Took"), _won(moved, _TOOK))
    yield _Part(_("Points"), _won(moved, _POINTS), _value(state, ToWinner))
    for opponent in seated:
        between = [one for one in moved if opponent in (one.payer, one.payee)]
        won = _won(between, (Cause.DIFFERENCE,))
        won.pop(opponent, None)
        title = isolated(books.people[opponent].name)
        yield _Part(title, won, _value(state, Pairs), opponent)
    yield _Part(_("Cuts"), _won(moved, (Cause.CUT_PRIZE,)))
    yield _Part(_("Prize"), _won(moved, (Cause.INSTANT_PRIZE,)))
    yield _Part(_("Notebook"), _won(moved, (Cause.NOTEBOOK,)))


def _won(moved: Sequence[Movement], causes: Sequence[Cause]) -> Counter[str]:
    """Return what each player won (+) and lost (−) by movements of these causes."""
    won = Counter[str]()
    for movement in moved:
        if movement.cause in causes:
            won[movement.payee] += movement.amount
            won[movement.payer] -= movement.amount
    won.pop(POT, None)
    return won


def _cell(part: _Part, player: str, books: Books) -> Cell:
    amount = part.won[player]
    if not amount:
        return Cell()
    return Cell(
        amount_alone(amount, books.table, signed=True),
        points(amount // part.value, signed=True) if part.value and part.opponent else "",
    )


def _value(state: GameState, kind: type[Pairs | ToWinner]) -> int:
    return next((rule.point_value for rule in state.rules.money if isinstance(rule, kind)), 0)


def _note(books: Books) -> str:
    """Return a sentence on the amounts for points: `Difference of totals × $ 10`; "" without such amounts."""
    state = books.state
    if value := _value(state, Pairs):
        return _("Difference of totals × %(value)s") % {"value": money(value, books.table)}
    if value := _value(state, ToWinner):
        return _("Each one's points × %(value)s, to the winner") % {"value": money(value, books.table)}
    return ""
