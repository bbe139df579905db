"""Events as stored JSON: a kind such as "round_played", and the event's fields as data.

Hands and cards are text. Stored events stay readable forever: a field may be added with a default, but no
field may change its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from ..errors import NotationError
from ..events import (
    Corrected,
    DealPassed,
    Event,
    GameStarted,
    GameStopped,
    Inserted,
    NightImported,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PlayersSeated,
    PlayerStayedOut,
    PointsAdjusted,
    RoundPlayed,
    RulesAgreed,
    SeatHandedOver,
    Stop,
    Struck,
    TotalsAgreed,
)
from ..i18n import _
from ..rounds import RoundEntry
from ..rule_types import Value
from .notation import parse_hand, parse_id
from .notation_writer import write_hand

T = TypeVar("T")
Data = dict[str, Any]
StoredEvent = Event | RulesAgreed | PlayersSeated

_FIRST_EVENT_PARTS = (RulesAgreed, PlayersSeated)  # valid only inside a correction of event 1

KINDS: Mapping[type[StoredEvent], str] = {
    GameStarted: "game_started",
    NightImported: "night_imported",
    RoundPlayed: "round_played",
    PlayerReentered: "player_reentered",
    PlayerStayedOut: "player_stayed_out",
    PlayerLeft: "player_left",
    PlayerJoined: "player_joined",
    SeatHandedOver: "seat_handed_over",
    PointsAdjusted: "points_adjusted",
    DealPassed: "deal_passed",
    GameStopped: "game_stopped",
    TotalsAgreed: "totals_agreed",
    RulesAgreed: "rules_agreed",
    PlayersSeated: "players_seated",
    Corrected: "corrected",
    Inserted: "inserted",
    Struck: "struck",
}
_EVENT_CLASSES: Mapping[str, type[StoredEvent]] = {kind: stored for stored, kind in KINDS.items()}


class FieldCodec(NamedTuple):
    """Two functions for a field of an event: one turns it into JSON, the other reads it again."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def event_kind(event: StoredEvent) -> str:
    """Return the stored name of the event's kind, such as "round_played"."""
    return KINDS[type(event)]


def to_data(event: StoredEvent) -> Data:
    """Return the event's fields as plain JSON values, without its kind."""
    match event:
        case Corrected(number, inner) | Inserted(number, inner):
            return {"number": number, "kind": event_kind(inner), "event": to_data(inner)}
        case RoundPlayed(entry):
            return _write_fields(entry)
        case NightImported(note=""):
            return {name: value for name, value in _write_fields(event).items() if name != "note"}
        case _:
            return _write_fields(event)


def from_data(kind: str, data: Data) -> Event:
    """Return the event of this kind with the fields `data`. Raise NotationError if these are malformed."""
    try:
        event = _read_event(kind, data)
        if isinstance(event, _FIRST_EVENT_PARTS):
            raise TypeError("it stands only inside a correction")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotationError(_("This is not an event of the kind “{kind}”.", kind=kind)) from error
    return event


def with_players(data: Data, players: Mapping[str, Player]) -> Data:
    """Return an event's data with its players replaced.

    `players` maps the ids in `data` to the new players. Players who are not in it stay.
    """

    def replace_player(player: Any) -> Any:
        slug = player["id"] if isinstance(player, dict) else player
        if slug not in players:
            return player  # a player who stays, or None if nobody closed
        return _player_to_data(players[slug]) if isinstance(player, dict) else players[slug].id

    result = dict(data)
    for name, value in data.items():
        if name in ("player", "to", "closer", "after", "dealer"):
            result[name] = replace_player(value)
        elif name == "players":
            result[name] = [replace_player(player) for player in value]
        elif name in ("hands", "totals", "places", "nets"):
            result[name] = [[replace_player(player), *rest] for player, *rest in value]
        elif name == "event":
            result[name] = with_players(value, players)
    return result


def _write_fields(content: StoredEvent | RoundEntry) -> Data:
    return {name: form.write(getattr(content, name)) for name, form in _FIELDS[type(content)].items()}


def _read_event(kind: str, data: Data) -> StoredEvent:
    event_class = _EVENT_CLASSES[kind]
    if event_class is Corrected or event_class is Inserted:
        return _read_correction(event_class, _whole(data["number"]), data["kind"], data["event"])
    if event_class is RoundPlayed:
        return RoundPlayed(RoundEntry(**_read_fields(RoundEntry, data)))
    if event_class is NightImported:
        data = {"note": "", **data}
    return event_class(**_read_fields(event_class, data))


