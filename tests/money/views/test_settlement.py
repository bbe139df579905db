"""The result page: places, every amount with its causes, debts, and the text for the group.

`play/views/test_settlement.py` has what that page leads to; `scoring/test_settlement.py` has the fewest payments
without a database.
"""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.common import naming
from games.models import PaymentState
from games.play.services import recording
from games.scoring.events import RoundPlayed
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.text.notation import parse_line
from tests.factories import cached_game, confirm_as_member, find_last_night, make_table, make_user, start
from tests.reader import Walker, debt_rows, open_page, parse_whole_number, picture_data, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


POT_SPLIT = ("round ana out beto=101 caro=40 dani=60", "reenter beto", "leave dani", "stop split_pot")


def _page(client, game):
    return open_page(client, reverse("settlement", args=[game.code]))


def record_lines(game, write, *lines):
    for line in lines:
        write(game, *parse_line(line))
    return game


def standings(page):
    """Return each name's amount and its causes."""
    return {
        row.only("span", class_="name").text: (
            parse_whole_number(row.only("b").text),
            [
                (cause.only("dt").text, parse_whole_number(cause.only("dd").text))
                for cause in row.only("dl").every("div")
            ],
        )
        for row in page.only("ol", id="standings").every("li")
    }


@pytest.mark.parametrize(
    ("played", "name", "expected"),
    [
        ("finished", "Ana", (400, [("Stake", -100), ("The pot", 500)])),
        ("finished", "Beto", (-200, [("Stake", -100), ("1st re-entry, after round 1", -100)])),
        (
            *("mas", "Ana"),
            (
                3500,
                [
                    ("With Beto: 30 points × $10", 300),
                    ("With Caro: 140 points × $10", 1400),
                    ("With Dani: 180 points × $10", 1800),
                ],
            ),
        ),
        ("to_winner", "Ana", (980, [("Everyone else's points", 980)])),
        ("to_winner", "Beto", (-200, [("Own points, to the winner: 100 points × $2", -200)])),
        (
            *("chinchon", "Beto"),
            (
                -22,
                [
                    ("Stake", -10),
                    ("For the cuts in rounds 1, 3, 4", -6),
                    ("Prize for the cut in round 2", 4),
                    ("For the chinchón", -10),
                ],
            ),
        ),
    ],
)
def test_a_players_amount_unfolds_its_causes(request, ana, played, name, expected):
    assert expected == standings(_page(ana, request.getfixturevalue(played)))[name]


def test_a_refund_has_no_winner(ana, game, write):
    record_lines(game, write, "round ana out beto=101 caro=40 dani=60", "reenter beto", "stop refund")
    page = _page(ana, game)

    assert "Nobody wins" in page.only("h1").text
    assert "Nobody owes anything" in page.only("main").text
    assert "1 round · 1 comeback · Pot of $500" == page.only("div", id="moment").text
    poster = picture_data(page)
    assert (4, "") == (poster["standing"], poster["prize"])
    assert {("", False)} == {(person["place"], person["won"]) for person in poster["people"]}


# --- the other games --------------------------------------------------------------------------------------------------


@pytest.fixture
def mas(table, owner, write):
    """A game of Loba de Más with the totals of RULES 3.4: 160, 130, 20 and -20, at ten a point."""
    line = "round ana out ana=155 beto=130 caro=20 dani=-20"
    return cached_game(
        table,
        "mas",
        lambda: record_lines(start(table, owner, variant="loba_mas", point_value=10), write, line),
    )


SEVEN = ["round ana out beto=20 caro=30 dani=40"] * 5 + ["round beto out ana=5 caro=10 dani=10"] * 2


@pytest.fixture
def to_winner(table, owner, write):
    """An Argentine Carioca with $2 a point for the winner: Ana won five of the seven contracts, Beto two."""
    game = start(table, owner, variant="carioca_ar", settlement="to_winner", point_value=2)
    return record_lines(game, write, *SEVEN)


