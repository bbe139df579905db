"""The proof of a ledger: entries against what moves money, and debts against the entries (RULES 1.3).

`check_books` proves the stored ledger of a table, and an import the ledger in a file. A file has each entry
with the debts `before` and `after` it (`Entry` in `games/money/models.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from django.db.models import Model

from games.common.json_reader import InvalidFile
from games.files.services.file_contents import FileContents
from games.models import Debt, Entry, EntryKind, Payment, SharedCost
from games.money.services import entry_rows
from games.scoring.i18n import Text, _
from games.scoring.ledger import nets
from games.scoring.shares import expense_nets
from games.scoring.step_budget import spend_steps
from games.tables.services import roster

Cause: TypeAlias = tuple[str, int]  # "game", "payment" or "cost", and its id or position
Movements: TypeAlias = Mapping[Cause, Counter[str]]


@dataclass(frozen=True)
class LedgerDebt:
    """A debt that the entries left; `version` is the number of the entry that last changed it."""

    debtor: str
    creditor: str
    amount: int
    version: int

    @classmethod
    def of(cls, debt: Debt) -> LedgerDebt:
        first_slug, other = debt.one.slug, debt.other.slug
        debtor, creditor = (other, first_slug) if debt.amount > 0 else (first_slug, other)
        return cls(debtor, creditor, abs(debt.amount), debt.version)


def replay_entries(entries: Iterable[Entry]) -> set[LedgerDebt]:
    """Return the debts that the entries leave, applied in order.

    Each comparison of a person's debts with an entry's people is a step (`scoring/step_budget.py`).
    """
    # Each debt is stored twice: by either of its two people, then by the other.
    debts_by_slug: dict[str, dict[str, LedgerDebt]] = defaultdict(dict)
    for entry in entries:
        people, is_anew = entry.differences, entry.kind == EntryKind.REPAIRED
        paid, was = entry_rows.payment_ends(entry), {}
        for slug in people:
            debts = debts_by_slug[slug]
            spend_steps(min(len(debts), len(people)))
            common = debts.keys() & people.keys()  # compares each of the fewer ones
            for other in common:
                was[frozenset((slug, other))] = debts.pop(other)
        for debtor, creditor, amount in entry.after:
            old = None if is_anew else was.get(frozenset((debtor, creditor)))
            is_same = old is not None and (old.debtor, old.amount) == (debtor, amount)
            is_same = is_same and {debtor, creditor} != paid
            version = old.version if is_same and old is not None else entry.number
            debts_by_slug[debtor][creditor] = debts_by_slug[creditor][debtor] = LedgerDebt(
                debtor, creditor, amount, version
            )
    return {debt for debts in debts_by_slug.values() for debt in debts.values()}


def sum_balances(debts: Iterable[LedgerDebt]) -> Counter[str]:
    """Return everybody's balance according to these debts."""
    balances = Counter[str]()
    for debt in debts:
        balances[debt.debtor] -= debt.amount
        balances[debt.creditor] += debt.amount
    return balances


def sum_entries(
    entries: Iterable[Entry], current_slugs: Mapping[str, str], find_cause: Callable[[Entry], Cause | None]
) -> tuple[Movements, Counter[str]]:
    """Return the movements of each cause according to its entries, and everybody's balance from all entries.

    `current_slugs` maps each member's slug to that of the member they are now.
    """
    movements: dict[Cause, Counter[str]] = defaultdict(Counter)
    balances = Counter[str]()
    for entry in entries:
        cause = find_cause(entry)
        for slug, amount in entry.differences.items():
            balances[current_slugs[slug]] += amount
            if cause is not None:
                movements[cause][current_slugs[slug]] += amount
    return movements, balances


def mismatched_causes(movements: Movements, entry_movements: Movements) -> list[Cause]:
    """Return the causes whose entries differ from what they move."""
    nothing = Counter[str]()
    return [
        cause
        for cause in dict.fromkeys((*movements, *entry_movements))
        if not balances_match(movements.get(cause, nothing), entry_movements.get(cause, nothing))
    ]


def balances_match(first: Counter[str], other: Counter[str]) -> bool:
    """Return whether both are the same for everybody; a missing person has 0."""
    return all(first[slug] == other[slug] for slug in {*first, *other})


