"""The rights of a request at a table: the role of its user's access. Without an access, the answer is a 404.

An owner (a cargo) administers a table, a scorer records, and a viewer only reads. The *accounts* of a table
are its balances and payments. They are open to owners, scorers, and users who are confirmed for good to be a
member. Pages, polls, queued entries and programs all ask here. The rules about owners are here too: who may
change their access, and that the last one always stays.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When
from django.http import Http404, HttpRequest
from django.utils.timezone import localdate, now
from django.utils.translation import gettext

from games.common import locks, network, regions, roles
from games.common.rate_limits import RateLimit
from games.common.roles import RoleRequired
from games.models import Access, AccessQuerySet, Game, Role, Table, Token
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import guests

# Guests created per address, which many households may share.
GUEST_CREATION_LIMIT = RateLimit("guest", most=300, window=60 * 60)


class NoAccess(Http404):
    """The table or game does not exist, or the visitor has no access to it."""


class TableErased(Http404):
    """An owner has opened an erased table that can still be restored. Other users get a plain 404."""

    def __init__(self, table: Table) -> None:
        super().__init__(_not_found_message())
        self.table = table


@dataclass(frozen=True)
class Visitor:
    """The user of a request. `token` is set if a program sent the request with an API token."""

    user: User | AnonymousUser
    token: Token | None = None

    @property
    def accesses(self) -> AccessQuerySet:
        """The user's valid accesses, only for the token's table if it has one; none for an anonymous user."""
        user_accesses = Access.objects.valid().filter(user=self.user.pk)
        if self.token is None or self.token.table_id is None:
            return user_accesses
        return user_accesses.filter(table=self.token.table_id)

    def can_view_accounts(self, table: Table, role: Role) -> bool:
        return role in roles.WRITERS or self.accesses.lasting().filter(table=table).exists()


def _visitor(who: Visitor | User | AnonymousUser) -> Visitor:
    return who if isinstance(who, Visitor) else Visitor(who)


def find_role(user: User | AnonymousUser, table: Table) -> Role | None:
    role = Visitor(user).accesses.filter(table=table).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def get_access(
    who: Visitor | User | AnonymousUser, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> Access:
    """Return the access of `who` to the table with this code, and record the visit (`record_visit`).

    `for_writing` requires an owner or a scorer, `for_owning` an owner: raise RoleRequired for other roles.
    Raise NoAccess for an unknown code and for a visitor without access; one query checks both. Raise
    TableErased for an owner who can still restore an erased table. The formats of the table's region are
    active from then on.
    """
    access = _visitor(who).accesses.filter(table__code=code).select_related("table").first()
    if access is None:
        raise NoAccess(_not_found_message())
    access.role = _checked_role(access, _roles_needed(for_writing=for_writing, for_owning=for_owning))
    return access


def find_ended(user: User | AnonymousUser, *, table_code: str = "", game_code: str = "") -> Access | None:
    """Return the access that this user had to the table with this code, or to that of this game, if it has ended.

    Return None for a table that is erased.
    """
    there = Q(table__code=table_code) if table_code else Q(table__games__code=game_code)
    accesses = Access.objects.filter(there, user=user.pk, table__erased_at=None)
    return next((access for access in accesses if not access.is_current), None)


def get_table(who: Visitor | User | AnonymousUser, code: str, **needed: bool) -> tuple[Table, Role]:
    """Return the table with this code and the role of `who`, like `get_access`."""
    access = get_access(who, code, **needed)
    return access.table, Role(access.role)


def get_game(
    who: Visitor | User | AnonymousUser, code: str, *, for_writing: bool = False
) -> tuple[Game, Role]:
    """Return the game with this code and the role of `who` at its table, like `get_access`."""
    there = Game.objects.filter(code=code, table__accesses__in=_visitor(who).accesses).select_related("table")
    game = there.annotate(  # the fields of the user's access
        my_access=F("table__accesses"),
        my_role=F("table__accesses__role"),
        my_opening=F("table__accesses__opened_on"),
        my_wish=F("table__accesses__asked_at"),
    ).first()
    if game is None:
        raise NoAccess(_not_found_message())
    access = Access(
        pk=game.my_access,
        table=game.table,
        role=game.my_role,
        opened_on=game.my_opening,
        asked_at=game.my_wish,
    )
    return game, _checked_role(access, _roles_needed(for_writing=for_writing))


def _checked_role(access: Access, needed: Collection[Role]) -> Role:
    """Record the visit, and return the role. Raise RoleRequired unless it is one of the needed ones."""
    regions.activate_region(access.table.region)
    if access.table.erased_at is not None:
        raise _erased(access.table, Role(access.role))
    return roles.check_role(Role(record_visit(access)), needed)


def get_table_or_erased(request: HttpRequest, code: str) -> Table:
    """Return the table with this code to an owner, even if it is erased and can still be restored.

    Raise the exceptions of `get_access` for everybody else.
    """
    try:
        return get_table(request.user, code, for_owning=True)[0]
    except TableErased as erased:
        return erased.table


def can_view_accounts(access: Access) -> bool:
    return access.role in roles.WRITERS or access.is_lasting


def get_accounts(
    who: Visitor | User | AnonymousUser, code: str, *, for_writing: bool = False
) -> tuple[Table, Role]:
    """Return the table with this code and the role of `who`, like `get_accounts_access`."""
    access = get_accounts_access(who, code, for_writing=for_writing)
    return access.table, Role(access.role)


def get_accounts_access(
    who: Visitor | User | AnonymousUser, code: str, *, for_writing: bool = False
) -> Access:
    """Return the access of `who` to the table with this code if they may read the accounts.

    Raise RoleRequired if they may not, and the exceptions of `get_access`.
    """
    visitor = _visitor(who)
    access = get_access(visitor, code, for_writing=for_writing)
    if not visitor.can_view_accounts(access.table, Role(access.role)):
        message = gettext("Only scorekeepers and members can open the accounts.")
        raise RoleRequired(message, needed=Role.SCORER)
    return access


def get_or_create_guest(request: HttpRequest, *, key: str = "", is_invited: bool = False) -> User:
    """Return the user of this session. If the request is anonymous, create a guest and sign them in.

    `key` is the posted form key: both requests of a double tap send the same one and get the same guest. A
    key that was not issued to this phone is ignored, because somebody else's key may have leaked. Raise
    RuleError if too many guests were created from this network address. Guests with a link (`is_invited`) are
    neither counted nor limited.
    """
    assert request.method == "POST", "looking at a page makes no user"
    if isinstance(request.user, User):
        return request.user
    if not is_invited and not GUEST_CREATION_LIMIT.hit(
        network.client_key(request.META.get("REMOTE_ADDR", ""))
    ):
        raise RuleError(_("Too many new users came from this network. Wait an hour."))
    guest = guests.create(key if guests.is_valid_form_key(request, key) else "")
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest


def _erased(table: Table, role: Role) -> Http404:
    if role is Role.OWNER and table.restorable_until and table.restorable_until > now():
        return TableErased(table)
    return NoAccess(_not_found_message())


def _roles_needed(*, for_writing: bool = False, for_owning: bool = False) -> Collection[Role]:
    if for_owning:
        return (Role.OWNER,)
    return roles.WRITERS if for_writing else tuple(Role)


def _not_found_message() -> str:
    # An unknown code and somebody else's code get the same answer, so that guessing codes reveals nothing.
    return gettext("Nothing here, or this phone has no access to it.")


class AccessEnded(Http404):
    """The user lost access after the page was shown. They get a 404."""


def lock_table(table: Table, by: User, *allowed_roles: Role) -> tuple[Table, Access]:
    """Lock the table. Return it and the access of `by`, both as stored now. Call this inside a transaction.

    Raise AccessEnded unless `by` has access, and RoleRequired unless their role is allowed: by default only
    owners are.
    """
    locked_table = locks.lock(table)
    access = locked_table.accesses.valid().filter(user=by).first()
    if access is None:
        raise AccessEnded
    roles.check_role(Role(access.role), allowed_roles or (Role.OWNER,))
    return locked_table, access


def can_change(access: Access, *, by: User) -> bool:
    """Return whether `by`, an owner, may change or end this access.

    An owner's access can be changed only by themselves and by the owner who made them one. If they took over
    a table without an owner, any other owner may change it.
    """
    is_of_an_owner = access.is_current and access.role == Role.OWNER
    is_theirs = by.pk in (access.user_id, access.raised_by_id)
    return is_theirs or not is_of_an_owner or access.took_over_at is not None


def check_can_change(access: Access, *, by: User) -> None:
    if not can_change(access, by=by):
        raise RuleError(_("Only they can change that, or the person who made them an owner."))


def is_last_owner(access: Access) -> bool:
    return access.role == Role.OWNER and not access.table.accesses.owners().exclude(pk=access.pk).exists()


def check_not_last_owner(access: Access) -> None:
    if is_last_owner(access):
        raise RuleError(_("A table always needs an owner. Make someone else an owner first."))


def solely_owned_tables(user: User) -> QuerySet[Table]:
    """Return the tables whose only owner is this user, without erased ones."""
    owning = Access.objects.owners().filter(table=OuterRef("pk"))
    owned_tables = Table.objects.filter(Exists(owning.filter(user=user)), ~Exists(owning.exclude(user=user)))
    return owned_tables.filter(erased_at=None).order_by("name", "pk")


def tables_without_other_owner(me: User) -> Collection[int]:
    """Return the ids of the tables that would have no owner if `me` lost this phone.

    A user with a password can sign in elsewhere, so the result is empty.
    """
    return () if me.has_usable_password() else set(solely_owned_tables(me).values_list("pk", flat=True))


def potential_owners(table: Table) -> QuerySet[Access]:
    """Return the lasting accesses that could become an owner's, scorers first."""
    rows = table.accesses.lasting().exclude(role=Role.OWNER).select_related("member__merged_into")
    return rows.order_by(Case(When(role=Role.SCORER, then=0), default=1), "made_at", "pk")


