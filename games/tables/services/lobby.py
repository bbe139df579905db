"""The lobby (la sala): who is at the table tonight, who records, and whose access ends.

Anyone who opens tonight's link taps a member's face, gives a name, or only watches. An owner or a scorer
confirms the claim (`confirmations.py`), one by one or several at once (*son todos*), and the access lasts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import cached_property

from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.db import transaction
from django.db.models import OuterRef, Q
from django.utils.timezone import now

from games.common import locks, naming, roles
from games.common.locks import ConcurrentChange
from games.common.naming import Person
from games.models import BY_STRENGTH, NAME_LENGTH, Access, AccessQuerySet, LinkKind, Member, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import authorization, membership, roster, users, vouches
from games.tables.services.authorization import AccessEnded
from games.tables.services.roster import People

# a user's identity claim, and the answer
CLAIM_FIELDS = ("member", "name", "confirmed_at", "confirmed_by", "denied_member", "denied_name")


def valid_accesses(table: Table) -> AccessQuerySet:
    """Return the valid accesses of a table with their users and members, oldest first."""
    rows = table.accesses.valid().select_related("user", "member__merged_into", "denied_member__merged_into")
    return rows.order_by("made_at", "pk")


def suspended_accesses(table: Table) -> AccessQuerySet:
    """Return the accesses of users whose account is erased and can be restored."""
    rows = table.accesses.exclude(suspended_at=None).filter(ended_at=None)
    return rows.select_related("user", "member__merged_into")


class LobbySnapshot:
    """The valid accesses of a table, oldest first, loaded once for a request.

    Their `member` and `denied_member` are the present members from `people`, not merged ones.
    """

    def __init__(self, table: Table, people: People | None = None) -> None:
        self.people = people or People.of(table)
        rows = table.accesses.valid().select_related("user").order_by("made_at", "pk")
        self.phones = [self._with_members(access) for access in rows]

    def _with_members(self, access: Access) -> Access:
        for name in ("member", "denied_member"):
            member = self.people.by_pk.get(getattr(access, f"{name}_id"))
            if member is not None:
                setattr(access, name, member)
        return access

    def of(self, user: User | AnonymousUser) -> Access | None:
        return next((access for access in self.phones if access.user_id == user.pk), None)

    @cached_property
    def faces(self) -> dict[int, Access]:
        """The accesses that have a member, by the user's id.

        Unconfirmed claims are left out if another user is confirmed to be that member.
        """
        accesses = [access for access in self.phones if access.member is not None]
        confirmed = {access.person for access in accesses if access.is_confirmed}
        return {
            access.user_id: access
            for access in accesses
            if access.is_confirmed or access.person not in confirmed
        }

    def find_member(self, user: User | AnonymousUser) -> Member | None:
        access = self.faces.get(user.pk) if isinstance(user, User) else None
        return None if access is None else access.person

    @cached_property
    def members(self) -> Sequence[Member]:
        return [member for member in self.people.current_members if member.retired_at is None]

    def seated_players(self) -> Sequence[Person]:
        """Return the active members that a user is or claims to be, in the order they joined."""
        people = {access.person for access in self.phones}
        return [roster.to_person(member) for member in self.members if member in people]


def member_phones(table: Table, member: Member) -> Sequence[Access]:
    """Return the valid accesses confirmed to be this member's. One person may have several browsers."""
    return [access for access in member_accesses(table, member) if access.confirmed_at is not None]


def member_accesses(table: Table, member: Member) -> Sequence[Access]:
    """Return the valid accesses that are confirmed, or only claim, to be this member's."""
    rows = People.of(table).member_pks(member.current)
    return list(valid_accesses(table).filter(member__in=rows))


def pending_claims(table: Table | OuterRef) -> AccessQuerySet:
    """Return the valid accesses with an unconfirmed claim to a member or a name."""
    unsure = Access.objects.valid().filter(table=table, confirmed_at=None)
    return unsure.exclude(member=None, name="")


