"""The name and address of every page of a table and of its games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils.timezone import localdate

from games.common.poll_tickets import PageVersion
from games.models import Game, Table
from games.urls import urlpatterns
from tests.factories import find_last_night
from tests.reader import Node, open_page, read_page

PAGES = {
    page.name: page
    for page in urlpatterns
    if isinstance(page, URLPattern) and page.name and {"code", "table_code"} & set(page.pattern.converters)
}


def is_game_page(name: str) -> bool:
    return "code" in PAGES[name].pattern.converters


def url_parts(table: Table) -> dict[str, Any]:
    """Return values for the other parts of addresses: existing rows of the table, if there are any."""

    def first(rows: Any) -> int:
        return getattr(rows.order_by("pk").first(), "pk", 1)

    night = find_last_night(table) or "2026-11-19"
    return {
        **{"version": PageVersion(1, 1), "after": 1, "year": localdate().year, "day": night, "night": night},
        **{
            "member": "ana",
            "other": "beto",
            "what": "results",
            "setting": "name",
            "part": "in-charge",
            "season": first(table.seasons),
        },
        **{"payment": first(table.payments), "number": first(table.payments), "cost": first(table.costs)},
        **{"link": first(table.links), "access": first(table.accesses.filter(member=None))},
    }


def page_url(
    name: str,
    *,
    game: Game | None,
    table: Table,
    code: str | None = None,
    known: dict[str, Any] | None = None,
) -> str:
    """Return the address of this page for the game, or for another code."""
    known = {
        **(known or url_parts(table)),
        "code": code or getattr(game, "code", ""),
        "table_code": code or table.code,
    }
    if is_game_page(name):
        known["number"] = 2  # the first round
    elif name in ("cost", "correct-cost"):
        known["number"] = known["cost"]
    return reverse(name, kwargs={part: known[part] for part in PAGES[name].pattern.converters})


def visible_pages(client: Client, table: Table, *games: Game) -> Iterator[tuple[str, HttpResponseBase]]:
    """Yield the name and response of every page this phone may see. Names of game pages include the code."""
    for name in PAGES:
        for game in games if is_game_page(name) else games[:1]:
            response = client.get(page_url(name, game=game, table=table))
            if response.status_code == 200:
                yield f"{name} {game.code}" if is_game_page(name) else name, response


def read_pages(client: Client, table: Table, *games: Game, others: Iterable[str] = ()) -> dict[str, Node]:
    """Return every page of the table and its games that this phone may see, and those at the other addresses."""
    games_by_code = {game.code: game for game in games}
    pages = {address: open_page(client, address) for address in others}
    for name, answer in visible_pages(client, table, *games):
        if answer.headers.get("Content-Type", "").startswith("text/html") and "live" not in name:
            page_name, _space, code = name.partition(" ")
            address = page_url(page_name, game=games_by_code.get(code, games[0]), table=table)
            pages[address] = read_page(answer)
    return pages


def address_kind(address: str) -> str:
    """Return the address without codes and numbers."""
    return re.sub(r"/[a-z0-9]{11}/|/\d+/", "/-/", address)
