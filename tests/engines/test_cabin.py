"""A table is opened in a cabin, while the site's process is dead, and joins the site in the valley, on each engine."""

from __future__ import annotations

import json
import random
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Timer

import pytest

from games.pocket import bundle
from tests.engines.conftest import open_kept
from tests.engines.disturbed import DISTURB
from tests.engines.phones import Page, until
from tests.engines.test_carrying import BOOT, TAKEN, comes
from tests.engines.test_stories import GO, READY, begins_round, counted, sees_totals
from tests.outside import Site

pytestmark = [pytest.mark.long, pytest.mark.django_db]

DAY = 86_400_000  # milliseconds
ONLY_HERE, CONFLICT = "h1 .onlyhere", "#conflicts article"
PERSON = """
import json, sys, django
django.setup()
from django.test import Client
from games.people.guests import make_guest
from tests.tables import make_user
user = make_guest() if sys.argv[1] == "guest" else make_user(sys.argv[1])
if sys.argv[1] != "guest":
    user.set_password("tres lobas negras")
    user.save()
client = Client()
client.force_login(user)
print(json.dumps([user.pk, client.cookies["sessionid"].value]))
"""
TABLES = """
import json, sys, django
django.setup()
from games.models import Table
from games.notebook.books.audit import check_table
from games.scoring.text.writing import write_event
tables = []
for table in Table.objects.filter(name__startswith=sys.argv[1]).order_by("created_at"):
    games = [
        {
            "code": game.code,
            "events": [write_event(event) for event in game.log()],
            "days": [str(record.recorded_at.date()) for record in game.records.order_by("number")],
        }
        for game in table.games.order_by("pk")
    ]
    assert not list(check_table(table).differences)
    tables.append({
        "code": table.code, "name": table.name, "unit": table.unit, "zone": table.timezone,
        "owners": [grant.user_id for grant in table.grants.standing().filter(role="owner")],
        "people": [member.name for member in table.members.all()],
        "paid": [[one.payer.slug, one.payee.slug, one.amount] for one in table.payments.order_by("pk")],
        "games": games,
    })
print(json.dumps(tables))
"""
MEANWHILE = """
import json, sys, django
django.setup()
from django.contrib.auth.models import User
from games.models import Game, Grant
from games.people.owners import hand_over
from games.people.removals import put_out, undo_removal
from tests.browser.nights import play
from tests.tables import let_in_as, make_user
what, code = sys.argv[1:3]
game = Game.objects.get(code=code)
bea = User.objects.filter(username="bea").first() or make_user("bea")
if what == "plays":
    let_in_as(bea, game.table, "owner")
    play(game, bea, "round beto out ana=9 zoe=9")
ana = Grant.objects.filter(table=game.table).exclude(user=bea).get()
if what == "removes":
    hand_over(bea.grants.get(), by=ana.user)
    put_out(ana, by=bea)
if what == "restores":
    undo_removal(ana.removal, by=bea)
print(json.dumps(None))
"""
TEN_TABLES = """
import json, sys, django
django.setup()
from django.contrib.auth.models import User
from tests.tables import make_table
for number in range(10):
    make_table(User.objects.get(pk=sys.argv[1]), people=(), name=f"Vieja {number}")
print(json.dumps(None))
"""
TAKES = """
import json, sys, django
django.setup()
from games.models import Table
from tests.tables import make_table, make_user
Table.objects.filter(pk=make_table(make_user("sara"), name="Otra").pk).update(code=sys.argv[1])
print(json.dumps(None))
"""
UNSENT = """async () => {
  const person = document.getElementById("main").dataset.person ?? localStorage.getItem("person");
  const { facts, queued, held } = await self.box.unsent(person);
  return [facts.length + queued.length, held.length];
}"""
PAY = """async (place) => {
  const { token } = await (await fetch("/token/")).json();
  const fields = { payer: "beto", payee: "ana", amount: "50", method: "cash", key: "paid" };
  const body = new URLSearchParams({ ...fields, csrfmiddlewaretoken: token });
  return (await fetch(`${place}accounts/pay/`, { method: "POST", body })).ok;
}"""
IS_CONTROLLED = "() => Boolean(navigator.serviceWorker.controller)"


@pytest.fixture(scope="session")
def new_site(tmp_path_factory, carried):
    """A site without people, which offers the bundle."""
    site = _site_in(tmp_path_factory.mktemp("new") / "data", carried)
    assert 0 == site.manage("migrate", "-v0").returncode
    return site


@pytest.fixture
def site(tmp_path, new_site):
    """A site in a process of its own, which a test kills and starts again."""
    site = _site_in(shutil.copytree(new_site.folder, tmp_path / "data"), new_site.static)
    site.start()
    yield site
    site.stop()
    assert 0 == site.manage("check_books").returncode


