//! Arenas: who may make and enter them, waves of pairings on several instances, forfeits, and scores that a recount confirms.

use super::app::{SMALL, TestApp, wait_until};
use super::tournament_recounts::{assert_scores, recount};
use super::tournament_steps::{
    account, address, arena, begin, join, lasting, make, pass, play, players, running, swiss_of,
    wait_for_pairings, wait_for_state, wait_for_turn,
};
use serde_json::json;
use std::collections::BTreeSet;
use tochki_play::Millis;
use tochki_protocol::{Account, Code, EntryConditions, PlayerId, TournamentId, TournamentState};
use tochki_server::now;
use tochki_server::tournaments::NewTournament;

#[tokio::test]
async fn only_known_players_make_arenas_and_not_many() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let by = account(&ann);
    let from = address(&by);
    let create = async |arena| {
        let tournaments = &app.state.tournaments;
        let made = tournaments.create(&by, false, &from, arena);
        made.await.map_err(|error| error.code())
    };
    assert_eq!(create(arena()).await, Err(Code::NotQualified));
    sqlx::query("update players set created_at = now() - interval '8 days'")
        .execute(&app.db)
        .await
        .unwrap();
    assert_eq!(create(arena()).await, Err(Code::NotQualified));
    sqlx::query("insert into ratings (player_id, game, games) values ($1, 'dots', 5)")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();

    let invalid: [fn(&mut NewTournament); 11] = [
        |arena| arena.name = "ab".into(),
        |arena| arena.name = "x".repeat(41),
        |arena| arena.description = "x".repeat(1001),
        |arena| arena.description = "bell\u{7}".into(),
        |arena| arena.format = lasting(19),
        |arena| arena.format = lasting(361),
        |arena| arena.format = swiss_of(Some(2), 60),
        |arena| arena.format = swiss_of(Some(5), 29),
        |arena| arena.starts_at = now() + Millis::from_secs(30),
        |arena| arena.starts_at = now() + Millis::from_hours(61 * 24),
        |arena| (arena.entry.min_rating, arena.entry.max_rating) = (Some(1700), Some(1600)),
    ];
    for change in invalid {
        let mut arena = arena();
        change(&mut arena);
        assert_eq!(create(arena).await, Err(Code::InvalidTournament));
    }
    for clock in ["none", "3d", "3600+0"] {
        let mut arena = arena();
        arena.terms.clock = clock.parse().unwrap();
        assert_eq!(create(arena).await, Err(Code::InvalidClock), "{clock}");
    }
    let mut open = arena();
    open.entry.guests = true;
    assert_eq!(create(open).await, Err(Code::GuestsUnrated));

    let one = create(arena()).await.unwrap();
    create(arena()).await.unwrap();
    assert_eq!(create(arena()).await, Err(Code::TooManyTournaments));
    let tournaments = &app.state.tournaments;
    tournaments.cancel(&by, false, one).await.unwrap();
    create(arena()).await.unwrap();
    // Three at one address in a day, cancelled or not.
    let upcoming = tournaments.upcoming(None, 0).await.unwrap();
    assert_eq!(upcoming.len(), 2);
    tournaments
        .cancel(&by, false, upcoming[0].id)
        .await
        .unwrap();
    assert_eq!(create(arena()).await, Err(Code::TooManyTournaments));
    // An operator has no limits.
    make(&app, &ann, arena()).await;
    let again = tournaments.cancel(&by, false, one).await.unwrap_err();
    assert_eq!(again.code(), Code::NotOpen);
    let none = tournaments.get(TournamentId(0)).await.unwrap_err();
    assert_eq!(none.code(), Code::NoSuchTournament);
}

