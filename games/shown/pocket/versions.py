"""The comparison of two versions of a game: people went on recording both at the site and on a phone.

The page shows both side by side. The user chooses what becomes of the phone's events, for example that they
are dropped, and the page shows the totals and money that each choice would lead to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from itertools import zip_longest

from django.utils.timezone import now

from games.models import Table
from games.nights import local
from games.scoring.effort import EVENT, spend
from games.scoring.events import Event, Log, RoundPlayed
from games.scoring.ledger import nets
from games.scoring.replay import replay
from games.scoring.rounds import Hand
from games.scoring.state import GameState, Seat
from games.shown.common.amounts import money, points
from games.shown.common.days import clock, moment_in_words
from games.shown.common.words import People, event_in_words, winners_in_words
from games.shown.play.changes import seat_in_words

COMPARED = 20  # steps counted for comparing two events
WORDED = 4  # steps counted for putting one event into words, for each event of the log


@dataclass(frozen=True)
class Source:
    """The person who recorded an event (`by`), and the time (`at`)."""

    by: str
    at: datetime


@dataclass(frozen=True)
class Version:
    """One version of a game: its whole log, and the sources of those events that the page compares.

    `sources` is keyed by event number.
    """

    log: Log
    sources: Mapping[int, Source]

    @property
    def events(self) -> Sequence[Event]:
        """The events of this version that the page compares with the other version, in order."""
        return [self.log[number - 1] for number in self.sources]


@dataclass(frozen=True)
class Line:
    """An event in one version: a sentence about it, the points of a round by player, and its source."""

    text: str
    points: Mapping[str, int]
    by: str
    at: str


@dataclass(frozen=True)
class Pair:
    """An event at the site (`here`) beside one on the phone (`there`). Either may be missing.

    Each of `rows` has a player's name, the points here, and the points there.
    """

    here: Line | None
    there: Line | None
    is_same: bool
    rows: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class Standing:
    """A player's total and money after one of the user's choices.

    `seat` says why the player is no longer in the game, such as "eliminated"; "" for one who is.
    """

    name: str
    total: str
    money: str
    seat: str


@dataclass(frozen=True)
class Outcome:
    """The standings after one of the user's choices, and a sentence on the winners.

    The sentence (`won`) is "" if the game is not over.
    """

    standings: Sequence[Standing]
    won: str


def pairs_of(here: Version, there: Version, *, people: People, table: Table) -> list[Pair]:
    """Return the compared events of both versions in pairs, in order.

    Equal events are paired with each other, and different ones if they are at the same place between equal
    ones. An event that is left over has no partner. Raise ScoringError if the rules refuse a version, or if
    comparing takes too many steps.
    """
    spend(COMPARED * len(here.sources) * len(there.sources))
    mine, theirs = (_lines(version, people, table) for version in (here, there))
    mine_marked, theirs_marked = ([_mark(event) for event in version.events] for version in (here, there))
    blocks = SequenceMatcher(None, mine_marked, theirs_marked, autojunk=False).get_opcodes()
    return [
        _pair(left, right, people, is_same=tag == "equal")
        for tag, start, end, other_start, other_end in blocks
        for left, right in zip_longest(mine[start:end], theirs[other_start:other_end])
    ]


def _mark(event: Event) -> Hashable:
    """Return a key that is equal for equal events. The order of the cards in a hand makes no difference."""
    if not isinstance(event, RoundPlayed):
        return event
    entry = event.entry
    hands = frozenset((player, _mark_of_hand(hand)) for player, hand in entry.hands)
    return entry.closer, entry.closing, hands


def _mark_of_hand(hand: Hand) -> Hashable:
    held = None if hand.held is None else frozenset(Counter(hand.held).items())
    return hand.points, held, frozenset(Counter(hand.melds).items()), hand.bought


def _lines(version: Version, people: People, table: Table) -> list[Line]:
    state = replay(version.log)
    results = {result.number: result.points for result in state.rounds}
    return list(_each_line(version, state, results, people, table))


def _each_line(
    version: Version,
    state: GameState,
    results: Mapping[int, Mapping[str, int]],
    people: People,
    table: Table,
) -> Iterator[Line]:
    for number, source in version.sources.items():
        spend(EVENT + WORDED * len(version.log))
        event = version.log[number - 1]
        text = event_in_words(event, log=version.log, state=state, people=people, table=table)
        yield Line(text, results.get(number, {}), source.by, _moment(source.at, table))


def _moment(at: datetime, table: Table) -> str:
    """Return a time on the table's clock as text, with the day unless it is today."""
    is_today = local(at, table).date() == local(now(), table).date()
    return clock(at, table) if is_today else moment_in_words(at, table)


def _pair(here: Line | None, there: Line | None, people: People, *, is_same: bool) -> Pair:
    mine, theirs = (line.points if line else {} for line in (here, there))
    rows = [
        (people[player].name, _points_in(mine, player), _points_in(theirs, player))
        for player in {**mine, **theirs}
    ]
    return Pair(here, there, is_same, rows)


def _points_in(moved: Mapping[str, int], player: str) -> str:
    return points(moved[player]) if player in moved else ""


def outcome_of(state: GameState, *, people: People, table: Table) -> Outcome:
    """Return everybody's total and money in this state, and the winners if the game is over.

    All amounts of money are "" if nobody won or lost any.
    """
    net = nets(state)
    standings = [
        Standing(
            people[player.id].name,
            points(player.total),
            money(net[player.id], table, signed=True) if any(net.values()) else "",
            "" if player.seat is Seat.IN else seat_in_words(player.seat),
        )
        for player in state.players
    ]
    return Outcome(standings, winners_in_words(state, people) if state.is_over else "")