def confirmed_phones(claim: Access, phones: Iterable[Access]) -> Sequence[Access]:
    """Return those of these phones that are confirmed to be the member whom the claim is about."""
    return [phone for phone in phones if claim.person and phone.person == claim.person and phone.is_confirmed]


# --- who comes in -----------------------------------------------------------------------------------------


def grant(access: Access, *, role: Role, until: datetime | None) -> None:
    """Store this access with at least this role, until at least this time.

    An access that has ended starts anew: its earlier role and tokens do not come back. A confirmation for one
    night does not become a lasting one. The caller holds the table's lock.
    """
    if access.pk is None:
        access.until = until
    elif not access.is_current:
        access.table.tokens.filter(user=access.user_id).revoke()
        access.role, access.until, access.made_at = role, until, now()
        access.confirmed_at = access.confirmed_by = access.raised_by = None
        access.ended_at = access.ended_by = access.asked_at = access.took_over_at = None
    elif access.until is not None and (until is None or until > access.until):
        access.until = until
        if until is None:
            access.confirmed_at = access.confirmed_by = None
    access.role = max(Role(access.role), role, key=BY_STRENGTH.index)
    access.save()


def enter(
    table: Table,
    user: User,
    *,
    until: datetime,
    face: Member | None = None,
    name: str = "",
    network: str = "",
) -> Access:
    """Admit a user until the night ends, with a claim to this member or name, or only to watch.

    `network` is the key of the client's network. Lock the table. Raise ConcurrentChange if the user's access
    was ended, and RuleError like `claim`.
    """
    name = _clean_name(name, face)
    with transaction.atomic():
        locked_table = locks.lock(table)
        access = locked_table.accesses.filter(user=user).first() or Access(
            user=user, table=locked_table, role=Role.WITNESS
        )
        if access.ended_at is not None:
            raise ConcurrentChange
        grant(access, role=Role.WITNESS, until=until)
        locks.bump_revision(locked_table)
        return store_claim(locked_table, user, face=face, name=name, network=network)


def claim(
    table: Table, user: User, *, face: Member | None = None, name: str = "", network: str = ""
) -> Access:
    """Store the user's identity claim: a member, a name that no member has yet, or neither.

    The name of a retired member claims that member. A member confirmed on another phone can be claimed too: a
    person may replace their phone, or use two. A table's only owner is confirmed at once if the member has no
    phone. Lock the table. Raise AccessEnded if the user has no access, and RuleError if they are confirmed
    already, or if the name is a member's, not valid, or one too many.
    """
    name = _clean_name(name, face)
    with transaction.atomic():
        return store_claim(locks.lock(table), user, face=face, name=name, network=network)


def _clean_name(name: str, face: Member | None) -> str:
    return naming.clean_name(name, longest=NAME_LENGTH) if name and face is None else ""


def store_claim(table: Table, user: User, *, face: Member | None, name: str, network: str = "") -> Access:
    """Store an identity claim, like `claim`, with a cleaned name. The caller holds the table's lock."""
    face = face or find_retired(name, table)
    access = valid_accesses(table).filter(user=user).first()
    if access is None:
        raise AccessEnded
    if face is not None and access.person == face.current:
        return access
    if access.is_confirmed and not authorization.is_last_owner(access):
        assert access.person is not None
        raise RuleError(_("You are {name} here. An owner can change that.", name=access.person.name))
    access.member = None if face is None else face.current
    access.name = reserve_name(table, access, name, network) if face is None and name else ""
    access.confirmed_at = access.confirmed_by = None
    access.denied_member, access.denied_name = None, ""
    end_claims(table, [access])
    access.save(update_fields=CLAIM_FIELDS)
    if face is not None and authorization.is_last_owner(access) and not member_phones(table, face):
        store_confirmation(access, by=user, until=None)
    locks.bump_revision(table)
    return access


