"""Everything that a page writes on a phone without a network is at the site after the sync, as if written
there.
"""

from __future__ import annotations

import pytest

from games.models import Game, Table
from games.money.balances import balances_of
from games.notebook.books.audit import check_table
from games.pocket.rooms import READ, WRITE
from games.pocket.taking import DONE
from games.urls import urlpatterns
from tests.pocket.phones import Pocket
from tests.test_rights import HAND_MADE, address, by_stage, hand_made

pytestmark = pytest.mark.django_db


def books(table):
    """Return everything that the phone and the site have to agree on."""
    members = {member.slug: member.name for member in table.members.all()}
    games = {game.code: (game.log(), game.discarded_at is None) for game in table.games.all()}
    paid = [
        (one.payer.slug, one.payee.slug, one.amount, one.method, one.note, one.counts)
        for one in table.payments.order_by("pk")
    ]
    return members, games, paid, balances_of(table)


def test_every_page_that_the_phone_handles_exists():
    assert set() == (READ | WRITE) - {page.name for page in urlpatterns}


@pytest.mark.slow
@pytest.mark.parametrize(("stage", "names"), by_stage(WRITE & set(HAND_MADE)))
def test_an_entry_of_each_page_made_offline_is_at_the_site_after_the_sync(
    page_of,
    phone_of,
    at_stage,
    owner,
    table,
    empty,
    tmp_path,
    stage,
    names,
):
    code, before = at_stage(stage).code, books(table)
    for name in names:
        with page_of(name):
            pocket = Pocket(owner, empty, tmp_path / f"{name}.sqlite3")
            with pocket.away() as reader:
                phone, there = phone_of(reader), Game.objects.get(code=code)
                phone.post(address(name, game=there, table=there.table), hand_made(phone, name, there))
                done = books(Table.objects.get())
            with pocket.anew(pocket.outbox()):
                assert done == books(Table.objects.get())
            answers = pocket.sync()

            assert before != done
            assert {DONE} == {answer.status for answer in answers}
            assert done == books(table)
            assert [] == list(check_table(table).differences)
