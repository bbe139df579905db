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
from games.scoring.errors import RuleError
from games.scoring.words import _

# What became of a payment without a step.
WITH_ITS_NIGHT, BEFORE_STEPS = "cancelled_with_its_night", "disputed_before"

UNLINKED = ""  # before the first of a chain
AT_ONCE = 500  # rows of a statement

Entry = tuple[str, Mapping[str, object]]
Steps = Mapping[int, Sequence[PaymentStep]]
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


def chain_payments(table: Table, payments: Sequence[Payment], steps: Steps | None = None) -> None:
    """Links payments just stored behind those of the table, with what became of each; the table is held."""
    newest = table.payment_links.filter(number=0).order_by("-payment_id")
    before = newest.values_list("hash", flat=True).first() or UNLINKED
    games, rows = first_links(payments), list[PaymentLink]()
    for payment in payments:
        became = (steps or {}).get(payment.pk, ())
        found = list(payment_hashes(payment, became, games.get(payment.game_id), before=before))
        rows += (
            PaymentLink(table=table, payment=payment, number=number, hash=one)
            for number, one in enumerate(found)
        )
        before = found[0]
    insert(rows)


def chain_steps(payments: Iterable[Payment]) -> None:
    """Links what became of each of these payments last, whatever it says by now; their table is held."""
    found = list(payments)
    steps, links = _of(PaymentStep, found), _of(PaymentLink, found)
    rows, gone = list[PaymentLink](), list[int]()
    for payment in found:
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
    if gone:
        PaymentLink.objects.filter(pk__in=gone).delete()
    insert(rows)


def _of(kind: type[Row], payments: Sequence[Payment]) -> dict[int, list[Row]]:
    """The rows of each payment, by its key."""
    rows: dict[int, list[Row]] = {}
    for row in kind._default_manager.filter(payment__in=payments).order_by("pk"):
        rows.setdefault(row.payment_id, []).append(row)
    return rows


# --- both -------------------------------------------------------------------------------------------------------------


def insert(links: Iterable[EventLink] | Iterable[PaymentLink]) -> None:
    """Stores links; RuleError where one stands there of something that is gone: what is missed is not covered up."""
    rows = list(links)
    try:
        for kind in {type(row) for row in rows}:
            kind._default_manager.bulk_create(rows, AT_ONCE)
    except IntegrityError:
        raise RuleError(
            _(
                "Something that was recorded here before is missing. Whoever runs this site has to look into it "
                "before anything is added."
            )
        ) from None
