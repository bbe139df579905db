"""The permissions of the API: the role that a request needs at its table.

Whoever may not see a table gets the same answer as for a table that does not exist: 404.
"""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from games.tables.access import Visitor, accounts_for, game_for, table_for


class Nobody(BasePermission):
    """The permission of views that set none: nobody may use them."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return False."""
        return False


class AtTable(BasePermission):
    """Anybody with an access to the table. It opens the view's `table`, or `game` with its table."""

    for_accounts = for_writing = for_owning = False

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True; raise Http404 or PermissionDenied otherwise."""
        visitor, code = visitor_of(request), view.kwargs["code"]
        if view.is_of_a_game:
            view.game, view.role = game_for(visitor, code, for_writing=self.for_writing)
            view.table = view.game.table
        else:
            find = accounts_for if self.for_accounts else table_for
            view.table, view.role = find(
                visitor, code, for_writing=self.for_writing, for_owning=self.for_owning
            )
        timezone.activate(ZoneInfo(view.table.timezone))
        check_writes(request)
        return True


class SeesAccounts(AtTable):
    """Whoever may read the accounts of the table: owners, scorers, and who is confirmed for good."""

    for_accounts = True


class Scores(AtTable):
    """Owners and scorers."""

    for_writing = True


class ScoresAccounts(SeesAccounts, Scores):
    """Owners and scorers, for what changes the accounts."""


class Owns(AtTable):
    """Owners."""

    for_owning = True


class OwnsAccounts(SeesAccounts, Owns):
    """Owners, for what changes the accounts."""


class AllTables(BasePermission):
    """Any user; with a token, one that is for all tables and, to write, not read-only."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether there is a user; raise PermissionDenied for a token that does not suffice."""
        token = visitor_of(request).token
        check_writes(request)
        if token is not None and token.table_id is not None:
            raise PermissionDenied(gettext("This needs a token for all tables."))
        return request.user.is_authenticated


def visitor_of(request: Request) -> Visitor:
    """Return the user of the request, and the token they authenticated with; the token is None in a session."""
    token: Any = request.auth  # set by the authentication class, hence of any type
    return Visitor(request.user, token)


def check_writes(request: Request) -> None:
    """Raise PermissionDenied for a write with a token that only reads."""
    token = visitor_of(request).token
    if request.method not in SAFE_METHODS and token is not None and token.reads_only:
        raise PermissionDenied(gettext("This token is read-only."))
