"""The errors of scoring, by stage: text that cannot be read, and events the rules do not allow."""

from __future__ import annotations

from enum import StrEnum

from games.scoring.words import Text


class Refusal(StrEnum):
    """The reason why an event is refused, where callers act on it."""

    OTHER = "other"
    GAME_OVER = "game_over"
    NOT_PENDING = "not_pending"
    NOT_IN = "not_in"
    UNKNOWN_PLAYER = "unknown_player"
    MISSING_HAND = "missing_hand"
    TOO_MUCH = "too_much"


class ScoringError(Exception):
    """A refusal: its sentence, the input `field` it is about, and the number of the event."""

    def __init__(
        self,
        text: Text,
        *,
        code: Refusal = Refusal.OTHER,
        field: str = "",
        player: str = "",
        number: int | None = None,
    ) -> None:
        super().__init__(str(text))
        self.text = text
        self.code = code
        self.field = field
        self.player = player
        self.number = number


class NotationError(ScoringError):
    """An error in a text that fits no form of the notation."""


class RuleError(ScoringError):
    """An error in something readable that the rules do not allow at this point."""
