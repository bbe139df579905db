"""The lowest role, the scopes and the rate limits of each operation, for the OpenAPI schema.

The endpoints check the role themselves (`people/access.py`); a test compares these checks with the sets in
this module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import URLPattern

from games.people.access import Scope

MEMBER = "member"  # a user confirmed by an owner as a member of the table; owners and scorers too
USER = "user"  # any user; the operation belongs to no table

OF_USERS = frozenset({"me", "revoke_own_token", "tables", "devices", "sign_out", "tokens", "revoke_token"})
OF_MEMBERS = frozenset(
    {
        *("accounts", "payments", "payment", "pay", "costs", "nights", "night"),
        *("confirm_payment", "dispute_payment", "take_back_payment"),
        *("set_account", "end_claim"),
        *("export_table", "export_spreadsheet"),
    }
)
OF_SCORERS = frozenset(
    {
        *("start_game", "record", "preview", "undo", "redo", "rematch", "discard", "restore"),
        *("share_cost", "cancel_cost", "simplify"),
    }
)
OF_OWNERS = frozenset(
    {
        *("rename_table", "add_member", "change_member", "retire", "bring_back"),
        *("preview_merge", "merge_member", "part_member"),
        *("open_balances", "accept_claim", "invitations", "invite", "invitation_ending"),
        *("revoke_invitation", "invite_new_phone", "grants", "keep_grant", "grant_ending", "remove_grant"),
        *("undo_removal", "hand_over", "erase_table", "bring_table_back"),
        *("change_season", "begin_season"),
        *("preview_notebook", "take_notebook_over", "take_notebook_back"),
    }
)


# Operations for which a token needs the scope "money". Answers of other operations may have amounts too, but
# not for a token without this scope.
WITH_MONEY = (OF_MEMBERS - {"end_claim"}) | {
    *("share_cost", "cancel_cost", "simplify", "retire", "bring_back", "open_balances"),
    *("preview_merge", "merge_member", "part_member"),
}
# Writes for which a token needs no scope: they record nothing at a table.
WITHOUT_RECORDING = frozenset({"rules", "hand", "score", "revoke_own_token"})


def scopes_of(operation: str, method: str, security: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the scopes ("money", "record") that a token needs for an operation.

    `operation` is the operation's id, `method` the HTTP method in lower case, `security` the accepted ways to
    authenticate as in OpenAPI. The list is empty if the operation accepts no token.
    """
    if {"token": []} not in security:
        return []
    is_recording = method != "get" and operation not in WITHOUT_RECORDING
    needed = {Scope.MONEY: operation in WITH_MONEY, Scope.RECORD: is_recording}
    return [str(scope) for scope, is_needed in needed.items() if is_needed]


def role_of(operation: str, path: str) -> str:
    """Return the lowest role that suffices for an operation; "" if anonymous clients may call it.

    `operation` is the operation's id, `path` its address in the form of OpenAPI.
    """
    if "{code}" not in path:
        return USER if operation in OF_USERS else ""
    kinds = ((OF_OWNERS, "owner"), (OF_SCORERS, "scorer"), (OF_MEMBERS, MEMBER))
    return next((role for operations, role in kinds if operation in operations), "witness")


def endpoint_of(page: URLPattern) -> Any:
    """Return the class of the endpoint at this URL pattern."""
    return getattr(page.callback, "view_class", None) or getattr(page.callback, "cls", None)


def path_of(page: URLPattern) -> str:
    """Return the address in the form of OpenAPI, like `/api/v1/tables/{code}/`."""
    return "/api/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(page.pattern))


def limits_of(page: URLPattern) -> list[dict[str, int | str]]:
    """Return the rate limits of a URL: dicts of `kind` (the counter), `most` (requests) and `seconds`."""
    limits = [throttle.limit for throttle in endpoint_of(page).throttle_classes]
    return [{"kind": limit.kind, "most": limit.most, "seconds": limit.window} for limit in limits]


def wing_of(page: URLPattern) -> str:
    """Return the wing (subject) of a URL: play, people, money, season or notebook."""
    return str(endpoint_of(page).__module__).split(".")[2]
