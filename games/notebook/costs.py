"""Read the shared costs in a table's file. `value` is always the JSON object to read."""

from __future__ import annotations

from typing import Any

from games.models import MOST_MEMBERS, MOST_MONEY, NOTE_LENGTH, CostStep, CostStepKind, SharedCost
from games.notebook.contents import Contents
from games.notebook.fields import Fields, Unreadable
from games.scoring.words import _

WORDS = ("payer", "amount", "sharers", "note")
TIMES = ("night", "made_at", "recorded_at", "arrived_at", "cancelled_at")
MOST_STEPS = 1000


def read_cost(value: Any, contents: Contents) -> None:
    """Add one shared cost with its steps to the contents. Raise Unreadable if it is invalid."""
    fields = Fields(value, *WORDS, *TIMES, "key", "by", "cancelled_by", "steps")
    cancelled_at = fields.moment_or_none("cancelled_at")
    cost = SharedCost(
        table=contents.table,
        night=fields.day("night"),
        **_words(fields, contents),
        key=contents.unused_key(fields.key("key"), contents.cost_keys),
        made_at=fields.moment("made_at"),
        recorded_at=fields.moment("recorded_at"),
        arrived_at=fields.moment("arrived_at"),
        recorded_by=contents.recorder(fields, "by"),
        cancelled_at=cancelled_at,
        cancelled_by=None if cancelled_at is None else contents.recorder(fields, "cancelled_by"),
    )
    steps = [_read_step(step, cost, contents) for step in fields.list_of("steps", most=MOST_STEPS)]
    _check(cost, steps, contents)
    contents.costs.append(cost)
    contents.cost_steps += steps


def _words(fields: Fields, contents: Contents) -> dict[str, Any]:
    """Return the payer, amount, sharers and note in `fields`, by field name of the model.

    `fields` is a shared cost, or the content that a cost had before an amendment.
    """
    named = {contents.member(slug).slug for slug in fields.list_of("sharers", most=MOST_MEMBERS)}
    payer = contents.member(fields.part("payer"))
    sharers = [slug for slug in contents.members if slug in named]
    if sharers != fields.part("sharers") or not named - {payer.slug}:
        raise Unreadable(
            _("A cost is shared by members in the order in which they joined, not by its payer alone.")
        )
    return {
        "payer": payer,
        "amount": fields.whole("amount", least=1, most=MOST_MONEY),
        "sharers": sharers,
        "note": fields.text("note", longest=NOTE_LENGTH),
    }


def _read_step(value: Any, cost: SharedCost, contents: Contents) -> CostStep:
    """Return one step of a cost's history: an amendment or the cancellation."""
    fields = Fields(value, "turn", "text", "at", "by", "before")
    turn, before = fields.text("turn", longest=20), fields.part("before")
    if turn not in set(CostStepKind) or (turn == CostStepKind.AMENDED) != (before is not None):
        raise Unreadable(_("“{turn}” is not a step of a cost.", turn=turn))
    return CostStep(
        cost=cost,
        turn=turn,
        text=fields.text("text", longest=NOTE_LENGTH),
        at=fields.moment("at"),
        by=contents.recorder(fields, "by"),
        **({} if before is None else _words(Fields(before, *WORDS), contents)),
    )


def _check(cost: SharedCost, steps: list[CostStep], contents: Contents) -> None:
    if cost.made_at > cost.recorded_at:
        raise Unreadable(_("A cost is recorded before it was made."))
    cancelled = [step.at for step in steps if step.turn == CostStepKind.CANCELLED]
    if cancelled != ([] if cost.cancelled_at is None else [cost.cancelled_at]):
        raise Unreadable(_("The steps of a cost contradict its state."))
    if cost.counts and any(other.counts and other.night == cost.night for other in contents.costs):
        raise Unreadable(_("A night has two shared costs."))
