"""Exhaustive matches: for a new member of a union or enum the type checker names all functions to change."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from shutil import copy, copytree

import pytest
from django.conf import settings

BASE = Path(settings.BASE_DIR)
RULES = "games/scoring/kinds.py"
SCORING = "games/scoring/card_points.py"
UNIONS = {"Scoring": SCORING, "Ending": RULES, "Price": RULES, "MoneyRule": RULES}
ENUMS = {
    RULES: ("ClosingKind", "CloserHand", "Direction"),
    SCORING: ("Rewarded", "Placing"),
    "games/scoring/options.py": ("Topic",),
    "games/scoring/state.py": ("Reason", "Seat"),
    "games/scoring/events.py": ("Stop",),
}

# The functions that match each kind; add a new one here.
KNOWN_BY = {
    "Scoring": {
        "counting.counting_of",
        "describe._scoring",
        "entry._closers_points",
        "entry.kind_of",
        "forms._missing_closer",
        "forms._missing_hand",
        "keys.keys_of",
        "keys.suits_of",
        "numbers._scoring",
        "forms._own_mistake",
        "readings._laid",
        "readings._melds",
    },
    "Ending": {
        "endings.judged",
        "endings.ending_in_words",
        "columns._margin_of",
        "columns._road",
        "columns.goal_in_words",
        "columns.margin_in_words",
        "columns.margins_in_a_word",
        "numbers._ending",
    },
    "Price": {"kinds.price_of", "numbers._reentry"},
    "MoneyRule": {"money.movements", "describe._money", "prices.prices_in_words", "consequences._prizes"},
    "ClosingKind": {"leftover.round_points"},
    "CloserHand": {"rounds._asked_of_closer"},
    "Placing": {"leftover.may_place", "describe._placing"},
    "Rewarded": {"leftover._is_rewarded", "describe._nothing_left"},
    "Direction": {"describe._seats"},
    "Topic": {"sending._is_always_shown"},
    "Reason": {"words.reason_in_words"},
    "Seat": {"columns.seat_in_a_word", "comparison.seat_in_words"},
    "Stop": {"endings.stopped", "words.stop_in_words"},
}


@pytest.fixture
def seeded(tmp_path):
    """The folder of a copy of the program with a made-up member in each union and each enum."""
    for folder in ("games", "scorekeeper"):
        copytree(BASE / folder, tmp_path / folder, ignore=lambda _folder, names: {"__pycache__"} & set(names))
    for name in ("manage.py", "pyproject.toml"):
        copy(BASE / name, tmp_path)
    if (BASE / ".mypy_cache").exists():  # unchanged files need not be checked again
        copytree(BASE / ".mypy_cache", tmp_path / ".mypy_cache")
    for union, path in UNIONS.items():
        made_up = f"@dataclass(frozen=True)\nclass MadeUp{union}:\n    fee: int\n\n\n"
        _replace(tmp_path / path, rf"^({union}: TypeAlias = [^\n]*)$", rf"{made_up}\1 | MadeUp{union}")
    for path, enums in ENUMS.items():
        for enum in enums:
            _replace(
                tmp_path / path, rf'(class {enum}\(StrEnum\):\n    """.*?""")', r'\1\n    MADE_UP = "made_up"'
            )
    return tmp_path


def _replace(file: Path, pattern: str, text: str) -> None:
    source, times = re.subn(pattern, text, file.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert times == 1, pattern
    file.write_text(source, encoding="utf-8")


def named(root: Path, report: str) -> dict[str, set[str]]:
    """Return, by union or enum, the functions that do not handle the made-up member, as reported."""
    functions = defaultdict(set)
    for path, line, member in re.findall(
        r'^(\S+\.py):(\d+): error: Argument 1 to "assert_never".*?(MadeUp\w+|\w+\.MADE_UP)',
        report,
        re.MULTILINE,
    ):
        union = member.removeprefix("MadeUp").removesuffix(".MADE_UP")
        functions[union].add(f"{_module(path)}.{_function(root / path, int(line))}")
    return dict(functions)


def _module(path: str) -> str:
    return Path(path.removesuffix("/__init__.py")).stem


def _function(file: Path, line: int) -> str:
    """Return the innermost function that contains this line."""
    functions = [
        node
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(functions, key=lambda node: node.lineno).name


@pytest.mark.slow
def test_every_function_that_misses_a_new_kind_is_named(seeded):
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "games"], cwd=seeded, capture_output=True, text=True, check=False
    )

    assert KNOWN_BY == named(seeded, checked.stdout)
