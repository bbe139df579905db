"""Permissions: a grant gives a user a role at a table. A user without a grant gets a 404.

Owners administer a table, scorers record games, and witnesses only watch. The *accounts* of a table are its
balances and payments. A *member* is a player of the table, who need not be a user: a user claims to be a
member, and an owner confirms the claim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol

from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest
from django.utils.timezone import now
from django.utils.translation import gettext

from games.models import Game, Grant, GrantQuerySet, Member, Role, Table
from games.network import client_key
from games.people.guest_keys import is_ours
from games.people.guests import make_guest
from games.people.invitations import BY_STRENGTH
from games.people.limits import Limit
from games.regions import activate_region
from games.scoring.errors import RuleError
from games.scoring.words import _

WRITERS = (Role.OWNER, Role.SCORER)
MADE = Limit("guest", most=300, window=60 * 60)  # guests made, per address, which many households may share


class BeingErased(Http404):
    """Raised when an owner opens an erased table that can still be restored. Other users get a plain 404."""

    def __init__(self, table: Table) -> None:
        super().__init__(_nothing_there())
        self.table = table


class PhoneReplaced(Http404):
    """Raised for a user whose phone lost its access because a member's new phone took its place."""


class RoleMissing(PermissionDenied):
    """Raised for a user whose role is too low; `needed` is the lowest role that suffices."""

    def __init__(self, message: str, *, needed: Role) -> None:
        super().__init__(message)
        self.needed = needed


class Pass(Protocol):
    """The limits of a program's token: one table, or all of its user if `table_id` is None; only reading."""

    table_id: int | None
    reads_only: bool


@dataclass(frozen=True)
class Visitor:
    """The user of a request. `token` is set if the request comes from a program that sent an API token."""

    user: User | AnonymousUser
    token: Pass | None = None

    @property
    def grants(self) -> GrantQuerySet:
        """The valid grants of this user, limited to the table of the token. An anonymous user has none."""
        mine = Grant.objects.standing().filter(user=self.user.pk)
        if self.token is None or self.token.table_id is None:
            return mine
        return mine.filter(table=self.token.table_id)

    def sees_accounts(self, table: Table, role: Role | None) -> bool:
        """Return whether the visitor, who has this role at the table, may read its accounts.

        Owners, scorers and confirmed members may.
        """
        if role is None or role in WRITERS:
            return role is not None
        return members_who_are(self.user).filter(table=table).exists()


def role_at(user: User | AnonymousUser, table: Table) -> Role | None:
    """Return the user's role at this table, or None if the user has no valid grant.

    It is the role of this moment: a witness whom an owner lets record tonight is a scorer meanwhile.
    """
    granted = Visitor(user).grants.filter(table=table).present_roles().first()
    return None if granted is None else Role(granted)


