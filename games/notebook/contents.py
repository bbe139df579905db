"""What a table's file holds: rows as they will be stored, none of them saved yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.contrib.auth.models import User

from games.models import ClosingNote, Flag, Game, Member, Payment, PaymentStep, Plan, Season, Spelling, Table
from games.notebook.fields import Fields, Unreadable
from games.notebook.recorders import NAME_LENGTH, stand_in
from games.play.writer import Whole
from games.scoring.words import _

MOST_RECORDERS = 500


@dataclass
class Contents:
    """The rows read so far, each before whatever names it."""

    table: Table
    digest: str  # which tells this file from every other
    members: dict[str, Member] = field(default_factory=dict)
    spellings: list[Spelling] = field(default_factory=list)
    seasons: list[Season] = field(default_factory=list)
    recorders: dict[str, User] = field(default_factory=dict)
    games: list[Whole] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    steps: list[PaymentStep] = field(default_factory=list)
    paid_together: set[tuple[str, str, str]] = field(default_factory=set)  # each batch has two people once
    plans: list[Plan] = field(default_factory=list)
    notes: list[ClosingNote] = field(default_factory=list)

    def member(self, slug: object) -> Member:
        """The member with this id; Unreadable where there is none."""
        if not isinstance(slug, str) or slug not in self.members:
            raise Unreadable(_("There is no member “{id}”.", id=str(slug)[:40]))
        return self.members[slug]

    def recorder(self, fields: Fields, name: str) -> User:
        """Who stands in for the person named in this part."""
        called = fields.text(name, longest=NAME_LENGTH)
        if called not in self.recorders:
            if len(self.recorders) == MOST_RECORDERS:
                raise Unreadable(_("More than {most} people recorded.", most=MOST_RECORDERS))
            self.recorders[called] = stand_in(called)
        return self.recorders[called]

    def game(self, fields: Fields) -> tuple[Game | None, int]:
        """The game this part names by its number, None for null, and how many events it has."""
        number = fields.whole_or_none("game", least=1, most=len(self.games))
        if number is None:
            return None, 0
        found = self.games[number - 1]
        return found.game, sum(len(batch.events) for batch in found.batches)

    def person(self, member: Member) -> Member:
        """Who this member is by now."""
        return member.now
