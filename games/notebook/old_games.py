"""Convert the nights of an old notebook to games of a table: find each game's variant, players and places.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from unicodedata import normalize

from games.models import NAME_LENGTH, NOTE_LENGTH, Member, Record, Table
from games.money.balances import People
from games.names import likeness, read_name, same_name, slug_for
from games.notebook.figures import folded
from games.notebook.old_nights import MOST_AMOUNTS, MOST_SEATS, Figures, Night, OldNotebook, Problem
from games.notebook.spellings import Nearby, remembered
from games.scoring.errors import RuleError, ScoringError
from games.scoring.events import NightImported, Player
from games.scoring.one_line import tidied
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.codec import KINDS, Data, to_data
from games.scoring.variants import VARIANTS, find_variant
from games.scoring.variants.carioca_ar import CARIOCA_AR
from games.scoring.variants.carioca_cl import CARIOCA_CL
from games.scoring.variants.chinchon import CHINCHON
from games.scoring.variants.loba_ca import LOBA_CA
from games.scoring.variants.loba_mas import LOBA_MAS
from games.scoring.variants.loba_menos import LOBA_MENOS
from games.scoring.words import Text, _

MOST_NEWCOMERS = 60


@dataclass(frozen=True)
class OldGame:
    """A night of an old notebook as a finished game: the night, the game's only event, and its state."""

    night: Night
    event: NightImported
    state: GameState

    @property
    def is_note_shortened(self) -> bool:
        """True if the notebook's note on this night is cut off, because it is too long for a game's note."""
        return len(normalize("NFC", self.night.note)) > NOTE_LENGTH


@dataclass(frozen=True)
class Pair:
    """Two similar names that may be one person's.

    `is_same` is the user's decision; None if there is none yet.

    `is_remembered` is True if the decision is from an earlier import.
    """

    name: str
    other: str
    is_same: bool | None
    is_remembered: bool = False


@dataclass
class ImportPreview:
    """A preview of an import: the games, the new members, and the lines that were imported before."""

    games: list[OldGame] = field(default_factory=list)
    newcomers: dict[str, str] = field(default_factory=dict)  # slug: name of each new member
    pairs: list[Pair] = field(default_factory=list)
    spellings: dict[str, str] = field(default_factory=dict)  # other spelling of a name: slug of its member
    known_lines: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_asking(self) -> bool:
        """True if the user must first decide whether two similar names are one person's."""
        return any(pair.is_same is None for pair in self.pairs)

    @property
    def apart(self) -> set[str]:
        """The names that, as the user decided, are new people's in spite of a similar name."""
        return {pair.name for pair in self.pairs if pair.is_same is False}

    @property
    def seen(self) -> str:
        """A digest of the whole preview. Any change of the preview changes the digest."""
        nights = [[game.night.day.isoformat(), to_data(game.event)] for game in self.games]
        written = json.dumps([nights, self.newcomers, self.spellings])
        return sha256(written.encode()).hexdigest()[:16]


def import_preview_of(
    table: Table,
    notebook: OldNotebook,
    *,
    variant: str = "",
    same: Mapping[str, bool] = MappingProxyType({}),
    joined: Mapping[str, str] = MappingProxyType({}),
) -> ImportPreview:
    """Return a preview of importing the notebook. Problems are listed in the preview, not raised.

    `variant` is the card game of nights for which the notebook names none. `same` has the user's decisions:
    for a name, whether it is the same person as the similar name. `joined` maps a name to another name that
    the user chose as the same person.
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
    seats = _Seats(table, outlook, same, _hand_joined(joined, notebook))
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


# --- people -----------------------------------------------------------------------------------------------------------


def _hand_joined(joined: Mapping[str, str], notebook: OldNotebook) -> Mapping[str, str]:
    """Return those of the user's choices in `joined` that are about a name in the notebook.

    The result maps each such name, normalized by `likeness`, to the other name as the user chose it.
    """
    named = {likeness(" ".join(entry.name.split())) for night in notebook.nights for entry in night.entries}
    return {likeness(name): other for name, other in joined.items() if likeness(name) in named}


class _Seats:
    """A look-up of players (members and newcomers) by their names in a notebook."""

    def __init__(
        self, table: Table, outlook: ImportPreview, same: Mapping[str, bool], joined: Mapping[str, str]
    ) -> None:
        self.people = People.of(table)
        self._members: dict[str, Member] = {}
        self._nearby = Nearby()
        for member in self.people.members:
            self._members.setdefault(likeness(member.name), self.people.by_pk[member.pk])
            self._nearby.add(member.name)
        self._remembered = remembered(table)
        self._outlook = outlook
        self._same = same
        self._joined = joined
        self._new: dict[str, Player | None] = {}  # None while it is being resolved

    def player(self, name: str) -> Player:
        """Return the player whom this name means: a member or, if nobody is known by it, a newcomer."""
        key = likeness(" ".join(name.split()))
        member = self._members.get(key)
        if member is not None:
            return Player(member.slug, member.name)
        clean_name = read_name(name, longest=NAME_LENGTH)
        if key in self._new:
            return self._new[key] or self._newcomer(clean_name)  # the user's decisions form a circle
        self._new[key] = None
        player = self._new[key] = (
            self._joined_to(clean_name) or self._alike(clean_name) or self._newcomer(clean_name)
        )
        return player

    def _joined_to(self, name: str) -> Player | None:
        """Return the player whom the user chose in `joined` for this name, or None."""
        other = self._joined.get(likeness(name))
        return None if other is None or same_name(name, other) else self._spelling(name, self.player(other))

    def _alike(self, name: str) -> Player | None:
        """Return the player with a similar name if the user decided, now or before, that they are the same.

        Add the pair of names to the preview, decided or not.
        """
        meant = self._remembered.get(likeness(name))
        other = self._nearby.nearest(name) if meant is None else self.people.by_pk[meant.pk].name
        if other is None:
            return None
        is_same = self._same.get(name, None if meant is None else True)
        self._outlook.pairs.append(Pair(name, other, is_same, is_remembered=meant is not None))
        return self._spelling(name, self.player(other)) if is_same else None

    def _spelling(self, name: str, player: Player) -> Player:
        """Add `name`, another spelling of the player's name, to the preview, and return the player."""
        self._nearby.add(name)
        self._outlook.spellings[name] = player.id
        return player

    def _newcomer(self, name: str) -> Player:
        newcomers = self._outlook.newcomers
        if len(newcomers) == MOST_NEWCOMERS:
            raise RuleError(
                _("This would add more than {most} new people to the table.", most=MOST_NEWCOMERS)
            )
        slug = slug_for(name, {*self.people.by_slug, *newcomers})
        newcomers[slug] = name
        self._nearby.add(name)
        player = self._new[likeness(name)] = Player(slug, name)
        return player


