"""Events as stored JSON: a kind such as "round_played", and the event's fields as data.

The classes in `events.py` declare the fields; `TYPE_CODECS` says how a value of each type is stored. Hands
and cards are text. Stored events stay readable forever: a field may be added with a default, but no field may
change its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

from ..errors import NotationError
from ..events import (
    Amendment,
    Corrected,
    Correction,
    Event,
    Inserted,
    Player,
    RoundPlayed,
    StartEvent,
    Stop,
    TotalsAgreed,
)
from ..i18n import _
from ..rounds import Hand, PlayerId, RoundEntry
from ..rule_types import Value
from .notation import parse_hand, parse_id
from .notation_writer import write_hand

T = TypeVar("T")
Data = dict[str, Any]
StoredEvent = Event | Amendment

EVENT_CLASSES: Mapping[str, type[StoredEvent]] = {event.kind: event for event in get_args(StoredEvent)}
# The classes whose fields are stored: of a round, those of its entry.
CONTENT_CLASSES: Mapping[str, type[StoredEvent | RoundEntry]] = {
    **EVENT_CLASSES,
    RoundPlayed.kind: RoundEntry,
}
_NEVER_INSIDE = frozenset(event.kind for event in get_args(StartEvent | Correction))


class FieldCodec(NamedTuple):
    """Three functions for a stored field: `write` turns its value into JSON, `read` turns JSON into a value.

    `rename` replaces the players in the JSON; `players` has the new ones by their ids in it.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    rename: Callable[[Any, Mapping[str, Player]], Any] = lambda value, _players: value


def to_data(event: StoredEvent) -> Data:
    """Return the event's fields as plain JSON values, without its kind."""
    if isinstance(event, Corrected | Inserted):
        return {"number": event.number, "kind": event.event.kind, "event": to_data(event.event)}
    content = event.entry if isinstance(event, RoundPlayed) else event
    data = {name: codec.write(getattr(content, name)) for name, codec in FIELD_CODECS[event.kind].items()}
    for name, default in DEFAULTS[event.kind].items():
        if data[name] == default:
            del data[name]
    return data


def from_data(kind: str, data: Data) -> Event:
    """Return the event of this kind with the fields `data`. Raise NotationError if these are malformed."""
    try:
        event = _read_event(kind, data)
        if isinstance(event, Amendment):
            raise TypeError("it stands only inside a correction")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotationError(_("This is not an event of the kind “{kind}”.", kind=kind)) from error
    return event


def with_players(kind: str, data: Data, players: Mapping[str, Player]) -> Data:
    """Return the data of an event of this kind with its players replaced.

    `players` maps the ids in `data` to the new players. Players who are not in it stay.
    """
    if EVENT_CLASSES[kind] in (Corrected, Inserted):
        return {**data, "event": with_players(data["kind"], data["event"], players)}
    codecs = FIELD_CODECS[kind]
    return {
        name: codecs[name].rename(value, players) if name in codecs else value for name, value in data.items()
    }


def _read_event(kind: str, data: Data) -> StoredEvent:
    event_class = EVENT_CLASSES[kind]
    if event_class is Corrected or event_class is Inserted:
        return _read_correction(event_class, _whole(data["number"]), data["kind"], data["event"])
    if defaults := DEFAULTS[kind]:
        data = {**defaults, **data}
    values = {name: codec.read(data[name]) for name, codec in FIELD_CODECS[kind].items()}
    if event_class is TotalsAgreed and not values["totals"]:
        raise ValueError("nobody's total was agreed")
    return RoundPlayed(RoundEntry(**values)) if event_class is RoundPlayed else event_class(**values)


def _read_correction(
    correction: type[Corrected | Inserted], number: int, kind: str, data: Data
) -> Corrected | Inserted:
    # Checked before reading, so that events cannot nest deeply.
    if kind in _NEVER_INSIDE:
        raise TypeError("a correction puts in a plain event")
    inner: Any = _read_event(kind, data)
    if correction is Inserted and isinstance(inner, Amendment):
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


