"""A scorer removed or signed out while typing a round: the page says which, and the typed values stay
readable.
"""

from __future__ import annotations

import pytest

from games.models import Access, Role
from games.tables.services import lobby
from tests.factories import build_round, grant_access, make_user, new_key
from tests.reader import read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def sonia(client_for, table):
    """The phone of a scorer whose access ends while they type a round."""
    return client_for(grant_access(make_user("sonia"), table, Role.SCORER).user)


ROUND_DATA = {
    "closer": "ana",
    "closing": "out",
    "hand-ana": "",
    "hand-beto": "[K 7]",
    "hand-caro": "12",
    "hand-dani": "9",
}


@pytest.mark.parametrize("is_witness", [False, True])
def test_a_scorer_removed_while_typing_gets_a_page_with_their_typed_values(
    sonia, table, game, owner, is_witness
):
    lobby.revoke(table.accesses.get(role=Role.SCORER), by=owner)
    if is_witness:  # Sonia has access again, but only to watch
        Access.objects.filter(user__username="sonia").update(role=Role.WITNESS, ended_at=None)
    response = sonia.post(f"/g/{game.code}/round/", {**ROUND_DATA, "after": "1", "key": new_key()})
    page = read_page(response)

    assert (403 if is_witness else 404, 1) == (response.status_code, game.records.count())
    assert "Typed but not recorded" in page.only("main").text
    assert "You can't record at this table anymore." in page.only("main").text
    assert "ana ended the round beto [K 7] caro 12 dani 9" == page.only("dl").text


def test_a_scorer_whose_session_ended_while_typing_is_told_so(sonia, game):
    sonia.cookies.clear()

    page = read_page(sonia.post(f"/g/{game.code}/round/", {**ROUND_DATA, "after": "1", "key": new_key()}))

    sentence = (
        "This phone is signed out. Sign in and enter them again, or give these scores to the scorekeeper."
    )
    assert sentence in page.only("main").text
    assert "ana ended the round beto [K 7] caro 12 dani 9" == page.only("dl").text


@pytest.mark.parametrize("page", ["round", "correct/2"])
def test_the_preview_after_the_removal_gets_404_with_a_reason(sonia, table, game, owner, write, page):
    write(game, build_round("ana", beto=5, caro=7, dani=9))
    lobby.revoke(table.accesses.get(role=Role.SCORER), by=owner)
    response = sonia.post(f"/g/{game.code}/{page}/?preview", ROUND_DATA, headers={"HX-Request": "true"})

    item = read_page(response).only("li")
    sentence = "Not recorded: you can no longer record here. What you typed stays on this page."
    assert (404, "red", sentence) == (response.status_code, item.attrs["class"], item.text)
