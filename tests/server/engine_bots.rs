//! `tochki-bot`: engines play by it, whatever happens to the engine, the bot or the server.

use super::app::{SMALL, TestApp, wait_until};
use super::bot_process::{BotProcess, bot_token, own_engine};
use super::house_bots::{any_move, own_turn, play};
use super::player::Player;
use super::process::Server;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The settings for short thinking where no clock runs.
const QUICK: &str = "[engine]\nmove_time = 0.05\nidle_timeout = 20\n";

/// Returns an engine that is a script of `sh`, in which `$own` is the command of our own engine.
fn script(text: &str) -> Vec<String> {
    let own = own_engine(&["--level", "1"]).join(" ");
    let text = format!("own='{own}'\n{text}");
    ["sh", "-c", &text].map(str::to_owned).to_vec()
}

/// Starts a bot with the name `robot` at a server.
async fn start_bot(player: &Player, rules: &str, game: &str, engine: &[String]) -> BotProcess {
    let token = bot_token(player).await;
    BotProcess::start(player.address(), &[token], rules, &["--game", game], engine)
}

/// Starts a match with the bot, which accepts.
async fn start(ann: &Player, robot: &Player, game: &str, more: &[(&str, &str)]) -> i64 {
    let mut room = ann.join_lobby_of(game).await;
    wait_for(ann, robot, game).await;
    ann.challenge_to(game, robot, more).await.assert_ok();
    let started = room.next_named("match_started").await;
    started["match"].as_i64().unwrap()
}

/// Waits until a player is in the waiting room.
async fn wait_for(ann: &Player, robot: &Player, game: &str) {
    wait_until("the bot in the room", async || {
        is_waiting(ann, robot, game).await.then_some(())
    })
    .await;
}

async fn is_waiting(ann: &Player, robot: &Player, game: &str) -> bool {
    let room = ann.get(&format!("/api/waiting_room?game={game}")).await;
    let players = room.assert_ok()["players"].as_array().unwrap().clone();
    players.iter().any(|player| player["id"] == robot.id)
}

fn move_count(snapshot: &Value) -> usize {
    snapshot["moves"].as_array().unwrap().len()
}

/// Waits for a file that an engine makes.
async fn wait_for_file(path: &Path) {
    wait_until("a file of the engine", async || path.exists().then_some(())).await;
}

