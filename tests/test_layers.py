"""A package imports only packages to its left: scoring ← common ← tables ← money ← play ← seasons ← files.

Above the services are presenters and forms, above these views and the API, which know nothing of each other.
A module outside these folders is a service. The models of all packages are one layer under `common`, because
records refer to one another: any package may read them.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from django.conf import settings

PACKAGES = ("scoring", "models", "common", "tables", "money", "play", "seasons", "files", "above")
ABOVE = {"admin", "apps", "urls", "api_urls", "templatetags", "management"}
# Each imports its own layer and those below.
LAYERS = {"services": 0, "presenters": 1, "forms": 1, "views": 2, "api": 2}
FRAMEWORKS = {"rest_framework", "drf_spectacular"}
VAGUE = {"utils", "util", "helpers", "helper", "managers", "manager", "signals", "misc"}

BASE = Path(settings.BASE_DIR)


def _module_name(file: Path) -> str:
    return ".".join(file.relative_to(BASE).with_suffix("").parts).removesuffix(".__init__")


FILES = {_module_name(file): file for file in sorted((BASE / "games").rglob("*.py")) if file.parent != BASE}


def package_of(module: str) -> str:
    """Return a module's package: its folder, `models` for every package's records, or `above` for the modules
    that join them.

    Raise LookupError if it has none.
    """
    _games, *parts = module.split(".")
    if "models" in parts[:2]:
        return "models"
    if parts[0] == "migrations":  # they need the triggers, and the name in a table's file
        return "common"
    if parts[0] in PACKAGES:
        return parts[0]
    if parts[0] in ABOVE:
        return "above"
    raise LookupError(f"{module} stands in no package")


def get_layer(module: str) -> str:
    _games, package, name, *_deeper = [*module.split("."), "", ""]
    if package == "scoring" or (package == "common" and name != "api"):  # they have no services below them
        return "services"
    return name if name in LAYERS else "services"


def imports(source: str, module: str) -> set[str]:
    """Return the full names that a source imports anywhere. A name from a package is one of its modules."""
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
    """Return the full name of the package imported from. A relative import starts at the package of `module`."""
    is_package = module in FILES and FILES[module].stem == "__init__"
    above = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
    return ".".join([*above, *filter(None, [node.module])])


def import_errors(source: str, module: str) -> list[str]:
    """Return the imports of a module that break the order of packages or layers, as sentences."""
    return [
        fault for imported in sorted(imports(source, module)) if (fault := _import_error(module, imported))
    ]


def _import_error(module: str, imported: str) -> str:
    root, package = imported.split(".")[0], package_of(module)
    if root in {"scorekeeper", "tests"}:
        return f"{module} imports {imported}: the project stands above its application"
    if root in FRAMEWORKS:
        needs = get_layer(module) == "api" or module in {
            "games.api_urls",
            "games.management.commands.spectacular",
        }
        return "" if needs else f"{module} imports {imported}, which only the API may"
    if root != "games" or imported == "games":
        outside = package == "scoring" and root not in sys.stdlib_module_names | {"games"}
        return f"{module} imports {imported}: scoring needs the standard library alone" if outside else ""
    if PACKAGES.index(package_of(imported)) > PACKAGES.index(package):
        return f"{module} imports {imported}, whose package is to the right"
    if package == "above":
        return ""
    importer_kind, other = get_layer(module), get_layer(imported)
    if LAYERS[importer_kind] < LAYERS[other] or {importer_kind, other} == {"views", "api"}:
        return f"{module} ({importer_kind}) imports {imported} ({other})"
    return ""


def test_a_module_imports_only_packages_to_its_left_and_kinds_below():
    wrong = [
        fault
        for module, file in FILES.items()
        if module != "games"
        for fault in import_errors(file.read_text(encoding="utf-8"), module)
    ]
    assert [] == wrong


def test_no_module_has_a_vague_name():
    assert [] == [module for module in FILES if VAGUE & set(module.split("."))]


def test_a_module_in_no_package_is_refused():
    with pytest.raises(LookupError):
        package_of("games.sundry")


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
        ("games.money.services.ledgers", "from games.play.services import recording"),
        ("games.play.views.home", "from games.seasons.views import season"),
        ("games.play.services.recording", "from games.play.views import home"),
        ("games.play.views.home", "from games.play.api.games import GameViewSet"),
        ("games.play.api.games", "from games.play.views import home"),
        ("games.money.presenters.explanations", "from games.money.views import account"),
        ("games.money.api.accounts", "from games.money.views.account import show_account"),
        ("games.play.views.home", "from scorekeeper import settings"),
        ("games.play.services.recording", "from rest_framework.exceptions import NotFound"),
        ("games.play.views.home", "from drf_spectacular.utils import extend_schema"),
        ("games.urls", "import rest_framework"),
    ],
)
def test_an_import_against_the_order_is_found(module, line):
    assert 1 == len(import_errors(line, module))
