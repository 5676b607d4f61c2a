//! Packed games: whatever reads the events of a finished game reads the same before and after they are packed.

use super::app::{SMALL, TestApp, begin, start_match, start_match_with, wait_until};
use super::operator::with_operator;
use super::player::{PASSWORD, Player, Visitor};
use super::process::{Server, run};
use super::ranked::beat;
use super::sse_client::Event;
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use sqlx::PgPool;
use std::fs::File;
use std::io::Read as _;
use std::process::Output;
use tochki_protocol::MatchId;
use tochki_server::matches::packing;
use tochki_server::records::verify;

/// Moves the ends of all games into the past, so that they are to be packed. Returns how many games have ended.
async fn pass_ends(db: &PgPool) -> u64 {
    let mut moved = 0;
    for table in ["matches", "results"] {
        let earlier = format!(
            "update {table} set finished_at = finished_at - interval '2 hours' where finished_at is not null"
        );
        let done = sqlx::query(sqlx::AssertSqlSafe(earlier)).execute(db).await;
        let rows = done.expect("time passes").rows_affected();
        moved = if table == "matches" { rows } else { moved };
    }
    moved
}

async fn count(db: &PgPool, query: &'static str) -> i64 {
    let counted = sqlx::query_scalar(query).fetch_one(db).await;
    counted.expect("a count")
}

/// Packs what is to be packed, of which nothing may be left. Returns how many games that were.
async fn pack_due(db: &PgPool) -> usize {
    let packed = packing::pack_all(db, refuse).await;
    packed.expect("packs")
}

/// What must not be told.
fn refuse(id: MatchId, why: &str) {
    panic!("match {id}: {why}");
}

/// Packs all finished games.
async fn pack(db: &PgPool) {
    let ended = pass_ends(db).await;
    assert_eq!(pack_due(db).await as u64, ended);
    let rows = "select count(*) from match_events e join matches m on m.id = e.match_id where m.finished_at is not null";
    assert_eq!(count(db, rows).await, 0);
}

/// Plays a rated game with a clock, an offer, a take-back and client ids, which `second` resigns.
async fn eventful_game(first: &Player, second: &Player) -> i64 {
    let fields = [("setup", SMALL), ("clock", "300+5")];
    let id = start_match_with(first, second, &fields).await;
    begin(first, second, id).await;
    let named = [("client_id", "first-name")];
    first.make_move(id, "1,1", &named).await.assert_ok();
    second.offer(id, "draw").await.assert_ok();
    first.answer_offer(id, false).await.assert_ok();
    second.make_move(id, "2,2", &[]).await.assert_ok();
    second.offer(id, "takeback").await.assert_ok();
    first.answer_offer(id, true).await.assert_ok();
    let named = [("client_id", "second-name")];
    second.make_move(id, "2,3", &named).await.assert_ok();
    second.resign(id).await.assert_ok();
    id
}

/// Removes the names that clients gave their moves, wherever they are.
fn without_names(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "client_id" {
                    *member = Value::Null;
                }
                without_names(member);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(without_names),
        _ => {}
    }
}

/// Returns all that the streams say of a match after each version, first to last.
async fn streamed(visitor: &Visitor, id: i64, versions: u32) -> Vec<Vec<Event>> {
    let path = format!("/events/match/{id}");
    let mut all = Vec::new();
    for last in 0..versions {
        let mut stream = visitor.resume(&path, last).await;
        let mut events = stream.take((versions - last) as usize).await;
        for event in &mut events {
            without_names(&mut event.data);
        }
        all.push(events);
    }
    all
}

/// The members of a snapshot that a finished game alone decides about.
const OF_GAME: [&str; 11] = [
    "version", "moves", "seats", "players", "to_move", "score", "clock", "begun", "offer",
    "status", "result",
];

/// Returns all that an instance says of a finished game, but for the names of moves.
async fn said_of(app: &TestApp, ann: &Player, id: i64) -> Vec<Value> {
    let ann = ann.at_instance(app.address);
    let snapshot = app.visitor().snapshot(id).await;
    let of_game: Vec<&Value> = OF_GAME.iter().map(|member| &snapshot[*member]).collect();
    let mut data = ann.get("/api/my_data").await.assert_ok()["matches"].clone();
    without_names(&mut data);
    let mut said = vec![json!(of_game), data];
    for path in [
        format!("/match/{id}/sgf"),
        "/history/jsonl".to_owned(),
        "/history/sgf".to_owned(),
        "/api/games".to_owned(),
        "/api/games?format=sgf".to_owned(),
    ] {
        let answer = ann.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        said.push(json!([path, answer.text]));
    }
    said
}

