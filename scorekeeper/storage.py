"""Static files under names that say what is in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Our scripts import each other under those names too; what packages bring is left as they wrote it."""

    support_js_module_import_aggregation = True

    def url_converter(
        self, name: str, hashed_files: dict[str, Any], template: str | None = None
    ) -> Callable[[re.Match[str]], str]:
        """What stands in the place of an address found in the file `name`."""
        if "/" in name:
            return lambda found: found["matched"]
        converted: Callable[[re.Match[str]], str] = super().url_converter(name, hashed_files, template)
        return converted