def _distinct_ids(players: Sequence[str]) -> tuple[PlayerId, ...]:
    """Return one player's id or more. Raise ValueError if there is none, or one is named twice."""
    ids = tuple(map(parse_id, players))
    if not ids or len(set(ids)) < len(ids):
        raise ValueError("each winner is named once")
    return ids


def _player_to_data(player: Player) -> Data:
    return {"id": player.id, "name": player.name}


def _player(data: Data) -> Player:
    return Player(parse_id(data["id"]), _text(data["name"]))


def _lists(pairs: Iterable[tuple[str, Any]]) -> list[list[Any]]:
    return [list(pair) for pair in pairs]


def _rename_id(player: Any, players: Mapping[str, Player]) -> Any:
    return players[player].id if player in players else player  # "" and None name nobody


def _rename_player(player: Data, players: Mapping[str, Player]) -> Data:
    return _player_to_data(players[player["id"]]) if player["id"] in players else player


def _rename_pairs(pairs: Sequence[Any], players: Mapping[str, Player]) -> list[list[Any]]:
    return [[_rename_id(player, players), *rest] for player, *rest in pairs]


# Every type that a field of an event may have.
TYPE_CODECS: Mapping[Any, FieldCodec] = {
    str: FieldCodec(str, _text),
    int: FieldCodec(int, _whole),
    Stop: FieldCodec(str, Stop),
    tuple[tuple[str, Value], ...]: FieldCodec(
        _lists, lambda pairs: tuple([(_text(key), _value(value)) for key, value in pairs])
    ),
    PlayerId: FieldCodec(str, _text, _rename_id),
    PlayerId | None: FieldCodec(
        lambda player: player, lambda player: None if player is None else parse_id(player), _rename_id
    ),
    Player: FieldCodec(_player_to_data, _player, _rename_player),
    tuple[Player, ...]: FieldCodec(
        lambda players: [*map(_player_to_data, players)],
        lambda players: tuple(map(_player, players)),
        lambda old, players: [_rename_player(player, players) for player in old],
    ),
    tuple[PlayerId, ...]: FieldCodec(
        list,
        _distinct_ids,
        lambda old, players: [_rename_id(player, players) for player in old],
    ),
    tuple[tuple[PlayerId, int], ...]: FieldCodec(_lists, lambda pairs: _pairs(pairs, _whole), _rename_pairs),
    tuple[tuple[PlayerId, Hand], ...]: FieldCodec(
        lambda hands: [[player, write_hand(hand)] for player, hand in hands],
        lambda pairs: _pairs(pairs, parse_hand),
        _rename_pairs,
    ),
}


def field_types(kind: str) -> Mapping[str, Any]:
    """Return the types of the fields in the data of this kind, by name."""
    content_class = CONTENT_CLASSES[kind]
    types = get_type_hints(content_class, include_extras=True)
    return {field.name: types[field.name] for field in fields(content_class)}


def _field_codecs(kind: str) -> Mapping[str, FieldCodec]:
    types = field_types(kind)
    order = dict.fromkeys((*getattr(CONTENT_CLASSES[kind], "field_order", ()), *types))
    return {name: TYPE_CODECS[types[name]] for name in order}


# By kind: the codecs of the fields in the stored order, and the stored defaults of the fields that data may lack.
FIELD_CODECS: Mapping[str, Mapping[str, FieldCodec]] = {
    kind: _field_codecs(kind) for kind in EVENT_CLASSES if kind not in (Corrected.kind, Inserted.kind)
}
DEFAULTS: Mapping[str, Data] = {
    kind: {
        name: codecs[name].write(getattr(CONTENT_CLASSES[kind], name))
        for name in getattr(CONTENT_CLASSES[kind], "optional_fields", ())
    }
    for kind, codecs in FIELD_CODECS.items()
}
