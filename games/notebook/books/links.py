"""Compare records with their hash chains to find entries that were altered, deleted or added.

The entries are the events of games, and payments and shared costs with their steps. A step is a later change
of a payment or cost, such as a confirmation, and continues its chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from games.chain import UNLINKED, Entry, cost_entries, first_links, link, payment_entries
from games.models import Record, Table

Links = Mapping[int, str]  # number: hash


def wrong_events(records: Iterable[Record], kept: Links) -> Iterator[str]:
    """Yield a sentence for each event of a game that was altered, deleted or added.

    `kept` has the stored hash of each event, by the event's number.
    """
    entries = ((record.number, (record.kind, record.data)) for record in records)
    for number, wrong in _unlike(entries, kept, UNLINKED):
        yield f"event {number}: {wrong}"


def wrong_payments(table: Table) -> Iterator[tuple[int, str]]:
    """Yield a payment's id and a sentence for each payment or step that was altered, deleted or added."""
    kept: dict[int, dict[int, str]] = {}
    for pk, number, hash in table.payment_links.values_list("payment", "number", "hash"):
        kept.setdefault(pk, {})[number] = hash
    payments = table.payments.select_related("payer", "payee").prefetch_related("steps").order_by("pk")
    games, before = first_links(payments), UNLINKED
    for payment in payments:
        entries = list(payment_entries(payment, list(payment.steps.all()), games.get(payment.game_id)))
        own = kept.pop(payment.pk, {})
        for number, wrong in _unlike(enumerate(entries), own, before):
            yield payment.pk, f"step {number} {wrong}" if number else wrong
        before = own.get(0) or link(before, 0, *entries[0])
    for pk in sorted(kept):
        yield pk, GONE


def wrong_costs(table: Table) -> Iterator[tuple[int, str]]:
    """Yield a shared cost's id and a sentence for each cost or step that was altered, deleted or added."""
    kept: dict[int, dict[int, str]] = {}
    for pk, number, hash in table.cost_links.values_list("cost", "number", "hash"):
        kept.setdefault(pk, {})[number] = hash
    before = UNLINKED
    for cost in table.costs.select_related("payer").prefetch_related("steps__payer").order_by("pk"):
        entries = list(cost_entries(cost, list(cost.steps.all())))
        own = kept.pop(cost.pk, {})
        for number, wrong in _unlike(enumerate(entries), own, before):
            yield cost.pk, f"step {number} {wrong}" if number else wrong
        before = own.get(0) or link(before, 0, *entries[0])
    for pk in sorted(kept):
        yield pk, GONE


GONE = "was recorded, and is gone"


def _unlike(entries: Iterable[tuple[int, Entry]], kept: Links, before: str) -> Iterator[tuple[int, str]]:
    """Yield the number of each entry that does not match its stored hash in `kept`, with a sentence.

    The hash of each entry is computed from its content and the hash of the entry before; `before` is the hash
    before the first. If the entry before has no stored hash, two hashes match: one that continues from the
    hash computed for that entry, and one that begins a new chain.
    """
    left, befores = set(kept), [before]
    for number, (kind, data) in entries:
        made = [link(before_entry, number, kind, data) for before_entry in befores]
        left.discard(number)
        if number not in kept:
            yield number, "has no link in the chain"
            befores = [*made, UNLINKED]  # the next entry may have been chained to a missing link
            continue
        if kept[number] not in made:
            yield number, "is not what was recorded"
        befores = [kept[number]]
    for number in sorted(left):
        yield number, GONE
