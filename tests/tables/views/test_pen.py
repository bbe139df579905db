"""The pen on pages: the question where it is answered, who has it, its times, and what its holder may do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Access, Offer, Pen, Record, Role
from games.tables.services import lobby, pens
from tests.factories import build_round, grant_access, make_user
from tests.queued_entries import build_entry, entry_answers, send_entries
from tests.reader import PollingClient, Walker, open_page, read_page
from tests.tables.claim_rows import claim_rows

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]
QUESTION = "Caro wants to record"


@pytest.fixture
def phones(users, client_for):
    return {slug: client_for(user) for slug, user in users.items()}


@pytest.fixture
def people_page(table):
    return reverse("lobby", args=[table.code])


def pen_notices(page):
    """Return the notices about the pen on a page: the question, and who has it."""
    return [row.text for row in claim_rows(page) if "record" in row.text]


def seconds_by_key(page):
    """Return the seconds after which each key of the page counts, by its words."""
    return {key.text: key.attrs["data-in"] for key in page.every("button") if "data-in" in key.attrs}


def test_the_question_stands_first_on_every_page_that_may_answer_it(
    phones, table, game, people_page, subtests
):
    walker = Walker(phones["caro"])
    walker.open(people_page)
    detail = "Ana answers that; from 22:02 on, another member can too"
    assert [f"You asked to record {detail} Never mind"] == pen_notices(walker.press("I'll record"))
    for page in (
        "/",
        people_page,
        reverse("sheet", args=[game.code]),
        reverse("play-round", args=[game.code]),
    ):
        with subtests.test(page=page):
            assert [f"{QUESTION} No Yes"] == pen_notices(open_page(phones["ana"], page))
    for page in ("/", people_page, reverse("sheet", args=[game.code])):
        with subtests.test(page=page):
            detail = "Ana answers that; from 22:02 on, you can too"
            assert [f"{QUESTION} {detail} Go ahead I'll record"] == pen_notices(
                open_page(phones["dani"], page)
            )


def test_an_answer_leads_back_to_its_page_and_everybody_reads_who_has_the_pen(
    phones, table, game, users, waldo, rollback_subtest
):
    pens.ask(table, by=users["caro"])
    for place, to in {
        "home": [],
        "lobby": [table.code],
        "sheet": [game.code],
        "play-round": [game.code],
    }.items():
        with rollback_subtest(place):
            walker = Walker(phones["ana"])
            walker.open(reverse(place, args=to))
            page = walker.press("Yes")

            assert reverse(place, args=to) == walker.address
            assert ["Caro records tonight, since 22:00 I'm recording again"] == pen_notices(page)
            if place == "sheet":
                for phone in (phones["dani"], waldo):
                    assert ["Caro records tonight, since 22:00"] == pen_notices(
                        open_page(phone, walker.address)
                    )
            assert [] == pen_notices(walker.press("I'm recording again"))


def test_an_asker_who_is_alone_records_after_five_minutes_of_silence(
    phones, table, users, people_page, time_machine
):
    for slug in ("beto", "dani"):
        table.accesses.filter(user=users[slug]).update(ended_at=now())
    pens.ask(table, by=users["caro"])
    page = open_page(phones["caro"], people_page)
    detail = "If nobody answers, you can record from 22:05 on"
    assert [f"You asked to record {detail} Never mind Record"] == pen_notices(page)
    assert {"Record": "300"} == seconds_by_key(page)

    time_machine.shift(5 * 60)
    walker = Walker(phones["caro"])
    walker.open(people_page)
    assert ["You record tonight, since 22:05 Stop recording"] == pen_notices(walker.press("Record"))


def test_only_who_is_confirmed_for_good_and_does_not_record_may_ask(
    phones, waldo, people_page, client_for, table
):
    """Waldo only watches, without a name."""
    scorer = client_for(grant_access(make_user("rita"), table, Role.SCORER).user)
    phones |= {"waldo": waldo, "rita": scorer}
    keys = {name: open_page(phone, people_page).buttons for name, phone in phones.items()}

    assert ["beto", "caro", "dani"] == [
        name for name, buttons in keys.items() if "I'll record" in [button.text for button in buttons]
    ]


def test_who_has_the_pen_records_a_round_and_stops(phones, table, game, users):
    pens.store_pen(table.accesses.get(user=users["caro"]))
    walker = Walker(phones["caro"])
    page = walker.open(reverse("sheet", args=[game.code]))
    assert ["You record tonight, since 22:00 Stop recording"] == pen_notices(page)

    walker.open(reverse("play-round", args=[game.code]))
    walker.press("Save", closer="caro", hand_ana="5", hand_beto="6", hand_dani="7")
    assert reverse("sheet", args=[game.code]) == walker.address
    assert users["caro"] == Record.objects.order_by("-number")[0].recorded_by
    walker.press("Stop recording")
    assert not Pen.objects.valid().exists()
    assert 403 == phones["caro"].get(reverse("play-round", args=[game.code])).status_code


def test_its_pages_offer_nothing_that_the_pen_may_not_do(phones, table, game, finished, users, subtests):
    pens.store_pen(table.accesses.get(user=users["caro"]))
    forbidden = {
        reverse("sheet", args=[game.code]): ["Invite"],
        reverse("more", args=[game.code]): ["Invite", "Started by mistake: delete the game"],
        reverse("settlement", args=[finished.code]): ["It was paid on the spot"],
    }
    for address, words in forbidden.items():
        with subtests.test(address):
            page = open_page(phones["caro"], address)
            assert [] == [button.text for button in page.every("button") if button.text in words]
    assert "An expense" not in open_page(phones["caro"], reverse("more", args=[game.code])).only("main").text
    assert (
        "Rematch" in open_page(phones["caro"], reverse("settlement", args=[finished.code])).only("main").text
    )


def test_a_shared_copy_has_no_question_and_is_not_given_to_who_has_one(
    phones, table, game, users, client_for, write
):
    viewer = client_for(grant_access(make_user("vera"), table).user)
    address = reverse("sheet", args=[game.code])
    watching, member = PollingClient(viewer, address), PollingClient(phones["dani"], address)
    pens.ask(table, by=users["caro"])
    news = read_page(watching.poll())
    assert [] == pen_notices(news)
    assert 1 == len(pen_notices(read_page(member.poll())))
    asked = open_page(phones["dani"], address).only(id="news").attrs["data-ticket"]

    assert (True, False) == (watching.ticket.split(":")[2] != "", asked.split(":")[2] != "")


def test_the_pad_of_a_lone_recorder_polls_for_questions(phones, table, game, users):
    for slug in ("beto", "dani"):
        lobby.revoke(table.accesses.get(user=users[slug]), by=users["ana"])
    pad = open_page(phones["ana"], reverse("play-round", args=[game.code]))
    offers = pad.only(id="entry").attrs["data-offers"]
    pens.ask(table, by=users["caro"])
    news = phones["ana"].get(offers).json()

    assert QUESTION in news["questions"]
    assert 'value="yes"' in news["questions"]


def test_the_pad_of_a_lone_recorder_polls_for_their_own_new_phone(
    phones, table, game, users, members_by_slug
):
    """Ana records alone. Somebody comes by tonight's link and taps her face, and nobody else is there."""
    for slug in ("beto", "caro", "dani"):
        lobby.revoke(table.accesses.get(user=users[slug]), by=users["ana"])
    assert (
        "data-offers"
        not in open_page(phones["ana"], reverse("play-round", args=[game.code])).only(id="entry").attrs
    )
    until = now() + timedelta(hours=5)
    lobby.enter(table, make_user("nueva"), until=until, face=members_by_slug["ana"])
    pad = open_page(phones["ana"], reverse("play-round", args=[game.code]))

    assert "data-offers" in pad.only(id="entry").attrs
    assert "Does Ana have a new phone?" in pad.only(id="questions").text


