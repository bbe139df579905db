"""The steps of a correction after which hands, a round or an answer are missing: a page for each of them.

Nothing is recorded meanwhile. The forms carry the requested changes and what was given so far in hidden
fields, `change` and `given`, and one confirmation records all of it together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from games.common import request_handling
from games.common.request_handling import PageRefusal
from games.play.presenters import correction_preview, open_game, round_form
from games.play.presenters.open_game import OpenGame
from games.play.presenters.pad import PadValues
from games.play.views.reentry import show_question
from games.play.views.rounds import RoundEntryPage, show_preview, show_round
from games.scoring import corrections
from games.scoring.conflicts import Conflict, Missing
from games.scoring.errors import RuleError, ScoringError
from games.scoring.events import (
    Corrected,
    Event,
    Inserted,
    Log,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    RoundPlayed,
    Struck,
    TableEvent,
)
from games.scoring.preview import Preview
from games.scoring.rounds import hand_field
from games.scoring.text.notation import parse_line
from games.scoring.text.notation_writer import write_event


@dataclass(frozen=True)
class CompletionStep:
    """A page that asks for something missing, with the changes that need it and what was given before."""

    missing: Conflict
    changes: Sequence[Event]
    given: Sequence[Event]

    @property
    def fields(self) -> Mapping[str, str]:
        """The hidden fields of its forms, by name."""
        return hidden_fields(self.changes, self.given) | {"missing": self.missing.key}

    @property
    def players(self) -> tuple[str, ...]:
        """The players whose hands the page asks for, () if it asks for the whole round."""
        return self.missing.missing_players if self.missing.missing is Missing.HANDS else ()

    @property
    def values(self) -> PadValues:
        """The round as it was recorded."""
        assert isinstance(self.missing.event, RoundPlayed)
        return PadValues.from_entry(self.missing.event.entry)


def notation(events: Sequence[Event]) -> str:
    return " ; ".join(map(write_event, events))


def hidden_fields(changes: Sequence[Event], given: Sequence[Event]) -> dict[str, str]:
    return {"change": notation(changes), "given": notation(given)}


# --- what was given ---------------------------------------------------------------------------------------


def parse_given(request: HttpRequest, log: Log) -> tuple[Event, ...]:
    """Return what was given on earlier pages, as it fits the log now.

    If somebody else corrected a round meanwhile, its hands are kept beside theirs. If they removed the round,
    the hands are dropped.
    """
    try:
        events = parse_line(request.POST.get("given", ""))
    except ScoringError:
        return ()  # no form sends this; the pages ask again
    seen = dict(corrections.effective_events(log[: max(request_handling.seen_version(request), 1)]))
    now = dict(corrections.effective_events(log))
    return tuple(
        _with_present_hands(event, seen.get(event.number), now[event.number])
        for event in events
        if isinstance(event, Corrected | Inserted | Struck) and _can_be_given(event) and event.number in now
    )


def _can_be_given(event: Corrected | Inserted | Struck) -> bool:
    match event:
        case Corrected(event=RoundPlayed()) | Struck():
            return True
        case Inserted(event=PlayerReentered() | PlayerStayedOut() | PlayerLeft()):
            return True
        case _:
            return False


def _with_present_hands(given: Event, seen: TableEvent | None, now: TableEvent) -> Event:
    if not isinstance(given, Corrected) or seen == now or not isinstance(now, RoundPlayed):
        return given
    assert isinstance(given.event, RoundPlayed)
    hands = given.event.entry.by_player | now.entry.by_player
    return replace(given, event=RoundPlayed(replace(now.entry, hands=tuple(hands.items()))))


def find_step(request: HttpRequest, tried: Preview) -> Conflict | None:
    """Return what the posted page asked for; None if it asked for nothing, or if nothing is missing there."""
    key = request.POST.get("missing", "")
    return next((found for found in tried.conflicts if found.missing and found.key == key), None)


def read_answer(
    request: HttpRequest, game_page: OpenGame, missing: Conflict
) -> tuple[Event, ...] | PageRefusal:
    """Return the events that the posted answer adds, or the refusal of its fields."""
    chosen = request.POST.get("answer", "")
    for choice in missing.choices:
        if choice.remedy == chosen:
            return choice.changes
    if missing.missing is Missing.ANSWER:
        return open_game.reentry_refusal(game_page, missing.player)
    form = round_form.parse_round(_posted_round(request, missing), missing.before)
    if form.errors:
        return PageRefusal(request_handling.UNPROCESSABLE, form.errors)
    return (Corrected(missing.number, RoundPlayed(form.entry)),)


def _posted_round(request: HttpRequest, missing: Conflict) -> Mapping[str, str]:
    """Return the fields of a posted round, with everything that the page did not ask for as recorded."""
    posted = {name: str(value) for name, value in request.POST.items()}
    if missing.missing is not Missing.HANDS:
        return posted
    assert isinstance(missing.event, RoundPlayed)
    recorded = PadValues.from_entry(missing.event.entry)
    hands = {hand_field(player): text for player, text in recorded.hands.items()}
    return {**posted, **hands, "closer": recorded.closer, "closing": recorded.closing}


def find_refusal(
    game_page: OpenGame, asked: Conflict, find_missing: Callable[[], Conflict | None]
) -> PageRefusal | None:
    """Return the rules' refusal of what was just given for `asked`; None if they accept it.

    `find_missing` returns what the game lacks then. It raises RuleError if the correction itself is
    impossible with it, such as leaving after going bust.
    """
    try:
        missing = find_missing()
    except RuleError as refusal:
        return open_game.refusal_for(refusal, game_page)
    if missing is None or missing.number != asked.number or missing.missing is not Missing.ROUND:
        return None
    return _round_refusal(game_page, missing)


def _round_refusal(game_page: OpenGame, missing: Conflict) -> PageRefusal:
    assert missing.refusal is not None
    return open_game.refusal_for(missing.refusal, game_page)


# --- the pages --------------------------------------------------------------------------------------------


def show_step(
    request: HttpRequest,
    game_page: OpenGame,
    step: CompletionStep,
    refusal: PageRefusal | None = None,
    values: PadValues | None = None,
) -> HttpResponse:
    """Show the page that asks for what is missing. `values` are those typed before a refusal."""
    before = step.missing.before
    if step.missing.missing is Missing.ANSWER:
        return show_question(request, game_page.at(before), step.missing.player, refusal, step=step)
    # One more than the sheet's, as after a queued round: a reloaded step leads to the sheet, which keeps it.
    last = len(game_page.log) + 1
    place = RoundEntryPage(
        before=before,
        heading=_("Round %(number)s") % {"number": step.missing.round_number},
        action=reverse("changes", args=[game_page.game.code]),
        draft=f"{game_page.game.code}:{last}:missing:{step.missing.number}",
        submit=_("Continue"),
        fields=step.fields,
        asked=step.players,
        instead=correction_preview.instead_choices(step.missing, game_page.people),
    )
    if values is None and step.missing.missing is Missing.ROUND:  # why the recorded round does not fit
        misfit = _round_refusal(game_page, step.missing)
        refusal = replace(refusal or replace(misfit, status=200), errors=misfit.errors)
    return show_round(request, game_page, place, values or step.values, refusal)


def posted_values(request: HttpRequest, missing: Conflict) -> PadValues:
    """Return the round as it was recorded and typed."""
    return PadValues.from_post(_posted_round(request, missing), missing.before)


def preview_step(request: HttpRequest, game_page: OpenGame, missing: Conflict) -> HttpResponse:
    """Show the points of the round as it is being completed."""
    form = round_form.parse_round(_posted_round(request, missing), missing.before)
    return show_preview(request, game_page, form, missing.before)
