//! Swiss tournaments against players who want more than their games give them: no-shows, pausing, late entries, games elsewhere.

use super::app::{SMALL, TestApp};
use super::tournament_recounts::assert_recounted;
use super::tournament_steps::{
    account, begin, confirm, entrant_state, join, make, pass_break, pass_first_move, play_round,
    players, rounds_of, state_of, swiss, wait_for_break, wait_for_round, wait_for_state,
};
use tochki_protocol::{Code, EntrantState, PlayerId, TournamentState};

#[tokio::test]
async fn who_stays_away_twice_is_out_and_enters_no_swiss_for_a_while() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan", "eve", "flo"]).await;
    let maker = players.values().next().unwrap();
    let id = make(&app, maker, swiss(Some(4))).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    // Of two pairs one does not come; the second of these has left the tournament before that.
    let (first, [away, winner]) = pairs[0];
    let (second, [left, other]) = pairs[1];
    let tournaments = &app.state.tournaments;
    tournaments
        .leave(&account(&players[&left]), id)
        .await
        .unwrap();
    pass_first_move(&app, &players[&winner], first).await;
    pass_first_move(&app, &players[&other], second).await;
    play_round(&players, &pairs[2..]).await;
    let hours = async |player: i64| -> Option<f64> {
        sqlx::query_scalar(
            "select (extract(epoch from until - now()) / 3600)::float8 from no_shows where player_id = $1",
        )
        .bind(player)
        .fetch_optional(&app.db)
        .await
        .unwrap()
    };
    let ban = hours(away).await.expect("a ban");
    assert!((23.9..=24.0).contains(&ban), "{ban}");
    assert_eq!(hours(left).await, None, "who has left is no no-show");
    let another = make(&app, maker, swiss(None)).await;
    assert_eq!(
        join(&app, &players[&away], another).await,
        Err(Code::NotQualified)
    );
    let entry = tournaments
        .entry(another, &account(&players[&away]), false)
        .await;
    assert!(entry.unwrap().no_swiss_until.is_some());
    join(&app, &players[&left], another).await.unwrap();

    // In this one the player may go on. The second time in a row is the last.
    wait_for_break(&app, id).await;
    join(&app, &players[&left], id).await.unwrap();
    for player in players.values() {
        confirm(&app, player, id).await.unwrap();
    }
    pass_break(&app, id).await;
    let pairs = wait_for_round(&app, id, 2).await;
    assert_eq!(pairs.len(), 3);
    let again = pairs.iter().find(|(_, seats)| seats.contains(&away));
    let &(again, seats) = again.expect("a game");
    // The side on turn forfeits: the other one may have to begin.
    if seats[0] != away {
        let begun = players[&seats[0]].make_move(again, "0,0", &[]).await;
        begun.assert_ok();
    }
    pass_first_move(&app, &players[&winner], again).await;
    assert_eq!(
        entrant_state(&app, id, &players[&away]).await,
        Some(EntrantState::Out)
    );
    assert_eq!(
        join(&app, &players[&away], id).await,
        Err(Code::NotQualified)
    );
    let ban = hours(away).await.expect("a ban");
    assert!((47.9..=48.0).contains(&ban), "{ban}");
    // The next round is paired without.
    let others: Vec<_> = pairs
        .iter()
        .copied()
        .filter(|pair| pair.0 != again)
        .collect();
    play_round(&players, &others).await;
    wait_for_break(&app, id).await;
    assert_eq!(confirm(&app, &players[&away], id).await, Err(Code::NotOpen));
    assert_recounted(&app, id).await;
}

