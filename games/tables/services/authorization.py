"""The rights of a request at a table: the role of its user's access. Without an access, the answer is a 404.

An owner (a cargo) administers a table, a scorer records, and a viewer only reads. The *accounts* of a table
are its balances and payments. They are open to owners, scorers, and users who are confirmed for good to be a
member. The pen (`pens.py`) lets another user record for a night; programs do not have it. Pages, polls, queued
entries and programs all ask here. The rules about owners are here too: who may change their access, and that
the last one always stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, F, OuterRef, QuerySet
from django.http import Http404, HttpRequest
from django.utils.timezone import now
from django.utils.translation import gettext

from games.common import days, locks, network, regions, roles
from games.common.rate_limits import RateLimit
from games.common.roles import RoleRequired
from games.models import Access, AccessQuerySet, Game, Role, Table, Token
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import guests, takeovers

# Guests created per address, which many households may share.
GUEST_CREATION_LIMIT = RateLimit("guest", most=300, window=60 * 60)


class NoAccess(Http404):
    """The table or game does not exist, or the visitor has no access to it. `ended` is one that they had."""

    def __init__(self, ended: Access | None = None) -> None:
        super().__init__(_not_found_message())
        self.ended = None if ended is None or ended.table.erased_at is not None else ended


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
        return Access.objects.valid().filter(**self.conditions)

    @property
    def conditions(self) -> Mapping[str, int]:
        """The values that tell the user's accesses, also those that have ended, from all others.

        An anonymous user has none: no user has the id 0. (None would find tables without any access.)
        """
        table = None if self.token is None else self.token.table_id
        return {"user": self.user.pk or 0} | ({} if table is None else {"table": table})


def _visitor(who: Visitor | User | AnonymousUser) -> Visitor:
    return who if isinstance(who, Visitor) else Visitor(who)


def find_role(user: User | AnonymousUser, table: Table) -> Role | None:
    role = Visitor(user).accesses.filter(table=table).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def get_access(
    who: Visitor | User | AnonymousUser,
    code: str,
    *,
    for_writing: bool = False,
    for_owning: bool = False,
    for_recording: bool = False,
) -> Access:
    """Return the access of `who` to the table with this code, and record the visit (`record_visit`).

    `for_writing` requires an owner or a scorer, `for_recording` one of them or the pen, and `for_owning` an
    owner: raise RoleRequired for other roles.
    Raise NoAccess for an unknown code and for a visitor without access; one query checks both. Raise
    TableErased for an owner who can still restore an erased table. The formats of the table's region are
    active from then on.
    """
    visitor = _visitor(who)
    access = Access.objects.filter(table__code=code, **visitor.conditions).select_related("table").first()
    if access is None or not access.is_current:
        raise NoAccess(access)
    if visitor.token is not None:
        access.has_pen = False
    needed = _roles_needed(for_writing=for_writing or for_recording, for_owning=for_owning)
    access.role = _checked_role(access, needed, is_pen_enough=for_recording)
    return access


def find_ended(user: User | AnonymousUser, code: str) -> Access | None:
    """Return the access that this user had to the table with this code, if it has ended.

    Return None for a table that is erased.
    """
    access = Access.objects.filter(table__code=code, user=user.pk, table__erased_at=None).first()
    return None if access is None or access.is_current else access


def get_table(who: Visitor | User | AnonymousUser, code: str, **needed: bool) -> tuple[Table, Role]:
    """Return the table with this code and the role of `who`, like `get_access`."""
    access = get_access(who, code, **needed)
    return access.table, Role(access.role)


# the fields of the user's access that are loaded with a game
READER_FIELDS = (
    *("id", "user_id", "role", "member_id", "name", "confirmed_at", "until"),
    *("denied_member_id", "denied_name", "opened_on", "asked_at", "ended_at", "suspended_at"),
)


def get_game(
    who: Visitor | User | AnonymousUser,
    code: str,
    *,
    for_writing: bool = False,
    for_recording: bool = False,
    of_any_night: bool = False,
) -> tuple[Game, Role]:
    """Return the game with this code and the role of `who` at its table, like `get_access`.

    With the pen alone, a user records only in games that are open to it (`is_open_to_pen`), unless
    `of_any_night`.
    """
    visitor = _visitor(who)
    conditions = {f"table__accesses__{name}": value for name, value in visitor.conditions.items()}
    there = Game.objects.filter(code=code, **conditions).select_related("table")
    mine = {f"my_{name}": F(f"table__accesses__{name}") for name in READER_FIELDS}
    game: Any = there.annotate(**mine).first()
    if game is None:
        raise NoAccess
    access = Access(table=game.table, **{name: getattr(game, f"my_{name}") for name in READER_FIELDS})
    if not access.is_current:
        raise NoAccess(access)
    if visitor.token is not None:
        access.has_pen = False
    is_pen_enough = for_recording and (of_any_night or is_open_to_pen(game))
    needed = _roles_needed(for_writing=for_writing or for_recording)
    return game, _checked_role(access, needed, is_pen_enough=is_pen_enough)


def is_open_to_pen(game: Game) -> bool:
    """Return whether the pen is enough to record in this game: it is still running, or of tonight."""
    tonight = days.night_for(now(), game.table).toordinal()
    return game.ended_at is None or game.night_number == tonight


def _checked_role(access: Access, needed: Collection[Role], *, is_pen_enough: bool = False) -> Role:
    """Record the visit, and return the role. Raise RoleRequired unless it is one of the needed ones.

    If the pen is enough, a user who has it needs none of these roles: theirs is returned all the same.
    """
    regions.activate_region(access.table.region)
    access.table.reader_access = access
    if access.table.erased_at is not None:
        raise _erased(access.table, Role(access.role))
    role = Role(takeovers.record_visit(access))
    is_enough = role not in needed and is_pen_enough and access.has_pen
    return role if is_enough else roles.check_role(role, needed)


def get_table_or_erased(request: HttpRequest, code: str) -> Table:
    """Return the table with this code to an owner, even if it is erased and can still be restored.

    Raise the exceptions of `get_access` for everybody else.
    """
    try:
        return get_table(request.user, code, for_owning=True)[0]
    except TableErased as erased:
        return erased.table


def can_view_accounts(access: Access | None) -> bool:
    """Return whether this user may read the table's accounts. Pages pass the table's `reader_access`."""
    return access is not None and (access.role in roles.WRITERS or access.is_lasting)


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
    access = get_access(who, code, for_writing=for_writing)
    if not can_view_accounts(access):
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
    return NoAccess()


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


def check_can_confirm(
    phones: Iterable[Access], name: str, earlier: Sequence[Access], by_access: Access
) -> None:
    """Raise RuleError if the user of `by_access` may not confirm these phones as the person with this name.

    `earlier` are the phones that are already confirmed to be the person's.
    """
    for access in phones:
        if access.pk == by_access.pk and not is_last_owner(by_access):
            raise RuleError(_("Another person has to confirm who you are."))
        if by_access.until is not None and access.until is None:
            raise RuleError(
                _("You're here only for tonight: a permanent scorekeeper or owner has to confirm them.")
            )
    if by_access.role != Role.OWNER and any(phone.until is None for phone in earlier):
        raise RuleError(_("{name} has a phone here. An owner can change that.", name=name))
    for phone in earlier:
        check_can_change(phone, by=by_access.user)


def can_confirm(phones: Iterable[Access], earlier: Sequence[Access], by_access: Access) -> bool:
    try:
        check_can_confirm(phones, "", earlier, by_access)
    except RuleError:
        return False
    return True


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


def is_only_owner_here(table: Table, me: User) -> bool:
    """Return whether the table would have no owner if `me` lost this phone.

    A user with a password can sign in elsewhere.
    """
    return not me.has_usable_password() and solely_owned_tables(me).filter(pk=table.pk).exists()
