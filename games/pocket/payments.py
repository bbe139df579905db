"""Facts about payments: a phone describes its unsent payments and their steps, and the site records them.

A *step* (*turn* in names and facts) is a later act on a payment: it confirms, disputes, amends or cancels it,
for example. A *tick* marks a line of who pays whom as paid, in cash; any other payment is one of the
*accounts*. A *claimed* payment counts only once it is confirmed. A *brought* fact comes from another person's
phone, in a rescue file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import BigIntegerField
from django.http import Http404

from games.keys import KeyReused
from games.models import (
    KEY_LENGTH,
    MOST_MONEY,
    NOTE_LENGTH,
    Change,
    Game,
    Member,
    Method,
    Payment,
    PaymentStep,
    Plan,
    Role,
    StepKind,
    Table,
)
from games.money.amendments import Words, amend, amendments_of
from games.money.balances import People
from games.money.booking import first_wording, wording_of
from games.money.payments import accept, cancel, confirm, dispute, note_payment, uphold, withdraw
from games.money.settling import note_night_tick
from games.money.ticks import note_tick
from games.notebook.fields import Fields, Unreadable
from games.notebook.writing import moment_in_text
from games.people.access import WRITERS
from games.pocket.columns import name_of
from games.pocket.identity import note_taken
from games.scoring.errors import RuleError
from games.scoring.words import _

Fact = dict[str, Any]

PAID, TURNED = "paid", "turned"
LONGEST_SLUG = 40
HIGHEST = BigIntegerField.MAX_BIGINT
WORDS = ("amount", "method", "note", "day")
WITH_THEIR_NIGHT = (
    StepKind.DISCARDED,
    StepKind.RESTORED,
)  # the fact of a discarded or restored game includes these steps


# --- on the phone -------------------------------------------------------------------------------------------


class PaymentFacts:
    """A factory of the facts about a phone's unsent payments and their steps.

    Its methods are called in the order of the phone's change feed. `tables` are the tables of the copy that
    the phone got from the site: payments and steps in the copy are not new.
    """

    def __init__(self, tables: Sequence[Mapping[str, Any]]) -> None:
        self._known = {row[0] for table in tables for row in table.get(name_of(Payment), ())}
        self._steps = {row[0] for table in tables for row in table.get(name_of(PaymentStep), ())}
        self._keys: dict[int, str] = {}
        self._together: Counter[tuple[int, str]] = Counter()

    def paid(self, change: Change) -> Fact:
        """Return the fact of a recorded payment.

        Payments that were recorded together under one key get different keys, because each is a fact of its
        own.
        """
        payment = change.payment
        assert payment is not None
        group = payment.table_id, payment.key
        place, first = self._together[group], first_wording(payment)
        self._together[group] += 1
        key = self._keys[payment.pk] = f"{payment.key}.{place}" if place else payment.key
        is_along = (
            first.game is None and first.night is None and not Plan.objects.filter(payment=payment).exists()
        )
        return {
            "kind": PAID,
            "game": first.game.code if first.game else "",
            "key": key,
            "payer": first.payer.slug,
            "payee": first.payee.slug,
            **_words(Words(first.amount, first.method, first.note, first.paid_on)),
            "night": first.night and first.night.isoformat(),
            "is_along_the_plan": is_along,
            "after": _seen(change, first.game) if first.game else 0,
            "at": moment_in_text(payment.recorded_at),
        }

    def turned(self, change: Change) -> Fact | None:
        """Return the fact of a payment's next unsent step.

        Return None for a step that belongs to a discarded or restored game, whose fact includes the step.
        """
        payment = change.payment
        assert payment is not None
        step = payment.steps.exclude(pk__in=self._steps).order_by("pk")[0]
        self._steps.add(step.pk)
        if step.turn in WITH_THEIR_NIGHT:
            return None
        words = wording_of(payment, after=step) if step.turn == StepKind.AMENDED else None
        before = payment.steps.filter(turn=StepKind.AMENDED, pk__lt=step.pk).count()
        return {
            "kind": TURNED,
            "payment": payment.pk if payment.pk in self._known else None,
            "key": "" if payment.pk in self._known else self._keys[payment.pk],
            "turn": step.turn,
            "text": step.text,
            "words": _words(Words.of(words)) if words else None,
            "after": before,
            "at": moment_in_text(step.at),
        }


def _words(words: Words) -> Fact:
    day = None if words.day is None else words.day.isoformat()
    return {"amount": words.amount, "method": str(words.method), "note": words.note, "day": day}


def _seen(change: Change, game: Game) -> int:
    """Return the number of the game's last event that the phone had at the time of this change."""
    of_game = Change.objects.filter(game=game, record__isnull=False)
    before = of_game.filter(pk__lt=change.pk).order_by("-pk").select_related("record").first()
    if before is not None and before.record is not None:
        return before.record.number
    since = of_game.order_by("pk").select_related("record").first()
    return since.record.number - 1 if since is not None and since.record else game.records.count()