@pytest.fixture
def chinchon(table, owner, write):
    """A game of Chinchón: Caro re-entered once, Dani did not. Ana cut twice and made chinchón at the end."""
    lines = (
        "round ana cut ana=3 beto=30 caro=101 dani=101",
        "reenter caro ; stay_out dani",
        "round beto cut ana=8 beto=2 caro=4",
        "round ana cut ana=1 beto=9 caro=5",
        "round ana chinchon",
    )
    return cached_game(
        table,
        "chinchon",
        lambda: record_lines(start(table, owner, variant="chinchon", stake=10, cut_prize=2), write, *lines),
    )


def test_the_closing_that_won_at_once_stands_before_the_facts_and_the_pot_in_the_picture(ana, chinchon):
    page = _page(ana, chinchon)

    assert page.only("div", id="moment").text.startswith("Chinchón · 4 rounds · 1 comeback · Pot of $50")
    assert ["Pot of $50: 4 stakes ($40) + 1 re-entry ($10)"] == picture_data(page)["notes"]


def test_a_game_for_points_shows_no_money_and_the_picture_points(ana, table, owner, write):
    page = _page(ana, record_lines(start(table, owner, variant="carioca_ar"), write, *SEVEN))
    result = picture_data(page)

    assert [] == [part for part in ("$", "Who pays whom") if part in page.only("main").text]
    assert ["10 points", "5 rounds won"] == [result["people"][0][key] for key in ("figure", "below")]
    assert None is result["debts"]


# --- celebrating the winners ------------------------------------------------------------------------------------------


def test_who_share_the_pot_stand_level_with_their_parts_and_nobody_is_crowned_or_placed(
    ana, table, owner, write
):
    game = start(table, owner, stake=101)
    record_lines(game, write, *POT_SPLIT)
    page = _page(ana, game)

    assert "They split the pot" in page.only("h1").text
    assert {False} == set(game.results.values_list("won", flat=True))
    assert "1 round · 1 comeback $505 among 3" == page.only("div", id="moment").text.partition(" A ")[0]
    steps = page.only("ol", class_="podium level").every("li")
    assert ["A Ana $168 0 points", "B Beto $169 60 points", "C Caro $168 40 points"] == [
        step.text for step in steps
    ]
    assert [{}, {}, {}] == [step.attrs for step in steps]
    assert [168, 169, 168] == [
        dict(causes)["Share of the pot"] for _won, causes in list(standings(page).values())[:3]
    ]
    assert [] == [row for row in page.only("ol", id="standings").every("li") if "first" in row.attrs["class"]]
    assert "place" not in page.only("ol", id="standings").text


def test_more_than_four_who_share_the_pot_stand_in_lines_with_their_parts(ana, owner, write):
    table = make_table(owner, people=("Ana", "Beto", "Caro", "Dani", "Eva"))
    game = start(table, owner, stake=100, packs=3)
    record_lines(game, write, "round ana out beto=10 caro=40 dani=60 eva=1", "stop split_pot")
    page = _page(ana, game)

    assert [] == page.every("ol", class_="podium")
    assert ["A Ana $100", "B Beto $100", "C Caro $100", "D Dani $100", "E Eva $100"] == [
        row.text for row in page.only("ol", class_="crowd").every("li")
    ]


def test_the_text_and_the_picture_of_a_shared_pot_have_no_places_and_no_winner(ana, table, owner, write):
    game = start(table, owner, stake=101)
    record_lines(game, write, *POT_SPLIT)
    page = _page(ana, game)
    picture = picture_data(page)

    text = page.only("textarea", id="message").inside[0]
    assert ["Ana", "Beto", "Caro", "Dani"] == [line.split(" ·")[0] for line in text.split("\n")[3:7]]
    assert (3, "$505") == (picture["standing"], picture["prize"])
    assert ["$168", "$169", "$168", "−$101"] == [row["figure"] for row in picture["people"]]
    assert {("", False)} == {(row["place"], row["won"]) for row in picture["people"]}


