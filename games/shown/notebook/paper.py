"""The printed scoresheet: under each name the points and total of every round, old totals struck out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from games.models import COLOURS, Table
from games.scoring.columns import players_by_column
from games.scoring.events import (
    Event,
    GameStarted,
    Log,
    Player,
    PlayerJoined,
    PlayerReentered,
    PlayersSeated,
    RoundPlayed,
    SeatHandedOver,
)
from games.scoring.ledger import nets
from games.scoring.rounds import RoundEntry
from games.scoring.state import GameState, Step
from games.shown.common.amounts import money, points
from games.shown.common.marks import class_names
from games.shown.common.people import Person
from games.shown.common.words import People, play_in_words
from games.shown.play.columns import seat_in_a_word
from games.shown.play.contracts import contract_code


@dataclass(frozen=True)
class Column:
    """A column of the sheet: the player, the total, and the net amount.

    `standing` is a word for a player who is no longer in, such as "bust"; "" for the others.
    """

    person: Person
    total: str
    standing: str
    net: str
    won: bool


@dataclass(frozen=True)
class Written:
    """One cell of the sheet: the points, the total after them, and whether that total is struck out.

    `fee` is the price of a re-entry. `is_back` is True if the player re-entered here.
    """

    points: str = ""
    total: str = ""
    fee: str = ""
    is_struck: bool = False
    is_closer: bool = False
    is_back: bool = False

    @property
    def points_marks(self) -> str:
        """The CSS classes of the points; the points of the player who went out are highlighted."""
        return class_names("points", out=self.is_closer)


@dataclass(frozen=True)
class Line:
    """A line of the sheet: a round with its contract, re-entries, or another event as a sentence.

    `cells` is empty for an event that changed no total. `head` is the number of the round; "" on other lines.
    """

    head: str
    contract: str = ""
    cells: tuple[Written, ...] = ()
    sentence: str = ""
    is_round: bool = False

    @property
    def is_reentry(self) -> bool:
        """True if a player re-entered on this line."""
        return any(cell.is_back for cell in self.cells)


@dataclass(frozen=True)
class Paper:
    """The printed scoresheet of one game."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    has_money: bool


def paper_of(state: GameState, people: People, table: Table) -> Paper:
    """Return the sheet of a game in its present state, to be printed."""
    net = nets(state)
    winners = state.outcome.winners if state.outcome else ()
    return Paper(
        columns=tuple(
            Column(
                person=people[player.id],
                total=points(player.total),
                standing=seat_in_a_word(player.seat),
                net=money(net[player.id], table, signed=True),
                won=player.id in winners,
            )
            for player in state.players
        ),
        lines=tuple(_side_by_side(_lines(state, people, table))),
        has_money=any(net.values()),
    )


def paper_without_money(state: GameState, people: People) -> Paper:
    """Return the sheet, without amounts of money, of a game that belongs to no table.

    Only a table tells the unit of its money.
    """
    paper = paper_of(state, people, Table())
    lines = tuple(
        replace(line, cells=tuple(replace(cell, fee="") for cell in line.cells)) for line in paper.lines
    )
    return replace(paper, lines=lines, has_money=False)


def people_in(log: Log) -> People:
    """Return everybody who ever sat down in this game, by player id, for a game that belongs to no table.

    Colours are given in the order in which people sat down.
    """
    players = {player.id: player for event in log for player in _seated(event)}.values()
    return {
        player.id: Person(player.id, player.name, place % COLOURS + 1) for place, player in enumerate(players)
    }


def _seated(event: Event) -> Sequence[Player]:
    match getattr(event, "event", event):
        case PlayerJoined(player=newcomer) | SeatHandedOver(to=newcomer):
            return (newcomer,)
        case GameStarted(players=players) | PlayersSeated(players=players):
            return players
        case _:
            return ()


def _lines(state: GameState, people: People, table: Table) -> Iterator[Line]:
    columns, contracts, played = players_by_column(state), state.rules.contracts, 0
    last = _last_written(state, columns)
    for place, step in enumerate(state.steps):
        if isinstance(step.event, GameStarted):
            continue
        is_round = isinstance(step.event, RoundPlayed)
        played += is_round
        cells = tuple(
            _written(step, seated, table, is_struck=last[seat] > place)
            for seat, seated in enumerate(columns[place])
        )
        sentence = "" if is_round else play_in_words(
            step.event, number=step.number, state=state, people=people, table=table
        )  # fmt: skip
        if is_round:
            yield Line(
                str(played), contract_code(contracts[played - 1]) if contracts else "", cells, is_round=True
            )
        elif isinstance(step.event, PlayerReentered):
            yield Line("", cells=cells)
        else:
            yield Line("", cells=cells if step.moved else (), sentence=sentence)


def _side_by_side(lines: Iterable[Line]) -> Iterator[Line]:
    """Merge consecutive re-entries into one line, in which each re-entry is in its player's column."""
    waiting: Line | None = None
    for line in lines:
        if waiting is not None and line.is_reentry:
            pairs = zip(waiting.cells, line.cells, strict=True)
            waiting = Line("", cells=tuple(one if one.total else other for one, other in pairs))
            continue
        if waiting is not None:
            yield waiting
        waiting = line if line.is_reentry else None
        if waiting is None:
            yield line
    if waiting is not None:
        yield waiting


def _last_written(state: GameState, columns: Sequence[Sequence[str]]) -> list[int]:
    """Return, for each column of the sheet, the index in `state.steps` of the last change of its total.

    All earlier totals of the column are struck out. `columns` has a list for each step of the state: the ids
    of the players in the seats at that step.
    """
    last = [0] * len(state.players)
    for place, step in enumerate(state.steps):
        for seat, seated in enumerate(columns[place]):
            if seated in step.moved:
                last[seat] = place
    return last


def _written(step: Step, player: str, table: Table, *, is_struck: bool) -> Written:
    if player not in step.moved:
        return Written()
    is_back = isinstance(step.event, PlayerReentered)
    return Written(
        points="" if is_back else points(step.moved[player], signed=not isinstance(step.event, RoundPlayed)),
        total=points(step.totals[player]),
        fee=money(step.fee, table) if is_back and step.fee else "",
        is_struck=is_struck,
        is_closer=isinstance(step.event, RoundPlayed) and _entry(step).closer == player,
        is_back=is_back,
    )


def _entry(step: Step) -> RoundEntry:
    assert isinstance(step.event, RoundPlayed)
    return step.event.entry
