"""The screen stays on while a game is played, and no longer."""

from __future__ import annotations

import pytest

from tests.browser.game_setup import play
from tests.browser.scorer import until

pytestmark = pytest.mark.long

# Replaces the browser's wake lock, and counts the held ones. It may answer late, as a busy phone does.
LOCKS = """
const held = new Set();
Object.assign(window, { held, asked: 0 });
const request = async () => {
    window.asked += 1;
    await new Promise((done) => setTimeout(done, window.late ?? 0));
    const lock = { released: false, release: async () => { lock.released = true; held.delete(lock); } };
    held.add(lock);
    return lock;
};
Object.defineProperty(navigator, "wakeLock", { value: { request } });
"""
LOCK_COUNT = "window.held.size"
SETTLED = 1500  # milliseconds after which a page would have requested a lock


@pytest.fixture
def screen(page, signed_in):
    """The owner's page, which counts the locks of its screen."""
    page.add_init_script(LOCKS)
    return page


def test_the_screen_stays_on_until_the_game_has_ended(screen, game, owner):
    for path in ("board/", ""):
        screen.goto(f"/g/{game.code}/{path}")
        until(screen, lambda: 1 == screen.evaluate(LOCK_COUNT))
    play(game, owner, "stop split_pot")
    until(screen, lambda: 0 == screen.evaluate(LOCK_COUNT))

    for path in ("board/", "correct/2/?hand=beto"):
        screen.goto(f"/g/{game.code}/{path}")
        screen.wait_for_timeout(SETTLED)
        assert 0 == screen.evaluate("window.asked")


def test_one_lock_is_asked_for_at_a_time_and_one_that_comes_when_the_page_was_left_is_released(screen, game):
    screen.goto(f"/g/{game.code}/")
    until(screen, lambda: 1 == screen.evaluate(LOCK_COUNT))
    screen.evaluate("""() => {
        for (const lock of window.held) lock.release();
        window.late = 1000;
        for (let i = 0; i < 3; i += 1) document.dispatchEvent(new Event("visibilitychange"));
    }""")
    screen.locator(".bar > a.icon").first.tap()
    screen.wait_for_timeout(SETTLED)

    assert (2, 0) == (screen.evaluate("window.asked"), screen.evaluate(LOCK_COUNT))
