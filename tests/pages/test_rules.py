"""The rules in force, in words, from the game's own options."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.pages.reader import read_page
from tests.tables import start

pytestmark = pytest.mark.django_db


def _text(client, game):
    response = client.get(reverse("rules", args=[game.code]))
    assert 200 == response.status_code
    return read_page(response).only("main").text


def test_every_number_of_this_table_is_said(ana, table, owner):
    text = _text(ana, start(table, owner, out_at=151, stake=1500, joker=25))

    for part in ("151", "$ 1,500", "25"):
        assert part in text


def test_a_witness_reads_the_rules(waldo, game):
    assert "101" in _text(waldo, game)


def test_the_rules_are_told_in_spanish_with_the_money_of_the_reader(phone_of, owner, table):
    text = _text(phone_of(owner, language="es-AR"), start(table, owner, stake=1500))

    assert "$ 1.500" in text