def test_times_are_printed_and_early_taps_are_refused_where_scripts_cannot_hide_them(
    phones, people_page, table, users, time_machine
):
    pens.ask(table, by=users["caro"])
    walker = Walker(phones["dani"])
    page = walker.open(people_page)
    assert {"Go ahead": "120", "I'll record": "300"} == seconds_by_key(page)
    assert ["That counts from 22:02 on: until then, those who record answer."] == walker.press(
        "Go ahead"
    ).alerts
    assert 422 == walker.status

    time_machine.shift(5 * 60)
    walker.open(people_page)
    walker.press("I'll record")
    (question,) = pen_notices(open_page(phones["ana"], people_page))
    assert question.startswith("Dani wants to record")
    assert [] == pen_notices(walker.press("Never mind"))
    assert "I'll record" in [button.text for button in open_page(phones["caro"], people_page).buttons]


def test_who_lost_the_pen_by_a_tap_reads_from_when_on_their_yes_counts(phones, people_page, table, users):
    pens.store_pen(table.accesses.get(user=users["dani"]))
    pens.take_back(table, by=users["ana"])
    pens.ask(table, by=users["caro"])
    page = open_page(phones["dani"], people_page)

    assert {"Go ahead": "900"} == seconds_by_key(page)
    assert "from 22:15 on, you can too" in page.only("main").text


