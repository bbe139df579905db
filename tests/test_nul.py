"""NUL, which PostgreSQL refuses in text: no field that contains it breaks a page or reaches a query."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.urls import reverse

from games.urls import urlpatterns
from tests.factories import new_key
from tests.page_urls import PAGES, page_url

pytestmark = pytest.mark.django_db

VIEWS = "".join(
    path.read_text(encoding="utf-8") for path in Path(settings.BASE_DIR).glob("games/*/views/*.py")
)
FIELDS = sorted(
    {"to-name", "newcomer-name", "seat-1", "new-1"} | set(re.findall(r'(?:GET|POST)\.get\("([\w-]+)"', VIEWS))
)


@pytest.fixture
def no_query_sees_nul():
    """Fail if a query contains NUL, on any database, as PostgreSQL would."""

    def refuse(execute, sql, params, many, context):
        rows = params if many else [params or ()]
        assert not any(isinstance(value, str) and "\x00" in value for row in rows for value in row), sql
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield


@pytest.mark.long
@pytest.mark.parametrize("method", ["get", "post"])
def test_no_page_breaks_at_it(rollback_subtest, ana, finished, table, no_query_sees_nul, method):
    data = {**dict.fromkeys(FIELDS, "\x00"), "\x00": "\x00", "after": str(len(finished.log()))}
    for name in PAGES:
        for key in ("\x00", new_key()) if method == "post" else ("\x00",):
            with rollback_subtest(name):
                where = page_url(name, game=finished, table=table)

                assert 500 > getattr(ana, method)(where, {**data, "key": key}, follow=True).status_code


def test_nor_one_that_is_open_to_all(subtests, nobody, no_query_sees_nul):
    data = dict.fromkeys([*FIELDS, "username", "password", "password1"], "\x00")
    of_all = [reverse(page.name) for page in urlpatterns if not page.pattern.converters]
    for where in [*of_all, "/api/", "/api/v1/variants/chinchon/"]:
        with subtests.test(page=where):
            for method in (nobody.get, nobody.post):
                assert 500 > method(where, data, follow=True).status_code
