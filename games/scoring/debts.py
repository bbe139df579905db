"""Debts (deudas): one list of who owes whom at a table, and how each ledger entry rewrites it (RULES 1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .frozen import Frozen
from .ledger import Transfer, transfers
from .rounds import PlayerId

# A debt is a payment still to be made. Two people have at most one, and nobody has one to themselves. The
# tuple is ordered by debtor, then by creditor, in the order of joining.
Debts: TypeAlias = tuple[Transfer, ...]


@dataclass(frozen=True, eq=False, repr=False)
class ChangeBasis(Frozen):
    """The debts, people and differences to settle for a change of a game or an expense, for `settle_entry`.

    The debts are settled among `people`. The ledger entry of the change stores these and `others`, whose
    debts went back too, and the `debts` among all of them as the debts before it. So a second change starts
    from the same basis as the first.
    """

    debts: Debts
    people: tuple[PlayerId, ...]
    differences: Mapping[PlayerId, int]
    others: tuple[PlayerId, ...] = ()


def debts_between(debts: Iterable[Transfer], people: Collection[PlayerId]) -> Debts:
    """Return the debts with both ends among these people."""
    ends = set(people)
    return tuple(debt for debt in debts if debt.payer in ends and debt.payee in ends)


def people_in(debts: Iterable[Transfer]) -> set[PlayerId]:
    return {end for debt in debts for end in (debt.payer, debt.payee)}


def amounts_by_pair(debts: Iterable[Transfer]) -> Counter[tuple[PlayerId, PlayerId]]:
    """Return what the second of each pair owes the first, negative if the first owes the second."""
    amounts = Counter[tuple[PlayerId, PlayerId]]()
    for debt in debts:
        amounts[debt.payee, debt.payer] += debt.amount
        amounts[debt.payer, debt.payee] -= debt.amount
    return amounts


def amount_between(first: PlayerId, other: PlayerId, debts: Iterable[Transfer]) -> int:
    """Return what `other` owes `first`, negative if `first` owes `other`."""
    return sum(
        debt.amount if debt.payer == other else -debt.amount
        for debt in debts
        if {debt.payer, debt.payee} == {first, other}
    )


def balances(debts: Iterable[Transfer]) -> dict[PlayerId, int]:
    """Return each person's balance (saldo): what they are owed (+) or owe (−).

    People without debts are missing.
    """
    amounts: dict[PlayerId, int] = {}
    for debt in debts:
        amounts[debt.payer] = amounts.get(debt.payer, 0) - debt.amount
        amounts[debt.payee] = amounts.get(debt.payee, 0) + debt.amount
    return amounts


def settle_entry(
    debts: Iterable[Transfer],
    people: Sequence[PlayerId],
    differences: Mapping[PlayerId, int],
    *,
    visitors: Collection[PlayerId] = (),
    claims: Iterable[Transfer] = (),
    order: Sequence[PlayerId],
) -> Debts:
    """Return all debts of the table after a ledger entry (asiento).

    `people` are the people of the entry, and `differences` are the changes of their balances, which sum to
    zero. `visitors` are the visitors (visitas) on the night of the entry, and `claims` the unconfirmed
    payments, oldest first. `order` lists everyone in the order of joining.
    """
    debts = tuple(debts)
    regulars = [player for player in people if player not in visitors]
    if not regulars or len(regulars) == len(people):
        return _resettle(debts, people, differences, claims, order)
    entry_transfers = transfers(_sort_by_joining(differences, order))
    rest = debts_between(entry_transfers, regulars)
    with_visitors = [payment for payment in entry_transfers if payment not in rest]
    return _resettle((*debts, *with_visitors), regulars, balances(rest), claims, order)


def reverse_entry(
    debts: Iterable[Transfer],
    people: Sequence[PlayerId],
    before: Debts,
    after: Debts,
    differences: Mapping[PlayerId, int],
    *,
    visitors: Collection[PlayerId] = (),
    claims: Iterable[Transfer] = (),
    order: Sequence[PlayerId],
) -> Debts:
    """Return all debts of the table after a ledger entry is reversed.

    `before` and `after` are the debts among the entry's people before and after it. If the debts are still as
    the entry left them, those before it are restored. Otherwise the opposite differences are settled among
    the same people. The other arguments are those of `settle_entry`.
    """
    debts = tuple(debts)
    if is_unchanged(debts, people, after):
        return _replace(debts, people, before, order)
    return settle_entry(debts, people, _negate(differences), visitors=visitors, claims=claims, order=order)


def change_basis(
    debts: Iterable[Transfer],
    people: Sequence[PlayerId],
    before: Debts,
    after: Debts,
    old: Mapping[PlayerId, int],
    new: Mapping[PlayerId, int],
    *,
    is_expense: bool = False,
    order: Sequence[PlayerId],
) -> ChangeBasis:
    """Return the debts, people and differences to settle for a change of a game, or with `is_expense`, of an
    expense.

    `before` and `after` are the debts among the people of the cause's last ledger entry, before and after it.
    If the debts are still as that entry left them, they go back to those before it, and the entry and the
    change are settled together: an expense only among its own people, if that is all it moves. Otherwise only
    the change is settled, among the people whose net changed.
    """
    debts = tuple(debts)
    net_changes = _add_nets(new, _negate(old))
    if not net_changes or not is_unchanged(debts, people, after):
        return ChangeBasis(_net_and_sort(debts, order), tuple(net_changes), net_changes)
    # The last entry may itself have settled only a difference, as `before` and `after` show. Then only that
    # entry is replaced, and the entries before it still count.
    differences = _add_nets(balances(after), _negate(balances(before)), net_changes)
    whole = (*new, *(() if is_expense else net_changes))
    settled = dict.fromkeys(whole if differences == _add_nets(new) else (*people, *differences))
    others = tuple(player for player in dict.fromkeys((*people, *net_changes)) if player not in settled)
    return ChangeBasis(_replace(debts, people, before, order), tuple(settled), differences, others)


def is_unchanged(debts: Iterable[Transfer], people: Collection[PlayerId], after: Iterable[Transfer]) -> bool:
    """Return whether the debts among an entry's people are still exactly those that it left."""
    return set(debts_between(debts, people)) == set(after)


