"""Build the library where its sources are, with a page whose links lead to the repository."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from posixpath import normpath

from setuptools import setup

HERE = Path(__file__).parent
if not (HERE / "src" / "anotador").is_dir():
    raise SystemExit(
        "src/anotador is no folder: this copy of the repository lost its links. Use git clone, on a system with links."
    )
SOURCE = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]


def absolute(link: re.Match[str]) -> str:
    """Return a relative link of the page as one to the repository."""
    return f"]({SOURCE}/{normpath(f'engine/{link[1]}')})"


page = re.sub(r"\]\((?!https?:)([^)]+)\)", absolute, (HERE / "README.md").read_text(encoding="utf-8"))
setup(long_description=page, long_description_content_type="text/markdown")
