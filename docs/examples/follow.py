import json
import os
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE, TOKEN, TABLE, TARGET = (os.environ[name] for name in ("SITE", "TOKEN", "TABLE", "TARGET"))
feed = f"{SITE}/api/v1/tables/{TABLE}/events/"
address, tag, rows, reached = f"{feed}?after={os.environ['AFTER']}", "", [], None
while True:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept-Language": "en", "If-None-Match": tag}
    try:
        while rows:  # each is sent until it has arrived, and then no more
            body = json.dumps({"text": rows[0]["text"]}).encode()
            urlopen(Request(TARGET, body, {"Content-Type": "application/json"}), timeout=45).close()
            rows.pop(0)
        if reached is not None:
            print(f"AFTER={reached}", flush=True)  # to begin here another time
        reached = None
        with urlopen(Request(address, headers=headers), timeout=45) as answer:
            page, tag = json.load(answer), answer.headers["ETag"]
        rows, address = page["results"], page["next"] or f"{feed}?after={page['table_version']}"
        reached = None if page["next"] else page["table_version"]
        time.sleep(0 if rows else 5)
    except HTTPError as refusal:
        if not rows and refusal.code in (401, 404):  # the token has ended, or what it opens
            raise SystemExit(refusal.read().decode()) from None
        time.sleep(int(refusal.headers.get("Retry-After") or 5))  # 304: nothing is new
    except (OSError, HTTPException):  # no answer, or a part of it
        time.sleep(30)
