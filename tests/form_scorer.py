"""A scorer without scripts, who enters a game's events through the forms of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from django.urls import reverse

from games.common import naming
from games.common.event_store import EventLog
from games.models import Game, Table
from games.play.presenters import house_rules
from games.play.services import snapshots
from games.scoring.events import (
    Corrected,
    DealPassed,
    Event,
    GameStarted,
    GameStopped,
    Inserted,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PlayersSeated,
    PlayerStayedOut,
    PointsAdjusted,
    RoundPlayed,
    RulesAgreed,
    SeatHandedOver,
    Struck,
    WinnersNamed,
)
from games.scoring.rounds import RoundEntry, hand_field
from games.scoring.text.notation import parse_line
from games.scoring.text.notation_writer import write_hand
from games.scoring.variants import get_variant
from tests.reader import Node, Walker, read_page

HAND = hand_field("")  # the prefix of every hand's field
SETTLEMENT = house_rules.field_name("settlement")
SHOW_RULES, SHOW_CHANGES = "Show the rules of this game", "See changes"


class NoPageForEvent(Exception):
    """No page can enter this event in the present state of the game. Nothing was recorded."""


@contextmanager
def _reporting_missing_pages() -> Iterator[None]:
    try:
        yield
    except AssertionError as missing:
        raise NoPageForEvent(str(missing)) from missing


class FormScorer:
    """The scorer of one game. `record` finds the page for any event; each other method uses one page."""

    def __init__(self, walker: Walker, code: str = "") -> None:
        self.walker, self.code = walker, code

    def record(self, *events: Event) -> tuple[Event, ...]:
        """Record the first of these events, and the next ones if its page records them too.

        Return the remaining events. Raise NoPageForEvent if no page can enter the first.
        """
        with _reporting_missing_pages():
            match events[0]:
                case Corrected() | Inserted():
                    recorded = self._correct(events)
                case Struck():
                    recorded = self._undo_or_redo(events) or self._correct(events)
                case first:
                    self._record_new(first)
                    recorded = (first,)
        meant = [_comparable(event) for event in recorded]
        return tuple(event for event in events if _comparable(event) not in meant)

    def _record_new(self, event: Event) -> None:
        match event:
            case RoundPlayed(entry):
                self.record_round(*_round_fields(entry))
            case PlayerReentered(player):
                self.answer_reentry(player, "reenter")
            case PlayerStayedOut(player):
                self.answer_reentry(player, "stay_out")
            case PlayerLeft(player):
                self.record_other("leave", "Goes home", {"leave-player": player})
            case PointsAdjusted(player, points, reason):
                data = {"penalty-player": player, "points": str(points), "reason": reason}
                self.record_other("adjust", "Record it", data)
            case DealPassed(player):
                self.record_other("deal", "Deals next", {"deal-player": player})
            case GameStopped(how):
                self.record_other("stop", "See changes", {"how": how})
                self.submit("Save", {})
            case WinnersNamed(players):
                self.record_other("won", "See changes", {"winners": list(players)})
                self.submit("Save", {})
            case PlayerJoined(player, after):
                position = {"after-player": after} if after else {}
                self.record_other("join", "Joins", {"newcomer": player.id, **position})
            case SeatHandedOver(player, to):
                self.record_other("replace", "Take over the seat", {"seat-player": player, "to": to.id})
            case _:
                raise AssertionError("there is no page for it")

    # --- one page each ------------------------------------------------------------------------------------------------

    def open(self, view: str, *place: object, query: str = "") -> Node:
        return self.walker.open(reverse(view, args=[self.code, *place]) + query)

    @_reporting_missing_pages()
    def start(self, table: Table, start_event: GameStarted) -> None:
        """Start the game at this table. All players are members. Raise NoPageForEvent if no page can."""
        first = start_event.players[0].id
        assert start_event.dealer in ("", first), f"the first to deal is the first of the seats, {first}"
        self.walker.open(reverse("new-game", args=[table.code]))
        form, _button = self.walker.page.form_with("Start")
        if form.fields["variant"] != start_event.variant:
            form, _button = self.submit(SHOW_RULES, {"variant": start_event.variant}).form_with("Start")
        rules = _rule_fields(form, start_event)
        if SETTLEMENT in rules or _mismatched_hidden_fields(
            form, start_event
        ):  # they decide which other fields are shown
            form, _button = self.submit(SHOW_RULES, rules).form_with("Start")
        assert [] == _mismatched_hidden_fields(form, start_event), (
            "the settlement ignores them, so no field is shown"
        )
        seats = {f"seat-{place}": player.id for place, player in enumerate(start_event.players, start=1)}
        self.submit("Start", {**_rule_fields(form, start_event), **seats})
        self.code = self.walker.address.split("/")[2]

    def record_round(self, closer: str, closing: str, hands: Mapping[str, str]) -> Node:
        """Record the next round and return the page that follows."""
        self.open("play-round")
        return self._fill_round("Save", closer, closing, hands)

    def _fill_round(self, button: str, closer: str, closing: str, hands: Mapping[str, str]) -> Node:
        """Fill in a whole round, leaving the fields of unnamed hands blank."""
        form, _button = self.walker.page.form_with(button)
        blank = {name: "" for name in form.fields if name.startswith(HAND)}
        hand_fields = {hand_field(player): text for player, text in hands.items()}
        closed = {"closer": closer, "closing": closing}
        if closed.items() <= _hidden_fields(form).items():  # nobody closes a round in this game
            closed = {}
        return self.submit(button, {**closed, **blank, **hand_fields})

    def answer_reentry(self, player: str, answer: str) -> Node:
        """Answer for a bust player, who must be the next one asked."""
        page = self.open("reentry")
        assert player == page.only("input", name="player").attrs["value"], "somebody else is asked first"
        return self.submit(page.only("button", name="answer", value=answer).text, {})

    def record_other(self, form: str, button: str, data: Mapping[str, str | list[str]]) -> Node:
        self.open(form)
        return self.submit(button, data)

    def submit(self, button: str, data: Mapping[str, str | list[str]]) -> Node:
        """Fill in the form with this button, press it and return the next page. A refusal fails the test."""
        page = self.walker.send(button, data)
        assert self.walker.status < 400, [*page.alerts, *(node.text for node in page.every(class_="wrong"))]
        return page

    # --- corrections --------------------------------------------------------------------------------------------------

    def _undo_or_redo(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Undo or redo if that records these events. Return the events that it recorded, if any."""
        game = Game.objects.get(code=self.code)
        log = game.log()
        history = snapshots.build_undo_history(log, EventLog.load(game).batches())
        undo, redo = history.undoable, history.redoable if history.last_is_undo else ()
        for button, batches in (("Undo", undo), ("Redo", redo)):
            strikes = snapshots.build_strikes(batches[-1]) if batches else []
            if strikes and all(strike in events for strike in strikes):
                self.open("sheet")
                self.submit(button, {})
                return tuple(strikes)
        return ()

    def _correct(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Choose on the correction page what leads to these events, and save. Return the recorded events."""
        page = self._preview(events[0])
        while (strange := _distance(page, events)) > -len(_previewed_events(page)):
            page = next(
                (other for other in self._alternatives(page) if _distance(other, events) < strange), page
            )
            assert page is not self.walker.page, f"the page would save {_previewed_events(page)}"
            self.walker.page = page
        self.submit("Save", {})
        return _previewed_events(page)

    def _alternatives(self, page: Node) -> Iterator[Node]:
        """Yield the page after each possible change of one of its choices."""
        form = page.only("form", id="changes")
        names = [node.attrs["name"] for node in form.every("input", type="radio")]
        for name in dict.fromkeys(names):
            for value in form.allowed(name) or ():
                data = {**form.fields, name: value}
                yield read_page(self.walker.client.post(form.attrs["action"], data))

    def _preview(self, change: Event) -> Node:
        match change:
            case Corrected(1, RulesAgreed() as agreed):
                form, _button = self.open("correct-rules").form_with(SHOW_CHANGES)
                self.submit(SHOW_CHANGES, _rule_fields(form, agreed))
            case Corrected(1, PlayersSeated(players)):
                self.open("seats")
                self.submit(
                    SHOW_CHANGES,
                    {f"seat-{place}": player.id for place, player in enumerate(players, start=1)},
                )
            case Corrected(number, RoundPlayed(entry)):
                self.open("correct", number)
                self._fill_round(SHOW_CHANGES, *_round_fields(entry))
            case Inserted(number, RoundPlayed(entry)):
                self.open("insert-round", number)
                self._fill_round(SHOW_CHANGES, *_round_fields(entry))
            case Corrected(number, PlayerReentered() | PlayerStayedOut() as answer):
                self.open("correct", number)
                is_in = isinstance(answer, PlayerReentered)
                self.submit("Actually came back" if is_in else "Actually stayed out", {})
            case Corrected(number, PointsAdjusted(_player, points, reason)):
                self.open("correct", number)
                self.submit(SHOW_CHANGES, {"points": str(points), "reason": reason})
            case Corrected(number, WinnersNamed(players)):
                self.open("correct", number)
                self.submit(SHOW_CHANGES, {"winners": list(players)})
            case Struck(number):
                page = self.open("correct", number)
                buttons = page.every("button", value="strike")
                assert buttons, "nothing to take out"
                self.submit(buttons[0].text, {})
            case _:
                raise AssertionError("there is no page for it")
        return self.walker.page


def _round_fields(entry: RoundEntry) -> tuple[str, str, dict[str, str]]:
    """Return the closer, the closing and the text of each hand, as typed into the form."""
    return (
        entry.closer or naming.NOBODY,
        entry.closing,
        {player: write_hand(hand) for player, hand in entry.hands},
    )


def _rule_fields(form: Node, agreed: GameStarted | RulesAgreed) -> dict[str, str]:
    """Return the values of the form's visible fields for these rules."""
    values = {house_rules.DIRECTION: agreed.direction}
    hidden = _hidden_fields(form)
    for name, text in _option_texts(agreed).items():
        if name not in hidden and form.fields.get(name) != text:
            offered = form.allowed(name)
            values[name if offered is None or text in offered else f"{name}-other"] = text
    return values


def _mismatched_hidden_fields(form: Node, agreed: GameStarted) -> list[str]:
    """Return the names of hidden fields whose values differ from these rules. A blank one means the default."""
    texts, defaults = _option_texts(agreed), _option_texts(replace(agreed, options=()))
    hidden = {name: value or defaults.get(name, "") for name, value in _hidden_fields(form).items()}
    return [name for name, value in hidden.items() if texts.get(name, value) != value]


def _hidden_fields(form: Node) -> dict[str, str]:
    return {node.attrs["name"]: node.attrs["value"] for node in form.every("input", type="hidden")}


def _option_texts(agreed: GameStarted | RulesAgreed) -> dict[str, str]:
    """Return the text to type for each option, at a table whose money has no cents."""
    variant = get_variant(agreed.variant)
    house = variant.house(dict(agreed.options))
    return {
        house_rules.field_name(key): text
        for key, text in house_rules.house_input_values(variant, house, Table()).items()
    }


def _previewed_events(page: Node) -> tuple[Event, ...]:
    """Return the events that saving the correction on this page would record."""
    return parse_line(page.only("form", id="changes").fields["seen"])


def _distance(page: Node, events: Sequence[Event]) -> int:
    """Return how far the page's events are from these: each counts −1 if it is among them, otherwise 1."""
    meant = [_comparable(event) for event in events]
    return sum(-1 if _comparable(event) in meant else 1 for event in _previewed_events(page))


def _comparable(event: object) -> object:
    """Return the event without the order of its hands and the names of its players."""
    match event:
        case Corrected(number, inner) | Inserted(number, inner):
            return type(event), number, _comparable(inner)
        case RoundPlayed(entry):
            return entry.closer, entry.closing, dict(entry.hands)
        case PlayersSeated(players):
            return [player.id for player in players]
        case _:
            return event
