//! Copies of the limits of `tochki_protocol::limits` in the schema, in scripts and in error messages.

use super::app::TestApp;
use std::time::Duration;
use tochki_protocol::limits;

/// Returns the intervals in the definition of a function or a view, in milliseconds and in their order.
async fn intervals(app: &TestApp, definition: &str) -> Vec<u128> {
    let query = format!(
        r"select (extract(epoch from found[1]::interval) * 1000)::bigint
          from regexp_matches({definition}, '''([^'']+)''::interval', 'g') as found"
    );
    let found: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(query))
        .fetch_all(&app.db)
        .await
        .expect("a definition");
    found
        .into_iter()
        .map(|ms| ms.unsigned_abs().into())
        .collect()
}

#[tokio::test]
async fn the_schema_has_the_same_limits() {
    let app = TestApp::init().await;
    let function = |name: &str| format!("pg_get_functiondef('{name}'::regproc)");
    let view = |name: &str| format!("pg_get_viewdef('{name}'::regclass)");
    let check = async |definition: String, expected: &[Duration]| {
        let expected: Vec<_> = expected.iter().map(Duration::as_millis).collect();
        assert_eq!(intervals(&app, &definition).await, expected, "{definition}");
    };
    let alive = [limits::PRESENCE_TIMEOUT, limits::RELOAD_GRACE];
    check(function("is_alive"), &alive).await;
    let ahead = limits::TABLE_PAGE_PRESENCE.checked_sub(limits::PRESENCE_TIMEOUT);
    check(
        function("sees"),
        &[ahead.expect("a page of a table is there for longer")],
    )
    .await;
    check(function("arrival_timeout"), &[limits::STREAMLESS_PRESENCE]).await;
    check(function("heartbeat_is_fresh"), &[limits::OUTAGE_TOLERANCE]).await;
    check(view("reported_absences"), &[limits::ABSENCE_NOTICE_DELAY]).await;
    check(view("laid_tables"), &[limits::TABLE_LISTING_TIMEOUT]).await;
}

/// Returns the value of a constant in a script, a number.
fn constant(script: &str, name: &str) -> u128 {
    // One script is in the syntax of old browsers.
    let starts = [format!("const {name} = "), format!("var {name} = ")];
    let mut lines = script.lines().map(str::trim_start);
    let value = lines.find_map(|line| starts.iter().find_map(|start| line.strip_prefix(start)));
    let value = value.unwrap_or_else(|| panic!("no constant {name}"));
    let digits = value.trim_end_matches(';').replace('_', "");
    digits.parse().expect("a number")
}

#[test]
fn scripts_have_the_same_limits() {
    let board = include_str!("../../public/board.js");
    let chat = include_str!("../../public/chat.js");
    let fallback = include_str!("../../public/fallback.js");
    let check = include_str!("../../public/start_check.js");
    let late_start = include_str!("../../public/late_start.js");
    let lobby_chat = include_str!("../../public/lobby_chat.js");
    let new_release = include_str!("../../public/new_release.js");
    let offline = include_str!("../../public/offline.js");
    let passkeys = include_str!("../../public/passkeys.js");
    let replayed = include_str!("../../public/replayed_game.js");
    let sound = include_str!("../../public/sound.js");
    let start = include_str!("../../public/start.js");
    let table = include_str!("../../public/open_table.js");
    let worker = include_str!("../../public/service_worker.js");
    let stream = include_str!("../../public/event_stream.js");
    for (script, name, limit) in [
        (table, "IDLE_TIMEOUT_MS", limits::STREAM_IDLE_TIMEOUT),
        (
            table,
            "IDLE_CHECK_INTERVAL_MS",
            limits::STREAM_IDLE_CHECK_INTERVAL,
        ),
        (
            table,
            "RELOAD_DELAY_MS",
            limits::STREAM_REFUSED_RELOAD_DELAY,
        ),
        (
            lobby_chat,
            "REFRESH_INTERVAL_MS",
            limits::LOBBY_CHAT_REFRESH_INTERVAL,
        ),
        (new_release, "SPREAD_MS", limits::RELEASE_RELOAD_SPREAD),
        (
            new_release,
            "CHECK_INTERVAL_MS",
            limits::RELEASE_RELOAD_CHECK_INTERVAL,
        ),
        (
            new_release,
            "IDLE_TIME_MS",
            limits::RELEASE_RELOAD_IDLE_TIME,
        ),
        (
            new_release,
            "RELOAD_INTERVAL_MS",
            limits::RELEASE_RELOAD_INTERVAL,
        ),
        (check, "START_TIMEOUT_MS", limits::START_TIMEOUT),
        (start, "IDLE_TIMEOUT_MS", limits::START_IDLE_TIMEOUT),
        (late_start, "PAINT_TIMEOUT_MS", limits::START_PAINT_TIMEOUT),
        (sound, "MAX_DELAY_MS", limits::SOUND_MAX_DELAY),
        (board, "WHEEL_TIMEOUT_MS", limits::WHEEL_TIMEOUT),
        (replayed, "STEP_MS", limits::REPLAY_STEP_INTERVAL),
        (board, "DOUBLE_TAP_MS", limits::DOUBLE_TAP_TIME),
        (offline, "NETWORK_TIMEOUT_MS", limits::NETWORK_TIMEOUT),
        (
            offline,
            "IDLE_TIMEOUT_MS",
            limits::SERVICE_WORKER_IDLE_TIMEOUT,
        ),
        (worker, "NETWORK_TIMEOUT_MS", limits::NETWORK_TIMEOUT),
        (stream, "PING_MS", limits::SHARED_STREAM_PING_INTERVAL),
        (stream, "TAB_TIMEOUT_MS", limits::SHARED_STREAM_TAB_TIMEOUT),
        (
            stream,
            "WORKER_TIMEOUT_MS",
            limits::SHARED_STREAM_WORKER_TIMEOUT,
        ),
        (stream, "LEAVE_DELAY_MS", limits::SHARED_STREAM_LEAVE_DELAY),
        (stream, "IDLE_TIMEOUT_MS", limits::STREAM_IDLE_TIMEOUT),
        (stream, "END_RETRY_MS", limits::STREAM_SHUTDOWN_RETRY_DELAY),
        (stream, "MIN_RETRY_MS", limits::MIN_STREAM_BACKOFF),
        (stream, "MAX_RETRY_MS", limits::MAX_STREAM_BACKOFF),
        (
            passkeys,
            "OFFER_LIFETIME_MS",
            limits::PASSKEY_OFFER_LIFETIME,
        ),
    ] {
        assert_eq!(constant(script, name), limit.as_millis(), "{name}");
    }
    assert_eq!(
        constant(stream, "MAX_TOPICS"),
        limits::STREAM_MAX_TOPICS as u128
    );
    let reported = limits::FAILURE_MESSAGE_MAX_CHARS as u128;
    assert_eq!(constant(fallback, "MAX_MESSAGE"), reported);
    let kept = u128::from(limits::CHAT_PAGE_MAX_MESSAGES);
    assert_eq!(constant(chat, "MAX_MESSAGES"), kept);
    let lengths = format!(
        "const [MAX_LENGTH, COUNTDOWN_FROM] = [{}, {}];",
        limits::MESSAGE_MAX_CHARS,
        limits::MESSAGE_COUNTDOWN_CHARS
    );
    assert_eq!(chat.matches(&lengths).count(), 1);
}

#[test]
fn error_messages_have_the_same_limits() {
    use tochki_protocol::Code;

    let name = format!("{} to {}", limits::NAME_MIN_CHARS, limits::NAME_MAX_CHARS);
    assert!(Code::InvalidName.message().contains(&name));
    let password = format!(
        "{} to {}",
        limits::PASSWORD_MIN_CHARS,
        limits::PASSWORD_MAX_CHARS
    );
    assert!(Code::InvalidPassword.message().contains(&password));
    let table = limits::TABLE_NAME_MAX_CHARS.to_string();
    assert!(Code::InvalidTableName.message().contains(&table));
    let message = limits::MESSAGE_MAX_CHARS.to_string();
    assert!(Code::MessageTooLong.message().contains(&message));
    let aborts = format!(
        "aborted {} of the last {} games, and has to wait {} minutes",
        limits::ABORTS_MAX,
        limits::ABORTS_WINDOW_LEN,
        limits::ABORTS_PAUSE.as_secs() / 60
    );
    assert!(Code::AbortCooldown.message().contains(&aborts));
    let body = format!("larger than {} KiB", limits::BODY_MAX_BYTES / 1024);
    assert!(Code::TooLarge.message().contains(&body));
    let passkeys = format!("at most {} passkeys", limits::PASSKEYS_MAX);
    assert!(Code::TooManyPasskeys.message().contains(&passkeys));
    let messages = format!(
        "{} messages in {} seconds",
        limits::MESSAGES_PER_WINDOW,
        limits::MESSAGE_WINDOW.as_secs()
    );
    assert!(Code::TooManyMessages.message().contains(&messages));
}

/// Checks that messages have no number that an operator can set to another.
#[test]
fn error_messages_state_no_settings() {
    use tochki_protocol::Code;

    for code in [
        Code::AddressClosed,
        Code::ChallengeCooldown,
        Code::TablesFull,
        Code::PlayersFull,
        Code::MatchesFull,
        Code::TooManyStreams,
        Code::TooManyRequests,
    ] {
        let message = code.message();
        assert!(!message.contains(|c: char| c.is_ascii_digit()), "{message}");
        assert!(
            !message.contains("minute") && !message.contains("a day"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn the_migration_ranks_players_by_the_limits() {
    let (matches, opponents) = (limits::RANKED_MATCHES, limits::RANKED_OPPONENTS);
    let migration = include_str!("../../migrations/0045_ranked.sql");
    let condition = format!("p.matches >= {matches} and p.opponents >= least({opponents}, (");
    assert_eq!(migration.matches(&condition).count(), 1);
    assert_eq!(
        migration
            .matches(&format!("limit {opponents}) few"))
            .count(),
        1
    );
}

#[tokio::test]
async fn a_pair_is_rated_out_by_the_limit() {
    let app = TestApp::init().await;
    let function: String =
        sqlx::query_scalar("select pg_get_functiondef('are_rated_out'::regproc)")
            .fetch_one(&app.db)
            .await
            .expect("a definition");
    let rated_out = format!(">= {}", limits::RATED_MATCHES_PER_PAIR);
    assert!(function.contains(&rated_out), "{function}");
}

#[test]
fn the_query_of_recent_matches_has_the_same_limit() {
    let queries = include_str!("../../crates/server/src/matches/db/mod.rs");
    let interval = format!(
        "finished_at > now() - interval '{} seconds'",
        limits::LOBBY_HISTORY.as_secs()
    );
    assert_eq!(queries.matches(&interval).count(), 1);
}
