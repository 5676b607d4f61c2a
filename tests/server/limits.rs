//! The limits of `tochki_protocol::limits` that stand a second time in the schema and in the scripts.

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

#[test]
fn the_page_of_a_table_has_the_same_limits() {
    let script = include_str!("../../public/open_table.js");
    let value = script
        .lines()
        .find_map(|line| {
            line.strip_prefix("const SILENCE = ")
                .or_else(|| line.strip_prefix("const IDLE_TIMEOUT = "))
        })
        .expect("the idle timeout");
    let milliseconds = value.trim_end_matches(';').replace('_', "");
    assert_eq!(
        milliseconds.parse(),
        Ok(limits::STREAM_IDLE_TIMEOUT.as_millis())
    );
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
