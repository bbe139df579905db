"""Readable sources: line widths, short modules and functions, one declaration a line in CSS, plain English."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from django.conf import settings

BASE = Path(settings.BASE_DIR)
COLUMNS = 110
LONGEST_MODULE, LONGEST_FUNCTION = 400, 50
# Pictures, which are data: each in one line.
ICONS = {
    BASE / f"styles/{name}.css"
    for name in ("base/icons", "parts/icons", "parts/tab_icons", "parts/french", "parts/spanish")
}
PACKAGES = ("games", "package", "scorekeeper", "tests")
QUESTION = re.compile(r"(?:What|Who|Whom|Whose|Whether|How|Which|Where|When|Why)\b")
# Relative clauses and inversions that read as translated.
TRANSLATED = re.compile(
    r"\b(?:of|to|by|for|under|with|about) (?:which|whom)\b"
    r"|\b(?:says?|said|saying) (?:to be|that they are|to have)\b"
    r"|\b(?:is|are|was|as|not|but) (?:the|a|an) one (?:that|which|who|of)\b"
    r"|(?:^|[.;:] )Of (?:a|an|the|two|each|all|these|those|several|one)\b[^.]*,"
)
SINGLE_PERSON = re.compile(r"\b(?:he|his|him|himself|she|hers|herself)\b", re.IGNORECASE)
SOURCES = {"styles": "styles/**/*.css", "scripts": "scripts/**/*.js", "templates": "templates/**/*.html"}
GUIDES = ("*.md", "docs/*.md", "engine/*.md", "tests/*.md", "games/scoring/*.md")
FILE = re.compile(
    r"`([\w./-]+\.(?:py|js|mjs|css|html|toml|md))`"
)  # as a guide names it, without its first folders
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
NAME = re.compile(r"`(_*[A-Za-z]+(?:_[A-Za-z]+)+)`")  # of a function, a constant, an option
# Names from examples, Playwright and PostgreSQL.
FOREIGN = {
    "in_one_go_pays",
    "test_a_player_who_reaches_the_limit_is_out",
    "add_script_tag",
    "max_connections",
}


@pytest.mark.parametrize("kind", SOURCES)
def test_no_line_is_wider_than_a_screen(kind):
    files = sorted(set(BASE.glob(SOURCES[kind])) - ICONS)

    assert files
    assert [] == [
        f"{path.relative_to(BASE)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > COLUMNS
    ]


def test_a_line_of_styles_holds_one_declaration_or_opens_or_closes_a_rule():
    for path in sorted(BASE.glob("styles/**/*.css")):
        styles = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        bare = re.sub(r'".*?"', '""', styles)
        crowded = [line for line in bare.splitlines() if len(re.findall(r"[{};]", line)) > 1]
        assert (path.name, []) == (path.name, crowded)


def too_long(path: str, text: str) -> list[str]:
    """Return the module if it has more than 400 lines, and its functions with more than 50 lines."""
    lengths = {
        f"{path}:{function.lineno}: {function.name}": (function.end_lineno or 0) - function.lineno + 1
        for function in _nodes(text)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    long = [f"{name} has {lines} lines" for name, lines in lengths.items() if lines > LONGEST_FUNCTION]
    whole = text.count("\n")
    return [f"{path} has {whole} lines", *long] if whole > LONGEST_MODULE else long


def test_no_template_holds_the_length_of_a_field():
    """The server provides it. Only the length of a username is Django's."""
    templates = set(BASE.glob("templates/**/*.html")) - {BASE / "templates/tables/login.html"}
    bare = re.compile(r"""(?:maxlength=["']?|longest=)[0-9]+""")

    assert {} == {
        path.name: lengths
        for path in templates
        if (lengths := bare.findall(path.read_text(encoding="utf-8")))
    }


