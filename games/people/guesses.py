"""How often a password may be guessed: for one name from one address, from one address, and for one name from anywhere.

Of the last, phones that have signed in under the name before know nothing: else whoever guesses would lock its owner out.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.people.tries import Tries

WINDOW = 15 * 60
OF_NAME_HERE = Tries("login", most=10, window=WINDOW)
HERE = Tries("login-here", most=60, window=WINDOW)  # behind one address there may be a whole club
OF_NAME = Tries("login-name", most=60, window=WINDOW)


@dataclass(frozen=True)
class Guess:
    """A name and a password sent from `asker` (`games.network.asker`); `is_known` where the phone is the name's own."""

    name: str
    asker: str
    is_known: bool

    def spent(self) -> Tries | None:
        """The limit that is reached, None where the guess may be looked at; it is counted until it was `right`."""
        taken: list[tuple[Tries, str]] = []
        for tries, who in self._counted():
            if not tries.take(who):
                for other, whose in taken:
                    other.give_back(whose)
                return tries
            taken.append((tries, who))
        return None

    def right(self) -> None:
        """It was no guess: the name's tries from here are all left again, and the others have one more."""
        for tries, who in self._counted():
            if tries is OF_NAME_HERE:
                tries.forget(who)
            else:
                tries.give_back(who)

    def _counted(self) -> list[tuple[Tries, str]]:
        """What is asked, in this order: an address that has to wait makes no more counters, whatever names it thinks of."""
        everywhere = [] if self.is_known else [(OF_NAME, self.name)]
        return [(HERE, self.asker), (OF_NAME_HERE, f"{self.asker} {self.name}"), *everywhere]
