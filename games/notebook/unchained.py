"""A digest of the data in a table's file that no hash chain covers, such as settings, members and notes.

It also covers seasons, discarded games, flags (doubts about a hand) and the sources of hands (the users whose
phones sent them). Plans (who pays whom) are left out because they follow from the rest.

A file's `bases` are the digests of all files from which its table was imported, one for each site or folder
that it was at before. A table that is brought back must find its own digest among them; otherwise something
was changed here after it moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from games.chain import canonical

MOST_BASES = 50
PARTS = ("table", "members", "spellings", "seasons", "closing_notes")
OF_A_GAME = ("discarded_at", "flags", "hands")
OF_ONE_PLACE = (
    "by",
    "brought_by",
    "merged_by",
    "moved_at",
)  # these differ from site to site, also without a change


def digest_of(file: Mapping[str, Any]) -> str:
    """Return the digest of the file's parts without a hash chain.

    Empty fields do not count, because a later version of the app may add some.
    """
    games = {game["key"]: {name: game.get(name) for name in OF_A_GAME} for game in file["games"]}
    parts = {name: file[name] for name in PARTS}
    return sha256(canonical(_bare({**parts, "games": games})).encode()).hexdigest()


def _bare(value: Any) -> Any:
    """Return the JSON value without empty fields, and without fields that differ from site to site."""
    if isinstance(value, list):
        return [_bare(part) for part in value]
    if isinstance(value, dict):
        bare = {name: _bare(part) for name, part in value.items() if name not in OF_ONE_PLACE}
        return {
            name: part for name, part in bare.items() if part is not False and part not in (None, "", [], {})
        }
    return value
