//! Knockouts: the bracket, its byes, several games of a pair, play-offs, who leaves, and an instance that goes in the middle.

use super::app::{TestApp, wait_until};
use super::player::{Player, Response, Visitor, send};
use super::tournament_steps::{
    account, arena, begin, confirm, entrant_state, join, knockout, make, pass_break,
    pass_first_move, play, play_round, players, rounds_of, running, standings, wait_for_break,
    wait_for_round, wait_for_state,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use tochki_protocol::{
    ByeKind, Code, EntrantState, EntryConditions, TournamentId, TournamentState,
};
use tochki_server::tournaments::NewTournament;

/// Opens a knockout, and lets these enter, the best seed in front: all have the same rating.
async fn open(
    app: &TestApp,
    names: &[&str],
    best_of: u32,
) -> (TournamentId, BTreeMap<i64, Player>) {
    let players = players(app, names).await;
    let id = make(app, players.values().next().unwrap(), knockout(best_of)).await;
    for player in players.values() {
        join(app, player, id).await.unwrap();
    }
    (id, players)
}

async fn bracket(app: &TestApp, id: TournamentId) -> Value {
    let path = format!("/api/tournament_bracket?id={id}");
    app.visitor().get(&path).await.assert_ok()
}

async fn page(visitor: &Visitor, path: &str) -> Response {
    let request = visitor.request(Method::GET, path);
    send(request.header("accept", "text/html")).await
}

/// The players of the standings, best first.
async fn ranked(app: &TestApp, id: TournamentId) -> Vec<i64> {
    let rows = standings(app, id).await.rows;
    rows.iter().map(|row| row.player.id.0).collect()
}

/// Returns the pairs of these matches, each with the smaller number in front, in order.
fn pairs(matches: &[(i64, [i64; 2])]) -> Vec<[i64; 2]> {
    let mut pairs: Vec<_> = matches.iter().map(|(_, seats)| *seats).collect();
    for pair in &mut pairs {
        pair.sort_unstable();
    }
    pairs.sort_unstable();
    pairs
}

/// Lets the pause between two games of a pair pass.
async fn pass_pause(app: &TestApp, id: TournamentId) {
    sqlx::query(
        "update tournament_pairings set finished_at = finished_at - interval '1 minute'
         where tournament_id = $1 and finished_at is not null",
    )
    .bind(id.0)
    .execute(&app.db)
    .await
    .unwrap();
}

/// Waits for the next game of a pair.
async fn next_game(app: &TestApp, id: TournamentId, pair: [i64; 2]) -> (i64, [i64; 2]) {
    pass_pause(app, id).await;
    wait_until("the next game", async || {
        let running = running(app, id).await;
        let mut games = running.into_iter();
        games.find(|(_, seats)| seats.iter().all(|seat| pair.contains(seat)))
    })
    .await
}

#[tokio::test]
async fn eight_players_meet_until_one_is_left() {
    let app = TestApp::init().await;
    let other = app.another_instance().await;
    let names = ["ann", "bob", "cid", "dan", "eve", "flo", "gus", "hal"];
    let (id, players) = open(&app, &names, 1).await;
    let ids: Vec<i64> = players.keys().copied().collect();
    assert_eq!(bracket(&app, id).await, json!({"rounds": []}));
    begin(&app, id).await;
    let first = wait_for_round(&app, id, 1).await;
    let expected = [[0, 7], [1, 6], [2, 5], [3, 4]].map(|pair| pair.map(|at: usize| ids[at]));
    assert_eq!(pairs(&first), expected);
    assert_eq!(rounds_of(&app, id).await.rounds, Some(3));
    let late = app.with_user("late").await;
    assert_eq!(join(&app, &late, id).await, Err(Code::NotOpen));
    // Who joined first wins.
    play_round(&players, &first).await;
    wait_for_break(&app, id).await;
    // Who has lost may play elsewhere; the number of players stays.
    let hal = &players[&ids[7]];
    assert_eq!(
        entrant_state(&app, id, hal).await,
        Some(EntrantState::Eliminated)
    );
    let shown = page(hal, &format!("/tournament/{id}")).await;
    assert!(shown.text.contains("You’re out.") && shown.text.contains("8 players"));
    let elsewhere = make(&app, hal, arena()).await;
    begin(&app, elsewhere).await;
    join(&app, hal, elsewhere).await.unwrap();
    pass_break(&app, id).await;
    let second = wait_for_round(&app, id, 2).await;
    let expected = [[0, 3], [1, 2]].map(|pair| pair.map(|at: usize| ids[at]));
    assert_eq!(pairs(&second), expected);
    let shown = bracket(&app, id).await;
    let last = &shown["rounds"][2]["duels"][0];
    assert_eq!(last["players"], json!([null, null]));
    let quarter = &shown["rounds"][0]["duels"][0];
    assert_eq!(quarter["players"][0]["seed"], 1);
    assert_eq!(quarter["players"][1]["player"]["name"], "hal");
    assert_eq!(quarter["points"], json!([1, 0]));
    assert_eq!(quarter["winner"], 1);
    let path = format!("/tournament/{id}");
    let html = page(&app.visitor(), &path).await;
    for text in ["Bracket", "Semifinals", "Final", "1:0"] {
        assert!(html.text.contains(text), "{text}");
    }
    assert!(!html.text.contains("/trf"));
    play_round(&players, &second).await;
    pass_break(&app, id).await;
    let last = wait_for_round(&app, id, 3).await;
    assert_eq!(pairs(&last), [[ids[0], ids[1]]]);
    play_round(&players, &last).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    assert_eq!(ranked(&app, id).await, ids);
    let rows = standings(&app, id).await.rows;
    assert!(rows[0].score == 3 && rows[1].score == 2 && rows[7].score == 0);
    // Every match has one pairing, though two instances drove it.
    let counts: (i64, i64) = sqlx::query_as(
        "select count(*), count(distinct match_id) from tournament_pairings where tournament_id = $1",
    )
    .bind(id.0)
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(counts, (7, 7));
    drop(other);
}

#[tokio::test]
async fn byes_withdrawals_forfeits_and_a_lost_instance_stop_no_bracket() {
    let app = TestApp::init().await;
    let other = app.another_instance().await;
    let (id, players) = open(&app, &["ann", "bob", "cid", "dan", "eve"], 1).await;
    let ids: Vec<i64> = players.keys().copied().collect();
    begin(&app, id).await;
    let first = wait_for_round(&app, id, 1).await;
    assert_eq!(pairs(&first), [[ids[3], ids[4]]]);
    let tournaments = &app.state.tournaments;
    let listed = tournaments.pairings(id, Some(1), 0).await.unwrap();
    let free: Vec<_> = listed
        .byes
        .iter()
        .map(|bye| (bye.player.id.0, bye.kind))
        .collect();
    let mut expected: Vec<_> = ids[..3].iter().map(|id| (*id, ByeKind::Pairing)).collect();
    expected.sort_unstable_by_key(|bye| bye.0);
    assert_eq!(free.len(), 3);
    assert!(expected.iter().all(|bye| free.contains(bye)));
    play_round(&players, &first).await;
    wait_for_break(&app, id).await;

    // Bob leaves before the semifinals: Cid goes on without a game.
    let bob = &players[&ids[1]];
    tournaments.leave(&account(bob), id).await.unwrap();
    pass_break(&app, id).await;
    let second = wait_for_round(&app, id, 2).await;
    assert_eq!(pairs(&second), [[ids[0], ids[3]]]);
    // An instance goes without a word, in the middle of the round.
    drop(other);
    sqlx::query("update tournaments set holder = 'gone', held_until = now() + interval '3 seconds' where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    // In the other semifinal one does not come to the first move.
    let (absent, [away, winner]) = second[0];
    let snapshot = pass_first_move(&app, &players[&winner], absent).await;
    assert_eq!(snapshot["result"]["reason"], "forfeit");
    pass_break(&app, id).await;
    let last = wait_for_round(&app, id, 3).await;
    let mut finalists = [ids[2], winner];
    finalists.sort_unstable();
    assert_eq!(pairs(&last), [finalists]);
    assert_eq!(
        entrant_state(&app, id, &players[&away]).await,
        Some(EntrantState::Eliminated)
    );
    let shown = bracket(&app, id).await;
    let duels = shown["rounds"][1]["duels"].as_array().unwrap();
    let walkover = duels
        .iter()
        .find(|duel| duel["games"][0]["match"].is_null());
    let walkover = walkover.expect("a game without a match");
    assert_eq!(walkover["games"][0]["forfeit"], true);
    let html = page(&app.visitor(), &format!("/tournament/{id}")).await;
    assert!(html.text.contains("no-show"));

    // Whoever leaves while the final is played has played it to its end.
    let cid = &players[&ids[2]];
    tournaments.leave(&account(cid), id).await.unwrap();
    play(&players, last[0], winner).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    let left = tournaments.leave(&account(cid), id).await;
    assert_eq!(left.map_err(|error| error.code()), Err(Code::NotOpen));
    let order = ranked(&app, id).await;
    assert_eq!(order[..2], [ids[2], winner]);
    assert_eq!(order.len(), 5);
}

#[tokio::test]
async fn a_tie_is_played_off_and_the_better_seed_chooses_the_last_side() {
    let app = TestApp::init().await;
    let (id, players) = open(&app, &["ann", "bob", "cid", "dan"], 2).await;
    let ids: Vec<i64> = players.keys().copied().collect();
    let (best, last) = (ids[0], ids[3]);
    begin(&app, id).await;
    let first = wait_for_round(&app, id, 1).await;
    assert_eq!(first.len(), 2);
    let of = |pair: [i64; 2]| {
        let mut games = first.iter();
        *games
            .find(|(_, seats)| seats.iter().all(|seat| pair.contains(seat)))
            .unwrap()
    };
    // Bob beats Cid twice, with sides swapped.
    let (easy, tight) = ([ids[1], ids[2]], [best, last]);
    let one = of(easy);
    play(&players, one, ids[2]).await;
    let two = next_game(&app, id, easy).await;
    assert_eq!(two.1, [one.1[1], one.1[0]]);
    play(&players, two, ids[2]).await;
    // The others win one each, and one each of the play-off.
    let mut before = of(tight);
    for (at, loser) in [last, best, last, best].into_iter().enumerate() {
        let game = if at == 0 {
            before
        } else {
            let game = next_game(&app, id, tight).await;
            assert_eq!(game.1, [before.1[1], before.1[0]]);
            game
        };
        let clock: String = sqlx::query_scalar("select clock from matches where id = $1")
            .bind(game.0)
            .fetch_one(&app.db)
            .await
            .unwrap();
        assert_eq!(clock, if at < 2 { "60+1" } else { "30+0" });
        play(&players, game, loser).await;
        before = game;
    }
    // The better seed chooses; nobody else does, and a number is no side.
    pass_pause(&app, id).await;
    let ann = &players[&best];
    wait_until("the choice", async || {
        let entry = app.state.tournaments.entry(id, &account(ann), false).await;
        entry.unwrap().choose_by
    })
    .await;
    let path = format!("/tournament/{id}");
    assert!(page(ann, &path).await.text.contains("/api/choose_side"));
    let dan = &players[&last];
    assert!(!page(dan, &path).await.text.contains("/api/choose_side"));
    let number = id.to_string();
    let choose = |side: &'static str| [("id", number.clone()), ("side", side.to_owned())];
    let post = async |player: &Player, side: &'static str| {
        let form = choose(side);
        let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, &**value)).collect();
        player.post("/api/choose_side", &form).await
    };
    post(dan, "1").await.assert_error(409, "not_open");
    post(ann, "3").await.assert_error(400, "bad_request");
    post(ann, "2").await.assert_ok();
    post(ann, "1").await.assert_error(409, "not_open");
    let decider = next_game(&app, id, tight).await;
    assert_eq!(decider.1, [last, best]);
    play(&players, decider, last).await;
    pass_break(&app, id).await;
    let final_game = wait_for_round(&app, id, 2).await;
    assert_eq!(pairs(&final_game), [[best, ids[1]]]);
    let shown = bracket(&app, id).await;
    let duel = &shown["rounds"][0]["duels"][0];
    assert_eq!(duel["points"], json!([3, 2]));
    assert_eq!(duel["games"].as_array().unwrap().len(), 5);
    assert_eq!(duel["games"][4]["first"], 2);
}

