"""A client with an owner's token, and the addresses of the rows at the owner's table."""

from __future__ import annotations

from collections import defaultdict

import pytest
from django.test import Client

from games.money.costs import CostWords, share_cost
from games.people.tokens import LIVES, make_token
from tests.tables import last_night


@pytest.fixture
def by_token(owner):
    """Return a client with an owner's token, which can revoke itself."""
    secret = make_token(owner, "x", lasts=LIVES["day"])[1]
    return Client(
        headers={"authorization": f"Bearer {secret}", "idempotency-key": "k", "accept-language": "en"}
    )


@pytest.fixture
def address(game, owner):
    """`address(path)` fills a path of the OpenAPI description with ids that exist."""
    table = game.table
    night = last_night(table)
    assert night
    ana, beto = table.members.order_by("pk")[:2]
    cost = share_cost(table, night, CostWords(ana, 100, (ana, beto), ""), key="cost", by=owner)
    known = {
        "cost": cost.pk,
        "night": night,
        "member": ana.slug,
        "other": beto.slug,
        "season": 1,
        "payment": 1,
    }
    known |= {"key": "chinchon", "what": "rounds"}

    def one(path):
        code = game.code if "/games/{code}" in path else table.code
        return path.format_map(defaultdict(lambda: 1, known, code=code))  # nothing else is numbered there

    return one
