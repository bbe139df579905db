"""Making the temporary access of a witness permanent."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Grant, Role
from tests.tables import make_table, make_user

pytestmark = pytest.mark.django_db


def grant_at(table, *, ends):
    return Grant.objects.create(
        user=make_user("wanda"), table=table, role=Role.WITNESS, expires_at=now() + ends
    )


def keep(client, table, grant):
    return client.post(reverse("keep-grant", args=[table.code, grant.pk]))


def test_a_kept_grant_has_no_expiry(ana, table):
    grant = grant_at(table, ends=timedelta(hours=1))
    response = keep(ana, table, grant)
    grant.refresh_from_db()

    assert (reverse("invites", args=[table.code]), None) == (response.url, grant.expires_at)


def test_an_expired_grant_cannot_be_kept(ana, table):
    grant = grant_at(table, ends=-timedelta(seconds=1))

    assert 404 == keep(ana, table, grant).status_code


def test_keeping_a_grant_of_another_table_is_a_404(ana, table):
    grant = grant_at(make_table(make_user("olga")), ends=timedelta(hours=1))

    assert 404 == keep(ana, table, grant).status_code
    assert Grant.objects.get(pk=grant.pk).expires_at
