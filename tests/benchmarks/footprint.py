"""The memory of a worker and the bytes of a night, as docs/hosting.md gives them.

    python -m tests.benchmarks.footprint

The memory is that of `serve --workers 2` on Linux, at the start and after the workers have answered pages: all that is
resident, and each worker's own part (the rest is shared with the process that started it). The bytes are the growth of
the database in a night of 40 rounds of four players, with each hand entered by its cards.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tests.server_processes import Site

PAGES = 200
NIGHTS = 10
RECORD_NIGHTS = """
import sys, json, django
django.setup()
from random import Random
from django.db import connection
from games.play.services import recording
from games.scoring import entries
from tests.factories import make_table, make_user, new_key, start
random = Random(40)
people = ("Ana", "Beto", "Caro", "Dani")
owner = make_user("ana")
table = make_table(owner, people=people)
slugs = [member.slug for member in table.members.order_by("pk")]

def size():
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        (pages,), (page,) = (
            cursor.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
        )
    return pages * page

def night():
    game = start(table, owner, out_at=500, ending="first_out", stake=100)
    for number in range(40):
        closer = random.choice(slugs)
        hands = {
            slug: " ".join(random.sample("A 2 3 4 5 6 7 8 9 10 J Q K".split(), random.randint(1, 3)))
            for slug in slugs if slug != closer
        }
        hands = {slug: f"[{cards}]" for slug, cards in hands.items()}
        recording.record(
            game, entries.closed(closer, hands), after=game.records.count(), key=new_key(), by=owner
        )
        game.refresh_from_db()
        if game.ended_at is not None:
            game = start(table, owner, out_at=500, ending="first_out", stake=100)

night()
before = size()
for _number in range(int(sys.argv[1])):
    night()
print(json.dumps((size() - before) / int(sys.argv[1])))
"""


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def memory(pid: int) -> tuple[float, float]:
    """Return the resident and the private memory of a process, in MB."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    kilobytes = {name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB", text, re.MULTILINE)}
    private = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    return kilobytes["Rss"] / 1000, private / 1000


def main() -> None:
    """Print the sentences that docs/hosting.md quotes."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder) / "data", Path(folder) / "static", options=("--workers", "2"))
        site.start()
        site.stop()
        site.start()  # the first start prepares the site, which takes more
        try:
            fresh = [memory(child) for child in children(site.pid)]
            (phone,) = site.create_phones(1, games=2)
            for number in range(PAGES):
                assert phone.get(f"/g/{phone.games[number % 2]}/")[0] == 200
                if number < 60:
                    phone.record()
            workers = [memory(child) for child in children(site.pid)]
        finally:
            site.stop()
        size = site.run_program(RECORD_NIGHTS, NIGHTS)
    for when, figures in (("At the start", fresh), (f"After {PAGES} pages", workers)):
        for resident, private in figures:
            print(f"{when}, a worker takes {resident:.0f} MB, {private:.0f} MB of them its own.")
    print(f"A night of 40 rounds stores {size / 1000:.1f} kB.")


if __name__ == "__main__":
    main()