def _site_in(folder: Path, static: Path) -> Site:
    return Site(folder, static, variables={"DJANGO_SETTINGS_MODULE": "tests.engines.disturbed"})


class Cabin:
    """The phone of a person without a table, who took the app along."""

    def __init__(self, phone, site: Site, name: str = "ana") -> None:
        self.site = site
        self.person, session = site.asked(PERSON, name)
        self.page: Page = open_kept(phone, f"http://localhost:{site.port}", session)
        self.takes_the_app()

    def takes_the_app(self) -> None:
        self.page.goto("/")
        self.page.until(IS_CONTROLLED)
        self.page.tap("[data-take]")
        comes(self.page, TAKEN)

    def opens(self, path: str, selector: str = "h1") -> None:
        """Open a page, from the site or from the phone, whose engine starts again."""
        self.page.goto(path)
        comes(self.page, selector)

    def opens_a_table(self, name: str, *people: str) -> str:
        """Open a table with a first game, from the home page's link on; return the path of its sheet."""
        self.opens("/new/", "[data-add] input")
        for person in people or ("Ana", "Beto", "Zoe"):
            self.page.write("[data-add] input", person)
            self.page.tap("[data-add] button")
        self.page.write("#table-name", name)
        self.page.taps("[data-to='1000']", ".dock .go")
        comes(self.page, ".score")
        return str(self.page.run("() => location.pathname"))

    def plays(self, closer: str, *points: int) -> None:
        """Record a round in points, starting from the sheet."""
        comes(self.page, f".closers [data-closer={closer}]")
        begins_round(self.page, closer)
        for number in points:
            counted(self.page, number)
            self.page.tap(GO)
        comes(self.page, ".score, #standings")

    def disturbs(self, **how: object) -> None:
        """Disturb the engine from now on."""
        self.page.run(DISTURB, how)

    def a_day_passes(self) -> None:
        """Start the site again, a day later by its clock."""
        self.site.stop()
        self.site.variables = {**self.site.variables, "DAYS_LATER": "1"}
        self.site.comes_back()

    def sends(self) -> None:
        """Wait until nothing is left to send."""
        self.page.goto("/")
        until(lambda: self.page.run(UNSENT)[0] == 0, lambda: str(self.page.run(UNSENT)), patience=BOOT)

    def tables(self, name: str) -> list[dict]:
        """Return the tables at the site whose name begins like this."""
        tables: list[dict] = self.site.asked(TABLES, name)
        return tables


@pytest.fixture
def cabin(phone, site):
    return Cabin(phone, site)


def test_two_nights_in_a_cabin_are_at_the_site_once_and_the_table_is_its_openers(cabin, site):
    site.stop()
    cabin.disturbs(shift=-2 * DAY)
    sheet = cabin.opens_a_table("La cabaña")
    cabin.plays("ana", 8, 9)
    cabin.plays("zoe", 7, 6)
    cabin.page.picture("cabin-sheet")
    cabin.page.tap("a.cell[href*='/correct/2/?hand=beto']")
    cabin.page.until(READY)
    cabin.page.taps("[data-erase]", "[data-digit='3']", GO, "button[name=confirm]")
    sees_totals(cabin.page, "7", "9", "9")

    cabin.disturbs(shift=-DAY)
    cabin.opens(sheet)  # the next evening, the engine starts again
    cabin.plays("beto", 120, 130)
    comes(cabin.page, "#standings")
    cabin.page.picture("cabin-result")
    cabin.page.tap("[id^=tick-]")
    comes(cabin.page, "#payments .pay.done")
    assert [] == cabin.tables("La cabaña")

    site.comes_back()
    cabin.sends()
    (table,) = cabin.tables("La cabaña")
    (game,) = table["games"]
    assert [cabin.person] == table["owners"]
    assert ["Ana", "Beto", "Zoe"] == table["people"]
    assert f"/g/{game['code']}/" == sheet
    assert ["game", "round", "round", "correct", "round"] == [line.split()[0] for line in game["events"]]
    assert 2 == len(set(game["days"]))
    assert 1 == len(table["paid"])
    cabin.opens(f"/t/{table['code']}/invites/")
    assert [] == cabin.page.texts(ONLY_HERE)


