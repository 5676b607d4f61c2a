//! A NATS server, as Debian has it: another way for the instances to tell each other of changes.

use crate::Result;
use crate::tochki::{free_address, wait_for};
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::{Child, Command};

const PROGRAMS: [&str; 3] = [
    "/usr/sbin/nats-server",
    "/usr/bin/nats-server",
    "/usr/local/bin/nats-server",
];

/// A running NATS server.
pub(crate) struct Nats {
    /// The address, as the setting `NATS_URL` has it.
    pub(crate) url: String,
    child: Child,
    _folder: TempDir,
}

impl Nats {
    /// Starts a server; `None` where it is not installed.
    pub(crate) async fn start() -> Result<Option<Self>> {
        let Some(program) = PROGRAMS.iter().find(|program| Path::new(program).exists()) else {
            return Ok(None);
        };
        let (folder, address) = (tempfile::tempdir()?, free_address()?);
        let child = Command::new(program)
            .args(["-a", &address.ip().to_string()])
            .args(["-p", &address.port().to_string()])
            .arg("-l")
            .arg(folder.path().join("log"))
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let nats = Self {
            url: format!("nats://{address}"),
            child,
            _folder: folder,
        };
        wait_for(address).await?;
        Ok(Some(nats))
    }

    pub(crate) async fn stop(mut self) {
        let _ = self.child.kill().await;
    }
}
