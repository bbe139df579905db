"""Signing in where somebody else is: only a guest's ticked tables come along, and the guest can come back."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import product

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.urls import reverse
from django.utils.timezone import now

from games.models import Access, Member, Role
from games.tables.services import devices, erasure, guests, links, operators, parked_sessions, users
from tests.databases import FULL, refuse_writes
from tests.factories import SECRET, confirm_as_member, grant_access, make_table
from tests.reader import Walker, fields, open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]

SIGN_IN, STAY = "Sign in", "Stay as I am"
OWN, SHARED = "Mesa de Ana", "Mesa de Beto"


def make_guest(name=""):
    guest = guests.create()
    guest.first_name = name
    guest.save()
    return guest


@pytest.fixture
def beto(db):
    """A guest who owns a table and makes sign-in links on another phone."""
    beto = make_guest("Beto")
    confirm_as_member(beto, make_table(beto, name=SHARED).members.get(slug="beto"))
    return beto


@pytest.fixture
def ana(beto):
    """A guest who is the only owner of a table, and scores at Beto's."""
    ana = make_guest("Ana")
    confirm_as_member(ana, make_table(ana, name=OWN).members.get(slug="ana"))
    grant_access(ana, beto.accesses.get().table, Role.SCORER)
    return ana


@pytest.fixture
def own_table(ana):
    return ana.accesses.get(role=Role.OWNER).table


@pytest.fixture
def phone(client_for, ana):
    """Ana's phone, which has opened a page."""
    phone = client_for(ana)
    phone.get("/")
    return phone


def link_by(user, **how):
    return reverse("sign-in-link", args=[links.create_sign_in(user, **how)])


def user_on(phone):
    return User.objects.filter(pk=phone.session.get(SESSION_KEY, 0)).first()


def sign_in(phone, user, *ticked):
    """Sign in by a link of this user, with these accesses ticked, and return the page."""
    walker = Walker(phone)
    walker.open(link_by(user))
    return walker.send(SIGN_IN, {"along": [str(access.pk) for access in ticked]} if ticked else {})


def come_back(phone, guest):
    return phone.post(reverse("sign-in-again", args=[users.opaque_id(guest)]))


def ways_back(phone):
    """Return the keys of Your account that sign a guest in again."""
    forms = open_page(phone, reverse("yours")).every("form")
    return [form.only("button").text for form in forms if "/again/" in form.attrs.get("action", "")]


# --- what changes -----------------------------------------------------------------------------------------------------


def load_state():
    """Return who has which role and confirmed member where, the members, and each user's number of sessions."""
    accesses = {
        (row.user, row.table.name, row.role, row.member if row.is_confirmed else None)
        for row in Access.objects.valid().select_related("user", "table", "member")
    }
    members = set(Member.objects.values_list("table__name", "name", "retired_at", "merged_into"))
    data = [session.get_decoded() for session in Session.objects.filter(expire_date__gt=now())]
    sessions = Counter(int(one[SESSION_KEY]) for one in data if SESSION_KEY in one)
    return accesses, members, sessions


HERE = ("a guest with tables", "a guest without", "a registered user", "nobody", "the same user")


@pytest.fixture
def open_phone(client_for, ana, beto, olga):
    """`open_phone("nobody", "link")` returns who is on a phone that has opened a page, and the phone."""

    def open_one(here, way):
        user = {
            "a guest with tables": ana,
            "a guest without": make_guest("Caro"),
            "a registered user": User.objects.create_user("nacha", password=SECRET),
            "nobody": None,
            "the same user": beto if way == "link" else olga,
        }[here]
        if here == "a registered user":
            make_table(user, name="Mesa de Nacha")
        phone = client_for(user)
        phone.get("/")
        return user, phone

    return open_one


