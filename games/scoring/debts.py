"""Debts (deudas): one list of who owes whom at a table, and how each entry rewrites it (RULES 1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .ledger import Transfer, transfers
from .rounds import PlayerId

# A debt is a payment still to be made. Two people have at most one, and nobody has one to themselves. The
# tuple is ordered by debtor, then by creditor, in the order of joining.
Debts: TypeAlias = tuple[Transfer, ...]


@dataclass(frozen=True)
class ChangeBasis:
    """The debts, people and differences by which a change of a game is settled.

    The entry of the change keeps `people`, and of `debts` those among them as the debts before it, so that a
    second change starts from the same basis as the first. A change that moves nothing makes no entry.
    """

    debts: Debts
    people: tuple[PlayerId, ...]
    differences: Mapping[PlayerId, int]


def debts_between(debts: Iterable[Transfer], people: Collection[PlayerId]) -> Debts:
    """Return the debts (deudas) of which both ends are among these people."""
    ends = set(people)
    return tuple(debt for debt in debts if debt.payer in ends and debt.payee in ends)


def balances(debts: Iterable[Transfer]) -> dict[PlayerId, int]:
    """Return the balance (saldo) that the debts add up to: what each person is owed (+) or owes (−)."""
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
    """Return all debts (deudas) of the table after an entry (asiento).

    `people` are the people of the entry, and `differences` what it adds to their balances; these sum to zero.
    `visitors` are the visitors (visitas) on the night of the entry. `claims` are the payments that wait for
    the payee's answer, the oldest first. `order` is everybody in the order of joining.
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
    """Return all debts (deudas) after an entry (asiento) is taken back.

    `before` and `after` are the debts among its people before the entry and as it left them. If they stand as
    it left them, those before it are back. Else the opposite differences are settled for the same people.
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
    order: Sequence[PlayerId],
) -> ChangeBasis:
    """Return the debts (deudas), people and differences by which a change of a game (partida) is settled.

    If the debts among the people of the game's last entry stand as it left them, these are the debts before
    that entry, everybody in the game, and the new nets. Else they are the debts as they are, and whoever's net
    changed. `settle_entry` takes what it returns.
    """
    debts = tuple(debts)
    net_changes = _add_nets(new, _negate(old))
    if not net_changes or not is_unchanged(debts, people, after):
        return ChangeBasis(_net_and_sort(debts, order), tuple(net_changes), net_changes)
    # The last entry may itself have moved only a difference, which `before` and `after` tell. Then that entry
    # is replaced, and the ones before it still count.
    differences = _add_nets(balances(after), _negate(balances(before)), net_changes)
    is_whole = differences == _add_nets(new)
    everybody = dict.fromkeys((*people, *(new if is_whole else differences)))
    return ChangeBasis(_replace(debts, people, before, order), tuple(everybody), differences)


def is_unchanged(debts: Iterable[Transfer], people: Collection[PlayerId], after: Iterable[Transfer]) -> bool:
    """Return True if the debts (deudas) among an entry's people are exactly those that it left."""
    return set(debts_between(debts, people)) == set(after)


def merge_debts(
    debts: Iterable[Transfer], merged: PlayerId, into: PlayerId, order: Sequence[PlayerId]
) -> Debts:
    """Return all debts (deudas) after one member is merged into another (unir).

    What the two owed each other ends. Two debts with the same third person are netted.
    """

    def resolve(player: PlayerId) -> PlayerId:
        """Return who the player is from now on."""
        return into if player == merged else player

    return _net_and_sort(
        (Transfer(resolve(debt.payer), resolve(debt.payee), debt.amount) for debt in debts), order
    )


def simplify_debts(
    debts: Iterable[Transfer],
    people: Collection[PlayerId],
    order: Sequence[PlayerId],
    *,
    claims: Iterable[Transfer] = (),
) -> Debts:
    """Return all debts (deudas) after those among these people are settled anew (simplificar).

    All others stay. If this saves no payment, everything stays.
    """
    current = _net_and_sort(debts, order)
    fewest = _settle_people(current, people, {}, claims, order)
    return fewest if len(fewest) < len(current) else current


def _resettle(
    debts: Debts,
    people: Collection[PlayerId],
    differences: Mapping[PlayerId, int],
    claims: Iterable[Transfer],
    order: Sequence[PlayerId],
) -> Debts:
    """Return all debts after these differences; those among the people are settled anew if any is not zero."""
    if not any(differences.values()):
        return _net_and_sort(debts, order)
    return _settle_people(debts, people, differences, claims, order)


def _settle_people(
    debts: Debts,
    people: Collection[PlayerId],
    differences: Mapping[PlayerId, int],
    claims: Iterable[Transfer],
    order: Sequence[PlayerId],
) -> Debts:
    """Replace the debts among these people by the fewest payments for what they are owed and the differences.

    Claims are kept apart: a payment that may have been made is not moved onto somebody else.
    """
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


def _replace(
    debts: Debts, people: Collection[PlayerId], by: Iterable[Transfer], order: Sequence[PlayerId]
) -> Debts:
    """Return all debts, those among these people replaced."""
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
    """Return the amounts in the order of joining, by which `transfers` decides ties."""
    positions = {player: place for place, player in enumerate(order)}
    return {player: net[player] for player in sorted(net, key=positions.__getitem__)}


def _negate(net: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    return {player: -amount for player, amount in net.items()}


def _add_nets(*nets: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Return the sum for each person for whom it is not zero."""
    total: Counter[PlayerId] = Counter()
    for net in nets:
        for player, amount in net.items():
            total[player] += amount
    return {player: amount for player, amount in total.items() if amount}