# --- at the site --------------------------------------------------------------------------------------------


@dataclass
class Booking:
    """A recorder of the payments, and steps of payments, in one sync request of the user `by`.

    A fact that was brought from another person's phone confirms nothing: a payment is only claimed, and a
    confirmation is refused. `paid` has the payment for each key: the new one, or an equal one that another
    phone recorded before. In its methods, `parts` are the fields of a fact, and `at` is the time to record.
    """

    by: User
    paid: dict[str, Payment] = field(default_factory=dict)

    def pay(
        self, table: Table, role: Role, parts: Fields, *, game: Game | None, is_brought: bool, at: datetime
    ) -> None:
        """Record the payment of this fact, unless it was recorded before.

        With a `game`, the payment is a tick at a line of the game's dues. If the fact names a night, it is a
        tick at a line of that night's settling, else a payment of the accounts. `role` is the role of `by` at
        the table. Raise KeyReused if the key belongs to a different payment.
        """
        key, words = parts.text("key", longest=KEY_LENGTH), _read_words(parts)
        people = People.of(table)
        payer, payee = (_member(parts, end, people) for end in ("payer", "payee"))
        known = table.payments.filter(key=key).first()
        if known is not None:
            if _what(known, people) != (payer, payee, words.amount):
                raise KeyReused
            self.paid[key] = known
        elif game is not None:
            after = parts.whole("after", least=0, most=HIGHEST)
            self.paid[key] = note_tick(
                game, payer, payee, words.amount,
                after=after, key=key, by=self.by, ticked_at=parts.moment("at"), at=at,
            )  # fmt: skip
        elif parts.has("night") and (night := parts.day_or_none("night")) is not None:
            if role not in WRITERS:
                raise PermissionDenied
            self.paid[key] = note_night_tick(
                table, night, payer, payee, words.amount,
                key=key, by=self.by, ticked_at=parts.moment("at"), at=at,
            )  # fmt: skip
        else:
            self.paid[key] = note_payment(
                table, payer, payee, words.amount, method=words.method, note=words.note, day=words.day,
                key=key, by=self.by, on_result_of=_ended_last(table, parts),
                **claiming(role, is_brought=is_brought), at=at,
            )  # fmt: skip

    def turn(self, table: Table, role: Role, parts: Fields, *, is_brought: bool, at: datetime) -> None:
        """Record the step of a payment that this fact describes, unless this fact was recorded before.

        Record nothing either if this user has taken the same step since the moment of the fact. `role` is the
        role of `by` at the table. Raise Http404 if the payment does not exist.
        """
        payment, turn = self._meant(table, parts), parts.part("turn")
        act = _ACTS.get(turn) if isinstance(turn, str) else None
        if act is None:
            raise Unreadable(_("“{turn}” is not a step of a payment.", turn=str(turn)[:20]))
        if turn in (StepKind.ACCEPTED, StepKind.UPHELD) and role not in WRITERS:
            raise PermissionDenied
        if not note_taken(table, parts, payment):
            return
        if is_brought:
            _check_brought(payment, turn)
        since = payment.steps.filter(turn=turn, by=self.by, at__gte=parts.moment("at"))
        if turn == StepKind.AMENDED or not since.exists():
            text = parts.text("text", longest=NOTE_LENGTH)
            how = {"is_keeper": role in WRITERS, "is_settling": not is_brought}
            act(payment, parts, by=self.by, **how, text=text, at=at)

    def _meant(self, table: Table, parts: Fields) -> Payment:
        payment = meant_payment(table, parts) or self.paid.get(parts.text("key", longest=KEY_LENGTH))
        if payment is None:
            raise Http404
        return payment


def meant_payment(table: Table, parts: Fields) -> Payment | None:
    """Return the payment that a step is about; None if there is none.

    The step's fact names the payment's id at the site or, if the phone sent the payment too, its key.
    """
    number = parts.whole_or_none("payment", least=1, most=HIGHEST)
    same: dict[str, Any] = {"pk": number}
    if number is None:
        same = {"key": parts.text("key", longest=KEY_LENGTH)}
    return table.payments.filter(**same).first()


def claiming(role: Role, *, is_brought: bool) -> dict[str, bool]:
    """Return the arguments `is_claimed` and `is_brought` with which to record a payment of the accounts.

    A payment is claimed, which means that it counts only once it is confirmed, if a witness (read-only user)
    records it, or if it was brought from another person's phone. If a scorer or owner brings it, `is_brought`
    is True too.
    """
    is_keeper = role in WRITERS
    return {"is_claimed": is_brought or not is_keeper, "is_brought": is_brought and is_keeper}


