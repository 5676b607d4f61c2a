//! Round robins over days: pairs agree on times, games begin once both players are here, and nobody gains by staying away.

use super::app::{TestApp, wait_until};
use super::player::Player;
use super::tournament_steps::{
    account, arena, begin, confirm, entrant_state, join, make, play, players, round_robin,
    rounds_of, running, standings, swiss, wait_for_pairings, wait_for_round, wait_for_state,
    wait_for_turn,
};
use std::collections::BTreeMap;
use tochki_play::Millis;
use tochki_protocol::{
    Code, EntrantState, MissedGame, TournamentAppointment, TournamentId, TournamentState,
};
use tochki_server::now;
use tochki_server::tournaments::{NewFormat, NewTournament, RoundPace};

/// Returns a round robin with a round every four days.
fn over_days(missed: MissedGame) -> NewTournament {
    NewTournament {
        format: NewFormat::RoundRobin {
            double: false,
            pace: RoundPace::Days(4),
            missed,
        },
        ..round_robin(false)
    }
}

/// Makes a round robin over days with three players, and lets its first round begin.
async fn open(app: &TestApp, missed: MissedGame) -> (TournamentId, BTreeMap<i64, Player>) {
    let players = players(app, &["ann", "bob", "cid"]).await;
    let id = make(app, players.values().next().unwrap(), over_days(missed)).await;
    for player in players.values() {
        join(app, player, id).await.unwrap();
    }
    begin(app, id).await;
    wait_for_round(app, id, 1).await;
    (id, players)
}

async fn appointment(
    app: &TestApp,
    player: &Player,
    id: TournamentId,
) -> Option<TournamentAppointment> {
    let account = account(player);
    let entry = app.state.tournaments.entry(id, &account, false);
    entry.await.unwrap().appointment
}

