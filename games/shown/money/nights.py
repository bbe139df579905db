"""Nights and their closing notes as pages show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import ClosingNote, Payment, StepKind, Table
from games.money.balances import People
from games.money.closings import BrokenBalance, NightSnapshot, broken_by, changed_since, notes_of
from games.notebook.fingerprints import fingerprint_of_note
from games.shown.common.amounts import money, tone_of
from games.shown.common.days import day_in_words, moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.common.people import Person
from games.shown.common.played import game_in_words, game_page
from games.shown.money.accounts import account_page, payment_in_words, state_in_words
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
    """

    made: str
    by: str
    text: str
    standing: Standing
    fingerprint: str
    broken: tuple[BrokenLine, ...]
    causes: tuple[Cause, ...]


def night_rows(nights: Sequence[date], table: Table) -> tuple[NightRow, ...]:
    """Return the nights, each with its number of games and the state of its closing note."""
    people, notes = People.of(table), notes_of(nights, table)
    broken = dict(zip(notes, broken_by(list(notes.values()), people), strict=True))
    numbers = [night.toordinal() for night in nights]
    games = table.games.filter(discarded_at=None, night_number__in=numbers).order_by().values("night_number")
    counted = {row["night_number"]: row["games"] for row in games.annotate(games=Count("pk"))}
    return tuple(
        _night_row(night, counted.get(night.toordinal(), 0), night in notes, bool(broken.get(night)), table)
        for night in nights
    )


def _night_row(night: date, games: int, is_closed: bool, is_broken: bool, table: Table) -> NightRow:
    state, tone = (
        (_("changed since it was closed"), "red")
        if is_broken
        else (_("closed"), "green")
        if is_closed
        else (_("not closed"), "soft")
    )
    return NightRow(
        day=day_in_words(night),
        detail=ngettext("%(count)s game", "%(count)s games", games) % {"count": games},
        state=state,
        tone=tone,
        href=reverse("night", args=[table.code, night.isoformat()]),
    )


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
        lines=tuple(
            Payable(
                person_of(people.by_slug[line.payer]),
                person_of(people.by_slug[line.payee]),
                money(line.amount, table),
            )
            for line in people.read_lines(lines)
        ),
    )


def note_shown(note: ClosingNote, people: People, table: Table) -> NoteShown:
    """Return the closing note of a night as it was made, with the changes since."""
    (broken,) = broken_by([note], people)
    return NoteShown(
        made=moment_in_words(note.made_at, table),
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
        causes=_causes(note, broken, people, table) if broken else (),
    )


def _causes(
    note: ClosingNote, broken: Sequence[BrokenBalance], people: People, table: Table
) -> tuple[Cause, ...]:
    plans, payments = changed_since(note)
    games = dict.fromkeys(plan.game for plan in plans if plan.game is not None)
    others = [plan for plan in plans if plan.game is None]
    changes = reverse("plan-changes", args=[table.code])
    return (
        *(Cause(game_in_words(game), game_page(game)) for game in games),
        *(Cause(why_in_words(plan, people, table), changes) for plan in others),
        *(
            Cause(_reconsidered(payment, people, table), reverse("payment", args=[table.code, payment.pk]))
            for payment in _at_fault(payments, note, broken, people, only_cause=not plans)
        ),
    )


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
