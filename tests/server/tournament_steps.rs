//! Steps of the tests of tournaments: making and entering them, letting their time pass, playing their games.

use super::app::{SMALL, TestApp, wait_until};
use super::player::Player;
use super::sse_client::Stream;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use tochki_play::{Millis, Terms};
use tochki_protocol::{
    Account, Code, EntrantState, EntryConditions, MissedGame, PlayerId, TournamentId,
    TournamentRounds, TournamentStandings, TournamentState, limits,
};
use tochki_rules::{GameKind, Setup};
use tochki_server::attempts::client_address::ClientAddress;
use tochki_server::now;
use tochki_server::tournaments::{NewFormat, NewTournament, RoundPace};

pub(crate) fn account(player: &Player) -> Account {
    Account {
        id: PlayerId(player.id),
        name: player.name.clone(),
        guest: false,
        bot: false,
    }
}

/// Returns an address that no other player has.
pub(crate) fn address(player: &Account) -> ClientAddress {
    let [.., high, low] = player.id.0.to_be_bytes();
    ClientAddress {
        address: [10, 2, high, low].into(),
    }
}

/// Returns an arena of small Dots that begins in a minute.
pub(crate) fn arena() -> NewTournament {
    let setup = serde_json::from_str(SMALL).unwrap();
    NewTournament {
        name: "Evening arena".into(),
        description: "Everybody is welcome.\nBring dots.".into(),
        terms: Terms {
            setup: Setup::parse(GameKind::Dots, Some(&setup)).unwrap(),
            clock: "60+1".parse().unwrap(),
            rated: true,
        },
        format: NewFormat::Arena {
            minutes: 20,
            streaks: true,
            last_games: false,
            berserk: false,
        },
        starts_at: now() + Millis::from_secs(90),
        entry: EntryConditions::default(),
        password_hash: None,
    }
}

/// Returns the format of an arena with a duration in minutes.
pub(crate) fn lasting(minutes: u32) -> NewFormat {
    NewFormat::Arena {
        minutes,
        streaks: true,
        last_games: false,
        berserk: false,
    }
}

/// Returns the format of a Swiss with a break in seconds.
pub(crate) fn swiss_of(rounds: Option<u32>, seconds: u64) -> NewFormat {
    NewFormat::Swiss {
        rounds,
        pace: RoundPace::Live(Duration::from_secs(seconds)),
    }
}

/// Makes a tournament as an operator may.
pub(crate) async fn make(app: &TestApp, by: &Player, new: NewTournament) -> TournamentId {
    let (by, from) = (account(by), address(&account(by)));
    let made = app.state.tournaments.create(&by, true, &from, new);
    made.await.expect("a tournament")
}

pub(crate) async fn join(app: &TestApp, player: &Player, id: TournamentId) -> Result<(), Code> {
    let player = account(player);
    let from = address(&player);
    let joined = app.state.tournaments.join(&player, &from, id, None);
    joined.await.map_err(|error| error.code())
}

/// Lets a tournament begin at once.
pub(crate) async fn begin(app: &TestApp, id: TournamentId) {
    sqlx::query("update tournaments set starts_at = now() where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    wait_for_state(app, id, TournamentState::Running).await;
}

/// Moves the time of an arena, so that it passes at once.
pub(crate) async fn pass(app: &TestApp, id: TournamentId, seconds: i32) {
    for statement in [
        "update tournaments set ends_at = ends_at - $2 * interval '1 second' where id = $1",
        "update tournament_entrants set waits_from = waits_from - $2 * interval '1 second' where tournament_id = $1",
    ] {
        sqlx::query(statement)
            .bind(id.0)
            .bind(seconds)
            .execute(&app.db)
            .await
            .unwrap();
    }
}

/// The running pairings: the match and both players.
pub(crate) async fn running(app: &TestApp, id: TournamentId) -> Vec<(i64, [i64; 2])> {
    let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
        "select m.id, m.seat1, m.seat2 from tournament_pairings p join matches m on m.id = p.match_id
         where p.tournament_id = $1 and m.finished_at is null order by m.id",
    )
    .bind(id.0)
    .fetch_all(&app.db)
    .await
    .unwrap();
    rows.into_iter()
        .map(|(id, one, other)| (id, [one, other]))
        .collect()
}

pub(crate) async fn wait_for_pairings(
    app: &TestApp,
    id: TournamentId,
    count: usize,
) -> Vec<(i64, [i64; 2])> {
    wait_until("pairings", async || {
        let running = running(app, id).await;
        (running.len() >= count).then_some(running)
    })
    .await
}

/// Makes both first moves of a match, and lets one of the players resign.
pub(crate) async fn play(
    players: &BTreeMap<i64, Player>,
    (id, seats): (i64, [i64; 2]),
    loser: i64,
) {
    let [first, second] = seats.map(|seat| &players[&seat]);
    first.make_move(id, "0,0", &[]).await.assert_ok();
    second.make_move(id, "4,4", &[]).await.assert_ok();
    players[&loser].resign(id).await.assert_ok();
}

pub(crate) async fn players(app: &TestApp, names: &[&str]) -> BTreeMap<i64, Player> {
    let mut players = BTreeMap::new();
    for name in names {
        let player = app.with_user(name).await;
        players.insert(player.id, player);
    }
    players
}

/// Returns a Swiss of small Dots that begins so soon that who joins is here for its first round.
pub(crate) fn swiss(rounds: Option<u32>) -> NewTournament {
    NewTournament {
        name: "Evening Swiss".into(),
        format: swiss_of(rounds, 30),
        ..arena()
    }
}

