"""The hash chains of events, payments and shared costs.

An *entry* of a chain is an event, a payment, a shared cost or a *step*: a row in the history of a payment or
cost, such as a confirmation. The hash of an entry covers the entry's content and the hash of the entry
before. A *link* is the stored row with the hash of one entry.

A game's events form one chain. A table's payments form another, in the order in which they were recorded; the
steps of a payment are chained to that payment. A table's shared costs form a third chain in the same way. No
time, user, key or code is hashed, and entries are ordered as in a table's exported file: so a table imported
from its file has the same hashes. The content that a hash covers must never change, because hashes from years
ago are compared with new ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

from django.db import IntegrityError

from games.models import (
    ALPHABET,
    CostLink,
    CostStep,
    CostStepKind,
    EventLink,
    Game,
    Payment,
    PaymentLink,
    PaymentStep,
    Record,
    SharedCost,
    StepKind,
    Table,
)
from games.rows import AT_ONCE, Ready, grouped
from games.scoring.errors import RuleError
from games.scoring.words import _

# Kinds of entry for a payment that was cancelled or disputed without a step that records it.
WITH_ITS_NIGHT, BEFORE_STEPS = "cancelled_with_its_night", "disputed_before"

UNLINKED = ""  # the hash before the first entry of a chain

Entry = tuple[str, Mapping[str, object]]
Row = TypeVar("Row", PaymentStep, PaymentLink)


def link(before: str, number: int, kind: str, data: object) -> str:
    """Return the hash of an entry. It covers `before`, the hash of the entry before, and the content.

    It is the same in every database. The content is the entry's number in its chain, its kind and its data.
    """
    content = f"{before}\n{number}\n{kind}\n{canonical(data)}"
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def in_letters(hash_of_content: str, *, letters: int, together: int) -> str:
    """Return a short form of a hash: `letters` characters, with a hyphen after every `together` of them."""
    number, text = int(hash_of_content, 16), ""
    for _place in range(letters):
        number, letter = divmod(number, len(ALPHABET))
        text += ALPHABET[letter]
    return "-".join(text[at : at + together] for at in range(0, letters, together))


def canonical(data: object) -> str:
    """Return the data as canonical JSON: sorted keys, no blanks."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


# --- games ------------------------------------------------------------------------------------------------------------


def event_links(game: Game, records: Iterable[Record], *, before: str = UNLINKED) -> Iterator[EventLink]:
    """Yield an unsaved link for each record, starting from the hash `before`."""
    for record in records:
        before = link(before, record.number, record.kind, record.data)
        yield EventLink(game=game, number=record.number, hash=before)


def link_at(game: Game, number: int) -> str:
    """Return the hash of the event with this number.

    Return `UNLINKED`, the hash before the first event, for number 0 and if the event's link was deleted.
    """
    if number == 0:
        return UNLINKED
    return game.links.filter(number=number).values_list("hash", flat=True).first() or UNLINKED


# --- payments ---------------------------------------------------------------------------------------------------------


def payment_entries(payment: Payment, steps: Sequence[PaymentStep], game: str | None) -> Iterator[Entry]:
    """Yield the kind and the content of each entry of a payment: its first version, then its steps.

    If the payment was made on the spot for a game, `game` is the hash of the game's first event, else None.
    The entry of an amendment has the content after the amendment, but its step stores the content before.
    So each version is read from the next amendment or, for the newest version, from the payment itself.
    A cancellation or dispute that no step records comes last.
    """
    rows: list[Payment | PaymentStep] = [step for step in steps if step.turn == StepKind.AMENDED]
    versions = iter([*rows, payment])
    ends = {"payer": payment.payer.slug, "payee": payment.payee.slug, "game": game}
    night = getattr(payment, "night", None)  # migrations of older releases chain payments without this column
    if night is not None:  # payments that name no night keep the hashes they always had
        ends["night"] = night.isoformat()
    yield "paid", {**ends, "is_claimed": payment.claimed_at is not None, **_content(next(versions))}
    for step in steps:
        content = _content(next(versions)) if step.turn == StepKind.AMENDED else {}
        yield str(step.turn), {"text": step.text, **content}
    if kind := _kind_without_step(payment, steps):
        yield kind, {}


