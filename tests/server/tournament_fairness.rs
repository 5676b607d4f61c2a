//! Arenas against players who want more than their games give them, and against bad luck: passwords, pauses, agreed draws, accounts
//! of one address, games that run at the end, outages.

use super::app::{TestApp, wait_until};
use super::player::{Player, Visitor};
use super::tournament_steps::{
    account, address, arena, begin, join, lasting, make, pass, play, play_round, players,
    rounds_of, running, state_of, swiss, swiss_of, wait_for_break, wait_for_pairings,
    wait_for_round, wait_for_state, wait_for_turn,
};
use serde_json::Value;
use sqlx::PgPool;
use tochki_protocol::{PlayerId, TournamentId, TournamentScore, TournamentState, limits};
use tochki_server::tournaments::NewFormat;

/// Makes an arena through the API, as its operator.
async fn create(operator: &Player, more: &[(&str, &str)]) -> i64 {
    let at = (tochki_server::now().0 + 90_000).to_string();
    let mut form = vec![
        ("name", "Evening arena"),
        ("game", "dots"),
        ("setup", super::app::SMALL),
        ("clock", "60+1"),
        ("minutes", "20"),
        ("starts_at", &at),
    ];
    form.extend(more);
    operator
        .post("/api/create_tournament", &form)
        .await
        .id("id")
}

async fn enter(player: &Visitor, id: i64, password: &str) -> super::player::Response {
    let id = id.to_string();
    player
        .post(
            "/api/join_tournament",
            &[("id", &id), ("password", password)],
        )
        .await
}

/// Returns the seconds until an entrant may be paired.
async fn wait_of(db: &PgPool, id: TournamentId, player: &Player) -> f64 {
    sqlx::query_scalar(
        "select extract(epoch from waits_from - now())::float8 from tournament_entrants
         where tournament_id = $1 and player_id = $2",
    )
    .bind(id.0)
    .bind(player.id)
    .fetch_one(db)
    .await
    .unwrap()
}

async fn score_of(app: &TestApp, id: TournamentId, player: i64) -> u32 {
    let tournaments = &app.state.tournaments;
    let standing = tournaments.standing_of(id, PlayerId(player)).await.unwrap();
    standing.unwrap().score.quarters() / 4
}

#[tokio::test]
async fn a_password_is_asked_once_and_tried_a_few_times() {
    let app = TestApp::init().await;
    let operator = app.with_operator("olga").await;
    let (ann, bob) = app.with_two_users().await;
    let id = create(&operator, &[("password", "open sesame")]).await;
    let read = app.visitor().get(&format!("/api/tournament?id={id}")).await;
    let read = read.assert_ok();
    assert_eq!(read["entry"]["password"], true);
    assert!(!read.to_string().contains("sesame") && !read.to_string().contains("argon"));
    enter(&bob, id, "open sesame").await.assert_ok();
    // Who has entered once is not asked again.
    let form = [("id", &*id.to_string())];
    bob.post("/api/leave_tournament", &form).await.assert_ok();
    bob.post("/api/join_tournament", &form).await.assert_ok();
    let mut wrong = 0;
    loop {
        let answer = enter(&ann, id, "sesame").await;
        if answer.status == 429 {
            break;
        }
        answer.assert_error(403, "wrong_password");
        wrong += 1;
        // Where hashing takes its time, one more is allowed now and then.
        assert!(wrong < 4 * limits::ENTRY_PASSWORDS);
    }
    assert!(wrong >= limits::ENTRY_PASSWORDS);
    let entry = ann.get(&format!("/api/tournament_entry?id={id}")).await;
    assert_eq!(entry.assert_ok()["state"], Value::Null);
}

#[tokio::test]
async fn pauses_cost_time_and_end_no_game() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let all: Vec<&Player> = players.values().collect();
    let (ann, tournaments) = (all[0], &app.state.tournaments);
    // A clock with which an arena waits longer for each pause.
    let mut slow = arena();
    slow.terms.clock = "300+5".parse().unwrap();
    slow.format = lasting(30);
    let id = make(&app, ann, slow).await;
    for player in &all {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    let mut waits = Vec::new();
    for _ in 0..4 {
        tournaments.leave(&account(ann), id).await.unwrap();
        join(&app, ann, id).await.unwrap();
        waits.push(wait_of(&app.db, id, ann).await);
    }
    assert!((4.0..=10.0).contains(&waits[0]), "{waits:?}");
    assert!(waits.is_sorted() && waits[3] > waits[1] + 10.0, "{waits:?}");
    assert!(waits[3] <= 120.0);

    // Who pauses while a game runs plays it to its end, and its loss counts.
    pass(&app, id, 150).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    let loser = pair.1[0];
    tournaments
        .leave(&account(&players[&loser]), id)
        .await
        .unwrap();
    play(&players, pair, loser).await;
    assert_eq!(score_of(&app, id, pair.1[1]).await, 2);
    assert_eq!(score_of(&app, id, loser).await, 0);
    // And is not paired meanwhile.
    pass(&app, id, 60).await;
    let next = wait_for_pairings(&app, id, 1).await;
    assert!(next.iter().all(|(_, seats)| !seats.contains(&loser)));
}

