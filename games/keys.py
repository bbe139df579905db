"""The keys of forms: the same form sent twice is recorded once."""

from __future__ import annotations

import secrets

from games.models import (
    KEY_LENGTH,
)
from games.scoring.errors import RuleError
from games.scoring.words import _


class KeyReused(Exception):
    """The key was sent before, with something else."""


def check_key(key: str, *, longest: int = KEY_LENGTH) -> None:
    """Raise RuleError unless this key can be stored."""
    if not key or len(key) > longest or not key.isprintable():
        raise RuleError(_("A key has from 1 to {longest} characters.", longest=longest), field="key")


def new_key() -> str:
    """Return an idempotency key for a form about to be shown."""
    return secrets.token_urlsafe(12)
