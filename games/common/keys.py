"""Idempotency keys of forms: a form that is submitted twice with one key is recorded once."""

from __future__ import annotations

import secrets
from hashlib import sha256

from games.models import ALPHABET, CODE_LENGTH, KEY_LENGTH, is_code
from games.scoring.errors import RuleError
from games.scoring.words import _

TOKEN_BYTES = 24  # random bytes in the token of a link or a program


class KeyReused(Exception):
    """Raised when an idempotency key was used before, with other content."""


def check_key(key: str, *, longest: int = KEY_LENGTH) -> None:
    """Raise RuleError unless this key has 1 to `longest` characters, all of them printable."""
    if not key or len(key) > longest or not key.isprintable():
        raise RuleError(_("A key must have 1 to {longest} characters.", longest=longest), field="key")


def check_code(code: str) -> None:
    """Raise RuleError unless this is a valid code, the part of a URL that identifies a table or game."""
    if not is_code(code):
        text = _(
            "A code has {length} of these characters: {alphabet}.", length=CODE_LENGTH, alphabet=ALPHABET
        )
        raise RuleError(text, field="code")


def new_key() -> str:
    """Return an idempotency key for a form about to be shown."""
    return secrets.token_urlsafe(12)


def hash_of(token: str) -> str:
    """Return the hash under which the secret token of a link or a program is stored."""
    return sha256(token.encode()).hexdigest()
