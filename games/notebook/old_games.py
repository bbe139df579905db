"""Convert the nights of an old notebook to games of a table: find each night's players and places.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256

from games.models import NAME_LENGTH, Member, Record, Table
from games.money.balances import People
from games.names import likeness, read_name, slug_for
from games.notebook.old_nights import MOST_AMOUNTS, MOST_SEATS, Figures, Night, OldNotebook, Problem
from games.scoring.errors import RuleError, ScoringError
from games.scoring.events import NightImported, Player
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.codec import KINDS, Data, to_data
from games.scoring.words import _

MOST_NEWCOMERS = 60


@dataclass(frozen=True)
class OldGame:
    """A night of an old notebook as a finished game: the night, the game's only event, and its state."""

    night: Night
    event: NightImported
    state: GameState


@dataclass
class ImportPreview:
    """A preview of an import: the games, the new members, and the lines that were imported before."""

    games: list[OldGame] = field(default_factory=list)
    newcomers: dict[str, str] = field(default_factory=dict)  # slug: name of each new member
    known_lines: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def seen(self) -> str:
        """A digest of the whole preview. Any change of the preview changes the digest."""
        nights = [[game.night.day.isoformat(), to_data(game.event)] for game in self.games]
        return sha256(json.dumps([nights, self.newcomers]).encode()).hexdigest()[:16]


def import_preview_of(table: Table, notebook: OldNotebook, *, variant: str = "") -> ImportPreview:
    """Return a preview of importing the notebook. Problems are listed in the preview, not raised.

    `variant` is the card game of all nights; "" if it is not known.
    """
    outlook = ImportPreview(problems=list(notebook.problems))
    if notebook.is_too_much:
        message = _(
            "At most {results} results or {amounts} amounts of money can be imported at "
            "once. Split the file.",
            results=MOST_SEATS,
            amounts=MOST_AMOUNTS,
        )
        outlook.problems.append(Problem(0, message))
    if outlook.problems:
        return outlook
    seats = _Seats(table, outlook)
    known = _known_nights(table, seats.people)
    for night in notebook.nights:
        try:
            game = _game(night, seats, notebook.figures, variant)
        except ScoringError as error:
            outlook.problems.append(Problem(night.line, error.text))
            continue
        night_key = (night.day.toordinal(), _content(to_data(game.event), seats.people))
        if known[night_key]:
            known[night_key] -= 1
            outlook.known_lines.append(night.line)
        else:
            outlook.games.append(game)
    return outlook


def _known_nights(table: Table, people: People) -> Counter[tuple[int, str]]:
    """Return the number of times that each night was imported before.

    A night is known by its number (its date as an ordinal) and its `_content`. So a second import of a
    notebook adds only its new nights.
    """
    kind = KINDS[NightImported]
    stored = Record.objects.filter(game__table=table, game__discarded_at=None, kind=kind)
    return Counter(
        (number, _content(data, people)) for number, data in stored.values_list("game__night_number", "data")
    )


def _content(night: Data, people: People) -> str:
    """Return a text that is equal for equal nights, even if its players were renamed or merged since."""
    numbers = {
        name: [
            [people.by_slug[slug].slug if slug in people.by_slug else slug, number]
            for slug, number in night[name]
        ]
        for name in ("places", "totals", "nets")
    }
    return json.dumps([night["variant"], numbers], sort_keys=True)


class _Seats:
    """A look-up of players (members and newcomers) by their names in a notebook."""

    def __init__(self, table: Table, outlook: ImportPreview) -> None:
        self.people = People.of(table)
        self._members: dict[str, Member] = {}
        for member in self.people.members:
            self._members.setdefault(likeness(member.name), self.people.by_pk[member.pk])
        self._outlook = outlook
        self._new: dict[str, Player] = {}

    def player(self, name: str) -> Player:
        """Return the player whom this name means: a member or, if nobody is known by it, a newcomer."""
        key = likeness(" ".join(name.split()))
        member = self._members.get(key)
        if member is not None:
            return Player(member.slug, member.name)
        if key not in self._new:
            self._new[key] = self._newcomer(read_name(name, longest=NAME_LENGTH))
        return self._new[key]

    def _newcomer(self, name: str) -> Player:
        newcomers = self._outlook.newcomers
        if len(newcomers) == MOST_NEWCOMERS:
            raise RuleError(
                _("This would add more than {most} new people to the table.", most=MOST_NEWCOMERS)
            )
        slug = slug_for(name, {*self.people.by_slug, *newcomers})
        newcomers[slug] = name
        return Player(slug, name)


def _game(night: Night, seats: _Seats, figures: Figures, variant: str) -> OldGame:
    """Return the night as a game. Raise ScoringError if its figures are inconsistent."""
    if not night.entries:
        raise ScoringError(_("This night has no results."))
    players = [seats.player(entry.name) for entry in night.entries]
    numbers = [entry.figure for entry in night.entries]
    is_money = figures is Figures.MONEY
    results = tuple((player.id, number) for player, number in zip(players, numbers, strict=True))
    fewest_win = figures is Figures.FEWEST_WIN
    event = NightImported(
        variant=variant,
        players=tuple(players),
        # Players with equal figures share a place.
        places=tuple(
            (player, 1 + sum(other < number if fewest_win else other > number for other in numbers))
            for player, number in results
        ),
        totals=() if is_money else results,
        nets=results if is_money else (),
    )
    return OldGame(night, event, replay((event,)))
