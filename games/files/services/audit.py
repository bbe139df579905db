"""The audit of a table: compare all derived data with the records.

The records are events, payments and expenses. Results, money, pots, ledger entries and debts are derived
data. A repair rebuilds derived data from the records, which it never changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db import transaction
from django.db.models import F, Q
from django.utils.timezone import now

from games.common import days, locks
from games.files.services import ledger_proof
from games.files.services.game_proof import InconsistentRecords, StoredGame, TableBooks
from games.files.services.ledger_proof import Cause, LedgerDebt, Movements
from games.models import EntryKind, Game, Result, Table
from games.money.services import entry_rows, expenses, game_entries, payments
from games.money.services.ledgers import Ledger
from games.tables.services import roster
from games.tables.services.roster import People


@dataclass(frozen=True)
class Difference:
    """Stored data that differs from the data computed from the records."""

    where: str
    what: str
    is_repaired: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.what}{' – put right' if self.is_repaired else ''}"


@dataclass
class Findings:
    """The number of games replayed at a table, and the differences found."""

    games: int = 0
    differences: list[Difference] = field(default_factory=list)


def check_table(table: Table, *, repair: bool = False) -> Findings:
    """Compare this table's derived data with its records, and return the findings.

    With `repair`, rebuild the rows and results of games, the ledger and the debts. A game with a difference
    is locked and checked again, because somebody may have been recording it. If members, payments or expenses
    are wrong themselves, nothing else is checked. Opens its own transactions.
    """
    findings, books = Findings(), TableBooks(table)
    findings.differences += [*_wrong_members(books), *_wrong_payments(table), *_wrong_costs(books)]
    if findings.differences:
        return findings  # balances cannot be computed if members, payments or expenses are wrong
    suspects = []
    for stored_game in books.games():
        if books.list_differences(stored_game):
            suspects.append(stored_game.game)
        findings.games += 1
    findings.differences += _recheck(books, suspects, repair=repair)
    with transaction.atomic():
        locks.lock(table)
        is_sure = all(difference.is_repaired for difference in findings.differences)
        findings.differences += [
            *_wrong_merges(table),
            *_wrong_ledger(table, repair=repair and is_sure),
        ]
    return findings


# --- games ------------------------------------------------------------------------------------------------------------


def _recheck(books: TableBooks, suspects: Sequence[Game], *, repair: bool) -> Iterator[Difference]:
    for game in suspects:
        with transaction.atomic():
            locks.lock_game(game)
            (stored_game,) = books.load_games([game.pk])
            wrong = books.list_differences(stored_game)
            is_repaired = bool(wrong) and repair and _repair(books, stored_game)
        yield from (Difference(_game_label(game), what, is_repaired) for what in wrong)


def _game_label(game: Game) -> str:
    return f"game {game.code} of {date.fromordinal(game.night_number)}"


def _repair(books: TableBooks, stored_game: StoredGame) -> bool:
    """Rebuild the game's row and results from its records. Return False if the records are damaged."""
    try:
        recomputed_game = books.recompute(stored_game)
    except InconsistentRecords:
        return False
    Game.objects.filter(pk=stored_game.game.pk).update(**recomputed_game.columns)
    stored_game.game.results.all().delete()
    for result in recomputed_game.results:
        result.game = stored_game.game
    Result.objects.bulk_create(recomputed_game.results)
    locks.bump_version(books.table)
    return True


# --- members and accounts ---------------------------------------------------------------------------------------------


def _wrong_members(books: TableBooks) -> Iterator[Difference]:
    members = {member.pk: member for member in books.members.values()}
    for member in members.values():
        followed, into = {member.pk}, member.merged_into_id
        while into is not None:
            if into in followed or into not in members:
                yield Difference(f"member {member.slug}", "is merged into nobody of this table")
                break
            followed.add(into)
            into = members[into].merged_into_id
    if not books.seasons:
        yield Difference("seasons", "there should be one at least")


def _wrong_payments(table: Table) -> Iterator[Difference]:
    foreign_member = ~Q(payer__table=F("table")) | ~Q(payee__table=F("table"))
    for payment in table.payments.filter(foreign_member).order_by("pk"):
        yield Difference(f"payment {payment.pk}", "speaks of a member of another table")