@pytest.mark.parametrize("here", HERE)
@pytest.mark.parametrize("way", ["link", "password"])
@pytest.mark.parametrize("act", ["stays", "ticks nothing", "ticks one of two"])
def test_signing_in_changes_only_what_the_form_says(open_phone, ana, own_table, beto, olga, way, here, act):
    """A tick for a table of somebody who is not here is a forged one."""
    target = beto if way == "link" else olga
    user, phone = open_phone(here, way)
    address = link_by(beto) if way == "link" else reverse("login")
    before = accesses, members, sessions = load_state()
    page = open_page(phone, address)
    if act == "stays":
        ways = [link.attrs["href"] for link in page.every("a", class_="btn go") if link.text == STAY]
        assert ways == (["/"] if user == ana or (way == "link" and user not in (None, beto)) else [])
        phone.get("/")
    else:
        ticks = [ana.accesses.get(role=Role.OWNER).pk] if act == "ticks one of two" else []
        names = {"username": "olga", "password": SECRET} if way == "password" else {}
        keys = {field.attrs["name"]: field.attrs["value"] for field in page.every("input", type="hidden")}
        phone.post(address, {**keys, **names, "along": ticks})

    if act == "stays" or user == target:
        assert before == load_state()
        assert user == user_on(phone)
        assert way == "password" or links.find_sign_in(address.split("/")[2]) is not None
        return
    if user == ana and act == "ticks one of two":
        member = own_table.members.get(slug="ana")
        accesses -= {(ana, OWN, Role.OWNER, member)}
        accesses |= {(target, OWN, Role.OWNER, member)}
    sessions[target.pk] += 1
    if here == "a registered user":
        del sessions[user.pk]  # who signs in again by their password
    assert (accesses, members, sessions) == load_state()
    assert target == user_on(phone)


def test_the_page_of_a_link_says_who_made_it_and_when_and_who_is_here(
    subtests, client_for, ana, beto, olga, time_machine
):
    time_machine.move_to(now(), tick=False)
    nameless = make_guest()
    address_of = {
        "Beto made this link 12 minutes ago.": link_by(beto),
        "Somebody without a name made this link 12 minutes ago.": link_by(nameless),
        "This site's operator made this link 12 minutes ago, to change the password of olga.": link_by(
            olga, is_operators=True
        ),
    }
    time_machine.shift(timedelta(minutes=12))
    nacha = User.objects.create_user("nacha", password=SECRET)
    who = {
        "On this phone you are Ana.": ana,
        "On this phone you have no name.": make_guest(),
        "You are signed in here as nacha and would be signed out.": nacha,
    }
    for (made, address), (here, user) in product(address_of.items(), who.items()):
        with subtests.test(made=made, here=here):
            page = open_page(client_for(user), address)
            text = page.only("main").text

            assert made in text
            assert here in text
            boxes = page.every("input", type="checkbox")
            assert [False] * (2 if user == ana else 0) == ["checked" in box.attrs for box in boxes]
            assert [STAY] == [key.text for key in page.every("a", "button", class_="btn go")]


def test_the_page_names_each_table_with_the_guests_role_there(phone, beto):
    page = open_page(phone, link_by(beto))

    assert [f"{OWN} owner", f"{SHARED} scorekeeper"] == [
        label.text for label in page.every("label", class_="opt")
    ]


def test_a_preview_and_a_head_request_change_nothing(phone, client_for, beto):
    address, before = link_by(beto), load_state()
    for visitor in (phone, client_for()):
        assert [200, 200] == [visitor.head(address).status_code, visitor.get(address).status_code]

    assert before == load_state()


def test_an_old_page_posts_no_ticks_and_the_next_page_says_that_the_tables_stayed(phone, ana, beto):
    accesses, *_rest = load_state()
    page = read_page(phone.post(link_by(beto), fields(key="k" * 16), follow=True))

    assert accesses == load_state()[0]
    assert "What you did not tick has stayed: “Your account” leads back to it." in page.only("main").text
    assert 1 == len(ways_back(phone))


def test_the_operators_link_leads_to_the_account_which_says_that_the_tables_stayed(phone, olga):
    walker = Walker(phone)
    walker.open(link_by(olga, is_operators=True))
    page = walker.press(SIGN_IN)

    assert reverse("yours") == walker.address
    assert "What you did not tick has stayed" in page.only("main").text


def test_the_link_of_a_deleted_or_blocked_account_signs_nobody_in(phone, ana, beto, olga):
    addresses = [link_by(beto), link_by(olga)]
    beto.accesses.all().delete()
    erasure.delete_account(beto)
    operators.block(olga)

    assert [404, 404] == [phone.post(address).status_code for address in addresses]
    assert ana == user_on(phone)


def test_ticking_everything_ends_the_guest_and_their_device(phone, ana, beto):
    sign_in(phone, beto, *ana.accesses.all())

    assert ([], 0, 0) == (ways_back(phone), ana.devices.count(), load_state()[2][ana.pk])
    assert (Role.OWNER, Role.OWNER) == tuple(access.role for access in beto.accesses.order_by("table__name"))


