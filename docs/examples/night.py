import json
import os
import time
from datetime import datetime
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE, TOKEN, TABLE, NIGHT, TARGET = (
    os.environ[name] for name in ("SITE", "TOKEN", "TABLE", "NIGHT", "TARGET")
)


def read(path):
    """Yield the rows of all pages of a list."""
    address = f"{SITE}/api/v1/{path}"
    while address:
        headers = {"Authorization": f"Bearer {TOKEN}", "Accept-Language": "en"}
        with urlopen(Request(address, headers=headers), timeout=45) as answer:
            page = json.load(answer)
        yield from page["results"]
        address = page["next"]


def post(text):
    """Post a message until it is taken."""
    body = json.dumps({"text": text}).encode()
    for _time in range(10):
        try:
            urlopen(Request(TARGET, body, {"Content-Type": "application/json"}), timeout=45).close()
            return
        except HTTPError as refusal:  # a chat takes only so many messages in a while
            time.sleep(int(refusal.headers.get("Retry-After") or 5))
    raise SystemExit(f"not taken: {text}")


rows = []
for game in read(f"tables/{TABLE}/games/?from={NIGHT}&to={NIGHT}&limit=200"):
    players = ", ".join(player["name"] for player in game["players"])  # tells games at the same time apart
    for event in read(f"games/{game['code']}/events/?limit=200"):
        rows.append((datetime.fromisoformat(event["at"]), event["number"], f"{players}: {event['text']}"))
for _at, _number, text in sorted(rows):
    post(text)
print(len(rows), "messages")
