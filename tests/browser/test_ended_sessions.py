"""A session that ended, or another person on the phone: entries are hidden at most, and never deleted."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.db import transaction
from playwright.sync_api import expect

from games.common import locks
from games.models import Role
from tests.browser.game_setup import begin
from tests.browser.offline_steps import CACHED, WAITING, cut, enter, open_online, open_sheet
from tests.browser.scorer import Scorer, plain, until
from tests.factories import grant_access, make_table, make_user

ENDED = "status of (403|404)"
PASSWORD = "tres lobas negras"


@pytest.fixture
def scorer(offline_scorer):
    """The scorer on a phone whose network can be cut."""
    return offline_scorer


@pytest.fixture
def phone(scorer):
    return scorer.page.context


@pytest.fixture
def olga(owner, let_in, phone):
    """The owner, who has a name and a password."""
    owner.username = "olga"
    owner.first_name = "Olga"
    owner.set_password(PASSWORD)
    owner.save()
    let_in(phone, owner)  # again, because the password ended the session
    return owner


def end_sessions() -> None:
    Session.objects.all().delete()


def half_enter(scorer: Scorer, game) -> None:
    """Enter two of the three hands of the next round."""
    open_sheet(scorer, game)
    scorer.begin_round("ana")
    scorer.counted(11)
    scorer.goes_on()
    scorer.counted(12)
    assert ["0", "11", "12", "·"] == scorer.hands()


def save_offline(scorer: Scorer, road, game) -> None:
    """Enter a round that is queued on the phone."""
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)


def sign_in(scorer: Scorer) -> None:
    scorer.page.locator("[name=username]").fill("olga")
    scorer.page.locator("[name=password]").fill(PASSWORD)
    scorer.tap(".dock button")


def test_another_scorer_on_the_phone_neither_sees_nor_deletes_a_half_entered_round(
    scorer, phone, table, game, olga, let_in
):
    half_enter(scorer, game)
    bibi = make_user("bibi")
    grant_access(bibi, table, Role.SCORER)
    let_in(phone, bibi)
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator("#entry[data-ready][data-step=closer]")).to_be_visible()
    scorer.page.goto("/")
    let_in(phone, olga)
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    assert ["0", "11", "12", "·"] == scorer.hands()


@pytest.mark.long
def test_a_guest_who_signs_in_and_ticks_the_table_takes_along_what_they_entered(
    scorer, owner, game, olga, phone, let_in, network, table
):
    guest = make_user("guest")
    guest.set_unusable_password()
    guest.save()
    grant_access(guest, table, Role.SCORER)
    let_in(phone, guest)
    half_enter(scorer, game)
    scorer.page.goto("/login/")
    scorer.page.locator("[name=along]").check()
    sign_in(scorer)
    expect(scorer.page.locator("main .tabs, main nav").first).to_be_visible()
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    assert ["0", "11", "12", "·"] == scorer.hands()


def test_a_round_that_waits_for_an_ended_session_is_shown_with_the_way_to_send_it(
    scorer, network, game, olga, forgive
):
    forgive(ENDED)
    save_offline(scorer, network, game)
    end_sessions()
    network.restore()
    note = scorer.page.locator("#unsent")
    expect(note).to_contain_text("Olga")  # on the page that stayed open
    for address in (f"/g/{game.code}/", "/"):
        open_online(scorer.page, address)
        row = scorer.page.locator("#kept li")
        expect(row).to_contain_text("Mano 2")
        expect(row).to_contain_text("Olga")
        assert "Caro salió · Ana 5 · Beto 9 · Dani 8" in plain(row.inner_text())
    row.locator("a").tap()
    sign_in(scorer)
    until(scorer.page, lambda: 3 == game.records.count())
    until(scorer.page, lambda: [] == scorer.page.evaluate(WAITING))


@pytest.mark.long
def test_what_a_guest_left_behind_can_be_copied_and_is_deleted_at_the_second_tap(
    scorer, network, game, forgive
):
    forgive(ENDED)
    save_offline(scorer, network, game)
    end_sessions()
    network.restore()
    open_online(scorer.page, f"/g/{game.code}/")
    row = scorer.page.locator("#kept li")
    expect(row).to_contain_text("Mano 2")
    expect(row.locator("a")).to_have_count(0)
    assert "Caro salió · Ana 5" in plain(scorer.page.locator("#kept-text").input_value())
    button = row.locator("button")
    button.tap()
    expect(button).to_contain_text("Tocá otra vez")
    button.tap()
    expect(scorer.page.locator("#kept")).to_be_hidden()
    assert 2 == game.records.count()


@pytest.mark.long
def test_the_refused_page_of_a_scorer_who_only_watches_by_now_lists_the_round_that_waits(
    scorer, network, game, owner, forgive
):
    forgive(ENDED)
    save_offline(scorer, network, game)
    game.table.accesses.filter(user=owner).update(role=Role.WITNESS)
    network.restore()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    open_online(scorer.page, f"/g/{game.code}/round/")
    row = scorer.page.locator("#kept li")
    assert "Caro salió · Ana 5 · Beto 9 · Dani 8" in plain(row.inner_text())
    assert "No se anotó nada" not in scorer.page.locator("main").inner_text()
    assert 2 == game.records.count()


# --- an access that ended ---------------------------------------------------------------------------------------------


def cached(scorer: Scorer) -> set[str]:
    """Return the paths of the cached pages, apart from the first page."""
    return {*scorer.page.evaluate(CACHED)} - {"/"}


@pytest.mark.long
@pytest.mark.parametrize("way", ["link", "form"])
def test_the_end_of_an_access_empties_the_phone_of_all_pages_of_its_table(scorer, game, owner, forgive, way):
    forgive(ENDED)
    table, other_game = game.table, begin(make_table(owner), owner)
    other_paths = {f"/g/{other_game.code}/", f"/g/{other_game.code}/round/"}
    ours = {
        f"/g/{game.code}/",
        f"/g/{game.code}/round/",
        f"/g/{game.code}/board/",
        f"/t/{table.code}/accounts/",
    }
    open_sheet(scorer, other_game)
    for path in sorted(ours):
        scorer.page.goto(path)
    open_sheet(scorer, game)
    until(scorer.page, lambda: cached(scorer) == {*other_paths, *ours})

    scorer.page.goto(f"/t/{table.code}/accounts/of/nobody/")  # only this page does not exist
    open_sheet(scorer, game)
    assert {*other_paths, *ours} == cached(scorer)

    if way == "form":
        scorer.page.route("**/sheet/*/", lambda route: route.abort())  # no poll hears of it first
    with transaction.atomic():
        table.accesses.all().delete()
        locks.bump_revision(table)
    if way == "link":
        scorer.page.goto(f"/t/{table.code}/accounts/")
    else:
        scorer.page.locator("form[action$='/undo/'] button").tap()
    until(scorer.page, lambda: cached(scorer) == other_paths)
    expect(scorer.page.locator("h1")).to_have_text("Acá no hay nada")
