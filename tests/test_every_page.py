"""All pages at once: each is requested once, and every check reads it.

A page is light on a phone's first visit. Nothing is loaded from other sites or inlined. Every label has its
field. Names with right-to-left letters are isolated, so that nothing beside them is reordered. A browser may
translate everything but names, cards, codes and amounts. The benchmark of attacks knows every field. No template uses a
variable that no view passes. Every form sends the token that its page printed.
"""

from __future__ import annotations

import gzip
import logging
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from games.common import name_marks
from games.models import Role
from games.money.services import payments
from games.tables.services import links
from scorekeeper.middleware import POLICY
from tests.benchmarks.attacked_fields import FORMS
from tests.factories import build_round, new_key, start
from tests.page_urls import visible_pages
from tests.reader import FIELDS, Node, fields, read_page

pytestmark = pytest.mark.django_db

HEAVIEST = 90_000
NAMED = re.compile(r"/static/[\w./-]+\.(?:css|js)\b")
EXTERNAL_URL = re.compile(r"^(?:[a-z]+:)?//", re.IGNORECASE)
# Variables that a template uses and some page does not pass.
OPTIONAL = """
account action against all_people announcement as_id asks balances bar copies correct count decimals done drawn enables ended entry
errors fields flag fuller game has_hand helps here how is_answerable is_deleted is_folded is_guest is_short is_waiting items
key kind language latest link live looks made may_record my_role name newer night nights no_cents notice older others page parts
payers people points
problems question questions reason refused refused_alone result retired role said sentence sentences
serverless stays step suit sums table table_name twins unit unsure value waits was where
"""
NOTEBOOK = "date;Ana;Caro\n1/6/2024;3;-3\n"
LEAH = "לאה"
NAMES = {"Ana", "Beto", "Caro", "Dani", LEAH, "Mesa de los jueves"}
PLAIN = ("title", "textarea")
# Initials, short forms of names, points, amounts, an example of a notebook, and cards with their points.
UNTRANSLATED = re.compile(
    r"|\w{1,2}|[-+−]?\W*[\d.,]+|date;.*|((\d+|A|J|Q|K) (−?\d+) ?)+(−?\d+)?|((\d+) (\d+) )+0 nothing"
)
ISOLATED = re.compile("\u2068[^\u2068\u2069]*\u2069")
# Not text, because a script or the server reads it back: a field's value, or data for a script.
NO_TEXT = {"value", "name", "href", "action", "data-picture", "data-names", "data-numbers", "data-file"}


class Answer(NamedTuple):
    response: HttpResponse
    page: Node


@pytest.fixture
def night(game, write):
    """A game of four after nine rounds; the last one busts a player."""
    for _ in range(8):
        write(game, build_round("beto", ana=10, caro=9, dani=8))
    write(game, build_round("beto", ana=30, caro=9, dani=8))
    return game


@pytest.fixture
def started_games(table, owner, write):
    """Games by variant, one for each way to enter hands. Only the first has a round."""
    variants = ("loba_menos", "loba_mas", "carioca_cl", "chinchon")
    games = {variant: start(table, owner, variant=variant) for variant in variants}
    write(games["loba_menos"], build_round("caro", ana=20, beto=5, dani=8))
    return games


@pytest.fixture(scope="module")
def answer_cache():
    """A dict that keeps the answers for all tests of the module, which only read them."""
    return {}


class MissingVariables(logging.Handler):
    """The names of the missing variables that templates looked up, which Django logs only at DEBUG."""

    def __init__(self, names: set[str]) -> None:
        super().__init__(logging.DEBUG)
        self.names = names

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg.startswith("Exception while resolving variable"):
            self.names.add(str(record.args[0]))  # type: ignore[index]


@pytest.fixture(scope="module")
def missing_variables():
    """The variables that templates of the pages looked up and no view passed."""
    return set()


@pytest.fixture
def pages(request, answer_cache, missing_variables):
    """The answer of every kind of page, by name."""
    if not answer_cache:
        handler, logger = MissingVariables(missing_variables), logging.getLogger("django.template")
        level = logger.level
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
        answer_cache.update(request.getfixturevalue("answers"))
        logger.setLevel(level)
        logger.removeHandler(handler)
    return answer_cache


