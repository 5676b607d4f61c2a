//! The house bots: a player finds them waiting, and they play to the end, whatever happens to the server.

use super::absences::{backdate_absence, wait_until_absent};
use super::app::{SMALL, TestApp, begin, wait_until};
use super::cluster::Database;
use super::player::Player;
use super::process::Server;
use serde_json::Value;
use std::num::NonZeroU32;
use std::time::Duration;
use tochki_protocol::house_bot_name;
use tochki_rules::{GameKind, Position, Setup};
use tochki_server::settings::Settings;

fn settings() -> Settings {
    Settings {
        house_bots: true,
        house_bot_min_move_time: Duration::ZERO,
        ..TestApp::settings()
    }
}

async fn app() -> TestApp {
    TestApp::on(Database::fresh().await, settings()).await
}

/// Returns the players waiting for a game, without this one.
async fn waiting(player: &Player, game: GameKind) -> Vec<Value> {
    let room = player.get(&format!("/api/waiting_room?game={game}")).await;
    let players = room.assert_ok()["players"].as_array().unwrap().clone();
    players
        .into_iter()
        .filter(|other| other["id"] != player.id)
        .collect()
}

/// Returns a house bot, once it waits.
async fn bot(player: &Player, game: GameKind, level: u8) -> Player {
    let name = house_bot_name(game, level);
    let id = wait_until("a house bot", async || {
        let all = waiting(player, game).await;
        all.iter()
            .find(|other| other["name"] == *name)
            .map(|bot| bot["id"].as_i64().unwrap())
    })
    .await;
    Player::from_visitor((**player).clone(), id, name)
}

/// Starts a match with a bot, which accepts at once.
async fn start(player: &Player, game: GameKind, level: u8, more: &[(&str, &str)]) -> i64 {
    let mut room = player.join_lobby_of(game.id()).await;
    let bot = bot(player, game, level).await;
    let challenged = player.challenge_to(game.id(), &bot, more).await;
    challenged.assert_ok();
    let started = room.next_named("match_started").await;
    started["match"].as_i64().unwrap()
}

/// Returns a move that is legal now, the `skip`th of them.
pub(super) fn any_move(snapshot: &Value, skip: usize) -> String {
    let text = serde_json::json!({"game": snapshot["game"], "setup": snapshot["setup"]});
    let setup: Setup = serde_json::from_value(text).expect("a setup");
    let mut position = Position::new(&setup);
    for mv in snapshot["moves"].as_array().unwrap() {
        let mv = position.parse_move(mv.as_str().unwrap()).unwrap();
        position.play(mv).expect("a legal move");
    }
    let points = (0..19).flat_map(|x| (0..19).map(move |y| (x, y)));
    let texts = points.flat_map(|(x, y)| {
        let square = char::from(b'a' + x as u8);
        [
            format!("{x},{y}"),
            format!("h:{x},{y}"),
            format!("v:{x},{y}"),
            format!("{square}{}", y + 1),
        ]
    });
    let legal: Vec<String> = texts
        .filter(|text| {
            let mut after = position.clone();
            after
                .parse_move(text)
                .is_ok_and(|mv| after.play(mv).is_ok())
        })
        .collect();
    legal[skip % legal.len()].clone()
}

/// Returns the match once it is the player's turn, or over.
pub(super) async fn own_turn(player: &Player, id: i64) -> Value {
    wait_until("one's turn", async || {
        let snapshot = player.snapshot(id).await;
        let mover = snapshot["to_move"].as_u64();
        let mine =
            mover.is_some_and(|seat| snapshot["players"][seat as usize - 1]["id"] == player.id);
        (mine || snapshot["status"] == "finished").then_some(snapshot)
    })
    .await
}

/// Plays on with any moves. Returns the match after so many of them, or after its end.
pub(super) async fn play(player: &Player, id: i64, moves: usize) -> Value {
    for number in 0..moves {
        let snapshot = own_turn(player, id).await;
        if snapshot["status"] == "finished" {
            return snapshot;
        }
        let mv = any_move(&snapshot, 7 * number);
        player.make_move(id, &mv, &[]).await.assert_ok();
    }
    own_turn(player, id).await
}

