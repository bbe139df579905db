"""The scoresheet: a column for each seat, a row for each round, a line for whatever else happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.messages import translate
from games.models import Game
from games.scoring.columns import sitting
from games.scoring.events import (
    GameStarted,
    Inserted,
    Log,
    PlayerReentered,
    RoundPlayed,
    corrected_numbers,
)
from games.scoring.ledger import places
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.state import GameState, PlayerState, RoundResult, Seat, Step
from games.shown.amounts import money, points
from games.shown.people import Person
from games.shown.words import People, play_in_words

NARROW = 4  # up to so many columns a re-entry fits into its own cell
# Where the meter turns yellow and red, as shares of the limit.
LOW, HIGH = 0.75, 0.85


@dataclass(frozen=True)
class Meter:
    """How near a total is to the limit."""

    limit: int
    low: int
    high: int
    value: int


@dataclass(frozen=True)
class Column:
    """A seat: who sits there, his total, and what he can still be caught with (margin)."""

    person: Person
    total: str
    tags: tuple[str, ...]
    margin: str
    meter: Meter | None
    is_in: bool
    is_gone: bool
    is_leading: bool
    is_close: bool


@dataclass(frozen=True)
class Cell:
    """One figure of a round, or of a re-entry with its fee below; empty where nothing moved."""

    text: str = ""
    below: str = ""
    href: str = ""
    label: str = ""
    marks: str = ""


@dataclass(frozen=True)
class Row:
    """A round with its cells, a re-entry in its own cell, or a line that says something; `href` opens it."""

    head: str
    cells: tuple[Cell, ...] = ()
    sentence: str = ""
    href: str = ""
    is_reentry: bool = False
    is_corrected: bool = False


@dataclass(frozen=True)
class Sheet:
    """The whole scoresheet."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    limit: int | None


def sheet_of(game: Game, log: Log, state: GameState, people: People) -> Sheet:
    """The sheet of a game as it stands."""
    return Sheet(
        columns=tuple(_column(state, player, people[player.id]) for player in state.players),
        rows=tuple(_rows(game, log, state, people)),
        limit=state.rules.out_at,
    )


def margin_in_words(state: GameState, total: int) -> str:
    """How many points a player can still take and stay in; "" in games nobody is out of."""
    if state.rules.out_at is None:
        return ""
    left = state.rules.out_at - 1 - total
    return ngettext("%(points)s left", "%(points)s left", left) % {"points": points(left)}


def _column(state: GameState, player: PlayerState, person: Person) -> Column:
    meter = _meter(state, player)
    return Column(
        person=person,
        total=points(player.total),
        tags=tuple(_tags(state, player)),
        margin=_margin(state, player),
        meter=meter,
        is_in=player.is_in,
        is_gone=player.seat in (Seat.OUT, Seat.LEFT),
        is_leading=_is_leading(state, player),
        is_close=meter is not None and meter.value >= meter.high,
    )


def _meter(state: GameState, player: PlayerState) -> Meter | None:
    limit = state.rules.out_at
    if limit is None or not player.is_in or state.is_over:
        return None
    return Meter(limit, int(limit * LOW), ceil(limit * HIGH), player.total)


def _margin(state: GameState, player: PlayerState) -> str:
    match player.seat:
        case Seat.IN:
            return "" if state.is_over else margin_in_words(state, player.total)
        case Seat.PENDING:
            return _("bust")
        case Seat.OUT:
            return _("out")
        case Seat.LEFT:
            return _("went home")


def _tags(state: GameState, player: PlayerState) -> Iterator[str]:
    if state.dealer == player.id:
        yield _("deals")
    if player.reentries:
        yield ngettext("%(count)s re-ent.", "%(count)s re-ents.", player.reentries) % {
            "count": player.reentries
        }


def _is_leading(state: GameState, player: PlayerState) -> bool:
    if not state.rounds or not player.is_in:
        return False
    return places(state)[player.id] == 1


def _rows(game: Game, log: Log, state: GameState, people: People) -> Iterator[Row]:
    corrected = corrected_numbers(log)
    rounds = {result.number: (place, result) for place, result in enumerate(state.rounds, start=1)}
    for step, columns in zip(state.steps, sitting(state), strict=True):
        if isinstance(step.event, GameStarted):
            continue
        if isinstance(step.event, RoundPlayed):
            place, result = rounds[step.number]
            changed = _changed_hands(log, result) if step.number in corrected else frozenset()
            yield _round(game, people, columns, place, result, changed)
        else:
            yield _line(game, state, people, columns, step, is_corrected=step.number in corrected)


def _changed_hands(log: Log, result: RoundResult) -> frozenset[str]:
    """The players whose hand, or whose going out, is not what was recorded first."""
    first = log[result.number - 1]
    recorded = first.event if isinstance(first, Inserted) else first
    if not isinstance(recorded, RoundPlayed):
        return frozenset(result.points)
    return frozenset(
        player
        for player in result.points
        if _part_of(recorded.entry, player) != _part_of(result.entry, player)
    )


def _part_of(entry: RoundEntry, player: str) -> tuple[Hand | None, str]:
    """What a round says of one player: his hand, and how he closed it."""
    return entry.hand_of(player), entry.closing if entry.closer == player else ""


def _round(
    game: Game,
    people: People,
    columns: Sequence[str],
    place: int,
    result: RoundResult,
    changed: frozenset[str],
) -> Row:
    href = reverse("correct", args=[game.code, result.number])
    cells = tuple(
        _figure(people[player], f"{href}?hand={player}", place, result, is_changed=player in changed)
        if player in result.points
        else Cell()
        for player in columns
    )
    return Row(head=str(place), cells=cells, href=href, is_corrected=bool(changed))


def _figure(person: Person, href: str, place: int, result: RoundResult, *, is_changed: bool) -> Cell:
    moved = points(result.points[person.id])
    label = _("%(name)s, round %(number)s: %(points)s, correct") % {
        "name": person.name,
        "number": place,
        "points": moved,
    }
    doubts = [translate(doubt.text) for doubt in result.doubts if doubt.player == person.id]
    marks = {"cut": result.closer == person.id, "fixed": is_changed, "odd": bool(doubts)}
    return Cell(
        text=moved,
        href=href,
        label=". ".join((label, *doubts)),
        marks=" ".join(mark for mark, applies in marks.items() if applies),
    )


def _line(
    game: Game, state: GameState, people: People, columns: Sequence[str], step: Step, *, is_corrected: bool
) -> Row:
    sentence = play_in_words(step.event, number=step.number, state=state, people=people, table=game.table)
    href = reverse("correct", args=[game.code, step.number])
    if not isinstance(step.event, PlayerReentered):
        return Row(head="", sentence=sentence, href=href, is_corrected=is_corrected)
    player = step.event.player
    back = _("with %(total)s") % {"total": points(step.totals[player])}
    said = f"{sentence} · {back}"
    if len(columns) > NARROW:
        return Row(head="", sentence=said, href=href, is_reentry=True, is_corrected=is_corrected)
    fee = money(step.fee, game.table) if state.rules.pot else ""
    cells = tuple(
        Cell(text=back, below=fee, href=href, label=said) if seated == player else Cell()
        for seated in columns
    )
    return Row(head="", cells=cells, href=href, is_reentry=True, is_corrected=is_corrected)
