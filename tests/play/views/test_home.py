"""The home page: running games, the last results with a rematch button, a new game, and the phone's theme."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.timezone import now

from games.files.services import file_writer
from games.models import Access, Method, Role
from games.money.services import payments
from games.play.services import recording
from games.play.views import home
from games.scoring.events import GameStopped, PlayerLeft, Stop
from games.tables.services import links
from tests.factories import (
    SECRET,
    build_round,
    confirm_as_member,
    grant_access,
    make_table,
    make_user,
    new_key,
    start,
)
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


def test_home_shows_the_running_game_and_its_pending_re_entry(ana, game, write):
    page = read_page(ana.get("/"))

    (tile,) = page.every("a", href=f"/g/{game.code}/")
    assert "Loba de Menos round 1 · Ana deals Pot $400 A Ana 0 B Beto 0 C Caro 0 D Dani 0" in tile.text
    assert "Rematch" not in page.text

    write(game, build_round("ana", beto=105, caro=5, dani=9))
    (tile,) = read_page(ana.get("/")).every("a", href=f"/g/{game.code}/")
    assert "Is Beto coming back? Pot $400 A Ana 0 leads B" in tile.text
    assert "Beto 105 C Caro 5 D Dani 9" in tile.text


def test_home_shows_a_game_that_has_just_begun_and_its_rounds_to_who_waits_for_it(
    waldo, finished, owner, write
):
    waiting = read_page(waldo.get("/")).only(id="news").attrs["data-live"]
    assert 204 == waldo.get(waiting).status_code

    game = start(finished.table, owner)
    page = read_page(waldo.get(waiting))

    assert page.only("a", href=f"/g/{game.code}/", class_="tile live")

    waiting = page.only(id="news").attrs["data-live"]
    assert 204 == waldo.get(waiting).status_code
    write(game, build_round("ana", beto=5, caro=5, dani=5))
    assert "round 2" in read_page(waldo.get(waiting)).only("a", class_="tile live").text


def result_tiles(phone):
    """Return the finished games on the home page, without their dates."""
    page = read_page(phone.get("/"))
    tiles = [link for link in page.every("a") if "/settlement/" in link.attrs["href"]]
    return [re.sub(r"[A-Z][a-z]{2} \d+ [A-Z][a-z]{2}", "…", tile.text) for tile in tiles]


@pytest.mark.parametrize(
    ("options", "event", "result"),
    [
        ({"stake": 100}, build_round("ana", beto=101, caro=101, dani=101), "A Won by Ana … +$300"),
        (
            {"ending": "first_out", "stake": 0},
            build_round("caro", ana=12, beto=101, dani=30),
            "C Caro won by 12 points …",
        ),
        ({}, GameStopped(Stop.LOWEST_WINS), "Won by Ana, Beto, Caro and Dani …"),
        ({}, GameStopped(Stop.SPLIT_POT), "They split the pot …"),
    ],
)
def test_a_finished_game_shows_who_won_and_by_how_much(ana, table, owner, write, options, event, result):
    write(start(table, owner, **options), event)

    assert [result.replace(" …", " Loba de Menos · …")] == result_tiles(ana)


def tonight_rows(phone):
    """Return the rows of tonight on the home page: the leader, and then everybody."""
    boxes = read_page(phone.get("/")).every("div", id="tonight")
    return [row.text for box in boxes for row in box.every("a")]


def test_the_rematch_names_who_will_play_it(ana, table, owner, write):
    game = start(table, owner)
    write(game, build_round("ana", beto=5, caro=7, dani=9), PlayerLeft("beto"), GameStopped(Stop.LOWEST_WINS))

    assert "Rematch Loba de Menos · Ana, Caro and Dani" in read_page(ana.get("/")).text


def test_home_shows_the_rows_of_tonight_from_the_second_game_on(ana, table, owner, play):
    play("ana", "beto", "caro")
    play("beto", "ana", days=1)
    assert [] == tonight_rows(ana), "its only game says it already, and another night is not tonight"
    play("beto", "ana", "caro")
    start(table, owner)

    assert [
        "Ana and Beto are up $100 each Tonight · 2 games · $600 in the pots",
        "A Ana 2 games · 1 won · still playing +$100",
        "B Beto 2 games · 1 won · still playing +$100",
        "D Dani still playing",
        "C Caro 2 games · still playing −$200",
    ] == tonight_rows(ana)


def home_table_name(phone):
    return read_page(phone.get("/")).only("h1").text


def test_home_shows_the_table_of_the_most_recent_game_until_one_is_opened(client_for, table, owner, play):
    other, names = make_table(owner, name="Otra mesa"), ["Mesa de los jueves", "Otra mesa"]
    assert names[1] == home_table_name(client_for(owner)), "nobody has played: the one made last"
    game = play("ana", "beto")
    assert names[0] == home_table_name(client_for(owner))
    recording.discard_game(game)
    assert names[1] == home_table_name(client_for(owner)), "it was taken away again"
    play("ana", "beto")
    phone = client_for(owner)
    walker = Walker(phone)
    assert names[0] == walker.open("/").only("h1").text
    switch, *_others = walker.page.only("div", id="tables").every("a")
    assert names[1] in switch.text
    assert names[1] == walker.open(switch.attrs["href"]).only("h1").text
    assert "/" == walker.address
    assert [names[1], names[0]] == [home_table_name(phone), home_table_name(client_for(owner))]
    other.accesses.all().delete()
    assert names[0] == home_table_name(phone)


def test_a_table_that_was_just_made_joined_or_imported_is_shown(ana, table):
    assert table.name == home_table_name(ana)
    olga, walker = make_user("olga"), Walker(ana)
    walker.open(f"{reverse('bring')}?what=nothing")
    walker.press("Create the table", table_name="Los martes", people="Eva, Fer")
    assert "Los martes" == home_table_name(ana)
    walker.open(reverse("new-table"))
    walker.press("Start", new_1="Eva", new_2="Fer", table_name="Los lunes")
    assert "Los lunes" == home_table_name(ana)
    _link, token = links.create_personal(make_table(olga, name="La de Olga"), by=olga, role=Role.WITNESS)
    walker.open(reverse("invitation", args=[token]))
    walker.press("Join")
    assert "La de Olga" == home_table_name(ana)
    file = SimpleUploadedFile(
        "mesa.json", file_writer.write_table(make_table(make_user("fer"), name="De Fer")).encode()
    )
    ana.post(reverse("import-table"), {"file": file, "key": new_key()})
    assert "De Fer" == home_table_name(ana)


def test_a_monitor_that_asks_for_the_head_of_the_first_page_hears_that_it_is_there(nobody):
    assert 200 == nobody.head("/").status_code


def test_a_new_visitor_reads_which_games_it_is_for_and_that_the_others_follow(nobody):
    page = read_page(nobody.get("/"))
    text = page.only("main").text

    assert "Play with real cards. Your phone does the math." in text
    assert [
        "Loba de Menos",
        "Loba de Más",
        "Argentine Carioca",
        "Chilean Carioca",
        "Chinchón",
        "and more",
    ] == [game.text for game in page.only("ul", class_="strip").every("li")]
    assert "The others follow the game live, without signing up" in text
    assert ("/new/", "/bring/") == (
        page.link("Start playing"),
        page.link("Import earlier games"),
    )
    assert ("/login/", "/example/") == (page.link("Sign in"), page.link("See a game"))
    assert "/link/" == page.form_with("Open")[0].attrs["action"]


def test_a_visitor_reads_the_games_of_their_country(nobody):
    page = read_page(nobody.get("/", headers={"accept-language": "es-ES"}))
    assert ["Chinchón", "Continental", "Rabino", "Rummikub"] == [
        game.text for game in page.only("ul", class_="strip").every("li")
    ][:-1]


def test_the_example_of_the_first_page_is_right(nobody):
    """Ana stays in, the three others bust at 101, and each of them pays her the stake."""
    figures = [
        figure.text for figure in read_page(nobody.get("/")).only("p", class_="lines").every("span", "s")
    ]
    before, last, totals = (
        [int(figure) for figure in figures[place : place + 4]] for place in range(0, len(figures), 4)
    )
    assert totals == [sum(points) for points in zip(before, last, strict=True)]
    assert [False, True, True, True] == [total >= 101 for total in totals]
    assert [0, 10 + 9 + 4] == last[:2]


ONLY_HERE = "This table is only on this phone"


def is_advised(phone):
    return ONLY_HERE in read_page(phone.get("/")).only("main").text


def test_a_guest_is_told_from_the_first_game_on_what_a_lost_phone_costs(ana, waldo, owner, table):
    assert not is_advised(ana)
    start(table, owner)
    assert (True, False) == (is_advised(ana), is_advised(waldo))
    second = Access.objects.create(user=make_user("olga"), table=table, role=Role.OWNER)
    assert not is_advised(ana), "another owner can let a new phone in"
    second.delete()
    walker = Walker(ana)
    walker.open("/")
    assert "Name and password" in walker.follow("Add a password").text
    assert is_advised(ana), "it stands until one of the cures is taken"
    owner.set_password(SECRET)
    owner.save()
    ana.force_login(owner)
    assert not is_advised(ana)


def test_one_tap_makes_an_owner_of_who_has_a_phone_at_the_table_those_who_record_first(
    ana, owner, table, finished, confirm_as, members_by_slug
):
    for slug in ("beto", "dani"):
        confirm_as(make_user(f"phone of {slug}"), slug)
    Access.objects.filter(member=members_by_slug["dani"]).update(role=Role.SCORER)
    grant_access(make_user("tonight"), table, face="caro")
    walker = Walker(ana)
    offered = [button.text for button in walker.open("/").every("button") if "owner too" in button.text]
    page = walker.press("Make Beto an owner too")

    assert ["Make Dani an owner too", "Make Beto an owner too"] == offered
    assert (["Beto is now an owner too."], False) == (page.notices, is_advised(ana))
    assert Role.OWNER == Access.objects.get(member=members_by_slug["beto"]).role


def test_home_shows_the_last_finished_games_beside_the_last_running_ones(
    ana, table, owner, write, monkeypatch
):
    monkeypatch.setattr(home, "MAX_RUNNING_GAMES", 2)
    games = [start(table, owner) for _ in range(7)]
    for game in games[:4]:
        write(game, build_round("ana", beto=101, caro=101, dani=101))
    page = read_page(ana.get("/"))
    addresses = [link.attrs["href"] for link in page.every("a")]

    running, finished = [reverse("sheet", args=[game.code]) for game in games[4:]], games[1:4]
    assert running[:0:-1] == [link for link in addresses if link in running]
    assert [reverse("settlement", args=[game.code]) for game in finished[::-1]] == [
        link for link in addresses if "/settlement/" in link
    ]
    assert reverse("games", args=[table.code]) == page.link("See all")


def test_home_links_to_what_the_user_may_read_and_to_what_waits_for_them(
    ana, client_for, waldo, table, finished, confirm_as, pay
):
    scorer = client_for(grant_access(make_user("eva"), table, Role.SCORER).user)
    beto, dina = confirm_as(make_user("beto_himself"), "beto"), make_user("dina")
    grant_access(make_user("caro_herself"), table, face="caro")
    confirm_as(dina, "dani")
    payments.dispute(pay("caro", "beto", 50), by=beto, objection="No")
    season, accounts, lobby = (reverse(name, args=[table.code]) for name in ("season", "accounts", "lobby"))

    def addresses(phone):
        hrefs = {link.text: link.attrs["href"] for link in read_page(phone.get("/")).every("a")}
        begins = ("Standings", "Accounts", "People to confirm 1", "Payments to confirm 1")
        return [next((hrefs[text] for text in hrefs if text.startswith(prefix)), "") for prefix in begins]

    assert [season, accounts, lobby, accounts] == addresses(ana)
    assert [season, accounts, lobby, accounts] == addresses(scorer)
    assert [season, accounts, "", accounts] == addresses(client_for(beto)), "it may have arrived since"
    assert [season, accounts, "", ""] == addresses(client_for(dina))
    assert [season, "", "", ""] == addresses(waldo)
    assert {"/link/"} == {form.attrs["action"] for form in read_page(waldo.get("/")).every("form")}


# --- one's own money --------------------------------------------------------------------------------------


def money_lines(phone):
    """Return the lines about the user's own money on the home page: the text and the address of each link."""
    page = read_page(phone.get("/"))
    boxes = page.every("div", class_="card menu own-money")
    lines = [line for box in boxes for line in box.every("a") if line.every(class_="grow")]
    return [(line.text, line.attrs["href"]) for line in lines]