def _read_fields(content: type[StoredEvent | RoundEntry], data: Data) -> Data:
    return {name: form.read(data[name]) for name, form in _FIELDS[content].items()}


def _read_correction(
    correction: type[Corrected | Inserted], number: int, kind: str, data: Data
) -> Corrected | Inserted:
    # Checked before reading, so that events cannot nest deeply.
    if kind in ("corrected", "inserted", "struck", "game_started", "night_imported"):
        raise TypeError("a correction puts in a plain event")
    inner: Any = _read_event(kind, data)
    if correction is Inserted and isinstance(inner, _FIRST_EVENT_PARTS):
        raise TypeError("options and players have one place, event 1")
    return correction(number, inner)


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("not a whole number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _value(value: object) -> Value:
    return value if isinstance(value, str) else _whole(value)


def _pairs(pairs: Sequence[tuple[str, Any]], read: Callable[[Any], T]) -> tuple[tuple[str, T], ...]:
    """Return (player, stored value) pairs, with each value converted by `read`.

    Raise ValueError if a player is named twice. The text of a game may not name anyone twice either.
    """
    values = {parse_id(player): read(value) for player, value in pairs}
    if len(values) != len(pairs):
        raise ValueError("somebody is named twice")
    return tuple(values.items())


def _player_to_data(player: Player) -> Data:
    return {"id": player.id, "name": player.name}


def _player(data: Data) -> Player:
    return Player(parse_id(data["id"]), _text(data["name"]))


def _agreed_totals(totals: Sequence[tuple[str, Any]]) -> tuple[tuple[str, int], ...]:
    if not totals:
        raise ValueError("nobody's total was agreed")
    return _pairs(totals, _whole)


def _lists(pairs: Iterable[tuple[str, Any]]) -> list[list[Any]]:
    return [list(pair) for pair in pairs]


_TEXT, _WHOLE, _STOP = FieldCodec(str, _text), FieldCodec(int, _whole), FieldCodec(str, Stop)
_PLAYER = FieldCodec(_player_to_data, _player)
_PLAYERS = FieldCodec(
    lambda players: [*map(_player_to_data, players)], lambda players: tuple(map(_player, players))
)
_NUMBERS, _TOTALS = (
    FieldCodec(_lists, lambda pairs: _pairs(pairs, _whole)),
    FieldCodec(_lists, _agreed_totals),
)
_OPTIONS = FieldCodec(_lists, lambda pairs: tuple([(_text(key), _value(value)) for key, value in pairs]))
_CLOSER = FieldCodec(lambda closer: closer, lambda closer: None if closer is None else parse_id(closer))
_HANDS = FieldCodec(
    lambda hands: [[player, write_hand(hand)] for player, hand in hands],
    lambda pairs: _pairs(pairs, parse_hand),
)
_AGREED = {"variant": _TEXT, "options": _OPTIONS, "dealer": _TEXT, "direction": _TEXT}

# The fields of each event that has no event inside, in the order they are stored.
_FIELDS: Mapping[type[StoredEvent | RoundEntry], Mapping[str, FieldCodec]] = {
    GameStarted: {**_AGREED, "players": _PLAYERS},
    NightImported: {
        "variant": _TEXT,
        "players": _PLAYERS,
        **dict.fromkeys(("places", "totals", "nets"), _NUMBERS),
        "note": _TEXT,
    },
    RoundEntry: {"closer": _CLOSER, "closing": _TEXT, "hands": _HANDS},
    PlayerReentered: {"player": _TEXT},
    PlayerStayedOut: {"player": _TEXT},
    PlayerLeft: {"player": _TEXT},
    PlayerJoined: {"player": _PLAYER, "after": _TEXT},
    SeatHandedOver: {"player": _TEXT, "to": _PLAYER},
    PointsAdjusted: {"player": _TEXT, "points": _WHOLE, "reason": _TEXT},
    DealPassed: {"player": _TEXT},
    GameStopped: {"how": _STOP},
    TotalsAgreed: {"totals": _TOTALS},
    RulesAgreed: _AGREED,
    PlayersSeated: {"players": _PLAYERS},
    Struck: {"number": _WHOLE},
}
