"""The operators' desk: a 404 for everybody else, without games or money, and with a reason for each act."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from games.desk.acts import suspend_table
from games.desk.reports import report
from games.desk.site import KINDS
from games.models import Act, OperatorAct, Role, Table
from games.money.holders import set_account
from games.people.deletion import delete_account
from games.people.guests import make_guest
from games.people.tokens import LIVES, make_token
from games.people.tries import Tries
from scorekeeper.middleware import POLICY
from tests.commands import output_of, refusal_of
from tests.reader import read_page
from tests.tables import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_cache")]

LISTS = ("tables", "users", "tokens", "reports", "log", "throttled")
WHY = "somebody says that the name insults them"


@pytest.fixture
def full_site(table, owner, finished, pay, waldo):
    """A table with a game, money and payment details, a token, a report and throttled addresses."""
    account = "ALIAS.SECRETO.ANA"
    set_account(table.members.get(slug="ana"), account)
    pay("beto", "ana", 137)
    make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"], table=table)
    report(table, "the name insults me", is_invited=True)
    tries = Tries("login", most=1, window=900)
    for _try in range(2):
        tries.take("203.0.113.7 ana")
    return ("alias.secreto", account, "137", finished.code, "loba", "Loba", "chinch", "Dani", "Caro", "400")


def pages_of(phone):
    """Return every page of the desk that a link leads to, by address."""
    pages, waiting = {}, ["/operator/"]
    while waiting:
        address = waiting.pop()
        if address in pages:
            continue
        answer = phone.get(address)
        assert (address, 200) == (address, answer.status_code)
        pages[address] = answer
        if "?" in address:  # columns can be sorted in endless combinations
            continue
        hrefs = [link.attrs.get("href", "") for link in read_page(answer).every("a")]
        waiting += [
            href if href.startswith("/") else f"{address.partition('?')[0]}{href}"
            for href in hrefs
            if href.startswith(("/operator/", "?"))
        ]
    return pages


def test_no_page_of_the_desk_shows_payment_details_a_payment_or_a_game(desk, full_site, table):
    pages = pages_of(desk)

    assert {f"/operator/{name}/" for name in LISTS} | {f"/operator/tables/{table.pk}/"} <= pages.keys()
    for address, page in pages.items():
        body = page.content.decode()
        assert (address, []) == (address, [secret for secret in full_site if secret in _shown(body)])


def _shown(body):
    """Return the page without tokens against forgery and addresses, in which any number may occur."""
    return re.sub(r'csrfmiddlewaretoken" value="\w+|href="[^"]*"|datetime="[^"]*"', "", body)


def test_every_page_of_the_desk_has_the_content_security_policy_and_no_inline_style_or_script(
    desk, full_site
):
    for page in pages_of(desk).values():
        body = page.content.decode()

        assert POLICY == page.headers["Content-Security-Policy"]
        assert "no-store" in page.headers["Cache-Control"]
        assert not re.search(r"<style|<script(?![^>]* src=)|\sstyle=|\son\w+=", body)


def test_a_guest_without_a_name_is_listed_by_their_number(desk):
    guest = make_guest()

    assert f"guest #{guest.pk}" in read_page(desk.get("/operator/users/")).only("main").text


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_desk_answers_everybody_but_operators_like_an_unknown_address(
    phone_of, owner, nobody, full_site, table, method
):
    """The desk is closed to a user who is not staff, a staff guest and a deleted operator."""
    guest, left = make_guest(), User.objects.create_user("left", password="x", is_staff=True)
    User.objects.filter(pk=guest.pk).update(is_staff=True)
    delete_account(left)
    before = list(OperatorAct.objects.all())
    for phone in (phone_of(owner), nobody, phone_of(guest), phone_of(left)):
        phone.handler.enforce_csrf_checks = True
        unknown = getattr(phone, method)("/opereitor/tables/")
        for address in (
            "",
            *(f"{name}/" for name in LISTS),
            f"tables/{table.pk}/",
            "tables/x/",
            "login/",
            "logout/",
        ):
            answer = getattr(phone, method)(f"/operator/{address}")

            assert (404, _bare(unknown)) == (answer.status_code, _bare(answer))
    assert before == list(OperatorAct.objects.all())


def _bare(answer):
    return re.sub(
        r'"X-CSRFToken": "\w+|csrfmiddlewaretoken" value="\w+|data-\w+="[^"]*"', "", answer.content.decode()
    )


def test_the_desk_has_none_of_the_django_admins_pages_that_write(desk, full_site, table):
    for address in (
        "tables/add/",
        f"tables/{table.pk}/delete/",
        f"tables/{table.pk}/change/",
        "login/",
        "password_change/",
    ):
        assert 404 == desk.get(f"/operator/{address}").status_code
    assert (
        404
        == desk.post(
            "/operator/tables/", {"action": "delete_selected", "_selected_action": table.pk}
        ).status_code
    )
    assert Table.objects.filter(pk=table.pk).exists()


def test_a_list_refuses_to_filter_by_a_field_that_it_does_not_show(subtests, desk, full_site):
    for query in [
        *(
            "users/?password__startswith=md5",
            "users/?is_superuser__exact=1",
            "tokens/?token_hash__startswith=a",
            "users/?last_login__year=2026",
        ),
        *(
            "tables/?members__account__startswith=a",
            "tables/?games__variant=chinchon",
            "reports/?text__startswith=a",
        ),
    ]:
        with subtests.test(query=query):
            answer = desk.get(f"/operator/{query}")

            assert 400 == answer.status_code


def test_the_page_of_an_unknown_row_is_a_404(desk):
    for pk in (999, 10**30):
        assert 404 == desk.get(f"/operator/tables/{pk}/").status_code


def test_an_act_without_a_reason_is_refused_and_the_form_keeps_the_entries(desk, table):
    address = f"/operator/tables/{table.pk}/"
    without = desk.post(address, {"act": "suspend", "reason": "  "})
    nothing = desk.post(address, {"act": "", "reason": WHY})
    unknown = desk.post(address, {"act": "release", "reason": WHY})

    assert [422] * 3 == [answer.status_code for answer in (without, nothing, unknown)]
    assert "Give a reason." in read_page(without).text
    assert "checked" in read_page(without).only("input", value="suspend").attrs
    assert WHY == read_page(nothing).only("textarea").text
    assert [] == list(OperatorAct.objects.all())


def test_an_operator_suspends_a_table_and_reads_the_act_in_the_log(desk, operator, table, ana):
    address = f"/operator/tables/{table.pk}/"
    desk.post(address, {"act": "suspend", "reason": WHY})
    page = read_page(desk.get(address))

    assert 503 == ana.get(f"/t/{table.code}/").status_code
    assert [(operator, Act.TABLE_SUSPENDED, WHY)] == [
        (act.by, act.what, act.reason) for act in OperatorAct.objects.filter(table_code=table.code)
    ]
    assert WHY in page.text
    assert ["release", "erase"] == [box.attrs["value"] for box in page.every("input", name="act")]
    assert WHY in read_page(desk.get("/operator/log/")).text


def test_a_list_is_searched_and_filtered(desk, operator, table, owner):
    suspend_table(table, by=operator, reason=WHY)
    for query, names in (
        ("q=jueves", 1),
        ("q=nothing", 0),
        ("state=suspended", 1),
        ("state=erased", 0),
    ):
        page = read_page(desk.get(f"/operator/tables/?{query}"))

        assert names == len([link for link in page.every("a") if link.text == table.name])


def test_a_sign_in_link_made_by_an_operator_is_shown_once(desk, nobody):
    beto = User.objects.create_user("beto", password="cuatro lobas negras")
    address = f"/operator/users/{beto.pk}/"
    shown = read_page(desk.post(address, {"act": "let-in", "reason": "called by phone"})).only("code").text

    assert 200 == nobody.get(shown.removeprefix("http://testserver")).status_code
    assert shown not in desk.get(address).content.decode()


def test_a_sign_in_link_made_by_an_operator_begins_with_the_configured_site_url(desk, settings):
    settings.SITE_URL = "https://cards.example.org"
    beto = User.objects.create_user("beto", password="cuatro lobas negras")
    page = desk.post(f"/operator/users/{beto.pk}/", {"act": "let-in", "reason": "called by phone"})

    assert read_page(page).only("code").text.startswith("https://cards.example.org/in/")


def test_each_form_of_the_desk_says_whether_owners_or_only_operators_read_the_reason(desk, owner, table):
    for_table, _secret = make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"], table=table)
    for_all, _secret = make_token(owner, "planilla", Role.SCORER, lasts=LIVES["day"])
    report(table, "the name insults me", is_invited=True)
    sent = table.reports.get()
    owners, operators = "The owners of the table can read it.", "Only operators can read it."
    for address, words in (
        (f"tables/{table.pk}", owners),
        (f"tokens/{for_table.pk}", owners),
        (f"tokens/{for_all.pk}", operators),
        (f"reports/{sent.pk}", operators),
        (f"users/{owner.pk}", "The user can read it if you suspend them"),
    ):
        hint = read_page(desk.get(f"/operator/{address}/")).only("p", class_="help").text

        assert (address, True) == (address, words in hint)


def test_an_operator_cannot_delete_the_only_owner_of_a_table(desk, owner, table):
    answer = desk.post(f"/operator/users/{owner.pk}/", {"act": "delete", "reason": "as they asked"})
    owner.refresh_from_db()

    assert 422 == answer.status_code
    assert "without an owner" in read_page(answer).text
    assert owner.is_active


def test_an_operator_revokes_a_token_and_the_tables_owner_reads_the_reason(desk, ana, owner, table):
    token, _secret = make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"], table=table)
    desk.post(f"/operator/tokens/{token.pk}/", {"act": "revoke", "reason": "it asks too often"})

    assert [] == list(owner.tokens.standing())
    assert "it asks too often" in read_page(ana.get(f"/t/{table.code}/settings/")).text


def test_an_operator_lists_and_releases_a_throttled_address(desk, operator, fresh_cache):
    tries = Tries("login", most=1, window=900)
    assert [True, False, False] == [tries.take("203.0.113.7 ana") for _try in range(3)]
    page = read_page(desk.get("/operator/throttled/"))
    (box,) = page.every("input", name="act")

    assert "203.0.113.7 ana" in page.text
    desk.post("/operator/throttled/", {"act": box.attrs["value"], "reason": "a club behind one address"})
    assert tries.take("203.0.113.7 ana")
    assert "Nobody is throttled" in read_page(desk.get("/operator/throttled/")).text
    assert [("login", Act.ADDRESS_RELEASED)] == [(act.about, act.what) for act in OperatorAct.objects.all()]


def test_every_rate_limit_that_the_desk_lists_has_a_name():
    sources = [path.read_text(encoding="utf-8") for path in (Path(settings.BASE_DIR) / "games").rglob("*.py")]
    limits = [limit for source in sources for limit in re.findall(r'\bTries\(\s*"([^"]+)"([^)]*)', source)]
    listed = {kind for kind, options in limits if "is_listed=False" not in options}

    assert len(limits) > 10
    assert set() == listed - KINDS.keys()


def test_a_command_makes_a_registered_user_an_operator_and_lists_them():
    User.objects.create_user("olga", password="tres lobas negras")

    assert "There is no operator" in output_of("operator")
    assert "olga is an operator" in output_of("operator", "Olga")
    assert "olga\n" == output_of("operator")
    assert "no longer" in output_of("operator", "olga", "--end")
    assert not User.objects.get(username="olga").is_staff
    assert "needs a name and a password" in refusal_of("operator", make_user("waldo").username)
    assert "needs the name" in refusal_of("operator", "--end")
