"""Events of a game as short sentences, for example for the scoresheet and the undo bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, naming, regions, texts
from games.common.naming import Person
from games.models import Table
from games.scoring import corrections
from games.scoring.events import (
    Corrected,
    DealPassed,
    Event,
    GameStarted,
    GameStopped,
    Inserted,
    Log,
    NightImported,
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
    WinnersNamed,
)
from games.scoring.options import Option
from games.scoring.rounds import RoundEntry
from games.scoring.rule_types import OwnTotals, Pairs, Pot, Rules, ToWinner, Value
from games.scoring.state import GameState, Reason

PersonsById = Mapping[str, Person]


def stop_label(how: Stop, rules: Rules) -> str:
    """Return the agreement that stopped a game early, such as “The pot is shared”."""
    match how:
        case Stop.LOWEST_WINS:
            return _("The lowest total wins")
        case Stop.HIGHEST_WINS:
            return _("The highest total wins")
        case Stop.SPLIT_POT:
            return _("The pot is split")
        case Stop.REFUND:
            return _("Everyone gets their money back") if rules.pot else _("Nobody wins")
        case _:
            assert_never(how)


def leaving_sentence(rules: Rules) -> str:
    """Return a sentence about a leaving player's money, such as “The stakes stay in the pot”."""
    kinds = {type(rule) for rule in rules.money}
    if {Pot, Pairs} <= kinds:
        return _("The stakes stay in the pot; the differences are settled right away")
    if Pot in kinds:
        return _("The stakes stay in the pot")
    if Pairs in kinds:
        return _("The differences are settled right away")
    if ToWinner in kinds:
        return _("The points so far are paid to the winner at the end")
    if OwnTotals in kinds:
        return _("The points so far are paid at the end")
    return _("The others play on")


def reentry_question(name: str) -> str:
    """Return the question whether the bust player with this name re-enters: `Is Beto coming back?`."""
    return _("Is %(name)s coming back?") % {"name": naming.isolate(name)}


def reason_label(reason: Reason) -> str:
    """Return the reason why a game is over, such as “the target is reached”."""
    match reason:
        case Reason.LAST_IN:
            return _("last one standing")
        case Reason.EVERYBODY_BUST:
            return _("everyone bust, the lowest total wins")
        case Reason.FIRST_OUT:
            return _("a player is out, the lowest total wins")
        case Reason.INSTANT_WIN:
            return _("won instantly")
        case Reason.TARGET:
            return _("the target is reached")
        case Reason.CONTRACTS_DONE:
            return _("the last contract is played")
        case Reason.ROUNDS_DONE:
            return _("all rounds are played")
        case Reason.GOAL:
            return _("the goal is reached")
        case Reason.STOPPED:
            return _("stopped by agreement")
        case Reason.IMPORTED:
            return _("from an old notebook")
        case _:
            assert_never(reason)


def round_number(state: GameState, number: int) -> int:
    """Return the number of the round (mano) that event `number` of the log records, counting from 1.

    For an event that is not a round, return the number of the last round before it, 0 if there is none.
    """
    played = 0
    for step in state.steps:
        played += isinstance(step.event, RoundPlayed)
        if step.number == number:
            break
    return played


def event_sentence(event: Event, *, log: Log, state: GameState, people: PersonsById, table: Table) -> str:
    """Return any recorded event, including a correction or an undo, as a short sentence.

    `event` must be an item of `log`, not merely equal to one, because it is found by identity. `state` is the
    state after the whole log.
    """
    place = next(place for place, other in enumerate(log, start=1) if other is event)
    match event:
        case Struck(number):
            undone, times = resolve_undo(log, number)
            if times % 2 == 0:
                sentence = event_sentence(log[undone - 1], log=log, state=state, people=people, table=table)
                return _("Redone: %(what)s") % {"what": sentence}
            # The sentence gives the round number that the event had before it was undone.
            before = log[: place - 1]
            return _undo_sentence(log[undone - 1], log=before, state=state, people=people, table=table)
        case Corrected(number, RulesAgreed() | PlayersSeated()):
            return _("Corrected: how the game started")
        case Corrected(number, inner):
            assert not isinstance(inner, RulesAgreed | PlayersSeated)
            played = _recorded_round(log, number, place)
            if isinstance(inner, RoundPlayed):
                return _("Corrected: round %(number)s") % {"number": played}
            sentence = play_sentence(inner, number=number, state=state, people=people, table=table)
            return _("Corrected: %(what)s") % {"what": sentence}
        case Inserted(_, inner):
            played = _recorded_round(log, place, place)
            if isinstance(inner, RoundPlayed):
                return _("Added: round %(number)s") % {"number": played}
            sentence = play_sentence(inner, number=place, state=state, people=people, table=table)
            return _("Added: %(what)s") % {"what": sentence}
        case _:
            played = _recorded_round(log, place, place)
            return play_sentence(event, number=place, state=state, people=people, table=table, played=played)


