"""The pages a phone opens from its own copy, and those it takes something by; every other needs a network."""

from __future__ import annotations

# What only shows. `play-round` and `reentry` show a form whose entry waits in the phone as it does without a copy.
READ: frozenset[str] = frozenset(
    {
        *("home", "table", "games", "old-night"),
        *("sheet", "board", "live-sheet", "live-board", "settlement", "money", "totals"),
        *("rules", "contract", "paper", "export", "play-round", "reentry", "live-reentry"),
        *("season", "player", "head-to-head", "duel", "seasons", "finale", "year", "year-picture"),
        *("accounts", "account", "plan-changes", "payments", "payment", "nights", "night", "dues"),
    }
)

# What a page may be sent on the phone: all it writes is told as facts (`facts.py`), and done where the phone comes back to.
WRITE: frozenset[str] = frozenset(
    {
        *("play-round", "preview-round", "reentry", "undo-last", "redo-last"),
        *("correct", "preview-correction", "insert-round", "preview-insertion"),
        *("correct-rules", "seats", "changes"),
        *("more", "leave", "adjust", "deal", "stop", "join", "replace"),
        *("new-game", "rematch", "discard", "restore", "add-member"),
        *("pay", "pay-dues", "unpay-dues", "cancel-payment", "confirm-payment", "dispute-payment"),
        *("uphold-payment", "amend-payment"),
    }
)