#[tokio::test]
async fn house_bots_play_each_game_to_its_end() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    for (game, level, setup) in [
        (GameKind::Dots, 1, SMALL),
        (GameKind::Boxes, 3, r#"{"cols":2,"rows":2}"#),
        (GameKind::Gomoku, 7, r#"{"size":15}"#),
        (GameKind::Reversi, 2, "{}"),
    ] {
        let terms = [("setup", setup), ("clock", "60+5")];
        let id = start(&ann, game, level, &terms).await;
        let _here = ann.stream(&format!("/events/match/{id}")).await;
        let end = play(&ann, id, 200).await;
        let reason = end["result"]["reason"].as_str().unwrap();
        let natural = [
            "board_full",
            "five_in_row",
            "no_moves",
            "all_boxes",
            "agreed_finish",
            "resigned",
        ];
        assert!(natural.contains(&reason), "{end}");
        assert_eq!(end["rated"], false);
        assert_eq!(end["players"][1]["bot"], true);
        assert_eq!(end["players"][1]["name"], *house_bot_name(game, level));
    }
    // They are found by the names that pages show.
    let history = ann.get("/history?opponent=level%203").await.text;
    assert!(history.contains("1 game<"), "{history}");
    assert!(history.contains("/history/jsonl?") && history.contains("opponent=%2Dlevel%2D3"));
    let profile = app.visitor().get("/@Boxes-level-3").await.text;
    assert!(
        profile.contains("<title>Level 3 · Dots and Boxes · Tochki</title>"),
        "{profile}"
    );
    assert!(profile.contains(r#"property="og:title" content="Level 3 · Dots and Boxes""#));
}

#[tokio::test]
async fn every_level_waits_in_the_room_of_its_game_and_is_explained() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    for &game in GameKind::ALL {
        bot(&ann, game, 8).await;
        let names = wait_until("all levels", async || {
            let all = waiting(&ann, game).await;
            (all.len() == 8).then_some(all)
        });
        let names: Vec<Value> = names.await.iter().map(|bot| bot["name"].clone()).collect();
        let expected: Vec<String> = (1..=8).map(|level| house_bot_name(game, level)).collect();
        assert_eq!(names, expected, "the weakest first");
    }
    // The page has them in one row, the suggested one is a beginner's.
    let page = ann.get("/play?game=boxes").await.text;
    assert!(!page.contains("Boxes-level-1</bdi>"), "{page}");
    let row = page
        .split("id=\"bot-level\"")
        .nth(1)
        .expect("a row of bots");
    let row = row.split("</select>").next().expect("its end");
    assert_eq!(row.matches("<option").count(), 8, "{row}");
    let suggested = row.split("selected").nth(1).expect("a suggestion");
    assert!(suggested.contains("Level 2 · 900"), "{row}");
    let bob = app.with_user("bob").await;
    let _here = (
        ann.join_lobby_of("boxes").await,
        bob.join_lobby_of("boxes").await,
    );
    // They are not counted among the people, here or for operators.
    assert_eq!(ann.get("/api/waiting_count").await.assert_ok(), 2);
    let boss = app.with_operator("boss").await;
    let house = boss.get("/api/operator_house").await.assert_ok();
    assert_eq!(house["people_count"], 2);
    assert_eq!(house["people"].as_array().unwrap().len(), 2, "{house}");
}

/// Returns the ratings of the waiting house bots of a game, as everybody sees them.
async fn ratings(player: &Player, game: GameKind) -> Vec<(f64, Value)> {
    let all = waiting(player, game).await;
    let shown = |bot: &Value| (bot["rating"].as_f64().unwrap(), bot["provisional"].clone());
    all.iter().map(shown).collect()
}

#[tokio::test]
async fn the_ratings_of_the_levels_are_those_of_the_ladder_fitted_to_matches_with_people() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    bot(&ann, GameKind::Gomoku, 8).await;
    let before = wait_until("all levels", async || {
        let all = ratings(&ann, GameKind::Gomoku).await;
        (all.len() == 8).then_some(all)
    })
    .await;
    assert_eq!(before[1], (900.0, Value::Null), "no question mark");
    assert!(
        before.is_sorted_by(|one, other| one.0 < other.0),
        "{before:?}"
    );

    // 260 matches of 13 people of 1500 points with level 3, who won half of them, and more that say nothing: of guests, of people
    // whose rating is of few matches, those that somebody left or whose clock ran out, and those of one person beyond the twentieth.
    let play = "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, provisional1, provisional2,
             finished_at, winner, reason, rules_version)
         select 'gomoku', '{\"size\":15,\"rule\":\"freestyle\"}', 'none', false, p.id, b.player_id, 1500, 900, $4, false,
             now(), case when nth % 2 = 0 then $2 else 3 - $2 end, $3, 1
         from generate_series(1, $5) nth, players p, house_bots b where p.name = $1 and b.game = 'gomoku' and b.level = 3";
    let known: Vec<String> = (1..=13).map(|nth| format!("known{nth}")).collect();
    for name in known.iter().map(String::as_str).chain(["new"]) {
        let player = app.with_user(name).await;
        sqlx::query("insert into ratings (player_id, game, rating, games, ranked) values ($1, 'gomoku', 1500, 9, $2)")
            .bind(player.id)
            .bind(name != "new")
            .execute(&app.db)
            .await
            .unwrap();
    }
    app.visitor().be_guest("visitor").await;
    let counted = known
        .iter()
        .map(|name| (name.as_str(), 1_i16, "resigned", false, 20));
    let others = [
        ("known1", 1, "resigned", false, 30),
        ("known2", 2, "absence", false, 250),
        ("known3", 2, "time", false, 250),
        ("new", 1, "resigned", true, 250),
        ("visitor", 1, "resigned", false, 250),
    ];
    for (name, winner, reason, provisional, count) in counted.chain(others) {
        sqlx::query(play)
            .bind(name)
            .bind(winner)
            .bind(reason)
            .bind(provisional)
            .bind(count)
            .execute(&app.db)
            .await
            .unwrap();
    }
    // It is due once a week.
    app.state.house_bots().await.unwrap();
    assert_eq!(ratings(&ann, GameKind::Gomoku).await, before);
    sqlx::query("update house_bot_ratings set fitted_at = fitted_at - interval '8 days'")
        .execute(&app.db)
        .await
        .unwrap();
    app.state.house_bots().await.unwrap();
    let after = ratings(&ann, GameKind::Gomoku).await;
    assert!((after[2].0 - 1500.0).abs() < 0.1, "{after:?}");
    let moved = after[1].0 - before[1].0;
    for (before, after) in before.iter().zip(&after) {
        assert!((after.0 - before.0 - moved).abs() < 0.01, "{after:?}");
    }
    let fitted: i32 =
        sqlx::query_scalar("select games from house_bot_ratings where game = 'gomoku'")
            .fetch_one(&app.db)
            .await
            .unwrap();
    assert_eq!(fitted, 260);
}

