"""The audit of a table: compare all derived data with the records.

The records are events, payments and shared costs, with the steps that changed a cost later. Derived data are results, money, pots, balances and plans (who pays whom). A repair
rebuilds derived data from the records, which it never changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db import transaction
from django.db.models import Count, F, Max, Q
from django.utils.timezone import now

from games.changes import tell
from games.locks import hold, lock
from games.models import (
    Change,
    ChangeKind,
    CostShare,
    Game,
    Result,
    Table,
)
from games.money.balances import People, balances_of
from games.money.costs import nets_by_member
from games.notebook.books.proof import Books, Stored, Unproven
from games.scoring.ledger import transfers
from games.scoring.plan import explains


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
    """The number of games replayed at a table, and the differences that were found."""

    games: int = 0
    differences: list[Difference] = field(default_factory=list)


def check_table(table: Table, *, repair: bool = False) -> Findings:
    """Check this table and return the findings.

    With `repair`, rebuild the rows and results of games, and the plan.

    A game with a difference is checked again after it was locked, because somebody may have been recording
    it.
    """
    findings, books = Findings(), Books(table)
    findings.differences += [*_wrong_people(books), *_wrong_payments(table), *_wrong_costs(books)]
    if findings.differences:
        return findings  # balances cannot be computed if members, payments or costs are wrong
    suspects = []
    for stored in books.games():
        if books.wrong_in(stored):
            suspects.append(stored.game)
        findings.games += 1
    findings.differences += _look_again(books, suspects, repair=repair)
    with transaction.atomic():
        held = lock(table)
        is_sure = all(difference.is_repaired for difference in findings.differences)
        findings.differences += [
            *_wrong_feed(held),
            *_wrong_shares(table),
            *_wrong_merges(table),
            *_wrong_balances(table),
            *_wrong_plan(table, repair=repair and is_sure),
        ]
    return findings


# --- games ------------------------------------------------------------------------------------------------------------


def _look_again(books: Books, suspects: Sequence[Game], *, repair: bool) -> Iterator[Difference]:
    for game in suspects:
        with transaction.atomic():
            hold(game)
            (stored,) = books.some_games([game.pk])
            wrong = books.wrong_in(stored)
            is_repaired = bool(wrong) and repair and _repair(books, stored)
        yield from (Difference(_called(game), what, is_repaired) for what in wrong)


def _called(game: Game) -> str:
    return f"game {game.code} of {date.fromordinal(game.night_number)}"


def _repair(books: Books, stored: Stored) -> bool:
    """Rebuild the game's row and results from its records. Return False if the records are not intact."""
    try:
        proven = books.prove(stored)
    except Unproven:
        return False
    Game.objects.filter(pk=stored.game.pk).update(**proven.columns)
    stored.game.results.all().delete()
    for result in proven.results:
        result.game = stored.game
    Result.objects.bulk_create(proven.results)
    tell(books.table, Change(what=ChangeKind.BOOKS_REPAIRED, game=stored.game))
    return True


# --- people and accounts ----------------------------------------------------------------------------------------------


def _wrong_people(books: Books) -> Iterator[Difference]:
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
    elsewhere = ~Q(payer__table=F("table")) | ~Q(payee__table=F("table"))
    of_other_game = Q(game__isnull=False) & ~Q(game__table=F("table"))
    for payment in table.payments.filter(elsewhere | of_other_game).order_by("pk"):
        yield Difference(f"payment {payment.pk}", "speaks of a member or a game of another table")


def _wrong_costs(books: Books) -> Iterator[Difference]:
    """Yield a difference for each shared cost that nobody shares, or that names a member of another table."""
    of_table = {member.pk for member in books.members.values()}
    for cost in books.table.costs.prefetch_related("shares").order_by("pk"):
        named = {cost.payer_id, *(share.member_id for share in cost.shares.all())}
        if not (cost.sharers and named <= of_table and set(cost.sharers) <= set(books.members)):
            yield Difference(f"cost {cost.pk}", "speaks of nobody, or of a member of another table")


def _wrong_merges(table: Table) -> Iterator[Difference]:
    """Yield a difference for each payment between two merged members, unless it ended.

    Merging two members who are one person ends the payments between them.
    """
    people = People.of(table)
    for payment in table.payments.filter(ended_at=None).order_by("pk"):
        payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
        if payer == payee:
            yield Difference(f"payment {payment.pk}", "is between two who are one, and stands")


def _wrong_feed(table: Table) -> Iterator[Difference]:
    """Yield a difference if the change feed has gaps: programs that follow the feed would miss changes."""
    numbers = table.changes.aggregate(count=Count("pk"), last=Max("number"))
    if not table.newest_change == numbers["count"] == (numbers["last"] or 0):
        yield Difference(
            "changes", f"{numbers['count']} up to {numbers['last']}, and should be {table.newest_change}"
        )


def _wrong_shares(table: Table) -> Iterator[Difference]:
    """Yield a difference for each shared cost with a wrong share.

    The shares must follow from the amount, the payer and the sharers; a cost that was taken back has none.
    """
    people = People.of(table)
    for cost in table.costs.prefetch_related("shares").order_by("pk"):
        expected = nets_by_member(cost, people) if cost.counts else {}
        if expected != {share.member_id: share.net for share in cost.shares.all()}:
            yield Difference(f"cost {cost.pk}", "has other shares than follow from it")


def _wrong_balances(table: Table) -> Iterator[Difference]:
    """Yield a difference for each balance that is not the sum of the member's results, shares and payments.

    The sum is computed here a second time, row by row. The balances themselves must add up to zero.
    """
    people = People.of(table)
    expected = Counter({member.slug: 0 for member in people.own})
    for member, net in Result.objects.filter(game__table=table).values_list("member", "net"):
        if member in people.by_pk:
            expected[people.by_pk[member].slug] += net
    for member, net in CostShare.objects.filter(cost__table=table).values_list("member", "net"):
        expected[people.by_pk[member].slug] += net
    for payment in table.payments.all():
        if payment.counts:
            expected[people.by_pk[payment.payer_id].slug] += payment.amount
            expected[people.by_pk[payment.payee_id].slug] -= payment.amount
    balances = balances_of(table, people)
    for slug, amount in expected.items():
        if balances[slug] != amount:
            yield Difference(f"balance of {slug}", f"is {balances[slug]}, and should be {amount}")
    if sum(balances.values()):
        yield Difference("balances", f"add up to {sum(balances.values())} and not to zero")


def _wrong_plan(table: Table, *, repair: bool) -> Iterator[Difference]:
    """Yield a difference if the newest plan does not settle the balances. With `repair`, store a new plan."""
    plan = table.plans.first()
    if plan is None:
        return
    people = People.of(table)
    balances = balances_of(table, people)
    strangers = {str(slug) for line in plan.lines for slug in line[:2]} - set(people.by_slug)
    if not strangers and explains(people.name_lines(plan.lines), balances):
        return
    is_repaired = repair and not strangers and not sum(balances.values())
    if is_repaired:
        lines = [[line.payer, line.payee, line.amount] for line in transfers(balances)]
        table.plans.create(lines=lines, made_at=now())
        tell(table, Change(what=ChangeKind.BOOKS_REPAIRED))
    yield Difference(f"plan {plan.pk}", "does not explain the balances", is_repaired)
