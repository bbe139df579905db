"""A table outgrows a folder without a server: it moves to a site, goes on there on two phones, and comes back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games.models import Method, Role, Table
from games.money.payments import pay
from games.notebook.books.audit import check_table
from games.notebook.fingerprints import fingerprint_of
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.people.invitations import LASTS, make_invite
from tests.browser.network import UNREACHED
from tests.folders import BOOT, POST, Host
from tests.full_tables import FullTable, fill
from tests.tables import a_key, history_in, make_user, start_with, with_new_codes

pytestmark = pytest.mark.django_db

PATIENCE = 10_000
READ = "async (path) => (await fetch(path)).text()"
REFUSED = "status of (409|422)"
MOVED = "Esta mesa se mudó"


@pytest.fixture
def host(folder_app) -> Iterator[Host]:
    """The server of the folder's files."""
    host = Host(folder_app)
    expect.set_options(timeout=BOOT)
    yield host
    expect.set_options(timeout=PATIENCE)
    host.stop()


class Story:
    """A game under way at a table with three nights, payments and a closed season, and who plays it."""

    def __init__(self) -> None:
        full = FullTable(random.Random(2), make_user("before"))
        self.table = fill(full, nights=3, games=2)
        self.game = start_with(self.table, full.owner, count=3)
        self.closer, *self.others = (player.id for player in self.game.state().players)
        self.text = with_new_codes(write_table(self.table))
        (self.code,) = (
            whole.game.code
            for whole in read_table(self.text.encode()).games
            if whole.game.key == self.game.key
        )

    def record(self, page: Page, above: str, *points: int) -> str:
        """Record a round on this phone, and return `recorded` or the page that refuses it."""
        hands = {f"hand-{player}": str(count) for player, count in zip(self.others, points, strict=True)}
        fields = {"closer": self.closer, "closing": "out", **hands}
        answer: str = page.evaluate(POST, [f"{above}g/{self.code}/round/", fields])
        return answer


def bring(page: Page, above: str, file: Path) -> None:
    """Import a file on the page for it."""
    page.goto(f"{above}import/")
    page.locator("[type=file]").set_input_files(file)
    page.locator(".dock .go").tap()
    expect(page.locator(".notice")).to_be_visible()


def save(page: Page, button: str, file: Path) -> Path:
    """Save the table's file by this button or link."""
    with page.expect_download() as download:
        page.locator(button).tap()
    download.value.save_as(file)
    return file


def move(page: Page) -> None:
    """Move the table on the page for it."""
    page.locator("form.dock .go").tap()
    expect(page.locator("#moved-to")).to_be_visible()


def test_a_table_moves_to_a_site_goes_on_on_two_phones_and_comes_back_with_all_of_it(
    open_phone, live_server, host, forgive, tmp_path
):
    forgive(UNREACHED)
    forgive(REFUSED)
    story, first = Story(), tmp_path / "first.json"
    first.write_text(story.text, encoding="utf-8")
    folder, above = open_phone(base_url=host.address(), service_workers="allow").new_page(), host.address()
    folder.goto(above)
    folder.locator("form:not([hidden]) button.go").tap()  # without names
    folder.locator("a[href$='/bring/']").wait_for(timeout=BOOT)
    bring(folder, above, first)
    assert "recorded" == story.record(folder, above, 5, 7)

    folder.goto(f"{above}programs/")  # needs a site
    folder.locator("a[href$='/move/']").tap()
    move(folder)
    there = folder.url
    moved = save(folder, "[data-saving] button", tmp_path / "moved.json")
    assert MOVED in story.record(folder, above, 1, 2)

    anas, site = open_phone().new_page(), f"{live_server.url}/"
    bring(anas, site, moved)
    address = anas.locator("#moved-here").input_value()
    assert address.startswith(f"{site}t/")
    folder.goto(there)
    folder.locator("#moved-to").fill(address)
    folder.locator("form:has(#moved-to) button").tap()
    expect(folder.locator(f".notice a[href='{address}']")).to_be_visible()
    folder.goto(f"{above}g/{story.code}/")
    expect(folder.locator(f".notice a[href='{address}']")).to_be_visible()
    assert 0 == folder.locator("a[href$='/round/']").count()

    table = Table.objects.get(code=address.split("/")[-2])
    owner = table.grants.get().user
    betos = open_phone().new_page()
    betos.goto(f"/i/{make_invite(table, Role.SCORER, lasts=LASTS['day'], by=owner)[1]}/")
    betos.locator("form .go, .dock .go").first.tap()
    betos.wait_for_url(lambda url: "/i/" not in url)
    assert ["recorded"] * 3 == [
        story.record(phone, site, *points) for phone, *points in ((anas, 5, 9), (betos, 1, 8), (anas, 3, 4))
    ]
    payer, payee = table.members.active().order_by("pk")[:2]
    pay(table, payer, payee, 700, method=Method.CASH, key=a_key(), by=owner)

    anas.goto(f"{address}move/")
    move(anas)
    back = save(anas, "a[href$='/export/table/']", tmp_path / "back.json")
    assert MOVED in story.record(betos, site, 1, 2)
    bring(folder, above, back)
    assert "recorded" == story.record(folder, above, 2, 2)

    code = there.removesuffix("move/").rstrip("/").split("/")[-1]
    page = folder.evaluate(READ, f"{above}t/{code}/export/table/")
    again = restore_table(read_table(page.encode()), key=a_key(), by=make_user("reader"))
    assert [] == check_table(again).differences == check_table(table).differences
    here, elsewhere = (history_in(one) for one in (page, write_table(Table.objects.get(pk=table.pk))))
    assert elsewhere["payments"] == here["payments"]
    running = [game["key"] for game in here["games"]].index(story.game.key)
    assert elsewhere["games"][running]["batches"] == here["games"][running]["batches"][:-1]
    assert [*elsewhere["games"][:running], *elsewhere["games"][running + 1 :]] == [
        *here["games"][:running],
        *here["games"][running + 1 :],
    ]

    folder.goto(f"{above}t/{code}/move/")  # and once more to the site, which takes what the folder recorded
    move(folder)
    bring(anas, site, save(folder, "[data-saving] button", tmp_path / "again.json"))
    table.refresh_from_db()
    folder.goto(f"{above}t/{code}/export/")
    expect(folder.locator("main")).to_contain_text(fingerprint_of(table))
    assert [] == check_table(table).differences
    assert (None, 6) == (table.moved_at, table.games.get(code=story.code).records.count())
