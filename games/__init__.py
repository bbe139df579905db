"""The site's Django application. Its engine, `games.scoring`, is also imported as the library `naipes`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

LIBRARY, ENGINE = "naipes", "games.scoring"


class EngineFinder:
    """An import finder that resolves the library `naipes` and its modules to the site's own engine.

    A plug-in imports `naipes`. If it got an installed library instead, there would be two classes `Variant`,
    and the site would not accept the plug-in's games.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for the library and its modules, None for any other name."""
        if fullname.partition(".")[0] != LIBRARY or find_spec(_own_name(fullname)) is None:
            return None
        return ModuleSpec(fullname, self)  # type: ignore[arg-type]  # importlib.abc.Loader is slow to import

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None, so that the import system creates the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Replace the new, empty module in `sys.modules` with the site's module."""
        sys.modules[module.__name__] = import_module(_own_name(module.__name__))


def _own_name(fullname: str) -> str:
    return ENGINE + fullname.removeprefix(LIBRARY)


if sys.modules.get(LIBRARY) is not sys.modules.get(ENGINE):
    raise ImportError(f"import games before {LIBRARY}: the site must give it its own engine")
sys.meta_path.insert(0, EngineFinder())
