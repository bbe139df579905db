"""No control of a night acts twice when it is tapped twice, in three engines."""

from __future__ import annotations

import pytest

from tests.engines.doubled import walk

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.mark.long
def test_no_control_of_a_night_acts_twice(page, browser, forgiven):
    forgiven.append("status of 422")  # a form that names nobody
    report = walk(page)
    print(f"\n{browser.engine.name}: {report}")

    assert [] == report.wrong
    assert 120 <= report.tapped
