"""The site's application. Its engine, `games.scoring`, also has the library's name, `naipes` (engine/README.md)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

LIBRARY, ENGINE = "naipes", "games.scoring"


class EngineFinder:
    """A finder that gives the site's own modules to whoever imports the library.

    A plug-in imports `naipes`. In the site that must be the engine which the site uses, whether the library
    is installed there or not, and in whatever version: else there were two classes `Variant`.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for the library and its modules, None for any other name."""
        if fullname.partition(".")[0] != LIBRARY or find_spec(_own_name(fullname)) is None:
            return None
        return ModuleSpec(fullname, self)  # type: ignore[arg-type]  # importlib.abc.Loader is slow to import

    def create_module(self, spec: ModuleSpec) -> None:
        """Let the import system create the module, as a loader must say."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the site's module in the place of the new, empty one."""
        sys.modules[module.__name__] = import_module(_own_name(module.__name__))


def _own_name(fullname: str) -> str:
    return ENGINE + fullname.removeprefix(LIBRARY)


if sys.modules.get(LIBRARY) is not sys.modules.get(ENGINE):
    raise ImportError(f"import games before {LIBRARY}: the site must give it its own engine")
sys.meta_path.insert(0, EngineFinder())
