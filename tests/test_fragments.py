"""Template fragments: a short one stands in the only template that uses it, and shared ones say what they take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
INCLUDE = re.compile(r'{% include "([\w/]+\.html)"(.*?) ?%}')
LONGEST_IN_PLACE = 40
LONGEST_PAGE = 200
# Fragments that take all names of the page, because those they need do not fit in a line.
TAKE_ALL = """
files/_coming files/_imported files/_notebook_text files/_notebook_figures
money/_debt money/_debts money/_expense money/_more_debts money/_news
offline/_waiting
parts/_group parts/_line parts/_tabs parts/_undo
play/_live play/_penalty play/_recorded play/_taken_away
tables/_claim_answer tables/_claim_row tables/_questions tables/_member_picker tables/_name tables/_new_name
tables/_only_here tables/_back_fields tables/_phone
"""


class Include(NamedTuple):
    user: str
    fragment: str
    arguments: str


@cache
def texts() -> dict[str, str]:
    """Return the text of every template by its name."""
    return {
        str(file.relative_to(TEMPLATES)): file.read_text(encoding="utf-8")
        for file in TEMPLATES.rglob("*.html")
    }


def includes() -> Iterator[Include]:
    """Yield every include of every template."""
    for user, text in sorted(texts().items()):
        for fragment, arguments in INCLUDE.findall(text):
            yield Include(user, fragment, arguments.strip())


def users(fragment: str) -> list[str]:
    """Return the templates that include this one, each as often as it does."""
    return [include.user for include in includes() if include.fragment == fragment]


def height(name: str) -> int:
    return len(texts()[name].splitlines())


def test_a_short_fragment_that_one_place_uses_stands_in_that_place():
    fragments = {include.fragment for include in includes()}
    alone = {fragment: found[0] for fragment in fragments if len(found := users(fragment)) == 1}

    assert {} == {
        fragment: user
        for fragment, user in alone.items()
        if height(fragment) <= LONGEST_IN_PLACE and height(user) + height(fragment) <= LONGEST_PAGE
    }


def test_templates_name_what_a_shared_fragment_takes():
    shared = {include.fragment for include in includes() if len(set(users(include.fragment))) > 1}
    unnamed = {
        include.fragment.removesuffix(".html")
        for include in includes()
        if include.fragment in shared and "only" not in include.arguments.split()
    }

    assert set(TAKE_ALL.split()) == unnamed
