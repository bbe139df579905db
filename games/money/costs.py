"""Shared costs (gastos compartidos) of nights: record, amend and cancel what one member paid for several.

A *step* is a row of a cost's history: an amendment, or the cancellation. `text` is the user's reason for it.
A *present* member is one who was not merged into another. The amounts of merged members are added to theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.changes import tell
from games.keys import KeyReused, check_key
from games.locks import lock
from games.models import (
    MOST_MONEY,
    NOTE_LENGTH,
    Change,
    ChangeKind,
    CostShare,
    CostStep,
    CostStepKind,
    Member,
    SharedCost,
    Table,
)
from games.money.balances import People, StaleAccounts
from games.money.booking import TakenBack, at_table
from games.money.dating import moment_on
from games.money.evening import evening_of
from games.money.plans import replanned
from games.nights import games_of
from games.scoring.errors import RuleError
from games.scoring.one_line import one_line
from games.scoring.shares import nets_of_cost, parts_of
from games.scoring.words import Amount, _


class CostExists(RuleError):
    """Raised if the night already has a shared cost, `cost`. A night has at most one."""

    def __init__(self, cost: SharedCost) -> None:
        super().__init__(_("This night already has a shared cost. Amend or cancel it instead."))
        self.cost = cost


@dataclass(frozen=True)
class CostWords:
    """The content of a shared cost, which may be amended.

    `sharers` are the members who share the amount, in the order in which they joined the table.
    """

    payer: Member
    amount: int
    sharers: tuple[Member, ...]
    note: str = ""

    @classmethod
    def of(cls, source: SharedCost | CostStep, people: People) -> CostWords:
        """Return the content of a cost or, given the step of an amendment, the content before it.

        Merged members are replaced by the members they became.
        """
        assert source.payer_id is not None, "only an amendment's step has content"
        assert source.amount is not None
        assert source.sharers is not None
        sharers = {people.by_slug[slug] for slug in source.sharers}
        in_order = tuple(member for member in people.own if member in sharers)
        return cls(people.by_pk[source.payer_id], source.amount, in_order, source.note)


WORDS = ("payer", "amount", "sharers", "note")  # the fields that an amendment may change


def present_at(night: date, table: Table, people: People) -> tuple[Member, ...]:
    """Return the members who played a game of this night, finished or not, in joining order."""
    played = {attendee.member for attendee in evening_of(night, table, people).there}
    return tuple(member for member in people.own if member in played)


def cost_of(night: date, table: Table) -> SharedCost | None:
    """Return the shared cost of this night; None if it has none, or only a cancelled one."""
    costs = table.costs.filter(night=night, cancelled_at=None)
    return costs.select_related("table", "payer", "recorded_by").first()


def parts_of_cost(cost: SharedCost, people: People) -> Mapping[Member, int]:
    """Return the part of a recorded cost that each present member bears.

    If the amount cannot be divided equally, some members bear one coin more: first those who joined after the
    payer, in that order, then those who joined before. The payer comes last.
    """
    parts: dict[Member, int] = {}
    for slug, part in parts_of(cost.amount, _slug(cost, people), cost.sharers, _seats(people)).items():
        member = people.by_slug[slug]
        parts[member] = parts.get(member, 0) + part
    return parts


def parts_of_words(words: CostWords, people: People) -> Mapping[Member, int]:
    """Return the part that each present member will bear of a cost that is not recorded yet."""
    slugs = [member.slug for member in words.sharers]
    parts = parts_of(words.amount, words.payer.slug, slugs, _seats(people))
    return {people.by_slug[slug]: part for slug, part in parts.items()}


def nets_of_words(words: CostWords, people: People) -> Mapping[Member, int]:
    """Return by how much a cost that is not recorded yet will change each present member's balance."""
    slugs = [member.slug for member in words.sharers]
    nets = nets_of_cost(words.amount, words.payer.slug, slugs, _seats(people))
    return {people.by_slug[slug]: net for slug, net in nets.items()}


