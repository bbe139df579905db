"""The causes of what a player won or lost in a game, such as stakes, and the split of its money (cómo se repartió).

The causes add up to the amount, and so do the rows of the split: a table of what each put into the pot and took
from it, the differences of totals with each of the others, the points paid to the winner, and prizes. Payments
made since never change them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common.amounts import amount_alone, money, points, tone_of
from games.common.names import Person, isolated
from games.common.words import People, round_number, translate
from games.models import Table
from games.scoring.card_points import LeftoverPoints
from games.scoring.events import PlayerLeft
from games.scoring.kinds import OwnTotals, Pairs, ToWinner
from games.scoring.ledger import nets
from games.scoring.money import POT, Cause, Movement, movements
from games.scoring.state import GameState, Outcome


@dataclass(frozen=True)
class CauseShown:
    """One cause of an amount or of a debt: a text, its part of it, and a link to a page that explains it, or ""."""

    text: str
    amount: str = ""
    href: str = ""


@dataclass(frozen=True)
class Books:
    """All movements of money in a game, from a payer to a payee, and the data needed to explain them."""

    state: GameState
    people: People
    table: Table

    @cached_property
    def moved(self) -> Sequence[Movement]:
        return movements(self.state)

    @property
    def outcome(self) -> Outcome:
        assert self.state.outcome is not None, "a running game has no result"
        return self.state.outcome

    def causes_of(self, player: str) -> tuple[CauseShown, ...]:
        """Return the causes of the amount that this player won or lost, in the order of the movements.

        All prizes of one kind that the player won are one cause, and so are all that the player paid.
        """
        groups: dict[object, list[Movement]] = defaultdict(list)
        for movement in self.moved:
            if player in (movement.payer, movement.payee):
                groups[_group(movement, player)].append(movement)
        return tuple(self._reasoned(group, player) for group in groups.values())

    def _reasoned(self, group: Sequence[Movement], player: str) -> CauseShown:
        amount = sum(_gain(movement, player) for movement in group)
        return CauseShown(self._in_words(group, player), money(amount, self.table, signed=True))

    def _in_words(self, group: Sequence[Movement], player: str) -> str:
        first = group[0]
        match first.cause:
            case Cause.STAKE:
                return _("Stake")
            case Cause.REENTRY:
                return _("Re-entry %(count)s, after round %(number)s") % {
                    "count": first.count,
                    "number": round_number(self.state, first.number),
                }
            case Cause.POT:
                return _("Share of the pot") if self._is_shared else _("The pot")
            case Cause.REFUND:
                return _("Taken back from the pot")
            case Cause.DIFFERENCE:
                return self._difference_in_words(first, player)
            case Cause.POINTS:
                return _("Own points, to the winner: %(points)s") % {"points": self._by_points(first.amount)}
            case Cause.WON_POINTS:
                return _("Share of the others' points") if self._is_shared else _("The others' points")
            case Cause.OWN_TOTAL:
                return _("Own points: %(points)s") % {"points": self._by_points(first.amount)}
            case Cause.ROUND_PRIZE if isinstance(self.state.rules.scoring, LeftoverPoints):
                return self._cuts_in_words(group, is_won=first.payee == player)
            case Cause.ROUND_PRIZE:
                return self._prizes_in_words(group, is_won=first.payee == player)
            case Cause.INSTANT_PRIZE:
                winning = self.state.rules.winning
                assert winning is not None, "nobody else wins at once"
                names = {"closing": translate(winning.short)}
                is_won = first.payee == player
                return (_("Prize for the %(closing)s") if is_won else _("For the %(closing)s")) % names
            case Cause.NOTEBOOK:
                raise AssertionError("the result of an old night has a page of its own")

    @property
    def _is_shared(self) -> bool:
        outcome = self.state.outcome
        return outcome is not None and len(outcome.winners) > 1

    def _difference_in_words(self, movement: Movement, player: str) -> str:
        other = movement.payee if movement.payer == player else movement.payer
        details = {"name": isolated(self.people[other].name), "points": self._by_points(movement.amount)}
        if movement.number in self._departures():
            details["number"] = str(round_number(self.state, movement.number))
            return _("With %(name)s, after round %(number)s: %(points)s") % details
        return _("With %(name)s: %(points)s") % details

    def _departures(self) -> frozenset[int]:
        """Return the numbers, in the game's log, of the events by which a player left the game."""
        return frozenset(step.number for step in self.state.steps if isinstance(step.event, PlayerLeft))

    def _by_points(self, amount: int) -> str:
        """Return the points for which an amount was paid, and the value of one point: `12 points × $ 5`."""
        value = _value(self.state, Pairs) or _value(self.state, ToWinner) or _value(self.state, OwnTotals)
        count = amount // value
        return ngettext("%(points)s point × %(value)s", "%(points)s points × %(value)s", count) % {
            "points": points(count),
            "value": money(value, self.table),
        }

    def _rounds(self, group: Sequence[Movement]) -> list[int]:
        return list(dict.fromkeys(round_number(self.state, movement.number) for movement in group))

    def _prizes_in_words(self, group: Sequence[Movement], *, is_won: bool) -> str:
        rounds = self._rounds(group)
        details = {"rounds": ", ".join(map(str, rounds))}
        if is_won:
            return (
                ngettext("Prize for round %(rounds)s", "Prizes for rounds %(rounds)s", len(rounds)) % details
            )
        return ngettext("For round %(rounds)s", "For rounds %(rounds)s", len(rounds)) % details

    def _cuts_in_words(self, group: Sequence[Movement], *, is_won: bool) -> str:
        rounds = self._rounds(group)
        details = {"rounds": ", ".join(map(str, rounds))}
        if is_won:
            return (
                ngettext(
                    "Prize for the cut of round %(rounds)s",
                    "Prizes for the cuts of rounds %(rounds)s",
                    len(rounds),
                )
                % details
            )
        return (
            ngettext("For the cut of round %(rounds)s", "For the cuts of rounds %(rounds)s", len(rounds))
            % details
        )