#[tokio::test]
async fn who_says_nothing_has_the_second_side_and_who_stays_away_twice_is_out() {
    let app = TestApp::init().await;
    let (id, players) = open(&app, &["ann", "bob", "cid", "dan"], 2).await;
    let ids: Vec<i64> = players.keys().copied().collect();
    begin(&app, id).await;
    let first = wait_for_round(&app, id, 1).await;
    let tight = [ids[0], ids[3]];
    let (mut game, other) = if first[0].1.contains(&ids[0]) {
        (first[0], first[1])
    } else {
        (first[1], first[0])
    };
    for (at, loser) in [ids[3], ids[0], ids[3], ids[0]].into_iter().enumerate() {
        if at > 0 {
            game = next_game(&app, id, tight).await;
        }
        play(&players, game, loser).await;
    }
    pass_pause(&app, id).await;
    wait_until("the choice", async || {
        let entry = app
            .state
            .tournaments
            .entry(id, &account(&players[&ids[0]]), false)
            .await;
        entry.unwrap().choose_by
    })
    .await;
    sqlx::query("update tournament_choices set choose_by = now() where tournament_id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    let decider = next_game(&app, id, tight).await;
    assert_eq!(decider.1, [ids[3], ids[0]]);

    // In the other pair the first to move stays away, and comes to the second game neither: the pair is decided.
    let [away, there] = other.1;
    pass_first_move(&app, &players[&there], other.0).await;
    let second = next_game(&app, id, other.1).await;
    assert_eq!(second.1, [there, away]);
    players[&there]
        .make_move(second.0, "0,0", &[])
        .await
        .assert_ok();
    pass_first_move(&app, &players[&there], second.0).await;
    assert_eq!(
        entrant_state(&app, id, &players[&away]).await,
        Some(EntrantState::Out)
    );
    play(&players, decider, ids[3]).await;
    pass_break(&app, id).await;
    let last = wait_for_round(&app, id, 2).await;
    let mut finalists = [ids[0], there];
    finalists.sort_unstable();
    assert_eq!(pairs(&last), [finalists]);
}

#[tokio::test]
async fn sixty_four_begin_at_once_and_three_do_not() {
    let app = TestApp::with_settings(|settings| {
        settings.guests_by_address = NonZeroU32::new(1_000_000).unwrap();
        settings.requests_by_address = NonZeroU32::new(1_000_000).unwrap();
    })
    .await;
    let maker = app.with_user("maker").await;
    let mut new = NewTournament {
        entry: EntryConditions {
            guests: true,
            ..EntryConditions::default()
        },
        ..knockout(1)
    };
    new.terms.rated = false;
    let (small, large) = (
        make(&app, &maker, new.clone()).await,
        make(&app, &maker, new).await,
    );
    let mut guests = Vec::new();
    for number in 0..65 {
        let name = format!("walker-{number}");
        let visitor = app.visitor();
        let made = visitor.post("/api/be_guest", &[("name", &*name)]).await;
        let guest = Player::from_visitor(visitor, made.id("id"), name);
        guests.push(guest);
    }
    for guest in &guests[..64] {
        join(&app, guest, large).await.unwrap();
    }
    assert_eq!(
        join(&app, &guests[64], large).await,
        Err(Code::TournamentFull)
    );
    for guest in &guests[..3] {
        join(&app, guest, small).await.unwrap();
    }
    // Too few have entered.
    sqlx::query("update tournaments set starts_at = now() where id = $1")
        .bind(small.0)
        .execute(&app.db)
        .await
        .unwrap();
    wait_for_state(&app, small, TournamentState::Cancelled).await;
    begin(&app, large).await;
    let first = wait_for_round(&app, large, 1).await;
    assert_eq!(first.len(), 32);
    assert_eq!(rounds_of(&app, large).await.rounds, Some(6));
    let (best, worst) = (guests[0].id, guests[63].id);
    assert!(pairs(&first).contains(&[best, worst]));
    let shown = bracket(&app, large).await;
    let sizes: Vec<_> = (shown["rounds"].as_array().unwrap().iter())
        .map(|round| round["duels"].as_array().unwrap().len())
        .collect();
    assert_eq!(sizes, [32, 16, 8, 4, 2, 1]);
}

#[tokio::test]
async fn the_form_makes_a_knockout() {
    let app = TestApp::init().await;
    let olga = app.with_operator("olga").await;
    let shown = page(&olga, "/tournaments/new?format=knockout&game=dots").await;
    for text in ["Dots knockout", "Games per pair", "4 to 64 players"] {
        assert!(shown.text.contains(text), "{text}");
    }
    let form = |best_of: &'static str| {
        [
            ("sent", "yes"),
            ("format", "knockout"),
            ("game", "dots"),
            ("name", "Dots cup"),
            ("begin", "15"),
            ("board", "20x20"),
            ("clock", "180+2"),
            ("break", "120"),
            ("best_of", best_of),
        ]
    };
    let submit = async |best_of: &'static str| {
        let request = olga.post_request("/tournaments/new").form(&form(best_of));
        send(request.header("accept", "text/html")).await
    };
    assert_eq!(submit("3").await.status, 422);
    let made = submit("2").await;
    assert_eq!(made.status, 303);
    let to = made.header("location").expect("a page").to_owned();
    let shown = page(&app.visitor(), &to).await;
    for text in [
        "Knockout",
        "Each pair plays 2 games",
        "no one has joined yet",
    ] {
        assert!(
            shown.text.to_lowercase().contains(&text.to_lowercase()),
            "{text}"
        );
    }
    let number = to.rsplit('/').next().unwrap();
    let read = app
        .visitor()
        .get(&format!("/api/tournament?id={number}"))
        .await
        .assert_ok();
    assert_eq!(read["format"], "knockout");
    assert_eq!(read["best_of"], 2);
    // Who is not here before the first round has no place in the bracket.
    let id: TournamentId = number.parse().unwrap();
    let refused = confirm(&app, &olga, id).await;
    assert_eq!(refused, Err(Code::NotOpen));
    // Files are of tournaments that others can count.
    let file = app.visitor().get(&format!("/tournament/{id}/trf")).await;
    assert_eq!(file.code().as_deref(), Some("no_such_tournament"));
}
