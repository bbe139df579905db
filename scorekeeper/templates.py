"""Templates without what only people read: indents stay here, as comments of scripts and styles do."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(FilesystemLoader):
    """The templates of this project, each line from its first sign on."""

    def get_contents(self, origin: Origin) -> str:
        """The text of a template; its lines keep their numbers."""
        return INDENT.sub("", super().get_contents(origin))