def _wrong_costs(books: TableBooks) -> Iterator[Difference]:
    """Yield a difference for each expense whose shares do not add up, or with a member of another table."""
    of_table = {member.pk for member in books.members.values()}
    costs = list(books.table.costs.order_by("pk"))
    current = Counter(cost.first_pk for cost in costs if cost.replaced_at is None)
    for cost in costs:
        if not (cost.payer_id in of_table and {*cost.borne, *cost.paid} <= set(books.members)):
            yield Difference(f"cost {cost.pk}", "speaks of a member of another table")
        elif sum(cost.borne.values()) != cost.amount:
            yield Difference(f"cost {cost.pk}", "is not borne as a whole")
        elif cost.paid and sum(cost.paid.values()) != cost.amount:
            yield Difference(f"cost {cost.pk}", "is not paid as a whole")
        elif current[cost.first_pk] != 1:
            yield Difference(f"cost {cost.pk}", "has not one current version")


def _wrong_merges(table: Table) -> Iterator[Difference]:
    """Yield a difference for each valid payment between two members who were merged into one.

    Merging two members ends the payments between them.
    """
    people = People.of(table)
    for payment in table.payments.filter(ended_at=None).order_by("pk"):
        payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
        if payer == payee:
            yield Difference(f"payment {payment.pk}", "is between two who are one, and stands")


def _wrong_ledger(table: Table, *, repair: bool) -> Iterator[Difference]:
    """Yield a difference for each cause that moves other amounts than its entries say, and for wrong debts.

    With `repair`, post these causes again, and then settle the whole table anew.
    """
    people = People.of(table)
    causes, wrong = _wrong_causes(table, people), _wrong_debts(table, people)
    is_repaired = bool(causes or wrong) and repair and _repair_ledger(table, people, causes)
    for kind, pk in causes:
        yield Difference(f"{kind} {pk}", "moved something else than its entries say", is_repaired)
    yield from (Difference("debts", what, is_repaired) for what in wrong)


def _wrong_causes(table: Table, people: People) -> list[Cause]:
    movements = _current_movements(table, people)
    return ledger_proof.mismatched_causes(
        movements, ledger_proof.sum_entries(table.entries.all(), people.slugs, entry_rows.entry_cause)[0]
    )


def _current_movements(table: Table, people: People) -> Movements:
    """Return the amounts that each game, payment and expense moves now, by slug."""
    movements: dict[Cause, Counter[str]] = defaultdict(Counter)
    now_as = people.slugs
    results = Result.objects.filter(game__table=table).order_by()
    for game, slug, net in results.values_list("game", "member__slug", "net"):
        movements["game", game][now_as[slug]] += net
    for game, nets in table.games.values_list("pk", "spot_nets"):
        if nets and ("game", game) in movements:
            movements["game", game].subtract(roster.sum_by_current_member(nets, now_as))
    counted_payments = ((row.pk, row) for row in table.payments.select_related("payer", "payee"))
    costs = ((row.first_pk, row) for row in table.costs.select_related("payer"))
    return {**movements, **ledger_proof.money_movements(counted_payments, costs, now_as)}


def _wrong_debts(table: Table, people: People) -> list[str]:
    entries, wrong = list(table.entries.all()), []
    wrong += [
        f"entry {entry.number} does not add up to zero"
        for entry in entries
        if sum(entry.differences.values())
    ]
    if [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
        wrong.append("an entry is missing")
    debts = table.debts.exclude(amount=0).select_related("one", "other")
    stored_debts = {LedgerDebt.of(debt) for debt in debts}
    if stored_debts != ledger_proof.replay_entries(entries):
        wrong.append("are not what the entries left")
    if not ledger_proof.balances_match(
        ledger_proof.sum_balances(stored_debts),
        ledger_proof.sum_entries(entries, people.slugs, entry_rows.entry_cause)[1],
    ):
        wrong.append("do not add up to the balances")
    return wrong


def _repair_ledger(table: Table, people: People, causes: Sequence[Cause]) -> bool:
    """Post these causes again, settle the table anew, and return whether the ledger is right now."""
    at, version = now(), locks.bump_version(table)
    pks = {kind: [pk for cause_kind, pk in causes if cause_kind == kind] for kind, _pk in causes}
    for game in table.games.filter(pk__in=pks.get("game", ())).select_related("table"):
        game_entries.post(game, EntryKind.CORRECTED, version=version, at=at)
    counted_payments = table.payments.filter(pk__in=pks.get("payment", ()))
    payments.post(list(counted_payments), version=version, at=at, by=None)
    for cost in expenses.load_current(pks.get("cost", ()), table).values():
        expenses.post(cost, version=version, at=at, by=None)
    balances = ledger_proof.sum_entries(table.entries.all(), people.slugs, entry_rows.entry_cause)[1]
    if sum(balances.values()):
        return False
    ledger = Ledger(table, at=at, people=people)
    ledger.repair(balances, night=days.night_for(at, table))
    ledger.store(version)
    return not _wrong_causes(table, people) and not _wrong_debts(table, people)
