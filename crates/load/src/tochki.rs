//! A server of ours, with a Postgres and a database of its own unless it is given one.

use crate::Result;
use crate::client::Client;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// The limits by address, which is the same for all visitors here.
const UNLIMITED: [&str; 12] = [
    "CONNECTIONS_BY_ADDRESS",
    "GUESTS_BY_ADDRESS",
    "MOVES_PER_SECOND",
    "PAGES_BY_ADDRESS",
    "REGISTRATIONS_BY_ADDRESS",
    "REQUESTS_AT_ONCE_BY_ADDRESS",
    "REQUESTS_BY_ADDRESS",
    "SIGN_IN_BY_ADDRESS",
    "SIGN_IN_BY_NAME",
    "STREAMS_BY_ADDRESS",
    "STREAMS_BY_SESSION",
    "TABLES_BY_ADDRESS",
];

/// The settings in the environment of this program that a measured server does not get.
const UNSET: [&str; 15] = [
    "CONTACT",
    "DATABASE_CONNECTIONS",
    "DATABASE_URL",
    "HOUSE_BOTS",
    "LINE_LISTEN",
    "MATCHES_IN_ALL",
    "METRICS_ADDR",
    "NATS_URL",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "PLAYERS_IN_ALL",
    "PREVIOUS_SITE",
    "PUBLIC_ORIGIN",
    "PUSH_HOSTS",
    "TRUST_PROXY",
];

/// The setting with the address of the metrics.
const METRICS: &str = "METRICS_ADDR";

/// A setting of a server, as its environment has it.
pub(crate) type Setting = (&'static str, String);

/// Returns a free port of loopback.
pub(crate) fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// Returns the setting by which a server serves its metrics.
pub(crate) fn with_metrics() -> Result<Setting> {
    Ok((METRICS, free_address()?.to_string()))
}

/// Waits until a server listens there.
pub(crate) async fn wait_for(address: SocketAddr) -> Result<()> {
    for _ in 0..600 {
        if tokio::net::TcpStream::connect(address).await.is_ok() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!("nobody listens at {address}").into())
}

/// The server.
pub(crate) struct TochkiServer {
    pub(crate) address: SocketAddr,
    /// The address of its metrics, if it serves them.
    pub(crate) metrics: Option<SocketAddr>,
    child: Child,
    /// The folder of the data, if it is this server's own.
    _data: Option<TempDir>,
}

impl TochkiServer {
    /// Starts a server with these settings and a new database, and waits until it is ready.
    pub(crate) async fn start(server: &Path, settings: &[Setting]) -> Result<Self> {
        let data = tempfile::tempdir()?;
        let started = Self::start_in(data.path(), server, settings).await?;
        Ok(Self {
            _data: Some(data),
            ..started
        })
    }

    /// Starts a server on the data in a folder, and waits until it is ready.
    pub(crate) async fn start_in(data: &Path, server: &Path, settings: &[Setting]) -> Result<Self> {
        let address = free_address()?;
        let mut command = Command::new(server);
        command.arg("serve").stdin(Stdio::null()).kill_on_drop(true);
        for name in UNSET {
            command.env_remove(name);
        }
        for limit in UNLIMITED {
            command.env(limit, "1000000000");
        }
        command
            .env("LISTEN", address.to_string())
            .env("DATA_DIR", data)
            .env("RUST_LOG", "warn")
            .env("TABLES_IN_ALL", "100000")
            .envs(settings.iter().map(|(name, value)| (name, value)));
        let metrics = settings.iter().find(|(name, _)| *name == METRICS);
        let metrics = metrics.map(|(_, address)| address.parse()).transpose()?;
        let child = command
            .spawn()
            .map_err(|error| format!("{}: {error}", server.display()))?;
        let tochki = Self {
            address,
            metrics,
            child,
            _data: None,
        };
        wait_for(address).await?;
        // It listens before its Postgres is there.
        for _ in 0..600 {
            let mut client = Client::connect(address).await?;
            let ready = client.get("/readyz").await;
            if ready.is_ok_and(|ready| ready.status == 200) {
                return Ok(tochki);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err("the server is not ready".into())
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id().unwrap_or(0)
    }

    /// Stops the server, with its Postgres.
    pub(crate) async fn stop(mut self) {
        let told = Command::new("kill")
            .arg(self.process().to_string())
            .status()
            .await;
        let ended = tokio::time::timeout(Duration::from_secs(30), self.child.wait()).await;
        if told.is_err() || ended.is_err() {
            let _ = self.child.kill().await;
        }
    }

    /// Registers a guest of this name. Returns the connection with the session, and the id of the player.
    pub(crate) async fn guest(&self, name: &str) -> Result<(Client, i64)> {
        let mut client = Client::connect(self.address).await?;
        let guest = client.post("/api/be_guest", &[("name", name)]).await?;
        let id = guest.ok()?.json()?["id"].as_i64();
        Ok((client, id.ok_or("a guest without an id")?))
    }
}
