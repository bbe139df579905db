"""The audit trail: a second hash chain of each table, which the site alone has.

The chains of `games/chain.py` cover what was recorded, and phones and files have them too. The trail covers
what they leave out: who recorded each event, payment, shared cost and step, when it was recorded and when it
arrived, who has which role, who claims which member, merges, the seasons, the region of a table, and its time
zones if it had others before. It also has the links (stored hashes) of those chains, so that a link cannot be
replaced together with its record.

An entry has the new content of the rows that a transaction changed, or None for a deleted row. `RowContents`
maps the name of each row, such as “member 12”, to this content. The newest content of each row is what the
database should have now (`games/notebook/books/trails.py` compares them).

Of a member's payment details the trail has a hash with a salt, which is deleted with the details.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db.models import Model
from django.utils.timezone import now

from games.chain import UNLINKED, canonical, in_letters
from games.models import (
    CostLink,
    CostStep,
    EventLink,
    Grant,
    HandSource,
    Member,
    Payment,
    PaymentLink,
    PaymentStep,
    Record,
    Season,
    SharedCost,
    Table,
    TrailEntry,
)
from games.rows import Ready

ROWS_AT_ONCE = 1000  # the most rows of one entry
LETTERS, TOGETHER = 24, 4

Content = Sequence[object] | str | None
RowContents = Mapping[str, Content]  # the new content of rows, by name


def note(table: Table, *parts: RowContents) -> None:
    """Add entries with the new content of rows to the table's trail. The caller holds the table's lock.

    In the app that a phone carries, do nothing.
    """
    if settings.IS_A_PHONE or not any(parts):
        return
    newest = TrailEntry.objects.filter(table=table).order_by("-number").values_list("number", "hash").first()
    number, before = newest or (0, UNLINKED)
    Ready(entries(table, parts, number=number, before=before)).insert()


def entries(
    table: Table,
    parts: Iterable[RowContents],
    *,
    number: int = 0,
    before: str = UNLINKED,
    of: type[TrailEntry] = TrailEntry,
) -> Iterator[TrailEntry]:
    """Yield unsaved entries with these contents.

    They follow the entry with the number `number` and the hash `before`; by default, they are the first. `of`
    is the model of the entries, which a migration replaces by its own.
    """
    rows = ((name, content) for part in parts for name, content in part.items())
    at = now()
    while data := dict(islice(rows, ROWS_AT_ONCE)):
        number, text = number + 1, canonical(data)
        before = entry_hash(before, number, at, text)
        yield of(table=table, number=number, at=at, data=text, hash=before)


def entry_hash(before: str, number: int, at: datetime, data: str) -> str:
    """Return the hash of an entry from its number, its moment, its content as JSON text, and `before`.

    `before` is the hash of the entry before.
    """
    return sha256(f"{before}\n{number}\n{moment(at)}\n{data}".encode()).hexdigest()


def moment(at: datetime | None) -> int | None:
    """Return a moment as microseconds since 1970, equal in every database and time zone."""
    return None if at is None else round(at.timestamp() * 1_000_000)


def _model(name: str) -> type[Model]:
    return apps.get_model("games", name)


# --- the rows ---------------------------------------------------------------------------------------------------------


def name_of(row: Model) -> str:
    """Return the name of a row in the trail, such as “member 12”."""
    return f"{row._meta.model_name} {row.pk}"


def gone(rows: Iterable[Model]) -> RowContents:
    """Return the new content of these rows, which are deleted: None for each."""
    return {name_of(row): None for row in rows}


def events(records: Iterable[Record]) -> RowContents:
    """Return who recorded each event and when; the event itself is covered by the hash in its link."""
    return {
        f"event {record.game_id}.{record.number}": [
            record.recorded_by_id,
            *map(moment, (record.recorded_at, record.arrived_at)),
        ]
        for record in records
    }


def event_links(rows: Iterable[EventLink]) -> RowContents:
    """Return the hash of each event's link."""
    return {f"event link {row.game_id}.{row.number}": row.hash for row in rows}


def hand_sources(rows: Iterable[HandSource]) -> RowContents:
    """Return from whose phone each recorded hand came, and whether the scorer changed the hand."""
    return {
        f"hand source {row.game_id}.{row.number}.{row.player}": [row.brought_by_id, row.is_changed]
        for row in rows
    }


def payments(rows: Iterable[Payment]) -> RowContents:
    """Return who recorded each payment and when; amount and note are covered by the hash in its link."""
    return {
        name_of(payment): [payment.recorded_by_id, *map(moment, (payment.recorded_at, payment.arrived_at))]
        for payment in rows
    }


def payment_links(rows: Iterable[PaymentLink]) -> RowContents:
    """Return the hash of each link of a payment or of one of its steps."""
    return {f"payment link {row.payment_id}.{row.number}": row.hash for row in rows}


def steps(rows: Iterable[PaymentStep]) -> RowContents:
    """Return the payment, the user and the moment of each step of a payment."""
    return {name_of(step): [step.payment_id, step.by_id, moment(step.at)] for step in rows}


