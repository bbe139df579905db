"""Adjust write-offs (forgiven debts) after a change of a game's result: none exceeds its debt (RULES 1.3).

A write-off that a change makes too large shrinks, and grows again once the earlier result is restored. Both
are recorded as an *automatic step*: a row in the history of the write-off, by the user who changed the game.
Only the text of a step shows that it is automatic. It may be in any language of the site, because a table can
change its language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from operator import attrgetter

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext, override

from games.models import Game, Method, Payment, PaymentStep, PlanReason, StepKind
from games.money.balances import People
from games.money.booking import WORDS, note_step
from games.money.closings import balances_at
from games.money.dues import nets_now
from games.scoring.state import GameState

TURNS = (StepKind.AMENDED, StepKind.CANCELLED, StepKind.RESTORED)  # the kinds of automatic steps


@dataclass(frozen=True)
class Rewritten:
    """A write-off and the amount that it will have; 0 if nothing is left to forgive."""

    payment: Payment
    amount: int

    @property
    def before(self) -> int:
        """The present amount; 0 if the write-off does not count, for example because it is cancelled."""
        return self.payment.amount if self.payment.counts else 0


def rewritten_by(game: Game, before: GameState | None, after: GameState | None) -> tuple[Rewritten, ...]:
    """Return the write-offs that a change of a game would shrink or let grow; the change is not recorded yet.

    `before` and `after` are the states of the game; None if the game does not count then.
    """
    people = People.of(game.table)
    return _rewritten(game, moved_by(before, after, people), people, is_recorded=False)


def rewrite(
    game: Game,
    moved: Mapping[str, int],
    people: People,
    *,
    because: PlanReason,
    by: User | None,
    at: datetime,
) -> None:
    """Shrink write-offs, or let them grow, after a change of this game.

    `moved` is by how much each player's net amount changed, by slug. The results are stored already, and the
    caller holds the table's lock and stores the new plan. If `by` is None, the user who recorded the
    write-off is recorded for its step too.
    """
    with override(game.table.language):
        text = _text(because)
    for one in _rewritten(game, moved, people, is_recorded=True):
        payment = one.payment
        author = by or payment.recorded_by
        if payment.cancelled_at is not None:
            note_step(payment, StepKind.RESTORED, by=author, at=at, text=text)
            payment.cancelled_at = payment.cancelled_by = None
        if one.amount == 0:
            note_step(payment, StepKind.CANCELLED, by=author, at=at, text=text)
            payment.cancelled_at, payment.cancelled_by, payment.confirmed_at = at, author, None
        elif one.amount != payment.amount:
            says = {name: getattr(payment, name) for name in WORDS} | {"amount": one.amount}
            note_step(payment, StepKind.AMENDED, by=author, at=at, text=text, says=says)
        payment.save(update_fields=["amount", "cancelled_at", "cancelled_by", "confirmed_at"])


def nets_stored(game: Game, people: People) -> dict[str, int]:
    """Return by slug what each present (not merged) member won or lost by the game's stored results."""
    return {
        people.by_pk[member].slug: net for member, net in game.results.values_list("member", "net").order_by()
    }


def moved_by(before: GameState | None, after: GameState | None, people: People) -> Mapping[str, int]:
    """Return by how much this change of a game moves the net amounts, by slug; 0 is left out.

    `before` and `after` are the states of the game; None if the game does not count then.
    """
    return _moved(_nets_of(before, people), _nets_of(after, people))


def moved_since(before: Mapping[str, int], state: GameState, people: People) -> Mapping[str, int]:
    """Return by slug how much more each player has won in this state than the net amounts `before` say."""
    return _moved(before, _nets_of(state, people))


def _nets_of(state: GameState | None, people: People) -> Mapping[str, int]:
    return {} if state is None or not state.is_over else nets_now(state, people)


