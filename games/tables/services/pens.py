"""The pen (la lapicera): who may record tonight without the role for it, and the question that leads there.

A member who is confirmed for good asks (*Anoto yo*). One answer of a user who records decides. From `SECOND_AFTER`
on, the yes of another member gives the pen too. After `SILENCE` nobody waits any longer: another member's own
question takes the place of one without an answer, and where there is nobody else, the asker records.

Each function locks the table in its own transaction, and raises RoleRequired or AccessEnded for a user who may
not do this, and RuleError for what is too early.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.timezone import now

from games.common import days, locks, roles
from games.common.locks import ConcurrentChange
from games.common.roles import RoleRequired
from games.models import Access, Member, Pen, PenRequest, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import authorization, users, vouches

SECOND_AFTER = timedelta(minutes=2)
SILENCE = timedelta(minutes=5)
AGAIN_AFTER = timedelta(minutes=15)  # after a no, or after somebody took the pen back: no question, no yes
IDLE_AFTER = timedelta(minutes=15)  # since a game's newest event, until its page asks whether anybody records


@dataclass(frozen=True)
class PenState:
    """The pen of a table and the question about it. Use `load`.

    `phones` are the valid accesses of the table with their users and members, or None if they are not loaded.
    """

    table: Table
    pen: Pen | None
    last_request: PenRequest | None
    phones: tuple[Access, ...] | None

    @classmethod
    def load(cls, table: Table, phones: Iterable[Access] | None = None) -> PenState:
        pen = asked = None
        requests = table.pen_requests.open()
        # Most tables have neither, which one short query tells.
        if table.pens.filter(ended_at=None).values("pk").union(requests.values("pk")).exists():
            asked = requests.select_related("user", "member__merged_into").first()
            pen = table.pens.select_related("user").find_valid()
        return cls(table, pen, asked, None if phones is None else tuple(phones))

    @cached_property
    def lasting(self) -> tuple[Access, ...]:
        """The accesses of the people who are confirmed for good and still play."""
        phones: Iterable[Access] = self.table.accesses.lasting().select_related("user", "member__merged_into")
        if self.phones is not None:
            phones = self.phones
        return tuple(access for access in phones if access.is_lasting and vouches.is_active(access))

    @cached_property
    def request(self) -> PenRequest | None:
        """The open question. It ends with the access of its asker, and when they retire."""
        asked = self.last_request
        return asked if asked is not None and self.find(asked.user) is not None else None

    def find(self, user: User) -> Access | None:
        """Return the access of this user if they are confirmed for good."""
        return next((access for access in self.lasting if access.user_id == user.pk), None)

    def find_name(self, user: User) -> str:
        """Return the name of a user at the table; "" for a guest without one."""
        rows = self.table.accesses.valid().filter(user=user).select_related("member__merged_into")
        access = self.find(user) or rows.first()  # an owner's new phone is not confirmed
        return access.person.name if access and access.person else users.display_name_or_deleted(user)

    def records(self, access: Access) -> bool:
        """Return whether the user of this access may record, by their role or with the pen."""
        return access.role in roles.WRITERS or (self.pen is not None and self.pen.user_id == access.user_id)

    def is_asker(self, access: Access) -> bool:
        """Return whether the question is this person's own, perhaps from another phone."""
        assert self.request is not None
        return access.user_id == self.request.user_id or access.person == self.request.member.current

    def decides(self, access: Access) -> bool:
        """Return whether this answer counts at once. A user with the pen alone does not answer their own question."""
        return self.records(access) and (access.role in roles.WRITERS or not self.is_asker(access))

    @property
    def is_alone(self) -> bool:
        """True if nobody but the asker and those who record could answer the question."""
        return all(self.records(access) or self.is_asker(access) for access in self.lasting)

    @property
    def second_from(self) -> datetime:
        """The moment from which the yes of a member who does not record counts."""
        assert self.request is not None
        return self.request.asked_at + SECOND_AFTER

    def counts_from(self, access: Access) -> datetime:
        """Return when the yes of this member, who does not record, counts: not while they may not ask either."""
        again = self.again_from(access.person) if access.person else None
        return max(self.second_from, again or self.second_from)

    @property
    def silent_from(self) -> datetime:
        """The moment from which silence gives the pen to an asker who is alone."""
        assert self.request is not None
        return self.request.asked_at + SILENCE

    @cached_property
    def others_from(self) -> datetime:
        """The moment from which others may ask instead: `SILENCE` after this person asked first.

        A question that they took back and asked again counts.
        """
        assert self.request is not None
        asker, first = self.request.member.current, self.request.asked_at
        recent = self.table.pen_requests.filter(asked_at__gt=first - AGAIN_AFTER, pk__lte=self.request.pk)
        for row in recent.select_related("member__merged_into").order_by("-pk"):
            if row.member.current != asker or row.is_given or row.answered_by_id is not None:
                break
            first = row.asked_at
        return first + SILENCE

    def again_from(self, member: Member) -> datetime | None:
        """Return when this person may ask again after a no, or after the pen was taken back; None for now."""
        newest = max((moment for moment, of in self._refusals if of.current == member), default=None)
        return newest and newest + AGAIN_AFTER

    @cached_property
    def _refusals(self) -> list[tuple[datetime, Member]]:
        """The refusals and the pens taken back of the last `AGAIN_AFTER`: their moments and members."""
        recent = now() - AGAIN_AFTER
        denied = self.table.pen_requests.filter(
            answered_at__gt=recent, is_given=False, answered_by__isnull=False
        )
        ended = self.table.pens.filter(ended_at__gt=recent, ended_by__isnull=False).exclude(
            ended_by=F("user")
        )
        moments = [
            *((row.answered_at, row.member) for row in denied.select_related("member__merged_into")),
            *((row.ended_at, row.member) for row in ended.select_related("member__merged_into")),
        ]
        return [(moment, member) for moment, member in moments if moment is not None]


