import json
import os
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE, TOKEN, TABLE, TARGET = (os.environ[name] for name in ("SITE", "TOKEN", "TABLE", "TARGET"))
feed = f"{SITE}/api/v1/tables/{TABLE}/events/"
address, tag = f"{feed}?after={os.environ['AFTER']}", ""
while True:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept-Language": "en", "If-None-Match": tag}
    try:
        with urlopen(Request(address, headers=headers), timeout=45) as answer:
            page, newest = json.load(answer), answer.headers["ETag"]
        for row in page["results"]:
            body = json.dumps({"text": row["text"]}).encode()
            urlopen(Request(TARGET, body, {"Content-Type": "application/json"}), timeout=45).close()
        address, tag = page["next"] or f"{feed}?after={page['version']}", newest
        time.sleep(0 if page["next"] else 5)
    except HTTPError as refusal:
        if refusal.code in (401, 404):  # the token has ended, or what it opens
            raise SystemExit(refusal.read().decode()) from None
        time.sleep(int(refusal.headers.get("Retry-After") or 5))  # 304: nothing is new
    except OSError:  # no answer: the same rows are asked for, and sent, again
        time.sleep(30)
