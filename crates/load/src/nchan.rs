//! A server of nginx with nchan, as Debian has both, which does nothing but streams.

use crate::Result;
use crate::tochki::{free_address, wait_for};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::{Child, Command};

const PROGRAM: &str = "/usr/sbin/nginx";
const MODULE: &str = "/usr/lib/nginx/modules/ngx_nchan_module.so";

/// A running nginx.
pub(crate) struct Nchan {
    pub(crate) address: SocketAddr,
    child: Child,
    _folder: TempDir,
}

impl Nchan {
    /// Starts a server; `None` where it is not installed.
    pub(crate) async fn start() -> Result<Option<Self>> {
        if !Path::new(PROGRAM).exists() || !Path::new(MODULE).exists() {
            return Ok(None);
        }
        let (folder, address) = (tempfile::tempdir()?, free_address()?);
        let at = folder.path().display();
        let user = if std::env::var("USER").is_ok_and(|user| user != "root") {
            ""
        } else {
            "user root;"
        };
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {at}/{kind}; "))
            .concat();
        let configuration = format!(
            "load_module {MODULE};\ndaemon off; {user} worker_processes 1; worker_rlimit_nofile 65536;\n\
             pid {at}/nginx.pid; error_log {at}/error.log;\nevents {{ worker_connections 32768; }}\n\
             http {{ access_log off; {temporary} keepalive_requests 1000000;\n\
             nchan_max_reserved_memory 256M; nchan_message_buffer_length 1000;\n\
             server {{ listen {address} backlog=4096;\n\
             location = /pub {{ nchan_publisher; nchan_channel_id load; }}\n\
             location = /sub {{ nchan_subscriber eventsource; nchan_channel_id load; nchan_subscriber_first_message newest; }}\n\
             }} }}\n"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, configuration)?;
        let child = Command::new(PROGRAM)
            .arg("-c")
            .arg(&file)
            .arg("-e")
            .arg(folder.path().join("error.log"))
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let nchan = Self {
            address,
            child,
            _folder: folder,
        };
        wait_for(address).await?;
        Ok(Some(nchan))
    }

    /// Returns the processes of the master and its workers.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let master = self.child.id().unwrap_or(0);
        let children = std::fs::read_to_string(format!("/proc/{master}/task/{master}/children"))
            .unwrap_or_default();
        let workers = children.split_whitespace().filter_map(|id| id.parse().ok());
        [master].into_iter().chain(workers).collect()
    }

    pub(crate) async fn stop(mut self) {
        let master = self.child.id().unwrap_or(0).to_string();
        // So that it ends its workers.
        let _ = Command::new("kill").arg(master).status().await;
        let ended = tokio::time::timeout(Duration::from_secs(10), self.child.wait()).await;
        if ended.is_err() {
            let _ = self.child.kill().await;
        }
    }
}