#[tokio::test]
async fn draws_that_were_agreed_at_once_give_nothing() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, arena()).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    pass(&app, id, 5).await;
    let (match_id, seats) = wait_for_pairings(&app, id, 1).await[0];
    let [first, second] = seats.map(|seat| &players[&seat]);
    first.make_move(match_id, "0,0", &[]).await.assert_ok();
    second.make_move(match_id, "4,4", &[]).await.assert_ok();
    first
        .offer(match_id, "takeback")
        .await
        .assert_error(409, "in_tournament");
    first.offer(match_id, "draw").await.assert_ok();
    second.answer_offer(match_id, true).await.assert_ok();
    for seat in seats {
        assert_eq!(score_of(&app, id, seat).await, 0);
    }
    let pairings = app.state.tournaments.pairings(id, None, 0).await.unwrap();
    assert_eq!((pairings.total, pairings.pairings[0].winner), (1, Some(0)));
    assert_eq!(
        pairings.pairings[0].points,
        Some([TournamentScore::default(); 2])
    );
}

#[tokio::test]
async fn accounts_of_one_address_play_unrated_where_few_play() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let ann = players.values().next().unwrap();
    sqlx::query("update players set created_at = now() - interval '8 days'")
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query("insert into ratings (player_id, game, games) values ($1, 'dots', 5)")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    let by = account(ann);
    let (tournaments, from) = (&app.state.tournaments, address(&by));
    let made = tournaments.create(&by, false, &from, arena());
    let id = made.await.unwrap();
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    // Where each has an address of their own, the game is rated.
    let share = async |one: &str| {
        sqlx::query("delete from addresses")
            .execute(&app.db)
            .await
            .unwrap();
        for (number, player) in (1..).zip(players.values()) {
            let address = if one.is_empty() {
                format!("10.9.0.{number}")
            } else {
                one.to_owned()
            };
            sqlx::query("insert into addresses (player_id, address) values ($1, $2)")
                .bind(player.id)
                .bind(address)
                .execute(&app.db)
                .await
                .unwrap();
        }
    };
    share("").await;
    begin(&app, id).await;
    for (one, rated) in [("", true), ("10.9.0.7", false)] {
        share(one).await;
        pass(&app, id, 30).await;
        let pair = wait_for_pairings(&app, id, 1).await[0];
        let snapshot = ann.snapshot(pair.0).await;
        assert_eq!(snapshot["rated"], rated, "{one}");
        assert_eq!(snapshot["tournament"]["id"], id.0);
        play(&players, pair, pair.1[1]).await;
    }
    // The unrated one scores, too.
    let scores: Vec<u32> = {
        let standings = app.state.tournaments.standings(id, 0).await.unwrap();
        let rows = standings.rows.iter();
        rows.map(|row| row.score.quarters() / 4).collect()
    };
    assert_eq!(scores.iter().sum::<u32>(), 4);
}

#[tokio::test]
async fn where_last_games_count_the_arena_waits_for_them() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let ann = players.values().next().unwrap();
    let mut last = arena();
    last.format = NewFormat::Arena {
        minutes: 20,
        streaks: true,
        last_games: true,
        berserk: false,
    };
    let id = make(&app, ann, last).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    pass(&app, id, 5).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    pass(&app, id, 20 * 60).await;
    wait_for_turn(&app, id).await;
    assert_eq!(state_of(&app, id).await, TournamentState::Running);
    // Nobody is paired any more, and nobody comes back.
    assert_eq!(running(&app, id).await.len(), 1);
    assert!(join(&app, &app.with_user("dan").await, id).await.is_err());
    play(&players, pair, pair.1[0]).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    assert_eq!(score_of(&app, id, pair.1[1]).await, 2);
    let shown = app.state.tournaments.shown_matches(id).await.unwrap();
    assert_eq!(shown.iter().map(|id| id.0).collect::<Vec<_>>(), [pair.0]);
}

