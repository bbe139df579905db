"""The contents of a table's file: rows ready to be stored, none of them saved yet."""

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
    """The rows read so far; each comes after the rows it refers to."""

    table: Table
    digest: str  # of the file
    members: dict[str, Member] = field(default_factory=dict)
    spellings: list[Spelling] = field(default_factory=list)
    seasons: list[Season] = field(default_factory=list)
    recorders: dict[str, User] = field(default_factory=dict)
    games: list[Whole] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    steps: list[PaymentStep] = field(default_factory=list)
    paid_together: set[tuple[str, str, str]] = field(
        default_factory=set
    )  # each pair of members once per batch
    plans: list[Plan] = field(default_factory=list)
    notes: list[ClosingNote] = field(default_factory=list)

    def member(self, slug: object) -> Member:
        """Return the member with this id; Unreadable if there is none."""
        if not isinstance(slug, str) or slug not in self.members:
            raise Unreadable(_("There is no member “{id}”.", id=str(slug)[:40]))
        return self.members[slug]

    def recorder(self, fields: Fields, name: str) -> User:
        """Return the stand-in user for the person named in this part."""
        person_name = fields.text(name, longest=NAME_LENGTH)
        if person_name not in self.recorders:
            if len(self.recorders) == MOST_RECORDERS:
                raise Unreadable(_("More than {most} people recorded.", most=MOST_RECORDERS))
            self.recorders[person_name] = stand_in(person_name)
        return self.recorders[person_name]

    def game(self, fields: Fields) -> tuple[Game | None, int]:
        """Return the game to which this part refers by number, and its number of events; None for null."""
        number = fields.whole_or_none("game", least=1, most=len(self.games))
        if number is None:
            return None, 0
        whole = self.games[number - 1]
        return whole.game, sum(len(batch.events) for batch in whole.batches)

    def person(self, member: Member) -> Member:
        """Return the member into which this one was finally merged, or itself."""
        return member.now
