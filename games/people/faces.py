"""Faces (caras): the member whom a user says they are tonight, by tapping the member's face on their phone.

A face is not a claim: it gives no access and ends with the night. If an owner agrees to it, it becomes a
lasting claim to be the member; if a scorer agrees, it is confirmed for tonight. A newcomer is a user who gave
a name instead of tapping a face, because they are no member yet. In each function `at` is the present moment,
by default now.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.timezone import now

from games.locks import ChangedMeanwhile, lock, revise
from games.models import NAME_LENGTH, Face, Grant, Member, Newcomer, Role, Table
from games.names import read_name, same_name
from games.nights import night_of
from games.people.claims import accept_claim, check_is_nobody_else, claim, end_claim
from games.people.limits import Limit
from games.people.members import add_member
from games.people.users import own_name
from games.scoring.errors import RuleError
from games.scoring.words import _

TAPPED = Limit("face", most=30)  # faces tapped and names given, per user
MOST_NEWCOMERS = 8  # names that wait for an owner's answer, per table and night
KEPT = timedelta(days=2)  # how long `clean` keeps the faces of a night


def face_of(user: User | AnonymousUser, table: Table, at: datetime | None = None) -> Member | None:
    """Return the member of this user tonight: that of their confirmed claim, else of the face they tapped.

    Return None if they have neither. Access is not checked.
    """
    if not isinstance(user, User):
        return None
    claimed = table.members.filter(user=user, claimed_at__isnull=False, merged_into=None).first()
    if claimed is not None:
        return claimed
    tapped = table.faces.filter(user=user, night=night_of(at or now(), table))
    face = tapped.select_related("member__merged_into").first()
    return face.member.now if face else None


def faces_tonight(table: Table, at: datetime | None = None) -> QuerySet[Face]:
    """Return the faces of tonight whose users have access, first tapped first.

    Their members and users are fetched by the same query.
    """
    faces = table.faces.filter(_has_access(), night=night_of(at or now(), table))
    return faces.select_related("member__merged_into", "user").order_by("tapped_at", "pk")


def newcomers_tonight(table: Table, at: datetime | None = None) -> QuerySet[Newcomer]:
    """Return the newcomers of tonight who have access, with their users, in the order of their ids."""
    newcomers = table.newcomers.filter(_has_access(), night=night_of(at or now(), table))
    return newcomers.select_related("user")


def _has_access() -> Exists:
    return Exists(Grant.objects.standing().filter(table=OuterRef("table"), user=OuterRef("user")))


@transaction.atomic
def tap_face(member: Member, user: User, *, at: datetime | None = None) -> Face:
    """Store that this user says they are this member tonight, in place of the face that they tapped before.

    Another phone may tap the same face until somebody agreed to it. Raise RuleError if somebody else is
    confirmed to be the member, or if the user is confirmed to be another one.
    """
    table, at = lock(member.table), at or now()
    member = table.members.get(pk=member.pk)
    check_is_nobody_else(member, user)
    night = night_of(at, table)
    others = faces_tonight(table, at).filter(member=member, agreed_at__isnull=False).exclude(user=user)
    if others.exists() or (member.claimed_at is not None and member.user_id != user.pk):
        raise RuleError(
            _("Another phone is already {name}. An owner can release this face.", name=member.name)
        )
    table.newcomers.filter(user=user, night=night).delete()
    known = table.faces.filter(user=user, night=night).first()
    if known is not None and known.member_id == member.pk:
        return known
    face, _is_new = Face.objects.update_or_create(
        table=table,
        user=user,
        night=night,
        defaults={"member": member, "tapped_at": at, "agreed_at": None, "agreed_by": None},
    )
    revise(table)
    return face


@transaction.atomic
def leave_face(table: Table, user: User) -> None:
    """Free the face that this user tapped tonight, or take back the name that they gave."""
    held = lock(table)
    night = night_of(now(), held)
    faces, newcomers = (rows.filter(user=user, night=night) for rows in (held.faces, held.newcomers))
    if faces.delete()[0] + newcomers.delete()[0]:
        revise(held)


@transaction.atomic
def propose(table: Table, user: User, name: str) -> Newcomer:
    """Store the name of a user who is no member yet, for an owner to add them.

    Raise RuleError if the name is a member's or not valid, if the user claims to be a member, or if too many
    names are waiting for an owner already.
    """
    held, at = lock(table), now()
    name = read_name(name, longest=NAME_LENGTH)
    known = next((member for member in held.members.all() if same_name(member.name, name)), None)
    if known is not None:
        raise RuleError(_("{name} is already here: tap their face.", name=known.now.name), field="name")
    mine = held.members.filter(user=user, merged_into=None).first()
    if mine is not None:
        raise RuleError(
            _("You are already {name} here. To change that, first say that you are not.", name=mine.name),
            field="name",
        )
    night = night_of(at, held)
    if newcomers_tonight(held, at).exclude(user=user).count() >= MOST_NEWCOMERS:
        raise RuleError(
            _("Too many names are waiting for the table's owner. Ask the owner first."), field="name"
        )
    held.faces.filter(user=user, night=night).delete()
    newcomer, _is_new = Newcomer.objects.update_or_create(
        table=held, user=user, night=night, defaults={"name": name, "made_at": at}
    )
    revise(held)
    return newcomer


# --- owners and scorers answer ----------------------------------------------------------------------------


@transaction.atomic
def agree(face: Face, *, by: User, role: Role) -> None:
    """Agree that the face's user is its member. `role` is the role of `by`.

    If an owner agrees, the user has a confirmed claim; if a scorer agrees, it counts for tonight. Raise
    RuleError if the face is gone, if another user is confirmed to be the member, or for a scorer's own face.
    """
    face = _hold(face)
    if role is Role.OWNER:
        _make_claim(face)
        others = face.table.faces.filter(member=face.member, night=face.night).exclude(pk=face.pk)
        others.delete()
    elif face.user_id == by.pk:
        raise RuleError(_("Another scorekeeper has to confirm that you are {name}.", name=face.member.name))
    if face.agreed_at is None:
        face.agreed_at, face.agreed_by = now(), by
        face.save(update_fields=["agreed_at", "agreed_by"])
    revise(face.table)


def _make_claim(face: Face) -> None:
    member, user = face.member, face.user
    if member.user_id not in (None, user.pk) and member.claimed_at is None:
        assert member.user_id is not None
        member = end_claim(member, of=member.user_id)  # the owner agrees that somebody else is the member
    claim(member, user, is_agreed=True)
    accept_claim(member, of=user.pk)  # `claim` does not confirm an earlier claim
    if not own_name(user):
        user.first_name = member.name
        user.save(update_fields=["first_name"])


@transaction.atomic
def refuse(face: Face, *, by: User, role: Role) -> None:
    """Delete a face. If somebody agreed to it, only its user or an owner may do so.

    `role` is the role of `by`. Raise RuleError if the face is gone, or if `by` may not delete it.
    """
    face = _hold(face)
    if face.agreed_at is not None and role is not Role.OWNER and face.user_id != by.pk:
        raise RuleError(_("A confirmed face can only be released by an owner."))
    face.delete()
    revise(face.table)


def _hold(face: Face) -> Face:
    """Lock the face's table, and return the face as it is stored now.

    Raise ChangedMeanwhile if the face is gone or its user has no access.
    """
    held = lock(face.table)
    known = held.faces.filter(_has_access(), pk=face.pk, member=face.member_id).select_related("user").first()
    if known is None:
        raise ChangedMeanwhile
    known.table, known.member = held, held.members.get(pk=known.member.now.pk)
    return known


@transaction.atomic
def admit(newcomer: Newcomer, *, by: User, apart: Collection[str] = ()) -> Member:
    """Add the newcomer as a member, and confirm that they are this member.

    The caller has checked that `by` is an owner. Raise RuleError if the newcomer is gone, if the table is
    full, or if another member has the name. A name that differs from another member's only in accents is
    refused too, unless it is listed in `apart`.
    """
    held = lock(newcomer.table)
    known = newcomers_tonight(held, newcomer.made_at).filter(pk=newcomer.pk, name=newcomer.name).first()
    if known is None:
        raise ChangedMeanwhile
    member = add_member(held, known.name, apart=apart)
    agree(tap_face(member, known.user, at=known.made_at), by=by, role=Role.OWNER)
    return member


@transaction.atomic
def turn_down(newcomer: Newcomer) -> None:
    """Delete the name that a newcomer gave. They go on watching."""
    held = lock(newcomer.table)
    if held.newcomers.filter(pk=newcomer.pk).delete()[0]:
        revise(held)


def drop_old_faces() -> int:
    """Delete the faces and newcomers of nights more than two days ago. Return the number deleted."""
    before = (now() - KEPT).date()
    return sum(kind.objects.filter(night__lt=before).delete()[0] for kind in (Face, Newcomer))
