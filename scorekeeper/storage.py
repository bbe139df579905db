"""Static files under names that say what is in them; a style sheet travels in one piece, whatever it was put together from."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from rjsmin import jsmin  # type: ignore[import-untyped]
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

STATIC = Path(settings.BASE_DIR, "static")
COMMENT = re.compile(rb"/\*.*?\*/\n?", re.DOTALL)  # no text of our styles holds these signs
IMPORT = re.compile(rb'@import "(\.[^"]+)"(?: layer\((\w+)\))?;')
BLANKS = [(rb"\s+", b" "), (rb" ?([{};,>]) ?", rb"\1"), (rb": ", b":"), (rb";}", b"}"), (rb"^ ", b"")]


def is_ours(name: str) -> bool:
    """Whether a file, hashed or not, stands in one of our own folders; what packages bring is left as they wrote it."""
    folder, slash, _rest = name.partition("/")
    return not slash or (STATIC / folder).is_dir()


def travelling(name: str, content: bytes) -> bytes:
    """What of one of our files a phone loads: comments, blanks and parts are for who reads the source."""
    if is_ours(name) and name.endswith(".js"):
        slim: bytes = jsmin(content)
        return slim
    return _in_one_piece(name, content) if is_ours(name) and name.endswith(".css") else content


def _in_one_piece(name: str, content: bytes) -> bytes:
    whole = IMPORT.sub(lambda found: _part(_named(name, found[1]), found[2]), COMMENT.sub(b"", content))
    for blanks, instead in BLANKS:
        whole = re.sub(blanks, instead, whole)
    return whole


def _part(name: str, layer: bytes | None) -> bytes:
    rules = travelling(name, (STATIC / name).read_bytes())
    return b"@layer %b{%b}" % (layer, rules) if layer else rules


def _named(name: str, imported: bytes) -> str:
    return normpath(join(dirname(name), imported.decode()))


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Our scripts import each other under those names too."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 12  # more than scripts stand one behind another in a chain of imports

    def url_converter(
        self, name: str, hashed_files: dict[str, Any], template: str | None = None
    ) -> Callable[[re.Match[str]], str]:
        """What stands in the place of an address found in the file `name`; a part is put in when it is saved."""
        converted: Callable[[re.Match[str]], str] = super().url_converter(name, hashed_files, template)
        is_kept = not is_ours(name)
        return lambda found: (
            found["matched"] if is_kept or found["matched"].startswith("@import") else converted(found)
        )

    def file_hash(self, name: str | None, content: Any = None) -> str | None:
        """What in a file's name changes whenever what travels does; the list of all names has none itself."""
        if name and content:
            content = ContentFile(travelling(name, b"".join(content.chunks())))
        hashed: str | None = super().file_hash(name, content)
        return hashed

    def _save(self, name: str, content: Any) -> str:
        saved: str = super()._save(name, ContentFile(travelling(name, b"".join(content.chunks()))))
        return saved

    def parts(self) -> frozenset[str]:
        """The style sheets no page asks for, as they travel inside of others; in development a browser asks for all."""
        if settings.DEBUG:
            return frozenset()
        sheets = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*.css")}
        return frozenset(
            _named(name, part) for name, content in sheets.items() for part, _layer in IMPORT.findall(content)
        )