def _moved(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    moved = {slug: after.get(slug, 0) - before.get(slug, 0) for slug in (*before, *after)}
    return {slug: amount for slug, amount in moved.items() if amount}


def _rewritten(
    game: Game, moved: Mapping[str, int], people: People, *, is_recorded: bool
) -> tuple[Rewritten, ...]:
    """Return the write-offs whose amount changes.

    `moved` is by how much the game's change moves each net amount, by slug. `is_recorded` is True if the
    balances already include the change.
    """
    rows = _write_offs_since(game, people.rows_of_any(moved)) if moved else []
    if not rows:
        return ()
    moments = sorted({row.made_at for row in rows})
    balances = dict(zip(moments, balances_at(game.table, people, moments), strict=True))
    rest, shift = Counter(moved), Counter[str]() if is_recorded else Counter(moved)
    changed: list[Rewritten] = []
    for moment, together in groupby(rows, key=attrgetter("made_at")):
        batch = _Batch(list(together), people, balances[moment], rest, shift)
        batch.shrink()
        batch.grow()
        changed += batch.changed
    return tuple(changed)


class _Batch:
    """The write-offs of one moment, newest first, and the balances at that moment.

    `rest` is, by slug, the part of the game's change of a net amount that no write-off has made up for yet.
    `shift` is, by slug, the change of a balance, by the game or a write-off, since `balances` were read. Both
    are updated whenever a write-off shrinks or grows.
    """

    def __init__(
        self,
        rows: Sequence[Payment],
        people: People,
        balances: Mapping[str, int],
        rest: Counter[str],
        shift: Counter[str],
    ) -> None:
        self.ends = {row: people.slugs_of(row) for row in reversed(rows)}
        self.amounts = {row: row.amount if row.counts else 0 for row in self.ends}
        self.balances, self.rest, self.shift = balances, rest, shift

    @property
    def changed(self) -> Iterator[Rewritten]:
        """The write-offs whose amount changed."""
        rewritten = (Rewritten(row, amount) for row, amount in self.amounts.items())
        return (one for one in rewritten if one.amount != one.before)

    def shrink(self) -> None:
        """Shrink write-offs that forgive too much.

        First take away the amount that exceeds both the payer's debt and the payee's credit, then the amount
        that exceeds one of these.
        """
        for at_the_ends in (min, max):
            for row, (payer, payee) in self.ends.items():
                owed, due = self._open(row)
                excess = at_the_ends(_excess(owed, self.rest[payer]), _excess(due, -self.rest[payee]))
                self._move(row, -min(self.amounts[row], excess))

    def grow(self) -> None:
        """Let write-offs grow by a debt that the game's change restored, as far as the debt is still open."""
        for row, (payer, payee) in self.ends.items():
            owed, due = self._open(row)
            lost, won = -self.rest[payer], self.rest[payee]
            back = min(max(lost, won, 0), max(-owed, lost, 0), max(-due, won, 0))
            if back:
                self._move(row, min(back, _room(row, self.amounts[row])))

    def _open(self, row: Payment) -> tuple[int, int]:
        """Return the payer's balance and the payee's negated balance: below zero while a debt is open."""
        payer, payee = self.ends[row]
        return self.balances[payer] + self.shift[payer], -self.balances[payee] - self.shift[payee]

    def _move(self, row: Payment, amount: int) -> None:
        self.amounts[row] += amount
        for slug, sign in zip(self.ends[row], (1, -1), strict=True):
            self.shift[slug] += sign * amount
            self.rest[slug] += sign * amount


def _excess(balance: int, moved: int) -> int:
    """Return the part of `balance` above zero that is due to the change `moved`.

    The balance includes the change. Return 0 if the change is not above zero.
    """
    return max(0, balance) - max(0, balance - moved) if moved > 0 else 0


def _write_offs_since(game: Game, members: Collection[int]) -> list[Payment]:
    """Return the write-offs from or to these members (ids) since the game first ended, oldest first."""
    ended = (
        game.plans.filter(because=PlanReason.ENDED).order_by("pk").values_list("made_at", flat=True).first()
    )
    moments = [moment for moment in (ended, game.ended_at) if moment is not None]
    if not moments:
        return []
    rows = game.table.payments.filter(method=Method.WRITE_OFF, disputed_at=None, made_at__gte=min(moments))
    involved = rows.filter(payer__in=members) | rows.filter(payee__in=members)
    return list(involved.select_related("table").prefetch_related("steps").order_by("made_at", "pk"))


def _room(row: Payment, now: int) -> int:
    """Return the amount by which a write-off may grow: the amount that its newest automatic steps took away.

    `now` is the present amount of the write-off.
    """
    steps = list(_trailing(list(row.steps.all())))
    first = next((step.amount for step in reversed(steps) if step.turn == StepKind.AMENDED), None)
    return max(0, (row.amount if first is None else first) - now) if steps else 0


def _trailing(steps: Sequence[PaymentStep]) -> Iterator[PaymentStep]:
    """Yield the automatic steps after the last other step, newest first."""
    for step in reversed(steps):
        if step.turn not in TURNS or step.text not in _texts():
            return
        yield step


def _text(because: PlanReason) -> str:
    """Return the text of an automatic step, in the active language."""
    match because:
        case PlanReason.DISCARDED:
            return gettext("a game was discarded")
        case PlanReason.RESTORED:
            return gettext("a game was restored")
        case _:
            return gettext("a game was corrected")


@cache
def _texts() -> Collection[str]:
    """Return the texts of automatic steps in every language."""
    texts: set[str] = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            texts.update(map(_text, PlanReason))
    return texts
