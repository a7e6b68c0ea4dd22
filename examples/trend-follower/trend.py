import http.client, json, os, time, urllib.error, urllib.request, uuid

URL, KEY, left = os.environ["URL"], os.environ["KEY"], float(os.environ.get("PRICES", "inf"))
LOST, PASSING = (OSError, http.client.HTTPException), (409, 429, 502, 503, 504)

class Refused(SystemExit): pass

def ask(path, body=None, **headers):
    headers |= {"Authorization": "Bearer " + KEY, "Content-Type": "application/json", "X-Idempotency-Key": str(uuid.uuid4())}
    request = urllib.request.Request(URL + path, body and json.dumps(body).encode(), headers)
    for attempt in range(12):
        try:
            answer = urllib.request.urlopen(request, timeout=40)
            return answer if path.startswith("/stream") else json.load(answer)
        except LOST as lost:
            refused = isinstance(lost, urllib.error.HTTPError)
            if refused and lost.code not in PASSING or attempt == 11:
                raise Refused(lost.read().decode() if refused else str(lost))
            time.sleep(float(refused and lost.headers.get("Retry-After") or min(2**attempt / 10, 60)))

account = ask("/accounts/with-risk-status")[0]["accountId"]
market = next(m["id"] for m in ask("/v2/markets?accountId=" + account) if m["config"]["baseAsset"] == "BTC")
held, untold, rest, last, fast, slow = {}, set(), 0, None, None, None  # untold: orders whose end the stream has not told yet

def trade(**fields):
    global rest
    try: untold.add(ask("/orders", {"accountId": account, "marketId": market, **fields})["id"])
    except Refused as why:  # what it held may have been liquidated meanwhile, which the stream tells
        print(why, flush=True)
        rest = time.time() + 10

def hear(kind, data):
    global left, fast, slow
    if kind == "snapshot": untold.clear(); held.clear(); held.update((p["idx"], p) for p in data["positions"] if p["market"] == market)
    elif kind == "order" and data["status"] != "active": untold.discard(data["id"])
    elif kind == "position" and data["market"] == market: held[data["idx"]] = data; data["status"] == "opened" or held.pop(data["idx"])
    elif kind == "price" and data["marketId"] == market:
        left, price = left - 1, int(data["indexPrice"])
        fast, slow = (price if mean is None else mean + (price - mean) // n for mean, n in ((fast, 4), (slow, 16)))
        way = "short" if fast < slow else "long"
        wrong = next((p for p in held.values() if p["direction"] != way), None)
        if untold or time.time() < rest: pass
        elif wrong: trade(type="take", triggerPrice="0", positionId=wrong["idx"], direction=wrong["direction"], amount=wrong["size"])
        elif not held: trade(type="market", direction=way, amount="1000000000000", leverage="5000000000")
        print(price, way, len(held), flush=True)

while left > 0:  # a stream that ends or is lost goes on after the last commit that was told in full
    try:
        number = None
        for line in ask("/stream?accountId=" + account, **({"Last-Event-ID": last} if last else {})):
            field, _, value = line.decode().strip().partition(": ")
            if field == "id": number = value
            if field == "data": message = json.loads(value); hear(message["type"], message["data"]); last, number = number or last, None
            if left <= 0: break
    except LOST: pass
