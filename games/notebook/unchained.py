"""A digest of what no hash chain covers in a table's file: settings, members, seasons, discarded games, notes.

A file's `bases` are the digests of the files from which its table was imported, also at places before. A table that
comes back looks for its own digest among them: if it is missing, something was changed here after it went. Plans are
left out because they follow from the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from games.chain import canonical

MOST_BASES = 50
PARTS = ("table", "members", "spellings", "seasons", "closing_notes")
OF_A_GAME = ("discarded_at", "flags", "hands")
OF_ONE_PLACE = ("by", "brought_by", "merged_by", "moved_at")  # users are other users at another place


def digest_of(file: Mapping[str, Any]) -> str:
    """Return the digest of the file's unchained parts. Empty fields do not count: a later version may add some."""
    games = {game["key"]: {name: game.get(name) for name in OF_A_GAME} for game in file["games"]}
    parts = {name: file[name] for name in PARTS}
    return sha256(canonical(_bare({**parts, "games": games})).encode()).hexdigest()


def _bare(value: Any) -> Any:
    """Return the value without empty fields and what is of one place only."""
    if isinstance(value, list):
        return [_bare(part) for part in value]
    if isinstance(value, dict):
        bare = {name: _bare(part) for name, part in value.items() if name not in OF_ONE_PLACE}
        return {
            name: part for name, part in bare.items() if part is not False and part not in (None, "", [], {})
        }
    return value
