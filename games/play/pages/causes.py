"""The reasons why a correction changes a total by more or less than the points of the changed rounds."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common.amounts import points
from games.common.names import all_of
from games.common.words import round_number
from games.scoring.events import PlayerJoined, PlayerReentered
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState, Step


def causes_of(before: GameState, after: GameState, player: PlayerId) -> Iterator[str]:
    """Yield the reasons, besides changed rounds and penalties, why a correction changes this player's total.

    Each is a text on a re-entry, on joining the game, or on rounds whose points no longer count.
    """
    if after.player(player).total == before.player(player).total + _moved_by_rounds(before, after, player):
        return
    was, now = _entries_of(before, player), _entries_of(after, player)
    for number in dict.fromkeys((*now, *was)):
        old, new = was.get(number), now.get(number)
        if new is None:
            yield _("no longer re-enters after round %(number)s with %(was)s") % {
                "number": round_number(before, number),
                "was": points(before.rules.shown(was[number].totals[player])),
            }
        elif old is None or old.moved[player] != new.moved[player]:
            yield _in_words(old, new, after, player)
    if gone := _rounds_gone(before, after, player):
        yield ngettext(
            "without the points of round %(numbers)s", "without the points of rounds %(numbers)s", len(gone)
        ) % {"numbers": all_of(gone)}


def _moved_by_rounds(before: GameState, after: GameState, player: PlayerId) -> int:
    """Return the differences that a correction makes to this player's points in the rounds that then count."""
    old = {result.number: result.points for result in before.rounds}
    return sum(
        result.points[player] - old.get(result.number, {}).get(player, 0)
        for result in after.rounds
        if player in result.points
    )


def _entries_of(state: GameState, player: PlayerId) -> dict[int, Step]:
    """Return the steps in which this player joined or re-entered, keyed by event number."""
    return {
        step.number: step
        for step in state.steps
        if player in step.moved and isinstance(step.event, PlayerJoined | PlayerReentered)
    }


def _rounds_gone(before: GameState, after: GameState, player: PlayerId) -> list[str]:
    """Return the numbers, as text, of the rounds whose points counted for this player only before a correction."""
    kept = {result.number for result in after.rounds if player in result.points}
    return [
        str(place)
        for place, result in enumerate(before.rounds, start=1)
        if player in result.points and result.number not in kept
    ]


def _in_words(old: Step | None, new: Step, after: GameState, player: PlayerId) -> str:
    total, shown = new.totals[player], after.rules.shown
    words = {
        "number": round_number(after, new.number),
        "bust": points(shown(total - new.moved[player])),
        "total": points(shown(total)),
        "was": "" if old is None else points(shown(old.totals[player])),
    }
    if isinstance(new.event, PlayerJoined):
        return _("joins after round %(number)s with %(total)s instead of %(was)s") % words
    if old is None:
        return _("bust with %(bust)s in round %(number)s, re-enters with %(total)s") % words
    return _("re-enters after round %(number)s with %(total)s instead of %(was)s") % words
