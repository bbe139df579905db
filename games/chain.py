"""The chain of what was recorded: each entry has a link, made from the link before it and from what the entry says.

The events of a game follow each other. The payments of a table follow each other too, in the order in which they were
recorded; what became of a payment follows that payment, step by step. No time, user, key or code is in a link, and the
order is the one in which a table's file lists them, so that a table read in from its file has the same links everywhere.
What a link is made of never changes: the links of years ago are compared with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

from django.db import IntegrityError

from games.models import EventLink, Game, Payment, PaymentLink, PaymentStep, Record, Table, Turn
from games.rows import AT_ONCE, Ready
from games.scoring.errors import RuleError
from games.scoring.words import _

# What became of a payment without a step.
WITH_ITS_NIGHT, BEFORE_STEPS = "cancelled_with_its_night", "disputed_before"

UNLINKED = ""  # before the first of a chain

Entry = tuple[str, Mapping[str, object]]
Row = TypeVar("Row", PaymentStep, PaymentLink)


def link(before: str, number: int, kind: str, data: object) -> str:
    """The link of an entry, in hexadecimal digits; every database gives its data back with the same one."""
    content = f"{before}\n{number}\n{kind}\n{canonical(data)}"
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def canonical(data: object) -> str:
    """The one way in which this data is written as JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


# --- games ------------------------------------------------------------------------------------------------------------


def event_links(game: Game, records: Iterable[Record], *, before: str = UNLINKED) -> Iterator[EventLink]:
    """The links, not saved, of records that follow each other behind the one with the link `before`."""
    for record in records:
        before = link(before, record.number, record.kind, record.data)
        yield EventLink(game=game, number=record.number, hash=before)


def link_at(game: Game, number: int) -> str:
    """The link of this event; `UNLINKED` before the first, and where somebody has taken it away."""
    if number == 0:
        return UNLINKED
    return game.links.filter(number=number).values_list("hash", flat=True).first() or UNLINKED


# --- payments ---------------------------------------------------------------------------------------------------------


def payment_entries(payment: Payment, steps: Sequence[PaymentStep], game: str | None) -> Iterator[Entry]:
    """What is linked of a payment: what it said first, and what became of it, an amendment with what it said then.

    `game` is the first link of the game it was paid for on the spot. An amended step keeps what was said before it. What
    no step says comes last: that it was cancelled with its night, or disputed, before steps were kept.
    """
    rows: list[Payment | PaymentStep] = [step for step in steps if step.turn == Turn.AMENDED]
    says = iter([*rows, payment])
    ends = {"payer": payment.payer.slug, "payee": payment.payee.slug, "game": game}
    yield "paid", {**ends, "is_claimed": payment.claimed_at is not None, **_words(next(says))}
    for step in steps:
        said = _words(next(says)) if step.turn == Turn.AMENDED else {}
        yield str(step.turn), {"text": step.text, **said}
    if unsaid := _unsaid(payment, steps):
        yield unsaid, {}


def _unsaid(payment: Payment, steps: Sequence[PaymentStep]) -> str:
    """What became of a payment without a step, "" for most."""
    if payment.cancelled_at is not None and not {Turn.CANCELLED, Turn.DISCARDED, Turn.MERGED} & {
        step.turn for step in steps
    }:
        return WITH_ITS_NIGHT
    return BEFORE_STEPS if payment.disputed_at is not None and not steps else ""


def _words(said: Payment | PaymentStep) -> Mapping[str, object]:
    day = None if said.paid_on is None else said.paid_on.isoformat()
    return {"amount": said.amount, "method": str(said.method), "note": said.note, "paid_on": day}


def payment_hashes(
    payment: Payment, steps: Sequence[PaymentStep], game: str | None, *, before: str
) -> Iterator[str]:
    """The links of a payment that follows the one with the link `before`, and of what became of it."""
    for number, (kind, data) in enumerate(payment_entries(payment, steps, game)):
        before = link(before, number, kind, data)
        yield before