@transaction.atomic
def ask(table: Table, *, by: User) -> None:
    """Ask for the pen. Somebody else's question stays in place until nobody has answered it for `SILENCE`.

    Raise RuleError until the same person may ask again.
    """
    state = PenState.load(locks.lock(table))
    access = state.find(by)
    if access is None or access.person is None:
        raise RoleRequired("", needed=Role.WITNESS)
    is_waiting = state.request is not None and (state.is_asker(access) or now() < state.others_from)
    if is_waiting or state.records(access):
        return
    if (again := state.again_from(access.person)) is not None:
        raise RuleError(_("You can ask again from {time} on.", time=days.format_time(again, table)))
    at = now()
    state.table.pen_requests.filter(answered_at=None).update(answered_at=at)  # lapsed
    PenRequest.objects.create(
        table=state.table,
        user=by,
        member=access.person,
        asked_at=at,
        until=days.tonight_end(at, state.table),
    )
    locks.bump_revision(state.table)


@transaction.atomic
def answer(table: Table, number: int, *, is_yes: bool, by: User) -> None:
    """Answer the question with this id. A repeated answer changes nothing.

    When the asker answers, the phone that sends the answer gets the pen, even if another phone asked.
    Raise ConcurrentChange if it is no longer open, and RuleError if `by` may not answer it yet.
    """
    state = PenState.load(locks.lock(table))
    if state.request is None or state.request.pk != number:
        if state.table.pen_requests.filter(pk=number, is_given=is_yes).exclude(answered_at=None).exists():
            return  # a repeated tap
        raise ConcurrentChange
    access = state.table.accesses.valid().filter(user=by).select_related("member__merged_into").first()
    if access is None:
        raise authorization.AccessEnded
    _check_can_answer(state, access, is_yes=is_yes)
    asked = state.request
    asked.answered_at, asked.is_given = now(), is_yes
    asked.answered_by = None if state.is_asker(access) else by
    asked.save(update_fields=["answered_at", "answered_by", "is_given"])
    if is_yes:
        is_other_phone = state.is_asker(access) and not state.records(access)
        taker = access if is_other_phone else state.find(asked.user)
        assert taker is not None
        store_pen(taker)
    locks.bump_revision(state.table)


def _check_can_answer(state: PenState, access: Access, *, is_yes: bool) -> None:
    is_own = state.is_asker(access)
    if state.decides(access):
        return
    if is_own and not is_yes:  # they ask no more
        return
    if not is_yes or state.find(access.user) is None or (is_own and not state.is_alone):
        raise RoleRequired("", needed=Role.SCORER)
    earliest = state.silent_from if is_own else state.counts_from(access)
    if now() < earliest:
        time = days.format_time(earliest, state.table)
        raise RuleError(_("That counts from {time} on: until then, those who record answer.", time=time))


def store_pen(access: Access) -> None:
    """Give the user of this access the pen until the night ends, and end another user's pen.

    The caller holds the table's lock and raises the revision.
    """
    table, at = access.table, now()
    assert access.member is not None
    table.pens.end()
    until = days.tonight_end(at, table)
    Pen.objects.create(table=table, user=access.user, member=access.member, since=at, until=until)


@transaction.atomic
def take_back(table: Table, *, by: User) -> None:
    """End the pen. Users who record may do so, and the user who has it. A repeated call changes nothing."""
    locked_table, access = authorization.lock_table(table, by, *Role)
    pen = locked_table.pens.find_valid()
    if pen is None:
        return
    if access.role not in roles.WRITERS and pen.user_id != by.pk:
        raise RoleRequired("", needed=Role.SCORER)
    locked_table.pens.end(by=by)
    locks.bump_revision(locked_table)