def merge_debts(
    debts: Iterable[Transfer], merged: PlayerId, into: PlayerId, order: Sequence[PlayerId]
) -> Debts:
    """Return all debts of the table after one member is merged into another (unir).

    A debt between the two is dropped. Their debts with the same third person are netted.
    """

    def resolve(player: PlayerId) -> PlayerId:
        return into if player == merged else player

    return _net_and_sort(
        (Transfer(resolve(debt.payer), resolve(debt.payee), debt.amount) for debt in debts), order
    )


def settle_fewest(
    debts: Iterable[Transfer],
    people: Collection[PlayerId],
    order: Sequence[PlayerId],
    *,
    claims: Iterable[Transfer] = (),
) -> Debts:
    """Return all debts of the table after those among these people are settled anew with the fewest payments.

    Other debts stay, and so does what an unconfirmed payment covers. If this saves no payment, all debts
    stay, unless somebody both owes and is owed.
    """
    current = _net_and_sort(debts, order)
    inside = debts_between(current, people)
    claimed = tuple(_covered_claims(inside, claims))
    unclaimed = _net_and_sort((*inside, *(_opposite(claim) for claim in claimed)), order)
    fewest = transfers(_sort_by_joining(balances(unclaimed), order))
    is_both = {debt.payer for debt in unclaimed} & {debt.payee for debt in unclaimed}
    if len(fewest) < len(unclaimed) or (len(fewest) == len(unclaimed) and is_both):
        return _replace(current, people, (*fewest, *claimed), order)
    return current


def _resettle(
    debts: Debts,
    people: Collection[PlayerId],
    differences: Mapping[PlayerId, int],
    claims: Iterable[Transfer],
    order: Sequence[PlayerId],
) -> Debts:
    """Replace the debts among these people by the fewest payments that clear them and the differences.

    If all differences are 0, the debts stay. Claims are kept apart: a payment that may have been made is not
    moved onto someone else.
    """
    if not any(differences.values()):
        return _net_and_sort(debts, order)
    inside = debts_between(debts, people)
    claimed = tuple(_covered_claims(inside, claims))
    net = _add_nets(balances(inside), _negate(balances(claimed)), differences)
    return _replace(debts, people, (*transfers(_sort_by_joining(net, order)), *claimed), order)


def _covered_claims(debts: Debts, claims: Iterable[Transfer]) -> Iterator[Transfer]:
    """Yield the part of each claim that its debt covers, given the claims before it."""
    remaining = {(debt.payer, debt.payee): debt.amount for debt in debts}
    for claim in claims:
        pair = claim.payer, claim.payee
        amount = min(claim.amount, remaining.get(pair, 0))
        if amount:
            remaining[pair] -= amount
            yield Transfer(*pair, amount)


def _opposite(line: Transfer) -> Transfer:
    return Transfer(line.payee, line.payer, line.amount)


def _replace(
    debts: Debts, people: Collection[PlayerId], by: Iterable[Transfer], order: Sequence[PlayerId]
) -> Debts:
    replaced = set(debts_between(debts, people))
    return _net_and_sort((*(debt for debt in debts if debt not in replaced), *by), order)


def _net_and_sort(lines: Iterable[Transfer], order: Sequence[PlayerId]) -> Debts:
    """Net the lines pair by pair, and list the debts by debtor, then by creditor, in the order of joining."""
    positions = {player: place for place, player in enumerate(order)}
    amounts: Counter[tuple[PlayerId, PlayerId]] = Counter()
    for line in lines:
        if positions[line.payer] < positions[line.payee]:
            amounts[line.payer, line.payee] += line.amount
        elif positions[line.payer] > positions[line.payee]:
            amounts[line.payee, line.payer] -= line.amount
    debts = (
        Transfer(earlier, later, amount) if amount > 0 else Transfer(later, earlier, -amount)
        for (earlier, later), amount in amounts.items()
        if amount
    )
    return tuple(sorted(debts, key=lambda debt: (positions[debt.payer], positions[debt.payee])))


def _sort_by_joining(net: Mapping[PlayerId, int], order: Sequence[PlayerId]) -> dict[PlayerId, int]:
    """Return the amounts in the order of joining, which `transfers` uses to break ties."""
    positions = {player: place for place, player in enumerate(order)}
    return {player: net[player] for player in sorted(net, key=positions.__getitem__)}


def _negate(net: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    return {player: -amount for player, amount in net.items()}


def _add_nets(*nets: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Return the sums by person, without zeros."""
    total: Counter[PlayerId] = Counter()
    for net in nets:
        for player, amount in net.items():
            total[player] += amount
    return {player: amount for player, amount in total.items() if amount}