# --- taking over a table whose owners are gone, e.g. because the only owner's phone is lost ---------------------------

OWNER_ABSENCE = timedelta(days=30)  # since an owner last opened the table
TAKEOVER_DELAY = timedelta(days=7)  # from the request, for an owner to come back
ERASURE_BAN = timedelta(days=60)  # from the takeover, until the new owner can erase the table


def record_visit(access: Access) -> str:
    """Record that this user opens the table, and return their role, which this may change.

    An owner's first visit of a day is stored and ends all takeover requests. A user whose request is older
    than `TAKEOVER_DELAY` becomes an owner. Both lock the table, even if the request is a GET.
    """
    is_due = access.asked_at is not None and access.asked_at + TAKEOVER_DELAY < now()
    if (access.role == Role.OWNER and access.opened_on != localdate()) or is_due:
        _store_visit(access)
    return access.role


@transaction.atomic
def _store_visit(access: Access) -> None:
    table = locks.lock(access.table)
    access.refresh_from_db(fields=["role", "asked_at", "took_over_at"])
    if access.role != Role.OWNER:
        if access.asked_at is None:  # an owner has opened the table meanwhile
            return
        access.role, access.took_over_at = Role.OWNER, now()
    table.accesses.exclude(asked_at=None).update(asked_at=None)
    access.asked_at, access.opened_on = None, localdate()
    access.save(update_fields=["role", "took_over_at", "asked_at", "opened_on"])
    locks.bump_revision(table)


