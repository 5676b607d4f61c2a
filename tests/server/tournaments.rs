//! Arenas: who may make and enter them, waves of pairings on several instances, forfeits, and scores that a recount confirms.

use super::app::{SMALL, TestApp, wait_until};
use super::player::Player;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use tochki_play::{Millis, Terms};
use tochki_protocol::{
    Account, Code, EntryConditions, PlayerId, TournamentId, TournamentState, limits,
};
use tochki_rules::{GameKind, Setup};
use tochki_server::attempts::client_address::ClientAddress;
use tochki_server::now;
use tochki_server::tournaments::NewArena;
use tochki_tournaments::arena::{Outcome, Played, Rules, Sheet};

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
pub(crate) fn arena() -> NewArena {
    let setup = serde_json::from_str(SMALL).unwrap();
    NewArena {
        name: "Evening arena".into(),
        description: "Everybody is welcome.\nBring dots.".into(),
        terms: Terms {
            setup: Setup::parse(GameKind::Dots, Some(&setup)).unwrap(),
            clock: "60+1".parse().unwrap(),
            rated: true,
        },
        minutes: 20,
        starts_at: now() + Millis::from_secs(90),
        streaks: true,
        last_games: false,
        entry: EntryConditions::default(),
        password_hash: None,
    }
}

/// Makes an arena as an operator may.
pub(crate) async fn make(app: &TestApp, by: &Player, arena: NewArena) -> TournamentId {
    let (by, from) = (account(by), address(&account(by)));
    let made = app.state.tournaments.create_arena(&by, true, &from, arena);
    made.await.expect("an arena")
}

pub(crate) async fn join(app: &TestApp, player: &Player, id: TournamentId) -> Result<(), Code> {
    let player = account(player);
    let from = address(&player);
    let joined = app.state.tournaments.join(&player, &from, id, None);
    joined.await.map_err(|error| error.code())
}

/// Lets an arena begin at once.
pub(crate) async fn begin(app: &TestApp, id: TournamentId) {
    sqlx::query("update tournaments set starts_at = now() where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    wait_until("the beginning", async || {
        let tournament = app.state.tournaments.get(id).await.unwrap();
        (tournament.state == TournamentState::Running).then_some(())
    })
    .await;
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

/// Returns the scores by a fold over all matches of the arena, and checks that none is without its pairing.
async fn recount(app: &TestApp, id: TournamentId) -> BTreeMap<i64, u32> {
    let rules = Rules {
        game: GameKind::Dots,
        streaks: true,
        berserk: false,
    };
    let rows: Vec<(i64, i64, i16, String, i64, bool)> = sqlx::query_as(
        "select seat1, seat2, winner, reason, (select count(*) / 2 from match_events e where e.match_id = m.id and e.kind = 'moved'),
             exists (select from tournament_pairings p where p.match_id = m.id)
         from matches m where tournament_id = $1 and finished_at is not null order by id",
    )
    .bind(id.0)
    .fetch_all(&app.db)
    .await
    .unwrap();
    let mut sheets: BTreeMap<i64, Sheet> = BTreeMap::new();
    for (seat1, seat2, winner, reason, moves, paired) in rows {
        assert!(paired);
        for (player, seat) in [(seat1, 1), (seat2, 2)] {
            let played = Played {
                outcome: match winner {
                    0 => Outcome::Draw,
                    winner if winner == seat => Outcome::Win,
                    _ => Outcome::Loss,
                },
                moves: u32::try_from(moves).unwrap(),
                forfeit: reason == "forfeit",
                berserk: false,
                opponent_rating: 1600,
            };
            sheets.entry(player).or_default().add(rules, played);
        }
    }
    sheets
        .into_iter()
        .map(|(player, sheet)| (player, sheet.score()))
        .collect()
}

#[track_caller]
fn assert_scores(standings: &tochki_protocol::ArenaStandings, counted: &BTreeMap<i64, u32>) {
    for row in &standings.rows {
        let counted = counted.get(&row.player.id.0).copied().unwrap_or_default();
        assert_eq!(row.score, counted, "{}", row.player.name);
    }
    assert!(
        standings
            .rows
            .is_sorted_by_key(|row| std::cmp::Reverse(row.score))
    );
}

pub(crate) async fn players(app: &TestApp, names: &[&str]) -> BTreeMap<i64, Player> {
    let mut players = BTreeMap::new();
    for name in names {
        let player = app.with_user(name).await;
        players.insert(player.id, player);
    }
    players
}

#[tokio::test]
async fn only_known_players_make_arenas_and_not_many() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let by = account(&ann);
    let from = address(&by);
    let create = async |arena| {
        let tournaments = &app.state.tournaments;
        let made = tournaments.create_arena(&by, false, &from, arena);
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

    let invalid: [fn(&mut NewArena); 9] = [
        |arena| arena.name = "ab".into(),
        |arena| arena.name = "x".repeat(41),
        |arena| arena.description = "x".repeat(1001),
        |arena| arena.description = "bell\u{7}".into(),
        |arena| arena.minutes = 19,
        |arena| arena.minutes = 361,
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
    assert_eq!((standings.rows[0].rank, standings.rows[0].score), (1, 2));
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
    wait_until("the end", async || {
        let tournament = tournaments.get(id).await.unwrap();
        (tournament.state == TournamentState::Finished).then_some(())
    })
    .await;
    let before = tournaments.standings(id, 0).await.unwrap();
    play(&players, late[0], late[0].1[0]).await;
    let after = tournaments.standings(id, 0).await.unwrap();
    let scores = |standings: &tochki_protocol::ArenaStandings| -> Vec<_> {
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
    tokio::time::sleep(2 * limits::TOURNAMENT_INTERVAL).await;
    assert_eq!(running(&app, one).await, []);
}