async fn checksum(db: &PgPool) -> String {
    let verified = verify::verify(db, refuse).await;
    verified.expect("it is read").checksum
}

#[tokio::test]
async fn a_packed_game_reads_as_before() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = eventful_game(&ann, &bob).await;
    beat(&bob, &ann).await;
    let versions = app.visitor().snapshot(id).await["version"].as_u64();
    let versions = u32::try_from(versions.expect("a version")).expect("few events");
    assert!(versions > 9, "{versions}");
    pass_ends(&app.db).await;
    let before = (
        said_of(&app, &ann, id).await,
        streamed(&app.visitor(), id, versions).await,
        checksum(&app.db).await,
    );
    assert_eq!(pack_due(&app.db).await, 2);
    assert_eq!(
        count(&app.db, "select count(*) from match_events").await,
        0,
        "the rows are gone"
    );
    // The first instance has the match in memory, another one reads it.
    let other = app.another_instance().await;
    for instance in [&app, &other] {
        assert_eq!(said_of(instance, &ann, id).await, before.0);
        let streams = streamed(&instance.visitor(), id, versions).await;
        assert_eq!(streams, before.1);
        for page in [format!("/match/{id}"), format!("/match/{id}/replay")] {
            let page = instance.visitor().get(&page).await;
            assert_eq!(page.status, 200, "{page:?}");
        }
    }
    assert_eq!(checksum(&app.db).await, before.2);
    // Packing again finds nothing to do.
    assert_eq!(pack_due(&app.db).await, 0);
}

#[tokio::test]
async fn a_stream_goes_on_while_its_game_is_packed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    begin(&ann, &bob, id).await;
    let mut open = app.visitor().resume(&path, 0).await;
    assert_eq!(open.take(2).await.len(), 2);
    bob.resign(id).await.assert_ok();
    pack(&app.db).await;
    open.expect("finished").await;
    // Its client comes back with what it has, also at an instance that knows nothing of the game.
    let other = app.another_instance().await;
    for instance in [&app, &other] {
        let mut resumed = instance.visitor().resume(&path, 2).await;
        let finished = resumed.next().await;
        assert_eq!((finished.id, &*finished.name), (Some(3), "finished"));
    }
}

#[tokio::test]
async fn a_packed_game_in_memory_is_read_again_after_an_outage() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = beat(&ann, &bob).await;
    let _watching = app.visitor().stream(&format!("/events/match/{id}")).await;
    pack(&app.db).await;
    let outages = "select outages::bigint from heartbeat";
    let before = count(&app.db, outages).await;
    sqlx::query("update heartbeat set beat_at = beat_at - interval '1 hour'")
        .execute(&app.db)
        .await
        .expect("an outage");
    wait_until("an outage", async || {
        (count(&app.db, outages).await > before).then_some(())
    })
    .await;
    ann.resign(id).await.assert_error(409, "finished");
    assert_eq!(app.visitor().snapshot(id).await["version"], 3);
}

#[tokio::test]
async fn a_move_that_is_sent_again_after_packing_is_too_late() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let named = [("client_id", "a-name")];
    assert_eq!(ann.make_move(id, "1,1", &named).await.version(), 3);
    bob.resign(id).await.assert_ok();
    // Until then it gets its first answer, after the end of the game and from an instance that has to read it, too.
    let other = app.another_instance().await;
    let there = ann.at_instance(other.address);
    assert_eq!(there.make_move(id, "1,1", &named).await.version(), 3);
    pack(&app.db).await;
    let third = app.another_instance().await;
    let there = ann.at_instance(third.address);
    let late = there.make_move(id, "1,1", &named).await;
    late.assert_error(409, "finished");
    assert_eq!(app.visitor().snapshot(id).await["version"], 4);
}

