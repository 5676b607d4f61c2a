//! The real binary as a process of its own, to be killed and started again.

use super::app::{PATIENCE, until};
use super::cluster::Database;
use super::player::{Player, Visitor, try_send};
use rustix::process::{Pid, Signal, kill_process};
use sqlx::PgPool;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// A server on a database that outlives it.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) database: Database,
    /// The test's own look into the database.
    pub(crate) db: PgPool,
    child: Child,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::start_on(Database::fresh().await).await
    }

    pub(crate) async fn start_on(database: Database) -> Self {
        let address = free_address();
        let server = Self {
            address,
            child: spawn(address, &database),
            db: database.pool(),
            database,
        };
        server.is_ready().await;
        server
    }

    /// Ends it without a word, by SIGKILL.
    pub(crate) async fn kill(&mut self) {
        self.child.kill().await.expect("it can be killed");
    }

    /// Starts it again at the same address.
    pub(crate) async fn start_again(&mut self) {
        self.child = spawn(self.address, &self.database);
        self.is_ready().await;
    }

    /// Asks it to end, by SIGTERM.
    pub(crate) fn terminate(&self) {
        let pid = self
            .child
            .id()
            .and_then(|id| Pid::from_raw(id.cast_signed()));
        kill_process(pid.expect("it runs"), Signal::TERM).expect("it can be told");
    }

    /// Waits for its end.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        self.child.wait().await.expect("it ends")
    }

    /// One that cannot start; what it said.
    pub(crate) async fn refused_at(address: SocketAddr, database: &Database) -> Output {
        let starting = command(address, database).output();
        timeout(PATIENCE, starting)
            .await
            .expect("it gives up")
            .expect("it starts")
    }

    pub(crate) fn visitor(&self) -> Visitor {
        Visitor::at(self.address)
    }

    pub(crate) async fn with_user(&self, name: &str) -> Player {
        self.visitor().register(name).await
    }

    async fn is_ready(&self) {
        let visitor = self.visitor();
        until("a server that is ready", async || {
            let asked = visitor.asks(reqwest::Method::GET, "/readyz");
            let answer = try_send(asked).await.ok()?;
            (answer.status == 200).then_some(())
        })
        .await;
    }
}

fn spawn(address: SocketAddr, database: &Database) -> Child {
    command(address, database)
        .spawn()
        .expect("the server starts")
}

fn command(address: SocketAddr, database: &Database) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tochki"));
    command
        .env("DATABASE_URL", database.url())
        .env("DATABASE_CONNECTIONS", "6")
        .env("LISTEN", address.to_string())
        .env("REQUESTS_BY_ADDRESS", "1000000")
        .env("RUST_LOG", "warn")
        .env_remove("PUBLIC_ORIGIN")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    command
}

/// A port that nobody listens on, below those that the system gives to outgoing connections, so that it is still free
/// when the server starts again.
fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + (std::process::id() % 100) as u16 * 100;
    std::iter::repeat_with(|| first + NEXT.fetch_add(1, Ordering::SeqCst) % 100)
        .take(100)
        .map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
        .find(|address| TcpListener::bind(address).is_ok())
        .expect("one of a hundred ports is free")
}
