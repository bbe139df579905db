"""Reports: an invited stranger reports a table, and the operator suspends and releases it."""

from __future__ import annotations

import pytest
from django.db import connection

from games.models import MOST_REPORTS, Report, Role
from games.people.invitations import LASTS, make_invite
from tests.reader import read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_cache")]

TEXT = "the name of this table insults me"


@pytest.fixture
def link(table, owner):
    return make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)[1]


def report_addresses(page):
    """Return the addresses of the links of this page that lead to a report."""
    return [link.attrs["href"] for link in read_page(page).every("a") if "Report" in link.text]


def test_a_stranger_reports_a_table_and_the_operator_suspends_it_releases_it_and_closes_the_report(
    phone_of, desk, ana, link, table, game, contact
):
    stranger = phone_of(REMOTE_ADDR="203.0.113.9")
    (address,) = report_addresses(stranger.get(f"/i/{link}/"))
    sent = stranger.post(address, {"text": TEXT})

    assert 200 == sent.status_code
    assert contact in read_page(sent).text
    assert "_auth_user_id" not in stranger.session
    (report,) = Report.objects.all()
    assert (table, TEXT, True) == (report.table, report.text, report.is_invited)
    assert "203.0.113.9" not in _everything()
    assert "1 open report" in read_page(desk.get("/operator/")).text
    assert TEXT in read_page(desk.get(f"/operator/reports/{report.pk}/")).text
    desk.post(f"/operator/tables/{table.pk}/", {"act": "suspend", "reason": "the name insults somebody"})
    assert "the name insults somebody" in read_page(ana.get(f"/t/{table.code}/settings/")).text
    desk.post(f"/operator/tables/{table.pk}/", {"act": "release", "reason": "the owner wrote to us"})
    desk.post(f"/operator/reports/{report.pk}/", {"act": "close", "reason": "settled with the owner"})
    page = read_page(ana.get(f"/t/{table.code}/settings/"))
    assert "the owner wrote to us" in page.text
    assert "settled with the owner" not in page.text  # the owners are not told of the report
    report.refresh_from_db()
    assert (True, "settled with the owner") == (report.closed_at is not None, report.note)
    assert "open report" not in read_page(desk.get("/operator/")).text


def _everything():
    """Return the content of the whole database as text."""
    with connection.cursor() as cursor:
        texts = []
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            texts += [str(row) for row in cursor.fetchall()]
    return "\n".join(texts)


def test_a_witness_finds_the_link_to_report_a_table_and_an_owner_does_not(
    waldo, ana, table, game, contact, desk
):
    (address,) = report_addresses(waldo.get(f"/g/{game.code}/"))

    assert [] == report_addresses(ana.get(f"/g/{game.code}/"))
    assert 200 == waldo.post(address, {"text": TEXT}).status_code
    (report,) = Report.objects.all()
    assert not report.is_invited
    assert "someone at the table" in read_page(desk.get(f"/operator/reports/{report.pk}/")).text


def test_without_an_operators_contact_nobody_can_report_a_table(waldo, nobody, link, table, game):
    assert [] == report_addresses(nobody.get(f"/i/{link}/"))
    assert [] == report_addresses(waldo.get(f"/g/{game.code}/"))
    for phone, address in ((nobody, f"/report/i/{link}/"), (waldo, f"/report/t/{table.code}/")):
        assert 404 == phone.post(address, {"text": TEXT}).status_code
    assert 0 == Report.objects.count()


def test_a_report_about_an_inaccessible_table_or_with_a_wrong_link_is_a_404(
    stranger, nobody, link, table, contact
):
    assert 404 == stranger.post(f"/report/t/{table.code}/", {"text": TEXT}).status_code
    assert 404 == nobody.post(f"/report/t/{table.code}/", {"text": TEXT}).status_code
    assert 404 == nobody.post("/report/i/zzz/", {"text": TEXT}).status_code
    assert 0 == Report.objects.count()


def test_an_empty_or_a_long_report_is_refused_beside_its_field(nobody, link, contact):
    for text in ("", "  ", "x" * 501):
        answer = nobody.post(f"/report/i/{link}/", {"text": text})

        assert 422 == answer.status_code
        assert read_page(answer).said_at("text")
    assert "x" * 501 == read_page(answer).only("textarea").text
    assert 0 == Report.objects.count()


def test_reports_are_rate_limited_per_address_and_capped_per_table(phone_of, link, table, contact):
    phone = phone_of(REMOTE_ADDR="203.0.113.9")
    answers = [phone.post(f"/report/i/{link}/", {"text": TEXT}) for _time in range(6)]

    assert [200] * 5 + [429] == [answer.status_code for answer in answers]
    assert TEXT == read_page(answers[-1]).only("textarea").text
    Report.objects.bulk_create(
        Report(table=table, text=TEXT, is_invited=True) for _time in range(MOST_REPORTS - 5)
    )
    other = phone_of(REMOTE_ADDR="203.0.113.10").post(f"/report/i/{link}/", {"text": TEXT})
    assert 429 == other.status_code
    assert "Write to the operator" in read_page(other).text
    assert MOST_REPORTS == Report.objects.count()