#[tokio::test]
async fn running_games_and_those_that_have_just_ended_are_not_packed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let ended = beat(&ann, &bob).await;
    assert_eq!(pack_due(&app.db).await, 0);
    pass_ends(&app.db).await;
    let running = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, running).await;
    assert_eq!(pack_due(&app.db).await, 1);
    let packed: Vec<i64> = sqlx::query_scalar("select match_id from packed_matches")
        .fetch_all(&app.db)
        .await
        .expect("packs");
    assert_eq!(packed, [ended]);
    ann.make_move(running, "1,1", &[]).await.assert_ok();
    bob.resign(running).await.assert_ok();
}

/// The columns of an event that a pack keeps.
type Row = (i64, i32, String, Value, Option<i16>, i64, Option<i64>);

async fn rows(db: &PgPool) -> Vec<Row> {
    let rows = sqlx::query_as(
        "select match_id, version, kind, case kind when 'moved' then jsonb_set(body::jsonb, '{client_id}', 'null') else body::jsonb end,
             seat, ms(at), grace_ms
         from match_events order by match_id, version",
    );
    rows.fetch_all(db).await.expect("rows")
}

#[tokio::test]
async fn unpacking_gives_the_rows_back() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    eventful_game(&ann, &bob).await;
    let aborted = start_match(&ann, &bob, SMALL).await;
    ann.abort(aborted).await.assert_ok();
    let before = rows(&app.db).await;
    pack(&app.db).await;
    assert_eq!(packing::unpack_all(&app.db, refuse).await.expect("rows"), 2);
    assert_eq!(rows(&app.db).await, before);
    assert_eq!(
        count(&app.db, "select count(*) from packed_matches").await,
        0
    );
    // The table of events decides about the versions of this match as before.
    let again = sqlx::query(
        "insert into match_events (match_id, version, kind, body) values ($1, 1, 'x', '{}')",
    );
    again.bind(aborted).execute(&app.db).await.unwrap_err();
}

#[tokio::test]
async fn a_damaged_pack_is_an_error_of_its_game_alone() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(beat(&ann, &bob).await);
    }
    pack(&app.db).await;
    let damage = [
        (
            games[0],
            "update packed_matches set events = substring(events from 1 for length(events) - 1) where match_id = $1",
        ),
        (
            games[1],
            r"update packed_matches set events = '\xff' where match_id = $1",
        ),
        // The count of the events is more than anybody has memory for.
        (
            games[2],
            r"update packed_matches set events = '\x01ffffffffffffffffff01' where match_id = $1",
        ),
    ];
    for (id, update) in damage {
        let done = sqlx::query(update).bind(id).execute(&app.db).await;
        assert_eq!(done.expect("damage").rows_affected(), 1);
    }
    let other = app.another_instance().await;
    let visitor = other.visitor();
    for (id, _) in damage {
        for path in [
            format!("/api/match?id={id}"),
            format!("/events/match/{id}"),
            format!("/match/{id}/sgf"),
        ] {
            let answer = visitor.get(&path).await;
            answer.assert_error(409, "broken_record");
        }
    }
    assert_eq!(visitor.snapshot(games[3]).await["version"], 3);

    let ann = ann.at_instance(other.address);
    let lines = ann.get("/history/jsonl").await.text;
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let codes: Vec<_> = lines.iter().map(|line| line["code"].as_str()).collect();
    let broken = Some("broken_record");
    assert_eq!(codes, [None, broken, broken, broken], "the last game first");
    let data = ann.get("/api/my_data").await.assert_ok();
    let events: Vec<_> = data["matches"]
        .as_array()
        .expect("matches")
        .iter()
        .map(|game| game["events"].as_array().map(Vec::len))
        .collect();
    assert_eq!(events, [None, None, None, Some(3)]);

    let mut found = Vec::new();
    let verified = verify::verify(&app.db, |id, why| found.push((id.0, why.to_owned()))).await;
    assert_eq!(verified.expect("it is read").broken, 3);
    let ids: Vec<i64> = found.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, games[..3], "{found:?}");

    // They stay as they are, and hold up nothing.
    let mut left = Vec::new();
    let unpacked = packing::unpack_all(&app.db, |id, _| left.push(id.0)).await;
    assert_eq!(unpacked.expect("rows"), 1);
    assert_eq!(left, games[..3]);
    assert_eq!(
        count(&app.db, "select count(*) from packed_matches").await,
        3
    );
    assert_eq!(pack_due(&app.db).await, 1);
}

