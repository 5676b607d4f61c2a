//! Tables by correspondence: how long they are open, when they open again, how many there are, and who sits down at them.

use super::app::{SMALL, TestApp, backdate_match, wait_until, wait_until_blocked};
use super::correspondence::{DAY, accept, by_seat, result, seek};
use super::player::Player;
use futures::future::join_all;
use serde_json::Value;

/// The ids of the tables by correspondence that a waiting room lists.
async fn listed(reader: &Player) -> Vec<i64> {
    let room = reader.get("/api/waiting_room?game=dots").await.assert_ok();
    let tables = room["tables"].as_array().expect("tables");
    let slow = tables.iter().filter(|table| table["clock"] == "3d");
    slow.filter_map(|table| table["id"].as_i64()).collect()
}

async fn wait_until_listed(reader: &Player, tables: &[i64]) {
    wait_until("the list of tables", async || {
        (listed(reader).await == tables).then_some(())
    })
    .await;
}

/// Returns whether a table is open.
async fn is_open(app: &TestApp, table: &Value) -> bool {
    sqlx::query_scalar("select closed_at is null from open_tables where id = $1")
        .bind(table["id"].as_i64())
        .fetch_one(&app.db)
        .await
        .expect("the table")
}

#[tokio::test]
async fn a_table_is_open_again_when_who_sat_down_aborts() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let table = seek(&ann, &[]).await;
    let id = table["id"].as_i64().expect("an id");
    let aborted = accept(&bob, &table).await;
    wait_until_listed(&cid, &[]).await;
    bob.abort(aborted).await.assert_ok();
    wait_until_listed(&cid, &[id]).await;
    // Not for him, however he asks.
    bob.post("/api/sit", &[("table", &id.to_string())])
        .await
        .assert_error(403, "removed");
    let form = [("game", "dots"), ("setup", SMALL), ("clock", "3d")];
    let asked = bob.post("/api/quick_game", &form).await.assert_ok();
    assert_eq!(asked["match"], Value::Null, "he has opened one");
    wait_until("both tables", async || {
        let tables = listed(&cid).await;
        (tables.len() == 2).then_some(())
    })
    .await;

    // It is open for the rest of its time, and no more tables than a player may have are.
    let next = accept(&cid, &table).await;
    sqlx::query(
        "insert into open_tables (link, name, creator_id, game, setup, clock, rated, correspondence, seen_at)
         select 'tablenumb' || chr(96 + n), name, creator_id, game, setup, clock, rated, correspondence, seen_at
         from open_tables, generate_series(1, 10) n where id = $1",
    )
    .bind(id)
    .execute(&app.db)
    .await
    .unwrap();
    cid.abort(next).await.assert_ok();
    assert!(!is_open(&app, &table).await, "she has ten others");
}

#[tokio::test]
async fn a_table_stays_closed_when_its_creator_aborts_or_its_time_is_over() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let table = seek(&ann, &[]).await;
    let aborted = accept(&bob, &table).await;
    ann.abort(aborted).await.assert_ok();
    assert!(!is_open(&app, &table).await);

    let table = seek(&ann, &[]).await;
    let aborted = accept(&cid, &table).await;
    sqlx::query("update open_tables set seen_at = now() where match_id = $1")
        .bind(aborted)
        .execute(&app.db)
        .await
        .expect("updated");
    cid.abort(aborted).await.assert_ok();
    assert!(!is_open(&app, &table).await);
}

#[tokio::test]
async fn a_table_is_open_again_when_who_sat_down_never_moves() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let table = seek(&ann, &[]).await;
    let id = accept(&bob, &table).await;
    if by_seat(&ann, &bob, id).await[0].id == ann.id {
        ann.make_move(id, "1,1", &[]).await.assert_ok();
    }
    // It was closed days ago, and is cleaned up meanwhile.
    backdate_match(&app.db, id, 3 * DAY + 60).await;
    sqlx::query(
        "update open_tables set closed_at = closed_at - interval '3 days' where match_id = $1",
    )
    .bind(id)
    .execute(&app.db)
    .await
    .expect("updated");
    let there = app.another_instance().await;
    let aborted = result(&cid.at_instance(there.address), id).await;
    assert_eq!(aborted["reason"], "aborted");
    assert!(is_open(&app, &table).await);
    bob.post("/api/sit", &[("table", &table["id"].to_string())])
        .await
        .assert_error(403, "removed");
    accept(&cid, &table).await;
}