def test_a_member_sees_their_debt_with_a_link_to_pay_and_the_payees_alias(client_as, table, finished):
    """Ana won 400: Beto owes 200 of it, Caro and Dani owe 100 each."""
    beto = client_as("beto")
    pay_it = f"{reverse('accounts', args=[table.code])}?payer=beto&payee=ana&amount=200"
    table.members.filter(slug="ana").update(account="ana.loba.mp")

    assert [("A You owe Ana $200", pay_it)] == money_lines(beto)
    assert read_page(beto.get(pay_it)).only("h1").text
    page = read_page(beto.get("/"))
    assert "ana.loba.mp" == page.only("input", id=f"alias-{table.code}-ana").attrs["value"]
    assert "Copy alias" == page.only("button", data_share=f"alias-{table.code}-ana").text


def test_a_member_says_by_one_tap_that_they_paid_and_can_take_it_back(client_as, table, finished):
    """No phone is Ana's, so the payment counts at once."""
    beto = client_as("beto")
    walker = Walker(beto)
    walker.open("/")

    assert "Recorded: Beto → Ana, $200, cash" in walker.press("I paid").notices
    assert [] == money_lines(beto)
    walker.press("Undo")
    assert ["A You owe Ana $200"] == [text for text, _href in money_lines(beto)]