#[tokio::test]
async fn a_game_whose_events_would_not_read_back_is_left_as_it_is() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(beat(&ann, &bob).await);
    }
    for (id, update) in [
        // A later release says more.
        (
            games[0],
            r#"update match_events set body = replace(body, '{', '{"later":1,') where version = 1 and match_id = $1"#,
        ),
        (
            games[1],
            "delete from match_events where version = 2 and match_id = $1",
        ),
        (
            games[2],
            "update matches set rules_version = rules_version + 1 where id = $1",
        ),
    ] {
        let done = sqlx::query(update).bind(id).execute(&app.db).await;
        assert_eq!(done.expect(update).rows_affected(), 1);
    }
    let before = rows(&app.db).await;
    pass_ends(&app.db).await;
    let mut left = Vec::new();
    let packed = packing::pack_all(&app.db, |id, _| left.push(id.0)).await;
    assert_eq!(packed.expect("packs"), 1);
    assert_eq!(left, games[..3]);
    let kept: Vec<_> = before.into_iter().filter(|row| row.0 != games[3]).collect();
    assert_eq!(rows(&app.db).await, kept);
}

#[tokio::test]
async fn a_packed_game_is_annulled() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let id = beat(&ann, &bob).await;
    pack(&app.db).await;
    let before: Vec<u8> = sqlx::query_scalar("select events from packed_matches")
        .fetch_one(&app.db)
        .await
        .expect("a pack");
    let text = id.to_string();
    let form = [("match_id", &*text), ("why", "arranged")];
    boss.post("/api/operator_annul", &form).await.assert_ok();
    let other = app.another_instance().await;
    let snapshot = other.visitor().snapshot(id).await;
    assert_eq!(snapshot["annulled"], true);
    assert_eq!(snapshot["result"]["ratings"][0]["after"], 1612.5);
    let profile = ann.get("/api/profile?name=ann&game=dots").await.assert_ok();
    assert_eq!(profile["games"][0]["rating"], 1600.0);
    let after: Vec<u8> = sqlx::query_scalar("select events from packed_matches")
        .fetch_one(&app.db)
        .await
        .expect("a pack");
    assert_eq!(after, before, "stored events do not change");
    checksum(&app.db).await;
}

#[tokio::test]
async fn the_name_of_a_deleted_player_is_in_no_packed_game() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = eventful_game(&ann, &bob).await;
    pack(&app.db).await;
    let form = [("password", PASSWORD)];
    bob.post("/api/delete_account", &form).await.assert_ok();
    // The first instance has the match with its players in memory.
    let other = app.another_instance().await;
    let visitor = other.visitor();
    let snapshot = visitor.snapshot(id).await;
    assert_eq!(snapshot["players"][1]["name"], "deleted player");
    assert_eq!(snapshot["moves"].as_array().map(Vec::len), Some(4));
    for path in [format!("/match/{id}/sgf"), "/api/games".to_owned()] {
        let answer = visitor.get(&path).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(!answer.text.contains("bob"), "{}", answer.text);
    }
    let packs: Vec<Vec<u8>> = sqlx::query_scalar("select events from packed_matches")
        .fetch_all(&app.db)
        .await
        .expect("packs");
    for name in ["bob", "first-name", "second-name"] {
        let is_in = |pack: &Vec<u8>| pack.windows(name.len()).any(|part| part == name.as_bytes());
        assert!(!packs.iter().any(is_in), "{name}");
    }
}

#[tokio::test]
async fn a_recount_changes_the_ratings_in_a_pack() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = beat(&ann, &bob).await;
    // As the release with the cap has left it.
    for cut in [
        "update match_events set body = replace(body, '\"after\":16', '\"after\":15') where match_id = $1 and kind = 'finished'",
        "update rating_history set after = after - 5, capped = true where match_id = $1 and after > before",
    ] {
        let done = sqlx::query(cut).bind(id).execute(&app.db).await;
        assert_eq!(done.expect(cut).rows_affected(), 1);
    }
    pack(&app.db).await;
    let result = async |app: &TestApp| {
        let snapshot = app.visitor().snapshot(id).await;
        snapshot["result"]["ratings"][0]["after"].clone()
    };
    let other = app.another_instance().await;
    assert_eq!(result(&other).await, 1612.5);
    assert_eq!(count(&app.db, "select count(*) from match_events").await, 0);
    assert_eq!(
        count(&app.db, "select count(*) from packed_matches").await,
        1
    );
    checksum(&app.db).await;
}

