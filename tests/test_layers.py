"""Imports point downwards: scoring ← ground ← wings ← shown ← views, api ← admin; and between wings one way only.

Views and the API are independent of each other; only the API imports its framework. A file has two places:
its layer defines what it may import, its wing what it is about. A module in no layer, or a folder of a layer
in no wing, fails a test: put its name below first.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from django.conf import settings

# From the lowest up; a package includes everything in it.
LAYERS = (
    ("scoring",),
    (
        "models",
        "migrations",
        "guards",
        "rows",
        "names",
        "locks",
        "tickets",
        "keys",
        "nights",
        "formats",
        "regions",
        "languages",
        "book",
        "last_backup",
        "room",
        "network",
        "faults",
        "snapshot",
    ),
    ("people", "money", "play", "season", "notebook", "offline"),
    ("shown",),
    ("views", "api"),
    ("admin",),
    ("apps", "urls", "templatetags", "management"),
)
# Within a layer a wing imports only those named before it; what several wings share is in `common`.
WINGS = ("common", "people", "money", "play", "season", "notebook", "offline")
WINGED = ("shown", "views", "api")  # `games.shown.money` is the wing `money` of the layer `shown`
FRAMEWORKS = {"rest_framework", "drf_spectacular"}
MAY_LOAD_THEM = ("games.common.api.", "games.management.commands.spectacular")
VAGUE = {"utils", "util", "helpers", "helper", "managers", "manager", "signals", "misc"}

BASE = Path(settings.BASE_DIR)
FILES = sorted((BASE / "games").rglob("*.py"))
MODULES = {
    file: ".".join(file.relative_to(BASE).with_suffix("").parts).removesuffix(".__init__") for file in FILES
}
# `from games import models` names the package too.
HOLDS_NOTHING = {"games", "games.shown", "games.views", "games.common.api"}


def layer_of(module: str) -> int:
    """Return the number of the module's layer. Raise LookupError if it is in none."""
    name = module.split(".")[1]
    for number, names in enumerate(LAYERS):
        if name in names:
            return number
    raise LookupError(f"{module} stands in no layer")


def wing_of(module: str) -> int | None:
    """Return the position of the module's wing, None if its layer has none.

    Raise LookupError if its layer has wings and it is in none.
    """
    _games, first, *rest = module.split(".")
    if module == "games.api_urls":  # lists the URLs of every wing
        return None
    wing = rest[0] if first in WINGED else first
    if wing in WINGS:
        return WINGS.index(wing)
    if first in WINGED:
        raise LookupError(f"{module} stands in no wing")
    return None