@pytest.fixture
def answers(ana, night, finished, started_games, pay, confirm_as, owner):
    table = night.table
    payment = pay("beto", "caro", 30, note="por la pizza")
    payments.dispute(payment, by=confirm_as(owner, "caro"), objection="no me llegó")
    _link, token = links.create_personal(table, role=Role.WITNESS, by=owner)
    tonight = links.tonight_token(links.get_or_create_tonight(table, by=owner))
    change = fields(after=10, key="k", change="correct 2 round beto out ana=101 caro=9 dani=8")

    def of(name, *args):
        return ana.get(reverse(name, args=args))

    responses = {
        f"round of {variant}": of("play-round", other.code) for variant, other in started_games.items()
    }
    table.members.filter(slug="ana").update(name=LEAH)
    responses |= {
        **dict(visible_pages(ana, table, night, finished, started_games["loba_menos"])),
        "home": ana.get("/"),
        "example": ana.get("/example/"),
        "yours": ana.get("/you/"),
        "login": ana.get("/login/"),
        "new table": ana.get("/new/"),
        "bring": ana.get("/bring/"),
        "bring nothing": ana.get("/bring/?what=nothing"),
        "bring a notebook": ana.post("/bring/", {"what": "notebook", "look": "1", "text": NOTEBOOK}),
        "bring balances": ana.post("/bring/", {"what": "balances", "look": "1", "text": "Ana -3\nCaro 3"}),
        "import": ana.get("/import/"),
        **{f"{where} of a stranger": Client().get(where) for where in ("/", "/you/", "/new/")},
        "correct answer": of("correct", finished.code, 3),
        "changes": ana.post(reverse("changes", args=[night.code]), change),
        "refused round": ana.post(
            reverse("play-round", args=[finished.code]), {"after": "6", "key": new_key()}
        ),
        "link made": ana.post(reverse("make-link", args=[table.code]), {"role": Role.WITNESS}),
        "invitation": of("invitation", token),
        "tonight": of("invitation", tonight),
        "movements": ana.get(reverse("accounts", args=[table.code]), {"page": "1"}),
        "unknown": ana.get("/g/zzzzzzzzzzz/"),
        "problems of the api": ana.get("/api/problems/"),
    }
    assert {200, 404, 422} == {response.status_code for response in responses.values()}
    return {
        name: Answer(response, read_page(response))
        for name, response in responses.items()
        if response["Content-Type"].startswith("text/html")
    }


def named_files(page: Node) -> list[str]:
    """Return what a browser fetches for a page beside the page itself."""
    loaded = ("stylesheet", "icon", "manifest")
    return [node.attrs["src"] for node in page.every("script")] + [
        node.attrs["href"] for node in page.every("link") if node.attrs["rel"] in loaded
    ]


def test_every_form_sends_the_token_that_its_page_printed(request, answer_cache):
    """A fragment that takes only the names it is given prints no token unless it is given `csrf_token`.

    Stands first, because it needs the rows of the pages: the other tests read what it opened.
    """
    answer_cache.clear()
    refused = []
    for name, (response, page) in request.getfixturevalue("pages").items():
        client = response.client
        client.handler.enforce_csrf_checks = True
        for form in page.every("form", method="post"):
            with transaction.atomic():
                answer = client.post(form_address(form, response), form.fields)
                transaction.set_rollback(True)
            if answer.status_code == 403 or not form.fields.get("csrfmiddlewaretoken"):
                refused.append((name, form_address(form, response)))

    assert [] == refused


def compressed_size(content: bytes) -> int:
    """Return the size with gzip: over plain http, browsers take no brotli."""
    return len(gzip.compress(content, 9))


@cache
def static_size(address: str) -> int:
    path = finders.find(address.removeprefix("/static/"))
    assert path is not None, f"there is no file {address}"
    return compressed_size(Path(path).read_bytes())


def test_the_first_visit_of_every_page_is_light(pages):
    weights = {
        name: compressed_size(response.content)
        + sum(static_size(address) for address in named_files(page) if address.endswith((".js", ".css")))
        for name, (response, page) in pages.items()
    }

    assert {} == {name: weight for name, weight in weights.items() if weight > HEAVIEST}


def test_the_first_visit_of_every_page_asks_for_few_files(pages):
    assert {} == {
        name: files for name, (_response, page) in pages.items() if len(files := named_files(page)) > 8
    }


def test_a_phones_cache_has_every_style_and_script_that_a_page_names(pages, client):
    cached = client.get("/sw.js").content.decode()
    named = {name: NAMED.findall(response.content.decode()) for name, (response, _page) in pages.items()}

    assert {} == {
        name: files for name, files in named.items() if not all(f'"{file}"' in cached for file in files)
    }


def test_the_policy_stands_on_every_page(pages):
    assert {POLICY} == {response["Content-Security-Policy"] for response, _page in pages.values()}


def test_no_page_holds_a_script_a_style_or_a_handler(pages):
    for name, (_response, page) in pages.items():
        inline = [node for node in page.every("script") if "src" not in node.attrs or node.text]
        styled = [node for node in page.every() if node.tag == "style" or "style" in node.attrs]
        handlers = [key for node in page.every() for key in node.attrs if key.startswith(("on", "hx-on"))]
        assert (name, [], [], []) == (name, inline, styled, handlers)


