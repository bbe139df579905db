"""A package imports only packages to its left: scoring ← common ← tables ← money ← play ← seasons ← files.

Above the services stand words and forms, above these views and the API, which know nothing of each other. The models
of all rooms are one layer under `common`, because records refer to one another: any room may read them.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from django.conf import settings

ROOMS = ("scoring", "models", "common", "tables", "money", "play", "seasons", "files", "above")
ABOVE = {"admin", "apps", "urls", "api_urls", "templatetags", "management"}
KINDS = {
    "services": 0,
    "presenters": 1,
    "forms": 1,
    "views": 2,
    "api": 2,
}  # each imports its own and those below
# Words that have the name of their thing.
WORDS = {
    "games.play.brought_hands",
    "games.play.columns",
    "games.play.consequences",
    "games.play.correcting",
    "games.play.effects",
    "games.play.game_list",
    "games.play.game_page",
    "games.play.house",
    "games.play.lessons",
    "games.play.numbers",
    "games.play.pad",
    "games.play.readings",
    "games.play.score_table",
    "games.play.script_words",
    "games.play.waiting",
    "games.play.wanted",
}
FRAMEWORKS = {"rest_framework", "drf_spectacular"}
VAGUE = {"utils", "util", "helpers", "helper", "managers", "manager", "signals", "misc"}

BASE = Path(settings.BASE_DIR)


def _name_of(file: Path) -> str:
    return ".".join(file.relative_to(BASE).with_suffix("").parts).removesuffix(".__init__")


FILES = {_name_of(file): file for file in sorted((BASE / "games").rglob("*.py")) if file.parent != BASE}


def room_of(module: str) -> str:
    """Return the room of a module: its folder, `models` for the records of every room, `above` for what joins them.

    Raise LookupError if it has none.
    """
    _games, *parts = module.split(".")
    if "models" in parts[:2]:
        return "models"
    if parts[0] == "migrations":  # which need the triggers, and the name of which a table's file has
        return "common"
    if parts[0] in ROOMS:
        return parts[0]
    if parts[0] in ABOVE:
        return "above"
    raise LookupError(f"{module} stands in no room")


def kind_of(module: str) -> str:
    """Return the kind of a module in its room, one of KINDS."""
    _games, room, name, *_deeper = [*module.split("."), "", ""]
    if room == "scoring" or (room == "common" and name != "api"):  # which have no services to stand above
        return "services"
    if module in WORDS:
        return "presenters"
    return name if name in KINDS else "services"


def imports(source: str, module: str) -> set[str]:
    """Return the full names that a source imports anywhere in it; a name from a package is one of its modules."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = _package(node, module)
            named = {f"{package}.{alias.name}" for alias in node.names}
            names |= named & FILES.keys() or {package}
    return names


def _package(node: ast.ImportFrom, module: str) -> str:
    """Return the full name of what is imported from; a relative import starts at the package of `module`."""
    is_package = module in FILES and FILES[module].stem == "__init__"
    above = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
    return ".".join([*above, *filter(None, [node.module])])


def faults(source: str, module: str) -> list[str]:
    """Return the imports of a module against the order of rooms and of their kinds, as sentences."""
    return [fault for imported in sorted(imports(source, module)) if (fault := _fault(module, imported))]


def _fault(module: str, imported: str) -> str:
    root, room = imported.split(".")[0], room_of(module)
    if root in {"scorekeeper", "tests"}:
        return f"{module} imports {imported}: the project stands above its application"
    if root in FRAMEWORKS:
        needs = kind_of(module) == "api" or module in {
            "games.api_urls",
            "games.management.commands.spectacular",
        }
        return "" if needs else f"{module} imports {imported}, which only the API may"
    if root != "games" or imported == "games":
        outside = room == "scoring" and root not in sys.stdlib_module_names | {"games"}
        return f"{module} imports {imported}: scoring needs the standard library alone" if outside else ""
    if ROOMS.index(room_of(imported)) > ROOMS.index(room):
        return f"{module} imports {imported}, whose room is to the right"
    if room == "above":
        return ""
    own, other = kind_of(module), kind_of(imported)
    if KINDS[own] < KINDS[other] or {own, other} == {"views", "api"}:
        return f"{module} ({own}) imports {imported} ({other})"
    return ""


def test_a_module_imports_only_rooms_to_its_left_and_kinds_below():
    wrong = [
        fault
        for module, file in FILES.items()
        if module != "games"
        for fault in faults(file.read_text(encoding="utf-8"), module)
    ]
    assert [] == wrong


def test_no_module_has_a_vague_name():
    assert [] == [module for module in FILES if VAGUE & set(module.split("."))]


def test_words_named_by_their_thing_exist():
    assert set() == WORDS - FILES.keys()


def test_a_module_in_no_room_is_refused():
    with pytest.raises(LookupError):
        room_of("games.sundry")


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("games.scoring.i18n", "import django"),
        ("games.scoring.i18n", "from games.models import Game"),
        ("games.scoring.i18n", "from ..models import Game"),
        ("games.models", "import games.play.recording"),
        ("games.money.models", "def late():\n    from games.tables.services.authorization import find_role"),
        ("games.common.event_sentences", "from games.tables.services.roster import People"),
        ("games.tables.services.authorization", "if True:\n    from games import urls"),
        ("games.money.services.ledgers", "from games.play import recording"),
        ("games.play.views.home", "from games.seasons.views import season"),
        ("games.play.recording", "from games.play.views import home"),
        ("games.play.views.home", "from games.play.api.games import Games"),
        ("games.play.api.games", "from games.play.views import home"),
        ("games.money.presenters.explanations", "from games.money.views import account"),
        ("games.money.api.accounts", "from games.money.views.account import accounts_message"),
        ("games.play.views.home", "from scorekeeper import settings"),
        ("games.play.recording", "from rest_framework.exceptions import NotFound"),
        ("games.play.views.home", "from drf_spectacular.utils import extend_schema"),
        ("games.urls", "import rest_framework"),
    ],
)
def test_an_import_against_the_order_is_found(module, line):
    assert 1 == len(faults(line, module))
