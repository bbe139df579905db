"""Writing a game as text (NOTATION.md); reading the text gives the same game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from .. import events
from ..errors import RuleError
from ..replay import extend, replay
from ..rounds import Hand, RoundEntry
from ..variants import get_variant


def write_game(log: events.Log) -> str:
    """Return the whole log as text, one statement a line.

    NOTATION requires that the rules allow the game after every line. So statements that are allowed only
    together share a line, such as a correction and a re-entry that it makes necessary.
    """
    first = log[0]
    assert isinstance(first, events.GameStarted | events.NightImported)
    lines = [*write_start(first)]
    state = replay(log[:1])
    begin = 1
    for end in range(2, len(log) + 1):
        try:
            state = extend(state, log[:begin], log[begin:end])
        except RuleError:
            continue
        lines.append(" ; ".join(write_event(event) for event in log[begin:end]))
        begin = end
    assert begin == len(log), "a log that replays ends with a line that does"
    return "\n".join(lines) + "\n"


def write_start(event: events.GameStarted | events.NightImported) -> tuple[str, ...]:
    """Return event 1 as the lines at the head of a file; for a game, they name every option stored in it."""
    if isinstance(event, events.NightImported):
        return _night(event)
    agreed = events.RulesAgreed(event.variant, event.options, event.dealer, event.direction)
    return _rules(agreed), _players(events.PlayersSeated(event.players))


def write_event(event: events.Event) -> str:
    """Return the event as one statement, such as `leave ana`."""
    match event:
        case events.GameStarted() | events.NightImported():
            return " / ".join(write_start(event))
        case events.RoundPlayed(entry):
            return _round(entry)
        case events.PlayerReentered(player):
            return f"reenter {player}"
        case events.PlayerStayedOut(player):
            return f"stay_out {player}"
        case events.PlayerLeft(player):
            return f"leave {player}"
        case events.PlayerJoined(player=newcomer, after=after):
            return f"join {_player(newcomer)}" + (f" after={after}" if after else "")
        case events.SeatHandedOver(player, to):
            return f"replace {player} by {_player(to)}"
        case events.PointsAdjusted(player, points, reason):
            return f'adjust {player}={points:+d} "{reason}"'
        case events.DealPassed(player):
            return f"deal {player}"
        case events.GameStopped(how):
            return f"stop {how}"
        case events.WinnersNamed(players):
            return " ".join(("won", *players))
        case events.TotalsAgreed(totals):
            return _numbers("agree", totals)
        case events.Corrected(number, corrected):
            return f"correct {number} {_correction(corrected)}"
        case events.Inserted(number, inserted):
            return f"before {number} {write_event(inserted)}"
        case events.Struck(number):
            return f"strike {number}"
        case _:
            assert_never(event)


def write_hand(hand: Hand) -> str:
    """Return the hand in the form that `parse_hand` reads."""
    bought = f"+{hand.bought}" if hand.bought else ""
    if hand.points is not None:
        return f"{hand.points}{bought}"
    melds = "".join("{" + " ".join(map(str, meld)) + "}" for meld in hand.melds)
    cards = "" if hand.held is None else f"[{' '.join(map(str, hand.held))}]"
    return f"{melds}{cards}{bought}"


def _correction(event: events.PlayEvent | events.Amendment) -> str:
    if isinstance(event, events.RulesAgreed):
        return _rules(event)
    return _players(event) if isinstance(event, events.PlayersSeated) else write_event(event)


def _rules(agreed: events.RulesAgreed) -> str:
    lines = get_variant(agreed.variant).text_option_keys
    tokens = ["game", agreed.variant]
    tokens += (f'{key}="{value}"' if key in lines else f"{key}={value}" for key, value in agreed.options)
    if agreed.dealer:
        tokens.append(f"dealer={agreed.dealer}")
    return " ".join((*tokens, f"direction={agreed.direction}"))


def _players(seating: events.PlayersSeated) -> str:
    return " ".join(("players", *map(_player, seating.players)))


def _night(night: events.NightImported) -> tuple[str, ...]:
    numbers = {"places": night.places, "totals": night.totals, "nets": night.nets}
    return (
        f"night {night.variant}".rstrip(),
        _players(events.PlayersSeated(night.players)),
        *(_numbers(word, pairs) for word, pairs in numbers.items() if pairs),
        *([f'note "{night.note}"'] if night.note else []),
    )


def _numbers(word: str, pairs: Sequence[tuple[str, int]]) -> str:
    return " ".join((word, *(f"{player}={number}" for player, number in pairs)))


def _player(player: events.Player) -> str:
    return player.id if player.name == player.id else f'{player.id}="{player.name}"'


def _round(entry: RoundEntry) -> str:
    hands = (f"{player}={write_hand(hand)}" for player, hand in entry.hands)
    return " ".join(("round", entry.closer or "nobody", entry.closing, *hands))
