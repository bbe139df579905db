"""Facts: the unsent changes that were made on a phone since it got its copy of the tables, in order.

Facts are read from the change feed of the phone's database and not from HTML forms, so every page that writes
is covered. A fact has all the data that the site needs to record the change again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile

from games.models import Change, ChangeKind, Member, Record, Table
from games.names import alike_among
from games.notebook.writing import moment_in_text
from games.pocket.columns import COLUMNS
from games.pocket.copying import Copy
from games.pocket.opening import opening_of
from games.pocket.payments import Fact, PaymentFacts

GUEST, START, RECORD, DISCARD, RESTORE = "guest", "start", "record", "discard", "restore"
PUT = (DISCARD, RESTORE)  # of each game, only the last of these facts is sent


class NoFact(Exception):
    """Raised for a kind of change that no fact can describe. A phone should never record such a change."""


def beyond(copy: Copy) -> list[Fact]:
    """Return the facts of all changes on this phone since its database was unpacked from the copy.

    A table that is not in the copy was opened on the phone, so its first fact is that of its opening.
    """
    seen = _seen(copy)
    describe = {**_DESCRIBE, **_describe_payments(copy)}
    changes = Change.objects.order_by("pk").select_related("table", "game", "record", "member", "payment")
    facts: list[Fact] = []
    keys: dict[str, str] = {}  # by table's code, the keys of the facts of tables opened on this phone
    for change in changes:
        code = change.table.code
        if code not in seen and code not in keys:
            facts.append(opening_of(change.table))
            keys[code] = facts[-1]["key"]
        fact_of = describe.get(ChangeKind(change.what))
        if fact_of is None:
            raise NoFact(change.what)
        fact = fact_of(change)
        if fact is None:
            continue
        if fact["kind"] in PUT:  # send only the last discard or restoration of a game
            facts = [one for one in facts if (one["kind"] in PUT, one.get("game")) != (True, fact["game"])]
            fact["seen"] = seen.get(code, 0)
        if fact["kind"] == GUEST and code in keys:
            fact["key"] = keys[code]
        facts.append({"table": code, **fact})
    return facts


def _seen(copy: Copy) -> Mapping[str, int]:
    """Return the number of each table's newest change at the time of the copy, by the table's code."""
    code, newest = (COLUMNS[Table].index(name) for name in ("code", "newest_change"))
    return {table["table"][0][code]: table["table"][0][newest] for table in copy["tables"]}


def _guest(change: Change) -> Fact:
    member = change.member
    assert member is not None
    others = Member.objects.filter(table=change.table, pk__lt=member.pk).values_list("name", flat=True)
    return {
        "kind": GUEST,
        "slug": member.slug,
        "name": member.name,
        "is_apart": alike_among(member.name, others) is not None,
    }


def _start(change: Change) -> Fact:
    record, game = _record_of(change), change.game
    assert game is not None
    return {
        "kind": START,
        "game": game.code,
        "key": game.key,
        "events": [_event(record)],
        "at": moment_in_text(record.recorded_at),
    }


def _recorded(change: Change) -> Fact | None:
    """Return the fact of a recorded event, or None if an earlier event's fact includes it.

    Events that were recorded together make one fact, that of the first of them.
    """
    record, game = _record_of(change), change.game
    assert game is not None
    if record.key is None:
        return None
    later = takewhile(lambda one: one.key is None, game.records.filter(number__gt=record.number))
    return {
        "kind": RECORD,
        "game": game.code,
        "after": record.number - 1,
        "key": record.key,
        "events": [_event(one) for one in (record, *later)],
        "at": moment_in_text(record.recorded_at),
    }


def _put(kind: str) -> Callable[[Change], Fact]:
    """Return a function that makes a fact of this kind, DISCARD or RESTORE, from a change."""

    def fact_of(change: Change) -> Fact:
        assert change.game is not None
        return {"kind": kind, "game": change.game.code, "at": moment_in_text(change.made_at)}

    return fact_of


def _record_of(change: Change) -> Record:
    assert change.record is not None
    return change.record


def _event(record: Record) -> Fact:
    return {"kind": record.kind, "data": record.data}


_DESCRIBE: Mapping[ChangeKind, Callable[[Change], Fact | None]] = {
    ChangeKind.MEMBER_ADDED: _guest,
    ChangeKind.GAME_BEGUN: _start,
    ChangeKind.EVENT_RECORDED: _recorded,
    ChangeKind.GAME_DISCARDED: _put(DISCARD),
    ChangeKind.GAME_RESTORED: _put(RESTORE),
}


def _describe_payments(copy: Copy) -> Mapping[ChangeKind, Callable[[Change], Fact | None]]:
    payments = PaymentFacts(copy["tables"])
    turns = (
        *(
            ChangeKind.PAYMENT_CANCELLED,
            ChangeKind.PAYMENT_CONFIRMED,
            ChangeKind.PAYMENT_ACCEPTED,
            ChangeKind.PAYMENT_DISPUTED,
        ),
        *(ChangeKind.PAYMENT_UPHELD, ChangeKind.PAYMENT_AMENDED, ChangeKind.PAYMENT_RESTORED),
    )
    return {ChangeKind.PAYMENT_RECORDED: payments.paid, **dict.fromkeys(turns, payments.turned)}
