"""The operators' desk under the site's content security policy, and a phone with an open pad while its
table is suspended.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from games.desk.acts import release_table, release_user, suspend_table, suspend_user
from games.desk.reports import report
from games.models import Role
from games.people.invitations import LASTS, make_invite
from games.people.tokens import LIVES, make_token
from tests.browser.network import UNREACHED
from tests.browser.nights import begin, play
from tests.browser.scorer import GO, Scorer, until
from tests.browser.test_accessibility import complaints_of
from tests.browser.test_offline import PANEL, open_sheet
from tests.tables import let_in_as, make_table, make_user

LOW = {"width": 390, "height": 664}


@pytest.fixture
def operator(live_server):
    return User.objects.create_user("otto", password="tres lobas negras", is_staff=True)


def shoot(page, name):
    """Write a picture of the page into the folder SHOTS, if it is set."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=name.startswith("desk"))


def test_the_desk_works_under_the_content_security_policy(open_phone, owner, operator, let_in, settings):
    """Any blocked script or style is an error on the console, which fails the test."""
    settings.OPERATOR_CONTACT = "hola@mesas.example"
    table = make_table(owner)
    make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"], table=table)
    report(table, "El nombre de la mesa insulta a mi hermana", is_invited=True)
    phone = open_phone(viewport=LOW)
    let_in(phone, operator)
    page = phone.new_page()
    page.goto("/operator/")
    shoot(page, "desk-index")
    for name in ("users", "tokens", "reports", "tables"):
        page.goto(f"/operator/{name}/")
        shoot(page, f"desk-{name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= LOW["width"]
    page.get_by_role("link", name=table.name).click()
    page.get_by_text("Suspender: nadie la puede abrir").click()
    page.get_by_role("button", name="Hacerlo").click()
    expect(page.locator("#reason-error")).to_have_text("Falta decir por qué.")
    shoot(page, "desk-refused")
    page.get_by_label("Por qué").fill("el nombre insulta a alguien")
    page.get_by_role("button", name="Hacerlo").click()
    expect(page.locator(".messagelist")).to_be_visible()
    expect(page.locator(".desk-done")).to_contain_text("el nombre insulta a alguien")
    shoot(page, "desk-table")
    page.goto("/operator/log/")
    shoot(page, "desk-log")
    table.refresh_from_db()
    assert table.suspended_at is not None


def test_a_round_saved_while_the_table_is_suspended_is_queued_and_recorded_once_released(
    open_phone, road, owner, operator, let_in, forgive, settings
):
    forgive(UNREACHED)
    forgive("503")
    settings.OPERATOR_CONTACT = "hola@mesas.example"
    table = make_table(owner)
    game = play(begin(table, owner, stake=10), owner, "round ana out beto=60 caro=40 dani=12")
    phone = open_phone(base_url=road.url, service_workers="allow", viewport=LOW)
    let_in(phone, owner)
    scorer = Scorer(phone.new_page())
    open_sheet(scorer, game)
    scorer.page.goto(f"/g/{game.code}/round/?closer=ana")
    suspend_table(table, by=operator, reason="el nombre insulta a alguien")
    for points in (7, 8):
        scorer.counted(points)
        scorer.goes_on()
    scorer.counted(9)
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    assert 2 == game.records.count()
    scorer.page.goto(f"/t/{table.code}/")
    expect(scorer.page.locator("main")).to_contain_text("el nombre insulta a alguien")
    shoot(scorer.page, "suspended")
    release_table(table, by=operator, reason="cambiaron el nombre")
    scorer.page.goto(f"/g/{game.code}/")
    until(scorer.page, lambda: game.records.count() == 3)
    scorer.page.goto(f"/t/{table.code}/settings/")
    expect(scorer.page.locator("#operator-acts")).to_contain_text("cambiaron el nombre")
    shoot(scorer.page, "told")
    assert 3 == game.records.count()


def test_a_half_entered_round_survives_the_suspension_of_its_user(
    open_phone, owner, operator, let_in, forgive
):
    forgive("503")
    game = play(begin(make_table(owner), owner), owner, "round ana out beto=60 caro=40 dani=12")
    phone = open_phone(viewport=LOW)
    let_in(phone, owner)
    scorer = Scorer(phone.new_page())
    scorer.page.goto(f"/g/{game.code}/round/")
    scorer.went_out("dani")
    scorer.holds("K *")
    hands = scorer.hands()
    suspend_user(owner, by=operator, reason="insulta a los demás")
    scorer.page.goto("/")
    expect(scorer.page.locator("main")).to_contain_text("insulta a los demás")
    shoot(scorer.page, "suspended-user")
    release_user(owner, by=operator, reason="pidió perdón")
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    assert hands == scorer.hands()


def test_a_stranger_and_a_witness_can_report_a_table(open_phone, owner, let_in, axe_source, settings):
    settings.OPERATOR_CONTACT = "hola@mesas.example"
    table = make_table(owner)
    game = play(begin(table, owner, stake=10), owner, "round ana out beto=60 caro=40 dani=12")
    _invite, token = make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)
    page = open_phone(viewport=LOW).new_page()
    page.goto(f"/i/{token}/")
    shoot(page, "invitation")
    page.get_by_role("link", name="Denunciar esta mesa").click()
    page.get_by_label("¿Qué pasa?").fill("El nombre de la mesa insulta a mi hermana")
    shoot(page, "report")
    page.evaluate(axe_source)
    assert [] == complaints_of(page)
    page.get_by_role("button", name="Mandar la denuncia").click()
    expect(page.get_by_role("status")).to_be_visible()
    shoot(page, "reported")
    waldo = make_user("waldo")
    let_in_as(waldo, table, Role.WITNESS)
    phone = open_phone(viewport=LOW)
    let_in(phone, waldo)
    page = phone.new_page()
    page.goto(f"/g/{game.code}/")
    shoot(page, "watching")
    page.get_by_role("link", name="Denunciar esta mesa").click()
    expect(page.get_by_label("¿Qué pasa?")).to_be_visible()
    assert 1 == table.reports.count()
