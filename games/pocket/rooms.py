"""The names of the views that a phone serves from its own database. All other views need a network."""

from __future__ import annotations

# Views that only read. The views below also show the pages with their HTML forms.
READ: frozenset[str] = frozenset(
    {
        *("home", "table", "games", "old-night"),
        *("sheet", "board", "live-sheet", "live-board", "settlement", "money", "totals"),
        *("rules", "contract", "export", "play-round", "reentry", "live-reentry"),
        *("season", "player", "head-to-head", "duel", "seasons", "finale", "year", "year-picture"),
        *(
            "accounts",
            "account",
            "plan-changes",
            "payments",
            "payment",
            "nights",
            "night",
            "settle-night",
            "cost",
            "dues",
        ),
    }
)

# Views that write. Their changes become facts (`facts.py`), which the site records once the phone is online.
WRITE: frozenset[str] = frozenset(
    {
        *("play-round", "preview-round", "reentry", "undo-last", "redo-last"),
        *("correct", "preview-correction", "insert-round", "preview-insertion"),
        *("correct-rules", "seats", "changes"),
        *("more", "leave", "adjust", "deal", "stop", "join", "replace"),
        *("new-table", "new-game", "rematch", "discard", "restore", "add-member"),
        *(
            "pay",
            "pay-dues",
            "unpay-dues",
            "tick-night",
            "untick-night",
            "cancel-payment",
            "confirm-payment",
            "dispute-payment",
        ),
        *("uphold-payment", "amend-payment"),
    }
)
