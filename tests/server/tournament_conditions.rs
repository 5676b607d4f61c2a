//! The conditions of tournaments: which one is not met, and when they are looked at again.

use super::app::TestApp;
use super::player::{Player, Response};
use super::tournament_steps::{
    account, address, arena, begin, entrant_state, join, make, pass, play, players, round_robin,
    swiss, wait_for_pairings,
};
use sqlx::PgPool;
use tochki_protocol::{Account, Code, EntrantState, EntryCondition, EntryConditions, TournamentId};
use tochki_server::tournaments::NewTournament;

async fn enter(player: &Player, id: TournamentId) -> Response {
    player
        .post("/api/join_tournament", &[("id", &id.0.to_string())])
        .await
}

async fn rate(db: &PgPool, player: &Player, rating: f64, games: i32) {
    sqlx::query(
        "insert into ratings (player_id, game, rating, games) values ($1, 'dots', $2, $3)
         on conflict (player_id, game) do update set rating = excluded.rating, games = excluded.games",
    )
    .bind(player.id)
    .bind(rating)
    .bind(games)
    .execute(db)
    .await
    .unwrap();
}

fn with(conditions: EntryConditions, new: NewTournament) -> NewTournament {
    NewTournament {
        entry: conditions,
        ..new
    }
}

#[tokio::test]
async fn who_may_not_enter_is_told_why() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let refused = async |conditions: EntryConditions, condition: &str| {
        let id = make(&app, &ann, with(conditions, arena())).await;
        let body = enter(&bob, id).await.assert_error(409, "not_qualified");
        assert_eq!(body["condition"], condition);
    };
    let none = EntryConditions::default;
    let conditions = [
        (
            EntryConditions {
                min_rating: Some(1700),
                ..none()
            },
            "min_rating",
        ),
        (
            EntryConditions {
                max_rating: Some(1500),
                ..none()
            },
            "max_rating",
        ),
        (
            EntryConditions {
                min_games: Some(1),
                ..none()
            },
            "min_games",
        ),
        (
            EntryConditions {
                min_age_days: Some(1),
                ..none()
            },
            "min_age_days",
        ),
    ];
    for (one, condition) in conditions {
        refused(one, condition).await;
    }
    let id = make(&app, &ann, arena()).await;
    let guest = app.visitor().be_guest("visitor").await;
    let body = enter(&guest, id).await.assert_error(409, "not_qualified");
    assert_eq!(body["condition"], "guests");
    let open = make(&app, &ann, swiss(Some(3))).await;
    sqlx::query(
        "insert into no_shows (player_id, count, until) values ($1, 1, now() + interval '1 hour')",
    )
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    let body = enter(&bob, open).await.assert_error(409, "not_qualified");
    assert_eq!(body["condition"], "no_shows");
    // An account of today makes none.
    let at = (tochki_server::now().0 + 90_000).to_string();
    let form = [
        ("name", "Mine"),
        ("game", "dots"),
        ("clock", "60+1"),
        ("minutes", "60"),
        ("starts_at", &*at),
    ];
    let made = bob.post("/api/create_tournament", &form).await;
    let body = made.assert_error(409, "not_qualified");
    assert_eq!(body["condition"], "min_age_days");
}

#[tokio::test]
async fn conditions_are_looked_at_again_at_the_start() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan", "eve"]).await;
    let all: Vec<&Player> = players.values().collect();
    let bounds = EntryConditions {
        max_rating: Some(1650),
        min_games: Some(2),
        ..EntryConditions::default()
    };
    for new in [arena(), swiss(Some(3)), round_robin(false)] {
        for player in &all {
            rate(&app.db, player, 1600.0, 5).await;
        }
        let id = make(&app, all[0], with(bounds.clone(), new)).await;
        for player in &all {
            join(&app, player, id).await.unwrap();
        }
        // One has become too strong, and games of another were annulled.
        rate(&app.db, all[0], 1651.0, 9).await;
        rate(&app.db, all[1], 1600.0, 1).await;
        begin(&app, id).await;
        for (player, state) in [
            (all[0], EntrantState::Left),
            (all[1], EntrantState::Left),
            (all[2], EntrantState::Here),
            (all[3], EntrantState::Here),
            (all[4], EntrantState::Here),
        ] {
            assert_eq!(entrant_state(&app, id, player).await, Some(state));
        }
        let tournament = app.state.tournaments.get(id).await.unwrap();
        assert_eq!(tournament.players, 3);
        assert!(matches!(
            join(&app, all[0], id).await,
            Err(Code::NotQualified | Code::NotOpen)
        ));
        let maker = account(all[0]);
        let tournaments = &app.state.tournaments;
        tournaments.cancel(&maker, true, id).await.unwrap();
    }
}

#[tokio::test]
async fn who_has_played_comes_back_with_the_rating_of_these_games() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let bounds = EntryConditions {
        max_rating: Some(1600),
        ..EntryConditions::default()
    };
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, with(bounds, arena())).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    pass(&app, id, 5).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    let (winner, loser) = (&players[&pair.1[0]], pair.1[1]);
    play(&players, pair, loser).await;
    let tournaments = &app.state.tournaments;
    let leave = async |player: &Player| {
        let player = account(player);
        tournaments.leave(&player, id).await.unwrap();
    };
    leave(winner).await;
    assert_eq!(join(&app, winner, id).await, Ok(()));
    // Who has not played here yet comes back as who enters.
    let waiting = players.values().find(|one| !pair.1.contains(&one.id));
    let waiting = waiting.unwrap();
    leave(waiting).await;
    rate(&app.db, waiting, 1700.0, 9).await;
    let body = enter(waiting, id).await.assert_error(409, "not_qualified");
    assert_eq!(body["condition"], "max_rating");
}

#[tokio::test]
async fn whether_games_are_rated_does_not_change_after_the_start() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let [ann, bob, robot] = (players.values().collect::<Vec<_>>())
        .try_into()
        .ok()
        .unwrap();
    sqlx::query("update players set bot = true where id = $1")
        .bind(robot.id)
        .execute(&app.db)
        .await
        .unwrap();
    let with_bots = EntryConditions {
        bots: true,
        ..EntryConditions::default()
    };
    let tournaments = &app.state.tournaments;
    let join_robot = async |id: TournamentId| {
        let player = Account {
            bot: true,
            ..account(robot)
        };
        let from = address(&player);
        let joined = tournaments.join(&player, &from, id, None);
        joined
            .await
            .map_err(|error| error.into_api_error().condition)
    };
    let of_people = make(&app, ann, with(with_bots.clone(), arena())).await;
    for player in [ann, bob] {
        join(&app, player, of_people).await.unwrap();
    }
    begin(&app, of_people).await;
    assert_eq!(join_robot(of_people).await, Err(Some(EntryCondition::Bots)));
    tournaments
        .cancel(&account(ann), true, of_people)
        .await
        .unwrap();
    // Unrated games stay so with both.
    let mut unrated = with(with_bots.clone(), arena());
    unrated.terms.rated = false;
    let id = make(&app, ann, unrated).await;
    join(&app, ann, id).await.unwrap();
    begin(&app, id).await;
    assert_eq!(join_robot(id).await, Ok(()));
    tournaments.cancel(&account(ann), true, id).await.unwrap();

    let of_bots = make(&app, ann, with(with_bots, arena())).await;
    assert_eq!(join_robot(of_bots).await, Ok(()));
    begin(&app, of_bots).await;
    let body = enter(bob, of_bots).await.assert_error(409, "not_qualified");
    assert_eq!(body["condition"], "people");
}