def end_claims(table: Table, accesses: Collection[Access]) -> None:
    """End what these accesses have by their claims: pens, and what others said about an owner's new phone.

    Call this before a claim changes or is denied. The caller holds the table's lock.
    """
    vouches.forget(accesses)
    table.pens.filter(user__in=[access.user_id for access in accesses]).end()


# --- phones and their members ----------------------------------------------------------------------------


def replace_phone(phones: Sequence[Access], access: Access, *, by: User | None) -> None:
    """End the accesses of a member's earlier phones, and give the strongest of their roles to the new one.

    If one of them is an owner's, copy who made them an owner and when they took over. The caller stores the
    access and holds the table's lock.
    """
    for phone in phones:
        if phone.role == Role.OWNER:
            access.raised_by, access.took_over_at = phone.raised_by, phone.took_over_at
    phone_roles = [Role(phone.role) for phone in phones]
    access.role = max([Role(access.role), *phone_roles], key=BY_STRENGTH.index)
    store_ends(access.table, phones, by=by)


def store_confirmation(access: Access, *, by: User | None, until: datetime | None) -> None:
    """Store that the access's user is its member until then; None is for a lasting access.

    See `store_confirmations`.
    """
    access.until = until
    access.save()
    store_confirmations(access.table, [access], by=by)


def store_confirmations(table: Table, accesses: Sequence[Access], *, by: User | None) -> None:
    """Store that the users of these accesses are their members, and reactivate retired members.

    The caller has stored each access's `member` and `until`, and holds the table's lock. Users without a name
    get their member's. Users who record by their role now need no pen.
    """
    vouches.forget(accesses)
    table.pens.filter(user__in=[access.user_id for access in accesses if access.role in roles.WRITERS]).end()
    members = {access.member for access in accesses if access.member is not None}
    membership.reactivate_all([member for member in members if member.retired_at is not None])
    # Those of an erased account stay as they are: it may be brought back.
    past = table.accesses.filter(member__in=members, confirmed_at__isnull=False, suspended_at=None)
    past.exclude(pk__in=valid_accesses(table)).update(confirmed_at=None, confirmed_by=None)
    at = now()
    agreed = {"confirmed_at": at, "confirmed_by": by, "denied_member": None, "denied_name": ""}
    table.accesses.filter(pk__in=[access.pk for access in accesses]).update(**agreed)
    for access in accesses:
        for name, value in agreed.items():
            setattr(access, name, value)
    nameless = [
        access.user
        for access in accesses
        if access.member is not None and not users.display_name(access.user)
    ]
    names = {access.user_id: access.member.name for access in accesses if access.member is not None}
    for user in nameless:
        user.first_name = names[user.pk]
    User.objects.bulk_update(nameless, ["first_name"])


# --- roles and endings ------------------------------------------------------------------------------------


@transaction.atomic
def set_role(access: Access, role: Role, *, by: User) -> Access:
    """Give the access's user this role (*que anote*, *solo mira*, *también a cargo*); `until` stays.

    Revoke a former owner's personal links and, if the role gets weaker, the links for the user's member. Lock
    the table. Raise RoleRequired unless `by` is an owner, ConcurrentChange if the access has ended, and
    RuleError if `by` may not change this owner, for the last owner, for a new owner without a lasting access,
    and for a new scorer without a member.
    """
    table, by_access = authorization.lock_table(access.table, by)
    access = reload_valid(table, access)
    if access.role == role:
        return access
    authorization.check_can_change(access, by=by)
    authorization.check_not_last_owner(access)
    if access.role == Role.OWNER:
        vouches.forget_owners(table, [access])
        table.links.filter(kind=LinkKind.PERSONAL, made_by=access.user).revoke()
    if role is Role.OWNER and not access.is_lasting:
        raise RuleError(_("Confirm who they are first."))
    if role is Role.SCORER and access.person is None:
        raise RuleError(_("Confirm who they are first."))
    if BY_STRENGTH.index(role) < BY_STRENGTH.index(Role(access.role)):
        _revoke_links_for(access)
    is_owner = role is Role.OWNER
    access.raised_by, access.took_over_at = (by, by_access.took_over_at) if is_owner else (None, None)
    access.role = role
    access.save(update_fields=["role", "raised_by", "took_over_at"])
    if role in roles.WRITERS:
        table.pens.filter(user=access.user_id).end()
    locks.bump_revision(table)
    return access