#[tokio::test]
async fn a_ban_grows_to_a_month_and_ends_with_a_swiss_that_is_played() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let [ann, bob] = players
        .values()
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .unwrap();
    sqlx::query("insert into no_shows (player_id, count, until) values ($1, 9, now() - interval '1 minute')")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    let stay_away = async |away: PlayerId| {
        let id = make(&app, bob, swiss(Some(3))).await;
        for player in [ann, bob] {
            join(&app, player, id).await.unwrap();
        }
        begin(&app, id).await;
        let pairs = wait_for_round(&app, id, 1).await;
        let (match_id, seats) = pairs[0];
        if away == PlayerId(0) {
            play_round(&players, &pairs).await;
        } else {
            if seats[0] != away.0 {
                bob.make_move(match_id, "0,0", &[]).await.assert_ok();
            }
            pass_first_move(&app, bob, match_id).await;
        }
        wait_for_state(&app, id, TournamentState::Finished).await;
    };
    stay_away(PlayerId(ann.id)).await;
    let days: f64 = sqlx::query_scalar(
        "select (extract(epoch from until - now()) / 86400)::float8 from no_shows where player_id = $1",
    )
    .bind(ann.id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert!((29.9..=30.0).contains(&days), "{days}");
    // A month later.
    sqlx::query("update no_shows set until = now()")
        .execute(&app.db)
        .await
        .unwrap();
    stay_away(PlayerId(0)).await;
    let left: i64 = sqlx::query_scalar("select count(*) from no_shows")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn who_withdraws_or_plays_elsewhere_gains_nothing() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan", "eve", "fay"]).await;
    let all: Vec<i64> = players.keys().copied().collect();
    let id = make(&app, &players[&all[0]], swiss(Some(4))).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    assert_eq!(pairs.len(), 3);
    play_round(&players, &pairs).await;
    wait_for_break(&app, id).await;
    // A leader withdraws, and comes back after the round: nothing for it.
    let tournaments = &app.state.tournaments;
    let leader = tournaments.standings(id, 0).await.unwrap().rows[0]
        .player
        .id
        .0;
    tournaments
        .leave(&account(&players[&leader]), id)
        .await
        .unwrap();
    // Another plays a game of the lobby when the round begins.
    let busy: Vec<i64> = (all.iter().copied())
        .filter(|player| *player != leader)
        .take(2)
        .collect();
    let [one, other] = [&players[&busy[0]], &players[&busy[1]]];
    let (_ones, _others) = (one.join_lobby().await, other.join_lobby().await);
    let challenge = one.challenge(other, &[("setup", SMALL)]).await.id("id");
    other.answer_challenge(challenge, true).await.assert_ok();
    for player in players.values().filter(|player| player.id != leader) {
        confirm(&app, player, id).await.unwrap();
    }
    assert_eq!(
        confirm(&app, &players[&leader], id).await,
        Err(Code::NotOpen)
    );
    pass_break(&app, id).await;
    let pairs = wait_for_round(&app, id, 2).await;
    assert_eq!(pairs.len(), 1);
    let listed = tournaments.pairings(id, Some(2), 0).await.unwrap();
    for player in &busy {
        assert!(
            (listed.byes.iter()).any(|bye| bye.player.id.0 == *player && bye.points == 0),
            "{player}"
        );
    }
    join(&app, &players[&leader], id).await.unwrap();
    assert_eq!(
        entrant_state(&app, id, &players[&leader]).await,
        Some(EntrantState::Here)
    );
    assert_recounted(&app, id).await;
    // After half of the rounds no player enters.
    play_round(&players, &pairs).await;
    wait_for_break(&app, id).await;
    for (player, one) in &players {
        if !busy.contains(player) {
            confirm(&app, one, id).await.unwrap();
        }
    }
    pass_break(&app, id).await;
    wait_for_round(&app, id, 3).await;
    assert_eq!(rounds_of(&app, id).await.rounds, Some(4));
    let gus = app.with_user("gus").await;
    assert_eq!(join(&app, &gus, id).await, Err(Code::NotOpen));
}

#[tokio::test]
async fn who_stays_away_from_a_cancelled_swiss_has_missed_nothing() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan"]).await;
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, swiss(Some(3))).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    // Its creator cancels nothing that is played.
    let (tournaments, by) = (&app.state.tournaments, account(ann));
    let cancelled = tournaments.cancel(&by, false, id).await;
    assert_eq!(cancelled.unwrap_err().code(), Code::NotOpen);
    tournaments.cancel(&by, true, id).await.unwrap();
    // The games go on, as games of their own.
    let (match_id, [_, winner]) = pairs[0];
    let snapshot = pass_first_move(&app, &players[&winner], match_id).await;
    assert_eq!(snapshot["result"]["reason"], "forfeit");
    play_round(&players, &pairs[1..]).await;
    let bans: i64 = sqlx::query_scalar("select count(*) from no_shows")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(bans, 0);
    let listed = tournaments.pairings(id, Some(1), 0).await.unwrap();
    assert!(listed.pairings.iter().all(|one| one.counts == Some(false)));
    assert_eq!(state_of(&app, id).await, TournamentState::Cancelled);
}
