"""Rate limits for password guesses: per network address, per user name, and per pair of the two.

The limit per user name does not apply to phones that have signed in under that name before. Otherwise guesses
from other phones would lock out the user.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.common.limits import Limit

OF_NAME_HERE = Limit("login", most=10)
HERE = Limit("login-here", most=60)  # a whole club may share one address
OF_NAME = Limit("login-name", most=60)


@dataclass(frozen=True)
class Guess:
    """A login attempt. `asker` is the client's key (`games.common.network.client_key`).

    `is_known` is True if this phone has signed in under this user name before.
    """

    name: str
    asker: str
    is_known: bool

    def spent(self) -> Limit | None:
        """Count the guess. Return the rate limit that it exceeds, or None.

        The caller calls `right` if the password turns out to be correct.
        """
        taken: list[tuple[Limit, str]] = []
        for limit, who in self._counted():
            if not limit.take(who):
                for other, whose in taken:
                    other.give_back(whose)
                return limit
            taken.append((limit, who))
        return None

    def right(self) -> None:
        """Uncount the guess after a correct password, and reset the limit for this user name and address."""
        for limit, who in self._counted():
            if limit is OF_NAME_HERE:
                limit.forget(who)
            else:
                limit.give_back(who)

    def _counted(self) -> list[tuple[Limit, str]]:
        """Return each rate limit to check, with the key under which it counts.

        The limit per address comes first, so that a blocked address creates no more counters.
        """
        everywhere = [] if self.is_known else [(OF_NAME, self.name)]
        return [(HERE, self.asker), (OF_NAME_HERE, f"{self.asker} {self.name}"), *everywhere]
