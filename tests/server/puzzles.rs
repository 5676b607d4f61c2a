//! Puzzles as visitors and players solve them: the judgement of moves, the tries that count, and the ratings.

use super::app::{SMALL, TestApp, begin, start_match};
use super::cluster::Database;
use super::player::{Player, send};
use serde_json::{Value, json};
use std::collections::HashSet;
use tochki_puzzles::{Puzzle, PuzzleRatings, rate};

/// Returns the puzzle with this id, which comes with the arena: ids are in the order of the seed.
fn seeded(id: usize) -> Puzzle {
    let notation = tochki_puzzles::seed().nth(id - 1).expect("a puzzle");
    notation.parse().expect("a notation")
}

/// Returns the id of the first puzzle whose solution has at least two moves.
fn id_of_long_puzzle() -> usize {
    let mut lengths = (1..).zip(tochki_puzzles::seed()).map(|(id, notation)| {
        let puzzle: Puzzle = notation.parse().expect("a notation");
        (id, puzzle.solution().len())
    });
    lengths.find(|(_, len)| *len > 1).expect("a long line").0
}

/// Returns the solver's moves as they are posted.
fn solution(puzzle: &Puzzle) -> Vec<String> {
    puzzle.solution().iter().map(ToString::to_string).collect()
}

/// Returns a legal move that is not the sought one, and not like it.
fn wrong_move(puzzle: &Puzzle) -> String {
    let setup = puzzle.setup();
    let places = (0..20).flat_map(|y| (0..20).map(move |x| (x, y)));
    let texts = places.flat_map(|(x, y)| {
        let point = format!("{x},{y}");
        [format!("h:{point}"), format!("v:{point}"), point]
    });
    let start = puzzle.start();
    let mut moves = texts.filter_map(|text| start.parse_move(&text).ok());
    let wrong = moves.find(|&mv| {
        matches!(
            puzzle.judge(&[mv]),
            Ok(tochki_puzzles::Verdict::Wrong { .. })
        )
    });
    wrong.unwrap_or_else(|| panic!("{setup:?}")).to_string()
}

async fn attempt(player: &Player, id: usize, moves: &str) -> Value {
    let id = id.to_string();
    let form = [("id", &*id), ("moves", moves)];
    player.post("/api/try_puzzle", &form).await.assert_ok()
}

async fn mine(player: &Player) -> Value {
    player.get("/api/puzzles").await.assert_ok()["mine"].clone()
}

#[tokio::test]
async fn a_visitor_solves_a_puzzle_move_by_move() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let id = id_of_long_puzzle();
    let puzzle = seeded(id);
    let moves = solution(&puzzle);
    let view = visitor
        .get(&format!("/api/puzzle?id={id}"))
        .await
        .assert_ok();
    assert_eq!(
        view["moves"].as_array().unwrap().len(),
        puzzle.moves().len()
    );
    assert_eq!(
        (&view["line"], &view["solved"]),
        (&json!([]), &json!(false))
    );
    assert_eq!(view["seat"], puzzle.solver().number());
    assert_eq!(view["theme"], puzzle.theme().id());
    assert!(!view.to_string().contains("solution"));
    let number = id.to_string();
    for count in 1..=moves.len() {
        let (before, mv) = (moves[..count - 1].join(" "), &*moves[count - 1]);
        let form = [("id", &*number), ("moves", &*before), ("mv", mv)];
        let answer = visitor.post("/api/try_puzzle", &form).await.assert_ok();
        let state = if count == moves.len() {
            "solved"
        } else {
            "right"
        };
        assert_eq!(answer["state"], state, "{answer}");
        assert_eq!(answer["rating"], Value::Null);
    }
    let all = moves.join("+");
    let solved = visitor
        .get(&format!("/api/puzzle?id={id}&moves={all}"))
        .await;
    assert_eq!(solved.assert_ok()["solved"], true);
}

