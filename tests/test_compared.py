"""No code compares a game, a closing or an option by its name: their differences are attributes or enums.

Such a comparison would be wrong for a new game, and no type checker would notice. Only the files of the games
themselves may compare names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from games.scoring.card_points import Placing, Rewarded
from games.scoring.events import Stop
from games.scoring.kinds import CloserHand, ClosingKind, Direction
from games.scoring.options import Topic
from games.scoring.state import Reason
from games.scoring.variants import VARIANTS, shared

BASE = Path(settings.BASE_DIR)
OWN_FILES = BASE / "games" / "scoring" / "variants"

CLOSINGS = {
    closing.key
    for closings in (
        (shared.OUT, shared.IN_ONE_GO, shared.STOCK_OUT),
        *(variant.build(variant.house()).closings for variant in VARIANTS.values()),
    )
    for closing in closings
}
OPTIONS = [option for variant in VARIANTS.values() for option in variant.options]
NAMES = {
    *VARIANTS,
    *CLOSINGS,
    *(option.key for option in OPTIONS),
    *(str(word) for option in OPTIONS for word in option.allowed.words),
    *(
        str(member)
        for kind in (CloserHand, ClosingKind, Direction, Placing, Reason, Rewarded, Stop, Topic)
        for member in kind
    ),
}

# The same words with another meaning: an expectation of a game file, a card of the year, a page's name, a list to export, a field.
OTHER_WORDS = {
    "games/play/api/games.py": {"name"},
    "games/scoring/text/expectations.py": {"pot"},
    "games/tables/pages/invitation.py": {"face"},
    "games/tables/pages/table_settings.py": {"imported"},
    "games/files/pages/exports.py": {"imported"},
    "games/play/pages/corrections.py": {"points"},
    "games/play/pages/new_game.py": {"name"},
    "games/play/pages/rounds.py": {"name"},
}


def compared(source: str, *, but: Collection[str] = ()) -> list[str]:
    """Return the names of games, closings, options and kinds with which a file compares, as “line: name”."""
    return [
        f"{text.lineno}: {text.value}"
        for node in ast.walk(ast.parse(source))
        for text in _compared_with(node)
        if text.value in NAMES and text.value not in but
    ] + [f"{node.lineno}: {', '.join(keys)}" for node, keys in _tables(source)]


def _compared_with(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the constants with which a comparison or a pattern compares."""
    match node:
        case ast.Compare(left=left, comparators=others):
            for side in (left, *others):
                yield from _constants(side)
        case ast.MatchValue(value=ast.Constant() as value):
            yield value


def _constants(side: ast.expr) -> Iterator[ast.Constant]:
    match side:
        case ast.Constant():
            yield side
        case ast.Tuple(elts=several) | ast.List(elts=several) | ast.Set(elts=several):
            for one in several:
                yield from _constants(one)


def _tables(source: str) -> Iterator[tuple[ast.Dict, list[str]]]:
    """Yield each dictionary with two or more closings as keys, with these names: it is a table by closing."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            keys = [
                str(key.value) for key in node.keys if isinstance(key, ast.Constant) and key.value in CLOSINGS
            ]
            if len(keys) > 1:
                yield node, keys


def compared_in_script(source: str) -> list[str]:
    """Return the closings and games that a script compares with, or assigns to a round's closing."""
    names = "|".join(sorted(CLOSINGS | VARIANTS.keys()))
    return re.findall(rf"""closing[^\n]*?(?:[=!]==?|:|=)\s*["'](?:{names})["']""", source)


def test_no_module_compares_a_game_closing_or_option_by_name():
    files = [file for file in sorted((BASE / "games").rglob("*.py")) if not file.is_relative_to(OWN_FILES)]
    paths = {str(file.relative_to(BASE)): file.read_text(encoding="utf-8") for file in files}

    assert {} == {
        path: comparisons
        for path, source in paths.items()
        if (comparisons := compared(source, but=OTHER_WORDS.get(path, ())))
    }


def test_no_script_compares_a_closing_by_name():
    assert {} == {
        str(file.relative_to(BASE)): comparisons
        for file in sorted((BASE / "static").rglob("*.js"))
        if (comparisons := compared_in_script(file.read_text(encoding="utf-8")))
    }


def test_no_template_compares_a_closing_or_a_game_by_name():
    asks = re.compile(
        rf"""(?:closing\.key|variant(?:\.key)?) ?[=!]= ?["'](?:{"|".join(sorted(NAMES))})["']"""
    )

    assert {} == {
        str(file.relative_to(BASE)): comparisons
        for file in sorted((BASE / "templates").rglob("*.html"))
        if (comparisons := asks.findall(file.read_text(encoding="utf-8")))
    }


@pytest.mark.parametrize(
    "line",
    [
        'closing.key == "chinchon"',
        '"closed" != entry.closing',
        'entry.closing in ("cut", "stock_out")',
        'house["settlement"] == "pot_and_pairs"',
        'state.variant.key == "loba_mas"',
        'option.key not in ["stake", "point_value"]',
        'scoring.nothing_left_for == "anyone"',
        'match entry.closing:\n    case "in_one_go":\n        pass',
        'match key:\n    case "chinchon" | "cut":\n        pass',
        '{"out": 1, "in_one_go": 2}[closing.key]',
    ],
)
def test_a_comparison_with_a_name_is_found(line):
    assert [] != compared(line)


@pytest.mark.parametrize(
    "line",
    [
        'if (isCloser && entry.closing === "chinchon") return how.bonus;',
        "if (this.state.closing !== 'cut') return;",
        'this.state.closing = "cut";',
        'Object.assign(this.state, { view: "digits", closing: "cut" });',
    ],
)
def test_a_script_that_names_a_closing_is_found(line):
    assert [] != compared_in_script(line)
