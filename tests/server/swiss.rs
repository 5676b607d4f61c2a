//! Swiss tournaments: a whole one with an odd field on two instances, its byes, a withdrawal, a forfeit and a late entry; the calls to
//! its rounds, its pairings by round and its files.

use super::app::TestApp;
use super::player::Player;
use super::tournament_recounts::assert_recounted;
use super::tournament_steps::{
    account, arena, begin, confirm, entrant_state, join, make, next, pass_break, pass_first_move,
    play_round, players, rounds_of, standings, swiss, wait_for_break, wait_for_round,
    wait_for_state,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tochki_protocol::{
    Code, EntrantState, PlayerId, TournamentScore, TournamentStandings, TournamentState,
};
use tochki_tournaments::{records, trf};

#[tokio::test]
async fn a_swiss_is_played_from_its_beginning_to_its_end() {
    let app = TestApp::init().await;
    let other = app.another_instance().await;
    let mut players = players(&app, &["ann", "bob", "cid", "dan", "eve", "flo", "gus"]).await;
    let ids: Vec<i64> = players.keys().copied().collect();
    let id = make(&app, &players[&ids[0]], swiss(Some(4))).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    assert_eq!(rounds_of(&app, id).await.rounds, Some(4));
    assert_eq!(pairs.len(), 3);
    let seated: BTreeSet<i64> = pairs.iter().flat_map(|(_, seats)| *seats).collect();
    let free = *ids.iter().find(|one| !seated.contains(*one)).unwrap();
    let listed = app
        .state
        .tournaments
        .pairings(id, Some(1), 0)
        .await
        .unwrap();
    assert_eq!(listed.pairings.len(), 3);
    assert_eq!(listed.byes.len(), 1);
    assert_eq!(listed.byes[0].player.id, PlayerId(free));
    assert!(listed.byes[0].points == 1);

    // The first move has a minute and a sixth of the clock, and a draw needs moves.
    let (match_id, [first, second]) = pairs[0];
    let snapshot = players[&first].snapshot(match_id).await;
    assert_eq!(
        snapshot["tournament"],
        json!({"id": id.0, "first_move_ms": 70_000, "offers_after": 20})
    );
    players[&first]
        .make_move(match_id, "0,0", &[])
        .await
        .assert_ok();
    players[&second]
        .make_move(match_id, "4,4", &[])
        .await
        .assert_ok();
    for kind in ["draw", "finish"] {
        let offered = players[&first].offer(match_id, kind).await;
        offered.assert_error(409, "too_early");
    }
    players[&second].resign(match_id).await.assert_ok();

    // In the first half of the rounds a player enters late, with half a point.
    let zoe = app.with_user("zoe").await;
    join(&app, &zoe, id).await.unwrap();
    let late = zoe.id;
    players.insert(late, zoe);
    let row = |standings: &TournamentStandings, player: i64| {
        let mut rows = standings.rows.iter();
        rows.find(|row| row.player.id.0 == player).cloned()
    };
    let now = standings(&app, id).await;
    assert_eq!(
        row(&now, late).unwrap().score,
        TournamentScore::of_halves(1)
    );
    play_round(&players, &pairs[1..]).await;
    assert_recounted(&app, id).await;

    // Who had no game says to be here, once it is time.
    wait_for_break(&app, id).await;
    confirm(&app, &players[&free], id).await.unwrap();
    confirm(&app, &players[&late], id).await.unwrap();
    // One leaves.
    let gone = pairs[1].1[0];
    let tournaments = &app.state.tournaments;
    tournaments
        .leave(&account(&players[&gone]), id)
        .await
        .unwrap();
    pass_break(&app, id).await;
    let pairs = wait_for_round(&app, id, 2).await;
    assert_eq!(pairs.len(), 3);
    let seated: BTreeSet<i64> = pairs.iter().flat_map(|(_, seats)| *seats).collect();
    assert!(seated.contains(&late) && !seated.contains(&gone));
    // Of seven the one with the lowest score has the bye, and nobody a second one.
    let listed = tournaments.pairings(id, Some(2), 0).await.unwrap();
    assert!(listed.byes.iter().all(|bye| bye.player.id.0 != free));

    // An instance goes without a word, in the middle of a round; one game is a forfeit.
    drop(other);
    sqlx::query("update tournaments set holder = 'gone', held_until = now() + interval '3 seconds' where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    let (absent, [away, winner]) = pairs[0];
    let snapshot = pass_first_move(&app, &players[&winner], absent).await;
    assert_eq!(
        snapshot["result"],
        json!({"winner": 2, "reason": "forfeit", "ratings": null})
    );
    play_round(&players, &pairs[1..]).await;
    assert_recounted(&app, id).await;
    // Once is not out.
    assert_eq!(
        entrant_state(&app, id, &players[&away]).await,
        Some(EntrantState::Here)
    );

    for round in 3..=4 {
        wait_for_break(&app, id).await;
        for (player, one) in &players {
            if *player != gone {
                confirm(&app, one, id).await.unwrap();
            }
        }
        pass_break(&app, id).await;
        let pairs = wait_for_round(&app, id, round).await;
        assert_eq!(pairs.len(), 3);
        play_round(&players, &pairs).await;
        assert_recounted(&app, id).await;
    }
    wait_for_state(&app, id, TournamentState::Finished).await;
    assert_recounted(&app, id).await;
    let met: Vec<(i32, i32)> = sqlx::query_as(
        "select least(first, second), greatest(first, second) from tournament_pairings
         where tournament_id = $1 and second is not null and not forfeit",
    )
    .bind(id.0)
    .fetch_all(&app.db)
    .await
    .unwrap();
    let once: BTreeSet<_> = met.iter().collect();
    assert_eq!(once.len(), met.len(), "nobody meets anybody twice");
    let alone: i64 = sqlx::query_scalar(
        "select count(*) from matches m full join tournament_pairings p on p.match_id = m.id
         where m.tournament_id is not null and p.id is null or m.id is null and p.second is not null",
    )
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(alone, 0);

    // Other programs read the results.
    let file = app.visitor().get(&format!("/tournament/{id}/trf")).await;
    assert!(file.text.contains("142 4\n"));
    // The reader looks for the next round, of which there is none.
    let longer = file.text.replace("142 4\n", "142 5\n");
    let read = trf::read(&longer).expect("a file that reads back");
    assert_eq!(read.players.len(), 8);
    assert_eq!(read.field.played_rounds(), 4);
    let file = app.visitor().get(&format!("/tournament/{id}/csv")).await;
    let lines: Vec<_> = file.text.lines().collect();
    assert_eq!(lines.len(), 9);
    assert!(lines[0].starts_with(
        "rank,name,score,Buchholz cut 1,Buchholz,Sonneborn-Berger,performance,round 1"
    ));
    assert!(lines[1].starts_with(&format!(
        "1,\"{}\"",
        standings(&app, id).await.rows[0].player.name
    )));
    // Counted again from the file, they are in the same order.
    let file = app.visitor().get(&format!("/tournament/{id}/json")).await;
    let (record, mut counted) = (file.json(), Vec::new());
    records::standings(file.text.as_bytes(), &mut counted).unwrap();
    let counted: Value = serde_json::from_slice(&counted).unwrap();
    let counted: Vec<_> = (counted["standings"].as_array().expect("standings").iter())
        .map(|row| {
            let player = usize::try_from(row["player"].as_u64().unwrap()).unwrap();
            let name = record["players"][player]["name"].clone();
            (name, row["score"].clone(), row["tie_breaks"].clone())
        })
        .collect();
    let told: Vec<_> = (standings(&app, id).await.rows.iter())
        .map(|row| {
            let [score, values] = [json!(row.score), json!(row.tie_breaks)];
            (json!(row.player.name), score, values)
        })
        .collect();
    assert_eq!(counted, told);
    let of_arena = make(&app, &players[&ids[0]], arena()).await;
    let none = app
        .visitor()
        .get(&format!("/tournament/{of_arena}/trf"))
        .await;
    none.assert_error(404, "no_such_tournament");
}

#[tokio::test]
async fn players_are_called_to_rounds_and_count_as_here_by_their_pages() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan"]).await;
    let [ann, bob, cid, dan] = players
        .values()
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .unwrap();
    let mut later = swiss(Some(3));
    later.starts_at.0 += 3_600_000;
    let id = make(&app, ann, later).await;
    for player in [ann, bob, cid, dan] {
        join(&app, player, id).await.unwrap();
    }
    assert_eq!(confirm(&app, ann, id).await, Err(Code::NotOpen));
    let mut own = bob.stream("/events/me").await;
    let mut watched = app
        .visitor()
        .stream(&format!("/events/tournament/{id}"))
        .await;
    next(&mut watched, "standings", |_| true).await;
    sqlx::query("update tournaments set starts_at = now() + interval '60 seconds', version = version + 1 where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    let called = own.next_named("round_soon").await;
    assert_eq!(called["tournament"], id.0);
    assert_eq!(
        called["at"],
        app.state.tournaments.get(id).await.unwrap().starts_at.0
    );
    // A stream that is opened meanwhile is called, too.
    let mut another = cid.stream("/events/me").await;
    assert_eq!(another.next_named("round_soon").await["tournament"], id.0);

    // Ann says so, Bob has the page open, Cid has loaded it without scripts, and Dan is not there.
    let confirm_form = [("id", &*id.to_string())];
    ann.post("/api/confirm_presence", &confirm_form)
        .await
        .assert_ok();
    let _page = bob.stream(&format!("/events/tournament/{id}")).await;
    let path = format!("/tournament/{id}");
    let loaded = cid.request(reqwest::Method::GET, &path);
    super::player::send(loaded.header("accept", "text/html")).await;
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    assert_eq!(pairs.len(), 1);
    let listed = app
        .state
        .tournaments
        .pairings(id, Some(1), 0)
        .await
        .unwrap();
    let byes: Vec<_> = (listed.byes.iter())
        .map(|bye| (bye.player.id.0, bye.kind.as_str()))
        .collect();
    assert!(byes.contains(&(dan.id, "absent")), "{byes:?}");
    assert_eq!(byes.len(), 2, "{byes:?}");
    let begun = watched.next_named("round").await;
    assert_eq!(begun, json!({"number": 1, "state": "running"}));
    play_round(&players, &pairs).await;
    let ended = watched.next_named("round").await;
    assert_eq!(ended, json!({"number": 1, "state": "finished"}));
    next(&mut watched, "standings", |event| {
        event["top"][0]["score"] == 1
    })
    .await;
    let standings = app
        .visitor()
        .get(&format!("/api/tournament_standings?id={id}"))
        .await;
    let rows = standings.assert_ok()["rows"].clone();
    assert_eq!(rows[0]["tie_breaks"].as_array().map(Vec::len), Some(3));
    // Dan comes after all, and says so before the next round.
    wait_for_break(&app, id).await;
    for player in players.values() {
        confirm(&app, player, id).await.unwrap();
    }
    pass_break(&app, id).await;
    let pairs = wait_for_round(&app, id, 2).await;
    assert_eq!(pairs.len(), 2);
    assert!(pairs.iter().any(|(_, seats)| seats.contains(&dan.id)));
}

#[tokio::test]
async fn a_swiss_with_too_few_players_does_not_take_place() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let [ann, bob] = players
        .values()
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .unwrap();
    let id = make(&app, ann, swiss(Some(5))).await;
    join(&app, ann, id).await.unwrap();
    sqlx::query("update tournaments set starts_at = now() where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    wait_for_state(&app, id, TournamentState::Cancelled).await;

    // With two there is one round.
    let id = make(&app, ann, swiss(Some(5))).await;
    for player in [ann, bob] {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    assert_eq!(rounds_of(&app, id).await.rounds, Some(1));
    play_round(&players, &pairs).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    assert_recounted(&app, id).await;
    // Nobody enters the last round late.
    let cid = app.with_user("cid").await;
    assert_eq!(join(&app, &cid, id).await, Err(Code::NotOpen));
}

#[tokio::test]
async fn a_bye_is_requested_once_and_not_in_the_last_round() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan"]).await;
    let all: Vec<&Player> = players.values().collect();
    let (ann, tournaments) = (all[0], &app.state.tournaments);
    let id = make(&app, ann, swiss(Some(3))).await;
    let request = async |player: &Player, round: Option<u32>| {
        let asked = tournaments.request_bye(&account(player), id, round).await;
        asked.map_err(|error| error.code())
    };
    assert_eq!(request(ann, Some(1)).await, Err(Code::NotOpen));
    for player in &all {
        join(&app, player, id).await.unwrap();
    }
    assert_eq!(request(ann, Some(3)).await, Err(Code::NoBye));
    assert_eq!(request(ann, Some(0)).await, Err(Code::NoBye));
    request(ann, Some(2)).await.unwrap();
    request(ann, None).await.unwrap();
    let form = [("id", &*id.to_string()), ("round", "1")];
    ann.post("/api/request_bye", &form).await.assert_ok();
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    let seated: BTreeSet<i64> = pairs.iter().flat_map(|(_, seats)| *seats).collect();
    assert!(!seated.contains(&ann.id));
    let row = tournaments.standing_of(id, PlayerId(ann.id)).await.unwrap();
    assert_eq!(row.unwrap().score, TournamentScore::of_halves(1));
    // It was had.
    assert_eq!(request(ann, Some(2)).await, Err(Code::NoBye));
    assert_eq!(request(ann, None).await, Err(Code::NoBye));
    play_round(&players, &pairs).await;
    assert_recounted(&app, id).await;
    let arena = make(&app, ann, arena()).await;
    join(&app, ann, arena).await.unwrap();
    let none = tournaments.request_bye(&account(ann), arena, Some(1)).await;
    assert_eq!(none.unwrap_err().code(), Code::NoBye);
}
