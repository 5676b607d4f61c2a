//! Answers whose cost grows with the stored data: each has a bound.

use super::app::{TestApp, wait_until};
use super::bodies::all_routes;
use super::player::Player;
use reqwest::Method;
use sqlx::PgPool;
use tochki_protocol::limits;

/// The bound of an answer.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    /// A page of a list, or of one thing with limits of its own.
    Page,
    /// A stream of some rows at a time, of which few are under way for a player and for an address.
    Download,
}

use Bound::{Download, Page};

/// The routes that read stored data, but for pages, which show the answers of these. The bound of a new route is stated here.
const READS: &[(&str, Bound)] = &[
    ("/api/computer_game", Page),
    ("/api/computer_games", Page),
    ("/api/conditional_moves", Page),
    ("/api/count_my_games", Page),
    ("/api/daily_puzzle", Page),
    ("/api/endings", Page),
    ("/api/games", Download),
    ("/api/history", Page),
    ("/api/invitation", Page),
    ("/api/league", Page),
    ("/api/leagues", Page),
    ("/api/made_up_name", Page),
    ("/api/mail", Page),
    ("/api/marked_names", Page),
    ("/api/match", Page),
    ("/api/my_challenges", Page),
    ("/api/my_data", Download),
    ("/api/my_games", Page),
    ("/api/my_match", Page),
    ("/api/my_table", Page),
    ("/api/next_game", Page),
    ("/api/next_tournament", Page),
    ("/api/notes", Page),
    ("/api/notices", Page),
    ("/api/notification_settings", Page),
    ("/api/notifications", Page),
    ("/api/openapi.json", Page),
    ("/api/operator_desk", Page),
    ("/api/operator_house", Page),
    ("/api/operator_rings", Page),
    ("/api/operator_shared_addresses", Page),
    ("/api/passkeys", Page),
    ("/api/profile", Page),
    ("/api/push_key", Page),
    ("/api/puzzle", Page),
    ("/api/puzzles", Page),
    ("/api/recovery_status", Page),
    ("/api/refused_conditional_moves", Page),
    ("/api/sessions", Page),
    ("/api/showcase", Page),
    ("/api/standings", Page),
    ("/api/table", Page),
    ("/api/talk", Page),
    ("/api/time_zone", Page),
    ("/api/tokens", Page),
    ("/api/top", Page),
    ("/api/tournament", Page),
    ("/api/tournament_bracket", Page),
    ("/api/tournament_entry", Page),
    ("/api/tournament_games", Page),
    ("/api/tournament_pairings", Page),
    ("/api/tournament_standings", Page),
    ("/api/tournaments", Page),
    ("/api/tv", Page),
    ("/api/unread_notifications", Page),
    ("/api/vacation", Page),
    ("/api/waiting_count", Page),
    ("/api/waiting_room", Page),
    ("/api/whoami", Page),
    ("/history/jsonl", Download),
    ("/history/sgf", Download),
    ("/match/{id}/sgf", Page),
    ("/tournament/{id}/csv", Page),
    ("/tournament/{id}/json", Page),
    ("/tournament/{id}/trf", Page),
    ("/tournaments.ics", Page),
];

#[tokio::test]
async fn every_answer_that_grows_says_how_it_is_bounded() {
    let app = TestApp::init().await;
    let mut reads: Vec<String> = all_routes(&app)
        .into_iter()
        .filter(|route| route.method == Method::GET)
        .map(|route| route.path)
        .filter(|path| {
            path.starts_with("/api/")
                || path.ends_with("/sgf") && path != "/sgf"
                || path.ends_with("/jsonl")
                || path == "/tournaments.ics"
                || path.ends_with("/trf")
                || path.ends_with("/csv")
                || path.ends_with("}/json")
        })
        .filter(|path| path != "/api/nothing")
        .collect();
    reads.sort_unstable();
    reads.dedup();
    let known: Vec<&str> = READS.iter().map(|(path, _)| *path).collect();
    assert_eq!(reads, known);
}

/// Stores so many games against the computer, of 14 KB each.
async fn keep_games(db: &PgPool, player: &Player, count: i32) {
    sqlx::query(
        "insert into computer_games (player_id, key, game, setup, level, seat, moves, result, score1, score2, started_at, finished_at)
         select $1, n::text, 'dots', '{}', 1, 1, repeat('1,1 ', 3500), '{}', 0, 0, now(), now()
         from generate_series(1, $2) n",
    )
    .bind(player.id)
    .bind(count)
    .execute(db)
    .await
    .expect("stored");
}

#[tokio::test]
async fn all_data_are_a_whole_document_however_much_there_is() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let count = limits::MY_DATA_BATCH_LEN as i32 * 2 + 1;
    keep_games(&app.db, &ann, count).await;
    let data = ann.get("/api/my_data").await.assert_ok();
    let games = data["computer_games"].as_array().expect("a list");
    let keys: Vec<&str> = games
        .iter()
        .filter_map(|game| game["key"].as_str())
        .collect();
    let expected: Vec<String> = (1..=count).map(|n| n.to_string()).collect();
    assert_eq!(keys, expected);
    assert_eq!(data["sessions"].as_array().map(Vec::len), Some(1));
    assert_eq!(data["puzzles"]["tries"], serde_json::json!([]));
    assert_eq!(data["matches"], serde_json::json!([]));
}

#[tokio::test]
async fn a_player_has_one_download_at_a_time() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    // More than the kernel and the client keep of an answer that nobody reads.
    keep_games(&app.db, &ann, 2500).await;
    let unread = ann.request(Method::GET, "/api/my_data").send().await;
    let unread = unread.expect("an answer");
    assert_eq!(unread.status(), 200);
    let downloads = READS.iter().filter(|(_, bound)| *bound == Download);
    for (path, _) in downloads {
        let refused = ann.get(path).await;
        refused.assert_error(429, "too_many_requests");
        assert!(refused.header("retry-after").is_some(), "{path}");
        assert_eq!(bob.get(path).await.status, 200, "{path}");
    }
    // Other requests go on.
    ann.get("/api/whoami").await.assert_ok();
    drop(unread);
    wait_until("the end of the download", async || {
        (ann.get("/history/jsonl").await.status == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn all_data_are_downloaded_a_few_times_an_hour() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    for _ in 0..limits::MY_DATA_PER_HOUR {
        ann.get("/api/my_data").await.assert_ok();
    }
    let refused = ann.get("/api/my_data").await;
    refused.assert_error(429, "too_many_requests");
    let wait: u64 = refused
        .header("retry-after")
        .and_then(|wait| wait.parse().ok())
        .expect("a time");
    assert!(wait > 60, "{wait}");
    bob.get("/api/my_data").await.assert_ok();
    assert_eq!(ann.get("/history/jsonl").await.status, 200);
}
