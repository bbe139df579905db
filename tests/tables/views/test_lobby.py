"""The lobby: the code, the faces, the pending claims, and who is shown which of them.

`tables/test_lobby.py` has the services of the lobby.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import localdate, now

from games.common import poll_tickets
from games.models import Access, Device, Role
from games.tables.services import confirmations, devices, links, lobby, membership
from tests.factories import confirm_as_member, grant_access, make_user
from tests.reader import Walker, open_page, read_page
from tests.tables.claim_rows import answers_offered, claim_rows, questions

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(table):
    return reverse("lobby", args=[table.code])


@pytest.fixture
def sonia(client_for, table):
    user = make_user("sonia")
    grant_access(user, table, Role.SCORER)
    return client_for(user)


def faces_by_state(page, states=("here", "asks")):
    """Return the faces with a phone present, and those with a pending claim."""
    faces = page.only("ul", id="faces").every("li")
    return [[face.only("b").text for face in faces if state in face.attrs["class"]] for state in states]


# --- the code ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["sheet", "more"])
def test_one_tap_on_the_sheet_or_in_its_menu_shows_tonights_code(ana, game, table, page):
    phone = Walker(ana)
    phone.open(reverse(page, args=[game.code]))
    page = phone.press("Invite")

    token = links.tonight_token(table.links.get())
    assert reverse("lobby", args=[table.code]) == phone.address
    assert f"http://testserver/i/{token}/" == page.only("textarea", id="link").text
    assert 1 == len(page.every("svg"))


def test_links_made_on_the_computer_that_runs_the_site_open_on_a_phone(ana, table, settings, monkeypatch):
    """Nothing but this computer reaches it as `localhost`."""
    settings.ALLOWED_HOSTS = ["localhost", "192.168.1.5"]
    monkeypatch.setattr("games.common.network.lan_addresses", lambda: ["192.168.1.5"])
    made = [
        ana.post(address, data, headers={"host": "localhost:8000"}, follow=True)
        for address, data in (
            (reverse("lobby", args=[table.code]), {}),
            (reverse("make-link", args=[table.code]), {"role": Role.SCORER}),
            (reverse("link-for-phone"), {}),
        )
    ]

    assert ["http://192.168.1.5:8000"] * 3 == [
        read_page(response).only("textarea", id="link").text[:23] for response in made
    ]


# --- who asks to come in ----------------------------------------------------------------------------------


def test_a_tapped_face_asks_and_a_confirmed_one_is_lit(
    ana, sonia, address, enter_tonight, owner, members_by_slug
):
    confirm_as_member(owner, members_by_slug["ana"])
    enter_tonight("rosa", "beto")
    before = open_page(sonia, address)
    phone = Walker(ana)
    phone.open(address)
    page = phone.press("Yes: A phone says it's Beto")

    assert (["A phone says it's Beto"], [["Ana"], ["Beto"]]) == (questions(before), faces_by_state(before))
    assert ([], [["Ana", "Beto"], []]) == (questions(page), faces_by_state(page))


def test_a_face_lights_up_for_a_moment_when_its_phone_comes(ana, address, enter_tonight, time_machine):
    enter_tonight("rosa", "beto")
    assert [["Beto"]] == faces_by_state(open_page(ana, address), states=["new"])
    time_machine.move_to(now() + timedelta(seconds=10))
    assert [[]] == faces_by_state(open_page(ana, address), states=["new"])


@pytest.fixture
def phone_pairs(enter_tonight, table):
    """Beto in a chat's own browser and in another one, and Nina, a new name, in two."""

    def add_phone(user, face="", *, new_name="", browser="Chrome"):
        access = enter_tonight(user, face, new_name=new_name)
        Device.objects.create(
            user=access.user, session_key=user, browser=browser, system="Android", seen_on=localdate()
        )
        return access

    return (
        *(add_phone("chat", "beto", browser=devices.IN_AN_APP), add_phone("real", "beto")),
        *(add_phone("tab", new_name="Nina"), add_phone("other", new_name="nina")),
    )


def question_rows(page, sentence):
    """Return the rows of a question about several phones, without the time."""
    (claim,) = [row for row in claim_rows(page) if sentence == row.only("p").text]
    return [row.text.rsplit(" ", 1)[0] for row in claim.every("span") if row.attrs.get("class") == "grow"]


def confirmed_names(*phones):
    """Return for each phone the name of its confirmed member, or ""."""
    rows = [Access.objects.select_related("member").get(pk=phone.pk) for phone in phones]
    return [row.member.name if row.is_confirmed and row.member else "" for row in rows]