# --- games ------------------------------------------------------------------------------------------------------------


def variant_called(name: str) -> str:
    """Return the key of the variant (card game) that a notebook calls by this name; "" if none is known."""
    words = folded(name)
    if words.replace(" ", "_") in VARIANTS:
        return words.replace(" ", "_")
    if CHINCHON.key in words:
        return CHINCHON.key
    if "carioca" in words:
        return (CARIOCA_CL if "chilen" in words else CARIOCA_AR).key
    if "loba" not in words:
        return ""
    if "centr" in words:
        return LOBA_CA.key
    return (LOBA_MAS if words.endswith(" mas") else LOBA_MENOS).key


def _game(night: Night, seats: _Seats, figures: Figures, variant: str) -> OldGame:
    """Return the night as a game. Raise RuleError if its numbers are inconsistent."""
    key = variant_called(night.game) or variant
    players = [seats.player(entry.name) for entry in night.entries]
    places, totals, nets = (_numbers(night, what) for what in ("place", "total", "net"))
    ranked = _ranked(places, totals, nets, most_wins=_most_wins(key, figures))
    slugs = [player.id for player in players]
    event = NightImported(
        variant=key,
        players=tuple(players),
        places=tuple(zip(slugs, ranked, strict=True)),
        totals=tuple(zip(slugs, totals, strict=True)) if totals else (),
        nets=tuple(zip(slugs, nets, strict=True)) if nets else (),
        note=tidied(night.note.replace('"', "”"), NOTE_LENGTH),
    )
    return OldGame(night, event, replay((event,)))


_MISSING: dict[str, Text] = {
    "place": _("Some players of this night have a place and some have none."),
    "total": _("Some players of this night have points and some have none."),
    "net": _("Some players of this night have an amount of money and some have none."),
}


def _numbers(night: Night, what: str) -> list[int]:
    """Return every player's number of this kind (place, total or net); [] if no player has one.

    Raise ScoringError if only some players have one.
    """
    numbers = [getattr(entry, what) for entry in night.entries]
    if all(number is None for number in numbers):
        return []
    if None in numbers:
        raise ScoringError(_MISSING[what])
    return numbers


def _most_wins(variant: str, figures: Figures) -> bool:
    """Return whether the most points win: by the user's choice for the notebook, or else by the variant."""
    if figures in (Figures.FEWEST_WIN, Figures.MOST_WIN) or not variant:
        return figures is Figures.MOST_WIN
    rules_of_game = find_variant(variant)
    return not rules_of_game.build(rules_of_game.house()).lowest_wins


def _ranked(
    places: Sequence[int], totals: Sequence[int], nets: Sequence[int], *, most_wins: bool
) -> list[int]:
    """Return each player's place: as written or, if no places are written, by points or else by money.

    Players with equal numbers share a place.
    """
    if places:
        order: Iterable[int] = places
    elif totals:
        order = [-total if most_wins else total for total in totals]
    elif nets:
        order = [-net for net in nets]
    else:
        raise ScoringError(_("This night has no results."))
    numbers = list(order)
    return [1 + sum(other < number for other in numbers) for number in numbers]
