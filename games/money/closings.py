"""The closing notes (cierres) of nights: the balances that everybody saw, and later changes of them.

A *closing note* stores the balances and the payments still to be made that a user saw when closing a night.
It is *outdated* once another game of that night has ended. A *plan* (who pays whom) is stored with the change
that caused it, such as the correction of a game.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache, cached_property, reduce
from hashlib import sha256
from operator import or_
from typing import Any, TypeAlias

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, Exists, Max, Min, OuterRef, Q, QuerySet, Sum, Value, When
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
    CostShare,
    Game,
    Payment,
    Plan,
    PlanReason,
    Result,
    SharedCost,
    StepKind,
    Table,
)
from games.money.balances import Accounts, People, StaleAccounts, read_accounts, standing_lines
from games.nights import window_of
from games.rows import grouped
from games.scoring.events import Log
from games.scoring.ledger import nets
from games.scoring.one_line import one_line
from games.scoring.replay import replay
from games.scoring.state import GameState

# The closing note of the outer query: its table, and the two moments that the subqueries below compare with.
_OF_NOTE = OuterRef("table"), OuterRef("made_at"), OuterRef("as_of")
# The reasons of plans that may change the balances of a past night.
TOUCHING = (PlanReason.CORRECTED, PlanReason.REOPENED, PlanReason.DISCARDED, PlanReason.RESTORED)


@dataclass(frozen=True)
class BrokenBalance:
    """A balance that changed after the night was closed: the amount in the note and the present amount."""

    slug: str
    seen: int
    now: int


@dataclass(frozen=True)
class NightSnapshot:
    """A snapshot for a closing note: the balances by slug, and the payments to be made.

    Each of the `lines` is [payer's slug, payee's slug, amount]. `as_of` is the moment of the balances; None
    for the present.
    """

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
    """The last closing note of a night, and whether it still holds.

    `broken` are the note's balances that differ from those computed now. `is_outdated` is true if a game of
    the night ended after the note.
    """

    note: ClosingNote
    broken: tuple[BrokenBalance, ...]
    is_outdated: bool

    @property
    def holds(self) -> bool:
        """True if no balance of the note has changed and the note is not outdated."""
        return not (self.broken or self.is_outdated)


def last_night(table: Table) -> date | None:
    """Return the night of the newest game, or None before the first game."""
    newest = table.games.filter(discarded_at=None).aggregate(night=Max("night_number"))["night"]
    return None if newest is None else date.fromordinal(newest)


def nights_before(table: Table, night: date | None, *, count: int) -> list[date]:
    """Return at most `count` nights that had games or were closed, newest first.

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
    """Return the payments made in this night, or made to settle this night, oldest first."""
    begins, ends = window_of(night, table)
    return (
        table.payments.filter(Q(made_at__gte=begins, made_at__lt=ends) | Q(night=night))
        .select_related("payer", "payee")
        .order_by("made_at", "pk")
    )


def seen_now(accounts: Accounts) -> str:
    """Return a digest of the present accounts. Any change of a balance or the plan changes the digest."""
    return NightSnapshot(accounts.balances, lines_of(accounts)).seen


def lines_of(accounts: Accounts) -> list[list[str | int]]:
    """Return each payment still to be made as [payer's slug, payee's slug, amount], as a note stores it."""
    return [[line.payer.slug, line.payee.slug, line.left] for line in accounts.to_pay]


def snapshot_of(night: date, table: Table, people: People) -> NightSnapshot:
    """Return the snapshot to store if this night is closed now.

    For the last night, it has the present balances. For an older night, it has the balances at the night's
    end or, if the night was closed before, at the moment `as_of` of its note; both are computed from today's
    records. An outdated note is ignored.
    """
    if night == last_night(table):
        accounts = read_accounts(table, people)
        return NightSnapshot(accounts.balances, lines_of(accounts))
    note = notes_of([night], table).get(night)
    as_of = _end_of(night, table) if note is None or _is_outdated(note) else note.as_of
    (balances,) = balances_at(table, people, [as_of])
    plan = table.plans.filter(made_at__lte=as_of).first()
    _made, lines, _is_stored = standing_lines(plan, people, balances)
    return NightSnapshot(balances, [[line.payer, line.payee, line.amount] for line in lines], as_of)


def _end_of(night: date, table: Table) -> datetime:
    """Return the moment at which a night was over.

    This is the last moment before the next night begins by the clock. If games of the night ended later than
    that, it is the end of the last one. Games that ended after a game of a later night began do not count.
    """
    _begins, ends = window_of(night, table)
    others_from = _next_start(night, table) or ends
    last = games_of(night, table).filter(ended_at__lt=others_from).aggregate(last=Max("ended_at"))["last"]
    before_next = ends - timedelta(microseconds=1)
    return max(last or before_next, before_next)


def _next_start(night: date, table: Table) -> datetime | None:
    """Return the start of the first game of a later night, or None."""
    later = table.games.filter(discarded_at=None, night_number__gt=night.toordinal())
    first: datetime | None = later.aggregate(first=Min("started_at"))["first"]
    return first


