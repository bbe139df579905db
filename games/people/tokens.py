"""Tokens: other programs act as the token's maker, with at most the rights the maker has at that moment.

`access.Visitor` limits what a token allows. Makers make and revoke tokens on a page; a token cannot make
tokens, invitations or owners. When a maker loses access to a table, tokens for it end, and a new grant does
not revive them.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.utils.timezone import localdate, now

from games.keys import KeyReused
from games.models import TOKEN_NAME_LENGTH, Role, Table, Token
from games.names import read_name
from games.people.access import role_at
from games.people.invitations import BY_STRENGTH, TOKEN_BYTES, hash_of
from games.scoring.errors import RuleError
from games.scoring.words import _

PREFIX = "anotador_"  # so that a leaked token can be recognized
MOST = 20  # valid tokens of one user
REMEMBERED = 3600  # seconds for which a form's key is remembered
LIVES: Mapping[str, timedelta] = {
    "day": timedelta(days=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}


class MadeAlready(Exception):
    """Raised when a form was sent before. Its token's secret was shown then and cannot be shown again."""

    def __init__(self, token: Token) -> None:
        super().__init__()
        self.token = token


@transaction.atomic
def make_token(
    user: User,
    name: str,
    role: Role,
    *,
    lasts: timedelta,
    table: Table | None = None,
    key: str = "",
    at: datetime | None = None,
) -> tuple[Token, str]:
    """Make a token. Return it and its secret, which is shown once and stored only as a hash.

    Raise RuleError if its maker has fewer rights at the table or too many tokens. A key used a moment ago
    raises MadeAlready, or KeyReused if the earlier token differs. An empty key is never remembered.
    """
    User.objects.select_for_update(no_key=True).get(
        pk=user.pk
    )  # of two simultaneous requests, the second counts the first one's token
    name = read_name(name, longest=TOKEN_NAME_LENGTH)
    _check_new(user, key, (name, role, table and table.pk, lasts))
    own = None if table is None else role_at(user, table)
    if table is not None and (own is None or BY_STRENGTH.index(own) < BY_STRENGTH.index(role)):
        raise RuleError(_("A token cannot do more than you at this table."), field="role")
    if user.tokens.standing().count() >= MOST:
        raise RuleError(_("There are {most} tokens already: revoke one first.", most=MOST))
    secret = f"{PREFIX}{secrets.token_urlsafe(TOKEN_BYTES)}"
    made_at = at or now()
    token = Token.objects.create(
        user=user,
        table=table,
        name=name,
        role=role,
        token_hash=hash_of(secret),
        made_at=made_at,
        expires_at=made_at + lasts,
    )
    if key:
        cache.set(_remembered(user, key), token.pk, REMEMBERED)
    return token, secret


def _check_new(user: User, key: str, fields: tuple[object, ...]) -> None:
    """Raise MadeAlready or KeyReused if a token was made under this key. The caller has locked the user."""
    known = user.tokens.filter(pk=cache.get(_remembered(user, key))).first() if key else None
    if known is None:
        return
    if fields != (known.name, known.role, known.table_id, known.expires_at - known.made_at):
        raise KeyReused
    raise MadeAlready(known)


def _remembered(user: User, key: str) -> str:
    """Return the cache key of the token made under this form key. A double tap is not worth a column."""
    return f"token-made:{user.pk}:{hash_of(key)}"


def find_token(secret: str) -> Token | None:
    """Return the valid token with this secret, or None."""
    if not secret.startswith(PREFIX):
        return None
    return Token.objects.standing().filter(token_hash=hash_of(secret)).select_related("user").first()


def note_use(token: Token) -> None:
    """Store the day the token was last used. Only the first request of a day writes."""
    today = localdate()
    if token.used_on != today:
        Token.objects.filter(pk=token.pk).update(used_on=today)


def revoke_token(token: Token) -> None:
    """Revoke the token. An ended one stays as it is."""
    Token.objects.filter(pk=token.pk).revoke()
