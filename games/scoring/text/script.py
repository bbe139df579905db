"""Reading and playing game files (NOTATION.md): statements, expectations and refusals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TypeAlias

from ..admission import admit
from ..errors import NotationError, Refusal, RuleError, ScoringError, UnreadableLine
from ..events import Event, RulesAgreed
from ..replay import extend, replay
from ..state import GameState
from ..words import _
from .expectations import Expectation, read_expectation
from .notation import read_line, read_night, read_players, read_rules, split_line, started

Row: TypeAlias = tuple[int, str]  # the number of a line in its file, and its text

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
    """One line of a game file: events, an expectation, or a statement that the rules should refuse.

    `refusal` is set if the rules already refused the line's options while it was read.
    """

    number: int
    events: tuple[Event, ...] = ()
    expectation: Expectation | None = None
    refused_text: str | None = None
    refusal: RuleError | None = None


@dataclass(frozen=True)
class Problem:
    """A problem at a line, as an English sentence.

    `refusal` is the error of the rules, None for a failed expectation.
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
    return script_of(list(rows_of(text.split("\n"))))


def rows_of(lines: Iterable[str]) -> Iterator[Row]:
    """Yield the number and the text of each line that is neither blank nor a comment."""
    for number, line in enumerate(lines, start=1):
        row = line.strip(" \t\r\n")
        if row and not row.startswith("#"):
            yield number, row


def script_of(rows: Sequence[Row], *, first: int = 1) -> tuple[Line, ...]:
    """Return the lines of a game, given as rows; `first` is the line number to report if there are no rows.

    Raise UnreadableLine at the first line that fits no form.
    """
    if not rows:
        raise UnreadableLine(first, NotationError(_NO_HEAD))
    length = _head_length(rows)
    read_head = _night if _words(rows[:1]) == NIGHT[:1] else _head
    return (read_head(rows[:length]), *(_line(number, row) for number, row in rows[length:]))


def play_script(lines: Sequence[Line]) -> Played:
    """Play a file line by line.

    A refused statement ends the play; a failed expectation does not.
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
    """Return the number of lines that form event 1.

    A game has two. The night of an old notebook has as many as begin with the words of `NIGHT` in their
    order.
    """
    if _words(rows[:1]) != NIGHT[:1]:
        return 2
    to_come = iter(NIGHT)
    return len(list(takewhile(lambda word: word in to_come, _words(rows))))


def _words(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the first word of each row."""
    return tuple(re.split("[ \t#;]", row, maxsplit=1)[0] for _number, row in rows)


def _night(rows: Sequence[Row]) -> Line:
    """Return one Line for the lines of an old notebook's night, which form event 1 together."""
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
    """Return one Line for the game line and the players line, which form event 1 together."""
    if len(rows) < 2:
        raise UnreadableLine(rows[-1][0], NotationError(_NO_HEAD))
    (first, game), (second, players) = rows
    with at_line(first):
        agreed = _rules_or_refusal(_behind("game", game))
    with at_line(second):
        seated = read_players(_behind("players", players))
    if isinstance(agreed, RuleError):
        return Line(first, refusal=agreed)
    return Line(second, events=(started(agreed, seated),))


def _rules_or_refusal(words: Sequence[str]) -> RulesAgreed | RuleError:
    """Return the rules of a game line, or the error that refuses them.

    The error is not raised, because the players line is read in both cases.
    """
    try:
        return read_rules(words)
    except RuleError as refusal:
        return refusal


def _behind(word: str, row: str) -> list[str]:
    """Return the words after `word`. Raise NotationError if the row does not begin with it."""
    statements = split_line(row)
    if len(statements) != 1 or statements[0][0] != word:
        raise NotationError(_("This line should begin with “{word}”.", word=word))
    return statements[0][1:]


def _line(number: int, row: str) -> Line:
    word, _blank, rest = row.replace("\t", " ").partition(" ")
    with at_line(number):
        if word == "refuse":
            if not rest.partition("#")[0].strip():
                raise NotationError(_("There is nothing to refuse."))
            return Line(number, refused_text=rest)
        if word == "expect":
            return Line(number, expectation=read_expectation(_behind("expect", row)))
        try:
            return Line(number, events=read_line(row))
        except RuleError as refusal:
            return Line(number, refusal=refusal)


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Turn a NotationError into an UnreadableLine with this number."""
    try:
        yield
    except NotationError as error:
        raise UnreadableLine(number, error) from None


def _play(played: Played, line: Line) -> str:
    """Play one line and add it to `played`. Return the failure as a sentence, "" if there is none.

    Raise RuleError if the rules refuse the line.
    """
    if line.refusal is not None:
        raise line.refusal
    if played.state is None:
        state = replay(line.events)
        admit((), line.events, state)
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
    """Return the state after `events`.

    Raise RuleError if the replay or the checks for new entries refuse an event.
    """
    after = extend(state, log, events)
    admit(log, events, after)
    return after


def _not_refused(state: GameState, log: tuple[Event, ...], text: str) -> str:
    try:
        _entered(state, log, read_line(text))
    except ScoringError as refusal:
        if refusal.code is Refusal.TOO_MUCH:
            raise
        return ""
    return f"expected a refusal, but the rules allow: {text.strip()}"
