"""Doubted hands as the sheet and the board of those who record show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Flag, Game
from games.scoring.state import GameState, RoundResult
from games.shown.amounts import points
from games.shown.words import People


@dataclass(frozen=True)
class FlaggedHand:
    """A hand somebody doubts: what is said of it, where it is looked at, where the doubt is settled."""

    number: int
    player: str
    sentence: str
    look: str
    settle: str


def flagged_hands(
    game: Game, flags: Iterable[Flag], state: GameState, people: People
) -> tuple[FlaggedHand, ...]:
    """The hands of rounds that stand with an open doubt, each once, the one doubted first at the front."""
    rounds = {played.number: (place, played) for place, played in enumerate(state.rounds, start=1)}
    said: dict[tuple[int, str], list[str]] = {}
    for flag in flags:
        if flag.number in rounds and flag.player in rounds[flag.number][1].points:
            said.setdefault((flag.number, flag.player), []).extend(_said_by(flag))
    return tuple(
        FlaggedHand(
            number=number,
            player=player,
            sentence=_sentence(*rounds[number], people[player].name, player, notes),
            look=f"{reverse('correct', args=[game.code, number])}?hand={player}",
            settle=reverse("settle-flag", args=[game.code, number]),
        )
        for (number, player), notes in said.items()
    )


def called(user: User) -> str:
    """What somebody let in calls himself; "" for a guest who gave no name."""
    return user.first_name or ("" if not user.has_usable_password() else user.username)


def _sentence(place: int, played: RoundResult, name: str, player: str, notes: list[str]) -> str:
    doubted = _("Round %(number)s, %(name)s %(points)s: is that right?") % {
        "number": place,
        "name": name,
        "points": points(played.points[player]),
    }
    return " ".join((doubted, *notes))


def _said_by(flag: Flag) -> list[str]:
    """What somebody added, with his name where he gave one; nothing where there is neither."""
    name, note = called(flag.by), f"“{flag.note}”" if flag.note else ""
    if name and note:
        return [f"{name}: {note}"]
    return [note or f"({name})"] if name or note else []
