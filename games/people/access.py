"""Who may do what: a grant gives a user a role at a table, and without one a table is not there."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest
from django.utils.timezone import now
from django.utils.translation import gettext

from games.models import Game, Grant, Member, Role, Table
from games.network import asker
from games.people.erasing import IN_A_REQUEST, NotErased, finish_erasing
from games.people.guest_keys import is_ours
from games.people.guests import make_guest
from games.people.invitations import BY_STRENGTH
from games.people.lending import give_back, loan_of
from games.people.tries import Tries
from games.scoring.errors import RuleError
from games.scoring.words import _

WRITERS = (Role.OWNER, Role.SCORER)
MADE = Tries("guest", most=300, window=60 * 60)  # by address, behind which may be many houses


class BeingErased(Http404):
    """The table was erased: it is not there, but for its owners, who can bring it back."""

    def __init__(self, table: Table) -> None:
        super().__init__(_nothing_there())
        self.table = table


class Pass(Protocol):
    """What a program shows for its user: it lets in to no more than a role, and to one table, or to all of his."""

    role: str
    table_id: int | None


@dataclass(frozen=True)
class Visitor:
    """Who asks: a user, and the pass of the program that asks for him, None for a page or a session."""

    user: User | AnonymousUser
    token: Pass | None = None

    @property
    def grants(self) -> QuerySet[Grant]:
        """The grants that let this visitor in now; nobody has none."""
        mine = Grant.objects.standing().filter(user=self.user.pk)
        if self.token is None or self.token.table_id is None:
            return mine
        return mine.filter(table=self.token.table_id)

    def role_of(self, granted: str | None) -> Role | None:
        """The role in which somebody with such a grant is let in: never more than a pass says."""
        if granted is None or self.token is None:
            return None if granted is None else Role(granted)
        return min(Role(granted), Role(self.token.role), key=BY_STRENGTH.index)


def role_at(user: User | AnonymousUser, table: Table) -> Role | None:
    """The user's role at this table now, None without a grant or after its end."""
    visitor = Visitor(user)
    return visitor.role_of(visitor.grants.filter(table=table).values_list("role", flat=True).first())


def table_for(
    visitor: Visitor, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> tuple[Table, Role]:
    """The table with this code and the role in which it is opened; PermissionDenied where the role is not enough.

    `for_writing` takes an owner or a scorer, `for_owning` an owner. Http404 for an unknown code and for whoever has no
    grant, found out by the same query; BeingErased for an owner of a table that he can bring back.
    """
    grant = visitor.grants.filter(table__code=code).select_related("table").first()
    if grant is None:
        raise Http404(_nothing_there())
    role = visitor.role_of(grant.role)
    if grant.table.erased_at is not None:
        raise _erased(grant.table, role)
    return grant.table, _let_in(role, _needed(for_writing=for_writing, for_owning=for_owning))


def game_for(visitor: Visitor, code: str, *, for_writing: bool = False) -> tuple[Game, Role]:
    """The game with this code, and the role in which it is opened, under the same conditions."""
    granted = visitor.grants.filter(table=OuterRef("table")).values("role")[:1]
    games = Game.objects.select_related("table").filter(code=code)
    game = games.annotate(granted=Subquery(granted)).first()
    if game is None:
        raise Http404(_nothing_there())
    role = visitor.role_of(game.granted)
    if game.table.erased_at is not None:
        raise _erased(game.table, role)
    return game, _let_in(role, _needed(for_writing=for_writing))


def get_table_or_404(
    request: HttpRequest, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> Table:
    """The table with this code, for who has a grant; PermissionDenied where the grant is not enough."""
    return table_for(Visitor(request.user), code, for_writing=for_writing, for_owning=for_owning)[0]


def table_open_to(request: HttpRequest, code: str) -> tuple[Table, Role]:
    """The table with this code, and the role in which it is opened, for who has any grant."""
    return table_for(Visitor(request.user), code)


def open_to(request: HttpRequest, code: str, *, for_writing: bool = False) -> tuple[Game, Role]:
    """The game with this code, and the role in which it is opened."""
    return game_for(Visitor(request.user), code, for_writing=for_writing)


def erased_or_open_to(request: HttpRequest, code: str) -> Table:
    """The table with this code, for its owners also while they can bring it back."""
    try:
        return get_table_or_404(request, code, for_owning=True)
    except BeingErased as erased:
        return erased.table


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
    """The table with this code and the role in which its accounts are opened, under the same conditions."""
    return accounts_for(Visitor(request.user), code, for_writing=for_writing, for_owning=for_owning)


def accounts_for(
    visitor: Visitor, code: str, *, for_writing: bool = False, for_owning: bool = False
) -> tuple[Table, Role]:
    """The table with this code and the role in which its accounts are opened, under the same conditions.

    A witness sees games, not accounts, unless an owner accepted that he is one of the members: then he reads.
    """
    table, role = table_for(visitor, code)
    if role in WRITERS and (role is Role.OWNER or not for_owning):
        return table, role
    if not for_writing and not for_owning and sees_accounts(visitor.user, table, role):
        return table, role
    if role in WRITERS:
        raise PermissionDenied(_owners_only())
    raise PermissionDenied(gettext("The accounts are open to whoever records here, and to the members."))


def ensure_guest(request: HttpRequest, *, key: str = "", is_invited: bool = False) -> User:
    """The user of this session; a stranger who posts becomes a guest, the same one for the same form's key.

    A key we did not make for this phone is none: whoever learned it is somebody else.
    On a phone that was lent, and whose borrower's session is over, it is the guest whose phone it is. RuleError where
    more guests whom nobody invited come from this address than anybody needs.
    """
    assert request.method == "POST", "looking at a page makes no user"
    if isinstance(request.user, User):
        return request.user
    loan = loan_of(request)
    known = give_back(request, loan) if loan else None
    if known is not None:
        return known
    if not is_invited and not MADE.take(asker(request.META.get("REMOTE_ADDR", ""))):
        raise RuleError(_("Too many new people came from here. Wait an hour."))
    guest = make_guest(key if is_ours(request, key) else "")
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest


def _erased(table: Table, role: Role | None) -> Http404:
    """What says that an erased table is not there: BeingErased to an owner who can bring it back.

    Once nobody can, whoever was let in has some of what is left of it erased by coming by.
    """
    if role is Role.OWNER and table.gone_at and table.gone_at > now():
        return BeingErased(table)
    if role is not None and table.gone_at and table.gone_at <= now():
        with suppress(NotErased):  # the database's clock is slow
            finish_erasing(table.pk, most=IN_A_REQUEST)
    return Http404(_nothing_there())


def _needed(*, for_writing: bool = False, for_owning: bool = False) -> Collection[Role]:
    """The roles that will do."""
    if for_owning:
        return (Role.OWNER,)
    return WRITERS if for_writing else tuple(Role)


def _let_in(role: Role | None, needed: Collection[Role]) -> Role:
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