def nets_of_cost_row(cost: SharedCost, people: People) -> Mapping[Member, int]:
    """Return by how much a recorded cost changes each present member's balance.

    For a cancelled cost, return the changes that it made before it was cancelled.
    """
    nets: dict[Member, int] = {}
    for pk, net in nets_by_member(cost, people).items():
        nets[people.by_pk[pk]] = nets.get(people.by_pk[pk], 0) + net
    return nets


def nets_by_member(cost: SharedCost, people: People) -> Mapping[int, int]:
    """Return, by the member's id, by how much this cost changes the balance of each member it names.

    Each merged member has a separate amount here, as in the rows stored by `store_shares`. If the cost is not
    cancelled, these rows must have the same amounts.
    """
    ids = {member.slug: member.pk for member in people.members}
    nets = nets_of_cost(cost.amount, _slug(cost, people), cost.sharers, _seats(people))
    return {ids[slug]: net for slug, net in nets.items()}


def _slug(cost: SharedCost, people: People) -> str:
    """Return the slug of the cost's payer as recorded, even if that member was merged since."""
    return next(member.slug for member in people.members if member.pk == cost.payer_id)


def _seats(people: People) -> Sequence[str]:
    return [member.slug for member in people.members]


# --- recording --------------------------------------------------------------------------------------------------------


@transaction.atomic
def share_cost(
    table: Table,
    night: date,
    words: CostWords,
    *,
    key: str,
    by: User,
    at: datetime | None = None,
    arrived_at: datetime | None = None,
) -> SharedCost:
    """Record the shared cost of a night and return it. A repeated key returns the cost recorded under it.

    Raise KeyReused if that cost had other content, TakenBack if it was cancelled since, CostExists if the
    night has another shared cost, and RuleError at a field that is wrong.
    """
    check_key(key)
    lock(table)
    people = People.of(table)
    words = _checked(words, people)
    known = table.costs.filter(key=key).first()
    if known is not None:
        return _same(known, night, words, people)
    if (existing := cost_of(night, table)) is not None:
        raise CostExists(existing)
    if not games_of(night, table).exists():
        raise RuleError(_("Nobody played on that night."), field="night")
    recorded_at = at or now()
    made_at, _paid_on = moment_on(night, table, recorded_at)
    cost = SharedCost(
        table=table, night=night, key=key, made_at=made_at, recorded_at=recorded_at,
        arrived_at=arrived_at or now(), recorded_by=by, **_values(words),
    )  # fmt: skip
    with replanned(table, at=recorded_at, people=people):
        cost.save(force_insert=True)
        store_shares(cost, people)
    tell(table, Change(what=ChangeKind.COST_RECORDED, cost=cost))
    return cost


def store_shares(cost: SharedCost, people: People) -> None:
    """Replace the rows that store by how much a cost changes each member's balance.

    A cancelled cost has no such rows. The caller holds the table's lock.
    """
    cost.shares.all().delete()
    CostShare.objects.bulk_create(shares_of(cost, people))


def shares_of(cost: SharedCost, people: People) -> list[CostShare]:
    """Return unsaved rows with the change of each member's balance by a cost. A cancelled cost has none."""
    nets = nets_by_member(cost, people) if cost.counts else {}
    return [CostShare(cost=cost, member_id=member, net=net) for member, net in nets.items()]


def _same(known: SharedCost, night: date, words: CostWords, people: People) -> SharedCost:
    """Return `known`, the cost that was recorded before under the idempotency key of this request.

    Raise TakenBack if it was cancelled since, and KeyReused if its night or its first content differs from
    that of the request.
    """
    if known.cancelled_at is not None:
        raise TakenBack(_("This payment was recorded and then cancelled. If it was paid, record it again."))
    first = amendments_of(known)[:1]
    if (known.night, CostWords.of(first[0] if first else known, people)) != (night, words):
        raise KeyReused
    return known


