"""Tokens, by which other programs act as who made them: as much as their makers may at that moment, or less.

How far one lets in is `access.Visitor`. A token is made and revoked by its maker on a page, and makes neither tokens nor
invitations nor owners itself. Who is let in at its table no longer has no token for it any more, and gets none back by
being let in again.
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

PREFIX = "anotador_"  # so that whoever finds one lying about knows what it is
MOST = 20  # that stand, of one user
REMEMBERED = 3600  # seconds for which a form sent twice is known for the same
LIVES: Mapping[str, timedelta] = {
    "day": timedelta(days=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}


class MadeAlready(Exception):
    """The form was sent before: its token, whose secret was told then and is told no more."""

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
    """A new token and what its program sends, which is told once and kept nowhere.

    RuleError where its maker may do less at the table, or has too many already. Under a key known from a moment ago
    MadeAlready, or KeyReused where that token was another one; "" is a key of its own each time.
    """
    User.objects.select_for_update(no_key=True).get(
        pk=user.pk
    )  # of two taps, one waits for the other's count
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


def _check_new(user: User, key: str, asked: tuple[object, ...]) -> None:
    """MadeAlready or KeyReused where a token was made under this key; call it while the user is held."""
    known = user.tokens.filter(pk=cache.get(_remembered(user, key))).first() if key else None
    if known is None:
        return
    if asked != (known.name, known.role, known.table_id, known.expires_at - known.made_at):
        raise KeyReused
    raise MadeAlready(known)


def _remembered(user: User, key: str) -> str:
    """Under which name the cache has the token made under this key: no column of its own for a tap repeated."""
    return f"token-made:{user.pk}:{hash_of(key)}"


def find_token(secret: str) -> Token | None:
    """The token that stands by which a program sent this; None for anything else."""
    if not secret.startswith(PREFIX):
        return None
    return Token.objects.standing().filter(token_hash=hash_of(secret)).select_related("user").first()


def note_use(token: Token) -> None:
    """Keeps the day on which the token was used in last; the first request of a day alone writes it."""
    today = localdate()
    if token.used_on != today:
        Token.objects.filter(pk=token.pk).update(used_on=today)


def revoke_token(token: Token) -> None:
    """Ends the token; one that has ended already stays as it is."""
    Token.objects.filter(pk=token.pk).revoke()
