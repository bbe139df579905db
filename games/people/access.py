"""Who may do what: a grant gives a user a role at a table, and without one a table is not there."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from games.models import Game, Grant, Member, Role, Table
from games.people.guests import make_guest
from games.people.lending import give_back, loan_of

WRITERS = (Role.OWNER, Role.SCORER)


def role_at(user: User | AnonymousUser, table: Table) -> Role | None:
    """The user's role at this table now, None without a grant or after its end."""
    if not user.is_authenticated:
        return None
    role = table.grants.standing().filter(user=user).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def get_table_or_404(
    request: HttpRequest, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> Table:
    """The table with this code, for who has a grant; PermissionDenied where the grant is not enough.

    `for_writing` takes an owner or a scorer, `for_owning` an owner.
    """
    table = Table.objects.filter(code=code, erased_at=None).first()
    if table is None:
        raise Http404(_nothing_there())
    _let_in(request.user, table, _needed(for_writing=for_writing, for_owning=for_owning))
    return table


def table_open_to(request: HttpRequest, code: str) -> tuple[Table, Role]:
    """The table with this code, and the role in which it is opened, for who has any grant."""
    table = Table.objects.filter(code=code, erased_at=None).first()
    if table is None:
        raise Http404(_nothing_there())
    return table, _let_in(request.user, table, _needed())


def open_to(request: HttpRequest, code: str, *, for_writing: bool = False) -> tuple[Game, Role]:
    """The game with this code, and the role in which it is opened, under the same conditions."""
    game = Game.objects.select_related("table").filter(code=code, table__erased_at=None).first()
    if game is None:
        raise Http404(_nothing_there())
    return game, _let_in(request.user, game.table, _needed(for_writing=for_writing))


def sees_accounts(user: User | AnonymousUser, table: Table, role: Role | None) -> bool:
    """Whether somebody in this role reads the table's accounts: who records, and who is one of its members."""
    if role is None or role in WRITERS:
        return role is not None
    return members_who_are(user).filter(table=table).exists()


def accounts_seen_by(user: User, grants: Iterable[Grant]) -> Collection[int]:
    """The tables, by key, whose accounts the user who has these grants reads; in one query however many."""
    written: set[int] = set()
    watched: set[int] = set()
    for grant in grants:
        (written if grant.role in WRITERS else watched).add(grant.table_id)
    if not watched:
        return written
    return written.union(members_who_are(user).filter(table__in=watched).values_list("table", flat=True))


def members_who_are(user: User | AnonymousUser) -> QuerySet[Member]:
    """Whom an owner accepted this user to be, at any table."""
    return Member.objects.filter(user=user.pk, claimed_at__isnull=False)


def accounts_open_to(
    request: HttpRequest, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> tuple[Table, Role]:
    """The table with this code and the role in which its accounts are opened, under the same conditions.

    A witness sees games, not accounts, unless an owner accepted that he is one of the members: then he reads.
    """
    table, role = table_open_to(request, code)
    if role in WRITERS and (role is Role.OWNER or not for_owning):
        return table, role
    if not for_writing and not for_owning and sees_accounts(request.user, table, role):
        return table, role
    if role in WRITERS:
        raise PermissionDenied(_owners_only())
    raise PermissionDenied(gettext("The accounts are open to whoever records here, and to the members."))


def ensure_guest(request: HttpRequest, *, key: str = "") -> User:
    """The user of this session; a stranger who posts becomes a guest, the same one for the same form's key.

    On a phone that was lent, and whose borrower's session is over, it is the guest whose phone it is.
    """
    assert request.method == "POST", "looking at a page makes no user"
    if isinstance(request.user, User):
        return request.user
    loan = loan_of(request)
    known = give_back(request, loan) if loan else None
    if known is not None:
        return known
    guest = make_guest(key)
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest


def _needed(*, for_writing: bool = False, for_owning: bool = False) -> Collection[Role]:
    """The roles that will do."""
    if for_owning:
        return (Role.OWNER,)
    return WRITERS if for_writing else tuple(Role)


def _let_in(user: User | AnonymousUser, table: Table, needed: Collection[Role]) -> Role:
    role = role_at(user, table)
    if role is None:
        raise Http404(_nothing_there())
    if role not in needed:
        # Without a sentence the page says that one only watches.
        raise PermissionDenied(_owners_only() if role in WRITERS else "")
    return role


def _owners_only() -> str:
    return gettext("Only an owner of the table can do that.")


def _nothing_there() -> str:
    # The same words for an unknown code and for somebody else's: whoever guesses learns nothing.
    return gettext("There is nothing here, or it is not open to you on this phone.")
