"""The page of a season: a table of four figures, filters, records, and charts with tables of their values."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.nights import night_of
from games.people.members import add_member
from games.scoring.events import RoundPlayed
from games.scoring.rounds import Hand, RoundEntry
from tests.reader import open_page, read_page
from tests.tables import a_round, end_season, make_user, start

pytestmark = pytest.mark.django_db

QUERIES = 12


def shown(client, table, query=""):
    return open_page(client, f"{reverse('season', args=[table.code])}{query}")


def lines(page):
    """Return the rows of the table: rank, name, wins, points, points per game, money."""
    body = page.only("table", id="standings").only("tbody")
    rows = []
    for row in body.every("tr"):
        rank, *figures = (cell.text for cell in row.every("td"))
        rows.append((rank, row.only("th").only("span", class_="name").text, *figures))
    return rows


def forms(page):
    """Return each member's last results, as a screen reader says them."""
    body = page.only("table", id="standings").only("tbody")
    return {
        row.only("span", class_="name").text: row.only("span", class_="form").only("span", class_="vh").text
        for row in body.every("tr")
    }


def records(page):
    """Return each record with its value and its holders."""
    feats = page.only("div", id="feats").inside
    return {
        feat.every("span", class_="grow")[0].inside[0]: feat.only("b").text
        for feat in feats
        if not isinstance(feat, str)
    }


def charts(page):
    """Return the text alternative of each chart, and the head and the last row of its table."""
    return {
        figure.only("svg", role="img").attrs["aria-label"].replace("\u00a0", " "): (
            [cell.text for cell in figure.only("thead").every("th")],
            [cell.text for cell in figure.only("tbody").every("tr")[-1].every("th", "td")],
        )
        for figure in page.every("figure")
    }


def test_the_standings_show_wins_points_points_per_game_and_money(ana, table, play):
    play("ana", "beto", "caro", "dani", days=14)
    play("beto", "ana", "caro", "dani", days=7)
    play("ana", "dani", "caro", "beto")
    page = shown(ana, table)

    assert ["Won", "Points", "Per game", "Money"] == [
        link.text for link in page.only("table", id="standings").only("thead").every("a")
    ]
    assert [
        ("1", "Ana", "2", "8", "2.67", "+$ 500"),
        ("2", "Beto", "1", "5", "1.67", "+$ 100"),
        ("3", "Caro", "0", "3", "1.00", "−$ 300"),
        ("3", "Dani", "0", "2", "0.67", "−$ 300"),
    ] == lines(page)
    assert "3 games · 3 nights" in page.only("h1").text


@pytest.mark.parametrize(
    ("by", "order"),
    [
        ("wins", ["Ana", "Beto", "Caro", "Dani"]),
        ("points", ["Ana", "Beto", "Caro", "Dani"]),
        ("average", ["Ana", "Beto", "Caro", "Dani"]),
        ("money", ["Ana", "Beto", "Caro", "Dani"]),
    ],
)
def test_tapping_a_column_heading_sorts_the_standings_by_that_column(ana, table, three, play, by, order):
    page = shown(ana, table, "?by=money" if by == "wins" else "?by=wins")
    titles = {"wins": "Won", "points": "Points", "average": "Per game", "money": "Money"}
    sorted_page = shown(ana, table, page.only("table", id="standings").link(titles[by]))

    assert order == [line[1] for line in lines(sorted_page)]
    assert titles[by] == sorted_page.only("th", aria_sort="descending").text


def test_the_last_games_have_a_text_for_screen_readers(ana, table, three):
    assert "last games: won, in between, won" == forms(shown(ana, table))["Ana"]
    assert "last games: in between, won, came last" == forms(shown(ana, table))["Beto"]


def test_a_legend_explains_the_letters_of_the_last_games(ana, table, three):
    legend = "Last games: W won, L came last, a dot in between."

    assert legend in shown(ana, table).text
    assert legend in open_page(ana, reverse("player", args=[table.code, "ana"])).text


def test_a_winning_streak_is_shown_beside_the_member(ana, table, play):
    play("beto", "ana", "caro", "dani", days=3)
    play("ana", "beto", "caro", "dani", days=2)
    play("ana", "beto", "caro", "dani", days=1)
    (first, second, *_others) = shown(ana, table).only("table", id="standings").only("tbody").every("tr")

    assert "3 games · 67 % won · won 2 in a row" == first.only("span", class_="sub").text
    assert "3 games · 33 % won" == second.only("span", class_="sub").text


def test_the_form_shows_only_the_last_five_games(ana, table, play):
    for days in range(7, 0, -1):
        play("ana", "beto", "caro", "dani", days=days)

    assert 5 == forms(shown(ana, table))["Ana"].count("won")


# --- filters ----------------------------------------------------------------------------------------------------------


def test_filtering_by_one_variant_also_shows_the_average_score(ana, table, three):
    everything, one = shown(ana, table), shown(ana, table, "?game=loba_menos")

    assert "scores" not in everything.only("main").text
    # Ana scored 0, 101 and 0, which is 34 a game.
    assert "3 games · 67 % won · average score 34" in one.only("table", id="standings").text
    assert "Loba de Menos" in one.only("details", id="filters").only("summary").text


