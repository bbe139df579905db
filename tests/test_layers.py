"""Imports point downwards: scoring ← models ← services ← views and api.

A module named in no layer stands at the top, so whoever imports it from below must first say where it belongs.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from django.conf import settings

# From the ground up; a package stands for everything in it. `games` itself is imported by `python -m games.scoring`.
LAYERS = (
    ("games", "games.scoring"),
    ("games.models", "games.guards", "games.migrations"),
    (
        "games.services",
        "games.access",
        "games.standings",
        "games.accounts",
        "games.audit",
        "games.notebook",
        "games.proof",
        "games.claims",
        "games.closings",
        "games.dues",
        "games.nights",
        "games.payments",
        "games.plans",
        "games.book",
        "games.flags",
        "games.guests",
        "games.history",
        "games.invitations",
        "games.members",
        "games.names",
        "games.results",
        "games.seasons",
    ),
)
TOP = len(LAYERS)
VAGUE = {"utils", "util", "helpers", "helper", "managers", "manager", "signals", "common", "misc"}

BASE = Path(settings.BASE_DIR)
FILES = sorted((BASE / "games").rglob("*.py"))
MODULES = {
    file: ".".join(file.relative_to(BASE).with_suffix("").parts).removesuffix(".__init__") for file in FILES
}


def layer_of(module: str) -> int:
    """The number of the layer `module` stands in."""
    if module == "games":
        return 0
    for number, packages in enumerate(LAYERS):
        if any(
            module == package or module.startswith(f"{package}.")
            for package in packages
            if package != "games"
        ):
            return number
    return TOP


def imports(source: str, module: str, *, is_package: bool = False) -> set[str]:
    """The full names that `source`, the text of `module`, imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            within = (
                module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            )
            package = ".".join([*within, *filter(None, [node.module])])
            found |= {package} | {f"{package}.{alias.name}" for alias in node.names}
    return found


def faults(source: str, module: str, known: set[str], *, is_package: bool = False) -> list[str]:
    """What `module` imports against the layers, as sentences; `known` are the names of all modules."""
    wrong = []
    for imported in sorted(imports(source, module, is_package=is_package)):
        root = imported.split(".")[0]
        if root == "games":
            # `from games import models` names the package too, which holds nothing.
            if imported in known and layer_of(imported) > layer_of(module):
                wrong.append(f"{module} imports {imported}, which stands above it")
        elif root in {"scorekeeper", "tests"}:
            wrong.append(f"{module} imports {imported}: the project stands above its application")
        elif layer_of(module) == 0 and root not in sys.stdlib_module_names:
            wrong.append(f"{module} imports {imported}: scoring needs the standard library alone")
    return wrong


def test_imports_point_downwards():
    known = set(MODULES.values())
    wrong = [
        fault
        for file, module in MODULES.items()
        for fault in faults(
            file.read_text(encoding="utf-8"), module, known, is_package=file.stem == "__init__"
        )
    ]
    assert [] == wrong


def test_no_module_has_a_name_that_says_nothing():
    assert [] == [module for module in MODULES.values() if VAGUE & set(module.split("."))]


KNOWN = {
    *("games", "games.scoring", "games.scoring.words", "games.models", "games.services", "games.access"),
    *("games.views", "games.views.home", "games.codes", "games.api"),
}


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("games.scoring.words", "import django"),
        ("games.scoring.words", "from django.utils import timezone"),
        ("games.scoring.words", "from games.models import Game"),
        ("games.scoring.words", "from games import models"),
        ("games.scoring.words", "from .. import models"),
        ("games.scoring.words", "from ..models import Game"),
        ("games.models", "import games.services"),
        ("games.models", "def late():\n    from games.access import role"),
        ("games.services", "from games.views import home"),
        ("games.services", "from games.views.home import home"),
        ("games.services", "from games.codes import new_code"),
        ("games.access", "if True:\n    from . import api"),
        ("games.views.home", "from scorekeeper import settings"),
    ],
)
def test_an_upward_import_is_found(module, line):
    assert 1 <= len(faults(line, module, KNOWN))


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("games.scoring.words", "from __future__ import annotations"),
        ("games.scoring.words", "from dataclasses import dataclass"),
        ("games.scoring.words", "from games.scoring import words"),
        ("games.scoring.words", "from . import words"),
        ("games.models", "from django.db import models"),
        ("games.models", "from games.scoring.words import Text"),
        ("games.services", "from games.models import Game"),
        ("games.services", "from .access import role"),
        ("games.views.home", "from games.services import record"),
        ("games.views.home", "from .. import services"),
    ],
)
def test_a_downward_import_is_allowed(module, line):
    assert [] == faults(line, module, KNOWN)


def test_a_relative_import_in_a_package_starts_at_the_package():
    assert {"games.scoring.words", "games.scoring.words.Text"} == imports(
        "from .words import Text", "games.scoring", is_package=True
    )
