"""Someone who neither sees nor touches the screen: a keyboard, the accessibility tree, and what is said.

listener = Listener(page)
listener.opens("/g/abc/")
listener.presses("link Beto")     # Tab until the focus is on it, then Enter
assert "link Beto" == listener.focus
assert ["Round 1: Beto went out."] == listener.hears()
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.scorer import plain, until

MAX_STOPS = 80
PATIENCE = 150  # tenths of a second; a busy machine is slow, not wrong
# Reports the text of each live region after it has changed, as a screen reader does.
LISTEN = """() => {
    const LIVE = "[role=status], [role=alert], [aria-live]:not([aria-live=off]), output";
    const last = new WeakMap();
    const begin = () => new MutationObserver((records) => {
        const regions = new Set();
        for (const { target } of records) {
            const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
            const region = element?.closest(LIVE);
            if (region) regions.add(region);
        }
        for (const region of regions) {
            const text = region.checkVisibility() ? region.textContent.trim() : "";
            if (text && text !== last.get(region)) window.said(text);
            last.set(region, text);
        }
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden"] });
    begin();
}"""
SCRIPTS_ANSWER = "() => document.documentElement.dataset.scripts === 'ready'"


class Listener:
    """A screen reader's user on this page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._said: list[str] = []
        self._session = page.context.new_cdp_session(page)
        page.expose_function("said", lambda text: self._said.append(text))
        page.add_init_script(f"({LISTEN})()")

    def opens(self, address: str) -> None:
        self.page.goto(address)
        expect(self.page.locator("h1")).to_be_visible()
        self.page.wait_for_function(SCRIPTS_ANSWER)

    # --- where the focus is -----------------------------------------------------------------------------------

    @property
    def focus(self) -> str:
        """The role and name of the element with the focus, such as `button Beto`."""
        node = self._focused_node()
        role, name = node["role"]["value"], plain(node.get("name", {}).get("value", ""))
        return f"{role} {name}".strip()

    def _focused_node(self) -> dict[str, Any]:
        element = self._session.send("Runtime.evaluate", {"expression": "document.activeElement"})
        tree = self._session.send(
            "Accessibility.getPartialAXTree",
            {"objectId": element["result"]["objectId"], "fetchRelatives": False},
        )
        node: dict[str, Any] = tree["nodes"][0]
        return node

    def arrives(self, focus: str) -> None:
        """Wait until the focus is on this role and name; a name may go on."""
        last: list[str] = []

        def is_there() -> bool:
            last[:] = [self.focus]
            return last[0].startswith(focus)

        try:
            until(self.page, is_there, tries=PATIENCE)
        except AssertionError:
            raise AssertionError(f"{focus!r} expected, the focus is on {last[0]!r}") from None

    # --- the keyboard -----------------------------------------------------------------------------------------

    def walks_to(self, control: str) -> int:
        """Press Tab until the focus is on a control that begins like `link Beto`, and return how often."""
        passed: list[str] = []
        while not self.focus.startswith(control):
            assert len(passed) < MAX_STOPS, f"no Tab leads to {control}: {passed}"
            passed.append(self.focus)
            self.page.keyboard.press("Tab")
        return len(passed)

    def presses(self, control: str) -> None:
        self.walks_to(control)
        self.page.keyboard.press("Enter")

    def types(self, text: str) -> None:
        self.page.keyboard.type(text)

    # --- what is said -----------------------------------------------------------------------------------------

    def hears(self, *sentences: str) -> None:
        """Assert that exactly these sentences were said since the last time, whether at once or one by one."""
        expected = " ".join(sentences)
        until(self.page, lambda: expected == self._heard, tries=PATIENCE, or_not=True)
        self.page.wait_for_timeout(400)
        heard = self._heard
        assert expected == heard, f"heard: {heard!r}"
        self._said.clear()

    @property
    def _heard(self) -> str:
        return " ".join(plain(text) for text in self._said)
