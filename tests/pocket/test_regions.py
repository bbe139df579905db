"""An amount queued on a phone is parsed by the region in which it was typed, not by the table's present
region.
"""

from __future__ import annotations

import pytest
from django.utils.timezone import now
from django.utils.translation import override

from games.models import Payment, Table
from games.people.regions import change_region
from games.pocket.taking import DONE, HELD, take
from games.pocket.typed import FormRefused
from games.views.pocket.typed import READERS
from tests.tables import a_key, start

pytestmark = pytest.mark.django_db


def paid(table, amount, **more):
    """Return the fact of a payment whose form was queued on a phone."""
    fields = {"payer": "beto", "payee": "ana", "amount": amount, "method": "cash", **more}
    return {
        **{"kind": "typed", "form": "payment", "table": table.code, "game": "", "key": a_key(), "after": 0},
        **{"at": now().isoformat(), "fields": fields},
    }


@pytest.fixture
def changed(table):
    """The table, Argentine when the entries were typed and Mexican when they are sent."""
    Table.objects.filter(pk=table.pk).update(decimals=3, region="es-AR")
    change_region(table, "es-MX")
    return Table.objects.get()


@pytest.mark.parametrize(
    ("typed_in", "amount"),
    [
        ({"region": "es-AR"}, 1500000),
        ({"region": "es-MX"}, 1500),
        ({"region": ""}, 1500000),  # where the language decided
        ({}, 1500000),  # of an older release: parsed by the language, as that release did
    ],
)
def test_a_queued_payment_is_parsed_by_the_region_of_its_form(changed, owner, typed_in, amount):
    with override("es-ar"):
        assert [DONE] == [
            answer.status for answer in take([paid(changed, "1.500", **typed_in)], owner, READERS)
        ]

    assert amount == Payment.objects.get().amount


def test_an_amount_that_is_invalid_in_its_own_region_is_held(changed, owner):
    Table.objects.update(decimals=2)
    with override("es-ar"):
        (answer,) = take([paid(changed, "1.500", region="es-MX")], owner, READERS)

    assert (HELD, FormRefused) == (answer.status, type(answer.why))
    assert 0 == Payment.objects.count()


def test_points_are_parsed_alike_in_every_region(changed, owner):
    game = start(changed, owner, variant="points", name="Generala")
    hands = {"hand-ana": "1.204", "hand-beto": "1,204", "hand-caro": "0", "hand-dani": "-3"}
    fact = {
        **{"kind": "typed", "form": "round", "table": "", "game": game.code, "key": a_key(), "after": 1},
        **{"at": now().isoformat(), "fields": {"closer": "nobody", "closing": "played", **hands}},
    }

    assert [DONE] == [answer.status for answer in take([fact], owner, READERS)]
    assert [1204, 1204, 0, -3] == [player.total for player in game.state().players]
