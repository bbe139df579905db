"""Reading and playing game files (NOTATION.md).

A line is a statement (what happened in the game), an expectation (`expect …`, a fact to be checked), or a
refusal (`refuse …`, a statement that the rules should refuse). The first lines, the head, form event 1. A row
is the number of a line and its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile

from ..bound_rules import build_bound_rules
from ..cards import NO_CARDS, advise_cards
from ..endings import allowed_stops
from ..errors import NotationError, RefusalCode, RuleError, ScoringError, UnreadableLine
from ..events import Event, GameStarted, RulesAgreed, Stop
from ..frozen import Frozen
from ..i18n import _
from ..replay import extend, replay
from ..rule_types import Rules
from ..state import GameState
from ..validation import check_texts
from ..variants import get_variant
from .advice import advise
from .expectations import Expectation, parse_expectation
from .file_lines import Row, first_word, numbered_lines
from .notation import (
    build_start,
    parse_line,
    parse_night,
    parse_players,
    parse_rules,
    split_line,
    stop_sentence,
)

_NO_HEAD = _("A file must start with a game line and a players line.")
# The first words of the lines of an old notebook's night, in order.
NIGHT_WORDS = ("night", "players", "places", "totals", "nets", "note")


@dataclass(frozen=True, eq=False, repr=False)
class GameFileLine(Frozen):
    """One line of a game file: its events, its expectation, or the statement to be refused (`refused_text`).

    `number` is the line's number. `refusal` is the error if the rules already refused the line's options
    while it was read.
    """

    number: int
    events: tuple[Event, ...] = ()
    expectation: Expectation | None = None
    refused_text: str | None = None
    refusal: RuleError | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Frozen):
    """A problem at the line with the number `line`, as an English sentence (`text`).

    `refusal` is the RuleError that the line raised. It is None for an expectation that does not hold, and for
    a statement that should be refused but is allowed.
    """

    line: int
    text: str
    refusal: RuleError | None = None


@dataclass
class GameFileResult:
    """The result of playing a file: the log, the state after it, and the problems.

    `state` is None if event 1 failed.
    """

    log: tuple[Event, ...] = ()
    state: GameState | None = None
    problems: list[Problem] = field(default_factory=list)


def parse_game_file(text: str) -> tuple[GameFileLine, ...]:
    """Return the lines of a game file. Raise UnreadableLine at the first line that fits no form."""
    return parse_rows(list(numbered_lines(text)))


def parse_rows(rows: Sequence[Row], *, first: int = 1) -> tuple[GameFileLine, ...]:
    """Return the lines of a game, given as rows: each the number of a line and its text.

    `first` is the line number to report if there are no rows.

    Raise UnreadableLine at the first line that fits no form.
    """
    if not rows:
        raise UnreadableLine(first, NotationError(_NO_HEAD))
    length = _head_length(rows)
    read_head = _parse_night_head if _is_night(rows) else _parse_game_head
    head = read_head(rows[:length])
    rules = _rules(head)
    return (head, *(_parse_game_line(number, row, rules) for number, row in rows[length:]))


def play_game_file(lines: Sequence[GameFileLine]) -> GameFileResult:
    """Play the lines of a file one after the other, and return the game and the problems.

    A statement that the rules refuse ends the play. An expectation that does not hold is only noted.
    """
    played = GameFileResult()
    for line in lines:
        try:
            problem = _play_line(played, line)
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
    begin with the words of `NIGHT_WORDS`, in this order; the last three words may be missing.
    """
    if not _is_night(rows):
        return 2
    to_come = iter(NIGHT_WORDS)
    return len(list(takewhile(lambda row: first_word(row[1]) in to_come, rows)))


def _is_night(rows: Sequence[Row]) -> bool:
    return first_word(rows[0][1]) == NIGHT_WORDS[0]


def _parse_night_head(rows: Sequence[Row]) -> GameFileLine:
    """Return one GameFileLine, with event 1, for all the head lines of an old notebook's night."""
    lines = []
    for number, row in rows:
        with at_line(number):
            statements = split_line(row)
            if len(statements) != 1:
                raise NotationError(_("A semicolon has no statement next to it."))
            lines.append(statements[0])
    number = rows[-1][0]
    with at_line(number):
        return GameFileLine(number, events=(parse_night(lines),))


