"""Modules, classes and functions have plain names, and one class name means one class."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

BASE = Path(settings.BASE_DIR)
# No name begins with one of these: participles, adverbs and bare adjectives used as nouns and verbs.
BEGINNINGS = """
    asked begun beside bringing brought coming dated elsewhere entered folded folding found held here kept knocking
    over own said sent settled shown standing titled told typed unanswered unguarded wanted why
"""
# Nor is one of these a whole name, except a method's: `night.left` reads well.
ALONE = """
    admitted alone among between called changed clamped compiled confirming correcting described drawn erasing
    following forged grouped handed_over incoming installed isolated joined judged laid left listed lost migrated
    moved now opened operating owed placed posted present proven ranked reentered refused renamed restoring seated
    simplified simplifying stands stayed_out stopped stored taken travelling unformatted ungrouped unproven unread
    words zipped
"""
CLASS_ENDINGS = ("Shown", "InFull")
# A service creates, grants, admits, imports, ends and records.
NO_VERBS = frozenset({"make", "give", "let", "bring", "turn", "shut", "finish"})
# Exceptions, with the reason.
PUBLIC = "public in the library (engine/REFERENCE.md)"
STAYS = {
    "HeldPoints": PUBLIC,
    "TypedPoints": PUBLIC,
    "OwnTotals": PUBLIC,
    "Words": PUBLIC,
    "points_of": PUBLIC,
    "copies_of": PUBLIC,
    "hand_of": PUBLIC,
    "ending_of": PUBLIC,
    "reentry_of": PUBLIC,
    "entry_of": PUBLIC,
    "money_of": PUBLIC,
    "held_points": "counts by HeldPoints",
    "typed_points": "counts by TypedPoints",
}
SHARED = {"Game": "public in the library, and a table of the database"}
ABOVE_SERVICES = {"views", "api", "templatetags", "commands", "forms", "presenters"}


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")


def is_banned(name: str, *, is_method: bool = False) -> bool:
    plain = snake(name)
    return plain.partition("_")[0] in BEGINNINGS.split() or (plain in ALONE.split() and not is_method)


def banned_names(source: str, module: str, at_urls: frozenset[tuple[str, str]]) -> Iterator[str]:
    """Yield the module's name, and those of its classes and functions, that are banned.

    `at_urls` has the views and API operations that URLs name, by module: these keep their names.
    """
    parts = module.split(".")
    stem = parts[-1]
    if is_banned(stem) and stem not in STAYS and (module, stem) not in at_urls:
        yield module
    is_service = not ABOVE_SERVICES & set(parts)
    for definition in definitions(source):
        name = definition.name
        is_wrong = is_banned(name, is_method=definition.is_method)
        if definition.is_class:
            is_wrong |= name.endswith(CLASS_ENDINGS)
        else:
            is_wrong |= name.endswith("_of") and not definition.is_classmethod
            is_wrong |= is_service and not definition.is_method and snake(name).partition("_")[0] in NO_VERBS
        if is_wrong and name not in STAYS and (module, name) not in at_urls:
            yield f"{module}.{name}"


class Definition(NamedTuple):
    """A class or a function of a module, at any depth."""

    name: str
    is_method: bool = False
    is_classmethod: bool = False
    is_class: bool = False
    is_public_class: bool = False


@cache
def definitions(source: str) -> tuple[Definition, ...]:
    """Return the definitions of a module. They are cached, because parsing all modules takes seconds."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    methods = {
        id(node)
        for parent in nodes
        if isinstance(parent, ast.ClassDef)
        for node in parent.body
        if isinstance(node, ast.FunctionDef)
    }
    found = []
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            is_public = node in tree.body and not node.name.startswith("_")
            found.append(Definition(node.name, is_class=True, is_public_class=is_public))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
            found.append(Definition(node.name, id(node) in methods, "classmethod" in decorators))
    return tuple(found)


@cache
def modules() -> dict[str, str]:
    return {
        ".".join(path.relative_to(BASE).with_suffix("").parts).removesuffix(".__init__"): path.read_text(
            "utf-8"
        )
        for package in ("games", "scorekeeper")
        for path in sorted((BASE / package).rglob("*.py"))
        if "migrations" not in path.parts
    }


def names_at_urls() -> frozenset[tuple[str, str]]:
    """Return the module and name of each URL's view, and of each API operation."""

    def walk(patterns: list[URLPattern | URLResolver]) -> Iterator[tuple[str, str]]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns)
                continue
            view: Any = pattern.callback
            yield view.__module__, view.__name__
            for action in getattr(view, "actions", {}).values():
                yield view.cls.__module__, action

    return frozenset(walk(get_resolver("scorekeeper.urls").url_patterns))


def test_no_name_has_a_word_that_only_this_project_would_use():
    at_urls = names_at_urls()

    assert [] == [
        name for module, source in modules().items() for name in banned_names(source, module, at_urls)
    ]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("games.play.begun", ""),
        ("games.play.words", ""),
        ("games.play.rounds", "def told(): ..."),
        ("games.play.rounds", "def _held_cards(): ..."),
        ("games.play.rounds", "def nights_of(): ..."),
        ("games.play.rounds", "def lost(): ..."),
        ("games.play.rounds", "class PhoneShown: ..."),
        ("games.play.rounds", "class BegunAlready: ..."),
        ("games.play.rounds", "class Round:\n    def _sent(self): ..."),
        ("games.play.services.rounds", "def make_round(): ..."),
    ],
)
def test_such_a_name_is_found(module, source):
    assert 1 == len(list(banned_names(source, module, frozenset())))


@pytest.mark.parametrize(
    "source",
    [
        "class Members:\n    @classmethod\n    def of(cls): ...",
        "class Night:\n    def left(self): ...",
        "def lost_guests(): ...",
        "def get_night(): ...",
    ],
)
def test_what_reads_well_is_not(source):
    assert [] == list(banned_names(source, "games.play.rounds", frozenset()))


def test_every_exception_is_still_there():
    defined = {module.rpartition(".")[2] for module in modules()}
    for source in modules().values():
        defined |= {definition.name for definition in definitions(source)}

    assert set() == STAYS.keys() - defined


def test_two_public_classes_never_share_a_name():
    places: dict[str, list[str]] = defaultdict(list)
    for module, source in modules().items():
        if module.startswith("games.") and ".commands." not in module:
            for definition in definitions(source):
                if definition.is_public_class:
                    places[definition.name].append(module)

    assert SHARED.keys() == {name for name, found in places.items() if len(found) > 1}