#[tokio::test]
async fn an_engine_plays_a_whole_game_of_each_kind() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    let games = "dots,boxes,gomoku,reversi";
    let bot = start_bot(&robot, QUICK, games, &own_engine(&["--level", "2"])).await;
    for (game, setup, clock) in [
        ("dots", SMALL, "60+5"),
        ("boxes", r#"{"cols":2,"rows":2}"#, "none"),
        ("gomoku", r#"{"size":15}"#, "none"),
        ("reversi", "{}", "none"),
    ] {
        let terms = [("setup", setup), ("clock", clock)];
        let id = start(&ann, &robot, game, &terms).await;
        let _here = ann.stream(&format!("/events/match/{id}")).await;
        let end = play(&ann, id, 300).await;
        let reason = end["result"]["reason"].as_str().unwrap();
        let natural = ["board_full", "five_in_row", "no_moves", "all_boxes"];
        assert!(natural.contains(&reason), "{end}");
        let how = match end["result"]["winner"].as_i64() {
            Some(0) => "drawn",
            Some(winner) if end["players"][winner as usize - 1]["id"] == robot.id => "won",
            _ => "lost",
        };
        bot.expect_log(&format!("match {id} against ann: {how} ({reason})"))
            .await;
    }
    assert!(!bot.log().contains("WARN"), "{}", bot.log());
}

#[tokio::test]
async fn a_bank_and_periods_are_played_in_the_words_that_the_engine_knows() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    let token = bot_token(&robot).await;
    let folder = tempfile::tempdir().unwrap();
    for (knows, clocks) in [
        (true, ["25/300", "600~30x5"]),
        (false, ["25/300", "600~30x5"]),
    ] {
        let told = folder.path().join(format!("told-{knows}"));
        let engine = script(&format!("tee -a {} | $own", told.display()));
        let rules = format!("[engine]\nmove_time = 0.05\nclocks = {knows}\n");
        let more = ["--game", "gomoku"];
        let bot = BotProcess::start(
            app.address,
            std::slice::from_ref(&token),
            &rules,
            &more,
            &engine,
        );
        for clock in clocks {
            let terms = [("setup", r#"{"size":15}"#), ("clock", clock)];
            let id = start(&ann, &robot, "gomoku", &terms).await;
            let _here = ann.stream(&format!("/events/match/{id}")).await;
            play(&ann, id, 2).await;
            ann.resign(id).await.assert_ok();
        }
        let told = std::fs::read_to_string(&told).unwrap();
        let asked: Vec<&str> = told
            .lines()
            .filter(|line| line.starts_with("go "))
            .collect();
        if knows {
            let has = |start: &str, words: &str| {
                asked
                    .iter()
                    .any(|line| line.starts_with(start) && line.contains(words))
            };
            assert!(has("go clock 300000 300000 0", " move 24"), "{asked:?}");
            assert!(has("go clock ", " periods 5 29700"), "{asked:?}");
        } else {
            assert!(
                asked.iter().all(|line| line.starts_with("go time ")),
                "{asked:?}"
            );
        }
        assert!(!bot.log().contains("WARN"), "{}", bot.log());
    }
}

#[tokio::test]
async fn the_protocols_of_others_are_spoken_too() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    for (protocol, game, setup) in [
        ("gomocup", "gomoku", r#"{"size":15,"rule":"standard"}"#),
        ("gtp", "reversi", "{}"),
        ("nboard", "reversi", "{}"),
    ] {
        let robot = app.with_user(&format!("robot-{protocol}")).await;
        let token = bot_token(&robot).await;
        let engine = own_engine(&["--protocol", protocol, "--time", "20"]);
        let more = ["--game", game, "--protocol", protocol];
        let bot = BotProcess::start(app.address, &[token], QUICK, &more, &engine);
        let terms = [("setup", setup), ("clock", "none")];
        let id = start(&ann, &robot, game, &terms).await;
        let mut events = ann.stream(&format!("/events/match/{id}")).await;
        // A move is taken back once, too.
        play(&ann, id, 2).await;
        ann.offer(id, "takeback").await.assert_ok();
        events.next_named("taken_back").await;
        let end = play(&ann, id, 300).await;
        let reason = end["result"]["reason"].as_str().unwrap();
        let natural = ["board_full", "five_in_row", "no_moves"];
        assert!(natural.contains(&reason), "{protocol}: {end}");
        assert!(!bot.log().contains("WARN"), "{}", bot.log());
    }
}

#[tokio::test]
async fn an_engine_of_debian_plays() {
    let found = ["/usr/games/gtp-rhino", "/usr/bin/gtp-rhino"];
    let Some(rhino) = found.into_iter().find(|path| Path::new(path).exists()) else {
        eprintln!("skipped: gtp-rhino is not installed (apt-get install grhino)");
        return;
    };
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    let token = bot_token(&robot).await;
    let engine = [rhino, "--level", "1"].map(str::to_owned);
    let more = ["--game", "reversi", "--protocol", "gtp"];
    let bot = BotProcess::start(app.address, &[token], QUICK, &more, &engine);
    for clock in ["300+5", "none"] {
        let id = start(&ann, &robot, "reversi", &[("clock", clock)]).await;
        let mut events = ann.stream(&format!("/events/match/{id}")).await;
        play(&ann, id, 3).await;
        ann.offer(id, "takeback").await.assert_ok();
        events.next_named("taken_back").await;
        let end = play(&ann, id, 100).await;
        let reason = end["result"]["reason"].as_str().unwrap();
        assert!(["board_full", "no_moves"].contains(&reason), "{end}");
    }
    assert!(!bot.log().contains("WARN"), "{}", bot.log());
}

#[tokio::test]
async fn an_engine_that_crashes_is_started_anew_with_the_position() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts").display().to_string();
    // The first start is the bot's own check. The second one ends in the middle of the game.
    let engine = script(&format!(
        "echo x >>{starts}; if [ $(wc -l <{starts}) -eq 2 ]; then $own | {{ n=0; while read -r l; do n=$((n+1)); [ $n -lt 10 ] || kill -9 0; echo \"$l\"; done; }}; else exec $own; fi"
    ));
    let bot = start_bot(&robot, QUICK, "dots", &engine).await;
    let terms = [("setup", SMALL), ("clock", "none")];
    let id = start(&ann, &robot, "dots", &terms).await;
    let _here = ann.stream(&format!("/events/match/{id}")).await;
    let end = play(&ann, id, 100).await;
    assert_eq!(end["result"]["reason"], "board_full", "{end}");
    assert!(bot.log().contains("the engine crashed; it is started anew"));
}

#[tokio::test]
async fn an_engine_that_cannot_go_on_gives_up() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    // Its first move is legal; at the second one it crashes, plays a dead point, or resigns.
    let folder = tempfile::tempdir().unwrap();
    let way = folder.path().join("way");
    let engine = script(&format!(
        "p=0; while read -r a b; do case $a in game) p=0; echo ok;; play) p=$((p+1)); echo ok;;
         go) if [ $p -lt 2 ]; then echo move 4,0; else eval \"$(cat {})\"; fi;; esac; done",
        way.display()
    ));
    let bot = start_bot(&robot, QUICK, "dots", &engine).await;
    for (does, said) in [
        ("exit 1", "the engine crashed; the bot gives up"),
        (
            "echo move 0,4",
            "the engine played the illegal move \"0,4\"; the bot gives up",
        ),
        (
            "echo move nowhere",
            "the engine played the illegal move \"nowhere\"; the bot gives up",
        ),
        (
            "echo nonsense",
            "the engine answered \"nonsense\"; the bot gives up",
        ),
    ] {
        std::fs::write(&way, does).unwrap();
        let terms = [("setup", SMALL), ("clock", "none")];
        let id = start(&ann, &robot, "dots", &terms).await;
        let _here = ann.stream(&format!("/events/match/{id}")).await;
        let first_is_ann = ann.snapshot(id).await["players"][0]["id"] == ann.id;
        assert!(first_is_ann, "the challenger begins");
        ann.make_move(id, "0,4", &[]).await.assert_ok();
        own_turn(&ann, id).await;
        ann.make_move(id, "2,2", &[]).await.assert_ok();
        let end = wait_until("the end", async || {
            let snapshot = ann.snapshot(id).await;
            (snapshot["status"] == "finished").then_some(snapshot)
        })
        .await;
        assert_eq!(end["result"]["reason"], "resigned", "{does}");
        assert_eq!(end["result"]["winner"], 1, "{does}");
        assert!(bot.log().contains(said), "{does}: {}", bot.log());
    }
}

