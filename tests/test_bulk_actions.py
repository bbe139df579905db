"""Queries under the write lock: an action on sixty rows takes as many as on two."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection, transaction

from tests.bulk_actions import ACTS, GAME_ACTS, Act, without_bounds

pytestmark = pytest.mark.django_db

FEW, MANY = 2, 60
ROWS_OF_A_STATEMENT, ROWS_EACH = 50, 9  # SQLite takes 999 values in one; a game of four has so many rows


def count_locked_queries(build: Callable[[int], Act], count: int) -> int:
    """Return how many queries an act makes inside its own transactions, and roll back what it wrote."""
    query_count = 0

    def note(execute, *query):
        nonlocal query_count
        query_count += len(connection.savepoint_ids) > outside
        return execute(*query)

    with transaction.atomic():
        act, outside = build(count), len(connection.savepoint_ids)
        with connection.execute_wrapper(note):
            act()
        transaction.set_rollback(True)
    return query_count


@pytest.mark.parametrize(
    "build",
    [*ACTS, *(pytest.param(build, marks=pytest.mark.long) for build in GAME_ACTS)],
    ids=lambda build: build.__name__,
)
def test_sixty_take_as_many_queries_under_the_lock_as_two(build):
    with without_bounds():
        few, many = count_locked_queries(build, FEW), count_locked_queries(build, MANY)

    assert 0 < few
    assert many - few <= MANY // ROWS_OF_A_STATEMENT * ROWS_EACH
