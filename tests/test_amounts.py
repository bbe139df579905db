"""Every place where an amount of money is typed or shown, at tables with 0, 2 and 3 decimals in four regions.

Amounts are stored as whole numbers of the smallest coin. The reader's region differs from the table's, so
that an amount written in the wrong region is noticed.

`common/test_amounts.py` has the formatting of one amount.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.urls import reverse

from games.models import Game, SharedCost, Table
from games.scoring.events import PlayerStayedOut
from games.scoring.money import pot_amount
from games.scoring.text.notation import parse_line
from games.tables.services import setup
from tests.factories import PEOPLE, build_round, load_balances, make_table
from tests.page_urls import visible_pages
from tests.reader import Node, Walker, read_page

pytestmark = pytest.mark.django_db

READER = "en-GB"
# A region: its separators of thousands and decimals, and how it writes an amount of money with its unit.
REGIONS = {
    "es-AR": (".", ",", "$ {figure}", "$"),
    "es-ES": (".", ",", "{figure} €", "€"),
    "es-MX": (",", ".", "${figure}", "$"),
    "es-CR": (" ", ",", "₡{figure}", "₡"),
}
# Amounts in the smallest coin. No two look alike, or like another number on these pages.
STAKE, FEE, PRIZE, VALUE = 1_234_560, 2_345_670, 345_680, 7_650
OTHER_STAKE, PAID, COST, BALANCE = 4_567_890, 567_890, 6_789_123, 7_891_230
OF_MANY_REGIONS = {"table-settings", "change-settings"}


@dataclass(frozen=True)
class Money:
    """The money of a table: its region and its decimals."""

    region: str
    decimals: int

    @property
    def unit(self) -> str:
        return REGIONS[self.region][3]

    def input_text(self, coins: int) -> str:
        """Return an amount as people type it, without thousands separators and unit."""
        return self._figure(coins, "")

    def page_text(self, coins: int) -> str:
        group, _decimal, pattern, _unit = REGIONS[self.region]
        return pattern.format(figure=self._figure(coins, group))

    def _figure(self, coins: int, group: str) -> str:
        whole, part = divmod(coins, 10**self.decimals)
        figure = f"{whole:,}".replace(",", group)
        return f"{figure}{REGIONS[self.region][1]}{part:0{self.decimals}d}" if self.decimals else figure

    def misformatted_in(self, text: str) -> list[str]:
        """Return the figures beside the unit that are not written as in the table's region."""
        group, decimal, pattern, _unit = REGIONS[self.region]
        part = rf"{re.escape(decimal)}[0-9]{{{self.decimals}}}" if self.decimals else ""
        figure = rf"[0-9]{{1,3}}(?:{re.escape(group)}[0-9]{{3}})*{part}"
        right = re.escape(pattern).replace(r"\{figure\}", figure)
        unit, like = re.escape(self.unit), rf"[0-9](?:[0-9.,]|{re.escape(group)}(?=[0-9]{{3}}))*"
        amount_pattern = rf"(?<![0-9] ){unit} ?{like}|{like} ?{unit}(?! ?[0-9])"
        figures = [match.strip(".,") for match in re.findall(amount_pattern, text)]
        return [written for written in figures if not re.fullmatch(right, written)]


# A table of each region; `test_regions.py` combines each region with each number of decimals, without pages.
TABLES = (
    Money("es-ES", 2),
    *(
        pytest.param(money, marks=pytest.mark.long)
        for money in (Money("es-AR", 0), Money("es-MX", 3), Money("es-CR", 2))
    ),
)


@pytest.fixture(params=TABLES, ids=str)
def money(request):
    return request.param


@pytest.fixture
def table(owner, money) -> Table:
    table = make_table(owner)
    Table.objects.filter(pk=table.pk).update(unit=money.unit, decimals=money.decimals)
    setup.change_settings(table, region=money.region)
    return Table.objects.get()


@pytest.fixture
def walker(client_for, owner) -> Walker:
    return Walker(client_for(owner, language=READER))


def begin(walker: Walker, table: Table, variant: str, **options: str) -> Game:
    """Start a game of everybody with these typed options on the page of a new game."""
    walker.open(reverse("new-game", args=[table.code]))
    settlement = {"option-settlement": options.pop("settlement")} if "settlement" in options else {}
    chosen = walker.page.form_with("Start")[0].fields
    if variant != chosen["variant"] or settlement:
        walker.send("Show the rules of this game", {"variant": variant})
        walker.send("Show the rules of this game", settlement)
    seats = {f"seat-{place}": name.lower() for place, name in enumerate(PEOPLE, start=1)}
    data = {**seats, **{f"option-{key}": text for key, text in options.items()}}
    walker.send("Start", data)
    if walker.status == 422 and walker.page.every(
        "button", name="sure"
    ):  # the same people have a game already
        walker.send("Start another", data)
    assert 200 == walker.status, walker.page.alerts
    return Game.objects.latest("pk")


def open_form(walker: Walker, name: str, *place: object) -> None:
    walker.open(reverse(name, args=place))
    assert 200 == walker.status


# --- typed ------------------------------------------------------------------------------------------------------------


