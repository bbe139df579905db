"""What a phone's own books hold beyond its copy: facts, in the order in which they happened there.

They are read from the phone's feed, where each change has its number, and not from forms: whatever page wrote a row, the
site can be told of it. A fact holds all that the service needs that is to write it once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.models import Change, Member, Record, What
from games.names import alike_among
from games.notebook.writing import moment_in_text
from games.pocket.copying import Copy

Fact = dict[str, Any]

GUEST, START, RECORD, DISCARD, RESTORE = "guest", "start", "record", "discard", "restore"
PUT = (DISCARD, RESTORE)


class NoFact(Exception):
    """The phone's books hold a change that the site cannot be told of: some page let through what needs a network."""


def beyond(copy: Copy) -> list[Fact]:
    """What was done on this phone since its books were opened from the copy."""
    codes = {table["table"][0][1] for table in copy["tables"]}
    changes = Change.objects.filter(table__code__in=codes).order_by("pk")
    facts: list[Fact] = []
    for change in changes.select_related("table", "game", "record", "member"):
        tell = _TOLD.get(What(change.what))
        if tell is None:
            raise NoFact(change.what)
        fact = tell(change)
        if fact is None:
            facts[-1]["events"].append(_event(change))
            continue
        if fact["kind"] in PUT:  # only the last word counts
            facts = [one for one in facts if (one["kind"] in PUT, one.get("game")) != (True, fact["game"])]
        facts.append({"table": change.table.code, **fact})
    return facts


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
        "events": [_event(change)],
        "at": moment_in_text(record.recorded_at),
    }


def _recorded(change: Change) -> Fact | None:
    """What was recorded with the first event of a batch; None for the others, which stand with it."""
    record, game = _record_of(change), change.game
    assert game is not None
    if record.key is None:
        return None
    return {
        "kind": RECORD,
        "game": game.code,
        "after": record.number - 1,
        "key": record.key,
        "events": [_event(change)],
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


def _event(change: Change) -> Fact:
    record = _record_of(change)
    return {"kind": record.kind, "data": record.data}


_TOLD: Mapping[What, Callable[[Change], Fact | None]] = {
    What.MEMBER_ADDED: _guest,
    What.GAME_BEGUN: _start,
    What.EVENT_RECORDED: _recorded,
    What.GAME_DISCARDED: _put(DISCARD),
    What.GAME_RESTORED: _put(RESTORE),
}