def test_nobody_leads_or_has_won_on_the_sheet_of_a_shared_or_refunded_pot(ana, table, owner, write):
    for ending in ("split_pot", "refund"):
        game = start(table, owner, stake=101)
        record_lines(game, write, "round ana out beto=21 caro=40 dani=60", f"stop {ending}")
        page = open_page(ana, reverse("sheet", args=[game.code]))
        assert [] == [node for node in page.every() if "lead" in node.attrs.get("class", "").split()]
        assert [] == [part.text for part in page.every("span", class_="vh") if part.text == "won"]


# --- who pays whom ----------------------------------------------------------------------------------------------------


def notes(page):
    return [note.text for note in page.every("p", class_="soft fine note")]


def message_debts(page):
    lines = page.only("textarea", id="message").inside[0].replace("\u00a0", " ").split("\n")
    return [line for line in lines if "→" in line]


def picture_debts(page):
    return [
        ("✓ " if row["isPaid"] else "") + f"{row['payer']['name']} → {row['payee']['name']}: {row['amount']}"
        for row in picture_data(page)["debts"]["rows"]
    ]


BETO, CARO, DANI = "Beto → Ana $200", "Caro → Ana $100", "Dani → Ana $100"


def test_a_tick_is_undone_in_the_bar_and_in_the_row(ana, finished):
    walker = Walker(ana)
    walker.open(reverse("settlement", args=[finished.code]))
    of_the_game = [heading.text for heading in walker.page.every("h2")][1:3]
    assert ["Who pays whom", "How it was split"] == of_the_game
    walker.press("Beto paid Ana")

    assert [CARO, DANI, f"✓ {BETO}"] == debt_rows(walker.page)
    assert ["Recorded: Beto → Ana, $200, cash"] == walker.page.notices
    walker.press("Undo")
    assert [BETO, CARO, DANI] == debt_rows(walker.page)
    assert ["Voided: Beto → Ana, $200"] == walker.page.notices
    walker.press("Beto paid Ana")
    walker.press("Beto paid Ana")
    assert [BETO, CARO, DANI] == debt_rows(walker.page)


def test_the_text_and_the_picture_have_the_rows_and_ticks_of_the_list_with_aliases_and_the_moment(
    ana, table, finished, pay
):
    table.members.filter(slug="ana").update(account="ana.loba.mp")
    pay("caro", "ana", 100)
    page = _page(ana, finished)

    assert [BETO, DANI, f"✓ {CARO}"] == debt_rows(page)
    rows = ["Beto → Ana: $200", "Dani → Ana: $100"], ["✓ Caro → Ana: $100"]
    assert [*(f"{row} · ana.loba.mp" for row in rows[0]), *rows[1]] == message_debts(page)
    assert [*rows[0], *rows[1]] == picture_debts(page)
    text = page.only("textarea", id="message").text
    assert re.search(r"1\. Ana · .* · \+\$400 .* Who pays whom · ", text)
    assert picture_data(page)["debts"]["moment"] in text


def test_what_was_owed_before_is_in_the_list_under_a_note(ana, finished, play, share):
    assert [] == notes(_page(ana, finished))
    play("beto", "caro")
    assert ["All of tonight's games together"] == notes(_page(ana, finished))
    share("ana", 90, "ana", "beto", "caro")
    assert ["All of tonight together, with the expenses"] == notes(_page(ana, finished))
    play("beto", "caro", days=7)
    page = _page(ana, finished)

    assert ["Including earlier debts"] == notes(page)
    assert "Including earlier debts" in page.only("textarea", id="message").text


def test_an_old_game_shows_what_it_moved_and_leads_to_the_accounts(ana, table, play):
    page = _page(ana, play("ana", "beto", days=7))

    assert (100, [("Stake", -100), ("The pot", 200)]) == standings(page)["Ana"]
    assert [] == page.every("section", id="debts")
    assert None is picture_data(page)["debts"]
    (link,) = [link for link in page.every("a") if "What's still owed is in the accounts" in link.text]
    assert reverse("accounts", args=[table.code]) == link.attrs["href"]


