"""The fields of rows in a table's file: a field of a later version is in a file only where it is used."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from games.common.json_reader import InvalidFile
from games.files.services import file_schema
from games.files.services.file_contents import FileContents
from games.models import Table

NO_REFERENCES: Any = None
EARLIER = {"name": file_schema.name_field(40)}
LATER = {**EARLIER, "place": file_schema.optional(file_schema.text_field(60), "")}


def read(value, parts):
    return file_schema.read_row(value, parts, FileContents(Table(), ""))


def write(parts, **columns):
    return file_schema.write_row(SimpleNamespace(**columns), parts, NO_REFERENCES)


def test_a_row_without_an_optional_field_has_its_default():
    assert {"name": "Ana", "place": ""} == read({"name": "Ana"}, LATER)
    assert {"name": "Ana", "place": "Bar"} == read({"name": "Ana", "place": "Bar"}, LATER)


def test_an_optional_field_is_checked_like_any_other():
    with pytest.raises(InvalidFile, match="“place” should be text of at most 60 characters"):
        read({"name": "Ana", "place": 1}, LATER)


def test_the_default_is_not_written_so_that_earlier_versions_read_the_file():
    assert {"name": "Ana"} == write(LATER, name="Ana", place="")
    assert {"name": "Ana"} == read(write(LATER, name="Ana", place=""), EARLIER)
    assert {"name": "Ana", "place": "Bar"} == write(LATER, name="Ana", place="Bar")