#[tokio::test]
async fn wrong_and_impossible_moves_are_told_apart() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let puzzle = seeded(1);
    let wrong = wrong_move(&puzzle);
    let form = [("id", "1"), ("mv", &*wrong)];
    let answer = visitor.post("/api/try_puzzle", &form).await.assert_ok();
    assert_eq!(
        (&answer["state"], &answer["line"]),
        (&json!("wrong"), &json!([]))
    );
    let played = puzzle.moves()[0].to_string();
    let form = [("id", "1"), ("mv", &*played)];
    let refused = visitor.post("/api/try_puzzle", &form).await;
    refused.assert_error(422, "illegal");
    let form = [("id", "1"), ("mv", "nonsense")];
    let refused = visitor.post("/api/try_puzzle", &form).await;
    refused.assert_error(400, "malformed_move");
    let refused = visitor.post("/api/try_puzzle", &[("id", "1")]).await;
    refused.assert_error(400, "bad_request");
    let refused = visitor.get("/api/puzzle?id=999999").await;
    refused.assert_error(404, "no_such_puzzle");
}

#[tokio::test]
async fn only_the_first_try_counts_and_moves_both_ratings() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    assert_eq!(
        mine(&ann).await,
        json!({"rating": 1500.0, "tries": 0, "solved": 0})
    );
    let puzzle = seeded(1);
    let before = PuzzleRatings {
        solver: PuzzleRatings::START,
        puzzle: f64::from(puzzle.difficulty()),
    };
    let expected = rate(before, [0, 0], true);
    let answer = attempt(&ann, 1, &solution(&puzzle).join(" ")).await;
    let after = answer["rating"]["after"].as_f64().unwrap();
    assert_eq!(answer["state"], "solved");
    assert!((after - expected.solver).abs() < 1e-9, "{answer}");
    // Again, and wrong: nothing changes.
    let again = attempt(&ann, 1, &wrong_move(&puzzle)).await;
    assert_eq!(
        (&again["state"], &again["rating"]),
        (&json!("wrong"), &Value::Null)
    );
    let view = ann.get("/api/puzzle?id=1").await.assert_ok();
    assert_eq!(
        (&view["first_try"], &view["tries"]),
        (&json!(true), &json!(1))
    );
    assert!((view["rating"].as_f64().unwrap() - expected.puzzle).abs() < 1e-9);
    assert_ne!(view["next"], 1);

    // The first try at another one fails, and a later solution changes nothing.
    let other = seeded(2);
    let failed = attempt(&ann, 2, &wrong_move(&other)).await;
    assert!(
        failed["rating"]["after"].as_f64().unwrap() < after,
        "{failed}"
    );
    attempt(&ann, 2, &solution(&other).join(" ")).await;
    let mine = mine(&ann).await;
    assert_eq!((&mine["tries"], &mine["solved"]), (&json!(2), &json!(1)));
}

#[tokio::test]
async fn help_counts_as_a_failed_try() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let puzzle = seeded(1);
    let help = ann
        .post("/api/help_puzzle", &[("id", "1")])
        .await
        .assert_ok();
    assert_eq!(help["line"], json!([solution(&puzzle)[0]]));
    let form = [("id", "1"), ("whole", "true")];
    let whole = ann.post("/api/help_puzzle", &form).await.assert_ok();
    let line = puzzle.line().len() + puzzle.rest().len();
    assert_eq!(whole["line"].as_array().unwrap().len(), line);
    let solved = attempt(&ann, 1, &solution(&puzzle).join(" ")).await;
    assert_eq!(solved["rating"], Value::Null);
    let view = ann.get("/api/puzzle?id=1").await.assert_ok();
    assert_eq!(view["first_try"], false);
}

#[tokio::test]
async fn tries_at_one_time_count_once() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let moves = solution(&seeded(1)).join(" ");
    let form = [("id", "1"), ("moves", &*moves)];
    let tries = [(); 6].map(|()| ann.post("/api/try_puzzle", &form));
    let [first, second, third, fourth, fifth, sixth] = tries;
    let answers = tokio::join!(first, second, third, fourth, fifth, sixth);
    let answers: [_; 6] = answers.into();
    let counted = answers
        .iter()
        .filter(|answer| !answer.assert_ok()["rating"].is_null());
    assert_eq!(counted.count(), 1);
    assert_eq!(mine(&ann).await["tries"], 1);
}

