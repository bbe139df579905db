"""Checks of what other programs pass, where a type checker would have said what is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from .cards import Card
from .events import Event

_EVENTS = get_args(Event)


def check_type(name: str, value: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Raise TypeError, with what is wanted, if the argument `name` is of no such type."""
    if not isinstance(value, kinds):
        raise TypeError(f"{name} is {wanted}, not {value!r}")


def check_text(name: str, value: object) -> None:
    check_type(name, value, str, "text")


def check_number(name: str, value: object) -> None:
    check_type(name, value, int, "a whole number")


def check_cards(name: str, cards: object) -> None:
    """Raise TypeError unless this is a sequence of cards; a text has its own form."""
    check_type(name, cards, Sequence, "text or a sequence of cards")
    assert isinstance(cards, Sequence)
    for card in cards:
        check_type(f"a card of {name}", card, Card, "a Card")


def check_values(options: Mapping[str, object]) -> None:
    """Raise TypeError unless the values of these options are whole numbers or text; True is no number."""
    for key, value in options.items():
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            raise TypeError(f"{key} is a whole number or text, not {value!r}")


def check_players(players: object) -> None:
    """Raise TypeError unless these are several ids, or a mapping from id to name; a text is one id."""
    wanted = 'a list of ids such as ["ana", "beto"], or a mapping from id to name'
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise TypeError(f"players is {wanted}, not {players!r}")
    if isinstance(players, Mapping):
        for player, name in players.items():
            check_text(f"the name of {player}", name)


def check_events(events: Iterable[object]) -> None:
    for event in events:
        if isinstance(event, str):
            raise TypeError(
                f"add takes events such as entries.closed(…); for a line of text, use play({event!r})"
            )
        if not isinstance(event, _EVENTS):
            raise TypeError(f"add takes events such as entries.closed(…), not {event!r}")
