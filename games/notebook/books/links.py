"""What was recorded held against its chain: which events, payments and steps are not what they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from games.chain import UNLINKED, Entry, first_links, link, payment_entries
from games.models import Record, Table

Links = Mapping[int, str]  # by number


def wrong_events(records: Iterable[Record], kept: Links) -> Iterator[str]:
    """Each event of a game that is not what was recorded, in a sentence."""
    entries = ((record.number, (record.kind, record.data)) for record in records)
    for number, wrong in _unlike(entries, kept, UNLINKED):
        yield f"event {number}: {wrong}"


def wrong_payments(table: Table) -> Iterator[tuple[int, str]]:
    """Each payment, by its key, that is not what was recorded, or became something else, in sentences."""
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


GONE = "was recorded, and is gone"


def _unlike(entries: Iterable[tuple[int, Entry]], kept: Links, before: str) -> Iterator[tuple[int, str]]:
    """What is wrong with each entry; behind one without a link the chain goes on from what the entry says now."""
    left, befores = set(kept), [before]
    for number, (kind, data) in entries:
        made = [link(one, number, kind, data) for one in befores]
        left.discard(number)
        if number not in kept:
            yield number, "has no link in the chain"
            befores = [*made, UNLINKED]  # whoever recorded behind it found none
            continue
        if kept[number] not in made:
            yield number, "is not what was recorded"
        befores = [kept[number]]
    for number in sorted(left):
        yield number, GONE