def _is_outdated(note: ClosingNote) -> bool:
    """Return whether a game of the note's night ended after the note, before a later night began.

    A game that was over at the note, was reopened and ended again does not count: the note includes it.
    """
    ended_later = games_of(note.night, note.table).filter(ended_at__gt=note.as_of)
    others_from = _next_start(note.night, note.table)
    if others_from is not None:
        ended_later = ended_later.filter(ended_at__lt=others_from)
    return ended_later.exclude(pk__in=reopened_games(note.table, [note.as_of])[0]).exists()


def notes_of(nights: Sequence[date], table: Table) -> Mapping[date, ClosingNote]:
    """Return the last closing note of each of these nights. Nights that were not closed are left out."""
    notes = table.closing_notes.filter(night__in=nights).order_by("made_at", "pk")
    return {note.night: note for note in notes.select_related("made_by")}


def closing_of(night: date, table: Table, people: People) -> Closing | None:
    """Return the last closing note of this night and whether it holds; None if the night was not closed."""
    return closings_of([night], table, people).get(night)


def closings_of(nights: Sequence[date], table: Table, people: People) -> Mapping[date, Closing]:
    """Return the last closing note of each of these nights, and whether it holds, without open nights."""
    ends = [When(night=night, then=Value(night.toordinal())) for night in nights]
    ended_later = table.games.filter(
        discarded_at=None, night_number=OuterRef("number"), ended_at__gt=OuterRef("as_of")
    )
    rows = (
        table.closing_notes.filter(night__in=nights)
        .annotate(number=Case(*ends, default=Value(0)))
        .annotate(
            is_touched=Exists(_plans_touching(*_OF_NOTE))
            | Exists(_payments_changed(*_OF_NOTE))
            | Exists(_costs_changed(*_OF_NOTE)),
            may_be_outdated=Exists(ended_later),
        )
        .select_related("made_by")
    )
    notes = {note.night: note for note in rows.order_by("made_at", "pk")}
    # Comparing balances reads every game of the table, so do it only if something could have changed them.
    touched = [note for note in notes.values() if note.is_touched]
    broken = dict(zip([note.night for note in touched], broken_by(touched, people), strict=True))
    return {
        night: Closing(note, broken.get(night, ()), bool(note.may_be_outdated) and _is_outdated(note))
        for night, note in notes.items()
    }


def broken_by(notes: Sequence[ClosingNote], people: People) -> list[tuple[BrokenBalance, ...]]:
    """Return for each note the balances that differ from those computed from today's records."""
    moments = [note.as_of for note in notes]
    if not moments:
        return []
    changed_balances = []
    for note, balances in zip(notes, balances_at(notes[0].table, people, moments), strict=True):
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
    A correction that changes no amount contradicts no note. `log` has the game's recorded events. `before`
    and `after` are the game's states without and with the correction, which is not recorded yet.
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

    Return an empty mapping if the game is unfinished.
    """
    return {player: net for player, net in nets(state).items() if net} if state.is_over else {}


def _is_over_by(moment: datetime, state: GameState, recorded: Sequence[datetime]) -> bool:
    """Return whether the event that ended the game was recorded by this moment.

    `recorded` has the moment at which each event of the game was recorded, in order.
    """
    number = state.outcome.number if state.outcome else 0
    return 0 < number <= len(recorded) and recorded[number - 1] <= moment


def changed_since(note: ClosingNote) -> tuple[tuple[Plan, ...], tuple[Payment, ...]]:
    """Return what may have changed the balances of this note since: plans and payments, oldest first.

    Each of the plans was made because one game or many games changed, and stands for this change. The
    payments were recorded or changed after the note. A payment confirmed after the note is included, because
    it may have been disputed before: the dispute is not stored.
    """
    moments = note.table_id, note.made_at, note.as_of
    plans = _plans_touching(*moments).select_related("game").order_by("pk")
    payments = _payments_changed(*moments).select_related("payer", "payee")
    return tuple(plans), tuple(payments.order_by("pk").distinct())


def costs_changed_since(note: ClosingNote) -> tuple[SharedCost, ...]:
    """Return the shared costs that may belong in this note's balances but were recorded or changed later."""
    costs = _costs_changed(note.table_id, note.made_at, note.as_of).select_related("payer")
    return tuple(costs.order_by("pk").distinct())


def moved_games(note: ClosingNote, plans: Iterable[Plan]) -> tuple[list[Game], list[Game]]:
    """Return two lists of the games that caused these plans.

    The first has the games in which somebody's amount differs from that at the time of the note, the second
    the rest.
    """
    moved, same = list[Game](), list[Game]()
    for game, own in grouped((plan.game, plan) for plan in plans if plan.game is not None).items():
        log = game.log()
        seen = sum(at <= note.made_at for at in game.records.values_list("recorded_at", flat=True))
        was_away = own[0].because == PlanReason.RESTORED
        was = {} if was_away or not seen else _nets_if_over(replay(log[:seen]))
        now_moved = {} if game.discarded_at else _nets_if_over(replay(log))
        (same if was == now_moved else moved).append(game)
    return moved, same


