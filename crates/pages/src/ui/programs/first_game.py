import contextlib, json, random, urllib.parse, urllib.request as http
SITE, HEADERS = "https://arena.example", {"Accept": "application/x-ndjson", "Authorization": "Bearer tochki_put_yours_here"}
def api(path, **form): return http.urlopen(http.Request(SITE + path, urllib.parse.urlencode(form).encode() or None, HEADERS))
table = json.load(api("/api/open_table", game="gomoku"))
print("Invite somebody:", SITE + "/t/" + table["link"], flush=True)
events = api("/events/table/" + table["link"])
while b'"match_started"' not in (line := next(events)): line.strip() or api("/api/ready", table=table["id"], ready="true")
events = api(f"/events/match/{(match := json.loads(line)['data']['match'])}")
while b'"event":"finished"' not in next(events):
    with contextlib.suppress(http.HTTPError): api("/api/move", match_id=match, mv=f"{random.randrange(19)},{random.randrange(19)}")
