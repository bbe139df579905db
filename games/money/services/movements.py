"""The rules that payments and expenses share (members, amounts, days), and the list of all movements."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import TypeAlias

from django.db.models import Max, Min, Value

from games.common import days
from games.models import MOST_MONEY, Entry, EntryKind, Member, Payment, SharedCost, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import MoneyParam, _
from games.tables.services.roster import People


class AlreadyVoided(RuleError):
    """The movement with this idempotency key was voided. Only a new key can record it again."""


def check_amount(amount: int) -> None:
    if not 0 < amount <= MOST_MONEY:
        raise RuleError(
            _("A payment must be more than zero and at most {most}.", most=MoneyParam(MOST_MONEY)),
            field="amount",
        )


def resolve_parties(payer: Member, payee: Member, people: People) -> tuple[Member, Member]:
    """Return both as current members. Raise RuleError if they are one person or not of this table."""
    payer, payee = resolve_member(payer, people, "payer"), resolve_member(payee, people, "payee")
    if payer == payee:
        raise RuleError(_("Payer and payee are the same: choose two people."), field="payee")
    return payer, payee


def resolve_member(member: Member, people: People, field: str) -> Member:
    """Return the current member for this one. Raise RuleError at `field` for a member of another table."""
    if member.pk not in people.by_pk:
        raise RuleError(_("{name} does not belong to this table.", name=member.name), field=field)
    return people.by_pk[member.pk]


# an Entry stands for starting balances, a date for a night
AnyMovement: TypeAlias = "Payment | SharedCost | Entry | date"

_PAYMENT, _COST, _OPENING, _NIGHT = range(4)


def load_latest(table: Table, *, start: int, count: int) -> tuple[list[AnyMovement], bool]:
    """Return `count` movements, newest first, after skipping `start`, and whether older ones follow."""
    payments = table.payments.order_by().values_list(Value(_PAYMENT), "pk", "made_at")
    costs = table.costs.filter(replaced_at=None).order_by().values_list(Value(_COST), "pk", "made_at")
    opening_entries = table.entries.filter(kind=EntryKind.OPENED)
    openings = opening_entries.order_by().values_list(Value(_OPENING), "pk", "at")
    games = table.games.filter(discarded_at=None).order_by().values("night_number")
    nights = games.annotate(at=Max("started_at")).values_list(Value(_NIGHT), "night_number", "at")
    moves = payments.union(costs, openings, nights, all=True).order_by("-made_at", "-pk")
    rows = list(moves[start : start + count + 1])
    numbers = {kind: [number for which, number, _at in rows if which == kind] for kind in range(4)}
    rows_by_kind: dict[int, Mapping[int, AnyMovement]] = {
        _PAYMENT: table.payments.select_related("payer", "payee").in_bulk(numbers[_PAYMENT]),
        _COST: table.costs.in_bulk(numbers[_COST]),
        _OPENING: opening_entries.in_bulk(numbers[_OPENING]),
        _NIGHT: {number: date.fromordinal(number) for number in numbers[_NIGHT]},
    }
    return [rows_by_kind[kind][number] for kind, number, _at in rows[:count]], len(rows) > count


# --- dating back ------------------------------------------------------------------------------------------------------

NIGHT_START_TO_NOON = timedelta(hours=6)  # a night begins at 6:00
JUST_AFTER = timedelta(microseconds=1)  # between the end of a game and a payment for it


def first_night(table: Table) -> date:
    """Return the oldest night to date a payment back to: the table's first, or that of an older game."""
    created = days.night_for(table.created_at, table)
    number = table.games.filter(discarded_at=None).aggregate(first=Min("night_number"))["first"]
    return created if number is None else min(created, date.fromordinal(number))


def effective_time(
    day: date | None, table: Table, at: datetime, *, field: str = "day", is_bound: bool = True
) -> tuple[datetime, date | None]:
    """Return the time that a payment or expense counts from, and the night it is dated back to, if any.

    `at` is when it was recorded. Without a `day`, or with one of tonight or today, it counts from `at`. A
    payment dated back counts from just after the last game of its night, so that it can pay for that game, or
    from noon. Raise RuleError at `field` if the day is in the future or, with `is_bound`, before the table's
    first night.
    """
    tonight, today = days.night_for(at, table), days.to_table_time(at, table).date()
    if day is None or tonight <= day <= today:
        return at, None
    if day > today:
        raise RuleError(_("That day is in the future."), field=field)
    if is_bound and day < first_night(table):
        raise RuleError(_("That day is before this table was created."), field=field)
    begins, ends = days.night_bounds(day, table)
    finished_games = table.games.filter(discarded_at=None, ended_at__gte=begins, ended_at__lt=ends)
    last = finished_games.aggregate(last=Max("ended_at"))["last"]
    return (begins + NIGHT_START_TO_NOON if last is None else last + JUST_AFTER), day
