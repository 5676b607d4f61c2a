//! The Postgres that the server brings along, started for real: it keeps its data, and ends with its server.

use std::{
    env,
    fs::{File, Permissions},
    io::{BufRead as _, BufReader},
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use own_postgres::{OwnPostgres, StartError};
use sqlx::{Connection as _, PgConnection};
use tempfile::TempDir;

/// The variable with the folder that [`child_process_to_be_killed`] uses.
const FOLDER: &str = "TEST_POSTGRES_FOLDER";

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

async fn start(folder: &Path) -> OwnPostgres {
    OwnPostgres::start(folder).await.expect("Postgres starts")
}

/// Runs `statement` and reads the one number it gives.
async fn number(url: &str, statement: &'static str) -> sqlx::Result<i32> {
    let mut connection = PgConnection::connect(url).await?;
    let number = sqlx::query_scalar(statement)
        .fetch_one(&mut connection)
        .await?;
    connection.close().await?;
    Ok(number)
}

#[tokio::test]
async fn data_survive_a_restart() {
    let folder = folder();

    let first = start(folder.path()).await;
    let mut connection = PgConnection::connect_with(&first.options())
        .await
        .expect("a connection");
    sqlx::raw_sql("CREATE TABLE kept AS SELECT 7 AS number")
        .execute(&mut connection)
        .await
        .expect("a table");
    connection.close().await.expect("a farewell");
    first.stop().await;

    let second = start(folder.path()).await;
    assert_eq!(
        number(&second.url(), "SELECT number FROM kept")
            .await
            .expect("the table is there"),
        7
    );
    second.stop().await;
}

#[tokio::test]
async fn names_in_all_languages_fold() {
    let folder = folder();
    let postgres = start(folder.path()).await;
    let same = number(&postgres.url(), "SELECT (lower('ТОЧКИ') = 'точки')::int")
        .await
        .expect("an answer");
    assert_eq!(same, 1, "the locale knows more letters than ASCII's");
    postgres.stop().await;
}

#[tokio::test]
async fn other_users_cannot_connect() {
    let folder = folder();
    let postgres = start(folder.path()).await;
    let listens = number(
        &postgres.url(),
        "SELECT (current_setting('listen_addresses') <> '')::int",
    )
    .await;
    assert_eq!(listens.expect("an answer"), 0, "no TCP port is opened");
    let socket = folder
        .path()
        .join("postgres/socket")
        .metadata()
        .expect("the socket's folder");
    assert_eq!(
        socket.permissions().mode() & 0o077,
        0,
        "only its owner may enter the socket's folder"
    );
    postgres.stop().await;
}

#[tokio::test]
async fn a_second_server_on_a_folder_in_use_is_refused() {
    let folder = folder();
    let first = start(folder.path()).await;
    let refused = OwnPostgres::start(folder.path())
        .await
        .expect_err("the folder is in use");
    assert!(matches!(refused, StartError::InUse(_)), "{refused}");
    assert_eq!(
        number(&first.url(), "SELECT 1")
            .await
            .expect("the first is untouched"),
        1
    );
    first.stop().await;
}

#[tokio::test]
async fn a_path_too_long_for_a_socket_is_no_obstacle() {
    let folder = folder();
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("an open folder");
    let deep = folder
        .path()
        .join("a folder ".repeat(8))
        .join("with a long way to it".repeat(5));
    let postgres = start(&deep).await;
    assert_eq!(
        number(&postgres.url(), "SELECT 1")
            .await
            .expect("an answer"),
        1
    );
    postgres.stop().await;
}

#[tokio::test]
async fn dropping_it_stops_it() {
    let folder = folder();
    let postgres = start(folder.path()).await;
    let url = postgres.url();
    drop(postgres);
    until_gone(folder.path(), &url).await;
}

#[tokio::test]
async fn a_killed_server_takes_its_postgres_along() {
    let folder = folder();
    let (mut server, url) = server_in_another_process(folder.path());
    assert_eq!(number(&url, "SELECT 1").await.expect("it runs"), 1);
    server.kill().expect("SIGKILL is sent");
    server.wait().expect("it ends");
    until_gone(folder.path(), &url).await;
}

#[tokio::test]
async fn a_start_right_after_a_kill_waits_for_the_old_postgres() {
    let folder = folder();
    for _ in 0..3 {
        let (mut server, url) = server_in_another_process(folder.path());
        assert_eq!(number(&url, "SELECT 1").await.expect("it runs"), 1);
        server.kill().expect("SIGKILL is sent");
        server.wait().expect("it ends");
    }
    start(folder.path()).await.stop().await;
}

#[tokio::test]
async fn a_postgres_whose_server_and_watcher_were_killed_is_ended_first() {
    let folder = folder();
    let (mut server, url) = server_in_another_process(folder.path());
    let pid = number(
        &url,
        "SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int",
    )
    .await
    .expect("a pid");
    let watcher = watcher_of(pid);
    assert!(
        Command::new("kill")
            .args(["-KILL", &watcher])
            .status()
            .expect("kill runs")
            .success()
    );
    server.kill().expect("SIGKILL is sent");
    server.wait().expect("it ends");
    assert_eq!(
        number(&url, "SELECT 1").await.expect("an orphan lives on"),
        1
    );

    start(folder.path()).await.stop().await;
}

#[tokio::test]
async fn a_process_id_that_went_to_another_program_is_no_obstacle() {
    let folder = folder();
    start(folder.path()).await.stop().await;
    let cluster = folder.path().join("postgres/cluster");
    let owner = std::os::unix::fs::MetadataExt::uid(&cluster.metadata().expect("the data folder"));
    // As Postgres's account, because Postgres takes no other account's process for its own.
    let mut stranger = std::os::unix::process::CommandExt::uid(&mut Command::new("sleep"), owner)
        .arg("60")
        .current_dir("/")
        .spawn()
        .expect("sleep runs");
    let words = format!("{}\n{}\n1\n5432\n\n\n", stranger.id(), cluster.display());
    std::fs::write(cluster.join("postmaster.pid"), words).expect("a stale file");

    start(folder.path()).await.stop().await;

    stranger.kill().expect("SIGKILL is sent");
    stranger.wait().expect("it ends");
}

/// Waits until no process of the Postgres in `folder` is left: each of them holds a lock on the log.
async fn until_gone(folder: &Path, url: &str) {
    let log = File::open(folder.join("postgres/postgres.log")).expect("the log");
    let (locked, unlocked) = tokio::sync::oneshot::channel();
    // A thread of its own: the runtime would wait for a blocking task of its own even after the timeout.
    thread::spawn(move || locked.send(log.lock()));
    tokio::time::timeout(Duration::from_mins(1), unlocked)
        .await
        .expect("Postgres ends with its server")
        .expect("the thread answers")
        .expect("the log is locked");
    number(url, "SELECT 1")
        .await
        .expect_err("nobody answers any more");
}

/// Returns the process id of the shell that shares the postmaster's process group.
fn watcher_of(postmaster: i32) -> String {
    let processes = std::fs::read_dir("/proc")
        .expect("a list of processes")
        .flatten();
    let shells = processes.filter_map(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
        let (_, fields) = stat.split_once(" (sh) ")?;
        // After the name stand the state, the parent and the group.
        (fields.split(' ').nth(2)? == postmaster.to_string())
            .then(|| process.file_name().into_string())?
            .ok()
    });
    let shells: Vec<String> = shells.collect();
    assert_eq!(shells.len(), 1, "one watcher stands beside Postgres");
    shells.concat()
}