#[tokio::test]
async fn an_outage_is_given_back_to_tournaments() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan"]).await;
    let [ann, bob, cid, dan] = (players.values().collect::<Vec<_>>())
        .try_into()
        .ok()
        .unwrap();
    let in_arena = make(&app, ann, arena()).await;
    join(&app, ann, in_arena).await.unwrap();
    begin(&app, in_arena).await;
    let mut slow = swiss(Some(3));
    slow.format = swiss_of(Some(3), 600);
    let by_rounds = make(&app, ann, slow).await;
    for player in [bob, cid, dan] {
        join(&app, player, by_rounds).await.unwrap();
    }
    begin(&app, by_rounds).await;
    let pairs = wait_for_round(&app, by_rounds, 1).await;
    play_round(&players, &pairs).await;
    wait_for_break(&app, by_rounds).await;
    let times = async || {
        let tournaments = &app.state.tournaments;
        let ends_at = tournaments.get(in_arena).await.unwrap().ends_at;
        let round_at = rounds_of(&app, by_rounds).await.round_at;
        [ends_at, round_at].map(|at| at.expect("a time").0)
    };
    let before = times().await;
    // As after half an hour without an instance, the next heartbeat finds that. Nobody drives meanwhile.
    let hold = async |seconds: i32| {
        let held =
            "update tournaments set holder = 'gone', held_until = now() + $1 * interval '1 second'";
        let held = sqlx::query(held).bind(seconds).execute(&app.db).await;
        held.unwrap();
    };
    hold(3_600).await;
    let mut tx = app.db.begin().await.unwrap();
    for statement in [
        "update heartbeat set beat_at = beat_at - interval '30 minutes'",
        "update tournaments set ends_at = ends_at - interval '30 minutes', round_at = round_at - interval '30 minutes'",
    ] {
        sqlx::query(statement).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    wait_until("the time that is given back", async || {
        let now = times().await;
        let is_back = now
            .iter()
            .zip(before)
            .all(|(now, before)| (0..10_000).contains(&(now - before)));
        is_back.then_some(())
    })
    .await;
    hold(0).await;
    wait_for_turn(&app, in_arena).await;
    assert_eq!(state_of(&app, in_arena).await, TournamentState::Running);
    assert_eq!(rounds_of(&app, by_rounds).await.round, 1);
}

#[tokio::test]
async fn removals_and_cancelling_are_logged() {
    let app = TestApp::init().await;
    let operator = app.with_operator("olga").await;
    let (ann, bob) = app.with_two_users().await;
    let id = create(&operator, &[]).await;
    let text = id.to_string();
    for player in [&ann, &bob] {
        enter(player, id, "").await.assert_ok();
    }
    let form = [("id", &*text), ("player", &*bob.id.to_string())];
    let removed = operator.post("/api/remove_from_tournament", &form).await;
    removed.assert_ok();
    let entry = bob.get(&format!("/api/tournament_entry?id={id}")).await;
    assert_eq!(entry.assert_ok()["state"], "removed");
    enter(&bob, id, "").await.assert_error(409, "not_qualified");
    let form = [("id", &*text), ("closed", "true")];
    operator
        .post("/api/close_tournament_entries", &form)
        .await
        .assert_ok();
    let late = app.with_user("cid").await;
    enter(&late, id, "").await.assert_error(409, "not_open");
    let cancelled = operator.post("/api/cancel_tournament", &form[..1]).await;
    cancelled.assert_ok();
    let acts: Vec<(String, bool, Option<i64>)> = sqlx::query_as(
        "select act, by_operator, player_id from tournament_acts where tournament_id = $1 order by id",
    )
    .bind(id)
    .fetch_all(&app.db)
    .await
    .unwrap();
    let expected = [
        ("removed", Some(bob.id)),
        ("entries_closed", None),
        ("cancelled", None),
    ];
    let expected = expected.map(|(act, player)| (act.to_owned(), true, player));
    assert_eq!(acts, expected);
}

#[tokio::test]
async fn a_guest_who_has_entered_is_forgotten_as_any_other() {
    let app = TestApp::init().await;
    let operator = app.with_operator("olga").await;
    let id = create(&operator, &[("guests", "true"), ("rated", "false")]).await;
    let guest = app.visitor().be_guest("visitor").await;
    enter(&guest, id, "").await.assert_ok();
    let id = TournamentId(id);
    assert_eq!(app.state.tournaments.get(id).await.unwrap().players, 1);
    sqlx::query("update players set visited_at = visited_at - interval '31 days' where guest")
        .execute(&app.db)
        .await
        .unwrap();
    // An instance sweeps when it starts.
    let _there = app.another_instance().await;
    wait_until("the end of the guest", async || {
        let guests: i64 = sqlx::query_scalar("select count(*) from players where guest")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (guests == 0).then_some(())
    })
    .await;
    assert_eq!(app.state.tournaments.get(id).await.unwrap().players, 0);
}
