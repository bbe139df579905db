"""The shape of the database: the name of its one initial migration, without the number.

Until version 1.0 each change of the database makes a new initial migration with a new name. A database or a
table's file of another development snapshot is refused, because nothing can upgrade it.
"""

from __future__ import annotations

from collections.abc import Set
from pkgutil import iter_modules

from games import migrations

MIGRATIONS = frozenset(module.name for module in iter_modules(migrations.__path__))
SHAPE = max(MIGRATIONS, default="").partition("_")[2]  # "" while the migration is made anew


def is_of_another(applied: Set[str]) -> bool:
    """Return whether a database with these applied migrations was made by another snapshot.

    A database where none is applied yet was not made by any.
    """
    return bool(applied) and applied != MIGRATIONS
