"""Fixtures for phones of users with different rights, and for games: Ana owns the table, Waldo is a viewer.

A stranger, or a phone without a user, must learn nothing about the table.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.db import transaction
from django.test import Client
from django.utils.timezone import now

from games.models import Method, Role
from games.money.services import expenses, payments
from games.play.services import recording
from games.scoring.events import PlayerReentered, PlayerStayedOut, RoundPlayed
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.text.notation import parse_line
from games.tables.services import links, membership
from tests.factories import (
    SECRET,
    build_expense,
    build_round,
    cached_game,
    cached_table,
    confirm_as_member,
    get_last_night,
    grant_access,
    loba_start,
    make_table,
    make_user,
    new_key,
    start,
)
from tests.reader import read_page


@pytest.fixture
def fresh_cache():
    """Empty the caches, which outlive a test: sign-in attempts, and scoresheets of equal codes and versions."""
    cache.clear()
    caches["drawn"].clear()


@pytest.fixture
def module_urlconf(request, settings):
    """Serve the `urlpatterns` of the test's own module."""
    settings.ROOT_URLCONF = request.module.__name__


@pytest.fixture
def rate_limited(settings, monkeypatch):
    """Turn on rate limits, which other tests do not have, with empty counters."""
    monkeypatch.setattr("scorekeeper.rate_limit_middleware.CacheOutage.ends_at", 0.0)
    in_memory = "django.core.cache.backends.locmem.LocMemCache"
    for name in ("throttles", "polls"):
        settings.CACHES = {**settings.CACHES, name: {"BACKEND": in_memory, "LOCATION": f"test-{name}"}}
        caches[name].clear()


@pytest.fixture
def client_for(fresh_cache):
    """`client_for(user, language="es-AR")` returns a phone signed in as the user, or as nobody without one."""

    def phone(user=None, *, language="en", **options):
        client = Client(headers={"accept-language": language}, **options)
        if user is not None:
            client.force_login(user)
        return client

    return phone


@pytest.fixture
def form_key_and_clients(client_for):
    """`form_key_and_clients("/new/", 2)` returns the key of that page's form and two phones that can post it."""

    def taps(address, count=2):
        form_client = client_for()
        key = read_page(form_client.get(address)).every("input", name="key")[0].attrs["value"]
        phones = [client_for() for _tap in range(count)]
        for phone in phones:
            phone.cookies[settings.CSRF_COOKIE_NAME] = form_client.cookies[settings.CSRF_COOKIE_NAME].value
        return key, phones

    return taps


@pytest.fixture
def owner(db):
    return make_user("ana")


@pytest.fixture
def olga(db):
    """A user with a password."""
    return User.objects.create_user("olga", password=SECRET)


@pytest.fixture
def table(owner):
    return cached_table("Mesa de los jueves", lambda: make_table(owner))


@pytest.fixture
def game(table, owner):
    return cached_game(table, "begun", lambda: start(table, owner, stake=100))


@pytest.fixture
def ana(client_for, owner):
    return client_for(owner)


@pytest.fixture
def stranger(client_for, db):
    """The phone of a user with a table of their own."""
    user = make_user("sara")
    make_table(user, name="Otra mesa")
    return client_for(user)


@pytest.fixture
def nobody(client_for, db):
    return client_for()


@pytest.fixture
def waldo(client_for, table):
    user = make_user("waldo")
    grant_access(user, table)
    return client_for(user)


@pytest.fixture
def write(owner):
    """`write(game, *events)` appends events to a game as the owner, and returns the result."""

    def record(game, *events, **how):
        how = {"after": len(game.log()), "key": new_key(), "by": owner, **how}
        return recording.record(game, *events, **how)

    return record


@pytest.fixture
def finished(table, owner, write):
    """A game that Ana won in three rounds: Ana +400, Beto -200 with one re-entry, Caro and Dani -100."""

    def play():
        game = start(table, owner, stake=100)
        write(game, build_round("ana", beto=101, caro=40, dani=60))
        write(game, PlayerReentered("beto"))
        write(game, build_round("ana", beto=30, caro=70, dani=30))
        write(game, PlayerStayedOut("caro"))
        write(game, build_round("ana", beto=50, dani=20))
        return game

    return cached_game(table, "finished", play)


