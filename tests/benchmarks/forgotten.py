"""The time of the answer to *Forgot the password?*, for addresses that accounts have and for unknown ones.

    python -m tests.benchmarks.forgotten

The requests go through the whole of Django and take turns, while a thread of the same process sends the mails to
a mail server on this machine, as `manage.py serve` does.
"""

from __future__ import annotations

import threading
from statistics import quantiles
from time import perf_counter, thread_time

from tests.benchmarks.fresh_site import new_site

REPEATS = 200
PORT = 8925


def main() -> None:
    """Print the median time of the answer for each kind of address, and the range of half of them."""
    with new_site():
        from django.conf import settings

        from games.management.mailing import send_for_ever
        from tests.mails import mail_server

        settings.SENDS_MAIL, settings.SITE_URL = True, "https://cards.example.org"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", PORT
        with mail_server(PORT) as mails:
            threading.Thread(target=send_for_ever, daemon=True).start()
            times = _measured()
            for kind, pairs in times.items():
                for name, seconds in zip(("time", "CPU"), zip(*pairs, strict=True), strict=True):
                    low, middle, high = (1000 * each for each in quantiles(seconds))
                    print(f"{kind}: {name}, median {middle:.2f} ms (half of them {low:.2f} to {high:.2f})")
            print(f"{len(mails)} mails sent meanwhile")


def _measured() -> dict[str, list[tuple[float, float]]]:
    """Return the seconds of each answer, and those of its CPU, by kind of address."""
    from django.contrib.auth.models import User
    from django.test import Client

    from games.models import Address

    for number in range(REPEATS):
        user = User.objects.create_user(f"known-{number}", password="tres lobas negras")
        Address.objects.create(user=user, confirmed=f"known-{number}@example.org")
    phone = Client()
    phone.get("/login/forgotten/")
    times: dict[str, list[tuple[float, float]]] = {"known": [], "unknown": []}
    for number in range(REPEATS):
        for kind in sorted(times, reverse=number % 2 == 0):  # each kind is first every other time
            email = {"email": f"{kind}-{number}@example.org"}
            began = perf_counter(), thread_time()
            response = phone.post("/login/forgotten/", email, REMOTE_ADDR=f"10.0.{number}.{len(kind)}")
            times[kind].append((perf_counter() - began[0], thread_time() - began[1]))
            assert response.status_code == 302
    return times


if __name__ == "__main__":
    main()
