"""A round as it was entered (mirar la mano), for those who may not correct it: every hand with its cards."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.common.amounts import points
from games.common.days import moment_in_words
from games.common.names import Person, isolated
from games.common.words import play_in_words, translate
from games.play.game_page import OpenGame
from games.play.lessons import Group, drawn
from games.scoring.events import Corrected, RoundPlayed
from games.scoring.state import RoundResult
from games.tables.people import People, known_as


@dataclass(frozen=True)
class HandShown:
    """A player's hand in a round: the points, the cards in groups if they were entered, and the doubts about it."""

    person: Person
    points: str
    groups: list[Group]
    doubts: list[str]
    is_asked: bool


def look(request: HttpRequest, game_page: OpenGame, number: int) -> HttpResponse:
    """Show the round that is event `number`; the hand that the query string names comes first.

    Raise PermissionDenied for an event that is no round: nothing leads there.
    """
    state, people, table = game_page.state, game_page.people, game_page.table
    result = next((one for one in state.rounds if one.number == number), None)
    if result is None:
        raise PermissionDenied
    said = play_in_words(RoundPlayed(result.entry), number=number, state=state, people=people, table=table)
    context = {
        **game_page.context,
        "round_number": state.rounds.index(result) + 1,
        "said": said,
        "hands": _hands(game_page, result, request.GET.get("hand", "")),
        "entered": _entered(game_page, number),
    }
    return render(request, "play/look.html", context)


def _hands(game_page: OpenGame, result: RoundResult, asked: str) -> list[HandShown]:
    hands = [
        HandShown(
            game_page.people[player],
            points(moved),
            drawn(game_page.state.rules, result.entry.hand_of(player)),
            [translate(doubt.text) for doubt in result.doubts if doubt.player == player],
            player == asked,
        )
        for player, moved in result.points.items()
    ]
    return sorted(hands, key=lambda hand: not hand.is_asked)


def _entered(game_page: OpenGame, number: int) -> str:
    """Return who entered the event, or corrected it last, and when."""
    changes = [
        place
        for place, event in enumerate(game_page.log, start=1)
        if isinstance(event, Corrected) and event.number == number
    ]
    record = game_page.game.records.select_related("recorded_by").get(number=max(changes, default=number))
    name = known_as(record.recorded_by, People.of(game_page.table))
    words = {"name": isolated(name), "moment": moment_in_words(record.recorded_at, game_page.table)}
    if not name:
        return words["moment"]
    text = _("Corrected by %(name)s, %(moment)s") if changes else _("Entered by %(name)s, %(moment)s")
    return text % words