def test_the_queued_entries_of_a_table_come_along_with_it_and_no_others(
    phone, ana, beto, own_table, client_for
):
    """The mark on the page says whose entries pass: all of them, or those of the codes after it."""
    mark = users.opaque_id(ana)
    sign_in(phone, beto, ana.accesses.get(table=own_table))
    assert f"{mark} {own_table.code}" == open_page(phone, "/").only("main").attrs["data-was"]

    other = client_for(ana)
    sign_in(other, beto, *ana.accesses.all())
    assert mark == open_page(other, "/").only("main").attrs["data-was"]

    caro = make_guest("Caro")
    make_table(caro)
    third = client_for(caro)
    sign_in(third, beto)
    assert "data-was" not in open_page(third, "/").only("main").attrs


# --- the way back -----------------------------------------------------------------------------------------------------


def test_a_guest_who_ticked_nothing_is_still_the_only_owner_and_comes_back(phone, ana, beto, own_table):
    before = load_state()
    sign_in(phone, beto)
    assert (404, [ana]) == (
        phone.get(f"/t/{own_table.code}/people/").status_code,
        [access.user for access in own_table.accesses.owners()],
    )

    walker = Walker(phone)
    walker.open(reverse("yours"))
    (key,) = (key for key in ways_back(phone) if key.startswith("Be Ana again"))
    walker.press(key)
    assert ("/", ana, 200) == (
        walker.address,
        user_on(phone),
        phone.get(f"/t/{own_table.code}/people/").status_code,
    )
    assert before[:2] == load_state()[:2]
    assert before[2] + Counter({beto.pk: 1}) == load_state()[2]  # Beto, a guest too, can come back as well
    assert [f"Be Beto again {SHARED}"] == [key.partition(" ·")[0] for key in ways_back(phone)]


def test_the_key_names_the_guest_the_tables_and_the_last_day(phone, ana, beto, time_machine):
    time_machine.move_to("2026-11-20 21:00-03:00", tick=False)
    sign_in(phone, beto)

    assert [f"Be Ana again {OWN} and {SHARED} · until Thu 18 Feb 2027"] == ways_back(phone)


def test_a_way_back_is_used_once(phone, client_for, ana, beto):
    sign_in(phone, beto)
    thief = client_for()
    thief.get("/")
    thief.cookies["parked"] = phone.cookies["parked"].value
    copy = client_for()
    copy.cookies.load({name: cookie.value for name, cookie in phone.cookies.items()})
    assert 302 == come_back(phone, ana).status_code
    assert 409 == come_back(thief, ana).status_code  # even before the phone has opened a page
    assert None is user_on(thief)

    phone.get("/")
    phone.cookies["parked"] = copy.cookies["parked"].value
    for one in (copy, thief):
        assert [409, []] == [come_back(one, ana).status_code, ways_back(one)]
    assert (ana, 1) == (user_on(phone), load_state()[2][ana.pk])


def test_a_lost_answer_is_asked_for_again(client_for, phone, ana, beto):
    sign_in(phone, beto)
    cookies = {name: cookie.value for name, cookie in phone.cookies.items()}
    come_back(phone, ana)
    phone.cookies.clear()
    phone.cookies.load(cookies)

    assert 302 == come_back(phone, ana).status_code
    assert (200, ana) == (phone.get("/").status_code, user_on(phone))


def test_a_lost_answer_to_the_sign_in_leaves_the_guest_on_the_phone(phone, ana, beto):
    cookies = {name: cookie.value for name, cookie in phone.cookies.items()}
    sign_in(phone, beto)
    phone.cookies.clear()
    phone.cookies.load(cookies)

    assert (200, ana) == (phone.get("/").status_code, user_on(phone))
    sign_in(phone, beto)
    assert 1 == len(ways_back(phone))


def test_a_used_session_that_cannot_be_ended_ends_with_the_next_page(phone, ana, beto):
    sign_in(phone, beto)
    come_back(phone, ana)
    before = Session.objects.count()
    with refuse_writes(FULL, 'DELETE FROM "django_session"'):
        assert (200, before) == (phone.get("/").status_code, Session.objects.count())
    phone.get("/")

    assert before - 1 == Session.objects.count()


def test_a_second_tap_on_the_way_back_leads_to_the_first_page(phone, ana, beto):
    sign_in(phone, beto)
    answers = [come_back(phone, ana) for _tap in range(2)]

    assert [(302, "/")] * 2 == [(answer.status_code, answer.url) for answer in answers]