def test_on_the_result_a_payee_who_got_nothing_is_led_to_where_they_say_so(
    client_as, finished, pay, confirm_as
):
    walker, beto = Walker(client_as("ana")), confirm_as(make_user("beto_himself"), "beto")
    claim = pay("beto", "ana", 200, by=beto)
    walker.open(reverse("settlement", args=[finished.code]))
    walker.follow("Look at it")
    walker.press("It didn't arrive")

    claim.refresh_from_db()
    assert PaymentState.ENDED == claim.state


# --- paid on the spot -------------------------------------------------------------------------------------------------


def test_the_money_of_a_game_is_paid_on_the_spot_with_one_tap_or_by_a_habit_and_undone_with_one_tap(
    ana, table, owner, finished, play, confirm_as
):
    confirm_as(owner, "ana")
    walker = Walker(ana)
    walker.open(reverse("settlement", args=[finished.code]))
    walker.press("It was paid on the spot")

    assert [] == debt_rows(walker.page)
    assert "Paid on the spot · Ana · " in walker.page.only("div", id="spot").text
    assert "Paid on the spot" in walker.page.only("textarea", id="message").text
    assert "Paid on the spot" in picture_data(walker.page)["notes"][-1]
    walker.press("Undo")
    assert [BETO, CARO, DANI] == debt_rows(walker.page)
    table.pays_on_the_spot = True
    table.save(update_fields=["pays_on_the_spot"])
    page = _page(ana, play("ana", "beto"))
    assert "Paid on the spot, as always at this table" in page.only("div", id="spot").text


# --- witnesses --------------------------------------------------------------------------------------------------------


def test_who_may_not_see_the_accounts_sees_the_games_own_payments_without_ticks(
    waldo, finished, play, pay, time_machine
):
    time_machine.move_to(now(), tick=False)  # the text to send names the minute
    before = _page(waldo, finished)
    pay("caro", "ana", 30)
    play("dani", "ana", days=7)
    page = _page(waldo, finished)

    assert [BETO, CARO, DANI] == debt_rows(page)
    assert ["This game only, not counting payments since"] == notes(page)
    assert before.only("main").text == page.only("main").text
    assert [] == page.every("form")


def test_the_picture_has_the_same_result_as_the_page_and_the_address_of_a_public_site(ana, mas, settings):
    settings.SITE_URL = "https://cards.example.org"
    page = _page(ana, mas)
    (file,) = (button.attrs["data-file"] for button in page.every("button") if "data-file" in button.attrs)
    result = picture_data(page)

    assert re.fullmatch(r"loba_mas-\d{4}-\d{2}-\d{2}\.png", file)
    assert ("Ana wins", "cards.example.org") == (result["title"], result["site"])
    assert [("Ana", "160 points"), ("Beto", "130 points"), ("Caro", "20 points"), ("Dani", "−20 points")] == [
        (person["name"], person["below"]) for person in result["people"]
    ]
    assert "Ends at 150 · $10 a point" == result["rules"]
    assert [("1st", True), ("2nd", False), ("3rd", False), ("4th", False)] == [
        (person["place"], person["won"]) for person in result["people"]
    ]
    assert (3, "+$3,500") == (result["standing"], result["prize"])


def test_the_settlement_of_a_running_game_redirects_to_its_sheet(ana, game):
    assert reverse("sheet", args=[game.code]) == ana.get(reverse("settlement", args=[game.code])).url


def test_names_with_markup_are_escaped_on_the_page_and_in_the_whatsapp_link(client_for, db, write):
    owner = make_user("olga")
    table = make_table(owner, people=("<script>", "A&B=1", "#x"), name="</textarea><b>")
    game = start(table, owner)
    first, *others = table.members.values_list("slug", flat=True)
    hands = tuple((slug, Hand(points=101)) for slug in others)
    write(game, RoundPlayed(RoundEntry(first, "out", hands)), by=owner)
    page = _page(client_for(owner), game)

    assert "</textarea><b>" in page.only("textarea", id="message").text
    (link,) = [link for link in page.every("a") if "wa.me" in link.attrs["href"]]
    assert "A&B=1" in parse_qs(urlsplit(link.attrs["href"]).query)["text"][0]