#[tokio::test]
async fn a_table_by_correspondence_is_open_for_fourteen_days() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    // The creator is there, which keeps tables for live games open.
    let _there = ann.join_lobby().await;
    let table = seek(&ann, &[]).await;
    let left: f64 = sqlx::query_scalar(
        "select extract(epoch from seen_at - now())::float8 from open_tables where id = $1",
    )
    .bind(table["id"].as_i64())
    .fetch_one(&app.db)
    .await
    .expect("the time left");
    let fourteen_days = f64::from(14 * DAY);
    assert!(
        (fourteen_days - 60.0..=fourteen_days).contains(&left),
        "{left}"
    );
    let last_minute = accept_after(&app, &bob, "1 minute").await;
    assert!(last_minute, "in its last minute somebody sits down");
    let over = seek(&ann, &[]).await;
    sqlx::query("update open_tables set seen_at = now() - interval '5 seconds' where id = $1")
        .bind(over["id"].as_i64())
        .execute(&app.db)
        .await
        .expect("updated");
    wait_until("the end of the table", async || {
        (!is_open(&app, &over).await).then_some(())
    })
    .await;
    bob.post("/api/sit", &[("table", &over["id"].to_string())])
        .await
        .assert_error(404, "no_such_table");
}

/// Lets so much time be left to all tables, and returns whether a quick game by correspondence finds one.
async fn accept_after(app: &TestApp, player: &Player, left: &str) -> bool {
    sqlx::query(
        "update open_tables set seen_at = now() + $1::text::interval where closed_at is null",
    )
    .bind(left)
    .execute(&app.db)
    .await
    .expect("updated");
    let form = [("game", "dots"), ("setup", SMALL), ("clock", "3d")];
    let asked = player.post("/api/quick_game", &form).await.assert_ok();
    asked["match"].is_i64()
}

#[tokio::test]
async fn tables_by_correspondence_are_few_from_one_address_and_of_a_guest() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let guest = app.visitor().be_guest("guest").await;
    let unrated = [("rated", "false")];
    for _ in 0..2 {
        seek(&guest, &unrated).await;
    }
    let form = [("game", "dots"), ("clock", "3d"), ("rated", "false")];
    guest
        .post("/api/open_table", &form)
        .await
        .assert_error(409, "too_many_tables");
    for (player, count) in [(&ann, 10), (&bob, 8)] {
        for _ in 0..count {
            seek(player, &unrated).await;
        }
    }
    for path in ["/api/open_table", "/api/quick_game"] {
        let rated = [("game", "dots"), ("clock", "5d")];
        cid.post(path, &rated)
            .await
            .assert_error(409, "tables_full");
    }
    // One for a live game is another one.
    cid.post("/api/open_table", &[("game", "dots")])
        .await
        .assert_ok();
}

#[tokio::test]
async fn who_refuses_guests_is_paired_with_none() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let guest = app.visitor().be_guest("guest").await;
    let form = [("switches", "guests")];
    ann.post("/api/settings", &form).await.assert_ok();
    let terms = [
        ("game", "dots"),
        ("setup", SMALL),
        ("clock", "3d"),
        ("rated", "false"),
    ];
    let ask = async |player: &Player| {
        let asked = player.post("/api/quick_game", &terms).await.assert_ok();
        asked["match"].as_i64()
    };
    assert_eq!(ask(&guest).await, None);
    assert_eq!(ask(&ann).await, None);
    let id = ask(&bob).await.expect("a match with the guest");
    let players = bob.snapshot(id).await["players"].clone();
    assert!([0, 1].iter().any(|at| players[*at]["id"] == guest.id));
}

/// The number of open tables by correspondence of a player.
async fn count_open(app: &TestApp, player: &Player) -> i64 {
    sqlx::query_scalar(
        "select count(*) from open_tables where creator_id = $1 and correspondence and closed_at is null",
    )
    .bind(player.id)
    .fetch_one(&app.db)
    .await
    .expect("a count")
}