#[tokio::test]
async fn conditions_of_entering_are_kept() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let bob = app.with_user("bob").await;
    let tournaments = &app.state.tournaments;
    let conditions: [fn(&mut EntryConditions); 4] = [
        |entry| entry.min_rating = Some(1700),
        |entry| entry.max_rating = Some(1000),
        |entry| entry.min_games = Some(1),
        |entry| entry.min_age_days = Some(1),
    ];
    for set in conditions {
        let mut strict = arena();
        set(&mut strict.entry);
        let id = make(&app, &ann, strict).await;
        assert_eq!(join(&app, &bob, id).await, Err(Code::NotQualified));
    }
    let mut locked = arena();
    locked.entry.password = true;
    locked.password_hash = Some("a hash".into());
    let id = make(&app, &ann, locked).await;
    assert_eq!(join(&app, &bob, id).await, Err(Code::WrongPassword));
    let by = account(&bob);
    tournaments
        .join(&by, &address(&by), id, Some("a hash"))
        .await
        .unwrap();

    let id = make(&app, &ann, arena()).await;
    join(&app, &bob, id).await.unwrap();
    // Twice is once.
    join(&app, &bob, id).await.unwrap();
    assert_eq!(tournaments.get(id).await.unwrap().players, 1);
    tournaments.leave(&by, id).await.unwrap();
    assert_eq!(
        tournaments.leave(&by, id).await.unwrap_err().code(),
        Code::NotOpen
    );
    assert_eq!(tournaments.get(id).await.unwrap().players, 0);
    join(&app, &bob, id).await.unwrap();
    let maker = account(&ann);
    let foreign = tournaments.remove(&by, false, id, by.id).await;
    assert_eq!(foreign.unwrap_err().code(), Code::NotYours);
    tournaments.remove(&maker, false, id, by.id).await.unwrap();
    assert_eq!(join(&app, &bob, id).await, Err(Code::NotQualified));
    tournaments
        .close_entries(&maker, false, id, true)
        .await
        .unwrap();
    assert_eq!(join(&app, &ann, id).await, Err(Code::NotOpen));
    // A guest enters where guests may.
    let guest = Account {
        guest: true,
        ..account(&ann)
    };
    let id = make(&app, &ann, arena()).await;
    let entered = tournaments.join(&guest, &address(&guest), id, None).await;
    assert_eq!(entered.unwrap_err().code(), Code::NotQualified);
}

#[tokio::test]
async fn an_arena_is_played_from_its_beginning_to_its_end() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan"]).await;
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, arena()).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    pass(&app, id, 5).await;
    let pairs = wait_for_pairings(&app, id, 2).await;
    let seated: BTreeSet<i64> = pairs.iter().flat_map(|(_, seats)| *seats).collect();
    assert_eq!(seated.len(), 4);

    // A game of a tournament is not aborted, nor taken back, and has a shorter time for the first move.
    let (match_id, [first, second]) = pairs[0];
    players[&first]
        .abort(match_id)
        .await
        .assert_error(409, "in_tournament");
    let snapshot = players[&first].snapshot(match_id).await;
    assert_eq!(snapshot["rated"], true);
    let limit = snapshot["move_by"].as_i64().unwrap() - now().0;
    assert!(limit <= 20_000, "{limit}");
    // Who plays is called to the board, and does not wait for another game.
    let room = players[&first]
        .get("/api/waiting_room?game=dots")
        .await
        .assert_ok();
    let listed = room["matches"].as_array().unwrap();
    assert!(listed.iter().any(|one| one["id"] == match_id));

    play(&players, pairs[0], second).await;
    let result = players[&first].snapshot(match_id).await["result"].clone();
    assert!(!result["ratings"].is_null());
    let standings = app.state.tournaments.standings(id, 0).await.unwrap();
    assert_eq!(standings.rows[0].player.id.0, first);
    assert!(standings.rows[0].rank == 1 && standings.rows[0].score == 2);
    assert_scores(&standings, &recount(&app, id).await);

    // The others do not come to the first move.
    let (absent, [away, winner]) = pairs[1];
    sqlx::query("update matches set deadline_at = now() - interval '1 second', started_at = started_at - interval '30 seconds' where id = $1")
        .bind(absent)
        .execute(&app.db)
        .await
        .unwrap();
    let snapshot = wait_until("the forfeit", async || {
        app.state
            .matches
            .get(tochki_protocol::MatchId(absent))
            .await
            .ok()?;
        let snapshot = players[&winner].snapshot(absent).await;
        (snapshot["status"] == "finished").then_some(snapshot)
    })
    .await;
    assert_eq!(
        snapshot["result"],
        json!({"winner": 2, "reason": "forfeit", "ratings": null})
    );
    let tournaments = &app.state.tournaments;
    let standing = async |player: i64| {
        let row = tournaments.standing_of(id, PlayerId(player)).await.unwrap();
        row.unwrap()
    };
    assert_eq!(standing(winner).await.score, 2);
    assert_eq!(standing(winner).await.performance, None);
    let paused = standing(away).await;
    assert!(paused.paused && paused.score == 0);

    // Who paused comes back, and waits for it.
    join(&app, &players[&away], id).await.unwrap();
    assert!(!standing(away).await.paused);
    let waits: bool = sqlx::query_scalar(
        "select waits_from > now() + interval '5 seconds' from tournament_entrants where tournament_id = $1 and player_id = $2",
    )
    .bind(id.0)
    .bind(away)
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert!(waits);

    // What runs at the end does not count.
    pass(&app, id, 30).await;
    let late = wait_for_pairings(&app, id, 2).await;
    pass(&app, id, 20 * 60).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    let before = tournaments.standings(id, 0).await.unwrap();
    play(&players, late[0], late[0].1[0]).await;
    let after = tournaments.standings(id, 0).await.unwrap();
    let scores = |standings: &tochki_protocol::TournamentStandings| -> Vec<_> {
        let rows = standings.rows.iter();
        rows.map(|row| (row.player.id, row.score)).collect()
    };
    assert_eq!(scores(&before), scores(&after));
    assert_eq!(join(&app, &players[&away], id).await, Err(Code::NotOpen));
    assert_eq!(tournaments.finished(None, 0).await.unwrap()[0].id, id);
    assert!(tournaments.standings(id, 1).await.is_err());
}

