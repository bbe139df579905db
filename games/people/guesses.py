"""Rate limits for password guesses: per name and address, per address, and per name.

The limit per name skips phones that have signed in under that name before: otherwise guesses would lock out
the owner.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.people.tries import Tries

WINDOW = 15 * 60
OF_NAME_HERE = Tries("login", most=10, window=WINDOW)
HERE = Tries("login-here", most=60, window=WINDOW)  # a whole club may share one address
OF_NAME = Tries("login-name", most=60, window=WINDOW)


@dataclass(frozen=True)
class Guess:
    """A login attempt from `asker` (`games.network.asker`). `is_known` if this phone signed in as them
    before.
    """

    name: str
    asker: str
    is_known: bool

    def spent(self) -> Tries | None:
        """Count the guess and return the limit it exceeds, or None. `right` takes the count back."""
        taken: list[tuple[Tries, str]] = []
        for tries, who in self._counted():
            if not tries.take(who):
                for other, whose in taken:
                    other.give_back(whose)
                return tries
            taken.append((tries, who))
        return None

    def right(self) -> None:
        """Reset the count after a correct password: all tries for this name from here are available again."""
        for tries, who in self._counted():
            if tries is OF_NAME_HERE:
                tries.forget(who)
            else:
                tries.give_back(who)

    def _counted(self) -> list[tuple[Tries, str]]:
        """Return the limits to check. A blocked address comes first, so it makes no more counters."""
        everywhere = [] if self.is_known else [(OF_NAME, self.name)]
        return [(HERE, self.asker), (OF_NAME_HERE, f"{self.asker} {self.name}"), *everywhere]