#[tokio::test]
async fn one_instance_packs_in_the_background_where_the_settings_say_so() {
    let packed = "select count(*) from packed_matches";
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    beat(&ann, &bob).await;
    pass_ends(&app.db).await;
    let other = app.another_instance().await;
    other.visitor().get("/readyz").await;
    assert_eq!(count(&app.db, packed).await, 0, "it is off by default");
    let held = "select count(*) from packing_progress where holder is not null";
    for games in 1..=2 {
        let mut settings = TestApp::settings();
        settings.pack_games = true;
        let packer = TestApp::on(app.database.clone(), settings.clone()).await;
        let idle = TestApp::on(app.database.clone(), settings).await;
        wait_until("packs", async || {
            (count(&app.db, packed).await == games).then_some(())
        })
        .await;
        assert_eq!(count(&app.db, held).await, 1);
        // It goes on from there, whoever does it.
        drop((packer, idle));
        wait_until("the end of the lease", async || {
            (count(&app.db, held).await == 0).then_some(())
        })
        .await;
        beat(&ann, &bob).await;
        sqlx::query(
            "update matches set finished_at = finished_at - interval '90 minutes' where finished_at > now() - interval '1 hour'",
        )
        .execute(&app.db)
        .await
        .expect("time passes");
    }
}

fn text_of(done: &Output) -> String {
    assert!(done.status.success(), "{done:?}");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[tokio::test]
async fn the_commands_of_an_operator_pack_and_keep_packed_games() {
    let server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = beat(&ann, &bob).await;
    let running = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, running).await;
    pass_ends(&server.db).await;
    let settings = [("DATABASE_URL", server.database.url().to_owned())];
    let checksum = async |settings: &[(&'static str, String)]| {
        let verified = text_of(&run(&["verify"], settings).await);
        assert!(
            verified.contains("2 matches replayed, 0 broken"),
            "{verified}"
        );
        let line = verified.lines().find(|line| line.starts_with("checksum "));
        line.expect("a checksum").to_owned()
    };
    let before = checksum(&settings).await;
    let packed = text_of(&run(&["games", "pack"], &settings).await);
    assert!(packed.starts_with("1 games packed"), "{packed}");
    assert_eq!(checksum(&settings).await, before);
    let size = text_of(&run(&["games", "size"], &settings).await);
    assert!(
        size.contains("1 finished games, 1 of them packed"),
        "{size}"
    );
    assert!(size.contains("packed_matches"), "{size}");

    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a plain path")
            .to_owned()
    };
    let (export, backup) = (path("games.jsonl.gz"), path("arena.dump"));
    text_of(&run(&["export", &export], &settings).await);
    let mut lines = String::new();
    let file = File::open(&export).expect("a file");
    GzDecoder::new(file)
        .read_to_string(&mut lines)
        .expect("text");
    let line: Value = serde_json::from_str(lines.trim_end()).expect("one line");
    assert_eq!(
        (&line["match"], &line["moves"]),
        (&json!(id), &json!(["0,4", "4,0"]))
    );

    text_of(&run(&["backup", &backup], &settings).await);
    let other = super::cluster::Database::empty().await;
    let there = [("DATABASE_URL", other.url().to_owned())];
    text_of(&run(&["restore", &backup], &there).await);
    assert_eq!(checksum(&there).await, before);
    let restored = Server::start_on(other.clone()).await;
    assert_eq!(restored.visitor().snapshot(id).await["version"], 3);

    let unpacked = text_of(&run(&["games", "unpack"], &settings).await);
    assert!(unpacked.starts_with("1 games unpacked"), "{unpacked}");
    assert_eq!(checksum(&settings).await, before);
    // The server has noticed nothing.
    assert_eq!(server.visitor().snapshot(id).await["version"], 3);
    ann.make_move(running, "1,1", &[]).await.assert_ok();
}
