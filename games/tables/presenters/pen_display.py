"""Notices about the pen for one reader: the question about it, its holder, and the possible answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil

from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.common import days, naming, roles
from games.models import Access, PenRequest, Table
from games.tables.services.pens import PenState


@dataclass(frozen=True)
class PenKey:
    """A key of the question about the pen. Its `act` counts in `rest` seconds, or at once if that is 0."""

    act: str
    label: str
    rest: int = 0


@dataclass(frozen=True)
class PenNotice:
    """A notice about the pen of a table for one reader. Without a reader, it only says who has it.

    `question` is the open question, `number` its id, and `keys` are what the reader may do about it.
    """

    holder: str = ""
    is_mine: bool = False
    may_take_back: bool = False
    question: str = ""
    detail: str = ""
    number: int = 0
    keys: Sequence[PenKey] = ()
    may_ask: bool = False
    again: str = ""


def build_notice(state: PenState, mine: Access | None = None, *, offers_asking: bool = False) -> PenNotice:
    """Return the notice for the user of the access `mine`; without one, for everybody who watches.

    `offers_asking` is True for the page where members ask for the pen.
    """
    is_mine = state.pen is not None and mine is not None and state.pen.user_id == mine.user_id
    has_role = mine is not None and mine.role in roles.WRITERS
    notice = PenNotice(
        _holder_sentence(state, is_mine=is_mine),
        is_mine=is_mine,
        may_take_back=state.pen is not None and (is_mine or has_role),
    )
    if mine is None:
        return notice
    if state.request is not None:
        return _with_question(notice, state, mine, state.request)
    return _with_asking(notice, state, mine) if offers_asking else notice


def _holder_sentence(state: PenState, *, is_mine: bool) -> str:
    if state.pen is None:
        return ""
    time = days.format_time(state.pen.since, state.table)
    if is_mine:
        return _("You record tonight, since %(time)s") % {"time": time}
    name = naming.isolate(state.find_name(state.pen.user) or _("Someone"))
    return _("%(name)s records tonight, since %(time)s") % {"name": name, "time": time}


def _with_question(notice: PenNotice, state: PenState, mine: Access, asked: PenRequest) -> PenNotice:
    name, is_own = naming.isolate(asked.member.current.name), state.is_asker(mine)
    decides = state.decides(mine)
    member = state.find(mine.user)
    if not decides and (member is None or member.person is None):
        return notice
    if decides:
        keys = [PenKey("no", _("No")), PenKey("yes", _("Yes"))]
    elif is_own:
        keys = [PenKey("no", _("Never mind"))]
        if state.is_alone:
            keys.append(PenKey("yes", pgettext("the scores", "Record"), seconds_until(state.silent_from)))
    else:
        keys = [PenKey("yes", _("Go ahead"), seconds_until(state.counts_from(mine)))]
        if member and member.person and state.again_from(member.person) is None:
            keys.append(PenKey("ask", _("I'll record"), seconds_until(state.others_from)))
    return replace(
        notice,
        question=_("You asked to record") if is_own else _("%(name)s wants to record") % {"name": name},
        detail="" if decides else _waiting_sentence(state, mine, is_own=is_own),
        number=asked.pk,
        keys=keys,
    )


def seconds_until(moment: datetime) -> int:
    """Return the seconds until this moment; 0 if it is past."""
    return max(0, ceil((moment - now()).total_seconds()))


def _waiting_sentence(state: PenState, mine: Access, *, is_own: bool) -> str:
    """Return who answers the question, and from when on the reader's own yes, or silence, counts."""
    earliest = state.second_from if is_own else state.counts_from(mine)
    params = {"names": recorder_names(state), "time": days.format_time(earliest, state.table)}
    if is_own and state.is_alone:
        time = days.format_time(state.silent_from, state.table)
        return _("If nobody answers, you can record from %(time)s on") % {"time": time}
    if is_own:
        sentence = (
            _("%(names)s answers that; from %(time)s on, another member can too")
            if params["names"]
            else _("An owner answers that; from %(time)s on, another member can too")
        )
    else:
        sentence = (
            _("%(names)s answers that; from %(time)s on, you can too")
            if params["names"]
            else _("An owner answers that; from %(time)s on, you can too")
        )
    return sentence % params


def _with_asking(notice: PenNotice, state: PenState, mine: Access) -> PenNotice:
    member = state.find(mine.user)
    if member is None or member.person is None or state.records(mine):
        return notice
    again = state.again_from(member.person)
    if again is None:
        return replace(notice, may_ask=True)
    time = days.format_time(again, state.table)
    return replace(notice, again=_("You can ask again from %(time)s on.") % {"time": time})


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
