"""The rescue file: a phone's unsent facts (changes), saved there and brought to the site by another phone.

The file has a header and the facts as the first phone would send them. The other phone sends them like its
own facts, as its own user, but each marked as brought.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games.notebook.fields import Fields, Unreadable, found_in
from games.pocket.payments import Fact
from games.pocket.recorded import is_recorded
from games.pocket.taking import BROUGHT, LONGEST_WORD, check_fact
from games.scoring.effort import spend
from games.scoring.words import _

# Also in static/offline/rescue.js. Version 1 had no facts of opened tables.
FORMAT, VERSION = "anotador-unsent", 2
LARGEST = 1_000_000  # bytes; also in static/offline/rescue.js
MOST_FACTS = 500
# Steps (`scoring/effort.py`) for reading a fact and looking it up, which takes half a millisecond.
READ = 2_000


@dataclass(frozen=True)
class BroughtFact:
    """A fact of the file. `is_recorded` is True if the site has it already."""

    content: Fact
    is_recorded: bool

    @property
    def kind(self) -> str:
        """The kind of the fact."""
        return str(self.content["kind"])

    @property
    def table(self) -> str:
        """The code of the fact's table; "" if the fact names only its game."""
        return str(self.content["table"])

    @property
    def game(self) -> str:
        """The code that the fact's game has on the phone; "" if the fact is not about a game."""
        return str(self.content.get("game", ""))


@dataclass(frozen=True)
class RescueFile:
    """The content of a rescue file. `person` is the opaque identifier of the user who made its facts."""

    person: str
    saved_at: datetime
    facts: Sequence[BroughtFact]


def read_rescue_file(value: object) -> RescueFile:
    """Return the content of a file, given as its parsed JSON. Raise Unreadable if a part cannot be read."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise Unreadable(_("This file has no unsent entries of Anotador."), field="file")
    fields = Fields(value, "format", "version", "person", "saved_at", "facts")
    version = fields.part("version")
    if isinstance(version, int) and version > VERSION:
        raise Unreadable(_("This file is from a newer version of Anotador."), field="version")
    fields.whole("version", least=1, most=VERSION)
    facts = fields.list_of("facts", most=MOST_FACTS)
    if not facts:
        raise Unreadable(_("There is nothing to record."), field="facts")
    return RescueFile(
        fields.text("person", longest=LONGEST_WORD),
        fields.moment("saved_at"),
        [_read(fact, number) for number, fact in enumerate(facts, start=1)],
    )


def _read(fact: object, number: int) -> BroughtFact:
    spend(READ)
    with found_in(_("Entry {number}", number=number)):
        parts = check_fact(fact)
        assert isinstance(fact, dict), "it was read"
        if parts.has(BROUGHT):
            raise Unreadable(_("“{name}” is unknown here.", name=BROUGHT))
        code = str(fact.get("game", ""))
        return BroughtFact(fact, is_recorded(str(fact["kind"]), parts, str(fact["table"]), code))
