"""A template loader that strips indentation, which browsers do not need."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


class StripIndentLoader(FilesystemLoader):
    """A loader of this project's templates. Lines keep their numbers, so that errors show the right line."""

    def get_contents(self, origin: Origin) -> str:
        return INDENT.sub("", super().get_contents(origin))
