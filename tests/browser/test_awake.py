"""The screen stays on while a game is played, and no longer."""

from __future__ import annotations

import pytest

from tests.browser.nights import play
from tests.browser.scorer import until

# Stands in for the browser's own lock: counts those that are held.
LOCKS = """
const held = new Set();
Object.assign(window, { held, asked: 0 });
const request = async () => {
    window.asked += 1;
    const lock = { released: false, release: async () => { lock.released = true; held.delete(lock); } };
    held.add(lock);
    return lock;
};
Object.defineProperty(navigator, "wakeLock", { value: { request } });
"""
HELD = "window.held.size"
SETTLED = 1500  # milliseconds after which a page would have asked for a lock


@pytest.fixture
def screen(page, phone, owner, let_in):
    """A page of the owner that counts the locks of its screen."""
    let_in(phone, owner)
    page.add_init_script(LOCKS)
    return page


@pytest.mark.parametrize("path", ["", "board/"])
def test_the_screen_stays_on_until_the_game_has_ended(screen, game, owner, path):
    screen.goto(f"/g/{game.code}/{path}")
    until(screen, lambda: 1 == screen.evaluate(HELD))
    play(game, owner, "stop split_pot")
    until(screen, lambda: 0 == screen.evaluate(HELD))

    screen.goto(f"/g/{game.code}/{path or 'correct/2/?hand=beto'}")
    screen.wait_for_timeout(SETTLED)
    assert 0 == screen.evaluate("window.asked")