def test_two_phones_of_one_person_are_one_question_with_rows_that_differ(ana, address, phone_pairs):
    page = open_page(ana, address)

    assert ["Beto, from two browsers?", "Nina, from two browsers?"] == questions(page)
    assert ["An app's own browser on Android", "Chrome on Android"] == question_rows(
        page, "Beto, from two browsers?"
    )
    assert ["Chrome on Android (1)", "Chrome on Android (2)"] == question_rows(
        page, "Nina, from two browsers?"
    )


def test_both_are_theirs(ana, address, phone_pairs):
    phone = Walker(ana)
    phone.open(address)
    phone.press("Both: Beto, from two browsers?")
    page = phone.press("Both: Nina, from two browsers?")

    assert (["Beto", "Beto", "Nina", "Nina"], []) == (confirmed_names(*phone_pairs), questions(page))


def test_only_one_is_theirs_and_the_other_is_told_and_can_ask_again(
    ana, client_for, address, phone_pairs, table
):
    phone = Walker(ana)
    phone.open(address)
    phone.press("Only this one: Beto, from two browsers? Chrome on Android")
    chat = Walker(client_for(phone_pairs[0].user))
    link_text = chat.open(address).only("a", href=reverse("my-face", args=[table.code])).text
    chat.open(reverse("my-face", args=[table.code]))
    chat.press("Ask again")

    assert (["", "Beto"], "Not confirmed as Beto Tap to ask again") == (
        confirmed_names(*phone_pairs[:2]),
        link_text,
    )
    page = phone.open(address)
    assert "Does Beto have a new phone?" in questions(page)
    phone.press("Both: Does Beto have a new phone?")
    assert ["Beto", "Beto"] == confirmed_names(*phone_pairs[:2])


def test_a_name_of_which_one_phone_was_chosen_is_told_to_the_other_too(
    ana, client_for, address, phone_pairs, table
):
    phone = Walker(ana)
    phone.open(address)
    phone.press("Only this one: Nina, from two browsers? Chrome on Android (1)")
    other = open_page(client_for(phone_pairs[3].user), address)

    assert ["Nina", ""] == confirmed_names(*phone_pairs[2:])
    assert "Not confirmed as Nina" in other.only("a", href=reverse("my-face", args=[table.code])).text


def test_what_was_shown_is_confirmed_and_a_phone_that_came_meanwhile_is_told(
    ana, address, phone_pairs, enter_tonight
):
    phone = Walker(ana)
    phone.open(address)
    third = enter_tonight("third", "beto")
    phone.press("Both: Beto, from two browsers?")

    assert ["Beto", "Beto", ""] == confirmed_names(*phone_pairs[:2], third)


@pytest.mark.parametrize(
    ("place", "face", "new_name"),
    [
        ("lobby", "caro", ""),
        ("sheet", "caro", ""),
        ("member", "caro", ""),
        ("lobby", "", "Nina"),
        ("sheet", "", "Nina"),
    ],
)
def test_a_no_can_be_taken_back_where_it_was_said(
    ana, enter_tonight, game, members_by_slug, place, face, new_name
):
    enter_tonight("rosa", face, new_name=new_name)
    asks = "A phone says it's Caro" if face else "Nina is new here"
    phone = Walker(ana)
    to = {"lobby": [game.table.code], "sheet": [game.code], "member": [game.table.code, "caro"]}[place]
    phone.open(reverse(place, args=to))
    no = phone.press(f"No: {asks}")
    page = phone.press("Undo")

    assert ([], [asks]) == (questions(no), questions(page))
    assert reverse(place, args=to) == phone.address


def test_who_only_watches_from_equal_browsers_is_told_apart(ana, address, enter_tonight):
    enter_tonight("one"), enter_tonight("two")
    rows = [
        row.only("span", **{"class": "sub"}).text
        for row in open_page(ana, address).every("li", class_="person")
    ]

    assert 2 == len(rows) == len(set(rows))


def test_one_key_confirms_several_by_name_and_what_follows_has_undo(
    ana, address, enter_tonight, table, members_by_slug
):
    membership.retire(members_by_slug["caro"])
    enter_tonight("carola", new_name="Caro")
    for name in ("beto", "dani"):
        enter_tonight(f"{name}s", name)
    enter_tonight("nina", new_name="Nina")
    phone = Walker(ana)
    phone.open(address)
    page = phone.press("It's Caro, Beto and Dani")

    assert (["Nina is new here"], ["You said yes to Caro, Beto and Dani"]) == (
        questions(page),
        page.notices[-1:],
    )
    assert [["Beto", "Caro", "Dani"], []] == faces_by_state(page)
    page = phone.press("Undo")
    assert 4 == len(questions(page))
    assert not table.members.active().filter(slug="caro").exists()


