"""What this machine is called on its network, so that other phones can be told where to look; and who asks from there."""

from __future__ import annotations

import fcntl
import socket
import struct
import sys
from collections.abc import Collection
from ipaddress import IPv6Address, IPv6Network

# Asks the kernel for the IPv4 address of one network interface (Linux).
SIOCGIFADDR = 0x8915
INTERFACE_NAME_BYTES = 15

THIS_MACHINE = frozenset({"localhost", "127.0.0.1"})

# Destinations for which the kernel is asked which of our addresses it would use. Nothing is ever sent there:
# the first is reserved for documentation and stands for the internet, the others are home networks.
FAR_AWAY = ("192.0.2.1", "192.168.255.255", "10.255.255.255", "172.31.255.255")


def asker(address: str) -> str:
    """Under which name whoever asks from `address` is counted: it alone, of IPv6 its /64, which one customer has whole.

    A server that listens to both is told an IPv4 address in IPv6's clothes.
    """
    if ":" not in address:
        return address
    try:
        written = IPv6Address(address)
    except ValueError:
        return address
    return str(written.ipv4_mapped or IPv6Network((int(written), 64), strict=False))


def lan_addresses() -> list[str]:
    """The IPv4 addresses of this machine that others can reach; first the one that leads to the internet."""
    found = [*_outgoing_addresses(), *_interface_addresses()]
    return list(dict.fromkeys(address for address in found if not address.startswith(("127.", "0."))))


def beside(host: str, hosts: Collection[str]) -> str:
    """What other phones call this machine where `host`, as a browser has it, means only itself; else `host`.

    Only an address among `hosts`, those the site answers to, will do.
    """
    name, colon, port = host.partition(":")
    if name not in THIS_MACHINE:
        return host
    return next((f"{address}{colon}{port}" for address in lan_addresses() if address in hosts), host)


def host_names() -> list[str]:
    """The name of this machine, alone and as phones on the same network may look it up."""
    name = socket.gethostname().split(".")[0]
    return [name, f"{name}.local"] if name.replace("-", "").isalnum() and name.isascii() else []


def _outgoing_addresses() -> list[str]:
    addresses = []
    for destination in FAR_AWAY:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((destination, 9))
            except OSError:  # no way leads there
                continue
            addresses.append(str(probe.getsockname()[0]))
    return addresses


def _interface_addresses() -> list[str]:
    if sys.platform != "linux":
        return []
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _number, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:INTERFACE_NAME_BYTES])
            try:
                answer = fcntl.ioctl(asking, SIOCGIFADDR, request)
            except OSError:  # an interface without an address
                continue
            addresses.append(socket.inet_ntoa(answer[20:24]))
    return addresses