#[tokio::test]
async fn guests_and_visitors_have_no_rating() {
    let app = TestApp::init().await;
    let guest = app.visitor();
    guest
        .post("/api/be_guest", &[("name", "gus")])
        .await
        .assert_ok();
    let moves = solution(&seeded(1)).join(" ");
    for visitor in [guest, app.visitor()] {
        let form = [("id", "1"), ("moves", &*moves)];
        let answer = visitor.post("/api/try_puzzle", &form).await.assert_ok();
        assert_eq!(
            (&answer["state"], &answer["rating"]),
            (&json!("solved"), &Value::Null)
        );
        assert_eq!(
            visitor.get("/api/puzzles").await.assert_ok()["mine"],
            Value::Null
        );
    }
    let tries: i64 = sqlx::query_scalar("select count(*) from puzzle_tries")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(tries, 0);
}

#[tokio::test]
async fn the_overview_has_a_puzzle_a_day_and_untried_ones_of_each_game() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let overview = ann.get("/api/puzzles").await.assert_ok();
    let rows = overview["rows"].as_array().unwrap();
    let count: u64 = rows.iter().map(|row| row["count"].as_u64().unwrap()).sum();
    assert_eq!(count as usize, tochki_puzzles::seed().count());
    for game in ["dots", "boxes", "gomoku", "reversi"] {
        assert!(rows.iter().any(|row| row["game"] == game), "{game}");
    }
    let again = app.visitor().get("/api/puzzles").await.assert_ok();
    assert_eq!(again["daily"]["id"], overview["daily"]["id"]);
    let next = rows[0]["next"].as_u64().unwrap() as usize;
    attempt(&ann, next, &wrong_move(&seeded(next))).await;
    let after = ann.get("/api/puzzles").await.assert_ok();
    assert_ne!(after["rows"][0]["next"], rows[0]["next"]);
}

#[tokio::test]
async fn the_pages_work_without_scripts_in_both_languages() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let id = id_of_long_puzzle();
    let puzzle = seeded(id);
    let page = visitor.get("/puzzles").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Puzzle of the day"));
    let here = format!("/puzzle/{id}");
    let page = visitor.get(&here).await.text;
    assert!(page.contains(&format!("Puzzle {id}")) && page.contains("/api/try_puzzle"));
    let (moves, number) = (solution(&puzzle), id.to_string());
    let post = |fields: Vec<(&'static str, String)>, to: &'static str| {
        let request = visitor.post_request(to).header("Accept", "text/html");
        super::player::send(request.form(&fields))
    };
    let fields = vec![("id", number.clone()), ("mv", moves[0].clone())];
    let sent = post(fields, "/api/try_puzzle").await;
    let to = sent.headers["location"].to_str().unwrap().to_owned();
    assert_eq!(
        (sent.status, &*to),
        (302, &*format!("{here}?moves={}", moves[0]))
    );
    assert!(visitor.get(&to).await.text.contains("Correct. Keep going."));
    let fields = vec![("id", number.clone()), ("mv", wrong_move(&puzzle))];
    let sent = post(fields, "/api/try_puzzle").await;
    let to = sent.headers["location"].to_str().unwrap().to_owned();
    assert!(visitor.get(&to).await.text.contains("Not the best move."));
    let fields = vec![("id", number), ("whole", "true".to_owned())];
    let sent = post(fields, "/api/help_puzzle").await;
    let to = sent.headers["location"].to_str().unwrap().to_owned();
    assert!(
        visitor
            .get(&to)
            .await
            .text
            .contains("This is the solution.")
    );
    visitor
        .post("/api/settings", &[("language", "ru")])
        .await
        .assert_ok();
    assert!(visitor.get("/puzzles").await.text.contains("Задача дня"));
    assert!(
        visitor
            .get(&here)
            .await
            .text
            .contains(&format!("Задача {id}"))
    );
    assert_eq!(visitor.get("/puzzle/999999").await.status, 404);
}