def _undo_sentence(event: Event, *, log: Log, state: GameState, people: PersonsById, table: Table) -> str:
    """Return a sentence saying that `event` was undone: `Undone: Ana re-entered`.

    If the event corrected or inserted a round, the sentence says so and gives the number of the round. `log`
    ends before the undo and contains `event` itself.
    """
    place = next(place for place, other in enumerate(log, start=1) if other is event)
    match event:
        case Corrected(number, RoundPlayed()):
            return _("The correction of round %(number)s was undone") % {
                "number": _recorded_round(log, number, place)
            }
        case Corrected(_, RulesAgreed() | PlayersSeated()):
            return _("The correction of how the game started was undone")
        case Inserted(_, RoundPlayed()):
            return _("The added round %(number)s was removed again") % {
                "number": _recorded_round(log, place, place)
            }
        case _:
            sentence = event_sentence(event, log=log, state=state, people=people, table=table)
            return _("Undone: %(what)s") % {"what": sentence}


def resolve_undo(log: Log, number: int) -> tuple[int, int]:
    """Follow a chain of undos: return the number of the event undone first, and the number of undos.

    `number` is the event that the last undo undid. An undo (`Struck`) is an event too, and undoing it
    restores the event that it undid. So after an even number of undos the event counts again.
    """
    times = 1
    while isinstance(struck := log[number - 1], Struck):
        number, times = struck.number, times + 1
    return number, times


def _recorded_round(log: Log, number: int, place: int) -> int:
    """Return the number of the round that event `number` of the log recorded, counting from 1.

    All corrections in the log are applied first. If the event has been undone since and no longer counts,
    return the number that its round had after the first `place` events of the log.
    """
    events = corrections.effective_events(log)
    if number not in dict(events):
        events = corrections.effective_events(log[:place])
    numbers = [known for known, _event in events]
    before = events[: numbers.index(number) + 1]
    return sum(isinstance(event, RoundPlayed) for _known, event in before)


def play_sentence(
    event: Event,
    *,
    number: int,
    state: GameState,
    people: PersonsById,
    table: Table,
    played: int | None = None,
) -> str:
    """Return an event of play as a short sentence, such as `Round 3: Ana went out`.

    `number` is the event's number in the log, and `played` the number of the round that it records, if known.
    A correction, an insertion or an undo raises AssertionError.
    """
    match event:
        case GameStarted() | NightImported():
            return _("The game started")
        case RoundPlayed(entry):
            return _("Round %(number)s: %(closing)s") % {
                "number": round_number(state, number) if played is None else played,
                "closing": closing_sentence(entry, state.rules, people),
            }
        case PlayerReentered(player):
            name, fee = naming.isolate(people[player].name), fee_paid(state, number)
            if fee:
                return _("%(name)s came back for %(fee)s") % {"name": name, "fee": amounts.money(fee, table)}
            return _("%(name)s came back") % {"name": name}
        case GameStopped(how):
            return stopped_sentence(how, state.rules)
        case Corrected() | Inserted() | Struck():
            raise AssertionError("a correction has its own words")
        case _:
            return plain_sentence(event, people)