def imports(source: str, module: str, *, is_package: bool = False) -> set[str]:
    """Return the full names that `source`, the text of `module`, imports anywhere in the file."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            within = (
                module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            )
            package = ".".join([*within, *filter(None, [node.module])])
            names |= {package} | {f"{package}.{alias.name}" for alias in node.names}
    return names


def faults(source: str, module: str, known: set[str], *, is_package: bool = False) -> list[str]:
    """Return the imports of `module` against the layers and wings, as sentences.

    `known` are the names of all modules.
    """
    wrong = []
    for imported in sorted(imports(source, module, is_package=is_package)):
        root = imported.split(".")[0]
        if root == "games":
            if imported in known - HOLDS_NOTHING:
                wrong += _fault(module, imported)
        elif root in {"scorekeeper", "tests"}:
            wrong.append(f"{module} imports {imported}: the project stands above its application")
        elif layer_of(module) == 0 and root not in sys.stdlib_module_names:
            wrong.append(f"{module} imports {imported}: scoring needs the standard library alone")
        elif root in FRAMEWORKS and not module.startswith(MAY_LOAD_THEM):
            wrong.append(f"{module} imports {imported}, which only the API may")
    return wrong


def _fault(module: str, imported: str) -> list[str]:
    if layer_of(imported) > layer_of(module):
        return [f"{module} imports {imported}, which stands in a layer above it"]
    if layer_of(imported) < layer_of(module):
        return []
    if {"views", "api"} == {module.split(".")[1], imported.split(".")[1]}:
        return [f"{module} imports {imported}: pages and the API know nothing of each other"]
    own, other = wing_of(module), wing_of(imported)
    if own is not None and other is not None and other > own:
        return [f"{module} imports {imported}, whose wing comes after its own"]
    if (
        own is not None
        and other != own
        and module.startswith(("games.views.", "games.common.api."))
        and other != 0
    ):
        return [f"{module} imports {imported}: what two wings share here stands in common"]
    return []


def test_imports_point_downwards_and_from_wing_to_wing_one_way():
    known = set(MODULES.values())
    wrong = [
        fault
        for file, module in MODULES.items()
        if module not in HOLDS_NOTHING
        for fault in faults(
            file.read_text(encoding="utf-8"), module, known, is_package=file.stem == "__init__"
        )
    ]
    assert [] == wrong


def test_every_module_has_a_layer_and_where_there_are_wings_a_wing():
    for module in set(MODULES.values()) - HOLDS_NOTHING:
        layer_of(module)
        wing_of(module)


@pytest.mark.parametrize(
    "module", ["games.sundry", "games.shown.sundry", "games.views.sundry.home", "games.common.api.sundry"]
)
def test_a_module_in_no_layer_or_wing_is_refused(module):
    with pytest.raises(LookupError):
        (layer_of(module), wing_of(module))


def test_no_module_has_a_vague_name():
    assert [] == [module for module in MODULES.values() if VAGUE & set(module.split("."))]


KNOWN = set(MODULES.values())


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("games.scoring.words", "import django"),
        ("games.scoring.words", "from django.utils import timezone"),
        ("games.scoring.words", "from games.models import Game"),
        ("games.scoring.words", "from games import models"),
        ("games.scoring.words", "from .. import models"),
        ("games.scoring.words", "from ..models import Game"),
        ("games.models", "import games.play.recording"),
        ("games.models", "def late():\n    from games.tables.access import role_at"),
        ("games.play.recording", "from games.views.play import home"),
        ("games.play.recording", "from games.play.pages.home import home"),
        ("games.tables.access", "if True:\n    from games import urls"),
        ("games.play.pages.home", "from scorekeeper import settings"),
        ("games.play.recording", "from rest_framework.exceptions import NotFound"),
        ("games.play.pages.home", "from drf_spectacular.utils import extend_schema"),
        ("games.urls", "import rest_framework"),
        # Pages and the API.
        ("games.play.api.scoring", "from games.play.pages.recording import Refused"),
        ("games.play.pages.home", "from games.common.api.problems import Problem"),
        # A layer above.
        ("games.play.pages.score_table", "from games.play.pages.sheet import sheet"),
        ("games.seasons.standings", "from games.seasons.pages.tales import season_of"),
        # A wing that comes after one's own.
        ("games.money.debts", "from games.play import recording"),
        ("games.tables.members", "from games.money.balances import People"),
        ("games.money.pages.sending", "from games.play.pages.comparison import changes_of"),
        ("games.common.words", "from games.shown.play import sheet"),
        ("games.play.pages.opened", "from games.play.pages.sheet import show_sheet"),
        # Another wing of the views.
        ("games.seasons.pages.season", "from games.play.pages.sheet import show_sheet"),
        ("games.play.pages.sheet", "from games.money.pages.nights import nights"),
        ("games.common.api.bodies", "from games.play.api.scoring import MOST_WORK"),
    ],
)
def test_an_import_against_the_order_is_found(module, line):
    assert 1 <= len(faults(line, module, KNOWN))


def test_a_relative_import_in_a_package_starts_at_the_package():
    assert {"games.scoring.words", "games.scoring.words.Text"} == imports(
        "from .words import Text", "games.scoring", is_package=True
    )