# --- plain English ----------------------------------------------------------------------------------------


Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _scripts() -> Iterator[tuple[str, str]]:
    """Yield the path and text of every Python file, except landed migrations."""
    for package in PACKAGES:
        for path in sorted((BASE / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield str(path.relative_to(BASE)), path.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _nodes(text: str) -> tuple[ast.AST, ...]:
    """Return all nodes of a script. The last result is cached, because each check asks for it."""
    return tuple(ast.walk(ast.parse(text)))


def _docstrings(text: str) -> Iterator[tuple[Documented, str]]:
    for node in _nodes(text):
        if isinstance(node, Documented) and (docstring := ast.get_docstring(node)):
            yield node, docstring


def _comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def questions(text: str) -> list[int]:
    """Return the lines of docstrings that begin with a question word instead of a verb or a noun."""
    return [getattr(node, "lineno", 1) for node, docstring in _docstrings(text) if QUESTION.match(docstring)]


def translated_clauses(text: str) -> list[int]:
    """Return the lines of docstrings and comments that read as translated."""
    documented = [(getattr(node, "lineno", 1), " ".join(prose.split())) for node, prose in _docstrings(text)]
    commented = _comments(text) if TRANSLATED.search(text) else ()
    return [line for line, prose in (*documented, *commented) if TRANSLATED.search(prose)]


def single_persons(text: str) -> list[int]:
    """Return the lines of names, docstrings and comments that give a person a gender instead of *they*."""
    documented = [(getattr(node, "lineno", 1), docstring) for node, docstring in _docstrings(text)]
    functions = [node for node in _nodes(text) if isinstance(node, ast.FunctionDef)]
    named = [(function.lineno, function.name.replace("_", " ")) for function in functions]
    commented = _comments(text) if SINGLE_PERSON.search(text) else ()  # tokenizing takes longest
    return [line for line, prose in (*named, *documented, *commented) if SINGLE_PERSON.search(prose)]


def test_the_code_is_in_plain_english_and_the_products_modules_and_functions_are_short():
    """Both at once, because parsing the code takes longest."""
    places = []
    for path, text in _scripts():
        places += [
            f"{path}:{line}: {breaches.__name__}"
            for breaches in (questions, translated_clauses, single_persons)
            for line in breaches(text)
        ]
        if not path.startswith("tests/"):
            places += too_long(path, text)

    assert [] == places


@pytest.mark.parametrize(
    ("breaches", "text"),
    [
        (questions, 'class A:\n    def b(self):\n        """What it returns."""\n'),
        (questions, '"""How it is counted."""\n'),
        (questions, 'class A:\n    """What people ended."""\n'),
        (translated_clauses, '"""The night to which a moment belongs."""\n'),
        (translated_clauses, "# the user who says to be Ana\n"),
        (translated_clauses, '"""Of two debts, pay the older one."""\n'),
        (single_persons, '"""A player and his hand."""\n'),
        (single_persons, "total = 1  # as she counted\n"),
        (single_persons, "def test_a_player_keeps_his_seat(): pass\n"),
    ],
)
def test_a_breach_of_plain_english_is_reported(breaches, text):
    assert len(breaches(text)) == 1


def test_a_day_is_that_of_the_place_not_utcs():
    utc = re.compile(r"\bnow\(\)\.(?:date|year|month|day)\b")

    assert [] == [path for path, text in _scripts() if utc.search(text)]


def guides() -> dict[str, str]:
    """Return the path and text of every guide. CHANGELOG is excluded, since it names things that are gone."""
    paths = {path for pattern in GUIDES for path in BASE.glob(pattern)} - {BASE / "CHANGELOG.md"}
    return {str(path.relative_to(BASE)): path.read_text(encoding="utf-8") for path in sorted(paths)}


def test_a_link_of_a_guide_leads_to_a_file():
    links = [(guide, link) for guide, text in guides().items() for link in LINK.findall(text)]

    assert links
    assert [] == [
        f"{guide}: {link}" for guide, link in links if not (BASE / guide).parent.joinpath(link).exists()
    ]


def unknown_files(text: str, files: str) -> list[str]:
    """Return the files that this text names and that are not among `files`, one path a line."""
    return [name for name in FILE.findall(text) if f"/{name}\n" not in files]


def test_a_guide_names_only_files_that_exist():
    folders = (*PACKAGES, "docs", "engine", "pyodide", "scripts", "static", "styles", "templates")
    paths = [*BASE.glob("*.*"), *(path for folder in folders for path in (BASE / folder).rglob("*.*"))]
    files = "".join(f"/{path.relative_to(BASE).as_posix()}\n" for path in paths)

    assert {"DESIGN.md", "CONTRIBUTING.md", "tests/README.md"} < set(guides())
    assert {} == {
        guide: unknown for guide, text in guides().items() if (unknown := unknown_files(text, files))
    }


def test_a_guide_names_only_what_the_code_has():
    scripts = (path.read_text(encoding="utf-8") for path in BASE.glob("scripts/**/*.js"))
    code = "".join([*(text for path, text in _scripts() if not path.endswith(Path(__file__).name)), *scripts])
    names = {(guide, name) for guide, text in guides().items() for name in NAME.findall(text)}

    assert len(names) > 100
    assert [] == [
        f"{guide}: {name}" for guide, name in sorted(names) if name not in code and name not in FOREIGN
    ]


def test_files_of_tests_with_one_name_say_what_the_others_test():
    tests = BASE / "tests"
    by_name: dict[str, list[Path]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        by_name.setdefault(path.name, []).append(path)

    assert [] == [
        f"{path.relative_to(tests)} does not name {other.relative_to(tests)}"
        for paths in by_name.values()
        for path in paths
        for other in paths
        if path != other
        and f"`{other.relative_to(tests)}`" not in (ast.get_docstring(ast.parse(path.read_text())) or "")
    ]
