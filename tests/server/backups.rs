//! Backup, restore and verify: the real commands on a database that a server is using.

use super::app::{SMALL, TIMEOUT, begin, start_match, wait_until};
use super::cluster::Database;
use super::process::{Process, Server, run};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

/// Returns the checksum that `tochki verify` prints.
#[track_caller]
fn checksum(verified: &Output) -> String {
    let words = String::from_utf8_lossy(&verified.stdout);
    let line = words
        .lines()
        .find_map(|line| line.strip_prefix("checksum "));
    line.unwrap_or_else(|| panic!("{verified:?}")).to_owned()
}

#[track_caller]
fn assert_ok(ended: Output) -> Output {
    assert!(ended.status.success(), "{ended:?}");
    ended
}

fn settings_of(database: &Database) -> [(&'static str, String); 1] {
    [("DATABASE_URL", database.url().to_owned())]
}

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("arena.dump");
    (folder, file)
}

fn arguments<'a>(verb: &'a str, file: &'a Path) -> [&'a str; 2] {
    [verb, file.to_str().expect("a plain path")]
}

/// Plays a match that ends with ratings, and starts another.
async fn play(server: &Process) -> (i64, i64) {
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let ended = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, ended).await;
    ann.resign(ended).await.assert_ok();
    let running = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, running).await;
    (ended, running)
}