def table_for(
    visitor: Visitor, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> tuple[Table, Role]:
    """Return the table with this code and the visitor's role. Activate its region's date and number formats.

    `for_writing` requires an owner or a scorer, `for_owning` an owner: raise PermissionDenied for other
    roles. Raise Http404 for an unknown code and for a visitor without a grant; one query checks both. For an
    owner who can still restore an erased table, raise BeingErased.
    """
    grant = visitor.grants.filter(table__code=code).select_related("table").first()
    if grant is None:
        raise _not_open(visitor, table__code=code)
    role = Role(grant.present_role)
    activate_region(grant.table.region)
    if grant.table.erased_at is not None:
        raise _erased(grant.table, role, visitor)
    return grant.table, _checked_role(role, _roles_needed(for_writing=for_writing, for_owning=for_owning))


def game_for(visitor: Visitor, code: str, *, for_writing: bool = False) -> tuple[Game, Role]:
    """Return the game with this code and the visitor's role at its table.

    `for_writing` and the exceptions are those of `table_for`.
    """
    granted = visitor.grants.filter(table=OuterRef("table")).present_roles()[:1]
    games = Game.objects.select_related("table").filter(code=code)
    game = games.annotate(granted=Subquery(granted)).first()
    role = None if game is None or game.granted is None else Role(game.granted)
    if game is not None and game.table.erased_at is not None:
        activate_region(game.table.region)
        raise _erased(game.table, role, visitor)
    if game is None or role is None:
        raise _not_open(visitor, table__games__code=code)
    activate_region(game.table.region)
    return game, _checked_role(role, _roles_needed(for_writing=for_writing))


def get_table_or_404(
    request: HttpRequest, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> Table:
    """Return the table with this code. The other parameters and the exceptions are those of `table_for`."""
    return table_for(Visitor(request.user), code, for_writing=for_writing, for_owning=for_owning)[0]


def table_open_to(request: HttpRequest, code: str) -> tuple[Table, Role]:
    """Return the table with this code and the user's role. Raise the same exceptions as `table_for`.

    Any role suffices.
    """
    return table_for(Visitor(request.user), code)


def open_to(request: HttpRequest, code: str, *, for_writing: bool = False) -> tuple[Game, Role]:
    """Return the game with this code and the user's role at its table.

    `for_writing` and the exceptions are those of `table_for`.
    """
    return game_for(Visitor(request.user), code, for_writing=for_writing)


def erased_or_open_to(request: HttpRequest, code: str) -> Table:
    """Return the table with this code to an owner, even if it is erased but can still be restored.

    For other users, raise the same exceptions as `table_for`.
    """
    try:
        return get_table_or_404(request, code, for_owning=True)
    except BeingErased as erased:
        return erased.table


def accounts_seen_by(user: User, grants: Iterable[Grant]) -> Collection[int]:
    """Return the ids of the tables whose accounts the user may read.

    Only the tables of `grants`, valid grants of this user, are considered. At most one query is made.
    """
    written: set[int] = set()
    watched: set[int] = set()
    for grant in grants:
        (written if grant.present_role in WRITERS else watched).add(grant.table_id)
    if not watched:
        return written
    return written.union(members_who_are(user).filter(table__in=watched).values_list("table", flat=True))


def members_who_are(user: User | AnonymousUser) -> QuerySet[Member]:
    """Return the members, at any table, who are this user according to claims that an owner has confirmed."""
    return Member.objects.filter(user=user.pk, claimed_at__isnull=False)


def accounts_open_to(
    request: HttpRequest, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> tuple[Table, Role]:
    """Return the table with this code and the user's role if the user may read the accounts.

    The other parameters and the exceptions are those of `accounts_for`.
    """
    return accounts_for(Visitor(request.user), code, for_writing=for_writing, for_owning=for_owning)


def accounts_for(
    visitor: Visitor, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> tuple[Table, Role]:
    """Return the table with this code and the visitor's role if the visitor may read the accounts.

    Owners and scorers may; a witness may only if an owner confirmed that the witness is a member. Raise
    RoleMissing for a visitor who may not read them, or whose role does not suffice: `for_writing` requires an
    owner or a scorer, `for_owning` an owner.
    For a table that is not open to the visitor, raise the same exceptions as `table_for`.
    """
    table, role = table_for(visitor, code)
    if role in WRITERS and (role is Role.OWNER or not for_owning):
        return table, role
    if not for_writing and not for_owning and visitor.sees_accounts(table, role):
        return table, role
    if role in WRITERS:
        raise RoleMissing(_owners_only(), needed=Role.OWNER)
    needed = Role.OWNER if for_owning else Role.SCORER
    message = gettext("Only scorekeepers and members can open the accounts.")
    raise RoleMissing(message, needed=needed)


def ensure_guest(request: HttpRequest, *, key: str = "", is_invited: bool = False) -> User:
    """Return the user of this session. If the request is anonymous, make and sign in a guest.

    `key` is the key of the posted form: both requests of a double tap send the same one, and get the same
    guest. A key that was not issued to this phone is ignored: somebody else's key may have leaked. Raise
    RuleError if too many guests were made from this network address. Guests with an invitation
    (`is_invited`) are neither counted nor limited.
    """
    assert request.method == "POST", "looking at a page makes no user"
    if isinstance(request.user, User):
        return request.user
    if not is_invited and not MADE.take(client_key(request.META.get("REMOTE_ADDR", ""))):
        raise RuleError(_("Too many new users came from this network. Wait an hour."))
    guest = make_guest(key if is_ours(request, key) else "")
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest


def _erased(table: Table, role: Role | None, visitor: Visitor) -> Http404:
    """Return the 404 for an erased table: BeingErased for an owner who can restore the table."""
    if role is Role.OWNER and table.gone_at and table.gone_at > now():
        return BeingErased(table)
    return _not_open(visitor, table__code=table.code)


def _not_open(visitor: Visitor, **where: str) -> Http404:
    """Return the 404 for a table that is not open to the visitor, or that does not exist.

    `where` is the look-up of the table from a grant, e.g. `table__code`. Both cases make the same queries, so
    that guessing codes reveals nothing. For the user of a replaced phone, return PhoneReplaced, which has a
    page of its own. That page names nobody, because somebody else may have found the phone.
    """
    if visitor.token is None and isinstance(visitor.user, User):
        ended = Grant.objects.filter(user=visitor.user, removal__new_phone__isnull=False, **where)
        if ended.filter(table__erased_at=None).exists():
            return PhoneReplaced(_nothing_there())
    return Http404(_nothing_there())


def _roles_needed(*, for_writing: bool = False, for_owning: bool = False) -> Collection[Role]:
    """Return the roles that suffice: owner for `for_owning`, also scorer for `for_writing`, else any role."""
    if for_owning:
        return (Role.OWNER,)
    return WRITERS if for_writing else tuple(Role)


def _checked_role(role: Role, needed: Collection[Role]) -> Role:
    if role not in needed:
        # A witness gets no message here: the page itself explains that they only watch.
        lowest = min(needed, key=BY_STRENGTH.index)
        raise RoleMissing(_owners_only() if role in WRITERS else "", needed=lowest)
    return role


def _owners_only() -> str:
    return gettext("Only an owner of the table can do that.")


def _nothing_there() -> str:
    # An unknown code and somebody else's code answer the same, so that guessing codes reveals nothing.
    return gettext("Nothing here, or this phone has no access to it.")
