"""Flagged hands (hands that somebody doubts), as the scoresheet and the board show them to scorekeepers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Flag, Game
from games.names import isolated
from games.play.flags import points_doubted
from games.rows import grouped
from games.scoring.events import Corrected, Inserted, Log, Struck
from games.scoring.state import GameState, RoundResult
from games.shown.common.amounts import points
from games.shown.common.people import given_name
from games.shown.common.words import People


@dataclass(frozen=True)
class FlaggedHand:
    """A hand that somebody doubts: a sentence about the doubt, and two links.

    `look` is the URL at which the hand can be corrected, `settle` the URL at which the flag is settled.
    """

    number: int
    player: str
    sentence: str
    look: str
    settle: str


def flagged_hands(
    game: Game, flags: Iterable[Flag], log: Log, state: GameState, people: People
) -> tuple[FlaggedHand, ...]:
    """Return the hands that have one of these open flags; a hand with several flags only once.

    A hand whose round no longer counts is left out. The hands are in the order of their first flags.
    """
    rounds = {played.number: (place, played) for place, played in enumerate(state.rounds, start=1)}
    doubts = grouped(
        ((flag.number, flag.player), flag)
        for flag in flags
        if flag.number in rounds and flag.player in rounds[flag.number][1].points
    )
    return tuple(
        FlaggedHand(
            number=number,
            player=player,
            sentence=_sentence(*rounds[number], isolated(people[player].name), hand_flags, log),
            look=f"{reverse('correct', args=[game.code, number])}?hand={player}",
            settle=reverse("settle-flag", args=[game.code, number]),
        )
        for (number, player), hand_flags in doubts.items()
    )


def figure_doubted(flag: Flag, figure: int, log: Log) -> int:
    """Return the points that the flagged hand had when it was flagged. `figure` is its points now.

    Only a correction changes the points of a hand, so `figure` is returned if the log has no correction.
    """
    if not any(isinstance(event, Corrected | Inserted | Struck) for event in log):
        return figure
    then = points_doubted(flag)
    return figure if then is None else then


def _sentence(place: int, played: RoundResult, name: str, flags: Sequence[Flag], log: Log) -> str:
    now = played.points[flags[0].player]
    then = dict.fromkeys(figure_doubted(flag, now, log) for flag in flags)
    names = {
        "number": place,
        "name": name,
        "points": points(now),
        "then": ", ".join(points(figure) for figure in then),
    }
    if list(then) == [now]:
        doubted = _("Round %(number)s, %(name)s %(points)s: is that right?") % names
    else:
        doubted = _("Round %(number)s, %(name)s: %(then)s was questioned, now it is %(points)s.") % names
    return " ".join((doubted, *(note for flag in flags for note in _note_of(flag))))


def _note_of(flag: Flag) -> list[str]:
    """Return the flag's note with its author's name, as a list with one text.

    If there is no note or no name, the text has only the other. If there is neither, the list is empty.
    """
    name, note = given_name(flag.by), f"“{flag.note}”" if flag.note else ""
    if name and note:
        return [f"{name}: {note}"]
    return [note or f"({name})"] if name or note else []