CAUSE_LABELS = {"game": _("Game {number}"), "payment": _("Payment {number}"), "cost": _("Expense {number}")}


def check_ledger(contents: FileContents) -> None:
    """Raise InvalidFile at the first line that does not add up.

    The entries must match what the games, payments and expenses move, and lead to the debts; the debts must
    add up to the balances. Otherwise somebody edited the file. The site's operator can still import it with
    `manage.py import_table`, and repair it with `check_books --repair`.
    """
    current_slugs = contents.current_slugs
    movements = dict(_file_movements(contents, current_slugs))
    places = {id(row): cause for cause, row in _causes(contents).items()}
    by_entries, balances = sum_entries(
        contents.entries, current_slugs, lambda entry: places.get(id(_cause_row(entry)))
    )
    for kind, number in mismatched_causes(movements, by_entries):
        _refuse(Text(CAUSE_LABELS[kind].template, {"number": number}))
    merges = {(id(entry.member), entry.at) for entry in contents.entries if entry.kind == EntryKind.MERGED}
    if any(
        (id(member), member.merged_at) not in merges
        for member in contents.members.values()
        if member.merged_at
    ):
        _refuse(_("A merge without its entry"))
    remaining_debts = replay_entries(contents.entries)
    for number, debt in enumerate(contents.debts, start=1):
        if LedgerDebt.of(debt) not in remaining_debts:
            _refuse(_("Debt {number}", number=number))
    pairs = {frozenset((debt.one.slug, debt.other.slug)) for debt in contents.debts}
    if not len(contents.debts) == len(pairs) == len(remaining_debts) or not balances_match(
        sum_balances(remaining_debts), balances
    ):
        _refuse(_("Debts"))


def _refuse(where: Text) -> NoReturn:
    problem = _(
        "In this file, who pays whom doesn't match its games and payments. Nothing "
        "was imported. The site's operator can still import it."
    )
    raise InvalidFile(_("{where}: {problem}", where=where, problem=problem))


def _causes(contents: FileContents) -> dict[Cause, Model]:
    """Return the rows that move money, by their kind and position in the file."""
    games = [whole.game for whole in contents.games]
    rows: dict[str, Sequence[Model]] = {"game": games, "payment": contents.payments, "cost": contents.costs}
    return {(kind, number): row for kind, some in rows.items() for number, row in enumerate(some, start=1)}


def _cause_row(entry: Entry) -> Model | None:
    return entry.game or entry.payment or entry.cost


def _file_movements(contents: FileContents, current_slugs: Mapping[str, str]) -> Movements:
    """Return the amounts that each game, payment and expense of the file moves, by slug."""
    movements: dict[Cause, Counter[str]] = {}
    for number, whole in enumerate(contents.games, start=1):
        if whole.state.is_over and whole.game.discarded_at is None:
            of_game = movements["game", number] = roster.sum_by_current_member(
                nets(whole.state), current_slugs
            )
            of_game.subtract(roster.sum_by_current_member(whole.game.spot_nets or {}, current_slugs))
    numbers = {id(cost): number for number, cost in enumerate(contents.costs, start=1)}
    costs = ((numbers[id(cost.first or cost)], cost) for cost in contents.costs)
    return {**movements, **money_movements(enumerate(contents.payments, start=1), costs, current_slugs)}


def money_movements(
    payments: Iterable[tuple[int, Payment]],
    costs: Iterable[tuple[int, SharedCost]],
    current_slugs: Mapping[str, str],
) -> Movements:
    """Return the amounts that each of these payments and expenses moves, by slug.

    Each row comes with its id or its position, a version of an expense with that of the first one.
    """
    movements: dict[Cause, Counter[str]] = {}
    for number, payment in payments:
        if payment.counts:
            paid = {payment.payer.slug: payment.amount, payment.payee.slug: -payment.amount}
            movements["payment", number] = roster.sum_by_current_member(paid, current_slugs)
    for number, cost in costs:
        if cost.counts:
            shared = expense_nets(cost.paid_by_slug, cost.borne)
            movements["cost", number] = roster.sum_by_current_member(shared, current_slugs)
    return movements
