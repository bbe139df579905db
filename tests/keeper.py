"""A scorekeeper without scripts: it enters a game's events through the forms of the pages."""

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
)
from games.scoring.rounds import RoundEntry, hand_field
from games.scoring.text.notation import parse_line
from games.scoring.text.notation_writer import write_hand
from games.scoring.variants import get_variant
from tests.reader import Node, Walker, read_page

HAND = hand_field("")  # the prefix of every hand's field
SETTLEMENT = house_rules.field_name("settlement")
SHOW, LOOK = "Show the rules of this game", "See what changes"


class NotSaid(Exception):
    """Raised when no page can enter this event in the present state of the game. Nothing was recorded."""


@contextmanager
def _not_said() -> Iterator[None]:
    """Turn a missing page element or a refusal into NotSaid."""
    try:
        yield
    except AssertionError as missing:
        raise NotSaid(str(missing)) from missing


class Keeper:
    """The scorekeeper of one game. `says` finds the page for any event; each other method uses one page."""

    def __init__(self, walker: Walker, code: str = "") -> None:
        self.walker, self.code = walker, code

    def says(self, *events: Event) -> tuple[Event, ...]:
        """Record the first of these events, and the next ones if its page records them too.

        Return the events that are left. Raise NotSaid if no page can enter the first.
        """
        with _not_said():
            match events[0]:
                case Corrected() | Inserted():
                    recorded = self._corrects(events)
                case Struck():
                    recorded = self._steps(events) or self._corrects(events)
                case first:
                    self._adds(first)
                    recorded = (first,)
        meant = [_meant(event) for event in recorded]
        return tuple(event for event in events if _meant(event) not in meant)

    def _adds(self, event: Event) -> None:
        match event:
            case RoundPlayed(entry):
                self.plays(*_typed(entry))
            case PlayerReentered(player):
                self.answers(player, "reenter")
            case PlayerStayedOut(player):
                self.answers(player, "stay_out")
            case PlayerLeft(player):
                self.does("leave", "Goes home", {"leave-player": player})
            case PointsAdjusted(player, points, reason):
                typed = {"penalty-player": player, "points": str(points), "reason": reason}
                self.does("adjust", "Record it", typed)
            case DealPassed(player):
                self.does("deal", "Deals next", {"deal-player": player})
            case GameStopped(how):
                self.does("stop", "See what changes", {"how": how})
                self.sends("Save", {})
            case PlayerJoined(player, after):
                beside = {"after-player": after} if after else {}
                self.does("join", "Sits down", {"newcomer": player.id, **beside})
            case SeatHandedOver(player, to):
                self.does("replace", "Hand the seat over", {"seat-player": player, "to": to.id})
            case _:
                raise AssertionError("there is no page for it")

    # --- one page each ------------------------------------------------------------------------------------------------

    def opens(self, view: str, *place: object, query: str = "") -> Node:
        """Open a page of the game."""
        return self.walker.open(reverse(view, args=[self.code, *place]) + query)

    @_not_said()
    def begins(self, table: Table, begun: GameStarted) -> None:
        """Start the game at this table; all players are members. Raise NotSaid if no page can."""
        first = begun.players[0].id
        assert begun.dealer in ("", first), f"the first to deal is the first of the seats, {first}"
        self.walker.open(reverse("new-game", args=[table.code]))
        form, _button = self.walker.page.form_with("Start")
        if form.fields["variant"] != begun.variant:
            form, _button = self.sends(SHOW, {"variant": begun.variant}).form_with("Start")
        rules = _rules(form, begun)
        if SETTLEMENT in rules or _wrongly_hidden(form, begun):  # these decide which other fields it shows
            form, _button = self.sends(SHOW, rules).form_with("Start")
        assert [] == _wrongly_hidden(form, begun), "the settlement ignores them, so no field is shown"
        seats = {f"seat-{place}": player.id for place, player in enumerate(begun.players, start=1)}
        self.sends("Start", {**_rules(form, begun), **seats})
        self.code = self.walker.address.split("/")[2]

    def plays(self, closer: str, closing: str, hands: Mapping[str, str]) -> Node:
        """Record the next round and return the page it leads to."""
        self.opens("play-round")
        return self._fills_in("Save the round", closer, closing, hands)

    def _fills_in(self, button: str, closer: str, closing: str, hands: Mapping[str, str]) -> Node:
        """Fill in a whole round. The field of a hand not named is left blank."""
        form, _button = self.walker.page.form_with(button)
        blank = {name: "" for name in form.fields if name.startswith(HAND)}
        typed = {hand_field(player): text for player, text in hands.items()}
        closed = {"closer": closer, "closing": closing}
        if closed.items() <= _hidden(form).items():  # nobody closes a round in this game
            closed = {}
        return self.sends(button, {**closed, **blank, **typed})

    def answers(self, player: str, answer: str) -> Node:
        """Record the answer of a player who is bust, who must be the next one asked."""
        page = self.opens("reentry")
        assert player == page.only("input", name="player").attrs["value"], "somebody else is asked first"
        return self.sends(page.only("button", name="answer", value=answer).text, {})

    def does(self, form: str, button: str, typed: Mapping[str, str]) -> Node:
        """Record another event by its form."""
        self.opens(form)
        return self.sends(button, typed)

    def sends(self, button: str, typed: Mapping[str, str]) -> Node:
        """Fill in the form of this button, press it and return the next page. A refusal fails the test."""
        page = self.walker.send(button, typed)
        assert self.walker.status < 400, [*page.alerts, *(node.text for node in page.every(class_="wrong"))]
        return page

    # --- corrections --------------------------------------------------------------------------------------------------

    def _steps(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Undo or redo if that records these events. Return the events recorded, none if neither does."""
        game = Game.objects.get(code=self.code)
        log = game.log()
        history = snapshots.build_undo_history(log, EventLog.load(game).batches())
        undo, redo = history.undoable, history.redoable if history.last_is_undo else ()
        for button, batches in (("Undo", undo), ("Redo", redo)):
            strikes = snapshots.build_strikes(batches[-1]) if batches else []
            if strikes and all(strike in events for strike in strikes):
                self.opens("sheet")
                self.sends(button, {})
                return tuple(strikes)
        return ()

    def _corrects(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Record a correction by choosing on its page what leads to these events. Return those recorded."""
        page = self._looks_at(events[0])
        while (strange := _strange(page, events)) > -len(_seen(page)):
            page = next((other for other in self._others(page) if _strange(other, events) < strange), page)
            assert page is not self.walker.page, f"the page would save {_seen(page)}"
            self.walker.page = page
        self.sends("Save", {})
        return _seen(page)

    def _others(self, page: Node) -> Iterator[Node]:
        """Yield the page as it is after each change of one of its choices."""
        form = page.only("form", id="changes")
        names = [node.attrs["name"] for node in form.every("input", type="radio")]
        for name in dict.fromkeys(names):
            for value in form.allowed(name) or ():
                sent = {**form.fields, name: value}
                yield read_page(self.walker.client.post(form.attrs["action"], sent))

    def _looks_at(self, change: Event) -> Node:
        """Return the page that previews this change."""
        match change:
            case Corrected(1, RulesAgreed() as agreed):
                form, _button = self.opens("correct-rules").form_with(LOOK)
                self.sends(LOOK, _rules(form, agreed))
            case Corrected(1, PlayersSeated(players)):
                self.opens("seats")
                self.sends(
                    LOOK, {f"seat-{place}": player.id for place, player in enumerate(players, start=1)}
                )
            case Corrected(number, RoundPlayed(entry)):
                self.opens("correct", number)
                self._fills_in(LOOK, *_typed(entry))
            case Inserted(number, RoundPlayed(entry)):
                self.opens("insert-round", number)
                self._fills_in(LOOK, *_typed(entry))
            case Corrected(number, PlayerReentered() | PlayerStayedOut() as answer):
                self.opens("correct", number)
                is_in = isinstance(answer, PlayerReentered)
                self.sends("Re-entered instead" if is_in else "Did not re-enter instead", {})
            case Corrected(number, PointsAdjusted(_player, points, reason)):
                self.opens("correct", number)
                self.sends(LOOK, {"points": str(points), "reason": reason})
            case Struck(number):
                page = self.opens("correct", number)
                buttons = page.every("button", value="strike")
                assert buttons, "nothing to take out"
                self.sends(buttons[0].text, {})
            case _:
                raise AssertionError("there is no page for it")
        return self.walker.page


def _typed(entry: RoundEntry) -> tuple[str, str, dict[str, str]]:
    """Return the closer, the closing and the text of each hand, as they are typed into the form."""
    return (
        entry.closer or naming.NOBODY,
        entry.closing,
        {player: write_hand(hand) for player, hand in entry.hands},
    )


def _rules(form: Node, agreed: GameStarted | RulesAgreed) -> dict[str, str]:
    """Return the values of the form's visible fields for these rules."""
    wanted = {house_rules.DIRECTION: agreed.direction}
    hidden = _hidden(form)
    for name, text in _texts(agreed).items():
        if name not in hidden and form.fields.get(name) != text:
            offered = form.allowed(name)
            wanted[name if offered is None or text in offered else f"{name}-other"] = text
    return wanted


def _wrongly_hidden(form: Node, agreed: GameStarted) -> list[str]:
    """Return the names of the hidden fields with other values than these rules have; a blank one has its default."""
    texts, defaults = _texts(agreed), _texts(replace(agreed, options=()))
    hidden = {name: value or defaults.get(name, "") for name, value in _hidden(form).items()}
    return [name for name, value in hidden.items() if texts.get(name, value) != value]


def _hidden(form: Node) -> dict[str, str]:
    return {node.attrs["name"]: node.attrs["value"] for node in form.every("input", type="hidden")}


def _texts(agreed: GameStarted | RulesAgreed) -> dict[str, str]:
    """Return the text to type for each option, by option, at a table whose money has no cents."""
    variant = get_variant(agreed.variant)
    house = variant.house(dict(agreed.options))
    return {
        house_rules.field_name(key): text
        for key, text in house_rules.house_input_values(variant, house, Table()).items()
    }


def _seen(page: Node) -> tuple[Event, ...]:
    """Return the events that the correction on this page would record."""
    return parse_line(page.only("form", id="changes").fields["seen"])


def _strange(page: Node, events: Sequence[Event]) -> int:
    """Return how far the events that the page would record are from these.

    Each of them counts one, or minus one if it is among these events.
    """
    meant = [_meant(event) for event in events]
    return sum(-1 if _meant(event) in meant else 1 for event in _seen(page))


def _meant(event: object) -> object:
    """Return the event in a form to compare: the order of the hands and the names of players do not count."""
    match event:
        case Corrected(number, inner) | Inserted(number, inner):
            return type(event), number, _meant(inner)
        case RoundPlayed(entry):
            return entry.closer, entry.closing, dict(entry.hands)
        case PlayersSeated(players):
            return [player.id for player in players]
        case _:
            return event
