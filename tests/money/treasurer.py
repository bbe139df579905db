"""A treasurer's own books: what was entered, and who owes whom by a slow reading of RULES 1.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.scoring.debts import simplify_debts
from games.scoring.ledger import Transfer
from tests.scoring.test_debts import ORDER, settle_by_rules

Nets = Mapping[str, int]
Debts = frozenset[Transfer]


@dataclass
class TreasurerEntry:
    """A ledger entry: its people, the balances that it moved, its night, and the debts among its people
    before and after it.

    `included_nets` are the nets of the game that `before` already includes; none if the game was entered
    whole.
    """

    people: tuple[str, ...]
    nets: Nets
    night: int
    before: Debts
    after: Debts
    included_nets: Nets = field(default_factory=dict)


@dataclass
class TreasurerGame:
    """A game as its players remember it: the stake, the night and the outcomes.

    `outcomes` has the players of each correction in order, the winner first; `undone` are the outcomes that
    can be redone.
    """

    night: int
    stake: int
    outcomes: list[tuple[str, ...]]
    undone: list[tuple[str, ...]] = field(default_factory=list)
    is_discarded: bool = False
    spot_nets: Nets | None = None
    last_entry: TreasurerEntry | None = None

    @property
    def counts(self) -> bool:
        """True if the game is finished and not discarded."""
        return bool(self.outcomes) and not self.is_discarded

    @property
    def winnings(self) -> dict[str, int]:
        winner, *losers = self.outcomes[-1]
        return {winner: self.stake * len(losers), **dict.fromkeys(losers, -self.stake)}

    @property
    def nets(self) -> dict[str, int]:
        """The amounts that it moves now."""
        if not self.counts:
            return {}
        return {slug: net - (self.spot_nets or {}).get(slug, 0) for slug, net in self.winnings.items()}


def add_nets(*nets: Nets) -> dict[str, int]:
    total: Counter[str] = Counter()
    for net in nets:
        for slug, amount in net.items():
            total[slug] += amount
    return {slug: amount for slug, amount in total.items() if amount}


def negate_nets(nets: Nets) -> dict[str, int]:
    return {slug: -amount for slug, amount in nets.items()}


class TreasurerBooks:
    """The debts of a table, kept as on a sheet of paper."""

    def __init__(self) -> None:
        self.debts: Debts = frozenset()
        self.balances: dict[str, int] = {}
        self.games: dict[int, TreasurerGame] = {}
        self.claims: dict[int, Transfer] = {}
        self.payments: dict[int, TreasurerEntry] = {}
        self.costs: dict[int, TreasurerEntry] = {}

    def debts_among(self, people: Iterable[str]) -> Debts:
        ends = set(people)
        return frozenset(debt for debt in self.debts if {debt.payer, debt.payee} <= ends)

    def visitors(self, night: int) -> set[str]:
        """Return the members who have played on no earlier night in a game that still counts."""
        earlier = [game for game in self.games.values() if game.counts and game.night < night]
        return set(ORDER).difference(*(game.outcomes[-1] for game in earlier))

    def add_entry(self, nets: Nets, night: int) -> TreasurerEntry:
        entry = self._settle(tuple(nets), nets, night, self.debts_among(nets))
        self.balances = add_nets(self.balances, nets)
        return entry

    def void_entry(self, entry: TreasurerEntry) -> None:
        if self.debts_among(entry.people) == entry.after:
            self.debts = self.debts - entry.after | entry.before
        else:
            self._settle(entry.people, negate_nets(entry.nets), entry.night, entry.before)
        self.balances = add_nets(self.balances, negate_nets(entry.nets))

    def update_game(self, game: TreasurerGame, old: Nets) -> None:
        """Enter a changed game, which moved `old` before."""
        difference, last = add_nets(game.nets, negate_nets(old)), game.last_entry
        if not difference:
            return
        if last is None:
            game.last_entry = self.add_entry(game.nets, game.night)
            return
        if self.debts_among(last.people) == last.after:
            self.debts = self.debts - last.after | last.before
            nets, stood = add_nets(game.nets, negate_nets(last.included_nets)), last.included_nets
            others = game.nets if not stood else nets
            people = tuple(dict.fromkeys((*last.people, *others)))
        else:
            nets, stood, people = difference, add_nets(old), tuple(difference)
        before = self.debts_among(people)
        game.last_entry = replace(self._settle(people, nets, game.night, before), included_nets=stood)
        self.balances = add_nets(self.balances, difference)

    def simplify(self, people: Sequence[str], night: int) -> None:
        """Simplify all debts except visitors', if that saves a payment."""
        regulars = [slug for slug in people if slug not in self.visitors(night)]
        anew = simplify_debts(tuple(self.debts), regulars, ORDER, claims=tuple(self.claims.values()))
        if len(anew) < len(self.debts):
            self.debts = frozenset(anew)

    def _settle(self, people: tuple[str, ...], nets: Nets, night: int, before: Debts) -> TreasurerEntry:
        if any(nets.values()):
            claims, visitors = tuple(self.claims.values()), self.visitors(night)
            self.debts = frozenset(settle_by_rules(tuple(self.debts), people, nets, visitors, claims))
        return TreasurerEntry(people, nets, night, before, self.debts_among(people))

    def merge(self, merged: str, into: str) -> None:
        """Merge one person into another, also in old entries. Payments between the two disappear."""

        def merge_nets(nets: Nets) -> dict[str, int]:
            total: Counter[str] = Counter()
            for slug, amount in nets.items():
                total[into if slug == merged else slug] += amount
            return dict(total)

        def merge_debts(debts: Debts) -> Debts:
            pairs: Counter[tuple[str, str]] = Counter()
            for debt in debts:
                payer, payee = (into if slug == merged else slug for slug in (debt.payer, debt.payee))
                pairs[payer, payee] += debt.amount
                pairs[payee, payer] -= debt.amount
            return frozenset(Transfer(*pair, amount) for pair, amount in pairs.items() if amount > 0)

        self.debts, self.balances = merge_debts(self.debts), add_nets(merge_nets(self.balances))
        ended = [number for number, entry in self.payments.items() if set(entry.people) == {merged, into}]
        for number in ended:
            del self.payments[number]
        for entry in (*self.payments.values(), *self.costs.values()):
            entry.nets = merge_nets(entry.nets)
            entry.people = tuple(entry.nets)
            entry.before, entry.after = merge_debts(entry.before), merge_debts(entry.after)
