"""Nights and their closing notes as pages show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import ClosingNote, Game, Payment, SharedCost, StepKind, Table
from games.money.balances import People
from games.money.closings import (
    BrokenBalance,
    Closing,
    NightSnapshot,
    changed_since,
    closings_of,
    costs_changed_since,
    moved_games,
    moved_payments,
)
from games.notebook.fingerprints import fingerprint_of_note
from games.shown.common.amounts import money, tone_of
from games.shown.common.days import day_in_words, moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.common.people import Person
from games.shown.common.played import game_in_words, game_page
from games.shown.money.accounts import account_page, payment_in_words, state_in_words
from games.shown.money.costs import cost_in_words, cost_page
from games.shown.money.plans import why_in_words


@dataclass(frozen=True)
class NightRow:
    """A night in a list."""

    day: str
    detail: str
    state: str
    tone: str
    href: str


@dataclass(frozen=True)
class Amount:
    """A person's amount, and a link to the page that explains the amount."""

    person: Person
    amount: str
    tone: str
    href: str


@dataclass(frozen=True)
class Payable:
    """A payment that was due: payer, payee and amount."""

    payer: Person
    payee: Person
    amount: str


@dataclass(frozen=True)
class Standing:
    """The balances at one moment, and the payments that settle them."""

    balances: tuple[Amount, ...]
    lines: tuple[Payable, ...]


@dataclass(frozen=True)
class BrokenLine:
    """A balance that changed after the night was closed."""

    person: Person
    seen: str
    now: str


@dataclass(frozen=True)
class Cause:
    """A change made after a night was closed."""

    text: str
    href: str


@dataclass(frozen=True)
class NoteShown:
    """A closing note, ready for its page.

    It has the time and author of the note, the balances and payments everybody saw, and the changes since.
    `as_of` is the moment that the note shows if it was made later, else "". `undone` are changes that came to
    nothing.
    """

    made: str
    as_of: str
    by: str
    text: str
    standing: Standing
    fingerprint: str
    broken: tuple[BrokenLine, ...]
    causes: tuple[Cause, ...]
    is_outdated: bool
    undone: tuple[Cause, ...]


def night_rows(nights: Sequence[date], table: Table, *, may_close: bool) -> tuple[NightRow, ...]:
    """Return the nights, each with its number of games and the state of its closing note."""
    closings = closings_of(nights, table, People.of(table))
    numbers = [night.toordinal() for night in nights]
    games = table.games.filter(discarded_at=None, night_number__in=numbers).order_by().values("night_number")
    counted = {row["night_number"]: row["games"] for row in games.annotate(games=Count("pk"))}
    return tuple(
        _night_row(night, counted.get(night.toordinal(), 0), closings.get(night), table, may_close=may_close)
        for night in nights
    )


def _night_row(
    night: date, games: int, closing: Closing | None, table: Table, *, may_close: bool
) -> NightRow:
    if closing is None:
        state, tone = _("not closed"), "soft"
    elif closing.holds:
        state, tone = _("closed"), "green"
    else:
        state, tone = no_longer_in_words(closing, may_close=may_close), "red"
    return NightRow(
        day=day_in_words(night),
        detail=ngettext("%(count)s game", "%(count)s games", games) % {"count": games},
        state=state,
        tone=tone,
        href=reverse("night", args=[table.code, night.isoformat()]),
    )


def no_longer_in_words(closing: Closing, *, may_close: bool) -> str:
    """Return why a closing note no longer holds; who may close the night is asked to close it again."""
    why = _("changed since it was closed") if closing.broken else _("a game ended after it was closed")
    return f"{why} · {_('close it again')}" if may_close else why


def _highest(item: tuple[str, int]) -> int:
    return -item[1]


def _amount(slug: str, amount: int, people: People, table: Table) -> Amount:
    member = people.by_slug[slug]
    return Amount(
        person=person_of(member),
        amount=money(amount, table, signed=True),
        tone=tone_of(amount),
        href=account_page(table, member.slug),
    )


def payables(lines: Sequence[Sequence[str | int]], people: People, table: Table) -> tuple[Payable, ...]:
    """Return lines of payer, payee and amount as they are shown."""
    return tuple(
        Payable(
            person_of(people.by_slug[line.payer]),
            person_of(people.by_slug[line.payee]),
            money(line.amount, table),
        )
        for line in people.read_lines(lines)
    )


def standing_shown(stand: NightSnapshot, people: People, table: Table) -> Standing:
    """Return the balances and payments of a snapshot."""
    return _standing(stand.balances, stand.lines, people, table)


