"""The owner's phone is gone in the middle of a hand: five phones, in four ways, with a clock that is moved.

`browser/test_lost_phone.py` has the story on real phones.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import Access, Record, Role
from games.tables.services import authorization, links
from tests.factories import SECRET, confirm_as_member, make_user, start
from tests.reader import Walker, open_page
from tests.tables.claim_rows import questions
from tests.tables.conftest import EVENING

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_cache", "evening")]

A_WEEK = timedelta(days=7, hours=1)
QUESTION = "Does Ana have a new phone?"


@pytest.fixture
def owner(db, has_password):
    """Ana, with or without a password."""
    if not has_password:
        return make_user("ana")
    return User.objects.create_user("ana", password=SECRET, first_name="Ana")


@pytest.fixture
def has_password():
    return False


@pytest.fixture
def friends(table, owner, members_by_slug, evening, client_for):
    """The phones of Ana, Beto, Caro and Dani, all confirmed on earlier nights; only Ana records."""
    earlier = EVENING - timedelta(days=7)
    users = {"ana": owner, **{slug: make_user(f"user_{slug}") for slug in ("beto", "caro", "dani")}}
    for slug, user in users.items():
        confirm_as_member(user, members_by_slug[slug], earlier)
    return {slug: client_for(user) for slug, user in users.items()}


@pytest.fixture
def tonight(table, owner):
    return reverse("invitation", args=[links.tonight_token(links.get_or_create_tonight(table, by=owner))])


def presses(client, address, button):
    walker = Walker(client)
    walker.open(address)
    return walker.press(button)


def records_a_round(client, game):
    walker = Walker(client)
    walker.open(reverse("play-round", args=[game.code]))
    walker.press("Save", closer="caro", hand_ana="5", hand_beto="6", hand_dani="7")
    return Record.objects.order_by("-pk")[0].recorded_by.pk == int(client.session["_auth_user_id"])


def new_phone_of_ana(tonight):
    """Return Ana's new phone, which opened tonight's link and tapped her face."""
    phone = Client(headers={"accept-language": "en"})
    walker = Walker(phone)
    walker.open(tonight)
    walker.press("A I'm Ana")
    return phone


def owners(table):
    return {access.person.slug for access in table.accesses.owners().select_related("member__merged_into")}


# --- a scorekeeper is there -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_password", [False, True])
def test_with_a_scorekeeper_the_new_phone_records_tonight_by_one_tap(
    table, friends, tonight, has_password, time_machine, members_by_slug
):
    Access.objects.filter(member=members_by_slug["beto"]).update(role=Role.SCORER)
    game = start(table, table.accesses.owners().get().user)
    phone = new_phone_of_ana(tonight)
    people, sheet = reverse("lobby", args=[table.code]), reverse("sheet", args=[game.code])
    for address in ("/", people, sheet, reverse("play-round", args=[game.code])):
        assert QUESTION in questions(open_page(friends["beto"], address))[0]
    page = presses(friends["beto"], sheet, f"Yes, for tonight: {QUESTION}")
    assert "Yes, for tonight" not in [button.text for button in page.every("button")]
    assert "Ana records tonight, since 22:00" in page.only("main").text

    assert records_a_round(phone, game)
    assert {"ana"} == owners(table)
    finds_the_way_back(table, friends, phone, time_machine, has_password=has_password)


# --- nobody else records --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_password", [False, True])
def test_without_a_scorekeeper_the_night_goes_on_in_two_minutes(
    table, friends, tonight, has_password, time_machine
):
    game = start(table, table.accesses.owners().get().user)
    phone = new_phone_of_ana(tonight)
    people, sheet = reverse("lobby", args=[table.code]), reverse("sheet", args=[game.code])
    presses(friends["caro"], people, "I'll record")
    time_machine.shift(120)
    presses(friends["dani"], sheet, "Go ahead")
    assert "You record tonight, since 22:02" in open_page(friends["caro"], sheet).only("main").text
    assert records_a_round(friends["caro"], game)

    if not has_password:
        yes = f"Yes, it's the same person: {QUESTION}"
        assert QUESTION in questions(open_page(friends["beto"], "/"))[0]
        presses(friends["beto"], sheet, yes)
    finds_the_way_back(table, friends, phone, time_machine, has_password=has_password)


def test_where_only_two_are_there_the_night_goes_on_in_five_minutes(
    table, friends, members_by_slug, time_machine
):
    table.accesses.filter(member__slug__in=["beto", "dani"]).update(ended_at=EVENING)
    game = start(table, table.accesses.owners().get().user)
    people, sheet = reverse("lobby", args=[table.code]), reverse("sheet", args=[game.code])
    presses(friends["caro"], people, "I'll record")
    time_machine.shift(300)
    page = presses(friends["caro"], sheet, "Record")

    assert "You record tonight, since 22:05" in page.only("main").text
    assert records_a_round(friends["caro"], game)


def finds_the_way_back(table, friends, phone, time_machine, *, has_password):
    """The new phone's page names the ways that exist, first the best; the ownership follows by one of them."""
    face = reverse("my-face", args=[table.code])
    ways = open_page(phone, face).only(id="recovery").text
    if has_password:
        assert ways.startswith("To have the table on this phone Sign in with your name and password")
        phone.post(reverse("login"), {"username": "ana", "password": SECRET})
        assert Role.OWNER == open_role(phone, table)
        return
    assert "(1 of 2 so far)" in ways
    presses(friends["dani"], reverse("lobby", args=[table.code]), f"Yes, it's the same person: {QUESTION}")
    assert "From Wed 2 Dec on the table is yours here too" in open_page(phone, face).only(id="recovery").text
    assert Role.WITNESS == open_role(phone, table)
    time_machine.move_to(EVENING + A_WEEK, tick=False)
    assert Role.OWNER == open_role(phone, table)
    assert {"ana"} == owners(table)
    assert 2 == table.accesses.owners().count()


