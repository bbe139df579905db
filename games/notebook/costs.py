"""Read the shared costs in a table's file. `value` is always the JSON object to read."""

from __future__ import annotations

from typing import Any

from games.models import MOST_MEMBERS, MOST_MONEY, NOTE_LENGTH, SharedCost
from games.notebook.contents import Contents
from games.notebook.fields import Fields, Unreadable
from games.scoring.words import _

WORDS = ("payer", "amount", "sharers", "note", "forgiven")
TIMES = ("night", "made_at", "recorded_at", "arrived_at", "ended_at")


def read_cost(value: Any, contents: Contents) -> None:
    """Add one shared cost to the contents. Raise Unreadable if it is invalid."""
    fields = Fields(value, *WORDS, *TIMES, "key", "by", "ended_by", "reason")
    ended_at = fields.moment_or_none("ended_at")
    payer = contents.member(fields.part("payer"))
    cost = SharedCost(
        table=contents.table,
        night=fields.day("night"),
        payer=payer,
        amount=fields.whole("amount", least=1, most=MOST_MONEY),
        sharers=_sharers(fields, payer.slug, contents),
        note=fields.text("note", longest=NOTE_LENGTH),
        is_forgiven=fields.truth("forgiven"),
        key=contents.unused_key(fields.key("key"), contents.cost_keys),
        made_at=fields.moment("made_at"),
        recorded_at=fields.moment("recorded_at"),
        arrived_at=fields.moment("arrived_at"),
        recorded_by=contents.recorder(fields, "by"),
        ended_at=ended_at,
        ended_by=None if ended_at is None else contents.recorder(fields, "ended_by"),
        reason="" if ended_at is None else fields.text("reason", longest=NOTE_LENGTH),
    )
    if cost.made_at > cost.recorded_at:
        raise Unreadable(_("A cost is recorded before it was made."))
    contents.costs.append(cost)


def _sharers(fields: Fields, payer: str, contents: Contents) -> list[str]:
    """Return the slugs of the sharers; `payer` is the slug of the member who paid."""
    named = {contents.member(slug).slug for slug in fields.list_of("sharers", most=MOST_MEMBERS)}
    sharers = [slug for slug in contents.members if slug in named]
    if sharers != fields.part("sharers") or not named - {payer}:
        raise Unreadable(
            _("A cost is shared by members in the order in which they joined, not by its payer alone.")
        )
    return sharers
