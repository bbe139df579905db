"""Pagination by cursor: pages neither overlap nor leave rows out, and an altered cursor is refused."""

from __future__ import annotations

import base64
import json
from datetime import timedelta

import pytest
from django.test import RequestFactory
from django.utils.timezone import now
from rest_framework.request import Request

from games.api.common.paging import MOST, cursor_at, page_of, start_sent
from games.api.common.problems import Problem
from games.models import Game
from tests.tables import make_table, make_user, start

pytestmark = pytest.mark.django_db


def asked(**params):
    return Request(RequestFactory().get("/", params))


@pytest.fixture
def table():
    owner = make_user("ana")
    table = make_table(owner)
    for _number in range(5):
        start(table, owner)
    moment = now()
    for number, game in enumerate(Game.objects.order_by("pk")):  # two of them at the same moment
        Game.objects.filter(pk=game.pk).update(started_at=moment + timedelta(seconds=number // 2))
    return table


def pages(rows, by, limit):
    """Return one list of primary keys for each page, in order."""
    seen, page = [], page_of(asked(limit=limit), rows, by)
    while page.next is not None:
        seen.append([row.pk for row in page.rows])
        page = page_of(asked(limit=limit, cursor=page.next), rows, by)
    return [*seen, [row.pk for row in page.rows]]


@pytest.mark.parametrize("by", ["-started_at", "started_at", "-id", "night_number", "code"])
def test_the_pages_together_are_the_complete_ordered_list(table, by):
    sign = "-" if by.startswith("-") else ""
    whole = list(table.games.order_by(by, f"{sign}pk").values_list("pk", flat=True))

    for limit in (1, 2, 3, 5, 200):
        assert [whole[start : start + limit] for start in range(0, 5, limit)] == pages(
            table.games.all(), by, limit
        )


def test_a_row_added_at_the_top_does_not_shift_the_following_pages(table):
    first = page_of(asked(limit=2), table.games.all(), "-started_at")
    start(table, make_user("eva"))
    later = page_of(asked(limit=3, cursor=first.next), table.games.all(), "-started_at")

    assert 5 == len({row.pk for row in (*first.rows, *later.rows)})


def test_an_invalid_limit_is_a_bad_request():
    for limit in ("0", "-1", str(MOST + 1), "ten", "²", "9" * 400, ""):
        with pytest.raises(Problem, match="bad_request"):
            page_of(asked(limit=limit), Game.objects.all(), "-started_at")


def cursor_of(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


FALSE = (
    *("", "x", "ñ", "=" * 8, "A" * 300, cursor_of({}), cursor_of([]), cursor_of([1]), cursor_of([1, 2, 3])),
    *(cursor_of(["2026-01-01", 2**70]), cursor_of(["yesterday", 1]), cursor_of(["2026-01-01T00:00:00", 1])),
    *(cursor_of([True, 1]), cursor_of([None, 1]), cursor_of([[], 1]), cursor_of(["2026-01-01T00:00Z", "1"])),
    *(cursor_of(["0001-01-01T00:00:00+23:59", -1]), cursor_of(["\x00", 1]), "\x00"),
)


@pytest.mark.parametrize("by", ["-started_at", "id"])
@pytest.mark.parametrize("cursor", FALSE)
def test_an_invalid_cursor_is_a_bad_request(cursor, by):
    with pytest.raises(Problem, match="bad_request") as wrong:
        page_of(asked(cursor=cursor), Game.objects.all(), by)

    assert "cursor" == wrong.value.place["field"]


def test_a_cursor_that_is_an_offset_is_parsed_as_one_number():
    for cursor in set(FALSE) - {cursor_of([1])}:
        with pytest.raises(Problem, match="bad_request"):
            start_sent(asked(cursor=cursor))
    assert (0, 50) == (start_sent(asked()), start_sent(asked(cursor=cursor_at(50))))
