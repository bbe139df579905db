"""The closing notes (cierres) of nights: the balances that everybody saw, and later changes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache, cached_property, reduce
from hashlib import sha256
from operator import or_
from typing import Any, TypeAlias

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, Max, Min, OuterRef, Q, QuerySet, Sum
from django.utils.timezone import now

from games.book import logs_of
from games.changes import tell
from games.locks import lock
from games.models import (
    COUNTING,
    NOTE_LENGTH,
    Change,
    ChangeKind,
    ClosingNote,
    Game,
    Payment,
    Plan,
    PlanReason,
    Result,
    Table,
)
from games.money.balances import Accounts, People, StaleAccounts, read_accounts
from games.nights import window_of
from games.scoring.events import Log
from games.scoring.ledger import nets, transfers
from games.scoring.one_line import one_line
from games.scoring.plan import unpaid
from games.scoring.replay import replay
from games.scoring.state import GameState

_OF_NOTE = OuterRef("table"), OuterRef("made_at"), OuterRef("as_of")
TOUCHING = (PlanReason.CORRECTED, PlanReason.REOPENED, PlanReason.DISCARDED, PlanReason.RESTORED)


@dataclass(frozen=True)
class BrokenBalance:
    """A balance that changed after the night was closed: the amount in the note and the present amount."""

    slug: str
    seen: int
    now: int


@dataclass(frozen=True)
class NightSnapshot:
    """A snapshot of balances and payments for a closing note. `as_of` is None for the present."""

    balances: dict[str, int]
    lines: list[list[str | int]]
    as_of: datetime | None = None

    @cached_property
    def seen(self) -> str:
        """A digest of the snapshot; any change in it changes the digest."""
        written = json.dumps([self.balances, self.lines])
        return sha256(written.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Closing:
    """A closing note. It is broken if its balances differ from those computed now."""

    note: ClosingNote
    is_broken: bool


def last_night(table: Table) -> date | None:
    """Return the night of the newest game, or None before the first game."""
    newest = table.games.filter(discarded_at=None).aggregate(night=Max("night_number"))["night"]
    return None if newest is None else date.fromordinal(newest)


def nights_before(table: Table, night: date | None, *, count: int) -> list[date]:
    """Return the newest nights that had games or were closed.

    With `night`, return only nights before that night.
    """
    games = table.games.filter(discarded_at=None).order_by("-night_number")
    notes = table.closing_notes.order_by("-night")
    if night is not None:
        games, notes = games.filter(night_number__lt=night.toordinal()), notes.filter(night__lt=night)
    numbers = games.values_list("night_number", flat=True).distinct()[:count]
    closed = notes.values_list("night", flat=True).distinct()[:count]
    return sorted({*map(date.fromordinal, numbers), *closed}, reverse=True)[:count]


def games_of(night: date, table: Table) -> QuerySet[Game]:
    """Return the games of this night in the order in which they began."""
    return table.games.filter(discarded_at=None, night_number=night.toordinal()).order_by("started_at", "pk")


def payments_of(night: date, table: Table) -> QuerySet[Payment]:
    """Return the payments made in this night, oldest first."""
    begins, ends = window_of(night, table)
    return (
        table.payments.filter(made_at__gte=begins, made_at__lt=ends)
        .select_related("payer", "payee")
        .order_by("made_at", "pk")
    )


def seen_now(accounts: Accounts) -> str:
    """Return a digest of the present accounts. Any change of a balance or the plan changes the digest."""
    return NightSnapshot(accounts.balances, lines_of(accounts)).seen


def lines_of(accounts: Accounts) -> list[list[str | int]]:
    """Return the payments still to be made as [payer, payee, amount], which a closing note stores."""
    return [[line.payer.slug, line.payee.slug, line.left] for line in accounts.to_pay]


def snapshot_of(night: date, table: Table, people: People) -> NightSnapshot:
    """Return the snapshot to store if this night is closed now.

    For the last night these are the present accounts. For an older night these are the balances at the
    night's end or, if the night was closed before, at the `as_of` of its note, both computed from today's
    records.
    """
    if night == last_night(table):
        accounts = read_accounts(table, people)
        return NightSnapshot(accounts.balances, lines_of(accounts))
    note = notes_of([night], table).get(night)
    as_of = note.as_of if note else _end_of(night, table)
    (balances,) = _balances_at(table, people, [as_of])
    plan = table.plans.filter(made_at__lte=as_of).first()
    lines = unpaid(people.read_lines(plan.lines) if plan else (), balances)
    if lines is None:
        lines = transfers(balances)
    return NightSnapshot(balances, [[line.payer, line.payee, line.amount] for line in lines], as_of)


def _end_of(night: date, table: Table) -> datetime:
    """Return the moment at which a night was over.

    This is the moment before the next night begins by the clock. If a game of the night ended later, and
    before the first game of a later night began, it is the end of the last such game.
    """
    _begins, ends = window_of(night, table)
    later = table.games.filter(discarded_at=None, night_number__gt=night.toordinal())
    others_from = later.aggregate(first=Min("started_at"))["first"] or ends
    last = games_of(night, table).filter(ended_at__lt=others_from).aggregate(last=Max("ended_at"))["last"]
    return max(last or ends, ends - timedelta(microseconds=1))


def notes_of(nights: Sequence[date], table: Table) -> Mapping[date, ClosingNote]:
    """Return the last closing note of each of these nights. Nights that were not closed are left out."""
    notes = table.closing_notes.filter(night__in=nights).order_by("made_at", "pk")
    return {note.night: note for note in notes.select_related("made_by")}


def closing_of(night: date, table: Table, people: People) -> Closing | None:
    """Return the last closing note of this night, or None if it was not closed."""
    note = (
        table.closing_notes.filter(night=night)
        .annotate(is_touched=Exists(_plans_touching(*_OF_NOTE)) | Exists(_payments_changed(*_OF_NOTE)))
        .first()
    )
    if note is None:
        return None
    # Comparing balances reads every game of the table, so do it only if something could have changed them.
    return Closing(note, bool(note.is_touched) and any(broken_by([note], people)))


def broken_by(notes: Sequence[ClosingNote], people: People) -> list[tuple[BrokenBalance, ...]]:
    """Return for each note the balances that differ from those computed from today's records."""
    moments = [note.as_of for note in notes]
    if not moments:
        return []
    changed_balances = []
    for note, balances in zip(notes, _balances_at(notes[0].table, people, moments), strict=True):
        seen = dict.fromkeys(balances, 0)
        for slug, amount in note.balances.items():
            seen[people.by_slug[slug].slug] += amount
        changed_balances.append(
            tuple(
                BrokenBalance(slug, seen[slug], balances[slug])
                for slug in balances
                if seen[slug] != balances[slug]
            )
        )
    return changed_balances