def test_from_five_on_the_key_counts_them(ana, address, enter_tonight, table):
    for name in ("Eva", "Fer"):
        membership.add(table, name)
    for slug in ("beto", "caro", "dani", "eva", "fer"):
        enter_tonight(f"{slug}s", slug)
    phone = Walker(ana)
    phone.open(address)

    assert [] == questions(phone.press("It's all 5"))


def test_who_comes_while_the_key_is_tapped_is_not_confirmed_by_it(ana, address, enter_tonight):
    enter_tonight("rosa", "beto"), enter_tonight("raul", "caro")
    phone = Walker(ana)
    phone.open(address)
    enter_tonight("nadie", "dani")

    assert ["A phone says it's Dani"] == questions(phone.press("It's Beto and Caro"))


def test_a_yes_of_its_own_has_undo_where_it_was_said(ana, enter_tonight, game, subtests):
    places = {"lobby": [game.table.code], "sheet": [game.code], "member": [game.table.code, "caro"]}
    enter_tonight("rosa", "caro")
    for place, to in places.items():
        with subtests.test(place):
            phone = Walker(ana)
            phone.open(reverse(place, args=to))
            yes = phone.press("Yes: A phone says it's Caro")
            page = phone.press("Undo")

            assert ([], ["A phone says it's Caro"]) == (questions(yes), questions(page))
            assert reverse(place, args=to) == phone.address


# --- whose answer it is -----------------------------------------------------------------------------------


def test_a_scorer_reads_who_answers_about_a_lasting_phone_on_every_page_of_the_question(
    sonia, address, game, enter_tonight, members_by_slug, owner, subtests
):
    confirm_as_member(owner, members_by_slug["ana"])
    confirm_as_member(make_user("vieja"), members_by_slug["beto"])
    enter_tonight("nueva", "beto")
    for place in (
        address,
        reverse("sheet", args=[game.code]),
        reverse("member", args=[game.table.code, "beto"]),
    ):
        with subtests.test(place):
            page = open_page(sonia, place)

            assert ["Does Beto have a new phone? Ana answers that"] == questions(page)
            assert ["No"] == answers_offered(page)


def test_another_owner_lends_the_pen_to_an_owners_new_phone_and_who_made_them_one_confirms_it(
    client_for, table, owner, address, enter_tonight, members_by_slug
):
    olga, otto = (
        confirm_as_member(make_user(name), members_by_slug[slug])
        for name, slug in (("olga", "beto"), ("otto", "caro"))
    )
    confirm_as_member(owner, members_by_slug["ana"])
    for access in (olga, otto):
        lobby.set_role(access, Role.OWNER, by=owner)
    enter_tonight("nueva", "beto")

    page = open_page(client_for(otto.user), address)
    assert ["No", "Yes, for tonight"] == answers_offered(page)
    assert ["No", "Yes", "Both"] == answers_offered(open_page(client_for(owner), address))


def test_who_is_here_for_tonight_is_not_asked_about_who_stays(
    client_for, table, address, members_by_slug, owner
):
    confirm_as_member(owner, members_by_slug["ana"])
    until = now() + timedelta(hours=3)
    tonight = grant_access(make_user("tita"), table, Role.SCORER, until=until)
    grant_access(make_user("olaf"), table, face="dani")
    page = open_page(client_for(tonight.user), address)

    assert ["A phone says it's Dani Ana answers that"] == questions(page)
    assert ["No"] == answers_offered(page)


def test_who_waits_reads_it_on_every_page_with_whose_answer_it_is(
    client_for, table, game, owner, enter_tonight, members_by_slug, subtests
):
    confirm_as_member(owner, members_by_slug["ana"])
    beto, nina = enter_tonight("rosa", "beto"), enter_tonight("nina", new_name="Nina")
    pages = {
        "home": [],
        "lobby": [table.code],
        "sheet": [game.code],
        "games": [table.code],
        "season": [table.code],
    }
    for access, name in ((beto, "Beto"), (nina, "Nina")):
        for page, to in pages.items():
            with subtests.test(page=page, name=name):
                line = open_page(client_for(access.user), reverse(page, args=to)).only(
                    "a", class_="tile pending"
                )

                assert f"You're {name} tonight Ana has to say yes" == line.text
    confirmations.remove_identity(beto, by=owner)
    line = open_page(client_for(beto.user), "/").only("a", class_="tile pending")
    assert "Not confirmed as Beto Tap to ask again" == line.text
    assert [] == open_page(client_for(owner), "/").every("a", class_="tile pending")