/// Returns an engine that answers each question only when a file is there, and says with another one that it was asked.
fn held_engine(folder: &Path) -> Vec<String> {
    let folder = folder.display();
    // Its answer is the move that our own engine has found.
    script(&format!(
        "mkfifo {folder}/pipe.$$; $own <{folder}/pipe.$$ & exec 3>{folder}/pipe.$$
         while read -r a b; do
           if [ \"$a\" = go ]; then touch {folder}/asked; until [ -e {folder}/answer ]; do sleep 0.02; done; fi
           echo \"$a $b\" >&3
         done"
    ))
}

fn files(folder: &Path) -> (PathBuf, PathBuf) {
    (folder.join("asked"), folder.join("answer"))
}

#[tokio::test]
async fn a_server_that_is_killed_gets_the_move_later() {
    let mut server = Server::start().await;
    let (ann, robot) = (
        server.with_user("ann").await,
        server.with_user("robot").await,
    );
    let folder = tempfile::tempdir().unwrap();
    let (asked, answer) = files(folder.path());
    let bot = start_bot(&robot, QUICK, "reversi", &held_engine(folder.path())).await;
    let id = start(&ann, &robot, "reversi", &[("clock", "300+5")]).await;
    ann.make_move(id, "d3", &[]).await.assert_ok();
    wait_for_file(&asked).await;
    // The engine finds its move while there is no server.
    server.kill().await;
    std::fs::write(&answer, "").unwrap();
    server.restart().await;
    let _here = ann.stream(&format!("/events/match/{id}")).await;
    let after = own_turn(&ann, id).await;
    assert_eq!(move_count(&after), 2, "{after}");
    let end = play(&ann, id, 100).await;
    let reason = end["result"]["reason"].as_str().unwrap();
    assert!(["board_full", "no_moves"].contains(&reason), "{end}");
    assert!(!bot.log().contains("gives up"), "{}", bot.log());
    let names: Vec<Option<String>> = sqlx::query_scalar(
        "select client_id from match_events where match_id = $1 and version = 2",
    )
    .bind(id)
    .fetch_all(&server.db)
    .await
    .unwrap();
    assert_eq!(names, [Some(format!("tochki-bot-{id}-1"))]);
}

#[tokio::test]
async fn a_bot_that_is_killed_goes_on_with_its_matches() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    let folder = tempfile::tempdir().unwrap();
    let (asked, answer) = files(folder.path());
    let mut bot = start_bot(&robot, QUICK, "reversi", &held_engine(folder.path())).await;
    let id = start(&ann, &robot, "reversi", &[("clock", "300+5")]).await;
    let mut events = ann.stream(&format!("/events/match/{id}")).await;
    ann.make_move(id, "d3", &[]).await.assert_ok();
    wait_for_file(&asked).await;
    // While its engine thinks.
    bot.kill().await;
    std::fs::write(&answer, "").unwrap();
    bot.restart();
    let after = own_turn(&ann, id).await;
    assert_eq!(move_count(&after), 2);
    // While it is the other side's turn, which moves before it is back.
    bot.kill().await;
    ann.make_move(id, &any_move(&after, 0), &[])
        .await
        .assert_ok();
    bot.restart();
    bot.expect_log(&format!("match {id} against ann goes on"))
        .await;
    let after = own_turn(&ann, id).await;
    assert_eq!(move_count(&after), 4);
    let before = after["moves"].as_array().unwrap().clone();
    let end = play(&ann, id, 100).await;
    let reason = end["result"]["reason"].as_str().unwrap();
    assert!(["board_full", "no_moves"].contains(&reason), "{end}");
    assert_eq!(end["moves"].as_array().unwrap()[..4], before[..]);
    events.next_named("finished").await;
}

