"""The pages about an e-mail address and a forgotten password: layout and accessibility, in every language."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache

from games.people.addresses import ask_to_confirm
from games.people.outgoing import TO_ADDRESS, exceeded
from tests.browser.chromium import LETTERS
from tests.browser.screens import MAIN, Screen
from tests.browser.test_accessibility import complaints_of
from tests.browser.test_screens import LARGE, PHONES, misfits, resize
from tests.mails import arrived, give_address, link_in

OLGAS = "hermenegilda.perez@example.org"
FORGOTTEN = "/login/forgotten/"


def _sends(address):
    def send(page):
        page.locator("input[type=email]").fill(address)
        with page.expect_navigation():
            page.locator("button.go").tap()

    return send


@pytest.fixture
def olga(sends_mail, transactional_db):
    return User.objects.create_user("olga", password="tres lobas negras")


def screens(olga):
    """Yield each screen, with whether Olga's own phone shows it."""
    yield Screen("login", "/login/", reachable=(MAIN,)), False
    yield Screen("forgotten", FORGOTTEN, reachable=(MAIN,)), False
    yield Screen("forgotten-refused", FORGOTTEN, (_sends("olga@example"),), (MAIN,)), False
    yield Screen("forgotten-sent", FORGOTTEN, (_sends(OLGAS),), (MAIN,)), False
    while exceeded("10.0.0.1", OLGAS) is not TO_ADDRESS:
        pass
    yield Screen("forgotten-too-many", FORGOTTEN, (_sends(OLGAS),), (MAIN,)), False
    yield Screen("yours", "/yours/"), True
    yield Screen("address-none", "/yours/address/"), True
    ask_to_confirm(olga, OLGAS)
    yield Screen("address-pending", "/yours/address/"), True
    link = next(link_in(mail) for mail in arrived() if "/address/" in mail.body)
    yield Screen("confirm-address", link, reachable=(MAIN,)), False
    give_address(olga, OLGAS)
    yield Screen("address-confirmed", "/yours/address/"), True
    yield Screen("yours-confirmed", "/yours/"), True
    yield Screen("confirm-address-gone", link, reachable=(MAIN,), status=404), False


@pytest.mark.parametrize(
    ("language", "letters"),
    [*((code, LETTERS) for code, _name in settings.LANGUAGES), *(("es-AR", letters) for letters in LARGE)],
)
def test_the_mail_pages_fit_their_phones_and_are_accessible(
    open_phone, let_in, olga, axe_source, forgive, language, letters
):
    forgive("status of 4(04|29)")
    cache.clear()  # it counts mails, and survives a test
    stranger, hers = (
        open_phone(reduced_motion="reduce", locale=language, letters=letters) for _phone in range(2)
    )
    let_in(hers, olga)
    pages = {False: stranger.new_page(), True: hers.new_page()}
    problems: list[str] = []
    for screen, is_hers in screens(olga):
        page = pages[is_hers]
        resize(page, *PHONES[0])
        screen.show(page)
        page.evaluate(axe_source)
        problems += misfits(screen, page, large=letters > LETTERS)
        problems += [f"{screen.name}: {complaint}" for complaint in complaints_of(page)]
    assert not problems, "\n".join(problems)
