"""The source can be read: line widths, short views, one declaration a line in styles."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings

BASE = Path(settings.BASE_DIR)
COLUMNS = 110
LONGEST_VIEW = 25
TAG = re.compile(r"<[a-z](?:\{%.*?%\}|\{\{.*?\}\}|[^>{])*>")
ICONS = BASE / "static/base/icons.css"  # pictures, which are data: each in one line
SOURCES = {"styles": "static/**/*.css", "templates": "templates/**/*.html"}


@pytest.mark.parametrize("kind", SOURCES)
def test_no_line_is_wider_than_a_screen(kind):
    files = sorted(set(BASE.glob(SOURCES[kind])) - {ICONS})

    assert files
    assert [] == [
        f"{path.relative_to(BASE)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > COLUMNS
    ]


def test_a_line_of_styles_holds_one_declaration_or_opens_or_closes_a_rule():
    for path in sorted(BASE.glob("static/**/*.css")):
        styles = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        bare = re.sub(r'".*?"', '""', styles)
        crowded = [line for line in bare.splitlines() if len(re.findall(r"[{};]", line)) > 1]
        assert (path.name, []) == (path.name, crowded)


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines from `def` to the end, without decorators and docstring."""
    first = function.body[0]
    end = function.end_lineno or function.lineno
    documented = (first.end_lineno or first.lineno) - first.lineno + 1 if ast.get_docstring(function) else 0
    return end - function.lineno + 1 - documented


def test_a_view_is_read_at_a_glance():
    long = [
        f"{path.relative_to(BASE)}: {function.name} has {_length(function)} lines"
        for path in sorted(BASE.glob("games/views/**/*.py"))
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and _length(function) > LONGEST_VIEW
    ]

    assert [] == long


def test_a_tag_asks_one_question_at_most():
    """More conditions belong in Python or in a partial with a name."""
    crowded = [
        f"{path.relative_to(BASE)}: {' '.join(tag.split())[:60]}"
        for path in sorted(BASE.glob("templates/**/*.html"))
        for tag in TAG.findall(path.read_text(encoding="utf-8"))
        if tag.count("{% if ") > 1
    ]

    assert [] == crowded