def _kind_without_step(payment: Payment, steps: Sequence[PaymentStep]) -> str:
    """Return the kind of entry for a cancellation or dispute that no step records; "" for most payments."""
    if payment.cancelled_at is not None and not {StepKind.CANCELLED, StepKind.DISCARDED, StepKind.MERGED} & {
        step.turn for step in steps
    }:
        return WITH_ITS_NIGHT
    return BEFORE_STEPS if payment.disputed_at is not None and not steps else ""


def _content(version: Payment | PaymentStep) -> Mapping[str, object]:
    """Return the fields of a payment that an amendment can change."""
    day = None if version.paid_on is None else version.paid_on.isoformat()
    return {"amount": version.amount, "method": str(version.method), "note": version.note, "paid_on": day}


def payment_hashes(
    payment: Payment, steps: Sequence[PaymentStep], game: str | None, *, before: str
) -> Iterator[str]:
    """Yield the hashes of a payment and its steps. `before` is the hash of the table's previous payment.

    If the payment was made on the spot for a game, `game` is the hash of the game's first event, else None.
    """
    for number, (kind, data) in enumerate(payment_entries(payment, steps, game)):
        before = link(before, number, kind, data)
        yield before


def first_links(payments: Iterable[Payment]) -> Mapping[int | None, str]:
    """Return, by the game's id, the hash of the first event of each game that one of these payments names.

    A payment names the game for which it was made on the spot.
    """
    games = {payment.game_id for payment in payments} - {None}
    if not games:
        return {}
    return dict(EventLink.objects.filter(game__in=games, number=1).values_list("game", "hash"))


def chain_payments(table: Table, payments: Sequence[Payment]) -> Sequence[PaymentLink]:
    """Store and return the links of payments that were just stored. The caller holds the table's lock."""
    games = first_links(payments)
    entries = ((payment, (), games.get(payment.game_id)) for payment in payments)
    links = Ready(payment_links(table, entries, before=newest_payment_link(table)))
    insert(links)
    return links.rows


def newest_payment_link(table: Table) -> str:
    """Return the hash of the table's newest payment as first recorded; `UNLINKED` if there is none."""
    first = table.payment_links.filter(number=0).order_by("-payment_id")
    return first.values_list("hash", flat=True).first() or UNLINKED


def payment_links(
    table: Table, payments: Iterable[tuple[Payment, Sequence[PaymentStep], str | None]], *, before: str
) -> Iterator[PaymentLink]:
    """Yield an unsaved link for each payment and step, starting from the hash `before`.

    Each payment comes with its steps and, if it names a game, the hash of the game's first event, else None.
    """
    for payment, steps, game in payments:
        hashes = list(payment_hashes(payment, steps, game, before=before))
        for number, hash_of_entry in enumerate(hashes):
            yield PaymentLink(table=table, payment=payment, number=number, hash=hash_of_entry)
        before = hashes[0]


def chain_step(payment: Payment) -> Sequence[PaymentLink]:
    """Store the link of a payment's newest step and return it, as the only item of a sequence.

    The caller holds the table's lock.
    """
    return ReadySteps([payment]).insert()


class ReadySteps:
    """The links of each payment's newest step, computed before the table is locked.

    `coming` are new steps that are not stored yet. The links stay valid until anything else is recorded at
    the table.
    """

    def __init__(self, payments: Sequence[Payment], coming: Iterable[PaymentStep] = ()) -> None:
        self._links, self._replaced = _step_links(payments, coming)

    def insert(self) -> Sequence[PaymentLink]:
        """Store and return the links. The caller holds the table's lock."""
        if self._replaced:
            PaymentLink.objects.filter(pk__in=self._replaced).delete()
        insert(self._links)
        return self._links.rows