def test_filtering_by_a_variant_without_games_shows_no_standings(ana, table, three):
    page = shown(ana, table, "?game=chinchon")

    assert "No games match." in page.only("main").text
    assert [] == page.every("table", id="standings")


def test_the_date_filter_counts_only_games_within_its_days(ana, table, three):
    middle = night_of(now(), table) - timedelta(days=7)
    page = shown(ana, table, f"?from={middle}&to={middle}")

    assert ("1", "Beto", "1", "3", "3.00", "+$ 300") == lines(page)[0]
    assert 4 == len(lines(page))


def test_a_date_range_that_ends_before_it_begins_is_refused_beside_its_field(ana, table, three):
    response = ana.get(f"{reverse('season', args=[table.code])}?from=2026-12-01&to=2026-01-01&least=3")
    page = read_page(response)
    fields = page.only("details", id="filters").only("form").fields

    assert 422 == response.status_code
    assert "This is before the day in “From”." == page.said_at("to")
    assert "open" in page.only("details", id="filters").attrs
    assert ("2026-12-01", "2026-01-01", "3") == (fields["from"], fields["to"], fields["least"])


@pytest.mark.parametrize("query", ["?from=2026-01-01&to=2026-01-01", "?from=2026-01-01", "?to=2026-01-01"])
def test_a_valid_date_range_is_not_refused(ana, table, query):
    assert "open" not in shown(ana, table, query).only("details", id="filters").attrs


def test_a_member_below_the_minimum_of_games_is_listed_apart_from_the_standings(ana, table, play):
    add_member(table, "Eva")
    play("eva", "ana", "beto", "caro", "dani")
    play("ana", "beto", "caro", "dani")
    play("ana", "beto", "caro", "dani")
    page = shown(ana, table, "?least=3")

    assert ["Ana", "Beto", "Caro", "Dani"] == sorted(line[1] for line in lines(page))
    assert ["Eva 1 game"] == [
        tile.only("span", class_="grow").text
        for tile in page.every("a", class_="tile")
        if "/player/eva/" in tile.attrs["href"]
    ]


def test_dropping_the_worst_games_changes_points_but_not_wins_or_money(ana, table, three):
    page = shown(ana, table, "?drop=1")

    assert ("1", "Ana", "2", "6", "3.00", "+$ 500") == lines(page)[0]
    assert "Wins, money and the charts count every game." in page.only("main").text


def test_invalid_query_parameters_are_ignored(subtests, ana, table, three):
    for query in [
        "?by=luck",
        "?season=99999999",
        "?season=-1",
        "?season=%00",
        "?game=poker",
        "?game=<b>",
        "?from=yesterday",
        "?to=2026-99-99",
        "?from=9999-12-31T00:00",
        "?least=-3",
        "?least=x",
        "?drop=1000000",
        "?by=&season=&game=&from=&to=&least=&drop=",
        "?by=wins&by=money",
    ]:
        with subtests.test(query=query):
            assert 4 == len(lines(shown(ana, table, query)))


def test_the_links_that_sort_the_standings_keep_the_filters(ana, table, three):
    page = shown(ana, table, "?game=loba_menos&drop=1&by=money")
    link = page.only("table", id="standings").link("Points")

    assert {"game=loba_menos", "drop=1", "by=points"} == set(link.removeprefix("?").split("&"))


def test_a_second_tap_on_a_heading_reverses_the_order_and_keeps_the_ranks(ana, waldo, table, three):
    page = shown(ana, table, "?by=money&drop=1")
    best_first = [line[:2] for line in lines(page)]
    page = shown(ana, table, page.only("table", id="standings").link("Money"))

    assert best_first[::-1] == [line[:2] for line in lines(page)]
    assert "Money" == page.only("th", aria_sort="ascending").text
    assert "yes" == page.only("details", id="filters").only("form").fields["up"]
    again = page.only("table", id="standings").link("Money").removeprefix("?")
    assert {"drop=1", "by=money"} == set(again.split("&"))
    assert [line[1] for line in lines(shown(waldo, table))] != [line[1] for line in lines(page)]


def test_the_sort_order_survives_the_visit_of_a_players_page(ana, table, three):
    page = shown(ana, table, "?by=money&up=yes")
    page = read_page(ana.get(page.only("table", id="standings").only("tbody").every("a")[0].attrs["href"]))
    back = page.only("a", aria_label="Back to the season").attrs["href"]

    assert {"by=money", "up=yes"} == set(back.partition("?")[2].split("&"))


def test_the_filter_form_holds_the_values_of_the_query(ana, table, three):
    season = table.seasons.get()
    page = shown(ana, table, f"?season={season.pk}&game=loba_menos&from=2026-01-02&least=5&drop=2&by=money")
    fields = page.only("details", id="filters").only("form").fields

    assert {
        "by": "money", "season": str(season.pk), "game": "loba_menos", "from": "2026-01-02", "to": "",
        "least": "5", "drop": "2",
    } == fields  # fmt: skip


