"""Reading and playing game files (NOTATION.md).

A line is a statement (what happened in the game), an expectation (`expect …`, a fact to be checked), or a
refusal (`refuse …`, a statement that the rules should refuse). The first lines form event 1, the head. A row
is the number of a line and its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile

from ..admission import admit
from ..endings import ways_to_stop
from ..errors import NotationError, Refusal, RuleError, ScoringError, UnreadableLine
from ..events import Event, GameStarted, RulesAgreed, Stop
from ..replay import extend, replay
from ..state import GameState
from ..variants import find_variant
from ..words import _
from .expectations import Expectation, read_expectation
from .notation import how_to_stop, read_line, read_night, read_players, read_rules, split_line, started
from .plain import Row, rows_of

_NO_HEAD = _("A file must begin with a game line and a players line.")
NIGHT = (
    "night",
    "players",
    "places",
    "totals",
    "nets",
    "note",
)  # the first words of the lines of an old notebook's night, in order


@dataclass(frozen=True)
class Line:
    """One line of a game file: its events, its expectation, or the statement to be refused (`refused_text`).

    `number` is the line's number. `refusal` is the error if the rules already refused the line's options
    while it was read.
    """

    number: int
    events: tuple[Event, ...] = ()
    expectation: Expectation | None = None
    refused_text: str | None = None
    refusal: RuleError | None = None


@dataclass(frozen=True)
class Problem:
    """A problem at the line with the number `line`, as an English sentence (`text`).

    `refusal` is the error of the rules. It is None for an expectation that does not hold, and for a statement
    that should be refused and is allowed.
    """

    line: int
    text: str
    refusal: RuleError | None = None


@dataclass
class Played:
    """The result of playing a file: the log, the state after it, and the problems.

    `state` is None if event 1 failed.
    """

    log: tuple[Event, ...] = ()
    state: GameState | None = None
    problems: list[Problem] = field(default_factory=list)


def read_script(text: str) -> tuple[Line, ...]:
    """Return the lines of a game file. Raise UnreadableLine at the first line that fits no form."""
    return script_of(list(rows_of(text)))


def script_of(rows: Sequence[Row], *, first: int = 1) -> tuple[Line, ...]:
    """Return the lines of a game, given as rows: each the number of a line and its text.

    `first` is the line number to report if there are no rows.

    Raise UnreadableLine at the first line that fits no form.
    """
    if not rows:
        raise UnreadableLine(first, NotationError(_NO_HEAD))
    length = _head_length(rows)
    read_head = _night if _words(rows[:1]) == NIGHT[:1] else _head
    head = read_head(rows[:length])
    return (head, *(_line(number, row, head) for number, row in rows[length:]))


def play_script(lines: Sequence[Line]) -> Played:
    """Play the lines of a file one after the other, and return the game and the problems.

    A statement that the rules refuse ends the play; an expectation that does not hold is only noted.
    """
    played = Played()
    for line in lines:
        try:
            problem = _play(played, line)
        except RuleError as refusal:
            played.problems.append(Problem(line.number, str(refusal), refusal))
            if line.expectation is None:
                break
        else:
            if problem:
                played.problems.append(Problem(line.number, problem))
    return played


def _head_length(rows: Sequence[Row]) -> int:
    """Return the number of lines at the head of the file, which form event 1.

    For a game these are two, `game` and `players`. For the night of an old notebook they are all lines that
    begin with the words of `NIGHT`, in this order; the last three words may be missing.
    """
    if _words(rows[:1]) != NIGHT[:1]:
        return 2
    to_come = iter(NIGHT)
    return len(list(takewhile(lambda word: word in to_come, _words(rows))))


def _words(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the first word of each row."""
    return tuple(re.split("[ \t#;]", row, maxsplit=1)[0] for _number, row in rows)


def _night(rows: Sequence[Row]) -> Line:
    """Return one Line, with event 1, for all lines at the head that give an old notebook's night."""
    lines = []
    for number, row in rows:
        with at_line(number):
            statements = split_line(row)
            if len(statements) != 1:
                raise NotationError(_("A semicolon has no statement beside it."))
            lines.append(statements[0])
    number = rows[-1][0]
    with at_line(number):
        return Line(number, events=(read_night(lines),))


def _head(rows: Sequence[Row]) -> Line:
    """Return one Line, with event 1, for the `game` line and the `players` line together."""
    if len(rows) < 2:
        raise UnreadableLine(rows[-1][0], NotationError(_NO_HEAD))
    (first, game), (second, players) = rows
    agreed: RulesAgreed | RuleError  # refused options are not raised before the players were read
    with at_line(first):
        try:
            agreed = read_rules(_behind("game", game))
        except RuleError as refusal:
            agreed = refusal
    with at_line(second):
        seating = read_players(_behind("players", players))
    if isinstance(agreed, RuleError):
        return Line(first, refusal=agreed)
    return Line(second, events=(started(agreed, seating),))


def _behind(word: str, row: str) -> list[str]:
    """Return the words of the line `row` after its first, which must be `word`.

    Raise NotationError if it is another word, or if the line has several statements.
    """
    statements = split_line(row)
    if len(statements) != 1 or statements[0][0] != word:
        raise NotationError(_("This line should begin with “{word}”.", word=word))
    return statements[0][1:]


def _line(number: int, row: str, head: Line) -> Line:
    word, _blank, rest = row.replace("\t", " ").partition(" ")
    with at_line(number):
        if word == "refuse":
            if not rest.partition("#")[0].strip():
                raise NotationError(_("There is nothing to refuse."))
            return Line(number, refused_text=rest)
        if word == "expect":
            return Line(number, expectation=read_expectation(_behind("expect", row)))
        if row.split() == ["stop"]:
            raise NotationError(how_to_stop(_ways_to_stop(head)))
        try:
            return Line(number, events=read_line(row))
        except RuleError as refusal:
            return Line(number, refusal=refusal)


def _ways_to_stop(head: Line) -> tuple[Stop, ...]:
    match head.events:
        case (GameStarted(variant=key, options=options),):
            variant = find_variant(key)
            return ways_to_stop(variant.build(variant.house(dict(options))))
        case _:
            return tuple(Stop)


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Turn a NotationError in the `with` block into an UnreadableLine with this line number."""
    try:
        yield
    except NotationError as error:
        raise UnreadableLine(number, error) from None


def _play(played: Played, line: Line) -> str:
    """Play one line, and add its events to `played`.

    Return a sentence if an expectation does not hold, or if a statement that should be refused is allowed;
    otherwise "". Raise RuleError if the rules refuse the line.
    """
    if line.refusal is not None:
        raise line.refusal
    if played.state is None:
        state = replay(line.events)
        admit((), line.events)
        played.state, played.log = state, line.events
    elif line.expectation is not None:
        return line.expectation.failure(played.state)
    elif line.refused_text is not None:
        return _not_refused(played.state, played.log, line.refused_text)
    else:
        played.state = _entered(played.state, played.log, line.events)
        played.log += line.events
    return ""


def _entered(state: GameState, log: tuple[Event, ...], events: tuple[Event, ...]) -> GameState:
    """Return the state after `events` follow `log`; `state` is the state after `log`.

    Raise RuleError if the replay or the checks of new events (`admission`) refuse an event.
    """
    after = extend(state, log, events)
    admit(log, events)
    return after


def _not_refused(state: GameState, log: tuple[Event, ...], text: str) -> str:
    try:
        _entered(state, log, read_line(text))
    except ScoringError as refusal:
        if refusal.code is Refusal.TOO_MUCH:
            raise
        return ""
    return f"expected a refusal, but the rules allow: {text.strip()}"
