"""Three people with stated rights, and a game: Ana owns the table, a stranger and nobody must learn nothing.

`waldo` is the fourth: a witness, who reads and does not write.
"""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from games import services
from games.models import Grant, Role
from games.scoring.events import PlayerReentered, PlayerStayedOut
from tests.tables import a_key, a_round, make_table, make_user, start


@pytest.fixture(autouse=True)
def fresh_cache():
    """Tries to sign in are counted in the cache, which no test's end empties."""
    cache.clear()


@pytest.fixture
def phone_of():
    """`phone_of(user, language="es-AR")` is that user's phone; without a user nobody is logged in."""

    def phone(user=None, *, language="en", **options):
        client = Client(headers={"accept-language": language}, **options)
        if user is not None:
            client.force_login(user)
        return client

    return phone


@pytest.fixture
def owner(db):
    return make_user("ana")


@pytest.fixture
def table(owner):
    return make_table(owner)


@pytest.fixture
def game(table, owner):
    return start(table, owner, stake=100)


@pytest.fixture
def ana(phone_of, owner):
    return phone_of(owner)


@pytest.fixture
def stranger(phone_of, db):
    """Somebody with a table of her own."""
    user = make_user("sara")
    make_table(user, name="Otra mesa")
    return phone_of(user)


@pytest.fixture
def nobody(phone_of, db):
    return phone_of()


@pytest.fixture
def waldo(phone_of, table):
    user = make_user("waldo")
    Grant.objects.create(user=user, table=table, role=Role.WITNESS)
    return phone_of(user)


@pytest.fixture
def write(owner):
    """Records events as the owner, after whatever there is, and returns the state."""

    def record(game, *events, by=owner):
        return services.record(game, *events, after=len(game.log()), key=a_key(), by=by)

    return record


@pytest.fixture
def finished(table, owner, write):
    """Ana won after three rounds; Beto bought back in once. Nets: Ana +400, Beto -200, Caro and Dani -100."""
    game = start(table, owner, stake=100)
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, a_round("ana", beto=30, caro=70, dani=30))
    write(game, PlayerStayedOut("caro"))
    write(game, a_round("ana", beto=50, dani=20))
    return game