/// Returns a round robin that begins so soon that who joins is here for its first round.
pub(crate) fn round_robin(double: bool) -> NewTournament {
    NewTournament {
        name: "Everybody".into(),
        format: NewFormat::RoundRobin {
            double,
            pace: RoundPace::Live(Duration::from_secs(30)),
            missed: MissedGame::Half,
        },
        ..arena()
    }
}

/// Returns a knockout that begins so soon that who joins is here for its first round.
pub(crate) fn knockout(best_of: u32) -> NewTournament {
    NewTournament {
        name: "Evening cup".into(),
        format: NewFormat::Knockout {
            best_of,
            between: Duration::from_secs(30),
        },
        ..arena()
    }
}

pub(crate) async fn rounds_of(app: &TestApp, id: TournamentId) -> TournamentRounds {
    let tournament = app.state.tournaments.get(id).await.unwrap();
    tournament.rounds.expect("rounds")
}

pub(crate) async fn state_of(app: &TestApp, id: TournamentId) -> TournamentState {
    app.state.tournaments.get(id).await.unwrap().state
}

/// Waits until a tournament is in this state.
pub(crate) async fn wait_for_state(app: &TestApp, id: TournamentId, state: TournamentState) {
    wait_until(state.as_str(), async || {
        (state_of(app, id).await == state).then_some(())
    })
    .await;
}

/// Waits until the driver of the only instance has begun and ended a turn at a running tournament: whatever is due by now, it has seen.
pub(crate) async fn wait_for_turn(app: &TestApp, id: TournamentId) {
    // A turn begins with the lease, which is renewed again while the turn lasts, and turns follow each other in this interval.
    let half = limits::TOURNAMENT_INTERVAL / 2;
    for turn in ["the beginning of a turn", "the next turn"] {
        let lease: (String,) = sqlx::query_as(
            "select coalesce(held_until, now())::text from tournaments where id = $1",
        )
        .bind(id.0)
        .fetch_one(&app.db)
        .await
        .unwrap();
        wait_until(turn, async || {
            let renewed: bool = sqlx::query_scalar(
                "select coalesce(held_until > $2::timestamptz + $3, false) from tournaments where id = $1",
            )
            .bind(id.0)
            .bind(&lease.0)
            .bind(half)
            .fetch_one(&app.db)
            .await
            .unwrap();
            renewed.then_some(())
        })
        .await;
    }
}

/// Waits until this round has begun, and returns its matches with their players.
pub(crate) async fn wait_for_round(
    app: &TestApp,
    id: TournamentId,
    number: u32,
) -> Vec<(i64, [i64; 2])> {
    wait_until("the round", async || {
        (rounds_of(app, id).await.round >= number).then_some(())
    })
    .await;
    // All of it is there at once.
    running(app, id).await
}

/// Waits until all games of the round have ended.
pub(crate) async fn wait_for_break(app: &TestApp, id: TournamentId) {
    wait_until("the end of the round", async || {
        let rounds = rounds_of(app, id).await;
        let is_over = state_of(app, id).await != TournamentState::Running;
        (rounds.round_at.is_some() || is_over).then_some(())
    })
    .await;
}

/// Lets the break pass.
pub(crate) async fn pass_break(app: &TestApp, id: TournamentId) {
    wait_for_break(app, id).await;
    sqlx::query("update tournaments set round_at = now() where id = $1 and round_at is not null")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
}

pub(crate) async fn confirm(app: &TestApp, player: &Player, id: TournamentId) -> Result<(), Code> {
    let confirmed = app
        .state
        .tournaments
        .confirm_presence(&account(player), id)
        .await;
    confirmed.map_err(|error| error.code())
}

/// Lets the time for the next first move of a match pass, by an outage of negative length: so instances that have it in memory read
/// its times again.
pub(crate) async fn pass_first_move(app: &TestApp, by: &Player, id: i64) -> Value {
    let passed = sqlx::query(
        "with earlier as (
             update matches set deadline_at = deadline_at - interval '400 s'
             where id = $1 and finished_at is null and deadline_at is not null returning id, version
         ), epoch as (
             update heartbeat set outages = outages + 1
         )
         insert into outages (match_id, version, lost_ms) select id, version, -400000 from earlier
         on conflict (match_id, version) do update set lost_ms = outages.lost_ms + excluded.lost_ms",
    )
    .bind(id)
    .execute(&app.db)
    .await
    .unwrap();
    assert_eq!(passed.rows_affected(), 1, "a match with a deadline");
    wait_until("the forfeit", async || {
        let snapshot = by.snapshot(id).await;
        (snapshot["status"] == "finished").then_some(snapshot)
    })
    .await
}

pub(crate) async fn standings(app: &TestApp, id: TournamentId) -> TournamentStandings {
    app.state.tournaments.standings(id, 0).await.unwrap()
}

pub(crate) async fn entrant_state(
    app: &TestApp,
    id: TournamentId,
    player: &Player,
) -> Option<EntrantState> {
    let entry = app
        .state
        .tournaments
        .entry(id, &account(player), false)
        .await;
    entry.unwrap().state
}

/// Plays all games of a round: of each pair who joined later loses.
pub(crate) async fn play_round(players: &BTreeMap<i64, Player>, pairs: &[(i64, [i64; 2])]) {
    for &pair in pairs {
        let loser = *pair.1.iter().max().unwrap();
        play(players, pair, loser).await;
    }
}

/// Returns the next event of this name that fits.
pub(crate) async fn next(stream: &mut Stream, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
    loop {
        let data = stream.next_named(name).await;
        if fits(&data) {
            return data;
        }
    }
}
