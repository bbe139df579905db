"""Ctrl+C and SIGTERM as something to read from a socket.

An exception that a signal handler raises may be lost, since Python ignores those raised in a finalizer, and so
is a signal that arrives while Python forks a process. The server would then go on for ever.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stop_socket() -> Iterator[socket.socket]:
    """Yield a socket that can be read once this process is asked to stop. Only the main thread may call this."""
    receiver, sender = socket.socketpair()
    with receiver, sender:
        sender.setblocking(False)
        wakeup = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, lambda *_signal: None) for number in SIGNALS}
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        try:
            yield receiver
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(wakeup)


@contextmanager
def blocked() -> Iterator[None]:
    """Hold these signals back. A process forked meanwhile gets them once it calls `stop_socket`."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
