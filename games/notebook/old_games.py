"""The nights of an old notebook as a table knows games: which game, whose, in what places. Only looks, writes nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType

from games.models import NAME_LENGTH, Member, Record, Table
from games.money.balances import People
from games.names import likeness, read_name, same_name, slug_for
from games.notebook.old_nights import MOST_AMOUNTS, MOST_SEATS, Figures, Night, OldNotebook, Problem, folded
from games.notebook.spellings import Nearby, remembered
from games.scoring.errors import RuleError, ScoringError
from games.scoring.events import NightImported, Player
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
    """A night as the one event of a game, and the state that comes of it."""

    night: Night
    event: NightImported
    state: GameState


@dataclass(frozen=True)
class Pair:
    """A name that may be another one, written otherwise: one person, or two, or nobody has said so yet.

    What `is_remembered` was said when another notebook was taken over.
    """

    name: str
    other: str
    is_same: bool | None
    is_remembered: bool = False


@dataclass
class Outlook:
    """What taking an old notebook over would bring: games, people who are new, and lines that are here already."""

    games: list[OldGame] = field(default_factory=list)
    newcomers: dict[str, str] = field(default_factory=dict)  # names by the slugs they will have
    pairs: list[Pair] = field(default_factory=list)
    spellings: dict[str, str] = field(default_factory=dict)  # slugs by the names that stand for somebody's
    known_lines: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_asking(self) -> bool:
        """Whether somebody has to say first who is who."""
        return any(pair.is_same is None for pair in self.pairs)

    @property
    def apart(self) -> set[str]:
        """The names said to be somebody else's than the one they look like."""
        return {pair.name for pair in self.pairs if pair.is_same is False}

    @property
    def seen(self) -> str:
        """A short name for all of it, which changes with any of it."""
        told = [[game.night.day.isoformat(), to_data(game.event)] for game in self.games]
        written = json.dumps([told, self.newcomers, self.spellings])
        return sha256(written.encode()).hexdigest()[:16]


def outlook_of(
    table: Table,
    notebook: OldNotebook,
    *,
    variant: str = "",
    same: Mapping[str, bool] = MappingProxyType({}),
    joined: Mapping[str, str] = MappingProxyType({}),
) -> Outlook:
    """What the notebook would bring to this table; `variant` is what was played where it does not say.

    `same` says of a name that may be another one, written otherwise, whether both are one person; `joined` says by
    name who somebody is whom nothing tells.
    """
    outlook = Outlook(problems=list(notebook.problems))
    if notebook.is_too_much:
        said = _(
            "At most {results} results, or {amounts} amounts of money, come at once: bring them in parts.",
            results=MOST_SEATS,
            amounts=MOST_AMOUNTS,
        )
        outlook.problems.append(Problem(0, said))
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
        told = (night.day.toordinal(), _content(to_data(game.event), seats.people))
        if known[told]:
            known[told] -= 1
            outlook.known_lines.append(night.line)
        else:
            outlook.games.append(game)
    return outlook


def _known_nights(table: Table, people: People) -> Counter[tuple[int, str]]:
    """The nights that were taken over before and stand, so that the same notebook brings only what is new in it."""
    kind = KINDS[NightImported]
    stored = Record.objects.filter(game__table=table, game__discarded_at=None, kind=kind)
    return Counter(
        (number, _content(data, people)) for number, data in stored.values_list("game__night_number", "data")
    )


def _content(told: Data, people: People) -> str:
    """What a night says, whoever its people are and however they are called by now."""
    numbers = {
        name: [
            [people.by_slug[slug].slug if slug in people.by_slug else slug, number]
            for slug, number in told[name]
        ]
        for name in ("places", "totals", "nets")
    }
    return json.dumps([told["variant"], numbers], sort_keys=True)


# --- who --------------------------------------------------------------------------------------------------------------


def _hand_joined(joined: Mapping[str, str], notebook: OldNotebook) -> Mapping[str, str]:
    """Who somebody is, by what names too alike have in common; of those the notebook names."""
    named = {likeness(" ".join(entry.name.split())) for night in notebook.nights for entry in night.entries}
    return {likeness(name): other for name, other in joined.items() if likeness(name) in named}


