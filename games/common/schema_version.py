"""The shape of the database, by its migrations, and which databases this version can open.

Since version 1.0 each change of the database is one more migration, so every database whose migrations are all
known here is opened. One with others was made by a newer version.
"""

from __future__ import annotations

from collections.abc import Set
from pkgutil import iter_modules

from games import migrations

MIGRATIONS = frozenset(
    module.name for module in iter_modules(migrations.__path__) if not module.name.startswith("_")
)
# The name of the first migration: every table's file of version 1 names it, whatever migrations came later.
SHAPE = min(MIGRATIONS, default="").partition("_")[2]  # "" while the migration is made anew


def is_foreign_database(applied: Set[str]) -> bool:
    """Return whether a database with these applied migrations has one that is not known here."""
    return not applied <= MIGRATIONS