def open_role(client, table):
    client.get(reverse("lobby", args=[table.code]))
    user = User.objects.get(pk=client.session["_auth_user_id"])
    return authorization.find_role(user, table)


def test_the_old_phone_reads_the_question_first_of_all_and_its_request_stops_the_clock(
    table, friends, tonight, time_machine
):
    phone = new_phone_of_ana(tonight)
    for slug in ("beto", "dani"):
        presses(friends[slug], "/", f"Yes, it's the same person: {QUESTION}")
    time_machine.shift(3600)
    page = open_page(friends["ana"], "/")
    assert QUESTION == questions(page)[0]
    assert {"No", "Yes", "Both"} <= {button.text for button in page.every("button")}

    time_machine.move_to(EVENING + A_WEEK, tick=False)
    assert open_role(phone, table) is None
    assert 1 == table.accesses.owners().count()


def test_the_old_phone_says_yes_and_the_new_one_owns_at_once(table, friends, tonight):
    phone = new_phone_of_ana(tonight)
    presses(friends["ana"], "/", f"Both: {QUESTION}")

    assert (Role.WITNESS, Role.OWNER) == (open_role(phone, table), open_role(friends["ana"], table))
    assert {"ana"} == owners(table)


# --- the warning ----------------------------------------------------------------------------------------------------

WARNING = "This table is only on this phone"


def test_the_result_warns_once_a_night_with_the_two_cures(friends, finished, play, time_machine):
    result = reverse("settlement", args=[finished.code])
    page = open_page(friends["ana"], result)
    assert WARNING in page.only("main").text
    cures = [node.text for node in page.every("a", "button")]
    assert {"Add a password", "Make Beto an owner too"} <= set(cures)

    assert WARNING in open_page(friends["ana"], result).only("main").text, "the same result says it again"
    others = {"ana": reverse("settlement", args=[play("beto", "ana").code]), "beto": result}
    for slug, address in others.items():
        assert WARNING not in open_page(friends[slug], address).only("main").text
    time_machine.move_to(EVENING + timedelta(days=1), tick=False)
    assert WARNING not in open_page(friends["ana"], result).only("main").text
    assert (
        WARNING
        in open_page(friends["ana"], reverse("settlement", args=[play("ana", "beto").code])).only("main").text
    )


def test_who_only_watches_reads_of_the_new_phone_nothing_about_other_yeses(table, friends, tonight):
    new_phone_of_ana(tonight)
    page = open_page(friends["dani"], reverse("lobby", args=[table.code]))

    assert [QUESTION] == [question.partition(" If two people")[0] for question in questions(page)]
    assert "They wait for your yes" not in page.only("main").text