def _standing(
    balances: dict[str, int], lines: Sequence[Sequence[str | int]], people: People, table: Table
) -> Standing:
    added: Counter[str] = Counter()
    for slug, amount in balances.items():
        added[people.by_slug[slug].slug] += amount
    return Standing(
        balances=tuple(
            _amount(slug, amount, people, table)
            for slug, amount in sorted(added.items(), key=_highest)
            if amount
        ),
        lines=payables(lines, people, table),
    )


def note_shown(closing: Closing, people: People, table: Table) -> NoteShown:
    """Return the closing note of a night as it was made, with the changes since."""
    note, broken = closing.note, closing.broken
    causes, undone = _causes(note, broken, people, table) if broken else ((), ())
    return NoteShown(
        made=moment_in_words(note.made_at, table),
        as_of=moment_in_words(note.as_of, table) if note.as_of < note.made_at else "",
        by=known_as(note.made_by, people),
        text=note.text,
        standing=_standing(note.balances, note.lines, people, table),
        fingerprint=fingerprint_of_note(note),
        broken=tuple(
            BrokenLine(
                person_of(people.by_slug[balance.slug]),
                money(balance.seen, table, signed=True),
                money(balance.now, table, signed=True),
            )
            for balance in broken
        ),
        is_outdated=closing.is_outdated,
        causes=causes,
        undone=undone,
    )


def _causes(
    note: ClosingNote, broken: Sequence[BrokenBalance], people: People, table: Table
) -> tuple[tuple[Cause, ...], tuple[Cause, ...]]:
    """Return the changes that moved balances since the note, and those that came to nothing."""
    plans, payments = changed_since(note)
    costs = costs_changed_since(note)
    games, same_games = moved_games(note, plans)
    at_fault = _at_fault(payments, note, broken, people, only_cause=not (plans or costs))
    moved, same = moved_payments(note, at_fault, people)
    others = [plan for plan in plans if plan.game is None]
    changes = reverse("plan-changes", args=[table.code])
    if not (games or moved or others or costs):  # how the payments changed is not known
        moved, same = same, []
    return (
        (
            *_game_causes(games),
            *(Cause(why_in_words(plan, people, table), changes) for plan in others),
            *_payment_causes(moved, people, table),
            *_cost_causes(costs, people, table),
        ),
        (*_game_causes(same_games), *_payment_causes(same, people, table)),
    )


def _game_causes(games: Iterable[Game]) -> Iterator[Cause]:
    for game in games:
        yield Cause(game_in_words(game), game_page(game))


def _payment_causes(payments: Iterable[Payment], people: People, table: Table) -> Iterator[Cause]:
    for payment in payments:
        yield Cause(_reconsidered(payment, people, table), reverse("payment", args=[table.code, payment.pk]))


def _cost_causes(costs: Iterable[SharedCost], people: People, table: Table) -> Iterator[Cause]:
    for cost in costs:
        state = "" if cost.counts else _("cancelled")
        words = " · ".join(filter(None, (cost_in_words(cost, people, table), state)))
        yield Cause(words, cost_page(cost, table))


def _at_fault(
    payments: Sequence[Payment],
    note: ClosingNote,
    broken: Sequence[BrokenBalance],
    people: People,
    *,
    only_cause: bool,
) -> Sequence[Payment]:
    """Return the payments that explain why balances changed after the night was closed.

    They are those that no longer count, or began to count only afterwards. If there are no such payments and
    nothing else explains the change (`only_cause`), return the payments by people whose balance changed:
    these may have been disputed before.
    """
    changed = [payment for payment in payments if not payment.counts or _is_news(payment, note)]
    if changed or not only_cause:
        return changed
    slugs = {balance.slug for balance in broken}
    return [payment for payment in payments if people.by_pk[payment.payer_id].slug in slugs]


def _is_news(payment: Payment, note: ClosingNote) -> bool:
    """Return whether the payment was recorded, accepted, amended or upheld after the closing note."""
    moments = [payment.recorded_at, payment.accepted_at or payment.recorded_at]
    turned = payment.steps.filter(turn__in=(StepKind.AMENDED, StepKind.UPHELD), at__gt=note.made_at)
    return max(moments) > note.made_at or turned.exists()


def _reconsidered(payment: Payment, people: People, table: Table) -> str:
    """Return a payment and its state in words.

    For a payment that counts and has no special state, the time of recording stands in place of the state.
    """
    state, _tone = state_in_words(payment, people)
    state_or_moment = state or _("recorded %(moment)s") % {
        "moment": moment_in_words(payment.recorded_at, table)
    }
    return f"{payment_in_words(payment, people)}, {money(payment.amount, table)} · {state_or_moment}"
