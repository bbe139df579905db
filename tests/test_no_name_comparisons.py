"""No code compares a game, a closing or an option by its name: their differences are attributes or enums.

Such a comparison would be wrong for a new game, and no type checker would notice. Only the files of the games
themselves may compare names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from games.scoring.card_points import Placing, Rewarded
from games.scoring.events import Stop
from games.scoring.options import Topic
from games.scoring.rule_types import CloserHand, ClosingKind, Direction
from games.scoring.state import Reason
from games.scoring.variants import VARIANTS, shared

BASE = Path(settings.BASE_DIR)
EXEMPT_FILES = BASE / "games" / "scoring" / "variants"

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

# The same words with another meaning: a game file's expectation, a card of the year, a page's name, a list to
# export, a field, the mark of a closer.
OTHER_WORDS = {
    "games/money/api/accounts.py": {"after"},
    "games/play/api/feed.py": {"after"},
    "games/play/api/games.py": {"name", "after"},
    "games/scoring/text/expectations.py": {"pot"},
    "games/tables/views/invitation.py": {"face"},
    "games/files/views/files.py": {"imported", "out"},
    "games/play/views/corrections.py": {"points"},
    "games/play/views/new_game.py": {"name"},
    "games/play/views/rounds.py": {"name"},
    "games/templatetags/scoresheet.py": {"cut"},
}


def compared_names(source: str) -> list[str]:
    """Return the games, closings, options and kinds that a module compares with, and its tables by closing."""
    nodes = ast.walk(ast.parse(source))
    kinds = ast.Compare | ast.MatchValue | ast.Dict
    return [name for node in nodes if isinstance(node, kinds) for name in _node_names(node)]


def _node_names(node: ast.Compare | ast.MatchValue | ast.Dict) -> Iterator[str]:
    match node:
        case ast.Compare(left=left, comparators=others):
            sides = [left, *others]
        case ast.MatchValue(value=value):
            sides = [value]
        case ast.Dict(keys=keys):
            closings = {str(key.value) for key in keys if isinstance(key, ast.Constant)} & CLOSINGS
            yield from closings if len(closings) > 1 else ()
            return
    for side in sides:
        elements = side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]
        yield from (
            str(element.value)
            for element in elements
            if isinstance(element, ast.Constant) and element.value in NAMES
        )


def script_comparisons(source: str) -> list[str]:
    """Return the closings and games that a script compares with, or assigns to a round's closing."""
    names = "|".join(sorted(CLOSINGS | VARIANTS.keys()))
    return re.findall(rf"""closing[^\n]*?(?:[=!]==?|:|=)\s*["'](?:{names})["']""", source)


def template_comparisons(source: str) -> list[str]:
    names = "|".join(sorted(NAMES))
    return re.findall(rf"""(?:closing\.key|variant(?:\.key)?) ?[=!]= ?["'](?:{names})["']""", source)


CHECKS = {
    "games/**/*.py": compared_names,
    "scripts/**/*.js": script_comparisons,
    "templates/**/*.html": template_comparisons,
}


@pytest.mark.parametrize("files", CHECKS)
def test_no_module_script_or_template_compares_a_game_closing_or_option_by_name(files):
    paths = [path for path in BASE.glob(files) if not path.is_relative_to(EXEMPT_FILES)]
    comparisons = {
        str(path.relative_to(BASE)): set(CHECKS[files](path.read_text(encoding="utf-8"))) for path in paths
    }

    assert paths
    assert {} == {
        path: names - OTHER_WORDS.get(path, set())
        for path, names in comparisons.items()
        if not names <= OTHER_WORDS.get(path, set())
    }


@pytest.mark.parametrize(
    ("finds", "line"),
    [
        (compared_names, 'closing.key == "chinchon"'),
        (compared_names, 'entry.closing in ("cut", "stock_out")'),
        (compared_names, 'option.key not in ["stake", "point_value"]'),
        (compared_names, 'match key:\n    case "chinchon" | "cut":\n        pass'),
        (compared_names, '{"out": 1, "in_one_go": 2}[closing.key]'),
        (script_comparisons, 'if (isCloser && entry.closing === "chinchon") return how.bonus;'),
        (script_comparisons, 'Object.assign(this.state, { view: "digits", closing: "cut" });'),
        (template_comparisons, '{% if closing.key == "cut" %}'),
    ],
)
def test_a_comparison_with_a_name_is_found(finds, line):
    assert [] != finds(line)
