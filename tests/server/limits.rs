//! Copies of the limits of `tochki_protocol::limits` in the schema, in scripts and in error messages.

use super::app::TestApp;
use std::time::Duration;
use tochki_protocol::limits;

/// The intervals in the definition of a function or a view, in milliseconds and in their order.
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
    check(function("welcome"), &[limits::ARRIVAL_TIMEOUT]).await;
    check(function("time_is_kept"), &[limits::OUTAGE_TOLERANCE]).await;
    check(view("away"), &[limits::ABSENCE_NOTICE_DELAY]).await;
    check(view("laid_tables"), &[limits::TABLE_LISTING_TIMEOUT]).await;
}

/// The value of a constant in a script, a number.
fn constant(script: &str, name: &str) -> u128 {
    let start = format!("const {name} = ");
    let value = script.lines().find_map(|line| line.strip_prefix(&start));
    let value = value.unwrap_or_else(|| panic!("no constant {name}"));
    let digits = value.trim_end_matches(';').replace('_', "");
    digits.parse().expect("a number")
}

#[test]
fn scripts_have_the_same_limits() {
    let table = include_str!("../../public/open_table.js");
    assert_eq!(
        constant(table, "IDLE_TIMEOUT"),
        limits::STREAM_IDLE_TIMEOUT.as_millis()
    );
    assert_eq!(
        constant(table, "IDLE_CHECK_INTERVAL"),
        limits::STREAM_IDLE_CHECK_INTERVAL.as_millis()
    );
    let chat = include_str!("../../public/chat.js");
    let max_length = format!("= [{}, ", limits::MESSAGE_MAX_CHARS);
    assert_eq!(chat.matches(&max_length).count(), 1);
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
}

#[tokio::test]
async fn standings_hold_who_has_as_many_rated_matches_as_the_limit() {
    let app = TestApp::init().await;
    let ranked = limits::RANKED_MATCHES;
    let function: String =
        sqlx::query_scalar("select pg_get_functiondef('is_provisional'::regproc)")
            .fetch_one(&app.db)
            .await
            .expect("a definition");
    assert!(function.contains(&format!("< {ranked}")), "{function}");
    let index: String = sqlx::query_scalar("select pg_get_indexdef('standings'::regclass)")
        .fetch_one(&app.db)
        .await
        .expect("a definition");
    assert!(index.contains(&format!("games >= {ranked}")), "{index}");
    let queries = include_str!("../../crates/server/src/db/standings.rs");
    let condition = format!("games >= {ranked}");
    assert_eq!(queries.matches(&condition).count(), 4);
    assert_eq!(queries.matches("games >").count(), 4);
}

#[test]
fn the_query_of_recent_matches_has_the_same_limit() {
    let queries = include_str!("../../crates/server/src/db/matches.rs");
    let interval = format!(
        "finished_at > now() - interval '{} seconds'",
        limits::LOBBY_HISTORY.as_secs()
    );
    assert_eq!(queries.matches(&interval).count(), 1);
}
