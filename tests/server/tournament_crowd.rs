//! An arena, a Swiss of seven rounds, a round robin and a knockout side by side, with 200 players on two instances, of which one goes without a word
//! and comes again: nobody is paired twice, no result is lost, and the standings are those of a recount.

use super::app::TestApp;
use super::player::Player;
use super::tournament_recounts::{assert_recounted, assert_scores, recount};
use super::tournament_steps::{
    account, arena, begin, join, knockout, make, pass, play, players, round_robin, rounds_of,
    running, state_of, swiss, wait_for_state,
};
use futures::{StreamExt as _, stream};
use std::collections::BTreeMap;
use std::time::Instant;
use tochki_protocol::{TournamentId, TournamentState};

/// The players of the arena, of the Swiss, of the round robin, and of the knockout.
const ENTRANTS: [usize; 4] = [80, 72, 16, 32];

/// The number of games that are played at once.
const AT_ONCE: usize = 8;

/// Plays all games that run, and lets the time until the next ones pass.
async fn step(app: &TestApp, players: &BTreeMap<i64, Player>, id: TournamentId) -> usize {
    let pairs = running(app, id).await;
    let games = pairs.len();
    stream::iter(pairs)
        .for_each_concurrent(AT_ONCE, |pair| async move {
            let loser = *pair.1.iter().max().expect("two players");
            play(players, pair, loser).await;
        })
        .await;
    if state_of(app, id).await != TournamentState::Running {
        return games;
    }
    let tournament = app.state.tournaments.get(id).await.expect("a tournament");
    let Some(rounds) = tournament.rounds else {
        pass(app, id, 30).await;
        return games;
    };
    if rounds.round_at.is_some() {
        // Who is out is refused.
        for player in players.values() {
            let tournaments = &app.state.tournaments;
            let _ = tournaments.confirm_presence(&account(player), id).await;
        }
        sqlx::query("update tournaments set round_at = now() where id = $1 and round_at > now()")
            .bind(id.0)
            .execute(&app.db)
            .await
            .expect("the break passes");
    }
    games
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "takes minutes: `cargo make tournaments` runs it"]
async fn tournaments_side_by_side_lose_nothing_when_an_instance_goes() {
    let app = TestApp::init().await;
    let mut other = Some(app.another_instance().await);
    let names: Vec<String> = (0..ENTRANTS.iter().sum::<usize>())
        .map(|number| format!("player{number}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let players = players(&app, &names).await;
    let maker = players.values().next().expect("a player");
    let open = make(&app, maker, arena()).await;
    let by_points = make(&app, maker, swiss(Some(7))).await;
    let table = make(&app, maker, round_robin(false)).await;
    let cup = make(&app, maker, knockout(1)).await;
    let all = [open, by_points, table, cup];
    let mut entering = players.values();
    for (id, count) in all.into_iter().zip(ENTRANTS) {
        for player in entering.by_ref().take(count) {
            join(&app, player, id).await.expect("an entry");
        }
        begin(&app, id).await;
    }
    let begun = Instant::now();
    let (mut games, mut is_gone) = ([0; 4], false);
    loop {
        for (played, id) in games.iter_mut().zip(all) {
            *played += step(&app, &players, id).await;
        }
        let round = rounds_of(&app, by_points).await.round;
        if round >= 3 && !is_gone {
            is_gone = true;
            drop(other.take());
            sqlx::query(
                "update tournaments set holder = 'gone', held_until = now() + interval '5 seconds'",
            )
            .execute(&app.db)
            .await
            .expect("leases of an instance that is gone");
        }
        if round >= 5 && other.is_none() {
            other = Some(app.another_instance().await);
        }
        let mut are_over = true;
        for id in [by_points, table, cup] {
            are_over &= state_of(&app, id).await == TournamentState::Finished;
        }
        if are_over {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    pass(&app, open, 20 * 60).await;
    wait_for_state(&app, open, TournamentState::Finished).await;

    let alone: i64 = sqlx::query_scalar(
        "select count(*) from matches m full join tournament_pairings p on p.match_id = m.id
         where m.tournament_id is not null and p.id is null or m.id is null and p.second is not null",
    )
    .fetch_one(&app.db)
    .await
    .expect("a number");
    assert_eq!(
        alone, 0,
        "no pairing without its match, and no match without its pairing"
    );
    let twice: i64 = sqlx::query_scalar(
        "select count(*) from matches a join matches b on b.id > a.id and b.tournament_id = a.tournament_id
             and (a.seat1 in (b.seat1, b.seat2) or a.seat2 in (b.seat1, b.seat2))
         where b.started_at < a.finished_at",
    )
    .fetch_one(&app.db)
    .await
    .expect("a number");
    assert_eq!(twice, 0, "nobody plays two games at once");
    let unfinished: i64 = sqlx::query_scalar(
        "select count(*) from tournament_pairings p join matches m on m.id = p.match_id
         where m.finished_at is not null and p.finished_at is null",
    )
    .fetch_one(&app.db)
    .await
    .expect("a number");
    assert_eq!(unfinished, 0, "no result is lost");
    assert_recounted(&app, by_points).await;
    let standings = app
        .state
        .tournaments
        .standings(open, 0)
        .await
        .expect("rows");
    assert_scores(&standings, &recount(&app, open).await);
    // Everybody of the table has met everybody, and of two the one who joined first has won.
    assert_eq!(games[2], 120);
    let rows = app
        .state
        .tournaments
        .standings(table, 0)
        .await
        .expect("rows")
        .rows;
    let scores: Vec<u32> = rows.iter().map(|row| row.score.quarters() / 4).collect();
    assert_eq!(scores, (0..16).rev().collect::<Vec<_>>());
    // Who joined first has won the knockout, in which one is out with each game.
    assert_eq!(games[3], 31);
    let winner = app.state.tournaments.standings(cup, 0).await.expect("rows");
    let first: Option<i64> = sqlx::query_scalar(
        "select min(player_id) from tournament_entrants where tournament_id = $1",
    )
    .bind(cup.0)
    .fetch_one(&app.db)
    .await
    .expect("a player");
    assert_eq!(Some(winner.rows[0].player.id.0), first);
    for (format, (players, played)) in ["arena", "swiss", "round robin", "knockout"]
        .iter()
        .zip(ENTRANTS.iter().zip(games))
    {
        println!("{format}: {players} players, {played} games");
    }
    println!("{:.0?}", begun.elapsed());
}
