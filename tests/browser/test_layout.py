"""`measure` reports layout problems of a page: clipped or overlapping text, and targets out of reach."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.gallery import select_screens

MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")


def measure(page: Page, *reachable: str, **how: bool) -> list[str]:
    """Return the page's layout problems.

    `scrolled` allows scrolling to `reachable`. `large` means large letters, `zoomed` a page at twice its
    size.
    """
    options = {"reachable": reachable, "scrolled": False, "large": False, "zoomed": False, **how}
    problems: list[str] = page.evaluate(MEASURE, options)
    return problems


DEFECTS = (
    ("one('.pot').style.cssText = 'width: 40px; overflow: hidden; white-space: nowrap'", "cut sideways"),
    ("one('.margin').style.cssText = 'height: 4px; overflow: hidden'", "cut below"),
    ("one('.who').title = 'Somebody'; one('.who .name').textContent = 'Maximilianosebastian'", "cut name"),
    ("one('.margin').style.cssText = 'position: relative; top: -18px'", "one over the other"),
    ("one('.dock').style.width = '500px'", "out of the screen"),
    ("one('.dock').style.marginBottom = '-80px'", "out of reach"),
    ("one('tfoot').style.cssText = 'position: relative; top: 900px'", "out of reach"),
    ("one('.closers').remove()", "missing"),
    ("one('.bar .icon').style.cssText = 'min-width: 0; width: 30px'", "too small to tap"),
    (
        "one('.margin').style.cssText = 'display: block; width: 30px; overflow-wrap: anywhere'",
        "a broken word",
    ),
)


def test_each_measure_reports_its_deliberate_defect(page, signed_in, owner, subtests):
    [screen] = select_screens(owner, "sheet")
    screen.show(page)
    page.evaluate("self.whole = document.getElementById('main').cloneNode(true)")
    for defect, complaint in DEFECTS:
        with subtests.test(complaint, defect=defect):
            page.evaluate("document.getElementById('main').replaceWith(self.whole.cloneNode(true))")
            assert [] == measure(page, *screen.reachable)
            page.evaluate(
                f"() => {{ const one = (selector) => document.querySelector(selector); {defect}; }}"
            )
            problems = measure(page, *screen.reachable)
            assert any(problem.startswith(complaint) for problem in problems)
