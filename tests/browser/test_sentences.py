"""Forms about money as sentences: what is tapped and typed is read on the cloth, and again on the closer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.models import Payment
from tests.factories import confirm_as_member, load_balances, make_user

CLOSER = "#pay .go"


@pytest.fixture
def open_payment(open_phone, let_in, table):
    """`open_payment(user)` opens *Otro pago* on a phone of this user, and returns the page."""

    def open_form(user):
        phone = open_phone()
        let_in(phone, user)
        page = phone.new_page()
        page.goto(f"/t/{table.code}/accounts/")
        page.locator("[popovertarget=pay]:not(.close)").tap()
        expect(page.locator(".parties")).to_be_visible()
        return page

    return open_form


def face(page, name):
    return page.locator("#pay .chip:visible", has_text=name)


def test_a_payment_is_read_from_the_top_and_the_next_face_takes_the_place_with_the_ring(
    open_payment, owner, pay
):
    pay("caro", "beto", 5000)
    page = open_payment(owner)
    face(page, "Beto").tap()
    face(page, "Caro").tap()
    expect(page.locator(".parties")).to_have_text(re.compile(r"Beto\s*paga.*Caro\s*recibe", re.DOTALL))
    expect(page.locator("#pay [name=amount]")).to_have_value("5.000")
    expect(page.locator("#pay [data-note]")).to_contain_text("es toda la deuda: quedan a mano")
    expect(page.locator(CLOSER)).to_have_text("Beto le pagó $ 5.000 a Caro")

    page.locator("#pay [name=amount]").fill("1200")
    expect(page.locator("#pay [data-note]")).to_contain_text("Beto queda debiendo $ 3.800")
    page.locator("#pay [data-whole]").tap()
    expect(page.locator(CLOSER)).to_have_text("Beto le pagó $ 5.000 a Caro")
    page.locator("[data-end=payer]").tap()
    face(page, "Dani").tap()
    expect(page.locator("#pay [data-note]")).to_contain_text("Dani no le debe nada a Caro")
    page.locator("#pay label", has_text="Perdonado").tap()
    page.locator("#pay [name=amount]").fill("300")
    expect(page.locator(CLOSER)).to_have_text("Caro le perdonó $ 300 a Dani")


@pytest.mark.long
def test_what_i_paid_says_when_it_counts_and_more_than_i_owe_is_asked_in_the_same_words(
    open_payment, table, pay
):
    ana, beto = (make_user(slug) for slug in ("ana", "beto"))
    for user in (ana, beto):
        confirm_as_member(user, table.members.get(slug=user.username))
    pay("beto", "ana", 2000)
    page = open_payment(ana)
    face(page, "Beto").tap()
    expect(page.locator(".parties")).to_contain_text("Ana, vos")
    expect(page.locator(CLOSER)).to_have_text("Le pagué $ 2.000 a Betocuenta cuando Beto diga que le llegó")
    page.locator("#pay [name=amount]").fill("2500")
    expect(page.locator("#pay [data-note]")).to_contain_text("Beto te va a deber $ 500")
    page.locator(CLOSER).tap()
    expect(page.locator("#asked")).to_contain_text("¿Seguro que pagó $ 2.500?")
    expect(page.locator(CLOSER)).to_have_text("Sí, le pagué $ 2.500 a Beto")
    page.wait_for_timeout(800)  # keys rest for a moment after the answer to a form
    page.locator(CLOSER).tap()
    expect(page.locator("#moves")).to_contain_text("2.500")
    assert ["ana"] == [payment.payer.slug for payment in Payment.objects.filter(amount=2500)]


@pytest.mark.long
def test_starting_balances_close_at_zero_and_the_closer_wakes_then(scorer, table):
    page, closer = scorer.page, scorer.page.locator("[data-closer]")
    page.goto(f"/t/{table.code}/opening/")
    expect(closer).to_be_disabled()
    page.locator("[name=amount-ana]").fill("3000")
    expect(closer).to_have_text("Faltan $ 3.000 para cerrar en cero")
    page.locator("summary", has_text="Beto").tap()
    expect(page.locator("[name=amount-ana]")).to_be_hidden()
    page.locator("[name=amount-beto]").fill("2000")
    page.locator("label:has([name=side-beto][value=owes])").tap()
    expect(page.locator(".sums")).to_have_text(
        re.compile(r"Deben\s*\$.2\.000\s*Falta\s*\$.1\.000\s*Les deben\s*\$.3\.000")
    )
    page.locator("summary", has_text="Caro").tap()
    page.get_by_text("El resto lo debe Caro").tap()
    expect(closer).to_have_text("Guardar $ 3.000 entre 3 personas")
    closer.tap()
    page.wait_for_url("**/accounts/?opened=1")
    assert {"ana": 3000, "beto": -2000, "caro": -1000, "dani": 0} == load_balances(table)