def test_another_phones_rounds_meanwhile_and_an_access_that_ended_while_a_conflict_is_held(cabin, site):
    site.stop()
    cabin.opens("/")
    sheet = cabin.opens_a_table("La cabaña")
    cabin.plays("ana", 8, 9)
    site.comes_back()
    cabin.sends()
    cabin.opens(sheet)

    site.stop()
    cabin.plays("zoe", 7, 6)
    code = sheet.split("/")[2]
    site.asked(MEANWHILE, "plays", code)
    site.comes_back()
    cabin.sends()
    cabin.opens("/conflicts/", CONFLICT)
    site.asked(MEANWHILE, "removes", code)
    cabin.page.tap("[data-choice=behind]")
    comes(cabin.page, "[data-rescue]")
    assert [0, 1] == cabin.page.run(UNSENT)
    site.asked(MEANWHILE, "restores", code)
    cabin.page.tap("[data-choice=again]")
    comes(cabin.page, "[data-none]")
    (table,) = cabin.tables("La cabaña")
    assert ["round ana", "round beto", "round zoe"] == [
        " ".join(line.split()[:2]) for line in table["games"][0]["events"][1:]
    ]


def test_a_table_too_many_in_a_day_is_held_and_goes_up_by_a_tap_or_by_itself(cabin, site):
    site.asked(TEN_TABLES, cabin.person)
    site.stop()
    cabin.opens("/")
    for name in ("Cabaña uno", "Cabaña dos"):
        cabin.opens_a_table(name)
        cabin.plays("ana", 8, 9)
    site.comes_back()
    cabin.sends()
    assert [] == cabin.tables("Cabaña")
    cabin.opens("/conflicts/", CONFLICT)
    cabin.page.sees(f"{CONFLICT} [data-title]", "Cabaña uno", "Cabaña dos")
    assert "En un día se pueden abrir 10 mesas como mucho." in cabin.page.texts("[data-why]")[0]
    cabin.page.picture("cabin-held")
    assert [0, 2] == cabin.page.run(UNSENT)

    cabin.a_day_passes()
    cabin.page.tap("[data-choice=again]")
    cabin.page.sees(f"{CONFLICT} [data-title]", "Cabaña dos")
    cabin.page.run("""async () => {
      const person = document.getElementById("main").dataset.person ?? localStorage.getItem("person");
      await self.box.changeUnsent(person, (unsent) => {
        for (const held of unsent.held) held.until = Date.now() - 1;
        return { unsent };
      });
    }""")
    cabin.sends()
    assert [0, 0] == cabin.page.run(UNSENT)
    assert ["Cabaña uno", "Cabaña dos"] == [table["name"] for table in cabin.tables("Cabaña")]
    assert [2, 2] == [len(table["games"][0]["events"]) for table in cabin.tables("Cabaña")]


def test_a_phone_without_room_opens_no_table_and_says_so_and_its_form_stays(cabin, site, forgiven):
    forgiven.append("507")
    site.stop()
    cabin.opens("/new/", "[data-add] input")
    cabin.page.tap(".games .chip:has([value=loba_mas])")  # which starts the engine of this window
    cabin.page.until("() => document.querySelector('[name=shown]').value === 'loba_mas'")
    cabin.disturbs(isFull=True)
    for person in ("Ana", "Beto"):
        cabin.page.write("[data-add] input", person)
        cabin.page.tap("[data-add] button")
    cabin.page.write("#table-name", "La cabaña")
    cabin.page.tap(".dock .go")
    until(
        lambda: "Este celular está lleno." in " ".join(cabin.page.texts("#trouble")),
        lambda: "#trouble",
        patience=BOOT,
    )
    assert [0, 0] == cabin.page.run(UNSENT)
    assert "La cabaña" == cabin.page.run("() => document.getElementById('table-name').value")
    cabin.disturbs(isFull=False)
    cabin.page.tap(".dock .go")
    comes(cabin.page, ".score")
    site.comes_back()
    cabin.sends()
    assert 1 == len(cabin.tables("La cabaña"))


@pytest.mark.parametrize("days", [-1, 1])
def test_a_phone_whose_clock_is_a_day_off_loses_nothing_and_nothing_is_later_than_now(cabin, site, days):
    site.stop()
    cabin.disturbs(shift=days * DAY)
    cabin.opens_a_table("La cabaña")
    cabin.plays("ana", 8, 9)
    cabin.plays("zoe", 120, 130)
    site.comes_back()
    cabin.sends()
    (table,) = cabin.tables("La cabaña")
    (game,) = table["games"]
    assert 3 == len(game["events"])
    today = datetime.now(UTC).date()
    expected = today + timedelta(days=min(days, 0))
    assert {str(expected)} == set(game["days"])


