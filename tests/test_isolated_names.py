"""Names with right-to-left letters: isolated wherever they are shown, so that nothing beside them turns around."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.urls import reverse

from games.common.names import has_right_to_left, isolated, read_name, same_name
from tests.reader import Node, read_page
from tests.test_rights import NAMES, address
from tests.worlds import a_round, start

pytestmark = pytest.mark.django_db

LAYLA, DAVID = "ليلى", "דוד"
RIGHT_TO_LEFT = re.compile(f"{LAYLA}|{DAVID}")
ISOLATED = re.compile("\u2068[^\u2068\u2069]*\u2069")
# What a script or the server reads back is no text: a field's value, or data of a script.
NO_TEXT = {"value", "name", "href", "action", "data-picture", "data-names", "data-numbers", "data-file"}


@pytest.fixture
def people(table):
    """Two members of the table renamed: Ana has an Arabic name now, Beto a Hebrew one."""
    for slug, name in (("ana", LAYLA), ("beto", DAVID)):
        table.members.filter(slug=slug).update(name=name)


def bare(node: Node, place: str = "") -> Iterator[str]:
    """Yield each text and attribute below this element that has one of the names without isolation."""
    if node.tag == "script":
        return
    for name, value in node.attrs.items():
        is_alone = RIGHT_TO_LEFT.fullmatch(value)  # nothing stands beside it that could turn around
        if name not in NO_TEXT and not is_alone and RIGHT_TO_LEFT.search(ISOLATED.sub("", value)):
            yield f"<{node.tag} {name}={value}>"
    for part in node.inside:
        if isinstance(part, Node):
            yield from bare(part)
        elif node.tag != "bdi" and RIGHT_TO_LEFT.search(ISOLATED.sub("", part)):
            yield f"<{node.tag}>{part.strip()}"


@pytest.mark.parametrize("state", ["running", "asked", "finished"])
def test_every_page_isolates_the_names(subtests, people, ana, table, owner, finished, pay, write, state):
    pay("beto", "ana", 7)
    game = finished if state == "finished" else start(table, owner, stake=100)
    if state != "finished":
        write(game, a_round("caro", ana=101 if state == "asked" else 20, beto=5, dani=8))
    for name in NAMES:
        response = ana.get(address(name, game=game, table=table))
        if response.status_code != 200 or not response["Content-Type"].startswith("text/html"):
            continue
        with subtests.test(name):
            assert [] == list(bare(read_page(response)))


def test_the_page_of_a_member_keeps_the_readers_pseudonym(subtests, ana, table):
    reader = read_page(ana.get("/")).only("main").attrs["data-person"]
    for page in ("account", "player"):
        with subtests.test(page):
            main = read_page(ana.get(reverse(page, args=[table.code, "beto"]))).only("main")
            assert reader == main.attrs["data-person"] != ""


def test_only_names_with_right_to_left_letters_are_isolated():
    names = ["Ana", "Zoë 2", "李", "♠", "", LAYLA, f"Ana {DAVID}", isolated(LAYLA)]
    marked = [isolated(name) for name in names]

    assert [*names[:5], "\u2068ليلى\u2069", "\u2068Ana דוד\u2069", "\u2068ليلى\u2069"] == marked


def test_a_name_copied_with_its_marks_is_the_same_name():
    assert LAYLA == read_name(isolated(LAYLA), longest=20)
    assert same_name(LAYLA, isolated(LAYLA))


def test_files_notation_and_the_api_have_no_marks(people, ana, table, finished, pay):
    pay("beto", "ana", 7)
    for page, args in [
        ("export", [finished.code]),
        ("export-game", [finished.code]),
        *(("download", [table.code, what]) for what in ("results", "payments")),
        ("api-table-detail", [table.code]),
        ("api-game-detail", [finished.code]),
    ]:
        text = ana.get(reverse(page, args=args)).getvalue().decode()
        assert has_right_to_left(text), page
        assert "\u2068" not in text, page
