"""Nights and their closing notes as pages show them.

A closing note keeps the balances after a night and the payments that settle them, as everybody saw them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.book import states_of
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
from games.money.tallies import NightTally, tallies_of
from games.scoring.admission import MOST_STEPS
from games.shown.common.amounts import money, tone_of
from games.shown.common.days import day_in_words, moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.common.people import Person, people_among
from games.shown.common.played import game_in_words, game_page, games_in_words
from games.shown.common.wins import Win, win_of
from games.shown.money.accounts import account_page, payment_in_words, state_in_words
from games.shown.money.causes import CauseShown
from games.shown.money.costs import cost_in_words, cost_page
from games.shown.money.plans import why_in_words
from games.shown.money.tallies import TallyShown, tally_shown, win_of_night


@dataclass(frozen=True)
class NightRow:
    """A night in a list: its winners, and the state of its closing note ("" if there is nothing to say).

    `tally` has everybody's sum so far while the night is played, and is None afterwards.
    """

    day: str
    win: Win | None
    detail: str
    state: str
    tone: str
    tally: TallyShown | None
    href: str


@dataclass(frozen=True)
class Amount:
    """A person's balance as text (`amount`), and a link to the person's account, which explains it."""

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
    """A balance that changed after the night was closed: as the closing note has it (`seen`), and now."""

    person: Person
    seen: str
    now: str


@dataclass(frozen=True)
class NoteShown:
    """A closing note, ready for its page.

    It has the time and author of the note, the balances and payments everybody saw, and the later changes.
    `as_of` is the moment of these balances if the note was made later, else "". `causes` are the later
    changes that moved balances, and `undone` the later changes that moved none.
    """

    made: str
    as_of: str
    by: str
    text: str
    standing: Standing
    broken: tuple[BrokenLine, ...]
    causes: tuple[CauseShown, ...]
    is_outdated: bool
    undone: tuple[CauseShown, ...]


@dataclass(frozen=True)
class ListedNight:
    """A night with its closing note, its tally, and the numbers of its games and of those that are over.

    `win` has the winners of its only game; it is None if there are more games or that game is unfinished.
    """

    night: date
    closing: Closing | None
    games: int
    over: int
    tally: NightTally | None
    win: Win | None

    @property
    def is_playing(self) -> bool:
        """True while a game of the night is unfinished."""
        return self.over < self.games


def night_rows(
    nights: Sequence[date], last: date | None, table: Table, people: People, *, may_close: bool
) -> list[NightRow]:
    """Return the nights as rows of a list. A night under way has everybody's sum so far.

    `last` is the last night of the table, the only one that may be listed as not closed yet. `may_close` is
    True if the user may close nights.
    """
    return [
        _night_row(played, table, may_close=may_close, is_last=played.night == last)
        for played in _played(nights, table, people)
    ]


def _played(nights: Sequence[date], table: Table, people: People) -> Iterator[ListedNight]:
    closings = closings_of(nights, table, people)
    numbers = [night.toordinal() for night in nights]
    games = table.games.filter(discarded_at=None, night_number__in=numbers).order_by()
    rows = games.values("night_number").annotate(games=Count("pk"), over=Count("ended_at"))
    counts = {row["night_number"]: (row["games"], row["over"]) for row in rows}
    tallies = tallies_of([(table.pk, number) for number in numbers], {table.pk: people})
    # A night is not won by points, but a night of a single game is described as that game, with its points.
    single = {night: tally.games[0] for night, tally in tallies.items() if len(tally.games) == 1}
    states, persons = states_of(list(single.values()), most=MOST_STEPS), people_among(people)
    for night, number in zip(nights, numbers, strict=True):
        count, over = counts.get(number, (0, 0))
        key = (table.pk, number)
        state = states.get(single[key]) if key in single and count == 1 else None
        win = win_of(state, persons, table) if state is not None and state.outcome is not None else None
        yield ListedNight(night, closings.get(night), count, over, tallies.get(key), win)


def _night_row(played: ListedNight, table: Table, *, may_close: bool, is_last: bool) -> NightRow:
    tally, win = played.tally, played.win
    if tally and win is None:
        win = win_of_night(tally, table, is_playing=played.is_playing)
    state, tone = _state_of(played, may_close=may_close and is_last, may_repair=may_close)
    return NightRow(
        day=day_in_words(played.night),
        win=win,
        detail=" · ".join(filter(None, (games_in_words(played.games), win.pot if win else ""))),
        state=state,
        tone=tone,
        tally=tally_shown(tally, table) if tally and played.is_playing else None,
        href=reverse("night", args=[table.code, played.night.isoformat()]),
    )


def _state_of(played: ListedNight, *, may_close: bool, may_repair: bool) -> tuple[str, str]:
    """Return the state of a night's closing note in words, and its colour as a CSS class.

    Both are "" if there is nothing to say. `may_close` is True if the user may close this night, which is
    the table's last one: then “not closed” is returned if the night is over, moved money and has no note.
    `may_repair` is True if the user may close a night again whose note no longer holds.
    """
    closing, tally = played.closing, played.tally
    if played.is_playing and closing is None:
        return _("under way"), "soft"
    if closing is None:
        is_open = may_close and tally is not None and tally.has_money
        return (_("not closed"), "soft") if is_open else ("", "")
    if closing.holds:
        return pgettext("a night", "closed"), "green"
    return no_longer_in_words(closing, may_close=may_repair), "red"


def no_longer_in_words(closing: Closing, *, may_close: bool) -> str:
    """Return a text on the reason why a night's closing note no longer holds.

    With `may_close`, which means that the user may close the night, the text adds that the night is not
    closed again yet.
    """
    why = _("changed since it was closed") if closing.broken else _("a game ended after it was closed")
    return f"{why} · {_('not closed again yet')}" if may_close else why


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
    """Return the lines of a stored plan of payments as pages show them.

    Each line is stored as [payer's slug, payee's slug, amount in the smallest units].
    """
    return tuple(
        Payable(
            person_of(people.by_slug[line.payer]),
            person_of(people.by_slug[line.payee]),
            money(line.amount, table),
        )
        for line in people.read_lines(lines)
    )


def standing_shown(stand: NightSnapshot, people: People, table: Table) -> Standing:
    """Return the balances of a snapshot, and the payments that settle them, as they are shown."""
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
) -> tuple[tuple[CauseShown, ...], tuple[CauseShown, ...]]:
    """Return two groups of changes made after the note: those that moved balances, then those that did not.

    The changes are of games, plans of payments, payments and shared costs. `broken` are the balances that
    differ from the note.
    """
    plans, payments = changed_since(note)
    costs = costs_changed_since(note)
    games, same_games = moved_games(note, plans)
    at_fault = _at_fault(payments, note, broken, people, only_cause=not (plans or costs))
    moved, same = moved_payments(note, at_fault, people)
    others = [plan for plan in plans if plan.game is None]
    changes = reverse("plan-changes", args=[table.code])
    # Balances changed, so some payment moved them, but the stored data does not tell which one.
    if not (games or moved or others or costs):
        moved, same = same, []
    return (
        (
            *_game_causes(games),
            *(CauseShown(why_in_words(plan, people, table), href=changes) for plan in others),
            *_payment_causes(moved, people, table),
            *_cost_causes(costs, people, table),
        ),
        (*_game_causes(same_games), *_payment_causes(same, people, table)),
    )


def _game_causes(games: Iterable[Game]) -> Iterator[CauseShown]:
    for game in games:
        yield CauseShown(game_in_words(game), href=game_page(game))


def _payment_causes(payments: Iterable[Payment], people: People, table: Table) -> Iterator[CauseShown]:
    for payment in payments:
        payment_page = reverse("payment", args=[table.code, payment.pk])
        yield CauseShown(_reconsidered(payment, people, table), href=payment_page)


def _cost_causes(costs: Iterable[SharedCost], people: People, table: Table) -> Iterator[CauseShown]:
    for cost in costs:
        state = "" if cost.counts else _("cancelled")
        words = " · ".join(filter(None, (cost_in_words(cost, people, table), state)))
        yield CauseShown(words, href=cost_page(cost, table))


def _at_fault(
    payments: Sequence[Payment],
    note: ClosingNote,
    broken: Sequence[BrokenBalance],
    people: People,
    *,
    only_cause: bool,
) -> Sequence[Payment]:
    """Return those of `payments` that explain why balances changed after the night was closed.

    A payment explains it if it no longer counts, or was recorded, accepted, amended or upheld after the note
    (see `_is_news`). If no payment does and nothing else changed (`only_cause`), return the payments by
    members whose balance changed, since these payments may have been disputed when the note was made.
    `broken` are the balances that changed.
    """
    changed = [payment for payment in payments if not payment.counts or _is_news(payment, note)]
    if changed or not only_cause:
        return changed
    slugs = {balance.slug for balance in broken}
    return [payment for payment in payments if people.by_pk[payment.payer_id].slug in slugs]


def _is_news(payment: Payment, note: ClosingNote) -> bool:
    """Return whether the payment was recorded, accepted, amended or upheld after the closing note.

    An accepted payment was a claim that somebody confirmed; an upheld one was kept despite a dispute.
    """
    moments = [payment.recorded_at, payment.accepted_at or payment.recorded_at]
    turned = payment.steps.filter(turn__in=(StepKind.AMENDED, StepKind.UPHELD), at__gt=note.made_at)
    return max(moments) > note.made_at or turned.exists()


def _reconsidered(payment: Payment, people: People, table: Table) -> str:
    """Return a payment in words: payer, payee, amount, and its state, such as “cancelled”.

    For a payment without such a state, the text has the time of recording instead.
    """
    state, _tone = state_in_words(payment, people)
    state_or_moment = state or _("recorded %(moment)s") % {
        "moment": moment_in_words(payment.recorded_at, table)
    }
    return f"{payment_in_words(payment, people)}, {money(payment.amount, table)} · {state_or_moment}"