def can_request_takeover(access: Access) -> bool:
    return (
        access.is_lasting
        and access.asked_at is None
        and _takeover_candidates(access.table).filter(pk=access.pk).exists()
    )


def takeover_allowed_from(table: Table) -> date:
    """Return the first day for a takeover request, provided no owner opens the table before."""
    visit_days = table.accesses.owners().exclude(opened_on=None).values_list("opened_on", flat=True)
    return max([localdate(table.created_at), *filter(None, visit_days)]) + OWNER_ABSENCE


def _takeover_candidates(table: Table) -> QuerySet[Access]:
    """Return the accesses that may request a takeover: scorers, or other members if there are none.

    Nobody may while the last visit of an owner is more recent than `OWNER_ABSENCE`.
    """
    if localdate() < takeover_allowed_from(table):
        return table.accesses.none()
    heirs = potential_owners(table)
    scorers = heirs.filter(role=Role.SCORER)
    return scorers if scorers.exists() else heirs


@transaction.atomic
def request_takeover(table: Table, *, by: User) -> None:
    """Store that `by` wants to take over the table. A repeated call keeps the earlier time.

    Lock the table. Raise RuleError if they may not request it.
    """
    locked_table = locks.lock(table)
    access = locked_table.accesses.valid().filter(user=by).select_related("table").first()
    if access is None or (access.asked_at is None and not can_request_takeover(access)):
        raise RuleError(_("An owner has opened this table in the last thirty days."))
    if access.asked_at is None:
        access.asked_at = now()
        access.save(update_fields=["asked_at"])
        locks.bump_revision(locked_table)


def takeover_request(table: Table) -> Access | None:
    return table.accesses.valid().exclude(asked_at=None).order_by("asked_at").first()


def check_can_erase(access: Access) -> None:
    if access.took_over_at is not None and access.took_over_at + ERASURE_BAN > now():
        raise RuleError(_("You took over this table: you can delete it after sixty days."))
