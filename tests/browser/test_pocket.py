"""The app carried on a phone: it opens every page of a table while the site is down."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import BrowserContext, Page, Worker, expect

from games.models import Game
from games.notebook.books.audit import check_table
from games.people.members import add_member
from games.people.users import mark_of
from games.pocket import bundle
from tests.browser.network import UNREACHED, Road
from tests.browser.nights import begin, play
from tests.browser.scorer import GO, Scorer, seat_nobody, until, write_name
from tests.browser.test_offline import cut, lead
from tests.pocket.books import MASKED, a_full_table, addresses, shown_to
from tests.pocket.bundles import served_from
from tests.tables import make_table, make_user

BOOT, PATIENCE = 180_000, 10_000  # a busy machine is slow, not wrong
SEEN = "h1 .seen"
TAKEN = "[data-pocket] [data-drop]"
NOTHING = "main > .dock a[href='']"  # only the retry link is left
CONTROLLED = "Boolean(navigator.serviceWorker.controller)"
SAID = """(change) => new Promise((resolve) => {
  const request = indexedDB.open("pocket");
  request.onupgradeneeded = () => request.result.createObjectStore("kept");
  request.onsuccess = () => {
    const store = request.result.transaction("kept", "readwrite").objectStore("kept");
    const stored = store.get("said");
    stored.onsuccess = () => {
      if (change) store.put({ ...stored.result, ...change }, "said");
      request.result.close();
      resolve(stored.result ?? {});
    };
  };
})"""
UNSENT = """async () => {
  const { person } = await self.box.get("said");
  return (await self.box.unsent(person)).facts.map((fact) => fact.key);
}"""
FULL = """() => {
  self.put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function () {
    this.put = () => {};
    queueMicrotask(() => this.transaction.abort());
  };
}"""
ASKED = """async (addresses) => {
  const bundle = await (await fetch("/pocket/bundle/")).json();
  const { ask, lead } = await import("/static/pocket/lead.js");
  await lead();
  const answers = [];
  for (const path of addresses) {
    const address = new URL(path, location.href).href;
    const { status, headers, content } = await ask(bundle, { address, headers: {} });
    const text = typeof content === "string" ? content : new TextDecoder().decode(content);
    answers.push([status, Object.fromEntries(headers), text.replace(/data-seen="[^"]*" data-copy /, "")]);
  }
  return answers;
}"""

LEFT_AT_THE_START = """async () => {
  const copyState = await self.box.get("said");
  const { ask, lead } = await import("/static/pocket/lead.js");
  await lead();
  const { put } = self.box;
  await new Promise((resolve) => {
    self.box.put = async (entries) => {
      await put(entries);
      resolve();
      await new Promise(() => {}); // the page is left before it hears that this is stored
    };
    ask(copyState, { address: location.href, headers: {} });
  });
}"""


@pytest.fixture
def road(live_server, carried):
    """The network between the phone and the site, which offers the bundle."""
    with served_from(carried):
        laid = Road(live_server.url)
        yield laid
        laid.close()


@pytest.fixture
def phone(open_phone, road, owner, let_in, forgive):
    """The owner's phone."""
    forgive(UNREACHED)
    context = open_phone(base_url=road.url, service_workers="allow")
    context.set_default_timeout(BOOT)
    let_in(context, owner)
    expect.set_options(timeout=BOOT)
    yield context
    expect.set_options(timeout=PATIENCE)


def _is_from_the_site(page: Page) -> bool:
    """Reload the page and return whether the site answered: an impatient phone shows its own page."""
    page.reload()
    return not page.locator(SEEN).count()


def take_along(page: Page) -> None:
    """Tap the offer and wait until the app is on the phone."""
    page.goto("/")
    until(page, lambda: page.evaluate(CONTROLLED))
    page.locator("[data-take]").tap()
    expect(page.locator(TAKEN)).to_be_visible(timeout=BOOT)


def leave_as_dead(page: Page) -> None:
    """Close the page as if its engine had died on starting."""
    until(page, lambda: bool(page.workers) and not page.evaluate("self.box.get('boot')"))
    page.evaluate("boot => self.box.put({ boot })", bundle.release())
    page.close()


def test_a_phone_that_carries_the_app_opens_its_tables_while_the_site_is_down(phone, road, owner, let_in):
    table = make_table(owner)
    game = play(begin(table, owner, stake=10), owner, "round ana out beto=45 caro=40 dani=12")
    page = phone.new_page()
    take_along(page)
    cut(road, page)
    page.close()

    first = phone.new_page()
    first.goto("/")  # as from the home screen
    expect(first.locator(SEEN)).to_be_visible(timeout=BOOT)
    first.locator(f"a[href='/g/{game.code}/']").tap()
    expect(first.locator("main")).to_contain_text("45")
    expect(first.locator(SEEN)).to_be_visible()

    second = phone.new_page()
    second.goto(f"/t/{table.code}/accounts/")  # by the first page's engine
    expect(second.locator(SEEN)).to_be_visible(timeout=BOOT)
    first.close()
    second.locator("header a[href]").first.tap()  # which is now the leader
    expect(second.locator(SEEN)).to_be_visible(timeout=BOOT)
    expect(second.locator("h1")).to_contain_text(table.name)

    before = second.evaluate(SAID)["etag"]
    play(game, owner, "round ana out beto=4 caro=3 dani=2")
    road.mend()
    lead(second, "/")
    until(second, lambda: before != second.evaluate(SAID)["etag"])

    second.evaluate(SAID, {"release": "the one before"})
    until(second, lambda: _is_from_the_site(second))
    expect(second.locator("[data-pocket] progress")).to_be_visible()
    expect(second.locator(TAKEN)).to_be_visible(timeout=BOOT)
    assert bundle.release() == second.evaluate(SAID)["release"]
    cut(road, second)
    second.goto(f"/t/{table.code}/season/")
    expect(second.locator(SEEN)).to_be_visible(timeout=BOOT)
    second.goto(f"/g/{game.code}/")
    expect(second.locator("main")).to_contain_text("49")

    for starts in (True, False):  # without the snapshot, and after that not at all
        leave_as_dead(second)
        second = phone.new_page()
        second.goto(f"/t/{table.code}/season/")
        expect(second.locator(SEEN if starts else NOTHING)).to_be_visible(timeout=BOOT)

    road.mend()
    other = make_user("otilia")
    make_table(other, name="Otra mesa")
    let_in(phone, other)
    lead(second, "/")
    expect(second.locator("h2 a").first).to_have_text("Otra mesa")
    until(second, lambda: not second.evaluate(SAID))
    cut(road, second)
    lead(second, f"/g/{game.code}/")
    expect(second.locator(NOTHING)).to_be_visible()


SNAPSHOT = """async ([release, change]) => {
  const cache = await caches.open(`pocket-${release}`);
  const [key] = (await cache.keys()).filter(({ url }) => url.endsWith("/snapshot"));
  if (change) await cache.put(key, new Response(change));
  return key ? (await cache.match(key)).blob().then(({ size }) => size) : 0;
}"""
HOLDS = """async ([release, ...needles]) => {
  const cache = await caches.open(`pocket-${release}`);
  const [key] = (await cache.keys()).filter(({ url }) => url.endsWith("/snapshot"));
  const latin = new TextDecoder("latin1");
  const memory = latin.decode(await (await cache.match(key)).arrayBuffer());
  return needles.map((bytes) => memory.includes(latin.decode(new Uint8Array(bytes))));
}"""
FORM_KEY = "#entry [name=key]"


def in_memory(page: Page, text: str) -> bool:
    """Return whether the snapshot has this text, in any form in which Python or SQLite store it."""
    forms = {text.encode(name) for name in ("utf-8", "utf-16-le", "utf-32-le")}
    return any(page.evaluate(HOLDS, [bundle.release(), *map(list, forms)]))


def test_a_snapshot_contains_no_users_data_and_is_not_retried_after_a_failure(phone, road, owner):
    owner.first_name = "Zoraida"
    owner.save()
    table = make_table(owner, people=("Ximena", "Ñusta", "Wanda", "Łukasz"), name="Los del jueves")
    game = begin(table, owner, stake=10)
    scorer = without_the_site(phone, road, game)
    page = scorer.page
    copy_state = page.evaluate(SAID)
    names = [owner.first_name, owner.username, table.name, *(member.name for member in table.members.all())]
    codes = [copy_state["person"], copy_state["token"], table.code, game.code]
    assert [] == [text for text in (*names, *codes) if in_memory(page, text)]
    assert in_memory(page, "Anotador")

    keys = []
    for _launch in range(2):
        page.close()
        page = phone.new_page()
        page.goto(f"/g/{game.code}/round/")
        keys.append(page.locator(FORM_KEY).get_attribute("value"))
    assert 2 == len(set(keys))
    assert page.evaluate(SNAPSHOT, [bundle.release(), None])  # no snapshot is left that could not be restored

    page.evaluate(SNAPSHOT, [bundle.release(), "no memory of any engine"])
    page.close()
    page = phone.new_page()
    page.goto(f"/t/{table.code}/season/")
    expect(page.locator(SEEN)).to_be_visible(timeout=BOOT)
    assert 0 == page.evaluate(SNAPSHOT, [bundle.release(), None])


def without_the_site(phone: BrowserContext, road: Road, game: Game) -> Scorer:
    """Download the app, open the sheet and cut the network; return the scorer on that page."""
    page = phone.new_page()
    take_along(page)
    page.goto(f"/g/{game.code}/")
    cut(road, page)
    return Scorer(page)


def open_here(scorer: Scorer, address: str) -> None:
    """Open the page at this address, from the site or from the phone."""
    scorer.page.goto(address)
    expect(scorer.page.locator("h1")).to_be_visible(timeout=BOOT)


def a_round(scorer: Scorer, closer: str, *points: int) -> None:
    """Record a round in points, starting from the sheet."""
    scorer.begin_round(closer)
    scorer.enters(*points)
    scorer.saves()


def test_entries_recorded_while_the_site_is_down_are_there_after_the_sync(
    phone, road, owner, forgive, monkeypatch
):
    monkeypatch.setattr("games.views.pocket.pocket.MOST_STEPS", 0)  # one request per fact
    forgive("status of 404")  # a game that exists only on the phone is not at the site
    table = make_table(owner)
    options: dict[str, int | str] = {"stake": 10, "reentry_price": "linear", "reentries": "unlimited"}
    game = play(begin(table, owner, **options), owner, "round ana out beto=60 caro=40 dani=12")
    online = play(
        begin(table, owner, **options),
        owner,
        *("round ana out beto=60 caro=40 dani=12", "round ana out beto=45 caro=9 dani=8", "reenter beto"),
        *("round dani out ana=12 beto=7 caro=3", "correct 3 round ana out beto=41 caro=9 dani=8"),
    )
    page = phone.new_page()
    scorer = Scorer(page)
    take_along(page)
    sheet = f"/g/{game.code}/"
    page.goto(sheet)
    cut(road, page)
    a_round(scorer, "ana", 45, 9, 8)
    expect(page.locator("h2.ask:visible")).to_have_text("¿Se reengancha Beto?")
    expect(page.locator("h1 .onlyhere")).to_have_text("• solo en este celular")
    scorer.answers("reenter")
    a_round(scorer, "dani", 12, 7, 3)
    page.close()

    scorer = Scorer(page := phone.new_page())
    open_here(scorer, "/")
    scorer.tap(f"a[href='{sheet}']")
    expect(page.locator("tbody .onlyhere")).to_have_count(3)
    scorer.opens_cell("beto", 3)
    scorer.takes_back()
    scorer.counted(1)
    scorer.sees_what_changes()
    scorer.confirms()
    page.goto(sheet)
    expected = [str(player.total) for player in online.state().players]
    scorer.sees_totals(*expected)
    assert 2 == game.records.count()

    road.mend()
    until(page, lambda: len(game.log()) == len(online.log()))
    expect(page.locator(".onlyhere")).to_have_count(0)
    scorer.sees_totals(*expected)
    assert online.log()[1:] == game.log()[1:]
    assert [] == list(check_table(table).differences)

    cut(road, page)
    a_round(scorer, "caro", 4, 5, 6)
    play(game, owner, "round dani out ana=1 beto=2 caro=3")
    road.mend()
    expect(page.locator("[data-here]")).to_contain_text("Dani")
    expect(page.locator("[data-there]")).to_contain_text("Caro")
    assert len(online.log()) + 1 == len(game.log())
    expect(page.locator("[data-outcome=instead] .tally")).to_be_visible()
    for _tap in range(2):
        scorer.tap("[data-choice=instead]")
    expect(page.locator("[data-none]")).to_be_visible()
    page.goto(sheet)
    scorer.sees_totals(*(str(player.total) for player in game.state().players))
    assert ["dani", "caro"] == [entry.closer for entry in (play.entry for play in game.state().rounds)][-2:]

    cut(road, page)
    page.goto(f"/t/{table.code}/new/")
    seat_nobody(page)
    for name in ("Ana", "Beto"):
        scorer.tap(f".chip[title='{name}']")
    write_name(scorer, "Zoe")
    scorer.tap(".dock .go")
    expect(page.locator(".score")).to_be_visible()
    add_member(table, "Zoé")  # by another phone, whose member has the id used in the game
    road.mend()
    scorer.tap("[data-choice=same]:visible")
    expect(page.locator("[data-none]")).to_be_visible()
    begun = table.games.order_by("-started_at")[0]
    assert ["ana", "beto", "zoe"] == [player.id for player in begun.state().players]
    assert [] == list(check_table(table).differences)


COME = """async () => {
  const [name] = (await caches.keys()).filter((name) => name.startsWith("pocket-"));
  const requests = name ? await (await caches.open(name)).keys() : [];
  return requests.map(({ url }) => url);
}"""
FOLLOWED = """() => {
  self.steps = [];
  self.parts = [];
  const box = document.querySelector("[data-pocket]");
  new MutationObserver(() => {
    const text = box.querySelector("[data-state]").textContent;
    if (text !== self.steps.at(-1)) self.steps.push(text);
    self.parts.push([performance.now(), box.querySelector("progress").value]);
  }).observe(box, { childList: true, subtree: true, attributes: true });
}"""
STANDS_STILL = 5_000  # milliseconds: a busy machine is slow


def test_downloading_the_app_shows_its_progress_without_standing_still(phone, road, owner):
    make_table(owner)
    page = phone.new_page()
    page.goto("/")
    until(page, lambda: page.evaluate(CONTROLLED))
    page.evaluate(FOLLOWED)
    page.locator("[data-take]").tap()
    expect(page.locator(TAKEN)).to_be_visible(timeout=BOOT)

    steps, parts = page.evaluate("[self.steps, self.parts]")
    times, values = zip(*parts, strict=True)
    assert ["Bajando…", "Preparando…"] == steps[:2]
    assert sorted(values) == [*values]
    assert STANDS_STILL > max(later - time for time, later in pairwise(times))


def test_a_download_continues_on_the_next_page_with_the_files_already_fetched(phone, road, owner):
    table = make_table(owner)
    game = begin(table, owner, stake=10)
    page = phone.new_page()
    page.goto("/")
    until(page, lambda: page.evaluate(CONTROLLED))
    page.locator("[data-take]").tap()
    until(page, lambda: any(url.endswith(".tar") for url in page.evaluate(COME)))
    come = page.evaluate(COME)
    requests = []
    phone.on("request", lambda request: requests.append(request.url))
    page.goto(f"/g/{game.code}/")  # a page without the offer
    until(page, lambda: len(page.evaluate(COME)) > len(come))
    page.goto("/")
    expect(page.locator(TAKEN)).to_be_visible(timeout=BOOT)
    assert [] == [url for url in requests if url in come and url.endswith((".tar", ".zip"))]


TWICE = """async () => {
  const { lead } = await import("/static/pocket/lead.js");
  return Promise.all([lead(), lead()]);
}"""


def test_a_window_that_requests_the_lead_twice_gets_it(page):
    page.goto("/")
    assert [True, True] == page.evaluate(TWICE)


def test_a_page_that_is_left_starts_no_engine_and_the_next_one_starts_its_own_early(phone, road, owner):
    """The leading page answers the next one, which then starts an engine before anybody taps."""
    table = make_table(owner)
    page = phone.new_page()
    take_along(page)
    page.goto("/")
    until(page, lambda: page.evaluate(CONTROLLED))
    engines = []
    page.on("worker", lambda worker: engines.append(worker))
    cut(road, page)
    page.goto(f"/t/{table.code}/season/")
    expect(page.locator(SEEN)).to_be_visible(timeout=BOOT)
    assert 1 == len(engines)

    page.goto(f"/t/{table.code}/accounts/")
    expect(page.locator(SEEN)).to_be_visible()
    until(page, lambda: 2 == len(engines))
    page.locator("header a[href]").first.tap()
    expect(page.locator("h1")).to_contain_text(table.name)
    assert (2, 1) == (len(engines), len(page.workers))


def test_a_page_left_while_its_engine_starts_does_not_block_the_next_page(phone, owner):
    make_table(owner)
    page = phone.new_page()
    take_along(page)
    page.goto("/")
    until(page, lambda: page.evaluate(CONTROLLED))
    page.evaluate(LEFT_AT_THE_START)
    page.goto("/")
    [[status, _headers, _text]] = page.evaluate(ASKED, ["/"])
    assert 200 == status


def test_a_full_storage_refuses_the_round_and_signing_out_warns_of_losses(
    phone, road, owner, let_in, forgive
):
    forgive("status of 507|Error Code 507")
    owner.set_password("tres lobas negras")
    owner.save()
    let_in(phone, owner)
    table = make_table(owner)
    game = play(begin(table, owner, stake=10), owner, "round ana out beto=6 caro=4 dani=1")
    scorer = without_the_site(phone, road, game)
    page = scorer.page
    scorer.begin_round("ana")
    scorer.enters(4, 5, 6)
    until(page, lambda: bool(page.workers))
    places: list[Page | Worker] = [page, *page.workers]
    for place in places:
        place.evaluate(FULL)
    scorer.tap(GO)
    expect(page.locator("#trouble")).to_contain_text("no hay lugar")
    assert [] == page.evaluate(UNSENT)
    for place in places:
        place.evaluate("() => { IDBObjectStore.prototype.put = self.put; }")
    scorer.saves()
    assert 1 == len(page.evaluate(UNSENT))

    play(game, owner, "round dani out ana=1 beto=2 caro=3")
    road.mend()
    expect(page.locator("#conflicts article")).to_be_visible()
    page.goto("/")
    expect(page.locator("#unsent[href='/conflicts/']")).to_be_visible()
    scorer.tap("form[action='/logout/'] button")
    expect(page.locator("form[action='/logout/'] .wrong")).to_contain_text("1")
    scorer.tap("form[action='/logout/'] button")
    expect(page.locator("form[action='/logout/']")).to_have_count(0)
    assert ({}, 3) == (page.evaluate(SAID), len(game.log()))


SLOW = """(time) => {
  const { change } = self.box;
  self.box.change = async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, time));
    return change(...given);
  };
}"""
MUTE = "() => { self.box.change = () => new Promise(() => {}); }"
WATCHED = """() => {
  self.shown = [];
  const trouble = document.getElementById("trouble");
  new MutationObserver(() => {
    const { textContent } = trouble;
    if (textContent && self.shown.at(-1) !== textContent) self.shown.push(textContent);
  }).observe(trouble, { childList: true });
}"""
STILL = "Todavía se está anotando."
LOOK = "Quizás se anote igual: mirá la planilla antes de repetirlo."


def test_a_round_is_never_called_unrecorded_while_the_engine_may_still_record_it(phone, road, owner, forgive):
    """The engine takes forty seconds for a round of the first game, and never answers for one of the
    second.
    """
    forgive("status of 504|Error Code 504")
    table = make_table(owner)
    first, second = (begin(table, owner, stake=10) for _game in range(2))
    scorer = without_the_site(phone, road, first)
    page = scorer.page
    scorer.begin_round("ana")
    scorer.enters(4, 5, 6)
    until(page, lambda: bool(page.workers))
    page.workers[0].evaluate(SLOW, 40_000)
    page.evaluate(WATCHED)
    scorer.tap(GO)
    trouble = page.locator("#trouble")
    expect(trouble).to_have_text(STILL)
    scorer.sees_totals("0", "4", "5", "6")
    expect(trouble).to_be_hidden()
    assert [STILL] == page.evaluate("self.shown")
    assert 1 == len(page.evaluate(UNSENT))

    lead(page, f"/g/{second.code}/")
    scorer.begin_round("ana")
    scorer.enters(7, 8, 9)
    until(page, lambda: bool(page.workers))
    page.workers[0].evaluate(MUTE)
    phone.service_workers[0].evaluate("() => { self.pocket.saves = 20_000; }")  # longer than a page waits
    page.evaluate(WATCHED)
    scorer.tap(GO)
    expect(trouble).to_have_text(LOOK)
    assert [STILL, LOOK] == page.evaluate("self.shown")
    expect(page.locator("#entry [data-go]:not([aria-busy])")).to_be_enabled()
    assert ["0", "7", "8", "9"] == scorer.hands()
    assert 1 == len(page.evaluate(UNSENT))


SLUGGISH = """(time) => {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (...given) {
    setTimeout(() => postMessage.apply(this, given), time);
  };
}"""
OPENING = "Abriendo lo de este celular…"


def test_a_slow_phone_shows_that_the_page_is_being_opened(phone, road, owner):
    """Its engine needs longer than a page waits for the site."""
    table = make_table(owner)
    game = begin(table, owner, stake=10)
    scorer = without_the_site(phone, road, game)
    page = scorer.page
    page.evaluate(SLUGGISH, 20_000)
    page.evaluate(WATCHED)
    scorer.begin_round("ana")
    assert [OPENING] == page.evaluate("self.shown")
    expect(page.locator("#trouble")).to_be_hidden()


DYING = """(isKept) => {
  const { change } = self.box;
  self.box.change = async (...given) => {
    if (isKept) await change(...given);
    setTimeout(() => { throw new Error("out of memory"); });
    return new Promise(() => {});
  };
}"""
QUEUED = """async () => {
  const { person } = await self.box.get("said");
  return (await self.box.unsent(person)).queued.map((fact) => fact.form);
}"""


def test_a_round_is_queued_or_shown_depending_on_whether_the_engine_stored_it_before_dying(
    phone, road, owner, forgive
):
    """The engine dies before it stored a round, which is then queued, and after it stored one, which the
    sheet shows.
    """
    forgive("status of 502|Error Code 502|out of memory")
    table = make_table(owner)
    games = [begin(table, owner, stake=10) for _game in range(2)]
    scorer = without_the_site(phone, road, games[0])
    page = scorer.page
    for game, is_kept in zip(games, (False, True), strict=True):
        lead(page, f"/g/{game.code}/")
        scorer.begin_round("ana")
        scorer.enters(4, 5, 6)
        until(page, lambda: bool(page.workers))
        page.workers[0].evaluate(DYING, is_kept)
        scorer.tap(GO)
        if not is_kept:
            expect(page.locator("#waiting:not([hidden])")).to_be_visible()
            assert (["round"], []) == (page.evaluate(QUEUED), page.evaluate(UNSENT))
    scorer.sees_totals("0", "4", "5", "6")
    assert (["round"], 1) == (page.evaluate(QUEUED), len(page.evaluate(UNSENT)))


REFRESHED = """async (status) => {
  const { fetch: real } = self;
  await self.box.put({ said: { person: "somebody", etag: "one" } });
  self.fetch = async () => new Response("", { status });
  await self.outbox.refresh().catch(() => {});
  self.fetch = real;
  return Boolean(await self.box.get("said"));
}"""


def test_only_lost_access_deletes_the_copy(open_phone):
    page = open_phone().new_page()
    page.goto("/")

    kept = {status: page.evaluate(REFRESHED, status) for status in (400, 401, 403, 404, 429, 500, 503)}

    assert [400, 429, 500, 503] == [status for status, is_kept in kept.items() if is_kept]


COUNTED = """() => {
  self.requests = 0;
  self.addEventListener("message", () => { self.requests += 1; });
}"""
POLLS = 3 * 2_000  # milliseconds


def test_an_open_sheet_sends_the_engine_no_requests_until_something_is_saved(phone, road, owner):
    table = make_table(owner)
    game = begin(table, owner, stake=10)
    scorer = without_the_site(phone, road, game)
    page = scorer.page
    a_round(scorer, "ana", 4, 5, 6)
    page.wait_for_timeout(POLLS)
    page.workers[0].evaluate(COUNTED)
    page.wait_for_timeout(POLLS)
    assert 0 == page.workers[0].evaluate("self.requests")

    other = Scorer(phone.new_page())
    open_here(other, f"/g/{game.code}/")
    a_round(other, "beto", 1, 2, 3)
    scorer.sees_totals("1", "4", "7", "9")


def test_home_lists_offline_only_games_that_can_be_opened(phone, road, owner, monkeypatch):
    """One game is in the copy; another one, of a table too large for the copy, has a cached page."""
    monkeypatch.setattr("games.pocket.copying.MOST_GAMES", 1)
    large, small = (make_table(owner, name=name) for name in ("La grande", "La chica"))
    seen, unseen = (begin(large, owner, stake=10) for _game in range(2))
    carried = play(begin(small, owner, stake=10), owner, "round ana out beto=45 caro=40 dani=12")
    page = phone.new_page()
    page.goto("/")
    until(page, lambda: page.evaluate(CONTROLLED))
    page.goto(f"/g/{seen.code}/")
    take_along(page)
    cut(road, page)
    page.close()

    page = phone.new_page()
    page.goto("/")
    expect(page.locator("#onphone a.tile")).to_have_count(1)
    assert [f"/g/{game.code}/" for game in (carried, seen)] == page.locator(
        "a.tile[href^='/g/']"
    ).evaluate_all("tiles => tiles.map(tile => tile.pathname)")
    expect(page.locator("main")).not_to_contain_text("no está en este celular")
    for game in (carried, seen):
        lead(page, "/")
        page.locator(f"a.tile[href='/g/{game.code}/']").tap()
        expect(page.locator(".score")).to_be_visible()
    assert not page.locator(f"a[href='/g/{unseen.code}/']").count()


@pytest.mark.long
def test_every_page_of_the_engine_equals_the_sites_byte_for_byte(phone, owner, tmp_path):
    table = a_full_table(owner)
    places = [place for _name, place in addresses(table)]
    page = phone.new_page()
    take_along(page)
    here = page.evaluate(ASKED, places)
    with served_from(tmp_path):  # where no bundle is offered
        there = shown_to(owner, places)

    assert there == {
        place: (
            status,
            {name: value for name, value in headers.items() if name in ("Location", "Content-Type")},
            MASKED.sub("-", text).replace(mark_of(owner), "MARK"),
        )
        for place, (status, headers, text) in zip(places, here, strict=True)
    }


TOO_OLD = """
  const { RegExp: Old } = self;
  self.RegExp = new Proxy(Old, { construct(target, [pattern, ...flags]) {
    if (String(pattern).includes("(?<=")) throw new SyntaxError("invalid group specifier name");
    return new target(pattern, ...flags);
  } });
"""


def test_a_browser_too_old_for_the_engine_is_told_before_a_download(phone, owner):
    make_table(owner)
    phone.add_init_script(TOO_OLD)
    page = phone.new_page()
    page.goto("/")
    offer = page.locator("[data-pocket]")
    expect(offer.locator("[data-state]")).to_have_text(
        "Para esto hace falta un navegador más nuevo: Safari 16.4, Chrome 111 o Firefox 121."
    )
    expect(offer.locator("button:visible")).to_have_count(0)
    expect(page.locator(".too-old")).to_be_hidden()