#[tokio::test]
async fn nobody_registers_or_signs_in_as_a_bot_of_the_house() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    bot(&ann, GameKind::Dots, 3).await;
    for name in ["Dots-level-3", "dots-level-9", "Gomoku_Level"] {
        let form = [("name", name), ("password", "correct horse")];
        let refused = app.visitor().post("/api/register", &form).await;
        refused.assert_error(400, "invalid_name");
    }
    let form = [("name", "Dots-level-3"), ("password", "")];
    let refused = app.visitor().post("/api/login", &form).await;
    refused.assert_error(401, "bad_credentials");
}

#[tokio::test]
async fn beyond_their_bound_the_bots_do_not_wait() {
    let settings = Settings {
        house_bot_games: NonZeroU32::MIN,
        ..settings()
    };
    let app = TestApp::on(Database::fresh().await, settings).await;
    let (ann, bob) = app.with_two_users().await;
    let id = start(&ann, GameKind::Dots, 1, &[("setup", SMALL)]).await;
    let _here = ann.stream(&format!("/events/match/{id}")).await;
    for game in [GameKind::Dots, GameKind::Reversi] {
        wait_until("an empty room", async || {
            waiting(&bob, game).await.is_empty().then_some(())
        })
        .await;
    }
    ann.abort(id).await.assert_ok();
    let next = start(&bob, GameKind::Reversi, 1, &[]).await;
    assert_ne!(next, id);
}