def moved_payments(
    note: ClosingNote, payments: Iterable[Payment], people: People
) -> tuple[list[Payment], list[Payment]]:
    """Return two lists: the payments that changed a balance since the note, and those that changed none.

    Payments from the same payer to the same payee are added up, so a payment that was cancelled and recorded
    again is in the second list.
    """
    amounts = {
        payment: payment.amount if payment.counts and payment.made_at <= note.as_of else 0
        for payment in payments
    }
    sums: Counter[tuple[str, str]] = Counter()
    for payment, amount in amounts.items():
        sums[people.slugs_of(payment)] += amount - _counted_at(payment, note)
    moved = [payment for payment in amounts if sums[people.slugs_of(payment)]]
    return moved, [payment for payment in amounts if payment not in moved]


# The steps after which a payment does not count.
_AWAY = (StepKind.CANCELLED, StepKind.DISCARDED, StepKind.DISPUTED, StepKind.MERGED)


def _counted_at(payment: Payment, note: ClosingNote) -> int:
    """Return the amount with which this payment counted when the note was made; 0 if it did not count."""
    entered_at = payment.accepted_at if payment.claimed_at else payment.recorded_at
    if entered_at is None or entered_at > note.made_at:
        return 0
    steps = list(payment.steps.all())
    before = [step.turn for step in steps if step.at <= note.made_at]
    if before and before[-1] in _AWAY:
        return 0
    later = (step for step in steps if step.at > note.made_at and step.turn == StepKind.AMENDED)
    source = next(later, payment)
    made_at, amount = source.made_at, source.amount
    return amount if amount and made_at and made_at <= note.as_of else 0


_Moment: TypeAlias = datetime | OuterRef


def _plans_touching(table: int | OuterRef, since: _Moment, before: _Moment) -> QuerySet[Plan]:
    """Return the plans made since a closing note because of changed games that the note may include.

    `since` is when the note was made. `before` is the moment of the note's balances: these games had begun by
    then. A plan that names no game, payment or cost is included too: many games may have changed at once.
    """
    because = [str(because) for because in TOUCHING]
    of_old_games = Q(because__in=because, game__started_at__lte=before)
    return Plan.objects.filter(
        of_old_games | Q(game=None, payment=None, cost=None), table=table, made_at__gte=since
    )


def _payments_changed(table: int | OuterRef, since: _Moment, before: _Moment) -> QuerySet[Payment]:
    """Return the payments that may belong in a closing note but were recorded or changed after the note.

    `since` is when the note was made, `before` the moment of its balances. A change is any step: accepted,
    amended, cancelled, disputed, confirmed. Claimed payments that nobody ever accepted are left out.
    """
    changes = ("recorded_at", "accepted_at", "cancelled_at", "disputed_at", "confirmed_at", "steps__at")
    later = reduce(or_, (Q(**{f"{change}__gte": since}) for change in changes))
    made = Q(made_at__lte=before) | Q(steps__made_at__lte=before)
    counted = Q(claimed_at=None) | Q(accepted_at__isnull=False)
    return Payment.objects.filter(later & made & counted, table=table)


def _costs_changed(table: int | OuterRef, since: _Moment, before: _Moment) -> QuerySet[SharedCost]:
    """Return the shared costs made before the moment `before` that were recorded or changed since `since`."""
    later = Q(recorded_at__gte=since) | Q(steps__at__gte=since)
    return SharedCost.objects.filter(later, table=table, made_at__lte=before)


def balances_at(table: Table, people: People, moments: Sequence[datetime]) -> list[dict[str, int]]:
    """Return for each moment everybody's balance then, by slug, computed from today's records."""
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
                    zip(moments, reopened_games(table, moments), strict=True)
                )
            }
        ),
        "member",
        1,
    )
    shares = CostShare.objects.filter(member__table=table).order_by().values("member")
    add(
        shares.annotate(
            **{
                f"sum{place}": Sum("net", filter=Q(cost__made_at__lte=moment))
                for place, moment in enumerate(moments)
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


def reopened_games(table: Table, moments: Sequence[datetime]) -> list[set[int]]:
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
        states = {game: replay(log) for game, log in logs.items() if log}
        over_by_moment.append({game for game, state in states.items() if state.is_over})
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
    """Record the closing note of a night: the balances and the plan that the user saw, and a remark `text`.

    Raise StaleAccounts if the balances or the plan no longer match the digest `seen`, or if nobody played
    that night. Closing the night again with nothing changed returns the existing note, unless a game ended
    after it.
    """
    lock(table)
    text = one_line(text, longest=NOTE_LENGTH, field="text")
    snapshot = snapshot_of(night, table, People.of(table))
    if seen != snapshot.seen or not games_of(night, table).exists():
        raise StaleAccounts
    known = table.closing_notes.filter(night=night).first()
    same = known and (known.balances, known.lines, known.text) == (snapshot.balances, snapshot.lines, text)
    if known and same and not _is_outdated(known):
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
