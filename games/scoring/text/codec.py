"""Events as JSON, in which they are stored: a kind such as "round_played", and the event's fields as data.

Hands and cards are text in it. Stored events stay readable for ever: a field may be added with a default, but
no field may change its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, assert_never

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
from ..kinds import Value
from ..rounds import RoundEntry
from ..words import _
from .notation import read_hand, read_id
from .writing import write_hand

T = TypeVar("T")
Data = dict[str, Any]
Stored = Event | RulesAgreed | PlayersSeated

_FORMS_OF_THE_FIRST = (RulesAgreed, PlayersSeated)  # they stand only inside a correction of event 1

KINDS: Mapping[type[Stored], str] = {
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


def kind_of(event: Stored) -> str:
    """Return the stored name of the event's kind, such as "round_played"."""
    return KINDS[type(event)]


def to_data(event: Stored) -> Data:
    """Return the event's fields as plain JSON values, without its kind."""
    match event:
        case GameStarted():
            return {
                **_agreed_to_data(event),
                "players": [_player_to_data(player) for player in event.players],
            }
        case NightImported():
            return _night_to_data(event)
        case RulesAgreed():
            return _agreed_to_data(event)
        case PlayersSeated(players):
            return {"players": [_player_to_data(player) for player in players]}
        case RoundPlayed(entry):
            hands = [[player, write_hand(hand)] for player, hand in entry.hands]
            return {"closer": entry.closer, "closing": entry.closing, "hands": hands}
        case PlayerReentered(player) | PlayerStayedOut(player) | PlayerLeft(player) | DealPassed(player):
            return {"player": player}
        case PlayerJoined(player=newcomer, after=after):
            return {"player": _player_to_data(newcomer), "after": after}
        case SeatHandedOver(player, to):
            return {"player": player, "to": _player_to_data(to)}
        case PointsAdjusted(player, points, reason):
            return {"player": player, "points": points, "reason": reason}
        case GameStopped(how):
            return {"how": str(how)}
        case TotalsAgreed(totals):
            return {"totals": [list(pair) for pair in totals]}
        case Corrected(number, inner) | Inserted(number, inner):
            return {"number": number, "kind": kind_of(inner), "event": to_data(inner)}
        case Struck(number):
            return {"number": number}
        case _:
            assert_never(event)


def from_data(kind: str, data: Data) -> Event:
    """Return the event of this kind with the fields `data`. Raise NotationError if these are malformed."""
    try:
        event = _read(kind, data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotationError(_("This is not an event of the kind “{kind}”.", kind=kind)) from error
    if isinstance(event, _FORMS_OF_THE_FIRST):
        raise NotationError(_("This is not an event of the kind “{kind}”.", kind=kind))
    return event


def with_players(data: Data, players: Mapping[str, Player]) -> Data:
    """Return an event's data with other ids and names of its players, which `players` has by their ids here."""

    def of(player: Any) -> Any:
        slug = player["id"] if isinstance(player, dict) else player
        if slug not in players:
            return player  # nobody, as if no one closed
        return _player_to_data(players[slug]) if isinstance(player, dict) else players[slug].id

    changed = dict(data)
    for name, value in data.items():
        if name in ("player", "to", "closer", "after", "dealer"):
            changed[name] = of(value)
        elif name == "players":
            changed[name] = [of(player) for player in value]
        elif name in ("hands", "totals", "places", "nets"):
            changed[name] = [[of(player), *rest] for player, *rest in value]
        elif name == "event":
            changed[name] = with_players(value, players)
    return changed


def _read(kind: str, data: Data) -> Stored:
    match kind:
        case "game_started":
            return GameStarted(players=_players(data), **_agreed(data))
        case "night_imported":
            return _night(data)
        case "rules_agreed":
            return RulesAgreed(**_agreed(data))
        case "players_seated":
            return PlayersSeated(_players(data))
        case "round_played":
            closer = None if data["closer"] is None else read_id(data["closer"])
            return RoundPlayed(RoundEntry(closer, _text(data["closing"]), _pairs(data["hands"], read_hand)))
        case "player_reentered":
            return PlayerReentered(_text(data["player"]))
        case "player_stayed_out":
            return PlayerStayedOut(_text(data["player"]))
        case "player_left":
            return PlayerLeft(_text(data["player"]))
        case "player_joined":
            return PlayerJoined(_player(data["player"]), _text(data["after"]))
        case "seat_handed_over":
            return SeatHandedOver(_text(data["player"]), _player(data["to"]))
        case "points_adjusted":
            return PointsAdjusted(_text(data["player"]), _whole(data["points"]), _text(data["reason"]))
        case "deal_passed":
            return DealPassed(_text(data["player"]))
        case "game_stopped":
            return GameStopped(Stop(data["how"]))
        case "totals_agreed":
            totals = _pairs(data["totals"], _whole)
            if not totals:
                raise ValueError("nobody's total was agreed")
            return TotalsAgreed(totals)
        case "corrected" | "inserted" | "struck":
            return _read_correction(kind, _whole(data["number"]), data)
        case _:
            raise ValueError(kind)


def _read_correction(kind: str, number: int, data: Data) -> Event:
    if kind == "struck":
        return Struck(number)
    if data["kind"] in (
        "corrected",
        "inserted",
        "struck",
    ):  # checked before reading, so that events cannot nest deeply
        raise TypeError("a correction puts in a plain event")
    inner = _read(data["kind"], data["event"])
    if isinstance(inner, GameStarted | NightImported | Corrected | Inserted | Struck):
        raise TypeError("a correction puts in a plain event")
    if kind == "corrected":
        return Corrected(number, inner)
    if isinstance(inner, RulesAgreed | PlayersSeated):
        raise TypeError("options and players have one place, event 1")
    return Inserted(number, inner)


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
    """Return pairs of player and stored value as pairs of player and the value that `read` makes of it.

    Raise ValueError if a player is named twice, as the reader of a game's text does.
    """
    values = {read_id(player): read(value) for player, value in pairs}
    if len(values) != len(pairs):
        raise ValueError("somebody is named twice")
    return tuple(values.items())


def _night_to_data(night: NightImported) -> Data:
    numbers = {"places": night.places, "totals": night.totals, "nets": night.nets}
    return {
        "variant": night.variant,
        "players": [_player_to_data(player) for player in night.players],
        **{name: [list(pair) for pair in pairs] for name, pairs in numbers.items()},
        **({"note": night.note} if night.note else {}),  # an empty note is left out
    }


def _night(data: Data) -> NightImported:
    return NightImported(
        variant=_text(data["variant"]),
        players=_players(data),
        places=_pairs(data["places"], _whole),
        totals=_pairs(data["totals"], _whole),
        nets=_pairs(data["nets"], _whole),
        note=_text(data.get("note", "")),
    )


def _agreed_to_data(agreed: GameStarted | RulesAgreed) -> Data:
    return {
        "variant": agreed.variant,
        "options": [list(pair) for pair in agreed.options],
        "dealer": agreed.dealer,
        "direction": agreed.direction,
    }


def _agreed(data: Data) -> Data:
    return {
        "variant": _text(data["variant"]),
        "options": tuple([(_text(key), _value(value)) for key, value in data["options"]]),
        "dealer": _text(data["dealer"]),
        "direction": _text(data["direction"]),
    }


def _player_to_data(player: Player) -> Data:
    return {"id": player.id, "name": player.name}


def _player(data: Data) -> Player:
    return Player(read_id(data["id"]), _text(data["name"]))


def _players(data: Data) -> tuple[Player, ...]:
    return tuple(_player(player) for player in data["players"])