#[tokio::test]
async fn a_move_taken_back_ends_the_search_for_the_answer() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    let folder = tempfile::tempdir().unwrap();
    let (asked, answer) = files(folder.path());
    let bot = start_bot(&robot, QUICK, "dots", &held_engine(folder.path())).await;
    let terms = [("setup", SMALL), ("clock", "none")];
    let id = start(&ann, &robot, "dots", &terms).await;
    let mut events = ann.stream(&format!("/events/match/{id}")).await;
    ann.make_move(id, "0,4", &[]).await.assert_ok();
    wait_for_file(&asked).await;
    ann.offer(id, "takeback").await.assert_ok();
    assert_eq!(events.next_named("taken_back").await["count"], 1);
    std::fs::write(&answer, "").unwrap();
    ann.make_move(id, "2,2", &[]).await.assert_ok();
    let after = own_turn(&ann, id).await;
    assert_eq!(move_count(&after), 2);
    assert_eq!(after["moves"][0], "2,2");
    assert!(!bot.log().contains("WARN"), "{}", bot.log());
    // Challenges that the rules do not allow are declined.
    ann.offer(id, "draw").await.assert_ok();
    assert_eq!(events.next_named("offer_closed").await["why"], "declined");
}

#[tokio::test]
async fn challenges_are_declined_by_rules_and_games_are_counted() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (one, two) = (app.with_user("one").await, app.with_user("two").await);
    let tokens = [bot_token(&one).await, bot_token(&two).await];
    let rules =
        format!("games = 1\n[accept]\nrefused = [\"Bob\"]\n[boards]\ndots = [\"5x5\"]\n{QUICK}");
    let game = ["--game", "dots"];
    let engine = own_engine(&["--level", "1"]);
    let bot = BotProcess::start(app.address, &tokens, &rules, &game, &engine);
    let mut of_bob = bob.join_lobby().await;
    let mut of_ann = ann.join_lobby().await;
    wait_for(&ann, &one, "dots").await;
    wait_for(&ann, &two, "dots").await;
    bob.challenge(&one, &[("setup", SMALL)]).await.assert_ok();
    let closed = of_bob.next_named("challenge_closed").await;
    assert_eq!(closed["why"], "declined");
    ann.challenge(&two, &[]).await.assert_ok();
    let closed = of_ann.next_named("challenge_closed").await;
    assert_eq!(closed["why"], "declined", "another board");
    let log = bot.log();
    assert!(
        log.contains("bob is declined: this player is refused"),
        "{log}"
    );
    assert!(
        log.contains("ann is declined: this board is not played"),
        "{log}"
    );
    ann.challenge(&one, &[("setup", SMALL)]).await.assert_ok();
    let id = of_ann.next_named("match_started").await["match"].clone();
    // A single game is allowed: the other account leaves the room, and comes back.
    wait_until("a room without the other", async || {
        (!is_waiting(&bob, &two, "dots").await).then_some(())
    })
    .await;
    ann.abort(id.as_i64().unwrap()).await.assert_ok();
    wait_for(&bob, &two, "dots").await;
}

