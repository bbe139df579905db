"""Behind a proxy each client is identified by its own address, and nobody can forge another address."""

from __future__ import annotations

import re
from ipaddress import ip_network

import pytest

from games.common import network
from games.tables.views.login import NAME_AT_ADDRESS_LIMIT
from scorekeeper.proxies import client_address
from tests.reader import fields

TRUSTED = [ip_network("10.0.0.0/8"), ip_network("::1/128")]
BY_PROXY = {"REMOTE_ADDR": "10.0.0.1"}


@pytest.mark.parametrize(
    ("forwarded_for", "client"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("6.6.6.6, 203.0.113.9", "203.0.113.9"),  # the client forged the first address
        ("203.0.113.9, 10.0.0.2", "203.0.113.9"),  # two of our proxies
        ("", "10.0.0.1"),
        ("<script>", "10.0.0.1"),
        ("203.0.113.9, unknown, 10.0.0.2", "10.0.0.2"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:DB8::0:1", "2001:db8::1"),
        ("203.0.113.9:4711", "203.0.113.9"),
        ("203.0.113.9:4711, 10.0.0.2:80", "203.0.113.9"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
    ],
)
def test_the_nearest_address_that_is_no_proxy_asks(forwarded_for, client):
    assert client == client_address("10.0.0.1", forwarded_for, TRUSTED)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (
            "::ffff:203.0.113.9",
            "203.0.113.9",
        ),  # of a dual-stack server; otherwise all of IPv4 would be one customer
        ("", ""),
        (":", ":"),
    ],
)
def test_a_customer_is_counted_once(address, counted):
    assert counted == network.client_key(address)


@pytest.fixture
def behind_a_proxy(settings, client_for):
    """`behind_a_proxy(address)` returns a phone with this address, connected through a trusted proxy."""
    settings.TRUSTED_PROXIES = TRUSTED
    return lambda address: client_for(**BY_PROXY, HTTP_X_FORWARDED_FOR=address)


def guess(phone):
    return phone.post("/login/", fields(username="olga", password="x")).status_code


@pytest.mark.django_db
def test_ten_wrong_tries_behind_a_proxy_lock_nobody_else_out(behind_a_proxy):
    guessing = behind_a_proxy("203.0.113.9")
    for _ in range(NAME_AT_ADDRESS_LIMIT.most):
        assert 422 == guess(guessing)

    assert (429, 422) == (guess(guessing), guess(behind_a_proxy("203.0.113.10")))


@pytest.mark.django_db
def test_only_a_proxy_says_that_the_client_came_by_https(settings, client):
    settings.TRUSTED_PROXIES = TRUSTED
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_SSL_REDIRECT = True

    by_proxy = client.get("/login/", HTTP_X_FORWARDED_PROTO="https", **BY_PROXY)
    by_socket = client.get("/login/", HTTP_X_FORWARDED_PROTO="https", REMOTE_ADDR="")
    by_client = client.get("/login/", HTTP_X_FORWARDED_PROTO="https", REMOTE_ADDR="203.0.113.9")
    assert (200, 200, 301) == (by_proxy.status_code, by_socket.status_code, by_client.status_code)


@pytest.mark.django_db
def test_the_first_proxy_that_is_not_trusted_is_named_in_the_log(settings, client, caplog):
    settings.TRUSTED_PROXIES = TRUSTED
    for address in ("203.0.113.7", "203.0.113.8"):
        client.get("/login/", HTTP_X_FORWARDED_PROTO="https", REMOTE_ADDR=address)

    assert ["203.0.113.7"] == re.findall(r"from (\S+), which is not in TRUSTED_PROXIES", caplog.text)