def test_nothing_comes_from_elsewhere(pages):
    for name, (_response, page) in pages.items():
        addresses = [
            (node.tag, key, value)
            for node in page.every()
            for key, value in node.attrs.items()
            if key in ("src", "href", "action", "srcset", "data", "poster", "hx-get", "hx-post")
            and (EXTERNAL_URL.match(value) or value.lower().startswith(("javascript:", "data:")))
        ]
        external = [
            address for address in addresses if address[:2] != ("a", "href") or "//wa.me/" not in address[2]
        ]
        assert (name, []) == (name, external)


def test_every_id_stands_once_and_every_label_has_its_field(pages):
    for name, (_response, page) in pages.items():
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


def test_every_page_isolates_names_with_right_to_left_letters(pages):
    assert {} == {
        name: texts for name, (_response, page) in pages.items() if (texts := list(stripped_html(page)))
    }


def stripped_html(node: Node) -> Iterator[str]:
    """Yield each text and attribute below this element that has the name without isolation."""
    if node.tag == "script":
        return
    for name, value in node.attrs.items():
        is_alone = value == LEAH  # nothing beside it could be reordered
        if name not in NO_TEXT and not is_alone and LEAH in ISOLATED.sub("", value):
            yield f"<{node.tag} {name}={value}>"
    for part in node.inside:
        if isinstance(part, Node):
            yield from stripped_html(part)
        elif node.tag != "bdi" and LEAH in ISOLATED.sub("", part):
            yield f"<{node.tag}>{part.strip()}"


# --- asked for by a template ----------------------------------------------------------------------------


def test_templates_ask_for_no_variable_that_no_page_gives(pages, missing_variables):
    """A name in only one of the sets is misspelled in a template or a view, or pages no longer agree on it."""
    assert set(OPTIONAL.split()) == missing_variables


# --- translated by a browser ------------------------------------------------------------------------------------------


def _translated_texts(node: Node) -> Iterator[str]:
    """Yield the texts that a browser translates.

    A title has no elements, typed text is never translated, and the people of a drawing are nobody's.
    """
    for part in node.inside:
        if isinstance(part, str):
            yield part
        elif (
            "no" != part.attrs.get("translate") and "img" != part.attrs.get("role") and part.tag not in PLAIN
        ):
            yield from _translated_texts(part)


def test_no_name_of_a_person_or_a_table_stands_where_a_browser_translates(pages):
    """A browser would translate the name of somebody called Rosa, and of a table called Los Reyes."""
    names = (LEAH, "Beto", "Caro", "Dani", "Mesa de los jueves")
    translated = [
        (page_name, text.strip())
        for page_name, (_response, page) in pages.items()
        for text in _translated_texts(page)
        if any(name in text for name in names)
    ]

    assert [] == translated


def test_names_cards_codes_and_amounts_alone_are_kept_from_translation(pages):
    kept = {
        element.text
        for _response, page in pages.values()
        for element in page.every(translate="no")
        if element.text.strip("\u2068\u2069") not in NAMES and not UNTRANSLATED.fullmatch(element.text)
    }

    assert set() == kept


def test_no_page_has_a_mark_of_a_name(pages):
    assert [] == [name for name, (response, _page) in pages.items() if name_marks.are_in(response.content)]


def test_no_document_forbids_its_translation():
    templates = Path(settings.BASE_DIR) / "templates"
    tags = [
        tag
        for file in templates.rglob("*.html")
        for tag in re.findall(r"<(?:html|body)\b[^>]*>", file.read_text(encoding="utf-8"))
    ]

    assert len(tags) >= 5
    assert [] == [tag for tag in tags if "translate" in tag]


# --- attacked ---------------------------------------------------------------------------------------------------------


def test_the_benchmark_of_attacks_names_every_field_of_every_form(pages):
    assert [] == sorted(
        (form, field)
        for answer in pages.values()
        for form, field in form_field_names(answer)
        if not any(
            field == known or (known[-1] == "-" and field.startswith(known)) for known in FORMS.get(form, ())
        )
    )


def form_address(form: Node, response: HttpResponse) -> str:
    return form.attrs.get("action") or response.request["PATH_INFO"]  # type: ignore[attr-defined]


def form_field_names(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the names of the view and of the field for each field of each form posted from this page."""
    for form in answer.page.every("form", method="post"):
        address = form_address(form, answer.response)
        try:
            view = str(resolve(address.partition("?")[0]).url_name).removeprefix("live-")  # a part of a page
        except Resolver404:
            continue
        named = [field.attrs.get("name", "") for field in form.every(*FIELDS, "button")]
        yield from ((view, name) for name in named if name not in ("", "csrfmiddlewaretoken"))
