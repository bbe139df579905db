"""Notices about the pen for one reader: the question about it, its holder, and the possible answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.timezone import now
from django.utils.translation import gettext as _

from games.common import days, naming, roles
from games.models import Access, Table
from games.tables.services.pens import PenState


@dataclass(frozen=True)
class PenNotice:
    """A notice about the pen of a table for one reader. Without a reader, it only says who has it.

    `question` is the open question, and `number` its id. A reader who records may answer yes or no; another
    member may say yes from `counts_from` on, or the asker themselves if they are alone.
    """

    holder: str = ""
    is_mine: bool = False
    may_take_back: bool = False
    question: str = ""
    detail: str = ""
    number: int = 0
    is_own: bool = False
    may_answer: bool = False
    counts_from: datetime | None = None
    may_ask: bool = False
    again: str = ""

    @property
    def is_due(self) -> bool:
        """True if the yes of a reader who does not record counts already."""
        return self.counts_from is not None and self.counts_from <= now()


def build_notice(state: PenState, mine: Access | None = None, *, offers_asking: bool = False) -> PenNotice:
    """Return the notice for the user of the access `mine`; without one, for everybody who watches.

    `offers_asking` is True for the page where members ask for the pen.
    """
    is_mine = state.pen is not None and mine is not None and state.pen.user_id == mine.user_id
    has_role = mine is not None and mine.role in roles.WRITERS
    notice: dict[str, object] = {
        "holder": _holder_sentence(state, is_mine=is_mine),
        "is_mine": is_mine,
        "may_take_back": state.pen is not None and (is_mine or has_role),
    }
    if mine is not None:
        if state.request is not None:
            notice |= _question_fields(state, mine)
        elif offers_asking:
            notice |= _ask_fields(state, mine)
    return PenNotice(**notice)  # type: ignore[arg-type]


def _holder_sentence(state: PenState, *, is_mine: bool) -> str:
    if state.pen is None:
        return ""
    time = days.format_time(state.pen.since, state.table)
    if is_mine:
        return _("You record tonight, since %(time)s") % {"time": time}
    name = naming.isolate(state.find_name(state.pen.user) or _("Someone"))
    return _("%(name)s records tonight, since %(time)s") % {"name": name, "time": time}


def _question_fields(state: PenState, mine: Access) -> dict[str, object]:
    asked = state.request
    assert asked is not None
    name, is_own = naming.isolate(asked.member.current.name), state.is_asker(mine)
    records = state.records(mine) and not (is_own and mine.role not in roles.WRITERS)
    if not records and state.find(mine.user) is None:
        return {}
    fields: dict[str, object] = {
        "question": _("You asked to record") if is_own else _("%(name)s wants to record") % {"name": name},
        "number": asked.pk,
        "is_own": is_own,
        "may_answer": records,
    }
    if records:
        return fields
    return fields | _waiting_fields(state, is_own=is_own)


def _waiting_fields(state: PenState, *, is_own: bool) -> dict[str, object]:
    """Return who answers a reader's question, and from when on their own yes, or silence, counts."""
    counts_from = state.alone_from if state.is_alone else state.second_from
    params = {"names": recorder_names(state), "time": days.format_time(counts_from, state.table)}
    if not is_own:
        sentence = (
            _("%(names)s answers that; from %(time)s on, you can too")
            if params["names"]
            else _("An owner answers that; from %(time)s on, you can too")
        )
        return {"detail": sentence % params, "counts_from": state.second_from}
    if state.is_alone:
        detail = _("If nobody answers, you can record from %(time)s on") % params
        return {"detail": detail, "counts_from": state.alone_from}
    sentence = (
        _("%(names)s answers that; from %(time)s on, another member can too")
        if params["names"]
        else _("An owner answers that; from %(time)s on, another member can too")
    )
    return {"detail": sentence % params}


def _ask_fields(state: PenState, mine: Access) -> dict[str, object]:
    member = state.find(mine.user)
    if member is None or member.person is None or state.records(mine):
        return {}
    again = state.again_from(member.person)
    if again is None:
        return {"may_ask": True}
    time = days.format_time(again, state.table)
    return {"again": _("The answer was no. You can ask again from %(time)s on.") % {"time": time}}


MOST_RECORDERS = 3  # people named who record


def recorder_names(state: PenState) -> str:
    """Return the names of those who record here now, joined by “or”; "" if none of them has a name."""
    writers = state.table.accesses.valid().filter(role__in=roles.WRITERS).select_related("user")
    holders = [state.pen.user] if state.pen is not None else []
    known = [*holders, *(access.user for access in writers.order_by("made_at", "pk"))]
    names = dict.fromkeys(filter(None, (state.find_name(user) for user in known)))
    return naming.join_alternatives(list(names)[:MOST_RECORDERS])


def not_recorder_sentence(table: Table) -> str:
    """Return the refusal of an entry by a user who may not record: who records now."""
    state = PenState.load(table)
    names = recorder_names(state)
    if not names:
        return _("You can watch this table, but not record")
    return _("Not recorded: %(names)s records here now.") % {"names": names}
