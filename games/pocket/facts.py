"""What a phone's own books hold beyond its copy: facts, in the order in which they happened there.

They are read from the phone's feed, where each change has its number, and not from forms: whatever page wrote a row, the
site can be told of it. A fact holds all that the service needs that is to write it once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile

from games.models import Change, Member, Record, Table, What
from games.names import alike_among
from games.notebook.writing import moment_in_text
from games.pocket.columns import COLUMNS
from games.pocket.copying import Copy
from games.pocket.payments import Fact, Told

GUEST, START, RECORD, DISCARD, RESTORE = "guest", "start", "record", "discard", "restore"
PUT = (DISCARD, RESTORE)


class NoFact(Exception):
    """The phone's books hold a change that the site cannot be told of: some page let through what needs a network."""


def beyond(copy: Copy) -> list[Fact]:
    """What was done on this phone since its books were opened from the copy."""
    seen = _seen(copy)
    telling = {**_TOLD, **_telling_payments(copy)}
    changes = Change.objects.filter(table__code__in=seen).order_by("pk")
    facts: list[Fact] = []
    for change in changes.select_related("table", "game", "record", "member", "payment"):
        tell = telling.get(What(change.what))
        if tell is None:
            raise NoFact(change.what)
        fact = tell(change)
        if fact is None:
            continue
        if fact["kind"] in PUT:  # only the last word counts
            facts = [one for one in facts if (one["kind"] in PUT, one.get("game")) != (True, fact["game"])]
            fact["seen"] = seen[change.table.code]
        facts.append({"table": change.table.code, **fact})
    return facts


def _seen(copy: Copy) -> Mapping[str, int]:
    """Up to which of their changes the copy knows its tables, by code."""
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
    """What was recorded with the first event of a batch; None for the others, which are told with it."""
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
    """Of a game put away or brought back."""

    def tell(change: Change) -> Fact:
        assert change.game is not None
        return {"kind": kind, "game": change.game.code, "at": moment_in_text(change.made_at)}

    return tell


def _record_of(change: Change) -> Record:
    assert change.record is not None
    return change.record


def _event(record: Record) -> Fact:
    return {"kind": record.kind, "data": record.data}


_TOLD: Mapping[What, Callable[[Change], Fact | None]] = {
    What.MEMBER_ADDED: _guest,
    What.GAME_BEGUN: _start,
    What.EVENT_RECORDED: _recorded,
    What.GAME_DISCARDED: _put(DISCARD),
    What.GAME_RESTORED: _put(RESTORE),
}


def _telling_payments(copy: Copy) -> Mapping[What, Callable[[Change], Fact | None]]:
    told = Told(copy["tables"])
    turns = (
        *(What.PAYMENT_CANCELLED, What.PAYMENT_CONFIRMED, What.PAYMENT_ACCEPTED, What.PAYMENT_DISPUTED),
        *(What.PAYMENT_UPHELD, What.PAYMENT_AMENDED, What.PAYMENT_RESTORED),
    )
    return {What.PAYMENT_RECORDED: told.paid, **dict.fromkeys(turns, told.turned)}