def test_who_has_the_pen_says_that_a_flagged_hand_is_right(phones, table, game, users, write):
    """A correction of the game is theirs, so the answer that none is needed is too."""
    pens.store_pen(table.accesses.get(user=users["caro"]))
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    address = reverse("flag", args=[game.code, 2])
    assert 302 == phones["dani"].post(address, {"hand": "dani"}).status_code
    assert 1 == game.flags.count()
    assert 403 == phones["beto"].post(address, {"hand": "dani", "settled": ""}).status_code

    assert 302 == phones["caro"].post(address, {"hand": "dani", "settled": ""}).status_code
    assert 0 == game.flags.count()


def test_after_a_no_the_page_says_from_when_on_one_may_ask_again(
    phones, people_page, table, users, time_machine
):
    pens.ask(table, by=users["caro"])
    walker = Walker(phones["ana"])
    walker.open(people_page)
    walker.press("No")
    page = open_page(phones["caro"], people_page)
    assert "You can ask again from 22:15 on." in page.only("main").text
    assert "I'll record" not in [button.text for button in page.buttons]

    time_machine.shift(15 * 60)
    assert "I'll record" in [button.text for button in open_page(phones["caro"], people_page).buttons]


def test_the_sheet_asks_whether_nobody_records_after_fifteen_minutes(
    phones, waldo, game, people_page, time_machine, table, users
):
    sheet = reverse("sheet", args=[game.code])
    row = open_page(waldo, sheet).only("a", href=people_page)
    assert ("Is nobody recording?", str(15 * 60)) == (row.text, row.attrs["data-in"])
    time_machine.shift(15 * 60)

    assert "data-in" not in open_page(waldo, sheet).only("a", href=people_page).attrs
    pens.store_pen(table.accesses.get(user=users["caro"]))  # whose phone has no battery
    assert "data-in" not in open_page(waldo, sheet).only("a", href=people_page).attrs
    assert [] == open_page(phones["ana"], sheet).every("a", href=people_page)


def test_who_may_not_ask_or_answer_is_refused(client_for, table, waldo, phones, users):
    address = reverse("pen", args=[table.code])
    until = now() + timedelta(hours=5)
    tonight = grant_access(make_user("hoy"), table, until=until, face="beto")
    Access.objects.filter(pk=tonight.pk).update(confirmed_at=now())
    for phone in (waldo, client_for(tonight.user)):
        assert 403 == phone.post(address, {"act": "ask"}).status_code
    assert (422, 422) == (
        phones["caro"].post(address, {"act": "dance"}).status_code,
        phones["ana"].post(address, {"act": "yes", "number": "77"}).status_code,
    )


def test_what_waits_on_the_phone_of_who_lost_the_pen_is_refused_with_who_records_now(
    phones, table, game, users
):
    pens.store_pen(table.accesses.get(user=users["caro"]))
    round_fields: dict[str, Any] = {"closer": "caro", "closing": "out", "hand_ana": 5, "hand_beto": 6}
    entry = build_entry("round", game=game.code, after=1, hand_dani=7, **round_fields)
    pens.take_back(table, by=users["ana"])
    (refused,) = entry_answers(send_entries(phones["caro"], entry))
    assert ("refused", ["Not recorded: Ana records here now."]) == (refused["status"], refused["sentences"])

    pens.store_pen(table.accesses.get(user=users["caro"]))
    (sent,) = entry_answers(send_entries(phones["caro"], entry))
    assert "done" == sent["status"]


def test_the_hands_of_others_fill_the_pad_of_who_has_the_pen(phones, table, game, users):
    pens.store_pen(table.accesses.get(user=users["caro"]))
    walker = Walker(phones["beto"])
    walker.open(reverse("own-hand", args=[game.code]))
    walker.press("Send my hand", hand_beto="7 8")
    assert 1 == Offer.objects.count()
    pad = open_page(phones["caro"], reverse("play-round", args=[game.code]))

    assert Role.WITNESS == table.accesses.get(user=users["caro"]).role
    assert "data-offers" in pad.only(id="entry").attrs