def costs(rows: Iterable[SharedCost]) -> RowContents:
    """Return who recorded each shared cost and when; its amount is covered by the hash in its link."""
    return {
        name_of(cost): [cost.recorded_by_id, *map(moment, (cost.recorded_at, cost.arrived_at))]
        for cost in rows
    }


def cost_links(rows: Iterable[CostLink]) -> RowContents:
    """Return the hash of each link of a shared cost or of one of its steps."""
    return {f"cost link {row.cost_id}.{row.number}": row.hash for row in rows}


def cost_steps(rows: Iterable[CostStep]) -> RowContents:
    """Return the shared cost, the user and the moment of each step of a shared cost."""
    return {name_of(step): [step.cost_id, step.by_id, moment(step.at)] for step in rows}


def grants(rows: Iterable[Grant]) -> RowContents:
    """Return what the trail holds of each grant (a user's access to a table).

    It is the user, the role, the moments of the grant, its removal and, for a witness (read-only user) who
    may record for a while, the end of that right.
    """
    return {
        name_of(grant): [
            grant.user_id,
            str(grant.role),
            *map(moment, (grant.made_at, grant.ranks_from, grant.expires_at)),
            grant.removal_id,
            *_pen(grant),
        ]
        for grant in rows
    }


def _pen(grant: Grant) -> tuple[int | None, ...]:
    """Return the moment until which a witness (read-only user) may record, as a tuple of one.

    Return an empty tuple if there is none, or if the model, as in an older migration, has no such column.
    """
    until = getattr(grant, "records_until", None)
    return (moment(until),) if until else ()


def members(rows: Iterable[Member]) -> RowContents:
    """Return what the trail holds of each member.

    It is the slug, the user who claims to be the member, the merge, the retirement, and a hash of the payment
    details.
    """
    return {
        name_of(member): [
            member.slug,
            *(member.user_id, moment(member.claimed_at)),
            *(member.merged_into_id, moment(member.merged_at), member.merged_by_id),
            moment(member.retired_at),
            _account_hash(member),
        ]
        for member in rows
    }


def _account_hash(member: Member) -> str | None:
    if not member.account:
        return None
    return sha256(f"{member.account_salt}\n{member.account}".encode()).hexdigest()


def new_salt(account: str) -> str:
    """Return a new salt for the hash of these payment details; "" without details."""
    return secrets.token_hex(16) if account else ""


def seasons(rows: Iterable[Season]) -> RowContents:
    """Return the name, first day, last day and order of each season."""
    return {
        name_of(season): [season.name, *map(_day, (season.starts_on, season.ends_on)), season.order]
        for season in rows
    }


def places(rows: Iterable[Table]) -> RowContents:
    """Return the time zone and region of each table that has a region."""
    return {name_of(table): [table.timezone, table.region] for table in rows if table.region}


def _day(day: object) -> str | None:
    return None if day is None else str(day)


def whole(table: Table, model: Callable[[str], type[Model]] = _model) -> Iterator[RowContents]:
    """Yield, in parts, the present content of every row about this table that the trail covers.

    `model` returns the model of a given name. A migration passes its own function, which has no models of
    later releases: these are left out.
    """
    for name, of_table, content in _ROWS:
        try:
            kind = model(name)
        except LookupError:
            continue
        rows = kind._base_manager.filter(**{of_table: table.pk}).order_by("pk").iterator(ROWS_AT_ONCE)
        while part := content(islice(rows, ROWS_AT_ONCE)):
            yield part


# For each model: its name, the lookup that leads to its table, and the function for the content of its rows.
_ROWS: Sequence[tuple[str, str, Callable[[Iterable[Any]], RowContents]]] = (
    ("Member", "table", members),
    ("Grant", "table", grants),
    ("Season", "table", seasons),
    ("Table", "pk", places),
    ("Record", "game__table", events),
    ("EventLink", "game__table", event_links),
    ("HandSource", "game__table", hand_sources),
    ("Payment", "table", payments),
    ("PaymentStep", "payment__table", steps),
    ("PaymentLink", "table", payment_links),
    ("SharedCost", "table", costs),
    ("CostStep", "cost__table", cost_steps),
    ("CostLink", "table", cost_links),
)


# --- anchors ----------------------------------------------------------------------------------------------------------


def anchor_of(table: Table, *, until: datetime | None = None) -> str:
    """Return the anchor (a digest of the trail) at the table's newest entry, or at the newest up to `until`.

    Return "" if the table has no entries, as on a phone.
    """
    entries = TrailEntry.objects.filter(table=table)
    if until is not None:
        entries = entries.filter(at__lte=until)
    newest = entries.order_by("-number").values_list("hash", flat=True).first()
    return anchor_at(newest) if newest else ""


def anchor_at(hash_of_entry: str) -> str:
    """Return the anchor at the entry with this hash: a digest of the trail up to the entry, in 24 letters.

    Every entry covers the one before it and the links of events and payments, so one hash covers all chains.
    """
    digest = sha256(hash_of_entry.encode()).hexdigest()
    return in_letters(digest, letters=LETTERS, together=TOGETHER)
