"""Static files with hashed names, minified and bundled, without lightningcss: its 12 MB would save 15 lines.

Each style sheet is one file with its imports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from posixpath import dirname, join, normpath
from typing import Any

import brotli  # type: ignore[import-untyped]
from django.conf import settings
from django.core.files.base import ContentFile
from rjsmin import jsmin  # type: ignore[import-untyped]
from whitenoise.compress import Compressor  # type: ignore[import-untyped]
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

from games.common import program

STATIC = program.path("static")
COMMENT = re.compile(rb"/\*.*?\*/\n?", re.DOTALL)  # no string in our styles contains these characters
IMPORT = re.compile(rb'@import "(\.[^"]+)"(?: layer\((\w+)\))?;')
BLANKS = [(rb"\s+", b" "), (rb" ?([{};,>]) ?", rb"\1"), (rb": ", b":"), (rb";}", b"}"), (rb"^ ", b"")]
SMALL = 2**16  # bytes of a file that is worth the best compression, ten times slower


def is_ours(name: str) -> bool:
    """Return whether a static file is the project's own, not a package's. `name` may be hashed."""
    folder, slash, _rest = name.partition("/")
    return not slash or (STATIC / folder).is_dir()


def minify(name: str, content: bytes) -> bytes:
    """Return a file's content as it is served: our scripts and styles minified, and imports bundled."""
    if is_ours(name) and name.endswith(".js"):
        slim: bytes = jsmin(content)
        return slim
    return _minify_css(name, content) if is_ours(name) and name.endswith(".css") else content


def _minify_css(name: str, content: bytes) -> bytes:
    whole = IMPORT.sub(
        lambda match: _imported_css(_resolve_import(name, match[1]), match[2]), COMMENT.sub(b"", content)
    )
    for blanks, instead in BLANKS:
        whole = re.sub(blanks, instead, whole)
    return whole


def _imported_css(name: str, layer: bytes | None) -> bytes:
    rules = minify(name, (STATIC / name).read_bytes())
    return b"@layer %b{%b}" % (layer, rules) if layer else rules


def _resolve_import(name: str, imported: bytes) -> str:
    return normpath(join(dirname(name), imported.decode()))


class SmallFileCompressor(Compressor):  # type: ignore[misc]
    """A compressor that spends its time on small files. The large ones belong to packages, for few users."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        compressed: bytes = brotli.compress(data, quality=11 if len(data) < SMALL else 5)
        return compressed


class ManifestStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A storage that minifies files and replaces the names in scripts' imports with hashed names."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 12  # longer than our longest chain of imports

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Imports are replaced only in our own files: searching those of packages takes seconds.
        of_django: dict[str, object] = self._patterns  # type: ignore[has-type]
        self._patterns = {
            f"{path.name}/{kind}" if path.is_dir() else path.name: patterns
            for kind, patterns in of_django.items()
            for path in STATIC.iterdir()
            if path.is_dir() or path.match(kind)
        }

    def url_converter(
        self, name: str, hashed_files: dict[str, Any], template: str | None = None
    ) -> Callable[[re.Match[str]], str]:
        """Return the function that replaces a URL in the file `name` with its hashed URL.

        The URL of an `@import` stays, because `_save` puts the imported content there.
        """
        converted: Callable[[re.Match[str]], str] = super().url_converter(name, hashed_files, template)
        return lambda match: match["matched"] if match["matched"].startswith("@import") else converted(match)

    def file_hash(self, name: str | None, content: Any = None) -> str | None:
        """Return the hash of the content as it is served. The nameless manifest keeps Django's hash."""
        if name and content:
            content = ContentFile(minify(name, b"".join(content.chunks())))
        hashed: str | None = super().file_hash(name, content)
        return hashed

    def _save(self, name: str, content: Any) -> str:
        saved: str = super()._save(name, ContentFile(minify(name, b"".join(content.chunks()))))
        return saved

    def create_compressor(self, **options: Any) -> Compressor:
        return SmallFileCompressor(**options)

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress only files with hashed names. Pages load no others, apart from pictures of the admin."""
        compressed: Iterator[tuple[str, str]] = super().compress_files(
            set(paths) & set(self.hashed_files.values())
        )
        return compressed

    def parts(self) -> frozenset[str]:
        """Return the style sheets that are only served inside others; none with DEBUG, which serves each."""
        if settings.DEBUG:
            return frozenset()
        sheets = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*.css")}
        return frozenset(
            _resolve_import(name, part)
            for name, content in sheets.items()
            for part, _layer in IMPORT.findall(content)
        )
