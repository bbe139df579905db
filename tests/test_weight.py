"""The size of a page on a phone's first visit; nothing is loaded from other sites or inlined."""

from __future__ import annotations

import gzip
import re
from functools import cache
from posixpath import normpath

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.http import HttpResponseBase
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from games.common.days import night_of
from games.models import Role
from games.money import payments
from games.tables.links import make_personal, night_token, show_tonight
from scorekeeper.middleware import POLICY
from scorekeeper.storage import travelling
from tests.reader import fields, read_page
from tests.worlds import a_key, a_round, start

pytestmark = pytest.mark.django_db

HEAVIEST, HEAVIEST_DOOR = 60_000, 6_000
# What a script imports at its first use, or once the page is at rest, `import("…")`, is no part of a first visit.
IMPORT = re.compile(r"""(?:import|from)\s*["'](\.[^"']+)["']""")
ELSEWHERE = re.compile(r"^(?:[a-z]+:)?//", re.IGNORECASE)


@pytest.fixture
def night(game, write):
    """A game of four after nine rounds, with one player bust."""
    for _ in range(8):
        write(game, a_round("ana", beto=10, caro=9, dani=8))
    write(game, a_round("ana", beto=30, caro=9, dani=8))
    return game


@pytest.fixture
def begun(table, owner):
    """Games before their first round, by variant: one for each way to enter hands."""
    variants = ("loba_menos", "loba_mas", "carioca_cl", "chinchon")
    return {variant: start(table, owner, variant=variant) for variant in variants}


def shown(client, game, finished, begun, payment):
    """Return the response of every kind of page, by name."""

    def of(name, *args):
        return client.get(reverse(name, args=args))

    owner = User.objects.get()
    _link, token = make_personal(game.table, role=Role.WITNESS, by=owner)
    tonight = night_token(show_tonight(game.table, by=owner))
    change = fields(after=10, key="k", change="correct 2 round ana out beto=101 caro=9 dani=8")
    return {
        "home": client.get("/"),
        "home of a stranger": Client().get("/"),
        "example": client.get("/example/"),
        "yours": client.get("/you/"),
        "login": client.get("/login/"),
        "new table": client.get("/new/"),
        "new game": of("new-game", game.table.code),
        "sheet": of("sheet", game.code),
        "finished sheet": of("sheet", finished.code),
        "re-entry": of("reentry", game.code),
        **{f"round of {variant}": of("play-round", other.code) for variant, other in begun.items()},
        "correct round": of("correct", game.code, 2),
        "correct answer": of("correct", finished.code, 3),
        "correct rules": of("correct-rules", game.code),
        "insert": of("insert-round", game.code, 2),
        "changes": client.post(reverse("changes", args=[game.code]), change),
        "refused round": client.post(
            reverse("play-round", args=[finished.code]), {"after": "6", "key": a_key()}
        ),
        "settlement": of("settlement", finished.code),
        "rules": of("rules", game.code),
        "seats": of("seats", game.code),
        "lobby": of("lobby", game.table.code),
        "member": of("member", game.table.code, "ana"),
        "more": of("more", game.code),
        "board": of("board", game.code),
        "link made": client.post(reverse("make-link", args=[game.table.code]), {"role": Role.WITNESS}),
        "invitation": of("invitation", token),
        "tonight": of("invitation", tonight),
        "my face": of("my-face", game.table.code),
        "season": of("season", game.table.code),
        "player": of("player", game.table.code, "ana"),
        "settings": of("table-settings", game.table.code),
        "accounts": of("accounts", game.table.code),
        "movements": client.get(reverse("accounts", args=[game.table.code]), {"page": "1"}),
        "payment": of("payment", game.table.code, payment.pk),
        "account": of("account", game.table.code, "beto"),
        "night": of("night", game.table.code, night_of(payment.made_at, game.table).isoformat()),
        "unknown": client.get("/g/zzzzzzzzzzz/"),
        "problems of the api": client.get("/api/problems/"),
    }


@pytest.fixture(scope="module")
def kept():
    """A dict that keeps the responses of the pages for all tests of the module."""
    return {}


@pytest.fixture
def pages(request, kept):
    """The response of every kind of page, by name; requested once, because the tests only read them."""
    if not kept:
        kept.update(request.getfixturevalue("answers"))
    return kept