class _Seats:
    """Players by the names a notebook has for them: members, and whoever is new."""

    def __init__(
        self, table: Table, outlook: Outlook, same: Mapping[str, bool], joined: Mapping[str, str]
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
        self._new: dict[str, Player | None] = {}  # None while it is being found out

    def player(self, name: str) -> Player:
        """Who is called this; somebody unknown gets a slug and is noted as new."""
        known = likeness(" ".join(name.split()))
        member = self._members.get(known)
        if member is not None:
            return Player(member.slug, member.name)
        called = read_name(name, longest=NAME_LENGTH)
        if known in self._new:
            return self._new[known] or self._newcomer(called)  # two who are said to be each other
        self._new[known] = None
        player = self._new[known] = self._joined_to(called) or self._alike(called) or self._newcomer(called)
        return player

    def _joined_to(self, name: str) -> Player | None:
        """Whose name somebody said this is by hand."""
        other = self._joined.get(likeness(name))
        return None if other is None or same_name(name, other) else self._spelling(name, self.player(other))

    def _alike(self, name: str) -> Player | None:
        """Whose name this is, written otherwise, where somebody said so, now or before; it is noted as a question."""
        meant = self._remembered.get(likeness(name))
        other = self._nearby.nearest(name) if meant is None else self.people.by_pk[meant.pk].name
        if other is None:
            return None
        is_same = self._same.get(name, None if meant is None else True)
        self._outlook.pairs.append(Pair(name, other, is_same, is_remembered=meant is not None))
        return self._spelling(name, self.player(other)) if is_same else None

    def _spelling(self, name: str, player: Player) -> Player:
        """Who this is, noted to be remembered."""
        self._nearby.add(name)
        self._outlook.spellings[name] = player.id
        return player

    def _newcomer(self, name: str) -> Player:
        newcomers = self._outlook.newcomers
        if len(newcomers) == MOST_NEWCOMERS:
            raise RuleError(_("More than {most} people would be new at this table.", most=MOST_NEWCOMERS))
        slug = slug_for(name, {*self.people.by_slug, *newcomers})
        newcomers[slug] = name
        self._nearby.add(name)
        player = self._new[likeness(name)] = Player(slug, name)
        return player


# --- what -------------------------------------------------------------------------------------------------------------


def variant_called(name: str) -> str:
    """The game a notebook means by this name; "" where it could be any."""
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
    """The night as a game; RuleError where what is written cannot be."""
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
    )
    return OldGame(night, event, replay((event,)))


_MISSING: dict[str, Text] = {
    "place": _("Some players of this night have a place and some have none."),
    "total": _("Some players of this night have points and some have none."),
    "net": _("Some players of this night have an amount of money and some have none."),
}


def _numbers(night: Night, what: str) -> list[int]:
    """Everybody's number of this kind; empty where nobody has one, RuleError where only some have."""
    found = [getattr(entry, what) for entry in night.entries]
    if all(number is None for number in found):
        return []
    if None in found:
        raise ScoringError(_MISSING[what])
    return found


def _most_wins(variant: str, figures: Figures) -> bool:
    """Whether the most points win: as the table said, or else as in the game that was played."""
    if figures in (Figures.FEWEST_WIN, Figures.MOST_WIN) or not variant:
        return figures is Figures.MOST_WIN
    found = find_variant(variant)
    return not found.build(found.house()).lowest_wins


def _ranked(
    places: Sequence[int], totals: Sequence[int], nets: Sequence[int], *, most_wins: bool
) -> list[int]:
    """The places as they are written, else by points, else by money; equal ones share the better place."""
    if places:
        order: Iterable[int] = places
    elif totals:
        order = [-total if most_wins else total for total in totals]
    elif nets:
        order = [-net for net in nets]
    else:
        raise ScoringError(_("Nothing says how this night came out."))
    numbers = list(order)
    return [1 + sum(other < number for other in numbers) for number in numbers]