#[tokio::test]
async fn a_backup_of_a_running_server_is_restored_with_the_same_checksum() {
    let server = Server::start().await;
    let (_, running) = play(&server).await;
    let (_folder, file) = folder();
    assert_ok(run(&arguments("backup", &file), &settings_of(&server.database)).await);
    let mode = std::fs::metadata(&file)
        .expect("the file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o077, 0, "only its owner reads it");
    let before = assert_ok(run(&["verify"], &settings_of(&server.database)).await);

    let other = Database::empty().await;
    assert_ok(run(&arguments("restore", &file), &settings_of(&other)).await);
    let after = assert_ok(run(&["verify"], &settings_of(&other)).await);
    assert_eq!(checksum(&after), checksum(&before));
    assert!(String::from_utf8_lossy(&after.stdout).contains("2 matches replayed, 0 broken"));
    // The games go on there.
    let restored = Server::start_on(other.clone()).await;
    let snapshot = restored.visitor().snapshot(running).await;
    assert_eq!(snapshot["version"], 2);
    let served = assert_ok(run(&["verify"], &settings_of(&other)).await);
    assert_eq!(checksum(&served), checksum(&before));
}

#[tokio::test]
async fn nothing_is_restored_into_a_database_that_is_not_empty() {
    let server = Server::start().await;
    play(&server).await;
    let (_folder, file) = folder();
    assert_ok(run(&arguments("backup", &file), &settings_of(&server.database)).await);
    let before = assert_ok(run(&["verify"], &settings_of(&server.database)).await);
    let refused = run(&arguments("restore", &file), &settings_of(&server.database)).await;
    assert_eq!(refused.status.code(), Some(1));
    let words = String::from_utf8_lossy(&refused.stderr);
    assert!(words.contains("is not empty"), "{words}");
    let after = assert_ok(run(&["verify"], &settings_of(&server.database)).await);
    assert_eq!(checksum(&after), checksum(&before));
}

#[tokio::test]
async fn a_file_that_is_cut_off_restores_nothing() {
    let server = Server::start().await;
    play(&server).await;
    let (_folder, file) = folder();
    assert_ok(run(&arguments("backup", &file), &settings_of(&server.database)).await);
    let bytes = std::fs::read(&file).expect("the file");
    std::fs::write(&file, &bytes[..bytes.len() / 2]).expect("a shorter file");
    let other = Database::empty().await;
    let refused = run(&arguments("restore", &file), &settings_of(&other)).await;
    assert_eq!(refused.status.code(), Some(1));
    let tables: i64 =
        sqlx::query_scalar("select count(*) from pg_tables where schemaname = 'public'")
            .fetch_one(&other.pool())
            .await
            .expect("a count");
    assert_eq!(tables, 0);
}

#[tokio::test]
async fn damaged_matches_are_found() {
    let server = Server::start().await;
    let (ended, running) = play(&server).await;
    let before = assert_ok(run(&["verify"], &settings_of(&server.database)).await);
    for (damage, id) in [
        // Another score than the rules give.
        (
            "update match_events set body = replace(body, '[0,0]', '[7,0]') where version = 1 and match_id = $1",
            running,
        ),
        // An event that is missing.
        (
            "delete from match_events where version = 2 and match_id = $1",
            ended,
        ),
    ] {
        let done = sqlx::query(damage).bind(id).execute(&server.db).await;
        assert_eq!(done.expect("damage").rows_affected(), 1, "{damage}");
    }
    let found = run(&["verify"], &settings_of(&server.database)).await;
    assert_eq!(found.status.code(), Some(1));
    let words = String::from_utf8_lossy(&found.stdout);
    for id in [ended, running] {
        assert!(words.contains(&format!("match {id}: ")), "{words}");
    }
    assert!(words.contains("2 matches replayed, 2 broken"), "{words}");
    assert_ne!(checksum(&found), checksum(&before));
}

#[tokio::test]
async fn a_result_that_the_moves_do_not_give_is_found() {
    let server = Server::start().await;
    let (ended, _) = play(&server).await;
    sqlx::query("update matches set winner = 3 - winner where id = $1")
        .bind(ended)
        .execute(&server.db)
        .await
        .expect("damage");
    let found = run(&["verify"], &settings_of(&server.database)).await;
    assert_eq!(found.status.code(), Some(1));
    let words = String::from_utf8_lossy(&found.stdout);
    assert!(
        words.contains(&format!("match {ended}: the result")),
        "{words}"
    );
}

#[tokio::test]
async fn a_password_is_in_no_argument() {
    let server = Server::start().await;
    let (_folder, file) = folder();
    let url = server
        .database
        .url()
        .replacen("tochki@", "tochki:guess-me@", 1);
    assert!(url.contains("guess-me"), "{url}");
    let url = [("DATABASE_URL", url)];
    // The backup waits for this lock, so that its process can be looked at.
    let mut held = server.db.begin().await.expect("a transaction");
    sqlx::query("lock table matches in access exclusive mode")
        .execute(&mut *held)
        .await
        .expect("a lock");
    let arguments = arguments("backup", &file).map(str::to_owned);
    let backup = tokio::spawn(async move {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        run(&arguments, &url).await
    });
    wait_until("a pg_dump that waits", async || {
        let waits: bool = sqlx::query_scalar(
            "select exists (select from pg_stat_activity where datname = current_database() and application_name = 'pg_dump'
                 and wait_event_type = 'Lock')",
        )
        .fetch_one(&server.db)
        .await
        .expect("an answer");
        waits.then_some(())
    })
    .await;
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let lines: Vec<String> = processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .collect();
    assert!(
        lines.iter().any(|line| line.contains("pg_dump ")),
        "it runs"
    );
    assert!(
        !lines.iter().any(|line| line.contains("guess-me")),
        "{lines:?}"
    );
    held.rollback().await.expect("the end of the lock");
    let done = tokio::time::timeout(TIMEOUT, backup)
        .await
        .expect("in time");
    assert_ok(done.expect("no panic"));
}

#[tokio::test]
async fn an_own_postgres_is_backed_up_while_it_runs_and_restored_while_it_does_not() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let mut server = Process::start_with_own_postgres(data.path()).await;
    play(&server).await;
    let (_folder, file) = folder();
    let settings = [(
        "DATA_DIR",
        data.path().to_str().expect("a plain path").to_owned(),
    )];
    assert_ok(run(&arguments("backup", &file), &settings).await);
    let before = assert_ok(run(&["verify"], &settings).await);
    server.terminate();
    assert!(server.wait_for_exit().await.success());

    let other = tempfile::tempdir().expect("a temporary folder");
    let settings = [(
        "DATA_DIR",
        other.path().to_str().expect("a plain path").to_owned(),
    )];
    assert_ok(run(&arguments("restore", &file), &settings).await);
    let after = assert_ok(run(&["verify"], &settings).await);
    assert_eq!(checksum(&after), checksum(&before));
}