def _delete(ana):
    ana.accesses.all().delete()
    erasure.delete_account(ana)


def _end_device(ana):
    devices.sign_out(ana.devices.get())


def _set_password(ana):
    ana.set_password(SECRET)
    ana.save()


ENDS = {
    "they deleted the account": _delete,
    "they ended the session from another phone": _end_device,
    "they signed out everywhere": devices.sign_out_everywhere,
    "they chose a password": _set_password,
    "the operator blocked them": operators.block,
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_there_is_no_way_back_to_a_guest_after(phone, ana, beto, end):
    sign_in(phone, beto)
    end(ana)
    answer = come_back(phone, ana)

    assert (409, beto, []) == (answer.status_code, user_on(phone), ways_back(phone))
    assert "On this phone you can no longer be who you were." in read_page(answer).only("main").text


def test_choosing_a_password_on_another_phone_ends_the_way_back(phone, client_for, ana, beto):
    sign_in(phone, beto)
    other = client_for(ana)
    other.get("/")
    other.post(reverse("credentials"), fields(username="anita", password1=SECRET, password2=SECRET))

    assert (409, 1) == (come_back(phone, ana).status_code, load_state()[2][ana.pk])


def test_another_phone_of_the_guest_lists_the_parked_session_as_a_device(phone, client_for, ana, beto):
    sign_in(phone, beto)
    other = client_for(ana)
    page = open_page(other, reverse("yours"))

    assert 1 == len([form for form in page.every("form") if form.attrs["action"].endswith("/end/")])


def test_a_way_back_lasts_ninety_days(phone, ana, beto, time_machine):
    time_machine.move_to(now(), tick=False)
    sign_in(phone, beto)
    time_machine.shift(timedelta(days=90, seconds=-1))
    assert 1 == len(ways_back(phone))
    time_machine.shift(timedelta(seconds=2))

    assert (409, []) == (come_back(phone, ana).status_code, ways_back(phone))


def test_a_cookie_that_we_did_not_sign_is_no_way_back(phone, client_for, ana, beto):
    sign_in(phone, beto)
    key, *_signature = phone.cookies["parked"].value.split(":")
    thief = client_for()
    for forged in (key, phone.session.session_key, f"{key}:1:1", phone.cookies["parked"].value[:-1]):
        thief.cookies["parked"] = forged
        assert (409, []) == (come_back(thief, ana).status_code, ways_back(thief))


def test_the_way_back_survives_whoever_signs_in_and_out_meanwhile(phone, client_for, ana, olga):
    """Olga borrows the phone and signs out there, or ends that session from another phone."""
    for ends in (lambda: phone.post("/logout/"), lambda: devices.sign_out_everywhere(olga)):
        phone.post(reverse("login"), fields(username="olga", password=SECRET))
        assert olga == user_on(phone)
        phone.get("/")
        ends()
        front = open_page(phone, "/")
        assert ["Be Ana again"] == [
            form.only("button").text[:12]
            for form in front.every("form")
            if "/again/" in form.attrs.get("action", "")
        ]
        assert (302, ana) == (come_back(phone, ana).status_code, user_on(phone))
        phone.get("/")


def test_each_of_several_guests_of_a_phone_comes_back(phone, ana, beto):
    caro = make_guest("Caro")
    for user in (beto, caro):
        sign_in(phone, user)
    assert [f"Be {name} again" for name in ("Beto", "Ana")] == [
        key[: key.index(" again") + 6] for key in ways_back(phone)
    ]

    for guest in (ana, beto, caro, ana):
        assert (302, guest) == (come_back(phone, guest).status_code, user_on(phone))
        assert 2 == len(ways_back(phone))


def test_a_guest_who_comes_back_by_a_link_of_their_own_has_no_second_way(phone, ana, beto):
    sign_in(phone, beto)
    sign_in(phone, ana)

    assert (ana, 1) == (user_on(phone), len(ways_back(phone)))
    assert 1 == load_state()[2][ana.pk]
    assert 1 == ana.devices.count()


def test_the_oldest_of_too_many_guests_is_forgotten(phone, monkeypatch):
    monkeypatch.setattr(parked_sessions, "MOST", 2)
    for name in ("Beto", "Caro", "Dani"):
        sign_in(phone, make_guest(name))

    assert ["Be Caro", "Be Beto"] == [key[:7] for key in ways_back(phone)]
