"""Pages and tables that several readers share: what was drawn for one reader is never shown to another."""

from __future__ import annotations

import re

import pytest
from django.core.cache import caches
from django.urls import reverse
from django.utils.timezone import now

from games.models import Access, Role
from games.play.services import recording
from games.scoring.events import Corrected
from games.tables.services import lobby, membership
from tests.factories import build_round, grant_access, make_user
from tests.reader import PollingClient, read_page

pytestmark = pytest.mark.django_db

PER_REQUEST = re.compile(
    r'(csrfmiddlewaretoken"|name="key"|data-ticket=|data-in=)[^>]*'
)  # different each time


def sheet_html(phone, game):
    return PER_REQUEST.sub("", phone.get(reverse("sheet", args=[game.code])).text)


@pytest.fixture
def phones(owner, table, game, client_for):
    """One phone of each kind, by name."""
    made = {"records": client_for(owner)}
    for name, face in (("watches", ""), ("in Spanish", ""), ("is Beto", "beto"), ("waits", "caro")):
        access = grant_access(make_user(name), table, face=face)
        if face == "beto":
            Access.objects.filter(pk=access.pk).update(confirmed_at=now())
        made[name] = client_for(access.user, language="es-CL" if name == "in Spanish" else "en")
    return made


def _change_member(game, *_):
    Access.objects.filter(user__username="is Beto").update(member=game.table.members.get(slug="dani"))
    membership.update(game.table.members.get(slug="beto"), name="Betito", colour=2)


CHANGES = (
    lambda game, write, owner: write(game, build_round("ana", beto=23, caro=40, dani=9)),
    lambda game, write, owner: write(game, Corrected(2, build_round("ana", beto=23, caro=4, dani=9))),
    lambda game, *_: membership.update(game.table.members.get(slug="dani"), name="<b>D</b>&", colour=3),
    _change_member,
    lambda game, write, owner: lobby.set_role(
        Access.objects.get(user__username="is Beto"), Role.SCORER, by=owner
    ),
    lambda game, *_: recording.discard_game(game),
)


def test_what_was_drawn_for_one_is_never_shown_to_another(phones, game, write, owner, subtests):
    watching = {
        name: PollingClient(phone, reverse("sheet", args=[game.code])) for name, phone in phones.items()
    }
    for place, change in enumerate(CHANGES):
        change(game, write, owner)
        polled = {name: read_page(watcher.poll()) for name, watcher in watching.items()}
        cached = {name: sheet_html(phone, game) for name, phone in phones.items()}
        for name, phone in phones.items():
            watching[name].live = polled[name].only(id="news").attrs["data-live"]
            with subtests.test(change=place, reader=name):
                caches["drawn"].clear()
                fresh_response = phone.get(reverse("sheet", args=[game.code]))

                assert PER_REQUEST.sub("", fresh_response.text) == cached[name]
                assert read_page(fresh_response).only("main").text == polled[name].only("main").text
    assert "<b>D</b>" not in cached["watches"]
    assert "&lt;b&gt;D&lt;/b&gt;&amp;" in cached["watches"]


def test_a_theme_is_of_one_phone(phones, game):
    sheet_html(phones["records"], game)
    phones["watches"].cookies["theme"] = "dark"

    assert 'data-theme="dark"' in sheet_html(phones["watches"], game)
    assert "data-theme" not in sheet_html(phones["is Beto"], game)
