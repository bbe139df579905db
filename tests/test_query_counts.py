"""The queries of every page, counted, so that a page that asks more or less than it did is noticed.

`data/queries.txt` has the number for each page of a table with some games, a payment and a personal link, and for
one of a table that does not exist. `UPDATE_EXAMPLES=1` writes it anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection

from games.models import Role
from games.tables.services import links
from tests.factories import build_round
from tests.page_urls import PAGES, page_url, url_parts

pytestmark = pytest.mark.django_db
COUNTS = Path(__file__).parent / "data/queries.txt"
FINISHED = ("settlement", "live-result")  # pages about a game that is over
UNKNOWN = "zzzzzzzzzzz"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the numbers are SQLite's")
def test_each_page_takes_these_queries(ana, game, write, finished, pay, owner):
    for _round in range(4):
        write(game, build_round("beto", ana=10, caro=9, dani=8))
    pay("beto", "caro", 30)
    links.create_personal(game.table, role=Role.WITNESS, by=owner)
    ana.get("/")  # stores the device and the visit
    known = url_parts(game.table)

    lines = [f"{count_queries(ana, '/')} home"]
    for name in PAGES:
        of = finished if name in FINISHED else game
        lines.append(f"{count_queries(ana, page_url(name, game=of, table=game.table, known=known))} {name}")
    address = page_url("sheet", game=None, table=game.table, code=UNKNOWN, known=known)
    lines.append(f"{count_queries(ana, address)} an unknown game")
    address = page_url("accounts", game=None, table=game.table, code=UNKNOWN, known=known)
    lines.append(f"{count_queries(ana, address)} an unknown table")
    if os.environ.get("UPDATE_EXAMPLES"):
        COUNTS.write_text("\n".join(lines) + "\n")

    assert COUNTS.read_text().splitlines() == lines


def count_queries(client, address):
    """Return the number of queries for this address, without what an earlier request has cached."""
    queries = []

    def note(execute, sql, *args):
        queries.append(sql)
        return execute(sql, *args)

    cache.clear()
    with connection.execute_wrapper(note):
        client.get(address).getvalue()
    return len(queries)
