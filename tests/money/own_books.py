"""A treasurer's own books: what was entered, and who owes whom by a slow reading of RULES 1.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.scoring.debts import simplify_debts
from games.scoring.ledger import Transfer
from tests.scoring.test_debts import ORDER, by_the_text

Nets = Mapping[str, int]
Debts = frozenset[Transfer]


@dataclass
class OwnEntry:
    """An entry: its people, the balances that it moved, its night, and the debts among its people before and after it.

    `stood` are the nets of a game that `before` has already: none if the game was entered whole.
    """

    people: tuple[str, ...]
    moved: Nets
    night: int
    before: Debts
    after: Debts
    stood: Nets = field(default_factory=dict)


@dataclass
class OwnGame:
    """A game as its players tell it: the stake and the night, and what became of it.

    `told` has who won of whom, the winner first, in the order of corrections; `undone` what can be redone.
    """

    night: int
    stake: int
    told: list[tuple[str, ...]]
    undone: list[tuple[str, ...]] = field(default_factory=list)
    is_discarded: bool = False
    spot: Nets | None = None
    last: OwnEntry | None = None

    @property
    def counts(self) -> bool:
        """True while the game is over and not discarded."""
        return bool(self.told) and not self.is_discarded

    @property
    def won(self) -> dict[str, int]:
        """The amounts that its players won and lost."""
        winner, *losers = self.told[-1]
        return {winner: self.stake * len(losers), **dict.fromkeys(losers, -self.stake)}

    @property
    def nets(self) -> dict[str, int]:
        """The amounts that it moves now."""
        if not self.counts:
            return {}
        return {one: net - (self.spot or {}).get(one, 0) for one, net in self.won.items()}


def added(*nets: Nets) -> dict[str, int]:
    total: Counter[str] = Counter()
    for net in nets:
        for one, amount in net.items():
            total[one] += amount
    return {one: amount for one, amount in total.items() if amount}


def less(nets: Nets) -> dict[str, int]:
    return {one: -amount for one, amount in nets.items()}


class OwnBooks:
    """The debts of a table, as somebody with a sheet of paper keeps it."""

    def __init__(self) -> None:
        self.debts: Debts = frozenset()
        self.balances: dict[str, int] = {}
        self.games: dict[int, OwnGame] = {}
        self.claims: dict[int, Transfer] = {}
        self.payments: dict[int, OwnEntry] = {}
        self.costs: dict[int, OwnEntry] = {}

    def among(self, people: Iterable[str]) -> Debts:
        ends = set(people)
        return frozenset(debt for debt in self.debts if {debt.payer, debt.payee} <= ends)

    def visitors(self, night: int) -> set[str]:
        """Return who has played on no earlier night in a game that still counts."""
        earlier = [game for game in self.games.values() if game.counts and game.night < night]
        return set(ORDER).difference(*(game.told[-1] for game in earlier))

    def enter(self, moved: Nets, night: int) -> OwnEntry:
        entry = self._settled(tuple(moved), moved, night, self.among(moved))
        self.balances = added(self.balances, moved)
        return entry

    def take_back(self, entry: OwnEntry) -> None:
        if self.among(entry.people) == entry.after:
            self.debts = self.debts - entry.after | entry.before
        else:
            self._settled(entry.people, less(entry.moved), entry.night, entry.before)
        self.balances = added(self.balances, less(entry.moved))

    def change(self, game: OwnGame, old: Nets) -> None:
        """Enter a game after a change: it moved `old` before."""
        changed, last = added(game.nets, less(old)), game.last
        if not changed:
            return
        if last is None:
            game.last = self.enter(game.nets, game.night)
            return
        if self.among(last.people) == last.after:
            self.debts = self.debts - last.after | last.before
            moved, stood = added(game.nets, less(last.stood)), last.stood
            others = game.nets if not stood else moved
            people = tuple(dict.fromkeys((*last.people, *others)))
        else:
            moved, stood, people = changed, added(old), tuple(changed)
        before = self.among(people)
        game.last = replace(self._settled(people, moved, game.night, before), stood=stood)
        self.balances = added(self.balances, changed)

    def simplify(self, people: Sequence[str], night: int) -> None:
        """Settle anew all debts of those who are no visitors, if that saves a payment."""
        here = [one for one in people if one not in self.visitors(night)]
        anew = simplify_debts(tuple(self.debts), here, ORDER, claims=tuple(self.claims.values()))
        if len(anew) < len(self.debts):
            self.debts = frozenset(anew)

    def _settled(self, people: tuple[str, ...], moved: Nets, night: int, before: Debts) -> OwnEntry:
        if any(moved.values()):
            claims, visitors = tuple(self.claims.values()), self.visitors(night)
            self.debts = frozenset(by_the_text(tuple(self.debts), people, moved, visitors, claims))
        return OwnEntry(people, moved, night, before, self.among(people))

    def merge(self, merged: str, into: str) -> None:
        """Let one person be another from now on, also in old entries; what they paid each other ends."""

        def followed(nets: Nets) -> dict[str, int]:
            total: Counter[str] = Counter()
            for one, amount in nets.items():
                total[into if one == merged else one] += amount
            return dict(total)

        def netted(debts: Debts) -> Debts:
            pairs: Counter[tuple[str, str]] = Counter()
            for debt in debts:
                payer, payee = (into if one == merged else one for one in (debt.payer, debt.payee))
                pairs[payer, payee] += debt.amount
                pairs[payee, payer] -= debt.amount
            return frozenset(Transfer(*pair, amount) for pair, amount in pairs.items() if amount > 0)

        self.debts, self.balances = netted(self.debts), added(followed(self.balances))
        ended = [number for number, entry in self.payments.items() if set(entry.people) == {merged, into}]
        for number in ended:
            del self.payments[number]
        for entry in (*self.payments.values(), *self.costs.values()):
            entry.moved = followed(entry.moved)
            entry.people = tuple(entry.moved)
            entry.before, entry.after = netted(entry.before), netted(entry.after)