#[tokio::test]
async fn an_account_takes_its_tries_along_and_away() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    attempt(&ann, 1, &solution(&seeded(1)).join(" ")).await;
    let data = ann.get("/api/my_data").await.assert_ok();
    assert_eq!(data["puzzles"]["tries"][0]["puzzle"], 1);
    assert_eq!(data["puzzles"]["tries"][0]["solved"], true);
    assert!(data["puzzles"]["rating"].as_f64().unwrap() > 1500.0);
    let form = [("password", super::player::PASSWORD)];
    ann.post("/api/delete_account", &form).await.assert_ok();
    let left: i64 = sqlx::query_scalar(
        "select (select count(*) from puzzle_tries) + (select count(*) from puzzle_ratings)",
    )
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn finished_games_are_searched_once_and_seeds_are_stored_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let found = async |expected: usize| {
        let mut seen = Vec::new();
        let (matches, added) = tochki_server::puzzles::search(&app.db, 10, |setup, moves| {
            seen.push(moves.len());
            // The puzzle that a finder would return, of the position before the last move.
            let (last, before) = moves.split_last().expect("moves");
            let theme = tochki_puzzles::Theme::Capture;
            let line = vec![*last];
            vec![Puzzle::new(*setup, (theme, 900), before.to_vec(), line, Vec::new()).unwrap()]
        })
        .await
        .unwrap();
        assert_eq!((matches, added as usize), (expected, expected));
        seen
    };
    assert!(found(0).await.is_empty(), "the match is running");
    bob.resign(id).await.assert_ok();
    assert_eq!(found(1).await, [2]);
    assert!(found(0).await.is_empty(), "it was searched");
    let of_match: i64 = sqlx::query_scalar("select id from puzzles where match_id = $1")
        .bind(id)
        .fetch_one(&app.db)
        .await
        .unwrap();
    let view = app
        .visitor()
        .get(&format!("/api/puzzle?id={of_match}"))
        .await;
    assert_eq!(view.assert_ok()["moves"].as_array().unwrap().len(), 1);

    // Another instance brings the same seed along.
    let _second = app.another_instance().await;
    let stored: i64 = sqlx::query_scalar("select count(*) from puzzles")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(stored as usize, tochki_puzzles::seed().count() + 1);
}

/// A release brings other puzzles than the database of the one before has. Two instances of it start at once.
#[tokio::test]
async fn a_start_stores_what_the_database_lacks() {
    let database = Database::fresh().await;
    let db = database.pool();
    // A hundred are new, and one was changed, whose older form stays beside it.
    sqlx::query("delete from puzzles where id % 10 = 3")
        .execute(&db)
        .await
        .unwrap();
    let older = "update puzzles set notation = notation || ' ', rating = 1234 where id = 1";
    sqlx::query(older).execute(&db).await.unwrap();
    let kept: Vec<i64> = sqlx::query_scalar("select id from puzzles order by id")
        .fetch_all(&db)
        .await
        .unwrap();
    let seed: Vec<&str> = tochki_puzzles::seed().collect();
    assert!(kept.len() < seed.len() - 100);
    let start = || TestApp::on(database.clone(), TestApp::settings());
    let _instances = tokio::join!(start(), start());

    let stored: Vec<(i64, String, f64)> =
        sqlx::query_as("select id, notation, rating from puzzles order by id")
            .fetch_all(&db)
            .await
            .unwrap();
    assert_eq!(
        stored.len(),
        seed.len() + 1,
        "each once, and the older form"
    );
    let notations: HashSet<&str> = stored.iter().map(|(_, notation, _)| &**notation).collect();
    assert!(seed.iter().all(|notation| notations.contains(notation)));
    let ids: Vec<i64> = stored.iter().map(|(id, ..)| *id).collect();
    assert!(kept.iter().all(|id| ids.contains(id)), "older ones stay");
    assert_eq!((stored[0].0, stored[0].2), (1, 1234.0));
    // New ones are in the order of the seed, with the rating that their difficulty estimates.
    let new: Vec<_> = stored
        .iter()
        .filter(|(id, ..)| !kept.contains(id))
        .collect();
    let places = new
        .iter()
        .map(|(_, notation, _)| seed.iter().position(|it| it == notation));
    assert!(places.is_sorted());
    for (_, notation, rating) in new {
        let puzzle: Puzzle = notation.parse().unwrap();
        assert!(
            (*rating - f64::from(puzzle.difficulty())).abs() < 0.5,
            "{notation}"
        );
    }
}