def test_a_tap_on_a_debt_that_has_changed_shows_the_present_debt(client_as, table, finished, play):
    walker = Walker(client_as("beto"))
    walker.open("/")
    play("ana", "beto", stake=300)
    page = walker.press("I paid")

    assert 409 == walker.status
    assert page.notices
    assert "You owe Ana $500" in page.only("main").text
    assert not table.payments.exists()


def test_what_a_member_says_to_have_paid_waits_for_the_payee(
    ana, owner, confirm_as, client_as, table, finished
):
    beto, user = client_as("beto"), confirm_as(owner, "ana")
    walker = Walker(beto)
    walker.open("/")
    walker.press("I paid")
    claimed = table.payments.get()
    page = reverse("payment", args=[table.code, claimed.pk])

    assert [("A You paid Ana Ana still has to confirm it $200", page)] == money_lines(beto)
    assert ("B Did Beto pay you? $200", page) == money_lines(ana)[0]
    assert "Payments to confirm" not in read_page(ana.get("/")).only("main").text
    payments.confirm(claimed, by=user)
    assert [] == money_lines(beto)
    assert ["C Caro owes you $100", "D Dani owes you $100"] == [text for text, _href in money_lines(ana)]


def test_who_is_not_confirmed_for_good_sees_no_money(waldo, client_for, table, finished, pay):
    """Waldo claims to be Beto. Sonia, who scores tonight, is confirmed as Dani until the night ends."""
    sonia = confirm_as_member(make_user("sonia"), table.members.get(slug="dani"))
    table.accesses.filter(pk=sonia.pk).update(role=Role.SCORER, until=now() + timedelta(hours=5))
    pay("ana", "beto", 5)
    table.accesses.filter(user__username="waldo").update(member=table.members.get(slug="beto"))

    assert [[], []] == [money_lines(phone) for phone in (waldo, client_for(sonia.user))]
    payment = pay("beto", "ana", 200)
    assert [] == read_page(waldo.get(f"/?done={payment.pk}")).notices