def test_an_answer_on_the_sheet_leads_back_to_it(ana, address, enter_tonight, game):
    enter_tonight("rosa", "beto")
    enter_tonight("raul", "caro")
    phone = Walker(ana)
    sheet = phone.open(reverse("sheet", args=[game.code]))
    page = phone.press("No: A phone says it's Beto")

    assert ["A phone says it's Beto"] == questions(sheet)
    assert (["A phone says it's Caro"], reverse("sheet", args=[game.code])) == (
        questions(page),
        phone.address,
    )


def test_a_question_that_another_phone_answered_is_shown_as_it_is_now(
    ana, enter_tonight, table, members_by_slug
):
    rosa = enter_tonight("rosa", "beto")
    act = reverse("change-access", args=[table.code, rosa.pk])
    ana.post(act, {"act": "unseat", "member": "beto"})
    response = ana.post(act, {"act": "confirm", "member": "beto"})

    assert (422, []) == (response.status_code, questions(read_page(response)))
    assert 422 == ana.post(act, {"act": "dance"}).status_code


# --- who sees what ----------------------------------------------------------------------------------------


def test_a_watcher_sees_faces_only(client_for, address, enter_tonight):
    rosa = enter_tonight("rosa", "beto")
    enter_tonight("raul", "caro")
    page = open_page(client_for(rosa.user), address)

    assert ([], [[], ["Beto", "Caro"]]) == (questions(page), faces_by_state(page))
    assert [] == page.only("ul", id="faces").every("a")
    me = page.only("a", href=reverse("my-face", args=[rosa.table.code]))
    assert "You're Beto tonight An owner has to say yes" == me.text


def test_a_poll_takes_one_query_by_its_ticket_until_somebody_comes(
    ana, address, enter_tonight, django_assert_num_queries
):
    news = open_page(ana, address).only("p", id="news").attrs
    live, ticket = news["data-live"], news["data-ticket"]
    with django_assert_num_queries(1):
        assert 204 == ana.get(live, headers={poll_tickets.HEADER: ticket}).status_code

    enter_tonight("rosa", "beto")
    assert 200 == ana.get(live, headers={poll_tickets.HEADER: ticket}).status_code


# --- people and links -------------------------------------------------------------------------------------


def test_a_new_person_is_added_and_a_refusal_asks_for_no_news(ana, address, table):
    phone = Walker(ana)
    phone.open(address)
    phone.press("Add", name="Eva")
    response = ana.post(reverse("add-member", args=[table.code]), {"name": "caro"})
    page = read_page(response)

    assert table.members.filter(name="Eva").exists()
    assert (422, []) == (response.status_code, page.every("p", id="news"))


def test_a_personal_link_is_shown_once_and_can_be_revoked(ana, address, table):
    phone = Walker(ana, follows=False)
    phone.open(address)
    made = phone.press("A scorekeeper link")
    page = phone.open(address)

    assert made.only("textarea", id="link").text.startswith("http://testserver/i/")
    assert [] == page.every("textarea")
    phone.press("Revoke")
    assert 0 == table.links.valid().count()


# --- who is added -----------------------------------------------------------------------------------------


def test_a_second_tap_adds_nobody_twice_and_is_answered_like_the_first(subtests, ana, table):
    for page, name in (("lobby", "Eva"), ("opening-balances", "Flor")):
        with subtests.test(page):
            walker = Walker(ana)
            form, button = walker.open(reverse(page, args=[table.code])).form_with("Add")
            data = {**form.fields, "name": name, button.attrs["name"]: ""}
            to = form.attrs["action"]
            answers = [read_page(ana.post(to, data, follow=True)).notices for _tap in range(2)]

            assert [[f"Added: {name}"]] * 2 == answers
            assert 1 == table.members.filter(name=name).count()


def test_adding_who_no_longer_plays_offers_to_bring_them_back(ana, address, table, members_by_slug):
    membership.retire(members_by_slug["caro"])
    walker = Walker(ana)
    walker.open(address)
    walker.press("Add", name="caro")
    page = walker.press("Caro no longer plays: add them again")

    assert (["Caro plays again"], address) == (page.notices, walker.address)
    assert table.members.active().filter(slug="caro").exists()