/// The two players of the only game of a round, and the one who is free.
async fn pair<'a>(
    app: &TestApp,
    players: &'a BTreeMap<i64, Player>,
    id: TournamentId,
) -> ([&'a Player; 2], &'a Player) {
    let (mut pair, mut free) = (Vec::new(), None);
    for player in players.values() {
        match appointment(app, player, id).await {
            Some(_) => pair.push(player),
            None => free = Some(player),
        }
    }
    (pair.try_into().ok().expect("a pair"), free.expect("a bye"))
}

async fn propose(player: &Player, id: TournamentId, at: i64) -> super::player::Response {
    let form = [("id", &*id.to_string()), ("at", &*at.to_string())];
    player.post("/api/propose_time", &form).await
}

/// Lets both agree on a time in an hour, which then was so many seconds ago.
async fn agree(app: &TestApp, [one, other]: [&Player; 2], id: TournamentId, ago: i32) {
    let at = (now() + Millis::from_hours(1)).0;
    propose(one, id, at).await.assert_ok();
    propose(other, id, at).await.assert_ok();
    let moved = "update tournament_appointments set at = now() - $2 * interval '1 second' where tournament_id = $1";
    let moved = sqlx::query(moved).bind(id.0).bind(ago);
    moved.execute(&app.db).await.unwrap();
}

async fn execute(app: &TestApp, statement: &'static str, id: TournamentId) {
    let done = sqlx::query(statement).bind(id.0).execute(&app.db).await;
    done.unwrap();
}

async fn end_round(app: &TestApp, id: TournamentId) {
    execute(
        app,
        "update tournaments set round_at = now() where id = $1",
        id,
    )
    .await;
}

#[tokio::test]
async fn a_pair_agrees_on_a_time_and_plays_once_both_are_here() {
    let app = TestApp::init().await;
    let (id, players) = open(&app, MissedGame::Half).await;
    let ([one, other], free) = pair(&app, &players, id).await;
    let rounds = rounds_of(&app, id).await;
    let until = rounds.round_at.expect("the end of the round").0;
    assert_eq!((rounds.days, rounds.rounds), (Some(4), Some(3)));

    // Too soon, after the round, and not by who has no game.
    let soon = now().0;
    for at in [0, soon + 60_000, until + 1, i64::MAX] {
        propose(one, id, at).await.assert_error(400, "bad_request");
    }
    let at = soon + 3_600_000;
    propose(free, id, at).await.assert_error(409, "not_open");
    // Of six proposals the oldest is forgotten.
    for more in 0..6 {
        propose(one, id, at + more * 600_000).await.assert_ok();
    }
    let seen = appointment(&app, other, id).await.unwrap();
    assert_eq!(seen.opponent.id.0, one.id);
    assert!(seen.own.is_empty() && seen.theirs.len() == 5 && seen.at.is_none());
    let local = [
        ("id", &*id.to_string()),
        ("time", "2026-02-30T20:30"),
        ("offset", "60"),
    ];
    let wrong = other.post("/api/propose_time", &local).await;
    wrong.assert_error(400, "bad_request");
    let own = [
        ("id", &*id.to_string()),
        ("at", &*(at + 3_000_000).to_string()),
        ("take_back", "true"),
    ];
    one.post("/api/propose_time", &own).await.assert_ok();
    let seen = appointment(&app, one, id).await.unwrap();
    assert_eq!(seen.own.len(), 4);
    // Within a minute it is the same time.
    propose(other, id, at + 600_000 + 61_000).await.assert_ok();
    assert_eq!(appointment(&app, one, id).await.unwrap().at, None);
    propose(other, id, at + 600_000 - 59_000).await.assert_ok();
    let seen = appointment(&app, one, id).await.unwrap();
    assert_eq!(seen.at.map(|at| at.0), Some(at + 600_000));
    assert!(seen.own.is_empty() && seen.theirs.is_empty());
    let listed = app.state.tournaments.pairings(id, Some(1), 0).await;
    assert_eq!(listed.unwrap().to_come[0].at, seen.at);
    assert_eq!(confirm(&app, one, id).await, Err(Code::NotOpen));

    // The time comes. One says to be here, and waits for the other, who opens the page.
    agree(&app, [one, other], id, 1).await;
    propose(one, id, at).await.assert_error(409, "not_open");
    confirm(&app, one, id).await.unwrap();
    wait_for_turn(&app, id).await;
    assert_eq!(running(&app, id).await, []);
    let _page = other.stream(&format!("/events/tournament/{id}")).await;
    let game = wait_for_pairings(&app, id, 1).await[0];
    assert!(appointment(&app, one, id).await.is_none());

    // Meanwhile another tournament is for everybody who has time.
    let elsewhere = make(&app, free, arena()).await;
    begin(&app, elsewhere).await;
    join(&app, free, elsewhere).await.unwrap();
    play(&players, game, game.1[1]).await;
    wait_for_turn(&app, id).await;
    assert_eq!(rounds_of(&app, id).await.round, 1, "a round has its days");
    end_round(&app, id).await;
    wait_for_round(&app, id, 2).await;
    let next = rounds_of(&app, id).await.round_at.expect("a time").0;
    let days = (next - now().0) as f64 / 86_400_000.0;
    assert!((3.9..=4.0).contains(&days), "{days}");
}

#[tokio::test]
async fn who_does_not_come_loses_and_twice_is_out() {
    let app = TestApp::init().await;
    let (id, players) = open(&app, MissedGame::Half).await;
    let ([one, other], _) = pair(&app, &players, id).await;
    agree(&app, [one, other], id, 60).await;
    confirm(&app, one, id).await.unwrap();
    wait_for_turn(&app, id).await;
    assert!(appointment(&app, one, id).await.is_some(), "waited for");
    execute(
        &app,
        "update tournament_appointments set at = now() - interval '16 minutes' where tournament_id = $1",
        id,
    )
    .await;
    wait_until("the forfeit", async || {
        appointment(&app, one, id).await.is_none().then_some(())
    })
    .await;
    let rows = standings(&app, id).await.rows;
    assert!(rows[0].player.id.0 == one.id && rows[0].score == 1);
    assert_eq!(
        entrant_state(&app, id, other).await,
        Some(EntrantState::Here)
    );

    // Without a time, each has half a point, but who has proposed none early enough loses to who has.
    for round in 2..=3 {
        end_round(&app, id).await;
        wait_for_round(&app, id, round).await;
        let (both, _) = pair(&app, &players, id).await;
        if !both.iter().any(|player| player.id == other.id) {
            continue;
        }
        let rival = both.into_iter().find(|player| player.id != other.id);
        let rival = rival.unwrap();
        let at = (now() + Millis::from_hours(1)).0;
        propose(rival, id, at).await.assert_ok();
        execute(
            &app,
            "update tournament_proposals set proposed_at = now() - interval '2 days' where tournament_id = $1",
            id,
        )
        .await;
        end_round(&app, id).await;
        wait_until("the second forfeit", async || {
            let state = entrant_state(&app, id, other).await;
            (state == Some(EntrantState::Out)).then_some(())
        })
        .await;
        break;
    }
}

#[tokio::test]
async fn where_nobody_comes_each_has_half_a_point_or_one_by_lot() {
    let app = TestApp::init().await;
    for (missed, expected) in [(MissedGame::Half, [1, 1]), (MissedGame::Lot, [2, 0])] {
        let names = match missed {
            MissedGame::Half => ["ann", "bob", "cid"],
            MissedGame::Lot => ["dan", "eve", "fay"],
        };
        let players = players(&app, &names).await;
        let id = make(&app, players.values().next().unwrap(), over_days(missed)).await;
        for player in players.values() {
            join(&app, player, id).await.unwrap();
        }
        begin(&app, id).await;
        wait_for_round(&app, id, 1).await;
        let (both, _) = pair(&app, &players, id).await;
        agree(&app, both, id, 16 * 60).await;
        wait_until("the end of the game", async || {
            appointment(&app, both[0], id).await.is_none().then_some(())
        })
        .await;
        let listed = app.state.tournaments.pairings(id, Some(1), 0).await;
        let pairing = &listed.unwrap().pairings[0];
        assert!(pairing.forfeit && pairing.match_id.is_none());
        let mut halves = pairing.points.unwrap().map(|points| points.quarters() / 2);
        halves.sort_unstable_by(|one, other| other.cmp(one));
        assert_eq!(halves, expected, "{missed:?}");
        let file = app.visitor().get(&format!("/tournament/{id}/trf")).await;
        assert_eq!(file.status, 200);
        let by = account(both[0]);
        let cancelled = app.state.tournaments.cancel(&by, true, id).await;
        cancelled.unwrap();
        wait_for_state(&app, id, TournamentState::Cancelled).await;
        assert!(appointment(&app, both[1], id).await.is_none());
    }
}

#[tokio::test]
async fn players_are_told_of_rounds_proposals_and_times() {
    let app = TestApp::init().await;
    let (id, players) = open(&app, MissedGame::Half).await;
    let ([one, other], _) = pair(&app, &players, id).await;
    let notices = async |player: &Player| {
        let list = player.get("/api/notifications").await.assert_ok();
        let list = list["notifications"].as_array().unwrap().clone();
        let of = |entry: &serde_json::Value| entry["notice"].as_str().map(str::to_owned);
        list.iter().filter_map(of).collect::<Vec<_>>()
    };
    let wait_for = async |player: &Player, notice: &str| {
        wait_until(notice, async || {
            let told = notices(player).await;
            told.iter().any(|one| one == notice).then_some(())
        })
        .await;
    };
    wait_for(other, "round_begun").await;
    let at = (now() + Millis::from_hours(48)).0;
    propose(one, id, at).await.assert_ok();
    wait_for(other, "time_proposed").await;
    propose(other, id, at).await.assert_ok();
    wait_for(one, "time_agreed").await;
    for (hours, notice) in [(23, "game_in_a_day"), (0, "game_in_an_hour")] {
        let moved = sqlx::query(
            "update tournament_appointments set at = now() + $2 * interval '1 hour' + interval '30 minutes' where tournament_id = $1",
        );
        let moved = moved.bind(id.0).bind(hours);
        moved.execute(&app.db).await.unwrap();
        wait_for(one, notice).await;
        wait_for(other, notice).await;
    }
}

#[tokio::test]
async fn the_page_has_the_forms_of_an_appointment() {
    let app = TestApp::init().await;
    let (id, players) = open(&app, MissedGame::Lot).await;
    let ([one, other], free) = pair(&app, &players, id).await;
    let path = format!("/tournament/{id}");
    let page = async |player: &Player| {
        let request = player.request(reqwest::Method::GET, &path);
        super::player::send(request.header("accept", "text/html"))
            .await
            .text
    };
    let own = page(one).await;
    assert!(own.contains("Your opponent:") && own.contains("/api/propose_time"));
    assert!(own.contains("picked at random") && own.contains("no time yet"));
    assert!(!page(free).await.contains("/api/propose_time"));
    let at = (now() + Millis::from_hours(1)).0;
    propose(one, id, at).await.assert_ok();
    assert!(page(one).await.contains("Cancel time"));
    assert!(page(other).await.contains("Agree"));
    propose(other, id, at).await.assert_ok();
    assert!(page(other).await.contains("You play at:"));
}

#[tokio::test]
async fn a_swiss_over_days_has_its_rounds_at_set_times() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan"]).await;
    let mut weekly = swiss(Some(3));
    weekly.format = NewFormat::Swiss {
        rounds: Some(3),
        pace: RoundPace::Days(7),
    };
    let id = make(&app, players.values().next().unwrap(), weekly).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    assert_eq!(pairs.len(), 2);
    let starts_at = app.state.tournaments.get(id).await.unwrap().starts_at;
    let rounds = rounds_of(&app, id).await;
    // The next round is known at once, and players say shortly before that they are here.
    let next = starts_at + Millis::from_hours(7 * 24);
    assert_eq!(rounds.round_at, Some(next));
    assert_eq!(rounds.presence_from, Some(next - Millis::from_secs(120)));
    // One game lasts longer than that, and is waited for.
    play(&players, pairs[0], pairs[0].1[0]).await;
    end_round(&app, id).await;
    wait_for_turn(&app, id).await;
    assert_eq!(rounds_of(&app, id).await.round, 1);
    // Who has played days ago has to say so once more.
    let [absent, ..] = pairs[0].1;
    for player in players.values().filter(|player| player.id != absent) {
        confirm(&app, player, id).await.unwrap();
    }
    play(&players, pairs[1], pairs[1].1[0]).await;
    let next = wait_for_round(&app, id, 2).await;
    assert_eq!(next.len(), 1);
    assert!(next.iter().all(|(_, seats)| !seats.contains(&absent)));
}
