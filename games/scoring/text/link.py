"""A game encoded in the fragment of a link, the part behind `#` (NOTATION.md, As a link)."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace

from ..errors import LineError, NotationError, RuleError
from ..events import Event, GameStarted, Log, RoundPlayed, effective
from ..kinds import Rules
from ..replay import replay
from ..rounds import Hand, RoundEntry
from ..state import GameState
from ..words import _
from .report import hand_points
from .script import Played, play_script, read_script
from .writing import write_game

VERSION = "1"
LONGEST = 20_000  # characters; also in static/notebook/linked.js
LARGEST = 100_000  # bytes of notation; also in static/notebook/linked.js

CUT = _("This link is incomplete. Copy the whole link as you received it.")
NEWER = _("This link is from a newer version of Anotador.")
TOO_LARGE = _("This link is too large to be a game.")
CHANGED = _("This link was changed. Ask for it again.")


def write_link(log: Log) -> str:
    """Return the game as a link's fragment: a version digit, and the notation compressed and in base64.

    The last line of the notation has the totals, so that a page can show them before the engine runs.
    """
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return VERSION + _letters(packer.compress(_notation(log).encode()) + packer.flush())


def read_link(part: str) -> tuple[Log, GameState]:
    """Return the log of the game in a link's fragment `part`, and the state after it.

    Raise ScoringError for a fragment that `write_link` would not have written: a game has only one fragment.
    """
    text = _text_of(part)
    try:
        played = play_script(read_script(text))
    except LineError:
        raise NotationError(CHANGED) from None
    log, state = _checked(played)
    if _notation(log) != text:
        raise NotationError(CHANGED)
    return log, state


def with_points(log: Log) -> Log | None:
    """Return a log of the game with corrections applied and points instead of cards, for a shorter link.

    Return None if the totals would differ, as they may where players place cards on others' melds.
    """
    state = replay(log)
    try:
        events = tuple(_with_points(event, state.rules) for _number, event in effective(log))
        totals = [player.total for player in replay(events).players]
    except RuleError:
        return None
    return events if totals == [player.total for player in state.players] else None


def _notation(log: Log) -> str:
    """Return the game as text (NOTATION.md), with every option named and a last line with the totals."""
    totals = " ".join(f"{player.id}={player.total}" for player in replay(log).players)
    # Event 1 of an older game may lack newer options. Writing and reading the game adds them.
    whole = tuple(event for line in read_script(write_game(log)) for event in line.events)
    return f"{write_game(whole)}expect totals {totals}\n"


def _letters(packed: bytes) -> str:
    return urlsafe_b64encode(packed).decode().rstrip("=")


def _text_of(part: str) -> str:
    """Return the game's text (NOTATION.md) that the fragment `part` of a link encodes.

    Raise NotationError if the fragment is damaged, or if the text is larger than `LARGEST` bytes; a larger
    text is not decompressed to its end.
    """
    if len(part) > LONGEST:
        raise NotationError(TOO_LARGE)
    if part[:1] != VERSION:
        raise NotationError(NEWER if part[:1].isdigit() and part[:1] > VERSION else CUT)
    reader = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        packed = urlsafe_b64decode(part[1:] + "=" * (-len(part[1:]) % 4))
        data = reader.decompress(packed, LARGEST + 1)
        text = data.decode()
    except (ValueError, zlib.error):
        raise NotationError(TOO_LARGE if reader.unconsumed_tail else CUT) from None
    if len(data) > LARGEST:
        raise NotationError(TOO_LARGE)
    if not reader.eof:
        raise NotationError(CUT)
    if reader.unused_data or _letters(packed) != part[1:]:
        raise NotationError(CHANGED)
    return text


def _checked(played: Played) -> tuple[Log, GameState]:
    for problem in played.problems:
        raise problem.refusal or NotationError(CHANGED)
    if played.state is None or not isinstance(played.log[0], GameStarted):
        raise NotationError(CHANGED)
    return played.log, played.state


def _with_points(event: Event, rules: Rules) -> Event:
    if not isinstance(event, RoundPlayed):
        return event
    entry = event.entry
    hands = tuple((player, _counted(hand, rules)) for player, hand in entry.hands)
    return RoundPlayed(RoundEntry(entry.closer, entry.closing, hands))


def _counted(hand: Hand, rules: Rules) -> Hand:
    if hand.points is not None:
        return hand
    return Hand(points=hand_points(rules, replace(hand, bought=0)), bought=hand.bought)
