import contextlib, json, random, urllib.request as http
SITE, TOKEN = "https://arena.example", "tochki_put_yours_here"
def api(path, **body):
    kind = {"Content-Type": "application/json", "Accept": "application/x-ndjson", "Authorization": "Bearer " + TOKEN}
    return http.urlopen(http.Request(SITE + path, json.dumps(body).encode() if body else None, kind))
table = json.load(api("/api/open_table", game="gomoku"))
print("Invite somebody:", SITE + "/t/" + table["link"], flush=True)
for line in api("/events/table/" + table["link"]):
    if b'"match_started"' in line: break
    if not line.strip(): api("/api/ready", table=table["id"], ready=True)
match = json.loads(line)["data"]["match"]
for line in api(f"/events/match/{match}"):
    if b'"event":"finished"' in line: break
    with contextlib.suppress(http.HTTPError): api("/api/move", match_id=match, mv=f"{random.randrange(19)},{random.randrange(19)}")