def _checked(words: CostWords, people: People) -> CostWords:
    """Return the content with merged members replaced, its sharers in the order in which they joined.

    Raise RuleError at a field that is wrong.
    """
    if not 0 < words.amount <= MOST_MONEY:
        raise RuleError(
            _("A cost must be more than zero and at most {most}.", most=Amount(MOST_MONEY)), field="amount"
        )
    payer = at_table(words.payer, people, "payer")
    sharers = {at_table(member, people, "sharers") for member in words.sharers}
    if not sharers - {payer}:
        raise RuleError(_("Choose at least one person besides the payer."), field="sharers")
    in_order = tuple(member for member in people.own if member in sharers)
    return CostWords(payer, words.amount, in_order, one_line(words.note, longest=NOTE_LENGTH, field="note"))


def _values(words: CostWords) -> dict[str, object]:
    sharers = [member.slug for member in words.sharers]
    return {"payer": words.payer, "amount": words.amount, "sharers": sharers, "note": words.note}


# --- the life of a cost -----------------------------------------------------------------------------------------------


def amendments_of(cost: SharedCost) -> Sequence[CostStep]:
    """Return the cost's amendments, oldest first. Each step stores the content before the amendment."""
    return list(cost.steps.filter(turn=CostStepKind.AMENDED).select_related("payer"))


@transaction.atomic
def amend_cost(
    cost: SharedCost, words: CostWords, *, after: int, by: User, text: str = "", at: datetime | None = None
) -> SharedCost:
    """Change the content of a shared cost and return the cost. The content before stays visible.

    `after` is the number of amendments that the user saw: raise StaleAccounts if the cost has another number
    of amendments now.
    """
    _hold(cost)
    text = one_line(text, longest=NOTE_LENGTH, field="text")
    people = People.of(cost.table)
    words = _checked(words, people)
    if cost.cancelled_at is not None:
        raise RuleError(_("This cost was cancelled."))
    if len(amendments_of(cost)) != after:
        raise StaleAccounts
    if words == CostWords.of(cost, people):
        return cost
    amended_at = at or now()
    with replanned(cost.table, at=amended_at, people=people):
        before = {name: getattr(cost, name) for name in WORDS}
        step = CostStep(cost=cost, turn=CostStepKind.AMENDED, text=text, at=amended_at, by=by, **before)
        for name, value in _values(words).items():
            setattr(cost, name, value)
        _note_step(step)
        cost.save(update_fields=WORDS)
        store_shares(cost, people)
    return cost


@transaction.atomic
def cancel_cost(cost: SharedCost, *, by: User, text: str = "", at: datetime | None = None) -> SharedCost:
    """Cancel a shared cost for good: the cost stays visible but no longer changes balances.

    Its night may then have another shared cost.
    """
    _hold(cost)
    text = one_line(text, longest=NOTE_LENGTH, field="text")
    if cost.cancelled_at is not None:
        return cost
    cancelled_at, people = at or now(), People.of(cost.table)
    with replanned(cost.table, at=cancelled_at, people=people):
        _note_step(CostStep(cost=cost, turn=CostStepKind.CANCELLED, text=text, at=cancelled_at, by=by))
        cost.cancelled_at, cost.cancelled_by = cancelled_at, by
        cost.save(update_fields=["cancelled_at", "cancelled_by"])
        store_shares(cost, people)
    return cost


def _hold(cost: SharedCost) -> None:
    """Lock the cost's table and read the cost again."""
    lock(cost.table)
    cost.refresh_from_db()


def _note_step(step: CostStep) -> None:
    """Record a step of a cost and add it to the change feed.

    For an amendment, the caller has already set the new content of the cost.
    """
    step.save(force_insert=True)
    table = step.cost.table
    is_amended = step.turn == CostStepKind.AMENDED
    what = ChangeKind.COST_AMENDED if is_amended else ChangeKind.COST_CANCELLED
    tell(table, Change(what=what, cost=step.cost))
