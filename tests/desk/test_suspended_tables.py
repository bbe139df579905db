"""A table that an operator suspends while people play: its pages answer 503, and no queued entry is lost."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from django.utils.timezone import localtime, now

from games.desk.acts import Outdated, bring_table_back, erase_table, release_table, suspend_table
from games.models import OperatorAct, Role, Table
from games.nights import local
from games.notebook.books.audit import check_table
from games.people import erasing
from games.people.erasing import GoneForGood
from games.people.invitations import LASTS, make_invite
from games.people.tokens import LIVES, make_token
from games.people.users import mark_of
from games.scoring.text.codec import kind_of, to_data
from tests.reader import read_page
from tests.tables import a_round, let_in_as, make_table, make_user, start

pytestmark = pytest.mark.django_db

WHY = "somebody says that the name insults them"


def typed(game, key, after):
    """Return the fact of a round whose form was queued on a phone."""
    hands = {"hand-ana": "", "hand-beto": "9", "hand-caro": "[K 7]", "hand-dani": "12"}
    return {
        **{"kind": "typed", "form": "round", "table": "", "game": game.code, "key": key, "after": after},
        **{"at": now().isoformat(), "fields": {"closer": "ana", "closing": "out", **hands}},
    }


def paid(table, key):
    """Return the fact of a payment whose form was queued on a phone."""
    fields = {"payer": "beto", "payee": "ana", "amount": "100", "method": "cash", "note": "", "day": ""}
    return {
        **{"kind": "typed", "form": "payment", "table": table.code, "game": "", "key": key, "after": 0},
        **{"at": now().isoformat(), "fields": fields},
    }


def begun(table, code, key):
    """Return the fact of a game that the carried app started."""
    event = start(table, table.grants.get(role=Role.OWNER).user).log()[0]
    return {
        **{"kind": "start", "table": table.code, "game": code, "key": key},
        **{"at": now().isoformat(), "events": [{"kind": kind_of(event), "data": to_data(event)}]},
    }


def played(table, code, key):
    """Return the fact of a round that the carried app recorded in a new game."""
    event = a_round("ana", beto=5, caro=6, dani=7)
    return {
        **{"kind": "record", "table": table.code, "game": code, "key": key, "after": 1},
        **{"at": now().isoformat(), "events": [{"kind": kind_of(event), "data": to_data(event)}]},
    }


def bring(phone, user, *facts):
    sent = {"person": mark_of(user), "facts": facts}
    return phone.post("/pocket/", json.dumps(sent), content_type="application/json")


def statuses(answer):
    return [fact["status"] for fact in answer.json()["answers"]]


def test_entries_sent_during_a_tables_suspension_are_recorded_once_after_its_release(
    ana, owner, table, game, operator
):
    """A pad is open, a round and a payment are queued, the carried app started a game: each is recorded once."""
    beto = make_user("beto")
    let_in_as(beto, table, Role.SCORER)
    new = begun(table, "newgame2345", "k3")
    games = table.games.count()
    facts = [typed(game, "k1", 1), paid(table, "k2"), new, played(table, "newgame2345", "k4")]
    pad = {"key": "k1", "after": "1", **facts[0]["fields"]}
    suspend_table(table, by=operator, reason=WHY)
    for _time in range(3):  # a phone tries again and again
        assert 503 == bring(ana, owner, *facts).status_code
        assert 503 == bring(ana, owner, *facts[2:]).status_code
        assert 503 == ana.post(f"/g/{game.code}/round/", pad).status_code

    assert (1, games, 0) == (game.records.count(), table.games.count(), table.payments.count())
    release_table(table, by=operator, reason="the name was changed")
    for _time in range(2):
        assert ["done"] * 4 == statuses(bring(ana, owner, *facts))
    ana.post(f"/g/{game.code}/round/", pad)

    assert (2, games + 1, 1) == (game.records.count(), table.games.count(), table.payments.count())
    assert 2 == table.games.get(code="newgame2345").records.count()
    assert [] == list(check_table(table).differences)


def test_facts_of_other_tables_are_recorded_while_those_of_a_suspended_table_wait(
    ana, owner, table, game, operator
):
    other = start(make_table(owner, name="Otra"), owner)
    suspend_table(table, by=operator, reason=WHY)
    facts = [typed(game, "k1", 1), typed(other, "k2", 1)]

    assert ["waits", "done"] == statuses(bring(ana, owner, *facts))
    assert 503 == bring(ana, owner, facts[0]).status_code  # without progress a phone must not retry at once
    assert (1, 2) == (game.records.count(), other.records.count())


def test_an_entry_queued_by_an_older_release_gets_503_while_its_table_is_suspended(
    ana, owner, table, game, operator
):
    suspend_table(table, by=operator, reason=WHY)
    entry = {"person": mark_of(owner), "key": "k1", "after": "1", **typed(game, "k1", 1)["fields"]}

    assert 503 == ana.post(f"/g/{game.code}/queued/", entry).status_code
    assert 1 == game.records.count()


def test_a_phone_gets_no_new_copy_of_a_suspended_table_and_the_same_one_after_the_release(
    ana, table, game, operator
):
    before = ana.get("/pocket/").content
    suspend_table(table, by=operator, reason=WHY)

    assert 503 == ana.get("/pocket/").status_code
    release_table(table, by=operator, reason="fine again")
    before, after = json.loads(before), ana.get("/pocket/").json()
    assert before["tables"][0]["record"] == after["tables"][0]["record"]


def test_pages_of_a_suspended_table_show_its_date_and_a_contact_and_only_its_owner_reads_the_reason(
    ana, waldo, stranger, table, game, operator, contact
):
    suspend_table(table, by=operator, reason=WHY)
    since = localtime(Table.objects.get(pk=table.pk).suspended_at)
    for address in (
        f"/t/{table.code}/",
        f"/g/{game.code}/",
        f"/t/{table.code}/accounts/",
        f"/g/{game.code}/round/",
    ):
        page = ana.get(address)

        assert (503, "300") == (page.status_code, page.headers["Retry-After"])
        assert "This table is suspended" in read_page(page).text
        assert f"{since:%Y %H:%M}" in read_page(page).text
        assert contact in read_page(page).text
        assert WHY in read_page(page).text
    page = waldo.get(f"/g/{game.code}/")
    assert 503 == page.status_code
    assert WHY not in page.content.decode()
    assert table.name not in page.content.decode()
    assert 404 == stranger.get(f"/t/{table.code}/").status_code


def test_a_witness_of_a_suspended_table_gets_503_at_the_next_poll(waldo, table, game, operator):
    news = read_page(waldo.get(f"/g/{game.code}/")).only("p", id="news")
    poll, headers = news.attrs["data-live"], {"x-ticket": news.attrs["data-ticket"]}
    assert 204 == waldo.get(poll, headers=headers).status_code
    suspend_table(table, by=operator, reason=WHY)

    assert 503 == waldo.get(poll, headers=headers).status_code


def test_invitations_and_api_requests_of_a_suspended_table_get_503(nobody, owner, table, game, operator):
    _invite, link = make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)
    _token, secret = make_token(owner, "reloj", Role.OWNER, lasts=LIVES["day"])
    suspend_table(table, by=operator, reason=WHY)
    bearer = {"authorization": f"Bearer {secret}"}
    answer = nobody.get(f"/api/v1/games/{game.code}/", headers=bearer)

    assert 503 == nobody.get(f"/i/{link}/").status_code
    assert 503 == nobody.post(f"/i/{link}/", {"name": "Zoe"}).status_code
    assert (503, "unavailable") == (answer.status_code, answer.json()["code"])
    assert "suspended this table" in answer.json()["detail"]
    release_table(table, by=operator, reason="fine again")
    assert 200 == nobody.get(f"/i/{link}/").status_code


def test_the_home_page_lists_a_suspended_table_apart_and_without_its_games(ana, table, game, operator):
    suspend_table(table, by=operator, reason=WHY)
    home = ana.get("/")

    assert 200 == home.status_code
    assert game.code not in home.content.decode()
    assert [f"/t/{table.code}/"] == [
        link.attrs["href"] for link in read_page(home).every("a") if "suspended since" in link.text
    ]


def test_the_owner_reads_the_operators_acts_and_reasons_in_the_tables_settings(ana, waldo, table, operator):
    suspend_table(table, by=operator, reason=WHY)
    release_table(table, by=operator, reason="the name was changed")
    notices = [
        notice.text
        for notice in read_page(ana.get(f"/t/{table.code}/settings/")).only(id="operator-acts").every("li")
    ]

    assert ["The operator opened this table again", "The operator suspended this table"] == [
        notice.partition(f" {local(now(), table).day}/")[0] for notice in notices
    ]
    assert notices[0].endswith("the name was changed")
    assert notices[1].endswith(WHY)
    assert [] == read_page(waldo.get(f"/t/{table.code}/settings/")).every(id="operator-acts")


def test_only_an_operator_restores_a_table_that_an_operator_erased(ana, owner, table, operator):
    erase_table(table, by=operator, reason=WHY)
    page = ana.get(f"/t/{table.code}/erase/")

    assert WHY in read_page(page).text
    assert "Bring it back" not in read_page(page).text
    assert 404 == ana.post(f"/t/{table.code}/erase/back/").status_code
    with pytest.raises(GoneForGood):
        erasing.bring_back(table, by=owner)
    bring_table_back(table, by=operator, reason="a mistake")
    assert 200 == ana.get(f"/t/{table.code}/").status_code


def test_only_the_owner_restores_a_table_that_the_owner_erased(owner, table, operator):
    erasing.erase(table, name=table.name, by=owner)
    with pytest.raises(Outdated):
        bring_table_back(table, by=operator, reason="why not")
    with pytest.raises(Outdated):
        erase_table(table, by=operator, reason="it is erased already")

    assert erasing.bring_back(table, by=owner).erased_at is None
    assert [] == list(OperatorAct.objects.all())


def test_a_table_erased_while_suspended_is_suspended_again_once_restored(ana, table, operator):
    suspend_table(table, by=operator, reason=WHY)
    erase_table(table, by=operator, reason=WHY)
    bring_table_back(table, by=operator, reason="a mistake")

    assert 503 == ana.get(f"/t/{table.code}/").status_code


def test_every_page_of_a_game_answers_503_while_its_table_is_suspended(ana, table, game, operator):
    suspend_table(table, by=operator, reason=WHY)
    names = (
        "sheet",
        "board",
        "settlement",
        "money",
        "totals",
        "rules",
        "export",
        "export-game",
        "more",
    )

    assert {503} == {ana.get(reverse(name, args=[game.code])).status_code for name in names}
    assert 503 == ana.get(f"/t/{table.code}/export/file/").status_code