def contradicted(game: Game, log: Log, before: GameState, after: GameState) -> list[date]:
    """Return the closed nights, oldest first, whose notes a correction of this game contradicts.

    A note is contradicted if it showed other amounts for this game than the game has after the correction.
    A correction that changes no amount contradicts no note.
    """
    if _nets_if_over(before) == _nets_if_over(after):
        return []
    recorded = list(game.records.order_by("number").values_list("recorded_at", flat=True))
    closed = game.table.closing_notes.filter(as_of__gte=recorded[0]).order_by("night", "made_at", "pk")
    state_at = cache(lambda moment: replay(log[: sum(at <= moment for at in recorded)]))
    nights = []
    for note in {note.night: note for note in closed}.values():
        was_over, seen = state_at(note.as_of).is_over, state_at(note.made_at)
        showed, counts, would = (
            _nets_if_over(state) if was_over or _is_over_by(note.as_of, state, recorded) else {}
            for state in (seen, before, after)
        )
        if would not in (showed, counts):
            nights.append(note.night)
    return nights


def _nets_if_over(state: GameState) -> Mapping[str, int]:
    """Return the amount that each player won or lost; players with 0 are left out.

    Return an empty mapping for an unfinished game.
    """
    return {player: net for player, net in nets(state).items() if net} if state.is_over else {}


def _is_over_by(moment: datetime, state: GameState, recorded: Sequence[datetime]) -> bool:
    """Return whether the event that ended the game was recorded by this moment."""
    number = state.outcome.number if state.outcome else 0
    return 0 < number <= len(recorded) and recorded[number - 1] <= moment


def changed_since(note: ClosingNote) -> tuple[tuple[Plan, ...], tuple[Payment, ...]]:
    """Return the plans and payments made after this note that changed balances as of the note.

    A payment confirmed after the note is included: it may have been disputed before, which is not stored.
    """
    moments = note.table_id, note.made_at, note.as_of
    plans = _plans_touching(*moments).select_related("game").order_by("pk")
    payments = _payments_changed(*moments).select_related("payer", "payee")
    return tuple(plans), tuple(payments.order_by("pk").distinct())


_Moment: TypeAlias = datetime | OuterRef


