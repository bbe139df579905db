"""A guest lends their phone: their unsent entries stay queued and invisible to the borrower."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.nights import begin, play
from tests.browser.scorer import until
from tests.browser.test_offline import LEFT_BEHIND, leave_one_refused, open_sheet
from tests.tables import make_table, make_user

PASSWORD = "tres lobas negras"
SLOW = """() => {
    const { open } = CacheStorage.prototype;
    CacheStorage.prototype.open = async function (...named) {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return open.apply(this, named);
    };
}"""


@pytest.fixture
def phone(cuttable_phone):
    """A phone whose network can be cut."""
    return cuttable_phone


@pytest.fixture
def game(table, owner):
    """The guest's game of four, after one round."""
    return play(begin(table, owner), owner, "round ana out beto=60 caro=40 dani=12")


@pytest.fixture
def other_game(table, owner):
    """Another game of the guest's."""
    return begin(table, owner)


@pytest.fixture
def otilia(live_server):
    """A user with a name, a password and a table."""
    user = make_user("otilia")
    user.set_password(PASSWORD)
    user.save()
    make_table(user, name="Mesa del club")
    return user


def sign_in(page: Page, password: str = PASSWORD) -> None:
    page.fill("[name=username]", "otilia")
    page.fill("[name=password]", password)
    page.locator("form button.go").tap()


def lend(page: Page) -> None:
    """Sign Otilia in on the phone and open her own tables."""
    page.goto("/login/")
    expect(page.locator("[name=mine][value=no]")).to_be_checked()
    sign_in(page)
    expect(page.locator("form[action='/logout/']")).to_be_visible()


def take_back(page: Page) -> None:
    page.locator("form[action='/logout/'] button").tap()
    expect(page.locator("a[href='/login/']")).to_be_visible()


def test_unsent_entries_and_drafts_are_hidden_from_the_borrower_and_restored_afterwards(
    scorer, road, owner, table, game, other_game, otilia
):
    leave_one_refused(scorer, road, owner, game)
    open_sheet(scorer, other_game)
    scorer.begin_round()
    scorer.went_out("dani")
    scorer.holds("K *")
    hands = scorer.hands()
    lend(scorer.page)

    expect(scorer.page.locator("main")).to_contain_text("Mesa del club")
    expect(scorer.page.locator("main")).not_to_contain_text(table.name)
    expect(scorer.page.locator("#kept")).to_be_hidden()
    expect(scorer.page.locator("#unsent")).to_be_hidden()
    pages, [entries, numbers], stored = scorer.page.evaluate(LEFT_BEHIND)
    assert ([], 1, 0) == (pages, entries, numbers)
    assert [] == [key for key in stored if key.startswith(("draft:", "ticks:"))]

    take_back(scorer.page)
    expect(scorer.page.locator("main")).to_contain_text(table.name)
    expect(scorer.page.locator("main")).not_to_contain_text("Mesa del club")
    expect(scorer.page.locator("#kept li")).to_contain_text("Beto 9")
    scorer.page.goto(f"/g/{other_game.code}/round/")
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    assert hands == scorer.hands()
    assert [] == [key for key in scorer.page.evaluate("Object.keys(localStorage)") if key.startswith("aside")]


def test_a_failed_sign_in_keeps_the_draft(scorer, table, game, otilia):
    scorer.page.goto(f"/g/{game.code}/round/")
    scorer.went_out("dani")
    scorer.holds("K *")
    hands = scorer.hands()
    scorer.page.goto("/login/")
    sign_in(scorer.page, "otra")
    expect(scorer.page.locator(".errors")).to_be_visible()
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    assert hands == scorer.hands()


def test_a_guest_records_their_unsent_entries_after_taking_the_phone_back(scorer, table, game, otilia):
    """The slow phone shows the pad before it has read the guest's entries."""
    scorer.page.add_init_script(f"({SLOW})()")
    scorer.page.goto(f"/g/{game.code}/round/")
    scorer.went_out("ana")
    scorer.enters(5, 9)
    lend(scorer.page)
    take_back(scorer.page)
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    scorer.opens("dani")
    scorer.counted(8)
    scorer.saves()
    scorer.sees_totals("0", "65", "49", "20")
    until(scorer.page, lambda: 3 == game.records.count())