def first_links(payments: Iterable[Payment]) -> Mapping[int | None, str]:
    """The first link of each game that some of these were paid for on the spot, by the game's key."""
    games = {payment.game_id for payment in payments} - {None}
    if not games:
        return {}
    return dict(EventLink.objects.filter(game__in=games, number=1).values_list("game", "hash"))


def chain_payments(table: Table, payments: Sequence[Payment]) -> None:
    """Links payments just stored behind those of the table; the table is held."""
    games = first_links(payments)
    entries = ((payment, (), games.get(payment.game_id)) for payment in payments)
    insert(Ready(payment_links(table, entries, before=newest_payment_link(table))))


def newest_payment_link(table: Table) -> str:
    """The link behind which the next payment of the table comes; `UNLINKED` before the first."""
    first = table.payment_links.filter(number=0).order_by("-payment_id")
    return first.values_list("hash", flat=True).first() or UNLINKED


def payment_links(
    table: Table, payments: Iterable[tuple[Payment, Sequence[PaymentStep], str | None]], *, before: str
) -> Iterator[PaymentLink]:
    """The links, not saved, of payments that follow the one with the link `before`: each with what became of it, and
    the first link of the game it was paid for."""
    for payment, steps, game in payments:
        found = list(payment_hashes(payment, steps, game, before=before))
        for number, one in enumerate(found):
            yield PaymentLink(table=table, payment=payment, number=number, hash=one)
        before = found[0]


def chain_step(payment: Payment) -> None:
    """Links what became of a payment last, whatever it says by now; its table is held."""
    ReadySteps([payment]).insert()


class ReadySteps:
    """The links of what became last of each of these payments, in a step already stored or one of those `coming`, ready
    to be stored as long as nothing changes at their table."""

    def __init__(self, payments: Sequence[Payment], coming: Iterable[PaymentStep] = ()) -> None:
        self._links, self._gone = _step_links(payments, coming)

    def insert(self) -> None:
        """Stores the links; the table is held."""
        if self._gone:
            PaymentLink.objects.filter(pk__in=self._gone).delete()
        insert(self._links)


def _step_links(
    payments: Sequence[Payment], coming: Iterable[PaymentStep]
) -> tuple[Ready[PaymentLink], Sequence[int]]:
    """The links, and the keys of those in whose place one comes."""
    steps, links = _of(PaymentStep, payments), _of(PaymentLink, payments)
    for step in coming:
        steps.setdefault(step.payment_id, []).append(step)
    rows, gone = list[PaymentLink](), list[int]()
    for payment in payments:
        became = steps.get(payment.pk, [])
        number = len(became)
        linked = {one.number: one for one in links.get(payment.pk, ())}
        before = linked[number - 1].hash if number - 1 in linked else UNLINKED
        said = [link(before, number, kind, {}) for kind in (WITH_ITS_NIGHT, BEFORE_STEPS)]
        if number in linked and linked[number].hash in said:  # what no step had said, and one says now
            gone.append(linked[number].pk)
        kind, data = list(payment_entries(payment, became, None))[number]
        made = link(before, number, kind, data)
        rows.append(PaymentLink(table_id=payment.table_id, payment=payment, number=number, hash=made))
    return Ready(rows), gone


def _of(kind: type[Row], payments: Sequence[Payment]) -> dict[int, list[Row]]:
    """The rows of each payment, by its key."""
    rows: dict[int, list[Row]] = {}
    for start in range(0, len(payments), AT_ONCE):
        some = payments[start : start + AT_ONCE]
        for row in kind._default_manager.filter(payment__in=some).order_by("pk"):
            rows.setdefault(row.payment_id, []).append(row)
    return rows


# --- both -------------------------------------------------------------------------------------------------------------


def insert(links: Ready[EventLink] | Ready[PaymentLink]) -> None:
    """Stores links; RuleError where one stands there of something that is gone: what is missed is not covered up."""
    try:
        links.insert()
    except IntegrityError:
        raise RuleError(
            _(
                "Something that was recorded here before is missing. Whoever runs this site has to look into it "
                "before anything is added."
            )
        ) from None
