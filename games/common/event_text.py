"""The events of a log as sentences and notation, without a replay, for programs that follow a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from games.common import event_sentences, naming
from games.common.event_sentences import PersonsById
from games.scoring import corrections
from games.scoring.cards import JOKER, JOKER_SIGN
from games.scoring.events import (
    Corrected,
    Event,
    GameStarted,
    GameStopped,
    Inserted,
    Log,
    NightImported,
    PlayerReentered,
    PlayersSeated,
    RoundPlayed,
    RulesAgreed,
    Struck,
)
from games.scoring.rounds import RoundEntry
from games.scoring.rule_types import Rules
from games.scoring.text.notation_writer import write_event, write_hand
from games.scoring.variants import get_variant


@dataclass(frozen=True)
class NarratedLog:
    """The log of a game, with the people it mentions."""

    log: Log
    people: PersonsById

    def line(self, number: int) -> str:
        """Return the event with this number as a line of notation."""
        return write_event(self.log[number - 1])

    def text(self, number: int) -> str:
        """Return the event with this number as a sentence."""
        return self._in_words(self.log[number - 1])

    @cached_property
    def rules(self) -> Rules:
        """The game's present rules, with all corrections applied."""
        _number, start = corrections.effective_events(self.log)[0]
        assert isinstance(start, GameStarted), "a night of an old notebook has no rounds"
        variant = get_variant(start.variant)
        return variant.build(variant.house(dict(start.options)))

    def _in_words(self, event: Event) -> str:
        match event:
            case GameStarted() | NightImported():
                return _("The game started")
            case RoundPlayed(entry):
                return self._round_in_words(entry)
            case PlayerReentered(player):
                return _("%(name)s came back") % {"name": naming.isolate(self.people[player].name)}
            case GameStopped(how):
                return event_sentences.stopped_sentence(how, self.rules)
            case Struck(number):
                undone, times = event_sentences.resolve_undo(self.log, number)
                text = _("Undone: %(what)s") if times % 2 else _("Redone: %(what)s")
                return text % {"what": self.text(undone)}
            case Corrected(_number, RulesAgreed() | PlayersSeated()):
                return _("Corrected: how the game started")
            case Corrected(_number, inner):
                assert not isinstance(inner, RulesAgreed | PlayersSeated)
                return _("Corrected: %(what)s") % {"what": self._in_words(inner)}
            case Inserted(event=inner):
                return _("Added: %(what)s") % {"what": self._in_words(inner)}
            case _:
                return event_sentences.plain_sentence(event, self.people)

    def _round_in_words(self, entry: RoundEntry) -> str:
        """Return the round's closing, and the hands as they were entered."""
        closing = event_sentences.closing_sentence(entry, self.rules, self.people)
        hands = (
            f"{naming.isolate(self.people[player].name)} {write_hand(hand).replace(JOKER, JOKER_SIGN)}"
            for player, hand in entry.hands
        )
        return ": ".join(filter(None, (closing, ", ".join(hands))))
