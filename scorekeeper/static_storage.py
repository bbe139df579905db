"""Static files under hashed names. Our own scripts and styles are built already (`build.mjs`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import brotli
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

SMALL = 2**18  # bytes of a file that is worth the best compression, ten times slower


class SmallFileCompressor(Compressor):  # type: ignore[misc]
    """A compressor that spends its time on small files. The large ones belong to packages, for few users."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        compressed: bytes = brotli.compress(data, quality=11 if len(data) < SMALL else 5)
        return compressed


class ManifestStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A storage that replaces no URLs within files: ours name no others, and Swagger UI's name missing maps."""

    patterns = ()

    def create_compressor(self, **options: Any) -> Compressor:
        return SmallFileCompressor(**options)

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress only files with hashed names. Pages load no others, apart from pictures of the admin."""
        compressed: Iterator[tuple[str, str]] = super().compress_files(
            set(paths) & set(self.hashed_files.values())
        )
        return compressed
