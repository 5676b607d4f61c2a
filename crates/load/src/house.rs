//! A server of ours, with a Postgres and a database of its own, and matches at it.

use crate::Result;
use crate::client::Client;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// Limits that hold for visitors of one address, and here all have one.
const UNLIMITED: [&str; 8] = [
    "CONNECTIONS_BY_ADDRESS",
    "GUESTS_BY_ADDRESS",
    "MOVES_PER_SECOND",
    "REGISTRATIONS_BY_ADDRESS",
    "REQUESTS_BY_ADDRESS",
    "STREAMS_BY_ADDRESS",
    "STREAMS_BY_SESSION",
    "TABLES_BY_ADDRESS",
];

/// A board on which moves from point to point, row by row, enclose nothing: its width is even.
const SETUP: &str = r#"{"width":38,"height":32}"#;

/// A free port of loopback.
pub(crate) fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// Waits until somebody listens there.
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
pub(crate) struct House {
    pub(crate) address: SocketAddr,
    child: Child,
    _data: TempDir,
}

impl House {
    pub(crate) async fn start(server: &Path) -> Result<Self> {
        let (data, address) = (tempfile::tempdir()?, free_address()?);
        let mut command = Command::new(server);
        command
            .arg("serve")
            .env("LISTEN", address.to_string())
            .env("DATA_DIR", data.path())
            .env("RUST_LOG", "warn")
            .env("TABLES_IN_ALL", "100000")
            .env_remove("DATABASE_URL")
            .stdin(Stdio::null())
            .kill_on_drop(true);
        for limit in UNLIMITED {
            command.env(limit, "1000000000");
        }
        let child = command
            .spawn()
            .map_err(|error| format!("{}: {error}", server.display()))?;
        let house = Self {
            address,
            child,
            _data: data,
        };
        wait_for(address).await?;
        // It listens before its Postgres is there.
        for _ in 0..600 {
            let mut client = Client::connect(address).await?;
            let ready = client.send("GET", "/readyz", "text/plain", b"").await;
            if ready.is_ok_and(|ready| ready.status == 200) {
                return Ok(house);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err("the server is not ready".into())
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id().unwrap_or(0)
    }

    /// Ends it, with its Postgres.
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

    /// Two guests at a match that has just begun. The one to move is first.
    pub(crate) async fn begin_match(&self, number: usize) -> Result<Match> {
        let mut players = [
            self.guest(&format!("Load-{number}-A")).await?,
            self.guest(&format!("Load-{number}-B")).await?,
        ];
        let [one, other] = &mut players;
        let form = [
            ("game", "dots"),
            ("setup", SETUP),
            ("rated", "false"),
            ("clock", "10800+60"),
        ];
        let table = one.post("/api/open_table", &form).await?.ok()?.json()?;
        let id = table["id"].to_string();
        let link = table["link"].as_str().unwrap_or_default().to_owned();
        let sit = [("table", &*id), ("link", &*link)];
        other.post("/api/sit", &sit).await?.ok()?;
        let ready = [("table", &*id), ("ready", "true")];
        one.post("/api/ready", &ready).await?.ok()?;
        let begun = other.post("/api/ready", &ready).await?.ok()?.json()?;
        let id = begun["match"].as_i64().ok_or("no match has begun")?;
        // The seats are drawn: whoever may not move is second.
        let mut game = Match {
            id,
            players,
            played: 0,
        };
        if game.play().await?.status == 409 {
            game.players.swap(0, 1);
            game.played = 0;
            game.play().await?.ok()?;
        }
        Ok(game)
    }

    async fn guest(&self, name: &str) -> Result<Client> {
        let mut client = Client::connect(self.address).await?;
        client
            .post("/api/be_guest", &[("name", name)])
            .await?
            .ok()?;
        Ok(client)
    }
}

/// A match.
pub(crate) struct Match {
    pub(crate) id: i64,
    /// Who moves first, and the other.
    players: [Client; 2],
    played: usize,
}

impl Match {
    /// How many moves there is room for.
    pub(crate) const MOVES: usize = 38 * 32 - 2;

    /// How many have been made.
    pub(crate) fn played(&self) -> usize {
        self.played
    }

    /// Makes the next move.
    pub(crate) async fn play(&mut self) -> Result<crate::client::Response> {
        let (id, n) = (self.id.to_string(), self.played);
        let mv = format!("{},{}", n % 38, n / 38);
        let form = [("match_id", &*id), ("mv", &*mv)];
        let mover = &mut self.players[n % 2];
        self.played += 1;
        mover.post("/api/move", &form).await
    }
}
