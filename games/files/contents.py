"""The contents of a table's file, as unsaved rows."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.contrib.auth.models import User

from games.common.fields import Fields, Unreadable
from games.files.recorders import NAME_LENGTH, stand_in
from games.models import (
    Debt,
    Entry,
    HandSource,
    Member,
    Payment,
    Season,
    SharedCost,
    Table,
    is_code,
    new_code,
)
from games.play.writer import Whole
from games.scoring.words import _

MOST_RECORDERS = 500


@dataclass
class Contents:
    """The unsaved rows that were read so far. Each row comes after the rows to which it refers."""

    table: Table
    digest: str  # a hash of the file
    members: dict[str, Member] = field(default_factory=dict)
    seasons: list[Season] = field(default_factory=list)
    recorders: dict[str, User] = field(default_factory=dict)
    codes: set[str] = field(default_factory=set)  # of the games, as in the file
    game_keys: set[str] = field(default_factory=set)
    cost_keys: set[str] = field(default_factory=set)
    games: list[Whole] = field(default_factory=list)
    hand_sources: list[HandSource] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    paid_together: set[tuple[str, str, str]] = field(
        default_factory=set
    )  # (key, payer, payee) of each payment, to find duplicates
    costs: list[SharedCost] = field(default_factory=list)
    entry_keys: set[str] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    debts: list[Debt] = field(default_factory=list)

    def member(self, slug: object) -> Member:
        """Return the member with this slug. Raise Unreadable if there is none."""
        if not isinstance(slug, str) or slug not in self.members:
            raise Unreadable(_("There is no member “{id}”.", id=str(slug)[:40]))
        return self.members[slug]

    def recorder(self, fields: Fields, name: str) -> User:
        """Return an unsaved user who stands for the person named in this field.

        The same name always returns the same user.
        """
        person_name = fields.text(name, longest=NAME_LENGTH)
        if person_name not in self.recorders:
            if len(self.recorders) == MOST_RECORDERS:
                raise Unreadable(_("More than {most} people recorded.", most=MOST_RECORDERS))
            self.recorders[person_name] = stand_in(person_name)
        return self.recorders[person_name]

    def code(self, text: str) -> str:
        """Return `text` if it has the form of a game's code; otherwise, as for "", return a new code.

        Raise Unreadable if an earlier game of the file has the same code.
        """
        if not is_code(text):
            return new_code()
        if text in self.codes:
            raise Unreadable(_("Two games have the code “{code}”.", code=text))
        self.codes.add(text)
        return text

    def unused_key(self, key: str, keys: set[str]) -> str:
        """Add the key to `keys` and return the key. Raise Unreadable if `keys` already has it."""
        if key in keys:
            raise Unreadable(_("The key “{key}” appears twice.", key=key))
        keys.add(key)
        return key
