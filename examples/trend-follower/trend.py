import json, os, time, uuid, requests, urllib3

url, venue = os.environ["URL"], requests.Session()
venue.headers["Authorization"] = "Bearer " + os.environ["KEY"]
venue.hooks["response"] = lambda answer, **_: answer.raise_for_status()
again = urllib3.Retry(12, backoff_factor=0.1, status_forcelist=(409, 429, 502, 503, 504), allowed_methods=None, raise_on_status=False)
venue.mount(url, requests.adapters.HTTPAdapter(max_retries=again))  # heeds Retry-After; an order goes again under the key it had

account = venue.get(url + "/accounts/with-risk-status", timeout=40).json()[0]["accountId"]
market = next(m["id"] for m in venue.get(url + "/v2/markets?accountId=" + account, timeout=40).json() if m["config"]["baseAsset"] == "BTC")

def turn(way):  # one step towards a position that goes this way; the way, once it is held
    held = next((p for p in venue.get(f"{url}/positions/{account}/active", timeout=40).json() if p["market"] == market), None)
    if held and held["direction"] == way: return way
    leave = held and {"type": "take", "triggerPrice": "0", "positionId": held["idx"], "direction": held["direction"], "amount": held["size"]}
    order = leave or {"type": "market", "direction": way, "amount": "1000000000000", "leverage": "5000000000"}
    key = {"X-Idempotency-Key": str(uuid.uuid4())}
    venue.post(url + "/orders", json={"accountId": account, "marketId": market, **order}, headers=key, timeout=40)

fast, slow, last, held = None, None, {}, None
while True:  # a stream that ends or is lost goes on after the last commit that was told in full
    try:
        stream = venue.get(url + "/stream?accountId=" + account, headers=last, stream=True, timeout=40).iter_lines(None, delimiter=b"\n\n")
        for event in filter(None, stream):
            message = json.loads(event.partition(b"data: ")[2])
            if message["type"] in ("position", "snapshot"): held = None  # is looked at again with the next price
            if message["type"] == "price" and message["data"]["marketId"] == market:
                price = int(message["data"]["indexPrice"])
                fast, slow = (price if mean is None else mean + (price - mean) // n for mean, n in ((fast, 4), (slow, 16)))
                way = "short" if fast < slow else "long"
                held = way if held == way else turn(way)
                print(price, way, held, flush=True)
            if event.startswith(b"id: "): last = {"Last-Event-ID": str(message["seq"])}
    except (requests.RequestException, ValueError) as why:
        print(getattr(getattr(why, "response", None), "text", why), flush=True)
        if getattr(getattr(why, "response", None), "status_code", None) == 401: raise SystemExit(1)  # the key was revoked
    time.sleep(1)