def test_own_money_at_six_tables_takes_as_many_queries_as_at_one(
    ana, owner, write, django_assert_max_num_queries
):
    for number in range(6):
        table = make_table(owner, name=f"Mesa {number}")
        confirm_as_member(owner, table.members.get(slug="beto"))
        for _game in range(2):
            write(
                start(table, owner, stake=100, reentries=0), build_round("ana", beto=101, caro=101, dani=101)
            )
        payer, payee = (table.members.get(slug=slug) for slug in ("caro", "beto"))
        by = make_user(f"scorer {number}")
        payments.create(table, payer, payee, 5, method=Method.CASH, key=new_key(), by=by)
    with django_assert_max_num_queries(31) as captured:
        lines = money_lines(ana)

    assert 27 == len([query for query in captured.captured_queries if query["sql"].startswith("SELECT")])
    assert 2 == len(lines)


def test_any_other_code_in_the_address_offers_no_undo(subtests, ana, stranger, table, owner, game):
    away = start(table, owner)
    recording.discard_game(away)
    for phone, code in [(stranger, away.code), (ana, game.code), *((ana, code) for code in NO_CODES)]:
        with subtests.test(code=code):
            response = phone.get("/", {"discarded": code})

            assert (200, []) == (response.status_code, read_page(response).notices)


NO_CODES = ("", "x", "a/b", "<script>", "\x00", "ñ", "../new", "a" * 1900)


# --- the theme of this phone -------------------------------------------------------------------------------------------


def test_a_chosen_theme_is_stored_and_an_unknown_one_restores_the_phones_own(nobody):
    assert 405 == nobody.get("/theme/").status_code
    for theme in ("light", "dark"):
        assert "/" == nobody.post("/theme/", {"theme": theme}).url
        page = read_page(nobody.get("/"))
        assert theme == page.only("html").attrs["data-theme"]
        assert theme == page.only("button", name="theme", aria_pressed="true").attrs["value"]

    nobody.post("/theme/", {"theme": '"><script>'})
    assert "data-theme" not in read_page(nobody.get("/")).only("html").attrs
    nobody.cookies["theme"] = "x onload=alert(1)"
    assert "data-theme" not in read_page(nobody.get("/")).only("html").attrs


def test_a_table_where_nobody_has_played_waits_with_its_people(client_for, owner):
    table = make_table(owner)
    page = read_page(client_for(owner).get("/"))
    cloth = page.only("div", class_="nobody").text
    assert "A B C D No games yet Each game shows here, live" == cloth
    assert reverse("new-game", args=[table.code]) == page.link("New game")
    links = [link.attrs["href"] for link in page.every("a")]
    assert {reverse(name, args=[table.code]) for name in ("lobby", "import-nights")} <= set(links)