@pytest.fixture
def play(table, owner, write):
    """`play("ana", "beto", "dani", days=7)` returns a game of one round a week ago with these places."""

    def one(*places, days=0, **options):
        act = (places, days, *options.items())
        return cached_game(table, act, lambda: one_anew(*places, days=days, **options))

    def one_anew(*places, days, **options):
        event = loba_start(table, **{"stake": 100, **options})
        players = tuple(player for player in event.players if player.id in places)
        new_game = recording.start_game(
            table,
            replace(event, players=players),
            key=new_key(),
            by=owner,
            at=now() - timedelta(days=days),
        )
        first, *others = places
        hands = tuple((other, Hand(points=101 + place)) for place, other in enumerate(others))
        write(new_game, RoundPlayed(RoundEntry(first, "out", hands)))
        return new_game

    return one


@pytest.fixture
def members_by_slug(table):
    return {member.slug: member for member in table.members.all()}


@pytest.fixture
def share(table, owner, members_by_slug):
    """`share("beto", 90, "ana", "caro")` records on the last night what Beto paid for these two."""

    def share_one(payer, amount, *sharers, night=None, note="pizza", is_forgiven=False, **how):
        expense = build_expense(
            members_by_slug[payer],
            amount,
            [members_by_slug[slug] for slug in sharers],
            note,
            is_forgiven=is_forgiven,
        )
        return expenses.create(
            table, night or get_last_night(table), expense, **{"key": new_key(), "by": owner, **how}
        )

    return share_one


@pytest.fixture
def anita(table):
    """A second member for Ana, entered by mistake."""
    return membership.add(table, "Anita")


@pytest.fixture
def pay(table, owner, members_by_slug):
    """`pay("beto", "ana", 100)` records a payment, in cash unless `method` is given."""

    def pay_one(payer, payee, amount, **how):
        how = {"method": Method.CASH, "key": new_key(), "by": owner, "role": Role.OWNER, **how}
        return payments.create(table, members_by_slug[payer], members_by_slug[payee], amount, **how)

    return pay_one


@pytest.fixture
def confirm_as(table):
    """`confirm_as(user, "ana")` confirms that the user is Ana, and returns the user."""

    def claim(user, slug):
        confirm_as_member(user, table.members.get(slug=slug))
        return user

    return claim


@pytest.fixture
def client_as(client_for, table, confirm_as):
    """`client_as("beto")` returns the phone of a viewer confirmed as Beto."""

    def phone(slug):
        user = make_user(f"user_of_{slug}")
        return client_for(confirm_as(user, slug))

    return phone


@pytest.fixture
def in_english(table):
    table.language = "en"
    table.save(update_fields=["language"])


@pytest.fixture
def rollback_subtest(subtests):
    """`with rollback_subtest(name):` runs a page as a subtest and rolls back what it writes."""

    @contextmanager
    def one(name):
        with subtests.test(page=name), transaction.atomic():
            cache.clear()
            yield
            transaction.set_rollback(True)

    return one


@pytest.fixture
def at_stage(table, owner, write):
    """`at_stage("bust")` returns a game at this stage."""

    def game_at(stage):
        game = start(table, owner, stake=100, late_entry="on")
        write(game, build_round("ana", beto=23, caro=40, dani=9))
        write(game, build_round("beto", ana=5, caro=20, dani=30))
        links.create_personal(table, role=Role.SCORER, by=owner)
        match stage:
            case "bust":
                write(game, build_round("ana", beto=90, caro=2, dani=3))
            case "undone":
                recording.undo(game, after=3, key=new_key(), by=owner)
            case "over":
                recording.record(game, *parse_line("stop lowest_wins"), after=3, key=new_key(), by=owner)
            case "discarded":
                recording.discard_game(game)
            case "paid":
                recording.record(game, *parse_line("stop lowest_wins"), after=3, key=new_key(), by=owner)
                payer, payee = (table.members.get(slug=slug) for slug in ("beto", "ana"))
                payments.create(table, payer, payee, 100, key=new_key(), by=owner)
        return game

    return game_at