#[tokio::test]
async fn a_solution_that_was_shown_moves_no_rating() {
    let app = TestApp::with_settings(|settings| settings.trust_proxy = 1).await;
    let try_from = async |player: &super::player::Visitor,
                          address: &str,
                          path: &str,
                          form: &[(&str, &str)]| {
        let post = player.post_request(path).form(form);
        send(post.header("x-forwarded-for", address))
            .await
            .assert_ok()
    };
    let rating_of = async |id: &str| {
        let view = app
            .visitor()
            .get(&format!("/api/puzzle?id={id}"))
            .await
            .assert_ok();
        (
            view["rating"].as_f64().unwrap(),
            view["tries"].as_i64().unwrap(),
        )
    };
    let (ann, bob) = app.with_two_users().await;
    // How the solution came to be known there: asked for by a visitor, by a guest, by another account, or found by a visitor.
    for (number, how) in ["visitor", "guest", "account", "solved"]
        .into_iter()
        .enumerate()
    {
        let id = (number + 1).to_string();
        let moves = solution(&seeded(number + 1)).join(" ");
        let here = format!("192.0.2.{number}");
        let other = app.visitor();
        let other = match how {
            "guest" => {
                let guest = other.be_guest(&format!("visitor{number}")).await;
                (*guest).clone()
            }
            "account" => (*other.register(&format!("other{number}")).await).clone(),
            _ => other,
        };
        if how == "solved" {
            let form = [("id", &*id), ("moves", &*moves)];
            try_from(&other, &here, "/api/try_puzzle", &form).await;
        } else {
            let form = [("id", &*id), ("whole", "true")];
            try_from(&other, &here, "/api/help_puzzle", &form).await;
        }
        let before = rating_of(&id).await;
        let form = [("id", &*id), ("moves", &*moves)];
        let answer = try_from(&ann, &here, "/api/try_puzzle", &form).await;
        assert_eq!(
            (&answer["state"], &answer["rating"]),
            (&json!("solved"), &Value::Null),
            "{how}"
        );
        assert_eq!(rating_of(&id).await, before, "{how}");
        // It was the first try, so it cannot be had again from elsewhere.
        let answer = try_from(&ann, "198.51.100.1", "/api/try_puzzle", &form).await;
        assert_eq!(answer["rating"], Value::Null, "{how}");
        // Somebody at another address is not concerned.
        let answer = try_from(&bob, "198.51.100.2", "/api/try_puzzle", &form).await;
        assert!(
            answer["rating"]["after"].as_f64() > answer["rating"]["before"].as_f64(),
            "{how}: {answer}"
        );
        assert_ne!(rating_of(&id).await, before, "{how}");
    }
    assert_eq!(mine(&ann).await["rating"], PuzzleRatings::START);
    // After two days it is forgotten.
    sqlx::query("update puzzles_shown set shown_at = shown_at - interval '2 days'")
        .execute(&app.db)
        .await
        .unwrap();
    let eve = app.with_user("eve").await;
    let moves = solution(&seeded(1)).join(" ");
    let form = [("id", "1"), ("moves", &*moves)];
    let answer = try_from(&eve, "192.0.2.0", "/api/try_puzzle", &form).await;
    assert!(!answer["rating"].is_null(), "{answer}");
}
