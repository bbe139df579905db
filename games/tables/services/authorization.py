"""The rights of a request at a table: the role of its user's access. Without an access the answer is a 404.

An owner (who is in charge) administers a table, a scorer records, and who watches only reads. The *accounts*
of a table are its balances and payments: for owners, scorers, and who is confirmed for good to be a
member. Pages, polls, waiting entries and programs ask here. The owners (a cargo)
of a table are here too: who may change their access, and that one always stays.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, QuerySet, When
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

GUEST_CREATION_LIMIT = RateLimit(
    "guest", most=300, window=60 * 60
)  # guests made, per address, which many households may share


class NoAccess(Http404):
    """Raised for a table or game to which the visitor has no access, and for one that does not exist."""


class TableErased(Http404):
    """Raised when an owner opens an erased table that can still be restored. Other users get a plain 404."""

    def __init__(self, table: Table) -> None:
        super().__init__(_not_found_message())
        self.table = table


@dataclass(frozen=True)
class Visitor:
    """The user of a request. `token` is set if the request comes from a program that sent an API token."""

    user: User | AnonymousUser
    token: Token | None = None

    @property
    def accesses(self) -> AccessQuerySet:
        """The valid accesses of this user, limited to the table of the token. An anonymous user has none."""
        user_accesses = Access.objects.valid().filter(user=self.user.pk)
        if self.token is None or self.token.table_id is None:
            return user_accesses
        return user_accesses.filter(table=self.token.table_id)

    def can_view_accounts(self, table: Table, role: Role) -> bool:
        """Return whether the visitor, who has this role at the table, may read its accounts."""
        return role in roles.WRITERS or self.accesses.lasting().filter(table=table).exists()


def _visitor(who: Visitor | User | AnonymousUser) -> Visitor:
    return who if isinstance(who, Visitor) else Visitor(who)


def find_role(user: User | AnonymousUser, table: Table) -> Role | None:
    """Return the user's role at this table, or None if the user has no valid access."""
    role = Visitor(user).accesses.filter(table=table).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def get_access(
    who: Visitor | User | AnonymousUser, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> Access:
    """Return the access of `who` to the table with this code. Activate its region's date and number formats.

    `for_writing` requires an owner or a scorer, `for_owning` an owner: raise PermissionDenied for other
    roles. Raise NoAccess for an unknown code and for a visitor without access; one query checks both. For an
    owner who can still restore an erased table, raise TableErased.
    """
    access = _visitor(who).accesses.filter(table__code=code).select_related("table").first()
    if access is None:
        raise NoAccess(_not_found_message())
    access.role = _checked_role(access, _roles_needed(for_writing=for_writing, for_owning=for_owning))
    return access


def get_table(who: Visitor | User | AnonymousUser, code: str, **needed: bool) -> tuple[Table, Role]:
    """Return the table with this code and the role of `who`, as `get_access` does with what is `needed`."""
    access = get_access(who, code, **needed)
    return access.table, Role(access.role)


def get_game(
    who: Visitor | User | AnonymousUser, code: str, *, for_writing: bool = False
) -> tuple[Game, Role]:
    """Return the game with this code and the role of `who` at its table.

    `for_writing` and the exceptions are those of `get_access`.
    """
    there = Game.objects.filter(code=code, table__accesses__in=_visitor(who).accesses).select_related("table")
    game = there.annotate(  # of the access by which the game was found
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
    """Note the opening of the access's table, and return the role, which is one of the needed ones.

    Raise the exceptions of `get_access`.
    """
    regions.activate_region(access.table.region)
    if access.table.erased_at is not None:
        raise _erased(access.table, Role(access.role))
    return roles.check_role(Role(record_visit(access)), needed)


def get_table_or_erased(request: HttpRequest, code: str) -> Table:
    """Return the table with this code to an owner, even if it is erased but can still be restored.

    For other users, raise the same exceptions as `get_access`.
    """
    try:
        return get_table(request.user, code, for_owning=True)[0]
    except TableErased as erased:
        return erased.table


def can_view_accounts(access: Access) -> bool:
    """Return whether the user of this access may read the accounts: as an owner, a scorer or for good."""
    return access.role in roles.WRITERS or access.is_lasting


def get_accounts(
    who: Visitor | User | AnonymousUser, code: str, *, for_writing: bool = False
) -> tuple[Table, Role]:
    """Return the table with this code and the role of `who` if they may read the accounts.

    Raise RoleRequired for who may not, and the exceptions of `get_access`.
    """
    visitor = _visitor(who)
    table, role = get_table(visitor, code, for_writing=for_writing)
    if not visitor.can_view_accounts(table, role):
        message = gettext("Only scorekeepers and members can open the accounts.")
        raise RoleRequired(message, needed=Role.SCORER)
    return table, role


def get_or_create_guest(request: HttpRequest, *, key: str = "", is_invited: bool = False) -> User:
    """Return the user of this session. If the request is anonymous, make and sign in a guest.

    `key` is the key of the posted form: both requests of a double tap send the same one, and get the same
    guest. A key that was not issued to this phone is ignored: somebody else's key may have leaked. Raise
    RuleError if too many guests were made from this network address. Guests with a link
    (`is_invited`) are neither counted nor limited.
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
    """Return the exception for an erased table: TableErased for an owner who can restore the table."""
    if role is Role.OWNER and table.restorable_until and table.restorable_until > now():
        return TableErased(table)
    return NoAccess(_not_found_message())


def _roles_needed(*, for_writing: bool = False, for_owning: bool = False) -> Collection[Role]:
    """Return the roles that suffice: owner for `for_owning`, also scorer for `for_writing`, else any role."""
    if for_owning:
        return (Role.OWNER,)
    return roles.WRITERS if for_writing else tuple(Role)


def _not_found_message() -> str:
    # An unknown code and somebody else's code answer the same, so that guessing codes reveals nothing.
    return gettext("Nothing here, or this phone has no access to it.")


class AccessEnded(Http404):
    """Raised when the user has lost the access since the page was shown; they get a 404."""


def lock_table(table: Table, by: User, *allowed_roles: Role) -> tuple[Table, Access]:
    """Lock the table. Return it and the access of `by`, both as they are stored now.

    Raise AccessEnded unless `by` has access, and RoleRequired unless it is with one of these roles, by default
    an owner's.
    """
    locked_table = locks.lock(table)
    access = locked_table.accesses.valid().filter(user=by).first()
    if access is None:
        raise AccessEnded
    roles.check_role(Role(access.role), allowed_roles or (Role.OWNER,))
    return locked_table, access


def can_change(access: Access, *, by: User) -> bool:
    """Return whether `by`, an owner, may change or end this access.

    An owner's access is changed by themselves or by the owner who made them one. Of somebody who took over a
    table without an owner, any other owner may do so.
    """
    is_of_an_owner = access.is_current and access.role == Role.OWNER
    is_theirs = by.pk in (access.user_id, access.raised_by_id)
    return is_theirs or not is_of_an_owner or access.took_over_at is not None


def check_can_change(access: Access, *, by: User) -> None:
    """Raise RuleError if `by` may not change or end this access (`can_change`)."""
    if not can_change(access, by=by):
        raise RuleError(_("Only they can change that, or the person who made them an owner."))


def is_last_owner(access: Access) -> bool:
    return access.role == Role.OWNER and not access.table.accesses.owners().exclude(pk=access.pk).exists()


def check_not_last_owner(access: Access) -> None:
    """Raise RuleError if the table would have no owner without this access."""
    if is_last_owner(access):
        raise RuleError(_("A table always needs an owner. Make someone else an owner first."))


def solely_owned_tables(user: User) -> QuerySet[Table]:
    """Return the tables of which this user is the only owner."""
    owning = Access.objects.owners().filter(table=OuterRef("pk"))
    owned_tables = Table.objects.filter(Exists(owning.filter(user=user)), ~Exists(owning.exclude(user=user)))
    return owned_tables.filter(erased_at=None).order_by("name", "pk")


def tables_without_other_owner(me: User) -> Collection[int]:
    """Return the ids of the tables that would have no owner left if the user `me` lost this phone.

    A user with a password loses none.
    """
    return () if me.has_usable_password() else set(solely_owned_tables(me).values_list("pk", flat=True))


def potential_owners(table: Table) -> QuerySet[Access]:
    """Return the accesses of who could be an owner too, confirmed for good: those who record first."""
    rows = table.accesses.lasting().exclude(role=Role.OWNER).select_related("member__merged_into")
    return rows.order_by(Case(When(role=Role.SCORER, then=0), default=1), "made_at", "pk")


# --- taking over a table whose owners are gone, e.g. because the only owner's phone is lost ---------------------------

OWNER_ABSENCE = timedelta(days=30)  # how long no owner has opened the table
TAKEOVER_DELAY = timedelta(days=7)  # how long an owner has to come back
ERASURE_BAN = timedelta(days=60)  # how long who took over cannot erase the table


def record_visit(access: Access) -> str:
    """Note that this user opens the table. Return the access's role, which may change by it.

    An owner's first opening of a day is stored and ends every wish to take over. Who asked seven days ago
    becomes an owner.
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
        if access.asked_at is None:  # an owner came meanwhile
            return
        access.role, access.took_over_at = Role.OWNER, now()
    table.accesses.exclude(asked_at=None).update(asked_at=None)
    access.asked_at, access.opened_on = None, localdate()
    access.save(update_fields=["role", "took_over_at", "asked_at", "opened_on"])
    locks.bump_revision(table)


def can_request_takeover(access: Access) -> bool:
    """Return whether this user may ask to take over the table."""
    return (
        access.is_lasting
        and access.asked_at is None
        and _takeover_candidates(access.table).filter(pk=access.pk).exists()
    )


def takeover_allowed_from(table: Table) -> date:
    """Return the day from which somebody may ask to take over the table, unless an owner opens it before."""
    visit_days = table.accesses.owners().exclude(opened_on=None).values_list("opened_on", flat=True)
    return max([localdate(table.created_at), *filter(None, visit_days)]) + OWNER_ABSENCE


def _takeover_candidates(table: Table) -> QuerySet[Access]:
    """Return the accesses of those who may ask to take over; none while an owner comes."""
    if localdate() < takeover_allowed_from(table):
        return table.accesses.none()
    heirs = potential_owners(table)
    scorers = heirs.filter(role=Role.SCORER)
    return scorers if scorers.exists() else heirs


@transaction.atomic
def request_takeover(table: Table, *, by: User) -> None:
    """Store that `by` wants to take over the table. Raise RuleError if they may not ask."""
    locked_table = locks.lock(table)
    access = locked_table.accesses.valid().filter(user=by).select_related("table").first()
    if access is None or (access.asked_at is None and not can_request_takeover(access)):
        raise RuleError(_("An owner has opened this table in the last thirty days."))
    if access.asked_at is None:
        access.asked_at = now()
        access.save(update_fields=["asked_at"])
        locks.bump_revision(locked_table)


def takeover_request(table: Table) -> Access | None:
    """Return the access of who asked first to take over the table, or None."""
    return table.accesses.valid().exclude(asked_at=None).order_by("asked_at").first()


def check_can_erase(access: Access) -> None:
    """Raise RuleError if this user took over the table less than sixty days ago."""
    if access.took_over_at is not None and access.took_over_at + ERASURE_BAN > now():
        raise RuleError(_("You took over this table: you can delete it after sixty days."))