def test_every_amount_is_stored_as_it_is_typed(walker, table, money, owner, write):
    """A stake, a fee, a prize, a point's value, a corrected stake, a payment, an expense, a starting balance."""
    amounts = {"stake": STAKE, "reentry_fee": FEE, "cut_prize": PRIZE}
    values = {key: money.input_text(amount) for key, amount in amounts.items()}
    first = begin(walker, table, "chinchon", settlement="pot", **values)
    assert amounts == {key: first.state().house[key] for key in amounts}
    assert 4 * STAKE == pot_amount(first.state())

    second = begin(walker, table, "loba_mas", settlement="pairs", point_value=money.input_text(VALUE))
    assert VALUE == second.state().house["point_value"]

    open_form(walker, "correct-rules", first.code)
    walker.send("See changes", {"option-stake": money.input_text(OTHER_STAKE)})
    walker.send("Save", {})
    assert {**amounts, "stake": OTHER_STAKE} == {key: first.state().house[key] for key in amounts}

    open_form(walker, "opening-balances", table.code)
    values = {
        "amount-ana": money.input_text(BALANCE),
        "amount-beto": money.input_text(BALANCE),
        "side-beto": "owes",
    }
    walker.send("Save", values)
    assert {"ana": BALANCE, "beto": -BALANCE, "caro": 0, "dani": 0} == load_balances(table)

    open_form(walker, "accounts", table.code)
    walker.send("Record the payment", {"payer": "beto", "payee": "ana", "amount": money.input_text(PAID)})
    assert PAID == table.payments.latest("pk").amount

    open_form(walker, "accounts", table.code)
    walker.send("Record the expense", {"payer": "beto", "amount": money.input_text(COST)})
    assert COST == SharedCost.objects.get().amount


def test_a_wrong_amount_is_refused_at_its_field_with_what_was_typed(walker, table, money):
    too_fine = money.input_text(10 ** (money.decimals + 1)) + (
        "5" if money.decimals else REGIONS[money.region][1] + "5"
    )
    sentence = (
        f"“{too_fine}” is not allowed for Stake; allowed: {money.page_text(0)} to {money.page_text(10**9)}."
        if money.decimals
        else "This table has no cents: enter a whole amount. Owners can see its smallest coin in the table settings."
    )
    open_form(walker, "new-game", table.code)
    walker.send("Show the rules of this game", {"variant": "loba_menos"})
    page = walker.send("Start", {"seat-1": "ana", "seat-2": "beto", "option-stake": too_fine})

    assert (422, sentence) == (walker.status, page.said_at("option-stake"))
    assert too_fine == page.typed("option-stake")
    assert not Game.objects.exists()


# --- shown ------------------------------------------------------------------------------------------------------------


def test_every_page_writes_amounts_as_in_the_tables_region(walker, table, money, owner, write, pay):
    """A night with a finished Chinchón and a running one, a payment, an expense and a previewed correction."""
    amounts = {"stake": STAKE, "reentry_fee": FEE, "cut_prize": PRIZE}
    options = {key: money.input_text(amount) for key, amount in amounts.items()}
    first = begin(walker, table, "chinchon", settlement="pot", **options)
    write(first, *parse_line("round ana cut ana=1 beto=101 caro=20 dani=30"))
    write(first, PlayerStayedOut("beto"))
    write(first, *parse_line("round ana cut ana=1 caro=101 dani=101"))
    second = begin(
        walker, table, "loba_menos", stake=money.input_text(OTHER_STAKE), reentry_fee=money.input_text(FEE)
    )
    write(second, build_round("ana", beto=105, caro=5, dani=9))
    open_form(walker, "accounts", table.code)
    walker.send("Record the payment", {"payer": "caro", "payee": "ana", "amount": money.input_text(PAID)})
    open_form(walker, "accounts", table.code)
    walker.send("Record the expense", {"payer": "beto", "amount": money.input_text(COST)})

    pages = dict(page_texts(walker, table, (first, second)))
    open_form(walker, "correct-rules", second.code)
    pages["changes"] = visible_text(walker.send("See changes", {"option-stake": money.input_text(STAKE)}))

    assert {} == {place: strange for place, text in pages.items() if (strange := money.misformatted_in(text))}
    known = (STAKE, FEE, PRIZE, OTHER_STAKE, PAID, COST, 4 * STAKE, 4 * OTHER_STAKE)
    coins = [str(amount) for amount in known] if money.decimals else []
    assert {} == {
        place: bare for place, text in pages.items() if (bare := [coin for coin in coins if coin in text])
    }
    expected = {
        "home": 4 * OTHER_STAKE, f"rules {first.code}": STAKE, f"rules {second.code}": FEE,
        f"settlement {first.code}": 4 * STAKE,
        f"sheet {second.code}": 4 * OTHER_STAKE, f"board {second.code}": 4 * OTHER_STAKE,
        f"reentry {second.code}": FEE, "changes": STAKE, "payment": PAID, "cost": COST,
    }  # fmt: skip
    assert [] == [place for place, amount in expected.items() if money.page_text(amount) not in pages[place]]
    assert {"accounts", "night", "season", "player", "account"} <= pages.keys()


def page_texts(walker: Walker, table: Table, games: tuple[Game, ...]) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every page about the table or one of its games."""
    yield "home", visible_text(read_page(walker.client.get("/")))
    for name, response in visible_pages(walker.client, table, *games):
        if response.headers["Content-Type"].startswith("text/html") and name not in OF_MANY_REGIONS:
            yield name, visible_text(read_page(response))


def visible_text(page: Node) -> str:
    """Return the texts of the page separated by bars, so that no number seems to be part of the next."""
    parts = (part if isinstance(part, str) else visible_text(part) for part in page.inside)
    return " | ".join(filter(None, (" ".join(part.replace("\u2060", "").split()) for part in parts)))
