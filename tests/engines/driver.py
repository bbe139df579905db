"""A program that drives one browser for the tests. It reads calls and writes answers, each a line of JSON.

It runs in its own venv (`requirements.lock` beside it), since Firefox needs an older Playwright than the
project's. A call is `[method, argument, ...]`, an answer `{"value": ...}` or `{"error": text}`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WIDTH, HEIGHT = 390, 664
PATIENCE = 60.0  # seconds
FIRST_VISIBLE = """
const [selector] = arguments;
const all = [...document.querySelectorAll(selector)];
const first = all.find((one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden");
first?.scrollIntoView({ block: "center", behavior: "instant" });
return first;
"""


class FirefoxBrowser:
    """Firefox, driven by Playwright directly.

    A `window` is the number of a window, in the order of `open`.
    """

    def __init__(self, path: str) -> None:
        from playwright.sync_api import sync_playwright

        self.playwright = sync_playwright().start()
        self.browser = self.playwright.firefox.launch(channel="moz-firefox", executable_path=path)
        self.context: Any = None

    def begin(self) -> None:
        """Reset the browser for another person: no cookies, no storage, no windows."""
        if self.context:
            self.context.close()
        size: Any = {"width": WIDTH, "height": HEIGHT}
        self.context = self.browser.new_context(viewport=size, locale="es-AR", has_touch=True)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.heard: list[str] = []
        self.windows: list[Any] = []
        self.context.on("console", self._on_message)
        self.context.on("weberror", lambda raised: self.heard.append(str(raised.error)))

    def _on_message(self, message: Any) -> None:
        if message.type == "error":
            self.heard.append(message.text)

    def open(self) -> None:
        self.windows.append(self.context.new_page())

    def goto(self, window: int, address: str) -> None:
        self.windows[window].goto(address)

    def sign_in(self, address: str, name: str, value: str) -> None:
        self.context.add_cookies([{"name": name, "value": value, "url": address}])

    def run(self, window: int, script: str, given: Any) -> Any:
        """Return the result of calling this function, sync or async, with the argument."""
        return self.windows[window].evaluate(script, given)

    def tap(self, window: int, selector: str) -> None:
        self._first(window, selector).click()  # under Playwright a tap is not a click

    def tap_twice(self, window: int, selector: str, gap: int) -> None:
        """Tap the middle of the first visible element, and the same place after `gap` milliseconds."""
        page, box = self.windows[window], self._first(window, selector).bounding_box()
        place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        began = time.monotonic()
        page.mouse.click(*place)
        time.sleep(max(0.0, began + gap / 1000 - time.monotonic()))
        page.mouse.click(*place)

    def write(self, window: int, selector: str, text: str) -> None:
        self._first(window, selector).fill(text)

    def _first(self, window: int, selector: str) -> Any:
        return self.windows[window].locator(selector).filter(visible=True).first

    def complaints(self) -> list[str]:
        """Return the console errors since `begin`."""
        for window in self.windows:
            window.wait_for_timeout(0)  # lets pending messages arrive
        return self.heard

    def quit(self) -> None:
        self.browser.close()
        self.playwright.stop()


class WebKitBrowser:
    """WebKitGTK, driven by WebKitWebDriver, with `webkit_phone.py`'s window and `FirefoxBrowser`'s methods."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.driver: Any = None

    def begin(self) -> None:
        from selenium import webdriver

        self.quit()
        self.folder = tempfile.TemporaryDirectory()
        self.noted = Path(self.folder.name) / "complaints"
        os.environ["COMPLAINTS"] = str(self.noted)
        options = webdriver.WebKitGTKOptions()
        options.binary_location = str(HERE / "webkit_phone.py")
        options.add_argument("--automation")
        options.set_capability("browserName", "phone")
        service = webdriver.WebKitGTKService(executable_path=self.path)
        self.driver = webdriver.WebKitGTK(options=options, service=service)
        self.driver.set_script_timeout(120)
        self.first, self.windows = True, list(self.driver.window_handles)

    def open(self) -> None:
        if not self.first:
            self.driver.switch_to.new_window("window")
            self.windows.append(self.driver.current_window_handle)
        self.first = False

    def goto(self, window: int, address: str) -> None:
        self._turn_to(window).get(address)

    def sign_in(self, address: str, name: str, value: str) -> None:
        driver = self._turn_to(0)
        driver.get(address)  # a cookie needs an open page of its site
        driver.add_cookie({"name": name, "value": value})

    def run(self, window: int, script: str, given: Any) -> Any:
        script = f"const [given, answer] = arguments; Promise.resolve(({script})(given)).then(answer);"
        return self._turn_to(window).execute_async_script(script, given)

    def tap(self, window: int, selector: str) -> None:
        self._do(window, selector, lambda element: element.click())

    def tap_twice(self, window: int, selector: str, gap: int) -> None:
        from selenium.webdriver import ActionChains

        element = self._turn_to(window).execute_script(FIRST_VISIBLE, selector)
        ActionChains(self.driver).move_to_element(element).click().pause(gap / 1000).click().perform()

    def write(self, window: int, selector: str, text: str) -> None:
        self._do(window, selector, lambda field: (field.clear(), field.send_keys(text)))

    def complaints(self) -> list[str]:
        return self.noted.read_text(encoding="utf-8").splitlines() if self.noted.exists() else []

    def quit(self) -> None:
        if self.driver:
            self.driver.quit()
            self.folder.cleanup()
            self.driver = None

    def _turn_to(self, window: int) -> Any:
        if self.driver.current_window_handle != self.windows[window]:
            self.driver.switch_to.window(self.windows[window])
        return self.driver

    def _do(self, window: int, selector: str, act: Callable[[Any], object]) -> None:
        """Act on the first visible element. Retry while it is missing or moving."""
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.wait import WebDriverWait

        def is_done(driver: Any) -> bool:
            element = driver.execute_script(FIRST_VISIBLE, selector)
            if element:
                act(element)
            return bool(element)

        wait = WebDriverWait(self._turn_to(window), PATIENCE, ignored_exceptions=[WebDriverException])
        wait.until(is_done, selector)


def main(engine: str, path: str) -> None:
    """Answer calls until the input ends."""
    browser: Any = WebKitBrowser(path) if engine == "webkit" else FirefoxBrowser(path)
    for line in sys.stdin:
        method, *given = json.loads(line)
        try:
            answer = {"value": getattr(browser, method)(*given)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
    browser.quit()


if __name__ == "__main__":
    main(*sys.argv[1:])