#[tokio::test]
async fn a_player_has_ten_tables_however_many_open_at_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let (first, second) = (seek(&ann, &[]).await, seek(&ann, &[]).await);
    let (bobs, cids) = (accept(&bob, &first).await, accept(&cid, &second).await);
    sqlx::query(
        "insert into open_tables (link, name, creator_id, game, setup, clock, rated, correspondence, seen_at)
         select 'tablenumb' || chr(96 + n), name, creator_id, game, setup, clock, rated, correspondence, seen_at
         from open_tables, generate_series(1, 8) n where id = $1",
    )
    .bind(first["id"].as_i64())
    .execute(&app.db)
    .await
    .expect("eight more");
    // Two that open again and two that she opens, of which two find room.
    let mut counting = app.db.begin().await.expect("a transaction");
    sqlx::query("select pg_advisory_xact_lock(8)")
        .execute(&mut *counting)
        .await
        .expect("locked");
    let form = [("game", "dots"), ("setup", SMALL), ("clock", "5d")];
    let open = || ann.post("/api/open_table", &form);
    let (his, hers, one, other, ()) =
        tokio::join!(bob.abort(bobs), cid.abort(cids), open(), open(), async {
            // Her two requests wait one for the other, by the lock on her.
            wait_until_blocked(&app.db, 4).await;
            counting.rollback().await.expect("unlocked");
        });
    his.assert_ok();
    hers.assert_ok();
    assert_eq!(count_open(&app, &ann).await, 10);
    let reopened = [&first, &second].map(|table| is_open(&app, table));
    let reopened = join_all(reopened).await;
    let opened = [one.status, other.status]
        .iter()
        .filter(|status| **status == 200)
        .count();
    let reopened = reopened.into_iter().filter(|is_open| *is_open).count();
    assert_eq!(reopened + opened, 2);
    for refused in [one, other].iter().filter(|answer| answer.status != 200) {
        refused.assert_error(409, "too_many_tables");
    }
}

#[tokio::test]
async fn a_guest_who_never_moves_sits_down_at_few_tables() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.visitor().be_guest("eve").await;
    let unrated = [("rated", "false")];
    let mut games = Vec::new();
    for creator in [&ann, &bob, &ann] {
        let table = seek(creator, &unrated).await;
        games.push((creator, accept(&eve, &table).await));
    }
    let last = seek(&bob, &unrated).await;
    let last_id = last["id"].to_string();
    let form = [("table", &*last_id)];
    let sit = || eve.post("/api/sit", &form);
    sit().await.assert_error(409, "unbegun_games");
    let own = [
        ("game", "dots"),
        ("setup", SMALL),
        ("clock", "3d"),
        ("rated", "false"),
    ];
    for path in ["/api/open_table", "/api/quick_game"] {
        eve.post(path, &own)
            .await
            .assert_error(409, "unbegun_games");
    }
    assert!(is_open(&app, &last).await, "others find it");
    let (creator, id) = games[0];
    let [first, second] = by_seat(creator, &eve, id).await;
    first.make_move(id, "1,1", &[]).await.assert_ok();
    if first.id != eve.id {
        sit().await.assert_error(409, "unbegun_games");
        second.make_move(id, "2,2", &[]).await.assert_ok();
    }
    sit().await.assert_ok();
    // Three again, and one that is aborted is none.
    let next = seek(&ann, &unrated).await;
    let next = next["id"].to_string();
    let form = [("table", &*next)];
    eve.post("/api/sit", &form)
        .await
        .assert_error(409, "unbegun_games");
    eve.abort(games[1].1).await.assert_ok();
    eve.post("/api/sit", &form).await.assert_ok();
}

#[tokio::test]
async fn guests_who_never_move_leave_tables_to_others() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let unrated = [("rated", "false")];
    let mut begun = Vec::new();
    for (number, creator, count) in [(0, &ann, 3), (1, &ann, 3), (2, &bob, 3), (3, &bob, 1)] {
        let eve = app.visitor().be_guest(&format!("eve{number}")).await;
        for _ in 0..count {
            let table = seek(creator, &unrated).await;
            begun.push(accept(&eve, &table).await);
        }
    }
    assert_eq!(begun.len(), 10);
    let id = seek(&ann, &unrated).await["id"].to_string();
    let form = [("table", &*id)];
    let eve = app.visitor().be_guest("eve10").await;
    eve.post("/api/sit", &form)
        .await
        .assert_error(409, "unbegun_games");
    // An account is another matter, though it comes from the same address.
    bob.post("/api/sit", &form).await.assert_ok();
    // The table is kept for the count as long as its match runs, also at the end of its time.
    sqlx::query(
        "update open_tables set closed_at = closed_at - interval '2 days', seen_at = now() - interval '1 day'
         where match_id is not null",
    )
    .execute(&app.db)
    .await
    .expect("updated");
    tochki_server::tables::db::delete_old(&app.db)
        .await
        .expect("cleaned up");
    let id = seek(&ann, &unrated).await["id"].to_string();
    let form = [("table", &*id)];
    eve.post("/api/sit", &form)
        .await
        .assert_error(409, "unbegun_games");
    ann.abort(begun[0]).await.assert_ok();
    eve.post("/api/sit", &form).await.assert_ok();
}
