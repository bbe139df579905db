"""API tokens: a program acts as the token's maker, with at most the rights that the maker has at that moment.

`access.Visitor` limits the rights of a token. Users make and revoke their tokens on a page; a token cannot
make tokens, invitations or owners. When a user loses access to a table, the user's tokens for this table end,
and a new grant does not make them valid again.
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

PREFIX = "anotador_"  # begins every token's secret, so that a leaked secret can be recognized
MOST = 20  # the most valid tokens of one user
REMEMBERED = 3600  # seconds during which a form's idempotency key is remembered
LIVES: Mapping[str, timedelta] = {
    "day": timedelta(days=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}


class MadeAlready(Exception):
    """Raised when a form was submitted before.

    The token's secret was shown then and cannot be shown again.
    """

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
    reads_money: bool = True,
    records: bool = True,
) -> tuple[Token, str]:
    """Make a token. Return the token and its secret, which is shown once and stored only as a hash.

    The token is valid at `table`, or at all tables of the user if that is None. `reads_money` and `records`
    are its scopes: reading the accounts, and writing. `key` is the form's idempotency key; with an empty one
    a repeat is not recognized.

    Raise RuleError if the user has fewer rights at the table than the token, or too many tokens. If the key
    was used in the last hour, raise MadeAlready, or KeyReused if the earlier token differs.
    """
    User.objects.select_for_update(no_key=True).get(
        pk=user.pk
    )  # of two simultaneous requests, the second one waits and sees the first one's token
    name = read_name(name, longest=TOKEN_NAME_LENGTH)
    _check_new(user, key, (name, role, table and table.pk, lasts, reads_money, records))
    own = None if table is None else role_at(user, table)
    if table is not None and (own is None or BY_STRENGTH.index(own) < BY_STRENGTH.index(role)):
        raise RuleError(_("A token cannot do more than you at this table."), field="role")
    if user.tokens.standing().count() >= MOST:
        raise RuleError(_("You already have {most} tokens. Revoke one first.", most=MOST))
    secret = f"{PREFIX}{secrets.token_urlsafe(TOKEN_BYTES)}"
    made_at = at or now()
    token = Token.objects.create(
        user=user,
        table=table,
        name=name,
        role=role,
        reads_money=reads_money,
        records=records,
        token_hash=hash_of(secret),
        made_at=made_at,
        expires_at=made_at + lasts,
    )
    if key:
        cache.set(_remembered(user, key), token.pk, REMEMBERED)
    return token, secret


def _check_new(user: User, key: str, fields: tuple[object, ...]) -> None:
    """Raise MadeAlready if the user made a token with this form key before. The caller has locked the user.

    `fields` are those of the new token. If the earlier one has other fields, raise KeyReused instead.
    """
    known = user.tokens.filter(pk=cache.get(_remembered(user, key))).first() if key else None
    if known is None:
        return
    lasts = known.expires_at - known.made_at
    if fields != (known.name, known.role, known.table_id, lasts, known.reads_money, known.records):
        raise KeyReused
    raise MadeAlready(known)


def _remembered(user: User, key: str) -> str:
    """Return the cache key that remembers the token made under this form key.

    The cache is enough, because the form key only serves to recognize a double tap.
    """
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
    """Revoke the token. A token that was revoked before keeps its `revoked_at`."""
    Token.objects.filter(pk=token.pk).revoke()