#[tokio::test]
async fn a_bot_takes_back_and_plays_again() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    let id = start(&ann, GameKind::Dots, 2, &[("setup", SMALL)]).await;
    let mut events = ann.stream(&format!("/events/match/{id}")).await;
    play(&ann, id, 1).await;
    ann.offer(id, "takeback").await.assert_ok();
    assert_eq!(events.next_named("taken_back").await["count"], 2);
    // A game that has just begun is no draw yet.
    play(&ann, id, 1).await;
    ann.offer(id, "draw").await.assert_ok();
    assert_eq!(events.next_named("offer_closed").await["why"], "declined");
    ann.resign(id).await.assert_ok();
    ann.request_rematch(id).await.assert_ok();
    let next = loop {
        let (name, told) = events.status_event().await;
        if name == "next_match" {
            break told["match"].clone();
        }
    };
    let next = ann.snapshot(next.as_i64().unwrap()).await;
    assert_eq!(next["players"][0]["name"], "Dots-level-2", "sides swapped");
    let next = next["id"].as_i64().unwrap();
    let moved = own_turn(&ann, next).await;
    assert_eq!(moved["moves"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_bot_waits_for_a_player_who_has_closed_the_page() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    let terms = [("setup", SMALL), ("clock", "600+5")];
    let id = start(&ann, GameKind::Dots, 1, &terms).await;
    let events = ann.stream(&format!("/events/match/{id}")).await;
    play(&ann, id, 1).await;
    drop(events);
    wait_until_absent(&app.db, &ann).await;
    backdate_absence(&app.db, &ann, 130).await;
    // Between people she would have lost, and the same sweep tells of it.
    let bot = app.visitor();
    let seen = wait_until("an absence that is told", async || {
        let snapshot = bot.get(&format!("/api/match?id={id}")).await;
        let snapshot = snapshot.assert_ok().clone();
        snapshot["gone_at"]
            .as_array()
            .is_some_and(|gone| gone.iter().any(Value::is_i64))
            .then_some(snapshot)
    })
    .await;
    assert_eq!(seen["status"], "running");
    backdate_absence(&app.db, &ann, 480).await;
    let ended = wait_until("the end", async || {
        let snapshot = ann.snapshot(id).await;
        (snapshot["status"] == "finished").then_some(snapshot)
    })
    .await;
    assert_eq!(ended["result"]["reason"], "absence");
}

#[tokio::test]
async fn a_bot_goes_on_after_a_crash_of_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = vec![("HOUSE_BOTS", "on".to_owned())];
    let log = folder.path().join("log");
    let mut server = Server::start_logging(Database::fresh().await, settings, log).await;
    let ann = server.with_user("ann").await;
    let id = start(&ann, GameKind::Reversi, 1, &[("clock", "300+5")]).await;
    play(&ann, id, 2).await;
    let before = ann.snapshot(id).await;
    // The bot is to move, or has just done so.
    let mv = any_move(&before, 0);
    ann.make_move(id, &mv, &[]).await.assert_ok();
    server.kill().await;
    server.restart().await;
    let _here = ann.stream(&format!("/events/match/{id}")).await;
    let after = play(&ann, id, 2).await;
    let (before, after) = (&before["moves"], &after["moves"]);
    let (before, after) = (before.as_array().unwrap(), after.as_array().unwrap());
    assert!(after.len() > before.len() + 3);
    assert_eq!(after[..before.len()], before[..]);
    ann.resign(id).await.assert_ok();
}

/// Returns the instances that the house bots are present through, by their heartbeats.
async fn instances_of_bots(app: &TestApp) -> Vec<String> {
    sqlx::query_scalar(
        "select distinct instance from presence p join house_bots b on b.player_id = p.player_id
         where gone_at is null",
    )
    .fetch_all(&app.db)
    .await
    .expect("an answer")
}

#[tokio::test]
async fn of_two_instances_one_plays_for_the_bots() {
    let first = app().await;
    let ann = first.with_user("ann").await;
    bot(&ann, GameKind::Boxes, 1).await;
    let [playing] = &instances_of_bots(&first).await[..] else {
        panic!("one instance plays for the bots");
    };
    let second = TestApp::on(first.database.clone(), settings()).await;
    let ann = ann.at_instance(second.address);
    let id = start(&ann, GameKind::Boxes, 1, &[]).await;
    let _here = ann.stream(&format!("/events/match/{id}")).await;
    play(&ann, id, 2).await;
    assert_eq!(
        instances_of_bots(&second).await[..],
        *std::slice::from_ref(playing)
    );
    drop(first);
    // The match goes on, and the bots wait here now.
    play(&ann, id, 2).await;
    let id_of_bot = ann.snapshot(id).await["players"][1]["id"].clone();
    let instance: Vec<String> = sqlx::query_scalar(
        "select instance from presence where player_id = $1 and place = 'match:' || $2 and beat_at > now() - interval '5 s' and instance <> $3",
    )
    .bind(id_of_bot.as_i64())
    .bind(id)
    .bind(playing)
    .fetch_all(&second.db)
    .await
    .expect("an answer");
    assert_eq!(instance.len(), 1, "another instance plays for it");
    ann.resign(id).await.assert_ok();
}

#[tokio::test]
async fn without_the_setting_there_are_no_bots_of_the_house() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _here = (ann.join_lobby().await, bob.join_lobby().await);
    assert_eq!(waiting(&ann, GameKind::Dots).await.len(), 1);
    let id = super::app::start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
}