/// Starts [`child_process_to_be_killed`] as a process and reads the address of its database.
fn server_in_another_process(folder: &Path) -> (Child, String) {
    let mut server = Command::new(env::current_exe().expect("this test's own path"))
        .args([
            "--exact",
            "child_process_to_be_killed",
            "--ignored",
            "--nocapture",
        ])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test starts once more");
    let said = BufReader::new(server.stdout.take().expect("a pipe"))
        .lines()
        .map_while(Result::ok);
    let url = said
        .into_iter()
        .find_map(|line| line.find("postgres://").map(|at| line[at..].to_owned()));
    (server, url.expect("the address of its database"))
}

/// Runs the process that the tests above start and kill. Not a test by itself.
#[tokio::test]
#[ignore = "it waits to be killed"]
async fn child_process_to_be_killed() {
    let Some(folder) = env::var_os(FOLDER) else {
        return;
    };
    let postgres = start(Path::new(&folder)).await;
    println!("{}", postgres.url());
    tokio::time::sleep(Duration::from_mins(10)).await;
}

#[tokio::test]
async fn a_new_cluster_has_checksums() {
    let folder = folder();
    let postgres = start(folder.path()).await;
    assert!(postgres.has_checksums().await.expect("an answer"));
    postgres.stop().await;
}

#[tokio::test]
async fn an_older_cluster_without_checksums_still_runs() {
    let folder = folder();
    start(folder.path()).await.stop().await;
    let cluster = folder.path().join("postgres/cluster");
    let disabled = std::os::unix::process::CommandExt::uid(
        &mut Command::new(
            own_postgres::client_program("pg_checksums", 0)
                .await
                .expect("pg_checksums"),
        ),
        std::os::unix::fs::MetadataExt::uid(&cluster.metadata().expect("the data folder")),
    )
    .args(["--disable", "-D"])
    .arg(&cluster)
    .stdout(Stdio::null())
    .status()
    .expect("pg_checksums runs");
    assert!(disabled.success());
    let postgres = start(folder.path()).await;
    assert!(!postgres.has_checksums().await.expect("an answer"));
    postgres.stop().await;
}
