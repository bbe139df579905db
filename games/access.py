"""Who may do what: a grant gives a user a role at a table, and without one a table is not there."""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from games.models import Game, Role, Table
from games.services import make_guest

WRITERS = (Role.OWNER, Role.SCORER)


def role_at(user: User | AnonymousUser, table: Table) -> Role | None:
    """The user's role at this table now, None without a grant or after its end."""
    if not user.is_authenticated:
        return None
    role = table.grants.standing().filter(user=user).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def may_record(user: User | AnonymousUser, table: Table) -> bool:
    """Whether the user records and corrects at this table."""
    return role_at(user, table) in WRITERS


def get_table_or_404(request: HttpRequest, code: str, *, for_writing: bool = False) -> Table:
    """The table with this code, for who has a grant; PermissionDenied where he only watches and wants to write."""
    table = Table.objects.filter(code=code, erased_at=None).first()
    if table is None or not _is_let_in(request.user, table, for_writing=for_writing):
        raise Http404(_nothing_there())
    return table


def get_game_or_404(request: HttpRequest, code: str, *, for_writing: bool = False) -> Game:
    """The game with this code and its table, under the same conditions."""
    game = Game.objects.select_related("table").filter(code=code, table__erased_at=None).first()
    if game is None or not _is_let_in(request.user, game.table, for_writing=for_writing):
        raise Http404(_nothing_there())
    return game


def ensure_guest(request: HttpRequest, *, key: str = "") -> User:
    """The user of this session; a stranger who posts becomes a guest, the same one for the same form's key."""
    assert request.method == "POST", "looking at a page makes no user"
    if isinstance(request.user, User):
        return request.user
    guest = make_guest(key)
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest


def _is_let_in(user: User | AnonymousUser, table: Table, *, for_writing: bool) -> bool:
    role = role_at(user, table)
    if role is not None and for_writing and role not in WRITERS:
        raise PermissionDenied
    return role is not None


def _nothing_there() -> str:
    # The same words for an unknown code and for somebody else's: whoever guesses learns nothing.
    return gettext("There is nothing here, or it is not open to you on this phone.")
