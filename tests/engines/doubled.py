"""Every control of twelve screens of a night, tapped twice: which of them act a second time.

`walk(page)` is the report of all controls.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponseBase

from games.models import Game
from tests.browser.nights import begin, play
from tests.engines.conftest import session_of
from tests.engines.phones import Page
from tests.worlds import make_table, make_user

GAPS = (150, 300, 600)  # milliseconds between the two taps
PATIENCE = 5.0  # seconds for a request to come
QUIET = 0.3  # seconds without a request after which a page does nothing more
SEVEN, GO = "[data-digit='7']", "[data-go]"
EMPTY = "/healthz"  # a page of the site without scripts
LOOK = 0.8  # seconds after which a tap at the place of the last one counts again

# All links and buttons of a page that navigate, swap or post. Answers how many there are or, for the number of one,
# where to tap it and what it is. What a fold or another part of the page covers cannot be tapped.
CONTROLS = """async (number) => {
    const isAct = (one) => one.matches("a")
        ? !one.getAttribute("href").startsWith("#") && !one.target && one.origin === location.origin
        : !one.disabled && one.type === "submit" && one.form && one.tabIndex >= 0;
    const isShown = (one) => !one.closest("[hidden], [popover], dialog") && getComputedStyle(one).display !== "none";
    const all = [...document.querySelectorAll("#main a[href], #main button")].filter(isAct).filter(isShown);
    if (number === null) return all.length;
    const one = all[number];
    const what = (one.getAttribute("aria-label") || one.textContent).replace(/\\s+/g, " ").trim().slice(0, 40);
    for (let fold = one; fold; fold = fold.parentElement) if (fold.matches("details")) fold.open = true;
    for (let tries = 0; tries < 20; tries += 1) {
        one.scrollIntoView({ block: "center", behavior: "instant" });
        await new Promise((done) => setTimeout(done, 50));
        const { x, y, width, height } = one.getBoundingClientRect();
        const place = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
        if (one.contains(document.elementFromPoint(place.x, place.y)))
            return { ...place, what, overlays: one.matches("[data-rules]") };
    }
    return { what, x: null };
}"""

SEEN = """async (selector) => {
    for (let tries = 0; tries < 200 && !document.querySelector(selector); tries += 1)
        await new Promise((done) => setTimeout(done, 50));
    if (!document.querySelector(selector)) throw new Error(`not there: ${selector}`);
}"""


@dataclass(frozen=True)
class NightScreen:
    """A screen of a night: its name, and what makes its data and returns its path.

    Once `ready` is there, these taps lead to its `stage`.
    """

    name: str
    path: Callable[[User], str]
    ready: str = "#main h1"
    taps: tuple[str, ...] = ()
    stage: str = ""


@dataclass
class Acts:
    """The requests of navigations, swaps and posts; redirections are no acts of their own."""

    requests: list[str] = field(default_factory=list)
    posts: int = 0
    open: int = 0
    last: float = 0.0

    def wait(self, *, expects: bool = False) -> None:
        """Wait until nothing more is asked for. If something is expected, wait for it first, as on a busy machine."""
        end = time.monotonic() + PATIENCE
        while expects and not self.requests and time.monotonic() < end:
            time.sleep(0.02)
        while self.open or time.monotonic() - self.last < QUIET:
            time.sleep(0.02)


@contextmanager
def counting_acts() -> Iterator[Acts]:
    """Count what the live server is asked for."""
    acts, get_response = Acts(), BaseHandler.get_response

    def count(self: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        if not _is_act(request):
            return get_response(self, request)
        acts.open += 1
        acts.posts += request.method == "POST"
        try:
            answer = get_response(self, request)
            if not 300 <= answer.status_code < 400:
                acts.requests.append(f"{request.method} {request.path}")
            return answer
        finally:
            acts.open, acts.last = acts.open - 1, time.monotonic()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseHandler, "get_response", count)
        yield acts


def _is_act(request: HttpRequest) -> bool:
    """Return whether a tap on a link or button asks for this: no poll, preview or file."""
    headers = request.headers
    if headers.get("HX-Target") == "consequences" or request.path == EMPTY:
        return False
    return request.method == "POST" or "HX-Request" in headers or "text/html" in headers.get("Accept", "")


@dataclass
class Report:
    """The number of controls that were tapped twice, those that could not be, and those that did not act exactly once."""

    tapped: int = 0
    covered: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.tapped} controls; covered: {self.covered or 'none'}; not once: {self.wrong or 'none'}"


def walk(page: Page) -> Report:
    """Tap every control of all screens twice, with each of the gaps."""
    report = Report()
    with counting_acts() as acts:
        for screen in SCREENS:
            _walk(page, screen, acts, report)
    return report


def _walk(page: Page, screen: NightScreen, acts: Acts, report: Report) -> None:
    path, number, count = "", 0, 1
    while number < count:
        is_tapped = True
        for gap in GAPS:
            if not path:
                path = _begin(page, screen)
            _show(page, screen, path)
            count = page.run(CONTROLS, None)
            if number >= count:  # one that came late the first time
                return
            place = page.run(CONTROLS, number)
            what = f"{screen.name}: {place['what']}"
            if place["x"] is None:
                report.covered.append(what)
                is_tapped = False
                break
            acts.wait()
            acts.requests.clear()
            acts.posts = 0
            page.tap_twice(place["x"], place["y"], gap)
            acts.last = time.monotonic()
            acts.wait(expects=not place["overlays"])
            if acts.posts > 1 or len(acts.requests) != (0 if place["overlays"] else 1):
                report.wrong.append(f"{what}, {gap} ms: {acts.requests}")
            if acts.posts or not acts.requests:
                path = ""
        report.tapped += is_tapped
        number += 1


def _begin(page: Page, screen: NightScreen) -> str:
    """Sign somebody in at a new table, so that a screen is always the same, and return the path of the screen."""
    owner = make_user(f"owner-{User.objects.count()}")
    page.phone.call("sign_in", page.site + EMPTY, settings.SESSION_COOKIE_NAME, session_of(owner))
    return screen.path(owner)


def _show(page: Page, screen: NightScreen, path: str) -> None:
    page.goto(EMPTY)
    page.run("() => { sessionStorage.clear(); localStorage.clear(); }")  # no tap before, and no draft
    page.goto(path)
    page.run(SEEN, screen.ready)
    for selector in screen.taps:
        page.tap(selector)
        time.sleep(LOOK if selector == GO else 0)
    page.run(SEEN, screen.stage or screen.ready)


# --- the screens ------------------------------------------------------------------------------------------------------


def _game(owner: User, *lines: str) -> Game:
    """Begin a game for money of four people at a new table, and play these lines."""
    table = make_table(owner)
    return play(begin(table, owner, stake=100), owner, "round ana out beto=3 caro=9 dani=8", *lines)


def _ended(owner: User) -> Game:
    return _game(owner, "round beto out ana=12 caro=3 dani=20", "stop lowest_wins")


def _of_game(path: str, *lines: str) -> Callable[[User], str]:
    return lambda owner: f"/g/{_game(owner, *lines).code}/{path}"


def _of_table(path: str) -> Callable[[User], str]:
    return lambda owner: f"/t/{_ended(owner).table.code}/{path}"


def _home(owner: User) -> str:
    """Return the first page of somebody with a running game at one table, and an ended one at another."""
    _game(owner)
    _ended(owner)
    return "/"


PAD = "#entry[data-ready]"
WHOLE_ROUND = ("[data-typed]", *(SEVEN, GO) * 2, SEVEN)
TWO_BUST = "round dani out ana=1 beto=120 caro=110"
SCREENS = (
    NightScreen("home", _home),
    NightScreen("new game", _of_table("new/")),
    NightScreen("sheet", _of_game("", "round beto out ana=12 caro=3 dani=20")),
    NightScreen("round", _of_game("round/?closer=ana"), PAD, WHOLE_ROUND),
    NightScreen("re-entry", _of_game("reentry/", TWO_BUST)),
    NightScreen("correction", _of_game("correct/2/?hand=beto"), PAD),
    NightScreen("changes", _of_game("correct/2/?hand=beto"), PAD, (SEVEN, GO), "#changes"),
    NightScreen("more", _of_game("more/")),
    NightScreen("result", lambda owner: f"/g/{_ended(owner).code}/settlement/"),
    NightScreen("accounts", _of_table("accounts/")),
    NightScreen("payment", _of_table("pay/?payer=dani&payee=ana&amount=50")),
    NightScreen("table", _of_table("")),
)