@transaction.atomic
def revoke(access: Access, *, by: User) -> None:
    """End an access, and revoke the links that its user created. A repeated call changes nothing.

    If `by` is not the user themselves, revoke the links for their member too, and tonight's link. Lock the
    table. Raise RoleRequired unless `by` is an owner or the user, ConcurrentChange if the access has expired,
    and RuleError for the last owner and for an owner that `by` may not change.
    """
    is_own = access.user_id == by.pk
    table, _access = authorization.lock_table(access.table, by, *(tuple(Role) if is_own else (Role.OWNER,)))
    if table.accesses.filter(pk=access.pk, ended_at__isnull=False).exists():
        return  # a repeated tap
    access = reload_valid(table, access)
    authorization.check_can_change(access, by=by)
    authorization.check_not_last_owner(access)
    store_ends(table, [access], by=by)
    if not is_own:
        _revoke_links_for(access)
        table.links.filter(kind=LinkKind.TONIGHT).revoke()
    locks.bump_revision(table)


def store_ends(table: Table, phones: Sequence[Access], *, by: User | None) -> None:
    """End these accesses and their users' pens, and revoke the links that their users created.

    What others said about new phones of the owners among them ends too. The caller holds the table's lock.
    """
    end_claims(table, phones)
    vouches.forget_owners(table, phones)
    ended = {"ended_at": now(), "ended_by": by, "asked_at": None}
    table.accesses.filter(pk__in=[phone.pk for phone in phones]).update(**ended)
    table.links.filter(made_by__in=[phone.user_id for phone in phones]).revoke()


def _revoke_links_for(access: Access) -> None:
    """Revoke the links for the user's confirmed member, because they grant the role that the phone had."""
    if access.confirmed_at is not None:
        access.table.links.filter(member__in=[access.member, access.person]).revoke()


def reload_valid(table: Table, access: Access) -> Access:
    known = valid_accesses(table).filter(pk=access.pk).first()
    if known is None:
        raise ConcurrentChange
    return known


MAX_PENDING_NAMES = 8  # at a table
DAY_SECONDS = 24 * 60 * 60


def find_retired(name: str, table: Table) -> Member | None:
    """Return the retired member with this name, ignoring accents, or None."""
    gone = table.members.filter(merged_into=None, retired_at__isnull=False)
    return next(
        (member for member in gone if naming.unaccented_key(member.name) == naming.unaccented_key(name)), None
    )


def reserve_name(table: Table, access: Access, name: str, network: str) -> str:
    """Return the name. Raise RuleError if a member has it, or if too many names are pending.

    A name that is one too many replaces the oldest one from the same network.
    """
    known = next(
        (
            other
            for other in table.members.all()
            if naming.unaccented_key(other.name) == naming.unaccented_key(name)
        ),
        None,
    )
    if known is not None:
        raise RuleError(_("{name} is already here: tap their face.", name=known.current.name), field="name")
    waiting = [*table.accesses.valid().exclude(Q(name="") | Q(pk=access.pk)).order_by("pk")]
    place = f"names:{table.pk}:{network}"
    from_here: list[int] = cache.get(place, [])
    if len(waiting) >= MAX_PENDING_NAMES:
        oldest = next((other for other in waiting if other.pk in from_here), None)
        if oldest is None:
            raise RuleError(_("Too many names wait for an answer. Ask an owner."), field="name")
        oldest.name = ""
        oldest.save(update_fields=["name"])
    cache.set(place, [*from_here, access.pk][-MAX_PENDING_NAMES:], DAY_SECONDS)
    return name
