"""API tokens: a program acts as the token's maker, with the rights that the maker has at that moment.

A token may be limited to one table, and to reading. Users create and revoke their tokens on a page; a token
cannot create tokens, links or owners. When a user loses access to a table, their tokens for that table end,
and a new access does not make them valid again.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import localdate, now

from games.common import locks, naming
from games.models import TOKEN_NAME_LENGTH, Table, Token
from games.scoring.errors import RuleError
from games.scoring.i18n import _

PREFIX = "anotador_"  # begins every token's secret, so that a leaked secret can be recognized
MAX_TOKENS = 20  # valid tokens of one user
LIFETIME = timedelta(days=365)


def create(
    user: User,
    name: str,
    *,
    table: Table | None = None,
    reads_only: bool = False,
) -> tuple[Token, str]:
    """Create a token. Return it with its secret, which is shown once and stored only as a hash.

    The token is valid at `table` or, if that is None, at all tables of the user. Raise RuleError for an
    invalid name, and if the user has too many tokens. Lock the user's row.
    """
    name = naming.clean_name(name, longest=TOKEN_NAME_LENGTH)
    with transaction.atomic():
        # Without this lock, two simultaneous requests could exceed the limit.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if user.tokens.valid().count() >= MAX_TOKENS:
            raise RuleError(_("You already have {most} tokens. Revoke one first.", most=MAX_TOKENS))
        secret = f"{PREFIX}{secrets.token_urlsafe(locks.TOKEN_BYTES)}"
        made_at = now()
        token = Token.objects.create(
            user=user,
            table=table,
            name=name,
            reads_only=reads_only,
            token_hash=locks.hash_token(secret),
            made_at=made_at,
            expires_at=made_at + LIFETIME,
        )
        return token, secret


def find(secret: str) -> Token | None:
    if not secret.startswith(PREFIX):
        return None
    return Token.objects.valid().filter(token_hash=locks.hash_token(secret)).select_related("user").first()


def record_use(token: Token) -> None:
    """Store the day of the token's last use, if the database can be written at once.

    Only the first request of a day writes.
    """
    today = localdate()
    if token.used_on != today:
        locks.attempt(lambda: Token.objects.filter(pk=token.pk).update(used_on=today))


def revoke(token: Token) -> None:
    """Revoke the token. A token that was already revoked keeps its `revoked_at`."""
    Token.objects.filter(pk=token.pk).revoke()
