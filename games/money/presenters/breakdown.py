"""The breakdown of a player's result (cómo se repartió): its causes, such as stakes, add up to the amount.

Later payments never change it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, event_sentences, naming, texts
from games.common.event_sentences import PersonsById
from games.models import Table
from games.scoring.card_points import LeftoverPoints
from games.scoring.events import PlayerLeft
from games.scoring.money import Cause, Movement, movements
from games.scoring.rule_types import OwnTotals, Pairs, ToWinner
from games.scoring.state import GameState, Outcome


@dataclass(frozen=True)
class CauseItem:
    """A cause of an amount or a debt: its text, its amount, and the URL of a page about it ("" for none)."""

    text: str
    amount: str = ""
    href: str = ""


@dataclass(frozen=True)
class GameBooks:
    """All movements of money in a game, from a payer to a payee, and the data to explain them."""

    state: GameState
    people: PersonsById
    table: Table

    @cached_property
    def movements(self) -> Sequence[Movement]:
        return movements(self.state)

    @property
    def outcome(self) -> Outcome:
        assert self.state.outcome is not None, "a running game has no result"
        return self.state.outcome

    def cause_items(self, player: str) -> tuple[CauseItem, ...]:
        """Return the causes of this player's result, in the order of the movements.

        All prizes of one kind that the player won are one cause; so are all that the player paid.
        """
        groups: dict[object, list[Movement]] = defaultdict(list)
        for movement in self.movements:
            if player in (movement.payer, movement.payee):
                groups[_group_key(movement, player)].append(movement)
        return tuple(self._cause_item(group, player) for group in groups.values())

    def _cause_item(self, group: Sequence[Movement], player: str) -> CauseItem:
        amount = sum(_gain(movement, player) for movement in group)
        return CauseItem(self._cause_label(group, player), amounts.money(amount, self.table, signed=True))

    def _cause_label(self, group: Sequence[Movement], player: str) -> str:
        first = group[0]
        match first.cause:
            case Cause.STAKE:
                return _("Stake")
            case Cause.REENTRY:
                return _("%(ordinal)s re-entry, after round %(number)s") % {
                    "ordinal": amounts.ordinal(first.count),
                    "number": event_sentences.round_number(self.state, first.number),
                }
            case Cause.POT:
                return _("Share of the pot") if self._is_shared else _("The pot")
            case Cause.REFUND:
                return _("Refund from the pot")
            case Cause.DIFFERENCE:
                return self._difference_label(first, player)
            case Cause.POINTS:
                return _("Own points, to the winner: %(points)s") % {
                    "points": self._points_times_value(first.amount)
                }
            case Cause.WON_POINTS:
                return (
                    _("Share of everyone else's points") if self._is_shared else _("Everyone else's points")
                )
            case Cause.OWN_TOTAL:
                return _("Own points: %(points)s") % {"points": self._points_times_value(first.amount)}
            case Cause.ROUND_PRIZE:
                return self._prizes_label(group, is_won=first.payee == player)
            case Cause.INSTANT_PRIZE:
                winning = self.state.rules.winning_closing
                assert winning is not None, "nobody else wins at once"
                names = {"closing": texts.translate(winning.short)}
                is_won = first.payee == player
                return (_("Prize for the %(closing)s") if is_won else _("For the %(closing)s")) % names
            case Cause.NOTEBOOK:
                raise AssertionError("the result of an old night has a page of its own")

    @property
    def _is_shared(self) -> bool:
        outcome = self.state.outcome
        return outcome is not None and len(outcome.winners) > 1

    def _difference_label(self, movement: Movement, player: str) -> str:
        other = movement.payee if movement.payer == player else movement.payer
        details = {
            "name": naming.isolate(self.people[other].name),
            "points": self._points_times_value(movement.amount),
        }
        if movement.number in self._departures():
            details["number"] = str(event_sentences.round_number(self.state, movement.number))
            return _("With %(name)s, after round %(number)s: %(points)s") % details
        return _("With %(name)s: %(points)s") % details

    def _departures(self) -> frozenset[int]:
        """Return the log numbers of the events that record a player leaving."""
        return frozenset(step.number for step in self.state.steps if isinstance(step.event, PlayerLeft))

    def _points_times_value(self, amount: int) -> str:
        """Return an amount as points times the value of a point: `12 points × $5`."""
        kinds = (Pairs, ToWinner, OwnTotals)
        value = next(rule.point_value for rule in self.state.rules.money if isinstance(rule, kinds))
        count = amount // value
        return ngettext("%(points)s point × %(value)s", "%(points)s points × %(value)s", count) % {
            "points": amounts.points(count),
            "value": amounts.money(value, self.table),
        }

    def _prizes_label(self, group: Sequence[Movement], *, is_won: bool) -> str:
        rounds = dict.fromkeys(
            str(event_sentences.round_number(self.state, movement.number)) for movement in group
        )
        count, is_cut = len(rounds), isinstance(self.state.rules.scoring, LeftoverPoints)
        if is_won and is_cut:
            text = ngettext(
                "Prize for the cut in round %(rounds)s", "Prizes for the cuts in rounds %(rounds)s", count
            )
        elif is_won:
            text = ngettext("Prize for round %(rounds)s", "Prizes for rounds %(rounds)s", count)
        elif is_cut:
            text = ngettext("For the cut in round %(rounds)s", "For the cuts in rounds %(rounds)s", count)
        else:
            text = ngettext("For round %(rounds)s", "For rounds %(rounds)s", count)
        return text % {"rounds": ", ".join(rounds)}


def _group_key(movement: Movement, player: str) -> object:
    """Return a key that is equal for movements shown as one cause."""
    if movement.cause in (Cause.ROUND_PRIZE, Cause.INSTANT_PRIZE):
        return movement.cause, movement.payee == player
    return movement


def _gain(movement: Movement, player: str) -> int:
    return movement.amount if movement.payee == player else -movement.amount