def _parse_game_head(rows: Sequence[Row]) -> GameFileLine:
    """Return one GameFileLine, with event 1, for the `game` line and the `players` line together."""
    if len(rows) < 2:
        raise UnreadableLine(rows[-1][0], NotationError(_NO_HEAD))
    (first, game), (second, players) = rows
    agreed: RulesAgreed | RuleError  # kept: a malformed players line is reported first
    with at_line(first):
        try:
            agreed = parse_rules(_words_after("game", game))
        except RuleError as refusal:
            agreed = refusal
    with at_line(second):
        seating = parse_players(_words_after("players", players))
    if isinstance(agreed, RuleError):
        return GameFileLine(first, refusal=agreed)
    return GameFileLine(second, events=(build_start(agreed, seating),))


def _words_after(word: str, row: str) -> list[str]:
    """Return the words of the line `row` after its first, which must be `word`.

    Raise NotationError if the first word is another one, or if the line has several statements.
    """
    statements = split_line(row)
    if len(statements) != 1 or statements[0][0] != word:
        raise NotationError(_("This line should start with “{word}”.", word=word))
    return statements[0][1:]


def _parse_game_line(number: int, row: str, rules: Rules | None) -> GameFileLine:
    """Return a line below the head; `rules` are those of the game, None if the head has none."""
    word, _blank, rest = row.replace("\t", " ").partition(" ")
    with at_line(number), advise_cards(NO_CARDS if rules is None else rules.deck):
        if word == "refuse":
            if not rest.partition("#")[0].strip():
                raise NotationError(_("There is nothing to refuse."))
            return GameFileLine(number, refused_text=rest)
        if word == "expect":
            return GameFileLine(number, expectation=parse_expectation(_words_after("expect", row)))
        if row.split() == ["stop"]:
            raise NotationError(stop_sentence(tuple(Stop) if rules is None else allowed_stops(rules)))
        try:
            return GameFileLine(number, events=parse_line(row))
        except RuleError as refusal:
            return GameFileLine(number, refusal=refusal)


def _rules(head: GameFileLine) -> Rules | None:
    """Return the rules of the game with this head; None for a night, or a head that the rules refuse."""
    match head.events:
        case (GameStarted(variant=key, options=options),):
            variant = get_variant(key)
            return build_bound_rules(variant, variant.house(dict(options))).rules
        case _:
            return None


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Turn a NotationError in the `with` block into an UnreadableLine with this line number."""
    try:
        yield
    except NotationError as error:
        raise UnreadableLine(number, error) from None


def _play_line(played: GameFileResult, line: GameFileLine) -> str:
    """Play one line, and add its events to `played`.

    Return a sentence if an expectation does not hold, or if a statement that should be refused is allowed;
    otherwise "". Raise RuleError if the rules refuse the line.
    """
    if line.refusal is not None:
        raise line.refusal
    if played.state is None:
        state = replay(line.events)
        check_texts((), line.events)
        played.state, played.log = state, line.events
    elif line.expectation is not None:
        return line.expectation.failure(played.state)
    elif line.refused_text is not None:
        return _missing_refusal(played.state, played.log, line.refused_text)
    else:
        played.state = _extend_checked(played.state, played.log, line.events)
        played.log += line.events
    return ""


def _extend_checked(state: GameState, log: tuple[Event, ...], events: tuple[Event, ...]) -> GameState:
    """Return the state after `events` follow `log`; `state` is the state after `log`.

    Raise RuleError if the replay or the checks of new events (`validation`) refuse an event.
    """
    try:
        after = extend(state, log, events)
    except RuleError as refusal:
        raise advise(log, events, refusal) from None
    check_texts(log, events)
    return after


def _missing_refusal(state: GameState, log: tuple[Event, ...], text: str) -> str:
    try:
        _extend_checked(state, log, parse_line(text))
    except ScoringError as refusal:
        if refusal.code is RefusalCode.TOO_MUCH:
            raise
        return ""
    return f"expected a refusal, but the rules allow: {text.strip()}"