def test_a_release_between_takes_the_table_first_and_then_its_own_app(cabin, site):
    site.stop()
    cabin.opens("/")
    cabin.opens_a_table("La cabaña")
    cabin.plays("ana", 8, 9)
    release = "async () => (await self.box.get('said')).release"
    before = cabin.page.run(release)
    index = Path(site.static, "carried", bundle.INDEX)
    index.write_text(json.dumps({**json.loads(index.read_text()), "again": True}), encoding="ascii")
    site.comes_back()
    cabin.sends()
    cabin.page.goto("/")
    until(lambda: cabin.page.run(release) != before, lambda: before, patience=BOOT)
    (table,) = cabin.tables("La cabaña")
    assert 2 == len(table["games"][0]["events"])
    site.stop()
    cabin.opens(f"/t/{table['code']}/", "h1 .seen")


def test_a_code_that_another_table_has_by_now_is_followed_by_every_page_and_form(cabin, site):
    site.stop()
    cabin.opens("/")
    sheet = cabin.opens_a_table("La cabaña")
    cabin.plays("ana", 120, 130)
    comes(cabin.page, "#standings")
    cabin.opens("/")
    place = str(cabin.page.run("() => document.querySelector('a.placename').pathname"))
    site.asked(TAKES, place.split("/")[2])
    beside = cabin.page.phone.open(cabin.page.site)
    beside.goto(f"{place}season/")
    comes(beside, ONLY_HERE)
    site.comes_back()
    cabin.sends()
    (table,) = cabin.tables("La cabaña")
    assert place != f"/t/{table['code']}/"
    until(lambda: table["code"] in beside.run("() => location.pathname"), lambda: "the old code")
    comes(beside, "h1")
    cabin.opens(f"{place}accounts/")
    assert f"/t/{table['code']}/accounts/" == cabin.page.run("() => location.pathname")
    cabin.page.run(PAY, place)
    assert [["beto", "ana", 50]] == cabin.tables("La cabaña")[0]["paid"]
    cabin.opens(sheet)
    assert sheet == cabin.page.run("() => location.pathname")


def test_a_lent_phone_shows_nothing_of_a_table_that_is_held(phone, site):
    cabin = Cabin(phone, site, "guest")
    site.asked(PERSON, "otilia")
    site.asked(TEN_TABLES, cabin.person)
    site.stop()
    cabin.opens("/")
    cabin.opens_a_table("La cabaña")
    site.comes_back()
    cabin.sends()
    assert [0, 1] == cabin.page.run(UNSENT)

    cabin.opens("/login/", "[name=username]")
    cabin.page.write("[name=username]", "otilia")
    cabin.page.write("[name=password]", "tres lobas negras")
    cabin.page.tap("form button.go")
    comes(cabin.page, "form[action='/logout/']")
    assert [0, 0] == cabin.page.run(UNSENT)
    cabin.page.goto("/")
    assert [] == cabin.page.texts("#unsent:not([hidden])")
    cabin.a_day_passes()
    cabin.page.tap("form[action='/logout/'] button")
    comes(cabin.page, "a[href='/login/']")
    assert [0, 1] == cabin.page.run(UNSENT)
    cabin.opens("/conflicts/", CONFLICT)
    cabin.page.tap("[data-choice=again]")
    comes(cabin.page, "[data-none]")
    (table,) = cabin.tables("La cabaña")
    assert [cabin.person] == table["owners"]


def test_signing_out_sends_the_table_first_or_warns_of_the_loss(cabin, site):
    site.asked(TEN_TABLES, cabin.person)
    site.stop()
    cabin.opens("/")
    cabin.opens_a_table("La cabaña")
    cabin.opens("/")
    site.comes_back()
    cabin.sends()
    cabin.page.tap("form[action='/logout/'] button")
    comes(cabin.page, "form[action='/logout/'] .wrong")
    assert "5" in cabin.page.texts("form[action='/logout/'] .wrong")[0]  # the table, three people and a game
    cabin.a_day_passes()
    cabin.opens("/conflicts/", CONFLICT)
    cabin.page.tap("[data-choice=again]")
    comes(cabin.page, "[data-none]")
    cabin.opens("/")
    cabin.page.tap("form[action='/logout/'] button")
    comes(cabin.page, "a[href='/login/']")
    assert 1 == len(cabin.tables("La cabaña"))


def test_a_server_killed_while_it_takes_the_table_has_it_once_in_the_end(cabin, site):
    chance = random.Random(9)
    site.stop()
    cabin.opens("/")
    cabin.opens_a_table("La cabaña")
    for _round in range(6):
        cabin.plays("ana", 1, 2)
    for _kill in range(4):
        site.comes_back()
        end = Timer(chance.uniform(0.02, 0.5), site.kill)
        end.start()
        cabin.page.run("() => self.outbox.send().catch(() => 1)")
        end.join()
    site.comes_back()
    cabin.sends()
    (table,) = cabin.tables("La cabaña")
    assert [cabin.person] == table["owners"]
    assert [7] == [len(game["events"]) for game in table["games"]]