def _plans_touching(table: int | OuterRef, since: _Moment, before: _Moment) -> QuerySet[Plan]:
    """Return the plans made since a note whose cause is a change of a game begun before the note's moment.

    Plans made because many games changed at once are included.
    """
    because = [str(because) for because in TOUCHING]
    of_old_games = Q(because__in=because, game__started_at__lt=before)
    return Plan.objects.filter(of_old_games | Q(game=None, payment=None), table=table, made_at__gt=since)


def _payments_changed(table: int | OuterRef, since: _Moment, before: _Moment) -> QuerySet[Payment]:
    """Return the payments made before a note's moment that were recorded or changed after the note.

    A change is any step: accepted, amended, cancelled, disputed, confirmed. Claims never accepted are left
    out.
    """
    changes = ("recorded_at", "accepted_at", "cancelled_at", "disputed_at", "confirmed_at", "steps__at")
    later = reduce(or_, (Q(**{f"{change}__gt": since}) for change in changes))
    made = Q(made_at__lte=before) | Q(steps__made_at__lte=before)
    counted = Q(claimed_at=None) | Q(accepted_at__isnull=False)
    return Payment.objects.filter(later & made & counted, table=table)


def _balances_at(table: Table, people: People, moments: Sequence[datetime]) -> list[dict[str, int]]:
    """Return everybody's balance at each moment, computed from today's records."""
    balances_by_moment = [{member.slug: 0 for member in people.own} for _moment in moments]

    def add(rows: Iterable[Mapping[str, Any]], end: str, sign: int) -> None:
        for row in rows:
            for place, balances in enumerate(balances_by_moment):
                balances[people.by_pk[row[end]].slug] += sign * int(row[f"sum{place}"] or 0)

    results = Result.objects.filter(member__table=table).order_by().values("member")
    add(
        results.annotate(
            **{
                f"sum{place}": Sum("net", filter=Q(game__ended_at__lte=moment) | Q(game__in=reopened))
                for place, (moment, reopened) in enumerate(
                    zip(moments, _reopened_games(table, moments), strict=True)
                )
            }
        ),
        "member",
        1,
    )
    for end, sign in (("payer", 1), ("payee", -1)):
        paid = Payment.objects.filter(COUNTING, table=table).order_by().values(end)
        add(
            paid.annotate(
                **{
                    f"sum{place}": Sum("amount", filter=Q(made_at__lte=moment))
                    for place, moment in enumerate(moments)
                }
            ),
            end,
            sign,
        )
    return balances_by_moment


def _reopened_games(table: Table, moments: Sequence[datetime]) -> list[set[int]]:
    """Return for each moment the ids of the games that were over at that moment and were reopened later.

    Only games that have ended again are included. A closing note of that moment counts these games with their
    present results.
    """
    later = table.games.filter(started_at__lte=max(moments), ended_at__gt=min(moments)).order_by()
    spans = list(later.values_list("pk", "started_at", "ended_at"))
    over_by_moment = []
    for moment in moments:
        across = [pk for pk, began, ended in spans if began <= moment < (ended or moment)]
        logs = logs_of(across, until=moment) if across else {}
        over_by_moment.append({game for game, log in logs.items() if log and replay(log).is_over})
    return over_by_moment


# --- closing a night --------------------------------------------------------------------------------------------------


def after_closings(table: Table, moment: datetime) -> datetime:
    """Return this moment or, if the table's last closing note is later, the moment right after the note.

    So an entry that arrives late does not change a closed night.
    """
    last = table.closing_notes.aggregate(last=Max("made_at"))["last"]
    return moment if last is None else max(moment, last + timedelta(microseconds=1))


@transaction.atomic
def close_night(
    table: Table, night: date, *, seen: str, by: User, text: str = "", at: datetime | None = None
) -> ClosingNote:
    """Record the closing note of a night: the balances and the plan that the user saw.

    Raise StaleAccounts if the balances or the plan no longer match the digest `seen`, or if nobody played.
    Closing the night again with nothing changed returns the existing note.
    """
    lock(table)
    text = one_line(text, longest=NOTE_LENGTH, field="text")
    snapshot = snapshot_of(night, table, People.of(table))
    if seen != snapshot.seen or not games_of(night, table).exists():
        raise StaleAccounts
    known = table.closing_notes.filter(night=night).first()
    if known is not None and (known.balances, known.lines, known.text) == (
        snapshot.balances,
        snapshot.lines,
        text,
    ):
        return known
    made_at = at or now()
    note = table.closing_notes.create(
        night=night,
        balances=snapshot.balances,
        lines=snapshot.lines,
        text=text,
        as_of=snapshot.as_of or made_at,
        made_at=made_at,
        made_by=by,
    )
    tell(table, Change(what=ChangeKind.NIGHT_CLOSED, note=note))
    return note