def stopped_sentence(how: Stop, rules: Rules) -> str:
    label = stop_label(how, rules)
    if regions.active_language() == "en":  # the label follows a colon; in Spanish, a full stop
        label = label[:1].lower() + label[1:]
    return _("Stopped early: %(how)s") % {"how": label}


PlainEvent = (
    PlayerStayedOut
    | PlayerLeft
    | PlayerJoined
    | SeatHandedOver
    | PointsAdjusted
    | DealPassed
    | WinnersNamed
    | TotalsAgreed
)


def plain_sentence(event: PlainEvent, people: PersonsById) -> str:
    """Return an event that can be told without state and rules as a short sentence."""
    match event:
        case PlayerStayedOut(player):
            return _("%(name)s stays out") % {"name": naming.isolate(people[player].name)}
        case PlayerLeft(player):
            return _("%(name)s went home") % {"name": naming.isolate(people[player].name)}
        case PlayerJoined(player=newcomer):
            return _("%(name)s joined") % {"name": naming.isolate(people[newcomer.id].name)}
        case SeatHandedOver(player, to):
            names = {
                "newcomer": naming.isolate(people[to.id].name),
                "name": naming.isolate(people[player].name),
            }
            return _("%(newcomer)s takes over for %(name)s") % names
        case PointsAdjusted(player, amount, reason):
            return _("%(name)s %(points)s: %(reason)s") % {
                "name": naming.isolate(people[player].name),
                "points": amounts.points(amount, signed=True),
                "reason": reason,
            }
        case DealPassed(player):
            return _("%(name)s deals next") % {"name": naming.isolate(people[player].name)}
        case WinnersNamed(players):
            winners = naming.join_names([people[player].name for player in players])
            return ngettext("%(names)s won", "%(names)s won", len(players)) % {"names": winners}
        case TotalsAgreed(totals):
            totals_text = ", ".join(
                f"{naming.isolate(people[player].name)} {amounts.points(total)}" for player, total in totals
            )
            return _("Totals agreed: %(totals)s") % {"totals": totals_text}
        case _:
            assert_never(event)


def fee_paid(state: GameState, number: int) -> int:
    """Return the price of the re-entry recorded as event `number`, in the table's smallest units."""
    return next((step.fee for step in state.steps if step.number == number), 0)


def closing_sentence(entry: RoundEntry, rules: Rules, people: PersonsById) -> str:
    """Return a sentence about the player who closed a round, and how they closed it.

    If the rules were corrected and no longer have that closing, the sentence names only the player.
    """
    name = "" if entry.closer is None else naming.isolate(people[entry.closer].name)
    closing = rules.closing(entry.closing)
    if closing is not None:
        return texts.translate(closing.sentence.filled(name=name))
    return _("%(name)s ended the round") % {"name": name} if name else _("nobody ended the round")


def won_by_label(names: Sequence[str], *, is_shared: bool = False) -> str:
    """Return `won by Ana and Beto`; without names, `They split the pot` or `nobody won`."""
    if not names:
        return _("They split the pot") if is_shared else _("nobody won")
    return ngettext("won by %(names)s", "won by %(names)s", len(names)) % {"names": naming.join_names(names)}


def winners_sentence(state: GameState, people: PersonsById) -> str:
    """Return a sentence with the winners of a finished game; more than two are only counted."""
    assert state.outcome is not None
    names = [naming.isolate(people[winner].name) for winner in state.outcome.winners]
    match names:
        case []:
            if not state.rules.pot:
                return _("Nobody wins")
            return _("Nobody wins, everyone gets their money back")
        case [name]:
            return _("%(name)s wins") % {"name": name}
        case _ if state.outcome.agreed:
            return _("They split the pot")
        case [first, last]:
            return _("%(first)s and %(last)s share the win") % {"first": first, "last": last}
        case _:
            return _("%(count)s share the win") % {"count": len(names)}


# --- house rules in words, with the table's money ---------------------------------------------------------------------


def option_value_label(option: Option, value: Value, table: Table) -> str:
    """Return the value of an option (a house rule) in words; an amount gets the table's unit of money."""
    if option.money is not None and isinstance(value, int):
        return amounts.money(value, table)
    return texts.translate(option.value_in_words(value))