#[tokio::test]
async fn nobody_is_paired_twice_when_instances_come_and_go() {
    let app = TestApp::init().await;
    let other = app.another_instance().await;
    let names: Vec<String> = (0..10).map(|number| format!("player{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let players = players(&app, &names).await;
    let id = make(&app, players.values().next().unwrap(), arena()).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    let mut other = Some(other);
    for wave in 0..6 {
        pass(&app, id, 10).await;
        let pairs = wait_for_pairings(&app, id, 1).await;
        for (number, pair) in (0..).zip(pairs) {
            play(&players, pair, pair.1[(number + wave) % 2]).await;
        }
        if wave == 2 {
            // One instance goes without a word, and leaves its leases.
            drop(other.take());
            sqlx::query("update tournaments set holder = 'gone', held_until = now() + interval '3 seconds' where id = $1")
                .bind(id.0)
                .execute(&app.db)
                .await
                .unwrap();
        }
    }
    let twice: Vec<(i64,)> = sqlx::query_as(
        "select a.id from matches a join matches b on b.id > a.id and b.tournament_id = a.tournament_id
             and (a.seat1 in (b.seat1, b.seat2) or a.seat2 in (b.seat1, b.seat2))
         where b.started_at < a.finished_at",
    )
    .fetch_all(&app.db)
    .await
    .unwrap();
    assert_eq!(twice, []);
    let alone: i64 = sqlx::query_scalar(
        "select count(*) from matches m full join tournament_pairings p on p.match_id = m.id
         where m.tournament_id is not null and p.id is null or m.id is null",
    )
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(alone, 0);
    let standings = app.state.tournaments.standings(id, 0).await.unwrap();
    assert_eq!(standings.players, 10);
    assert_scores(&standings, &recount(&app, id).await);
}

#[tokio::test]
async fn a_player_is_in_one_running_tournament_and_in_no_other_game() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let [ann, bob, cid] = players
        .values()
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .unwrap();
    let one = make(&app, ann, arena()).await;
    let two = make(&app, ann, arena()).await;
    for player in [ann, bob] {
        join(&app, player, one).await.unwrap();
        // It has not begun.
        join(&app, player, two).await.unwrap();
    }
    begin(&app, one).await;
    assert_eq!(join(&app, cid, one).await, Ok(()));
    // Who is in the first is paused in the second.
    begin(&app, two).await;
    assert_eq!(join(&app, ann, two).await, Err(Code::AlreadyInTournament));
    let tournaments = &app.state.tournaments;
    tournaments.leave(&account(ann), one).await.unwrap();
    assert_eq!(join(&app, ann, two).await, Ok(()));
    // Bob plays elsewhere: nobody is paired.
    let (_bobs, _cids) = (bob.join_lobby().await, cid.join_lobby().await);
    let challenge = bob.challenge(cid, &[("setup", SMALL)]).await.id("id");
    cid.answer_challenge(challenge, true).await.assert_ok();
    pass(&app, one, 30).await;
    wait_for_turn(&app, one).await;
    assert_eq!(running(&app, one).await, []);
}
