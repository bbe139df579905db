"""A treasurer's own books: what was entered, and who owes whom by a slow reading of RULES 1.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from games.scoring.ledger import Transfer
from tests.scoring.test_debts import ORDER, settle_by_rules
from tests.scoring.test_settlement import payments_by_rules

Nets = Mapping[str, int]
Debts = frozenset[Transfer]


@dataclass
class TreasurerEntry:
    """A ledger entry: its people, the balances that it moved, its night, and the debts among its people
    before and after it.

    `included_nets` are the nets of the game that `before` already includes; none if the game was entered
    whole. `number` is its place among all entries.
    """

    people: tuple[str, ...]
    nets: Nets
    night: int
    before: Debts
    after: Debts
    included_nets: Nets = field(default_factory=dict)
    number: int = 0


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


@dataclass
class TreasurerExpense:
    """An expense as it stands: what it moves, its night, its last entry, and whether it was corrected."""

    nets: Nets
    night: int
    last_entry: TreasurerEntry
    is_corrected: bool = False


def add_nets(*nets: Nets) -> dict[str, int]:
    total: Counter[str] = Counter()
    for net in nets:
        for slug, amount in net.items():
            total[slug] += amount
    return {slug: amount for slug, amount in total.items() if amount}


def negate_nets(nets: Nets) -> dict[str, int]:
    return {slug: -amount for slug, amount in nets.items()}


def debts_among(debts: Debts, people: Iterable[str]) -> Debts:
    ends = set(people)
    return frozenset(debt for debt in debts if {debt.payer, debt.payee} <= ends)


class TreasurerBooks:
    """The debts of a table, kept as on a sheet of paper.

    With `is_fewest`, each entry ends by settling the debts of `people` anew. `number` counts the entries, and
    `altered` is the last of them that changed a debt.
    """

    def __init__(self) -> None:
        self.debts: Debts = frozenset()
        self.balances: dict[str, int] = {}
        self.games: dict[int, TreasurerGame] = {}
        self.claims: dict[int, Transfer] = {}
        self.payments: dict[int, TreasurerEntry] = {}
        self.costs: dict[int, TreasurerExpense] = {}
        self.people = list(ORDER)
        self.is_fewest, self.latest_night, self.number, self.altered = False, 0, 0, 0

    def visitors(self, night: int) -> set[str]:
        """Return the members who have played on no earlier night in a game that still counts."""
        earlier = [game for game in self.games.values() if game.counts and game.night < night]
        return set(ORDER).difference(*(game.outcomes[-1] for game in earlier))

    def add_entry(self, nets: Nets, night: int) -> TreasurerEntry:
        entry = self._settle(tuple(nets), nets, night, self.debts)
        self.balances = add_nets(self.balances, nets)
        return entry

    def void_entry(self, entry: TreasurerEntry) -> None:
        if debts_among(self.debts, entry.people) == entry.after:
            debts, is_newest = self.debts - entry.after | entry.before, self.altered <= entry.number
            self._number_entry(debts, entry.night)
            if not is_newest:
                self.settle_fewest(entry.night)
        else:
            self._settle(entry.people, negate_nets(entry.nets), entry.night, self.debts)
        self.balances = add_nets(self.balances, negate_nets(entry.nets))

    def update_game(self, game: TreasurerGame, old: Nets) -> None:
        """Enter a changed game, which moved `old` before."""
        if game.last_entry is None and add_nets(game.nets, negate_nets(old)):
            game.last_entry = self.add_entry(game.nets, game.night)
        elif game.last_entry is not None:
            game.last_entry = self._change(game.last_entry, game.nets, old, game.night)

    def enter_expense(self, number: int, nets: Nets, night: int) -> None:
        self.costs[number] = TreasurerExpense(nets, night, self.add_entry(nets, night))

    def correct_expense(self, number: int, nets: Nets) -> None:
        """Enter a corrected expense, which is settled only among its own people."""
        cost = self.costs[number]
        cost.is_corrected = cost.is_corrected or bool(add_nets(nets, negate_nets(cost.nets)))
        cost.last_entry = self._change(cost.last_entry, nets, cost.nets, cost.night, is_expense=True)
        cost.nets = nets

    def void_expense(self, number: int) -> None:
        """Take an expense back; of a corrected one this is a change to nothing."""
        if self.costs[number].is_corrected:
            self.correct_expense(number, {})
            del self.costs[number]
        else:
            self.void_entry(self.costs.pop(number).last_entry)

    def _change(
        self, last: TreasurerEntry, new: Nets, old: Nets, night: int, *, is_expense: bool = False
    ) -> TreasurerEntry:
        """Enter a change, and return its entry, or the last one if nothing changed."""
        difference = add_nets(new, negate_nets(old))
        if not difference:
            return last
        others: tuple[str, ...] = ()
        is_undone = False
        if debts_among(self.debts, last.people) == last.after:
            basis, stood = self.debts - last.after | last.before, last.included_nets
            nets = add_nets(new, negate_nets(stood))
            whole = (*new, *(() if is_expense else difference))
            people = tuple(dict.fromkeys((*last.people, *nets) if stood else whole))
            others = tuple(slug for slug in (*last.people, *difference) if slug not in people)
            is_undone = not nets and self.altered <= last.number
        else:
            basis, nets, stood, people = self.debts, difference, add_nets(old), tuple(difference)
        entry = self._settle(people, nets, night, basis, others, is_exact=is_undone)
        self.balances = add_nets(self.balances, difference)
        return replace(entry, included_nets=stood)

    def settle_fewest(self, night: int, moved: Iterable[str] = ()) -> None:
        """With the setting, pay by fewer payments, or so that nobody pays and is paid.

        The debts of visitors and what is claimed stay.
        """
        if not self.is_fewest:
            return
        people = [slug for slug in ORDER if slug in {*self.people, *moved}]
        visitors = self.visitors(max(self.latest_night, night))
        regulars = [slug for slug in people if slug not in visitors] or people
        inside = debts_among(self.debts, regulars)
        sheet = Counter({(debt.payer, debt.payee): debt.amount for debt in inside})
        lines = Counter[tuple[str, str]]()
        for claim in self.claims.values():
            pair = claim.payer, claim.payee
            part = min(claim.amount, sheet[pair])
            sheet[pair] -= part
            lines[pair] += part
        nets = dict.fromkeys(regulars, 0)
        owed = [pair for pair in sheet if sheet[pair]]
        for payer, payee in owed:
            nets[payer] -= sheet[payer, payee]
            nets[payee] += sheet[payer, payee]
        fewest = payments_by_rules(nets)
        is_both = {payer for payer, _payee in owed} & {payee for _payer, payee in owed}
        if len(fewest) < len(owed) or (len(fewest) == len(owed) and is_both):
            for line in fewest:
                lines[line.payer, line.payee] += line.amount
            netted = {pair: amount - lines[pair[::-1]] for pair, amount in [*lines.items()]}
            anew = {Transfer(*pair, amount) for pair, amount in netted.items() if amount > 0}
            self._number_entry(self.debts - inside | anew, night)

    def _number_entry(self, debts: Debts, night: int) -> None:
        self.number += 1
        self.altered = self.number if debts != self.debts else self.altered
        self.debts, self.latest_night = debts, max(self.latest_night, night)

    def _settle(
        self,
        people: tuple[str, ...],
        nets: Nets,
        night: int,
        basis: Debts,
        others: tuple[str, ...] = (),
        *,
        is_exact: bool = False,
    ) -> TreasurerEntry:
        """Settle an entry from the debts `basis`, and then anew unless the entry takes the newest one back."""
        debts, was = basis, self.debts
        if any(nets.values()):
            claims, visitors = tuple(self.claims.values()), self.visitors(night)
            debts = frozenset(settle_by_rules(tuple(basis), people, nets, visitors, claims))
        self._number_entry(debts, night)
        if not is_exact:
            self.settle_fewest(night, [slug for slug, amount in nets.items() if amount])
        ends = {end for debt in self.debts ^ debts for end in (debt.payer, debt.payee)}
        everybody = tuple(dict.fromkeys((*people, *others, *ends)))
        self.altered = self.number if self.debts != was else self.altered
        before, after = (debts_among(some, everybody) for some in (basis, self.debts))
        return TreasurerEntry(everybody, nets, night, before, after, number=self.number)

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

        self._number_entry(merge_debts(self.debts), 0)
        self.balances = add_nets(merge_nets(self.balances))
        ended = [number for number, entry in self.payments.items() if set(entry.nets) == {merged, into}]
        for number in ended:
            del self.payments[number]
        games = [game.last_entry for game in self.games.values() if game.last_entry]
        for cost in self.costs.values():
            cost.nets = merge_nets(cost.nets)
        costs = [cost.last_entry for cost in self.costs.values()]
        for entry in (*self.payments.values(), *costs, *games):
            entry.nets = merge_nets(entry.nets)
            entry.people = tuple(dict.fromkeys(into if slug == merged else slug for slug in entry.people))
            entry.before, entry.after = merge_debts(entry.before), merge_debts(entry.after)
