"""The version of the database's schema, by its migrations, and the databases that this release can open.

Since version 1.0 each change of the database is one more migration, so a database is opened if all of its
migrations are known here. One with others was made by a newer release.
"""

from __future__ import annotations

from collections.abc import Set
from pkgutil import iter_modules

from games import migrations

MIGRATIONS = frozenset(
    module.name for module in iter_modules(migrations.__path__) if not module.name.startswith("_")
)
# The name of the first migration: every table file of version 1 names it, whatever migrations came later.
SHAPE = min(MIGRATIONS, default="").partition("_")[2]  # "" while the migration is being remade


def is_foreign_database(applied: Set[str]) -> bool:
    """Return whether a database with these applied migrations has one that is not known here."""
    return not applied <= MIGRATIONS