def test_signs_in_names_do_not_become_bold_in_the_text_for_a_chat_and_come_back_as_they_were(
    subtests, client_for, db, write
):
    owner, people = make_user("olga"), ("*Ana*", "_Beto_", "~Caro~", "A`B")
    table = make_table(owner, people=people, name="*Los* jueves")
    confirm_as_member(owner, table.members.get(name="*Ana*"))
    game = start(table, owner)
    first, *others = table.members.values_list("slug", flat=True)
    write(
        game,
        RoundPlayed(RoundEntry(first, "out", tuple((slug, Hand(points=101)) for slug in others))),
        by=owner,
    )
    phone, night = client_for(owner), find_last_night(table)
    pages: list[tuple[str, list[object]]] = [
        ("settlement", [game.code]),
        ("accounts", [table.code]),
        ("night", [table.code, night]),
        ("account", [table.code, first]),
        ("season", [table.code]),
    ]
    for name, args in pages:
        with subtests.test(name):
            text = read_page(phone.get(reverse(name, args=args))).only("textarea", id="message").text
            bare = re.sub("\u2068[*_~`]\u2069", "", text)

            assert "Ana" in bare
            assert [] == re.findall("[*_~`]", bare)
    assert "*Ana*" == naming.clean_name("\u2068*\u2069Ana\u2068*\u2069", longest=20)


def test_the_text_and_the_picture_to_send_are_in_the_tables_language_not_the_users(
    client_for, owner, table, finished
):
    table.language = "es-ar"
    table.save(update_fields=["language"])
    page = _page(client_for(owner), finished)

    assert "Ana wins" in page.only("h1").text
    assert "Ganó Ana" in page.only("textarea", id="message").text
    assert "Ganó Ana" == picture_data(page)["title"]


def test_a_discarded_games_result_has_no_list_and_undo_restores_the_game(ana, finished):
    recording.discard_game(finished)
    walker = Walker(ana)
    page = walker.open(reverse("settlement", args=[finished.code]))

    assert ["The game was deleted"] == page.notices
    assert [] == page.every("section", id="debts")
    walker.press("Undo")
    finished.refresh_from_db()
    assert finished.discarded_at is None


# --- taken back -------------------------------------------------------------------------------------------------------


def test_the_end_is_undone_at_once_until_its_night_is_over(ana, finished):
    walker = Walker(ana)
    walker.open(reverse("settlement", args=[finished.code]))
    walker.press("Undo")

    assert not finished.state().is_over


def test_later_the_end_is_corrected_only_after_what_it_changes_in_the_accounts_was_shown(
    ana, finished, time_machine
):
    walker = Walker(ana)
    time_machine.move_to(now() + timedelta(days=2))
    result = walker.open(reverse("settlement", args=[finished.code]))
    sheet = open_page(ana, reverse("sheet", args=[finished.code]))
    page = walker.press("Correct this entry")

    assert ["Correct this entry"] == [
        button.text for button in result.buttons if button.text in ("Undo", "Correct this entry")
    ]
    assert "Undo" not in [button.text for button in sheet.buttons]
    assert "Ana, balance +$400 → $0" in page.only("ul", id="in-accounts").text
    assert finished.state().is_over
    walker.press("Save")
    assert not finished.state().is_over


def test_an_old_page_that_undoes_an_earlier_night_is_asked_first_too(ana, finished, time_machine):
    page = _page(ana, finished)
    form, _button = page.form_with("Undo")
    time_machine.move_to(now() + timedelta(days=2))
    response = ana.post(form.attrs["action"], form.fields)

    assert read_page(response).form_with("Save")
    assert finished.state().is_over
