"""The settings of the tests, the benchmarks and the type checker, which no file of settings changes."""

from __future__ import annotations

import os

os.environ["ANOTADOR_ENV"] = ""

from games.common import program
from scorekeeper.settings import *  # noqa: F403

BASE_DIR = program.ROOT  # the copy of the repository