def _check_brought(payment: Payment, turn: str) -> None:
    """Raise RuleError for a step that may not be recorded from a fact brought from another person's phone.

    `turn` is the kind of the step, e.g. StepKind.CONFIRMED.
    """
    if turn in (StepKind.CONFIRMED, StepKind.DISPUTED):
        raise RuleError(_("Only {name} can confirm or dispute this.", name=payment.payee.name))
    if turn == StepKind.ACCEPTED or (turn == StepKind.UPHELD and payment.is_claimed):
        raise RuleError(_("A file can't confirm a payment. Confirm it in the accounts."))


def _member(parts: Fields, end: str, people: People) -> Member:
    member = people.by_slug.get(parts.text(end, longest=LONGEST_SLUG))
    if member is None:
        raise RuleError(_("No member has this id."), field=end)
    return member


def _what(payment: Payment, people: People) -> tuple[Member, Member, int]:
    """Return the payer, the payee and the amount of a payment as it was first recorded.

    Merged members are replaced by the members they became.
    """
    first = first_wording(payment)
    return people.by_pk[first.payer.pk], people.by_pk[first.payee.pk], first.amount


def _read_words(parts: Fields) -> Words:
    method = parts.text("method", longest=LONGEST_SLUG)
    if method not in set(Method):
        raise Unreadable(_("“{method}” is not a way of paying.", method=method))
    amount, note = parts.whole("amount", least=1, most=MOST_MONEY), parts.text("note", longest=NOTE_LENGTH)
    return Words(amount, Method(method), note, parts.day_or_none("day"))


def check_money_fact(parts: Fields) -> None:
    """Raise Unreadable if the fields of a payment or of its step cannot be read."""
    parts.whole("after", least=0, most=HIGHEST)
    if parts.part("kind") == PAID:
        for end in ("payer", "payee"):
            parts.text(end, longest=LONGEST_SLUG)
        _read_words(parts)
        parts.day_or_none("night")
        parts.truth("is_along_the_plan")
        return
    parts.whole_or_none("payment", least=1, most=HIGHEST)
    parts.text("text", longest=NOTE_LENGTH)
    if parts.part("turn") not in [str(turn) for turn in _ACTS]:
        raise Unreadable(_("“{turn}” is not a step of a payment.", turn=str(parts.part("turn"))[:20]))
    if parts.part("words") is not None:
        _read_words(Fields(parts.part("words"), *WORDS))


def _ended_last(table: Table, parts: Fields) -> Game | None:
    """Return the game that had ended last when a payment of the plan (who pays whom) was made.

    Return None for a payment that is not in the plan, or if no game had ended. If two phones mark a line of
    the plan as paid after the same game, they mean the same payment. So the game serves to detect duplicates.
    """
    if not parts.truth("is_along_the_plan"):
        return None
    ended = table.games.filter(discarded_at=None, ended_at__lte=parts.moment("at"))
    return ended.order_by("-ended_at", "-pk").first()


def _cancel(
    payment: Payment, _parts: Fields, *, by: User, is_keeper: bool, text: str, at: datetime, **_rest: object
) -> None:
    if is_keeper:
        cancel(payment, by=by, text=text, at=at)
    else:
        withdraw(payment, by=by, at=at)


def _amend(
    payment: Payment,
    parts: Fields,
    *,
    by: User,
    is_keeper: bool,
    is_settling: bool,
    text: str,
    at: datetime,
) -> None:
    words = _read_words(Fields(parts.part("words"), *WORDS))
    after = parts.whole("after", least=0, most=HIGHEST)
    known = amendments_of(payment)[after : after + 1]
    if not known or known[0].by_id != by.pk or Words.of(wording_of(payment, after=known[0])) != words:
        amend(
            payment, words, after=after, by=by, is_keeper=is_keeper, is_settling=is_settling, text=text, at=at
        )


_ACTS: Mapping[str, Callable[..., object]] = {
    StepKind.CANCELLED: _cancel,
    StepKind.AMENDED: _amend,
    StepKind.CONFIRMED: lambda payment, _parts, *, by, at, **_rest: confirm(payment, by=by, at=at),
    StepKind.ACCEPTED: lambda payment, _parts, *, by, at, **_rest: accept(payment, by=by, at=at),
    StepKind.DISPUTED: lambda payment, _parts, *, by, text, at, **_rest: dispute(
        payment, by=by, objection=text, at=at
    ),
    StepKind.UPHELD: lambda payment, _parts, *, by, text, at, **_rest: uphold(
        payment, by=by, text=text, at=at
    ),
}
