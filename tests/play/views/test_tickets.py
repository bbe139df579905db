"""Poll tickets: a poll without news takes one query; a removed user's ticket is refused."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from http.cookies import SimpleCookie

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localdate, now

from games.common import poll_tickets
from games.common.poll_tickets import PollTicket, ProcessLoad
from games.models import MOST_DEVICES, Access, Device, Role
from games.tables.services import devices, erasure, links, lobby, operators
from tests.factories import build_round, grant_access, make_user, move_all_tables
from tests.reader import PollingClient, fields, read_page

pytestmark = pytest.mark.django_db

SECRET = "tres lobas negras"
BY_TICKET = 1  # query


@pytest.fixture
def user(table):
    """The user Waldo, a viewer with a name and a password."""
    user = User.objects.create_user("waldo", password=SECRET)
    grant_access(user, table)
    return user


@pytest.fixture
def phone(user, client_for):
    return client_for(user)


@pytest.fixture
def watching(phone, game):
    return PollingClient(phone, reverse("sheet", args=[game.code]))


@pytest.fixture
def poll_in_one_query(watching, django_assert_num_queries):
    """`poll_in_one_query()` polls, asserts that it takes a single query, and returns the status."""

    def poll():
        with django_assert_num_queries(BY_TICKET):
            return watching.poll_status()

    return poll


def get_access(user):
    return Access.objects.get(user=user)


# --- while nothing is new: `poll_in_one_query` takes one query ----------------------------------------------------------------


def test_an_expired_ticket_is_checked_and_replaced(watching, poll_in_one_query, time_machine):
    time_machine.move_to(now() + timedelta(seconds=poll_tickets.LIFETIME + 1))

    assert 204 == watching.poll_status()
    assert 204 == poll_in_one_query()


def test_a_poll_without_a_ticket_checks_the_session(watching, poll_in_one_query):
    watching.ticket = ""

    assert [204, 204] == [watching.poll_status(), poll_in_one_query()]


# --- whose it is -----------------------------------------------------------------------------------------------------


def test_a_ticket_is_invalid_on_another_phone(watching, stranger, nobody):
    for client in (stranger, nobody):
        watching.client = client
        assert 404 == watching.poll_status()


def test_a_ticket_is_invalid_for_another_version_or_page(ana, game, write):
    """Ana's phone shows the sheet; its ticket is invalid for the re-entry desk and for later versions."""
    sheet = PollingClient(ana, reverse("sheet", args=[game.code]))
    cookie = ana.cookies["sessionid"].value
    assert PollTicket.read(sheet.ticket, sheet.live, cookie)
    assert not PollTicket.read(sheet.ticket, sheet.live.replace("/sheet/", "/board/"), cookie)

    write(game, build_round("ana", beto=101, caro=40, dani=9))
    for name in ("sheet", "reentry"):
        assert not PollTicket.read(
            sheet.ticket, PollingClient(ana, reverse(name, args=[game.code])).live, cookie
        )


def test_a_forged_ticket_is_invalid():
    address, cookie = "/g/abc/sheet/1-1/", "c"
    for ticket in ("x", ":", "99999999999:", "99999999999:00", "²:00", "9" * 5000, "-1:ab", "1:ab"):
        assert not PollTicket.read(ticket, address, cookie)


# --- news -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def wanda(game, client_for):
    """The phone of a second viewer, which shows the sheet."""
    user = make_user("wanda")
    grant_access(user, game.table)
    return PollingClient(client_for(user), reverse("sheet", args=[game.code]))


def test_what_the_first_phone_was_drawn_all_others_get_by_their_ticket_with_the_next_one(
    watching, wanda, game, write, django_assert_num_queries
):
    for points in range(3):
        write(game, build_round("ana", beto=23, caro=points, dani=9))
        first_response = wanda.poll()
        with django_assert_num_queries(BY_TICKET):
            page = watching.poll()

        assert (200, first_response.content) == (page.status_code, page.content)
        for phone, answer in ((wanda, first_response), (watching, page)):
            phone.live = read_page(answer).only(id="news").attrs["data-live"]
            with django_assert_num_queries(BY_TICKET):
                assert 204 == phone.poll_status()


def test_no_ticket_prolongs_itself(watching, wanda, write, game, time_machine):
    ends = watching.ticket.partition(":")[0]
    time_machine.move_to(now() + timedelta(seconds=poll_tickets.LIFETIME / 2))
    write(game, build_round("ana", beto=23, caro=1, dani=9))

    assert [200, 200] == [wanda.poll_status(), watching.poll_status()]
    assert ends == watching.ticket.partition(":")[0]


# --- an idle page is polled less often --------------------------------------------------------------------------------


@pytest.fixture
def set_load(monkeypatch):
    """`set_load(share)` sets the share of a processor that the process has used recently; initially 0."""

    def use(share):
        monkeypatch.setattr(poll_tickets.LOAD, "share", lambda: share)

    use(0)
    return use


def retry_after(watching):
    answer = watching.poll()
    assert 204 == answer.status_code
    return answer.headers.get("Retry-After")


def test_after_half_a_minute_without_news_a_phone_polls_every_five_seconds_less_often_if_the_process_is_busy(
    watching, set_load, time_machine
):
    assert None is retry_after(watching)
    time_machine.move_to(now() + timedelta(seconds=poll_tickets.OFTEN_FOR))
    assert "5" == retry_after(watching)

    for share, seconds in ((0.5, "5"), (0.75, "15"), (1, "25"), (1.4, "25")):
        set_load(share)
        assert seconds == retry_after(watching)