def _group(movement: Movement, player: str) -> object:
    """Return a dict key that is equal for movements that are shown as one cause of this player's amount."""
    if movement.cause in (Cause.ROUND_PRIZE, Cause.INSTANT_PRIZE):
        return movement.cause, movement.payee == player
    return movement


def _gain(movement: Movement, player: str) -> int:
    return movement.amount if movement.payee == player else -movement.amount


# --- the split of a game's money --------------------------------------------------------------------------------------

_PUT_IN = (Cause.STAKE, Cause.REENTRY)
_TOOK = (Cause.POT, Cause.REFUND)
_POINTS = (Cause.POINTS, Cause.WON_POINTS, Cause.OWN_TOTAL)


@dataclass(frozen=True)
class Column:
    """A column of the table: what each player won in it.

    It is of the differences with `opponent`, or has a title. `value` is what a point is worth in it, 0 if it is not
    for points.
    """

    title: str
    won: Counter[str]
    value: int = 0
    opponent: Person | None = None


@dataclass(frozen=True)
class Row:
    """A player's row: an amount and its points for each column, "" without any, and the net amount, their sum."""

    person: Person
    cells: tuple[tuple[str, str], ...]
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
    columns = tuple(column for column in _columns(books) if any(column.won.values()))
    return Split(columns, tuple(_rows(columns, books)), _note(books))


def _rows(columns: Sequence[Column], books: Books) -> Iterator[Row]:
    for player, net in nets(books.state).items():
        cells = tuple(_cell(column, player, books) for column in columns)
        yield Row(books.people[player], cells, amount_alone(net, books.table, signed=True), tone_of(net))


def _columns(books: Books) -> Iterator[Column]:
    state, moved = books.state, books.moved
    yield Column(_("Put in"), _won(moved, _PUT_IN))
    yield Column(_("Took"), _won(moved, _TOOK))
    yield Column(_("Points"), _won(moved, _POINTS))
    for opponent in (player.id for player in state.players):
        won = _won([one for one in moved if opponent in (one.payer, one.payee)], (Cause.DIFFERENCE,))
        won.pop(opponent, None)
        yield Column("", won, _value(state, Pairs), books.people[opponent])
    prizes = _("Cuts") if isinstance(state.rules.scoring, LeftoverPoints) else _("Rounds")
    yield Column(prizes, _won(moved, (Cause.ROUND_PRIZE,)))
    yield Column(_("Prize"), _won(moved, (Cause.INSTANT_PRIZE,)))


def _won(moved: Sequence[Movement], causes: Sequence[Cause]) -> Counter[str]:
    """Return what each player won (+) and lost (−) by movements of these causes."""
    won = Counter[str]()
    for movement in moved:
        if movement.cause in causes:
            won[movement.payee] += movement.amount
            won[movement.payer] -= movement.amount
    won.pop(POT, None)
    return won


def _cell(column: Column, player: str, books: Books) -> tuple[str, str]:
    amount = column.won[player]
    if not amount:
        return "", ""
    count = points(amount // column.value, signed=True) if column.value else ""
    return amount_alone(amount, books.table, signed=True), count


def _value(state: GameState, kind: type[Pairs | ToWinner | OwnTotals]) -> int:
    return next((rule.point_value for rule in state.rules.money if isinstance(rule, kind)), 0)


def _note(books: Books) -> str:
    """Return a sentence on the amounts for points: `Difference of totals × $ 10`; "" without such amounts."""
    state = books.state
    if value := _value(state, Pairs):
        return _("Difference of totals × %(value)s") % {"value": money(value, books.table)}
    if value := _value(state, ToWinner):
        return _("Each one's points × %(value)s, to the winner") % {"value": money(value, books.table)}
    if value := _value(state, OwnTotals):
        return _("Each one's points × %(value)s") % {"value": money(value, books.table)}
    return ""
