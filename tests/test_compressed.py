"""Compression of pages, of the sheet that a poll returns, and of long API answers, which keep their ETag."""

from __future__ import annotations

import gzip

import pytest
from django.urls import reverse

from games.common.poll_tickets import PageVersion
from tests.factories import build_round

pytestmark = pytest.mark.django_db

GZIP = {"accept-encoding": "gzip, br"}


def test_a_changed_sheet_is_less_than_a_third_on_its_way(waldo, game, write):
    for _round in range(5):
        write(game, build_round("ana", beto=9, caro=9, dani=9))
    where = reverse("live-sheet", args=[game.code, PageVersion(0)])
    answer, plain = waldo.get(where, headers=GZIP), waldo.get(where)

    assert ("gzip", None) == (answer["Content-Encoding"], plain.headers.get("Content-Encoding"))
    assert "Accept-Encoding" in plain["Vary"]
    assert 3 * len(answer.content) < len(gzip.decompress(answer.content))


def test_a_long_answer_of_the_api_is_compressed_and_keeps_its_version(ana, game):
    where = f"/api/v1/games/{game.code}/"
    plain, compressed = ana.get(where), ana.get(where, headers=GZIP)

    assert ("gzip", f"W/{plain['ETag']}") == (compressed["Content-Encoding"], compressed["ETag"])
