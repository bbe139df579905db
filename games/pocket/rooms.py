"""The pages a phone opens from its own copy, by the names of their addresses; every other needs a network."""

from __future__ import annotations

from collections.abc import Collection

# What only shows. `play-round` and `reentry` show a form whose entry waits in the phone as it does without a copy.
READ: Collection[str] = frozenset(
    {
        *("home", "table", "games", "old-night"),
        *("sheet", "board", "live-sheet", "live-board", "settlement", "money", "totals"),
        *("rules", "contract", "paper", "export", "play-round", "reentry", "live-reentry"),
        *("season", "player", "head-to-head", "duel", "seasons", "finale", "year", "year-picture"),
        *("accounts", "account", "plan-changes", "payments", "payment", "nights", "night", "dues"),
    }
)
