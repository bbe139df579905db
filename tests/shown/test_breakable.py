"""An e-mail address breaks after its @ rather than within a word."""

from __future__ import annotations

import pytest

from games.templatetags.shown import breakable


@pytest.mark.parametrize(
    ("address", "html"),
    [
        ("olga@example.org", "olga@<wbr>example.org"),
        ("<b>@example.org", "&lt;b&gt;@<wbr>example.org"),
        ("https://example.org", "https://example.org"),
    ],
)
def test_an_address_may_break_after_its_at_sign(address, html):
    assert html == breakable(address)
