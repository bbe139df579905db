"""The errors of scoring: text that cannot be read, and events that the rules do not allow."""

from __future__ import annotations

from enum import StrEnum

from .i18n import Text


class RefusalCode(StrEnum):
    """The reason for a refusal, as a code that callers can test."""

    OTHER = "other"
    GAME_OVER = "game_over"
    NOT_PENDING = "not_pending"
    NOT_IN = "not_in"
    UNKNOWN_PLAYER = "unknown_player"
    MISSING_HAND = "missing_hand"
    TOO_MUCH = "too_much"


class ScoringError(Exception):
    """An error with a sentence for people, the input `field` it concerns, and the number of the event."""

    def __init__(
        self,
        text: Text,
        *,
        code: RefusalCode = RefusalCode.OTHER,
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
    """Raised for text that fits no form of the notation (NOTATION.md)."""


class RuleError(ScoringError):
    """Raised for readable input that the rules do not allow at this point."""


class LineError(Exception):
    """An error at a line of a file, with the line's number and the error itself."""

    def __init__(self, line: int, error: ScoringError) -> None:
        super().__init__(f"{line}: {error}")
        self.line = line
        self.error = error


class UnreadableLine(LineError):
    """Raised for a line that fits no form; `error` is a NotationError."""


class RefusedLine(LineError):
    """Raised for a line that the rules do not allow; `error` is a RuleError."""