# --- seasons ----------------------------------------------------------------------------------------------------------


def test_each_season_shows_its_own_games_and_all_seasons_show_every_game(ana, table, three):
    tonight = night_of(now(), table)
    table.seasons.update(starts_on=tonight - timedelta(days=30))
    first = table.seasons.get()
    end_season(first.table, last_day=tonight - timedelta(days=3), next_name="Verano")
    newest, oldest, everything = (
        shown(ana, table, query) for query in ("", f"?season={first.pk}", "?season=all")
    )

    assert ["1 game", "2 games", "3 games"] == [
        page.only("h1").only("small").text.split(" · ")[1] for page in (newest, oldest, everything)
    ]
    assert ["Verano", "All seasons"] == [
        page.only("h1").text.split(" Mesa")[0] for page in (newest, everything)
    ]


def test_a_season_without_a_game_says_so(ana, table):
    page = shown(ana, table)

    assert "No game of this season has ended yet." in page.only("main").text
    assert [] == page.every("figure")


# --- records and charts -----------------------------------------------------------------------------------------------


def test_the_records_include_those_of_the_played_variant(ana, table, finished, write, owner):
    game = start(table, owner, stake=500)
    write(game, a_round("caro", closing="in_one_go", ana=95, beto=20, dani=20))
    write(game, a_round("caro", ana=3, beto=20, dani=20))
    write(game, a_round("caro", ana=101, beto=101, dani=101))
    page = shown(ana, table)

    assert {
        "Most re-entries in one game": "1 Beto",
        "Biggest pot": "$ 2,000 Caro",
        "Most rounds survived in a row over 90": "1 round Ana",
        "Fastest game": "3 rounds Ana, Caro",
        "Most times gone out in one go": "1 Caro",
        "Most games won in a row": "1 Ana, Caro",
    } == records(page)


def test_members_with_equal_results_share_the_record(ana, table, owner, write):
    for first, second in (("ana", "beto"), ("beto", "ana")):
        game = start(table, owner, stake=500)
        for points in ({first: 95, second: 20}, {first: 3, second: 20}, {first: 101, second: 101}):
            hands = tuple((who, Hand(points=left)) for who, left in {**points, "dani": 34}.items())
            write(game, RoundPlayed(RoundEntry("caro", "out", hands)))
    page = shown(ana, table)

    assert "1 round Ana, Beto" == records(page)["Most rounds survived in a row over 90"]
    assert "Equal records are listed too" in page.only("main").text


def test_a_record_links_to_its_game(ana, table, three):
    page = shown(ana, table)
    (pot,) = [feat for feat in page.only("div", id="feats").every("a") if "Biggest pot" in feat.text]

    assert reverse("settlement", args=[three[0].code]) == pot.attrs["href"]


def test_every_chart_has_a_text_alternative_and_a_table_of_its_values(ana, table, three):
    assert {
        "Money so far: Ana +$ 500, Beto +$ 100, Caro −$ 300, Dani −$ 300": (
            ["Until", "Ana", "Beto", "Caro", "Dani"],
            ["+$ 500", "+$ 100", "−$ 300", "−$ 300"],
        ),
        "Points so far, above or below average: Ana 4, Beto 1, Caro −1, Dani −2": (
            ["Until", "Ana", "Beto", "Caro", "Dani"],
            ["4", "1", "−1", "−2"],
        ),
    } == {label: (heads, row[1:]) for label, (heads, row) in charts(shown(ana, table)).items()}


def test_the_lines_of_a_chart_differ_by_dash_and_initial_not_only_by_colour(ana, table, three):
    (money, _points) = shown(ana, table).every("figure")
    dashes = [
        group.attrs["data-dash"]
        for group in money.only("svg", role="img").every("g")
        if "data-dash" in group.attrs
    ]

    assert ["1", "2", "3", "4"] == dashes
    assert ["A", "B", "C", "D"] == [text.text for text in money.every("text", class_="initial")]


def test_a_single_night_has_no_charts(ana, table, play):
    play("ana", "beto", "caro", "dani")

    assert [] == shown(ana, table).every("figure")


# --- rights, names, how much it asks of the database ------------------------------------------------------------------


def test_a_witness_sees_the_season_without_links_to_the_accounts(waldo, ana, table, three):
    page = shown(waldo, table)

    assert lines(shown(ana, table)) == lines(page)
    assert [] == [link for link in page.every("a") if "/accounts/" in link.attrs["href"]]
    assert reverse("accounts", args=[table.code]) == shown(ana, table).link("Accounts")


def test_a_member_who_is_a_witness_gets_a_link_to_the_accounts_they_may_read(phone_of, table, claims, three):
    user = claims(make_user("dina"), "dani")

    assert reverse("accounts", args=[table.code]) == shown(phone_of(user), table).link("Accounts")


def test_the_season_page_takes_at_most_twelve_queries(ana, table, three, django_assert_max_num_queries):
    shown(ana, table)  # the day's first page renews the session
    with django_assert_max_num_queries(QUERIES):
        shown(ana, table, "?season=all&game=loba_menos&least=3&drop=1")