#[tokio::test]
async fn two_bots_find_each_other() {
    let app = TestApp::init().await;
    let (one, two) = (app.with_user("one").await, app.with_user("two").await);
    let tokens = [bot_token(&one).await, bot_token(&two).await];
    let game = ["--game", "boxes"];
    let engine = own_engine(&["--level", "1"]);
    let board = "[boards]\nboxes = [\"2x2\"]\n";
    let seeks =
        format!("{board}[challenge]\nwhom = \"bots\"\nevery = 10\nclock = \"none\"\n{QUICK}");
    let waits = format!("{board}{QUICK}");
    let first = BotProcess::start(app.address, &tokens[..1], &seeks, &game, &engine);
    let second = BotProcess::start(app.address, &tokens[1..], &waits, &game, &engine);
    first.expect_log("two is challenged to boxes").await;
    second.expect_log("one (bot) is accepted").await;
    for bot in [&first, &second] {
        bot.expect_log("(all_boxes)").await;
    }
    let rated: Vec<bool> = sqlx::query_scalar("select rated from matches")
        .fetch_all(&app.db)
        .await
        .unwrap();
    assert!(rated[0], "bots' matches with each other are");
}

#[tokio::test]
async fn invalid_configuration_is_reported_at_the_start() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let robot = app.with_user("robot").await;
    let (of_ann, of_robot) = (ann.create_token("read,play").await, bot_token(&robot).await);
    let reading = robot.create_token("read").await;
    let wrong = "tochki_wrong".to_owned();
    let own = own_engine(&[]);
    let missing = vec!["/no/such/engine".to_owned()];
    for (token, rules, engine, said) in [
        (&of_ann, "", &own, "ann is the account of a person"),
        (&wrong, "", &own, "bad_token"),
        (&reading, "", &own, "out_of_scope"),
        (&of_robot, "colour = 1", &own, "line 1"),
        (&of_robot, "", &missing, "cannot start the engine"),
    ] {
        let game = ["--game", "dots"];
        let mut bot = BotProcess::start(
            app.address,
            std::slice::from_ref(token),
            rules,
            &game,
            engine,
        );
        assert_eq!(bot.wait_for_exit().await.code(), Some(1), "{said}");
        assert!(bot.log().contains(said), "{said}: {}", bot.log());
    }
}
