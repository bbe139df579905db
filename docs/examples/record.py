import json
import os
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE, TOKEN, TABLE = (os.environ[name] for name in ("SITE", "TOKEN", "TABLE"))


def send(address, body, key):
    """Send a write until it is answered; the same key records nothing twice."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "Idempotency-Key": key}
    request = Request(f"{SITE}/api/v1/{address}", json.dumps(body).encode(), headers)
    for wait in (1, 2, 4, 8, 0):
        try:
            with urlopen(request, timeout=45) as answer:
                return json.load(answer)
        except HTTPError as refusal:
            if refusal.code not in (429, 502, 503, 504) or not wait:
                raise SystemExit(f"{refusal.code}: {refusal.read().decode()}") from None
            wait = max(wait, int(refusal.headers.get("Retry-After") or 0))
        except (OSError, HTTPException):  # no answer, or a part of it
            if not wait:
                raise
        time.sleep(wait)


players = [{"id": "ana"}, {"id": "beto"}]
game = send(f"tables/{TABLE}/games/", {"variant": "loba_menos", "players": players}, "game 7")
body = {"after": game["game_version"], "events": [{"line": "round ana out beto=[K 7 *]"}]}
game = send(f"games/{game['code']}/events/", body, "game 7, round 1")
print({player["name"]: player["total"] for player in game["players"]})