def _step_links(
    payments: Sequence[Payment], coming: Iterable[PaymentStep]
) -> tuple[Ready[PaymentLink], Sequence[int]]:
    """Return the link of each payment's newest step, ready to insert, and the ids of links to delete first.

    A link is deleted if it covers a cancellation or dispute that no step recorded: a new step takes its
    number.
    """
    steps, links = _by_payment(PaymentStep, payments), _by_payment(PaymentLink, payments)
    for step in coming:
        steps.setdefault(step.payment_id, []).append(step)
    rows, replaced = list[PaymentLink](), list[int]()
    for payment in payments:
        steps_of_payment = steps.get(payment.pk, [])
        number = len(steps_of_payment)
        linked = {stored.number: stored for stored in links.get(payment.pk, ())}
        before = linked[number - 1].hash if number - 1 in linked else UNLINKED
        without_step = [link(before, number, kind, {}) for kind in (WITH_ITS_NIGHT, BEFORE_STEPS)]
        if number in linked and linked[number].hash in without_step:  # the new step replaces it
            replaced.append(linked[number].pk)
        kind, data = list(payment_entries(payment, steps_of_payment, None))[number]
        made = link(before, number, kind, data)
        rows.append(PaymentLink(table_id=payment.table_id, payment=payment, number=number, hash=made))
    return Ready(rows), replaced


def _by_payment(model: type[Row], payments: Sequence[Payment]) -> dict[int, list[Row]]:
    """Return the rows of this model that belong to each payment, by the payment's id."""
    batches = (payments[start : start + AT_ONCE] for start in range(0, len(payments), AT_ONCE))
    rows = (row for some in batches for row in model._default_manager.filter(payment__in=some).order_by("pk"))
    return grouped((row.payment_id, row) for row in rows)


# --- shared costs -----------------------------------------------------------------------------------------------------


def cost_entries(cost: SharedCost, steps: Sequence[CostStep]) -> Iterator[Entry]:
    """Yield the kind and the content of each entry of a shared cost: its first version, then its steps.

    As with payments, the entry of an amendment has the content after the amendment.
    """
    rows: list[SharedCost | CostStep] = [step for step in steps if step.turn == CostStepKind.AMENDED]
    versions = iter([*rows, cost])
    yield "shared", {"night": cost.night.isoformat(), **_cost_content(next(versions))}
    for step in steps:
        content = _cost_content(next(versions)) if step.turn == CostStepKind.AMENDED else {}
        yield str(step.turn), {"text": step.text, **content}


def _cost_content(version: SharedCost | CostStep) -> Mapping[str, object]:
    """Return the fields of a shared cost that an amendment can change."""
    assert version.payer is not None, "only the step of an amendment has the content before it"
    return {
        "payer": version.payer.slug,
        "amount": version.amount,
        "sharers": version.sharers,
        "note": version.note,
    }


def cost_links(
    table: Table, costs: Iterable[tuple[SharedCost, Sequence[CostStep]]], *, before: str
) -> Iterator[CostLink]:
    """Yield an unsaved link for each shared cost and step, starting from the hash `before`."""
    for cost, steps in costs:
        first = before
        for number, (kind, data) in enumerate(cost_entries(cost, steps)):
            before = link(before, number, kind, data)
            first = first if number else before
            yield CostLink(table=table, cost=cost, number=number, hash=before)
        before = first


def chain_cost(cost: SharedCost) -> CostLink:
    """Store and return the link of a shared cost that was just stored. The caller holds the table's lock."""
    firsts = cost.table.cost_links.filter(number=0).order_by("-cost_id")
    before = firsts.values_list("hash", flat=True).first() or UNLINKED
    links = Ready(cost_links(cost.table, [(cost, ())], before=before))
    insert(links)
    return links.rows[0]


def chain_cost_step(cost: SharedCost) -> CostLink:
    """Store and return the link of a cost's newest step. The caller holds the table's lock."""
    steps = list(cost.steps.select_related("payer").order_by("pk"))
    number = len(steps)
    before = cost.links.filter(number=number - 1).values_list("hash", flat=True).first() or UNLINKED
    kind, data = list(cost_entries(cost, steps))[number]
    links = Ready(
        [CostLink(table=cost.table, cost=cost, number=number, hash=link(before, number, kind, data))]
    )
    insert(links)
    return links.rows[0]


# --- games, payments and costs ----------------------------------------------------------------------------------------


def insert(links: Ready[EventLink] | Ready[PaymentLink] | Ready[CostLink]) -> None:
    """Insert these links.

    Raise RuleError if the chain already has a link with the number of one of these. That link is left over
    from a row (an event, a payment, …) that was deleted, and a new row with its number would hide the
    deletion.
    """
    try:
        links.insert()
    except IntegrityError:
        raise RuleError(
            _(
                "Nothing was recorded, because earlier records are missing. The operator of "
                "this site has to check them first."
            )
        ) from None
