"""The keys of those facts (unsent changes of a phone) that a phone sends without a key.

These are steps of payments (e.g. a confirmation), and discarded or restored games. The key is a digest of the
fact's content, its moment, and its subject: the game or payment that it is about. So the key is the same
whichever phone sends the fact. It is stored once the fact is recorded, so that a repeated fact is recognized.
`parts` are the fields of a fact.
"""

from __future__ import annotations

import json
from hashlib import sha256

from games.models import Game, Payment, Table, TakenFact
from games.notebook.fields import Fields

OF_A_TURN = ("turn", "text", "words")


def note_taken(table: Table, parts: Fields, subject: Game | Payment) -> bool:
    """Store the key of a fact that is being recorded. Return False if it was recorded before, else True.

    The caller holds the table's lock.
    """
    _row, is_new = TakenFact.objects.get_or_create(table=table, key=_key_of(parts, subject))
    return is_new


def was_taken(table: Table, parts: Fields, subject: Game | Payment) -> bool:
    """Return whether this fact was recorded before."""
    return TakenFact.objects.filter(table=table, key=_key_of(parts, subject)).exists()


def _key_of(parts: Fields, subject: Game | Payment) -> str:
    turn = {name: parts.part(name) for name in OF_A_TURN if parts.has(name)}
    content = [parts.part("kind"), subject.pk, parts.moment("at").isoformat(), turn]
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