@pytest.fixture
def answers(ana, night, finished, begun, pay, claims, owner):
    payment = pay("beto", "caro", 30, note="por la pizza")
    payments.dispute(payment, by=claims(owner, "caro"), objection="no me llegó")
    answers = shown(ana, night, finished, begun, payment)
    assert {200, 404, 422} == {answer.status_code for answer in answers.values()}
    return answers


def packed(content: bytes) -> int:
    """Return the compressed size, as WhiteNoise and a proxy would send it."""
    return len(gzip.compress(content, 9))


def static_files(response: HttpResponseBase) -> set[str]:
    """Return the names of the styles and scripts that a page loads, with those that they import."""
    page = read_page(response)
    waiting = [node.attrs["src"] for node in page.every("script")]
    parts = {name for node in page.every() for name in node.attrs}
    waiting += [
        address
        for node in page.every("script")
        for name, address in node.attrs.items()
        if name.startswith("data-for-") and name.replace("data-for-", "data-") in parts
    ]
    waiting += [
        node.attrs["href"] for node in page.every("link") if node.attrs["rel"] in ("stylesheet", "icon")
    ]
    names: set[str] = set()
    while waiting:
        name = waiting.pop().removeprefix("/static/")
        if name not in names:
            names.add(name)
            folder = name.rpartition("/")[0]
            imported = IMPORT.findall(_content(name).decode()) if name.endswith(".js") else []
            waiting += [normpath(f"{folder}/{other}") for other in imported]
    return names


@cache
def _content(name: str) -> bytes:
    path = finders.find(name)
    assert path is not None, f"there is no file {name}"
    with open(path, "rb") as file:
        return travelling(name, file.read())


def test_the_first_visit_of_every_page_is_light(pages):
    weights = {
        name: packed(answer.content) + sum(packed(_content(file)) for file in static_files(answer))
        for name, answer in pages.items()
    }

    assert {} == {name: weight for name, weight in weights.items() if weight >= HEAVIEST}


def test_what_a_stranger_is_shown_of_the_app_weighs_next_to_nothing(pages):
    door = read_page(pages["home of a stranger"])
    drawn = render_to_string("play/_door.html").encode()

    assert "play/door.css" in static_files(pages["home of a stranger"])
    assert "23" in door.only("div", class_="demo").text
    assert len(drawn) + len(_content("play/door.css")) <= HEAVIEST_DOOR


def test_the_policy_stands_on_every_page(pages):
    assert {POLICY} == {answer["Content-Security-Policy"] for answer in pages.values()}


def test_no_page_holds_a_script_a_style_or_a_handler(pages):
    for name, answer in pages.items():
        page = read_page(answer)
        inline = [node for node in page.every("script") if "src" not in node.attrs or node.text]
        styled = [node for node in page.every() if node.tag == "style" or "style" in node.attrs]
        handlers = [key for node in page.every() for key in node.attrs if key.startswith(("on", "hx-on"))]
        assert (name, [], [], []) == (name, inline, styled, handlers)


def test_nothing_comes_from_elsewhere(pages):
    for name, answer in pages.items():
        page = read_page(answer)
        addresses = [
            (node.tag, key, value)
            for node in page.every()
            for key, value in node.attrs.items()
            if key in ("src", "href", "action", "srcset", "data", "poster", "hx-get", "hx-post")
            and (ELSEWHERE.match(value) or value.lower().startswith(("javascript:", "data:")))
        ]
        elsewhere = [
            address for address in addresses if address[:2] != ("a", "href") or "//wa.me/" not in address[2]
        ]
        assert (name, []) == (name, elsewhere)


def test_every_id_stands_once_and_every_label_has_its_field(pages):
    for name, answer in pages.items():
        page = read_page(answer)
        ids = [node.attrs["id"] for node in page.every() if "id" in node.attrs]
        pointed = [
            target
            for node in page.every()
            for key in ("for", "aria-describedby", "aria-labelledby")
            for target in node.attrs.get(key, "").split()
        ]
        assert (name, sorted(set(ids)), []) == (
            name,
            sorted(ids),
            [target for target in pointed if target not in ids],
        )


def test_no_style_or_script_names_an_address_elsewhere(pages):
    files = set().union(*(static_files(answer) for answer in pages.values()))
    own = [name for name in files if not name.startswith("django_htmx/")]

    assert [] == [
        name for name in own if re.search(rb"https?://(?!www\.w3\.org/)|url\(['\"]?//", _content(name))
    ]