def test_an_idle_page_stays_idle_when_its_ticket_is_renewed(watching, set_load, time_machine):
    time_machine.move_to(now() + timedelta(seconds=poll_tickets.LIFETIME + 1))
    assert ["5", "5"] == [retry_after(watching), retry_after(watching)]


def test_the_load_is_measured_anew_every_five_seconds(monkeypatch):
    clocks = {"monotonic": 100.0, "process_time": 7.0}
    for name in clocks:
        monkeypatch.setattr(poll_tickets, name, lambda name=name: clocks[name])
    load, shares = ProcessLoad(), []
    for seconds, used in ((4, 4), (1, 0), (4, 4), (6, 1)):
        clocks["monotonic"] += seconds
        clocks["process_time"] += used
        shares.append(load.share())

    assert [0, 0.8, 0.8, 0.5] == shares


# --- whoever is out sees nothing more at the next look ---------------------------------------------------------------


def _replace_phone(owner, user, table, phone):
    ana = table.members.get(slug="ana")
    Access.objects.filter(user=user).update(member=ana, confirmed_at=now())
    link, _token = links.create_personal(table, by=owner, role=Role.WITNESS, member=ana)
    links.redeem_personal(link, make_user("wanda at home"))


@contextmanager
def copied_cookies(phone):
    """Restore the phone's previous cookies afterwards, as if somebody had copied them."""
    copied = SimpleCookie(phone.cookies.output(header=""))
    yield
    phone.cookies = copied


def _sign_out(owner, user, table, phone):
    with copied_cookies(phone):
        phone.post("/logout/")


def _sign_in_as_other_user(owner, user, table, phone):
    User.objects.create_user("xul", password=SECRET)
    with copied_cookies(phone):
        phone.post("/login/", fields(username="xul", password=SECRET))


def _exceed_device_limit(owner, user, table, phone):
    Device.objects.filter(user=user).update(seen_on=localdate() - timedelta(days=1))
    others = [
        Device(user=user, session_key=f"{number}", seen_on=localdate()) for number in range(MOST_DEVICES - 1)
    ]
    Device.objects.bulk_create(others)
    Client().post("/login/", fields(username="waldo", password=SECRET))


def _change_password(owner, user, table, phone):
    other = Client()
    other.post("/login/", fields(username="waldo", password=SECRET))
    response = other.post(
        reverse("credentials"),
        {
            "old_password": SECRET,
            **dict.fromkeys(("new_password1", "new_password2"), "cuatro escaleras rojas"),
        },
    )
    assert 302 == response.status_code


# Every act that ends a session or a right.
ENDINGS = {
    "removed": lambda owner, user, *_: lobby.revoke(get_access(user), by=owner),
    "left": lambda owner, user, *_: lobby.revoke(get_access(user), by=user),
    "erased": lambda owner, user, table, phone: erasure.erase(table, name=table.name, by=owner),
    "erased by the operator": lambda owner, user, table, phone: erasure.erase_as_operator(table),
    "deleted": lambda owner, user, *_: erasure.delete_account(user),
    "blocked": lambda owner, user, *_: operators.block(user),
    "joined to another account": lambda owner, user, *_: move_all_tables(user, make_user("xenia")),
    "replaced by another phone": _replace_phone,
    "signed out there": lambda owner, user, *_: devices.sign_out(Device.objects.get(user=user)),
    "signed out here": _sign_out,
    "new password elsewhere": _change_password,
    "somebody else signs in here": _sign_in_as_other_user,
    "signed in on one phone too many": _exceed_device_limit,
}
for_each_ending = pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)


@for_each_ending
def test_the_next_poll_of_a_removed_user_gets_404(
    poll_in_one_query, watching, owner, user, table, phone, ending
):
    assert 204 == poll_in_one_query()
    ending(owner, user, table, phone)

    assert 404 == watching.poll_status()


def test_a_removed_user_gets_no_news_that_were_drawn_for_others(watching, wanda, write, game, owner, user):
    for act in (lambda: None, lambda: lobby.revoke(get_access(user), by=owner)):
        write(game, build_round("ana", beto=23, caro=1, dani=9))
        act()
        assert 200 == wanda.poll_status()

    assert 404 == watching.poll_status()


class PowerCut(Exception):
    pass


def fail_at_revision(execute, sql, *rest):
    """Fail at the statement that would raise a table's revision."""
    if sql.startswith('UPDATE "games_table"') and '"revision"' in sql:
        raise PowerCut
    return execute(sql, *rest)


@for_each_ending
def test_an_ending_and_the_revision_are_stored_together(watching, owner, user, table, phone, ending):
    with connection.execute_wrapper(fail_at_revision), pytest.raises(PowerCut), copied_cookies(phone):
        ending(owner, user, table, phone)

    watching.ticket = ""
    assert 204 == watching.poll_status()


def test_who_waits_for_a_yes_reads_so_and_gets_no_news_by_ticket(wanda, write, game, phone, user):
    Access.objects.filter(user=user).update(name="Nina")
    waiting = PollingClient(phone, reverse("sheet", args=[game.code]))
    write(game, build_round("ana", beto=23, caro=1, dani=9))
    assert 200 == wanda.poll_status()

    assert "You're Nina tonight An owner has to say yes" in read_page(waiting.poll()).only("main").text


def test_the_next_poll_after_the_access_passed_its_end_gets_404(
    poll_in_one_query, watching, user, time_machine
):
    Access.objects.filter(user=user).update(until=now() + timedelta(minutes=1))
    watching.ticket = ""
    assert [204, 204] == [watching.poll_status(), poll_in_one_query()]
    time_machine.move_to(now() + timedelta(minutes=1, seconds=1))

    assert 404 == watching.poll_status()
