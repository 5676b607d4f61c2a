//! The real binary as a process that can be killed and restarted.

use super::app::{TIMEOUT, wait_until};
use super::cluster::Database;
use super::player::{Player, Visitor, try_send};
use rustix::process::{Pid, Signal, kill_process};
use sqlx::PgPool;
use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// A server process and its settings.
pub(crate) struct Process {
    pub(crate) address: SocketAddr,
    settings: Vec<(&'static str, String)>,
    /// The file of the log, if it does not go to the log of the test.
    log: Option<PathBuf>,
    child: Child,
}

/// A server process on a database that outlives it.
pub(crate) struct Server {
    process: Process,
    pub(crate) database: Database,
    /// The test's own connections to the database.
    pub(crate) db: PgPool,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::start_on(Database::fresh().await).await
    }

    pub(crate) async fn start_on(database: Database) -> Self {
        Self::start_with(database, Vec::new(), None).await
    }

    /// Starts a server with more settings.
    pub(crate) async fn start_with_settings(
        database: Database,
        more: Vec<(&'static str, String)>,
    ) -> Self {
        Self::start_with(database, more, None).await
    }

    /// Starts a server with more settings, whose log goes into a file.
    pub(crate) async fn start_logging(
        database: Database,
        more: Vec<(&'static str, String)>,
        log: PathBuf,
    ) -> Self {
        Self::start_with(database, more, Some(log)).await
    }

    async fn start_with(
        database: Database,
        more: Vec<(&'static str, String)>,
        log: Option<PathBuf>,
    ) -> Self {
        let mut settings = settings_for(&database);
        settings.extend(more);
        Self {
            process: Process::start_with(settings, log).await,
            db: database.pool(),
            database,
        }
    }

    /// Tries to start a server at an address where that must fail. Returns its output.
    pub(crate) async fn start_fails_at(address: SocketAddr, database: &Database) -> Output {
        let starting = command(address, &settings_for(database))
            .stderr(Stdio::piped())
            .output();
        timeout(TIMEOUT, starting)
            .await
            .expect("it gives up")
            .expect("it starts")
    }
}

impl Deref for Server {
    type Target = Process;

    fn deref(&self) -> &Process {
        &self.process
    }
}

impl DerefMut for Server {
    fn deref_mut(&mut self) -> &mut Process {
        &mut self.process
    }
}

impl Process {
    async fn start_with(settings: Vec<(&'static str, String)>, log: Option<PathBuf>) -> Self {
        let address = free_address();
        let mut process = Self {
            address,
            child: spawn(address, &settings, log.as_deref()),
            settings,
            log,
        };
        process.wait_until_ready().await;
        process
    }

    /// Starts a server without `DATABASE_URL`, which starts its own Postgres with its data in this folder.
    pub(crate) async fn start_with_own_postgres(folder: &Path) -> Self {
        let folder = folder.to_str().expect("a plain path").to_owned();
        let settings = [vec![("DATA_DIR", folder)], no_limits()].concat();
        Self::start_with(settings, None).await
    }

    /// Kills the process with SIGKILL.
    pub(crate) async fn kill(&mut self) {
        self.child.kill().await.expect("it can be killed");
    }

    /// Starts the process again on the same address.
    pub(crate) async fn restart(&mut self) {
        self.child = spawn(self.address, &self.settings, self.log.as_deref());
        self.wait_until_ready().await;
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = self.child.id().map(u32::cast_signed);
        let pid = id.and_then(Pid::from_raw).expect("it runs");
        kill_process(pid, signal).expect("it can be told");
    }

    /// Waits until the process has exited.
    pub(crate) async fn wait_for_exit(&mut self) -> ExitStatus {
        timeout(TIMEOUT, self.child.wait())
            .await
            .expect("it ends before long")
            .expect("it can be waited for")
    }

    pub(crate) fn visitor(&self) -> Visitor {
        Visitor::at(self.address)
    }

    pub(crate) async fn with_user(&self, name: &str) -> Player {
        self.visitor().register(name).await
    }

    pub(crate) async fn wait_until_ready(&mut self) {
        let visitor = self.visitor();
        wait_until("a server that is ready", async || {
            if let Ok(Some(status)) = self.child.try_wait() {
                panic!("the server has ended: {status}");
            }
            let asked = visitor.request(reqwest::Method::GET, "/readyz");
            let answer = try_send(asked).await.ok()?;
            (answer.status == 200).then_some(())
        })
        .await;
    }
}

fn settings_for(database: &Database) -> Vec<(&'static str, String)> {
    let on_it = vec![
        ("DATABASE_URL", database.url().to_owned()),
        ("DATABASE_CONNECTIONS", "6".to_owned()),
    ];
    [on_it, no_limits()].concat()
}

/// Returns the settings without limits: all players of a test come from one address.
fn no_limits() -> Vec<(&'static str, String)> {
    let limits = [
        "REQUESTS_AT_ONCE_BY_ADDRESS",
        "REQUESTS_BY_ADDRESS",
        "REGISTRATIONS_BY_ADDRESS",
        "CONNECTIONS_BY_ADDRESS",
        "STREAMS_BY_SESSION",
        "STREAMS_BY_ADDRESS",
        "MOVES_PER_SECOND",
    ];
    limits.map(|limit| (limit, "1000000".to_owned())).to_vec()
}

fn spawn(address: SocketAddr, settings: &[(&'static str, String)], log: Option<&Path>) -> Child {
    let mut command = command(address, settings);
    if let Some(log) = log {
        let file = File::options().append(true).create(true).open(log);
        command.stderr(file.expect("a log"));
    }
    command.spawn().expect("the server starts")
}

fn command(address: SocketAddr, settings: &[(&'static str, String)]) -> Command {
    let mut command = binary(settings);
    command.env("LISTEN", address.to_string());
    command
}

/// Runs a command of the binary to its end.
pub(crate) async fn run(arguments: &[&str], settings: &[(&'static str, String)]) -> Output {
    let running = binary(settings).args(arguments).output();
    timeout(TIMEOUT, running)
        .await
        .expect("it ends before long")
        .expect("it starts")
}

fn binary(settings: &[(&'static str, String)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tochki"));
    for name in ["DATABASE_URL", "DATA_DIR", "PUBLIC_ORIGIN", "TRUST_PROXY"] {
        command.env_remove(name);
    }
    command
        .env("RUST_LOG", "warn")
        .envs(settings.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .kill_on_drop(true);
    command
}

/// Returns a free port below the ephemeral range, so that it is still free when the server restarts.
fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + (std::process::id() % 100) as u16 * 100;
    std::iter::repeat_with(|| first + NEXT.fetch_add(1, Ordering::SeqCst) % 100)
        .take(100)
        .map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
        .find(|address| TcpListener::bind(address).is_ok())
        .expect("one of a hundred ports is free")
}
