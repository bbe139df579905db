"""A treasurer's own books: what was entered, and who owes whom by a slow reading of RULES 1.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.scoring.ledger import Transfer
from tests.scoring.test_debts import ORDER, by_the_text
from tests.scoring.test_settlement import paid_by_the_rules

Nets = Mapping[str, int]
Debts = frozenset[Transfer]


@dataclass
class OwnEntry:
    """An entry: its people, the balances that it moved, and the debts among its people before and after it.

    `stood` are the nets of a game that `before` has already: none if the game was entered whole.
    """

    people: tuple[str, ...]
    moved: Nets
    before: Debts
    after: Debts
    stood: Nets = field(default_factory=dict)


@dataclass
class OwnGame:
    """A game as its players tell it: who won the stake of whom, on which night, and what became of it."""

    night: int
    winner: str
    losers: tuple[str, ...]
    stake: int
    counts: bool = True
    spot: Nets | None = None
    last: OwnEntry | None = None

    @property
    def nets(self) -> dict[str, int]:
        """The amounts that it moves now."""
        if not self.counts:
            return {}
        won = {self.winner: self.stake * len(self.losers), **dict.fromkeys(self.losers, -self.stake)}
        return {one: net - (self.spot or {}).get(one, 0) for one, net in won.items()}


def added(*nets: Nets) -> dict[str, int]:
    total: Counter[str] = Counter()
    for net in nets:
        for one, amount in net.items():
            total[one] += amount
    return {one: amount for one, amount in total.items() if amount}


def less(nets: Nets) -> dict[str, int]:
    return {one: -amount for one, amount in nets.items()}


def cleared(debts: Iterable[Transfer]) -> dict[str, int]:
    return added(*({debt.payer: -debt.amount, debt.payee: debt.amount} for debt in debts))


class OwnBooks:
    """The debts of a table, as somebody with a sheet of paper keeps it."""

    def __init__(self) -> None:
        self.debts: Debts = frozenset()
        self.balances: dict[str, int] = {}
        self.games: dict[str, OwnGame] = {}
        self.claims: dict[int, Transfer] = {}
        self.entries: dict[tuple[str, int], OwnEntry] = {}

    def among(self, people: Iterable[str]) -> Debts:
        ends = set(people)
        return frozenset(debt for debt in self.debts if {debt.payer, debt.payee} <= ends)

    def visitors(self, night: int) -> set[str]:
        """Return who has played on no earlier night in a game that still counts."""
        return set(ORDER) - {
            one
            for game in self.games.values()
            if game.counts and game.night < night
            for one in (game.winner, *game.losers)
        }

    def enter(self, moved: Nets, night: int) -> OwnEntry:
        entry = self._settled(tuple(moved), moved, night, self.among(moved))
        self.balances = added(self.balances, moved)
        return entry

    def take_back(self, entry: OwnEntry, night: int) -> None:
        if self.among(entry.people) == entry.after:
            self.debts = self.debts - entry.after | entry.before
        else:
            self._settled(entry.people, less(entry.moved), night, entry.before)
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

    def simplify(self, people: Sequence[str], night: int) -> bool:
        """Settle anew all debts of those who are no visitors; return whether that saves a payment."""
        here = [one for one in people if one not in self.visitors(night)]
        inside, apart = set(self.among(here)), []
        left = {(debt.payer, debt.payee): debt.amount for debt in inside}
        for claim in self.claims.values():
            pair = claim.payer, claim.payee
            if left.get(pair):
                apart.append(replace(claim, amount=min(claim.amount, left[pair])))
                left[pair] -= apart[-1].amount
        nets = added(cleared(inside), less(cleared(apart)))
        paid = paid_by_the_rules({one: nets[one] for one in ORDER if one in nets})
        pairs: Counter[tuple[str, str]] = Counter()
        for line in (*paid, *apart):
            pairs[line.payer, line.payee] += line.amount
            pairs[line.payee, line.payer] -= line.amount
        anew = {Transfer(*pair, amount) for pair, amount in pairs.items() if amount > 0}
        if len(anew) >= len(inside):
            return False
        self.debts = self.debts - inside | anew
        return True

    def _settled(self, people: tuple[str, ...], moved: Nets, night: int, before: Debts) -> OwnEntry:
        if any(moved.values()):
            claims, visitors = tuple(self.claims.values()), self.visitors(night)
            self.debts = frozenset(by_the_text(tuple(self.debts), people, moved, visitors, claims))
        return OwnEntry(people, moved, before, self.among(people))

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
        for cause, entry in list(self.entries.items()):
            moved = followed(entry.moved)
            self.entries[cause] = OwnEntry(tuple(moved), moved, netted(entry.before), netted(entry.after))
            if cause[0] == "payment" and set(entry.moved) == {merged, into}:
                del self.entries[cause]
