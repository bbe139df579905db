"""This machine's addresses and names on its network, and a client's key for rate limits."""

from __future__ import annotations

import socket
from collections.abc import Collection
from ipaddress import IPv6Address, IPv6Network

THIS_MACHINE = frozenset({"localhost", "127.0.0.1"})

# For each of these destinations the kernel reports the local address it would use. Nothing is sent.
# The first address is reserved for documentation and represents the internet; the others are home networks.
FAR_AWAY = ("192.0.2.1", "192.168.255.255", "10.255.255.255", "172.31.255.255")


def client_key(address: str) -> str:
    """Return a client's key for rate limits: its IPv4 address, or its IPv6 /64 network.

    One customer usually has a whole /64. A server that listens on both sees IPv4 clients with IPv4-mapped
    IPv6 addresses.
    """
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address)
    except ValueError:
        return address
    return str(parsed.ipv4_mapped or IPv6Network((int(parsed), 64), strict=False))


def lan_addresses() -> list[str]:
    """Return this machine's IPv4 addresses in its networks, the one used for the internet first."""
    addresses = []
    for destination in FAR_AWAY:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((destination, 9))
            except OSError:  # no route
                continue
            addresses.append(str(probe.getsockname()[0]))
    return list(dict.fromkeys(address for address in addresses if not address.startswith(("127.", "0."))))


def reachable_host(host: str, hosts: Collection[str]) -> str:
    """Return `host`, or a host that other devices can reach if it is a loopback address.

    That host is one of `hosts`, the hosts that the site answers to (`ALLOWED_HOSTS`).
    """
    name, colon, port = host.partition(":")
    if name not in THIS_MACHINE:
        return host
    return next((f"{address}{colon}{port}" for address in lan_addresses() if address in hosts), host)


def host_names() -> list[str]:
    """Return this machine's host name and its mDNS name, which ends in `.local`."""
    name = socket.gethostname().split(".")[0]
    return [name, f"{name}.local"] if name.replace("-", "").isalnum() and name.isascii() else []
