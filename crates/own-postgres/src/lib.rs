//! Embedded Postgres, for a server without `DATABASE_URL`: finds the programs on this machine, starts them on a Unix socket
//! and stops them with the server. Independent of the schema.

mod client;
mod config;
mod data_dir;
mod os_user;
mod programs;
mod start_error;

pub use client::{client_environment, client_program, database, file_argument};
pub use start_error::StartError;

use std::{
    path::{Path, PathBuf},
    process::{Child, Stdio},
};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use sqlx::{
    ConnectOptions as _, Connection as _,
    postgres::{PgConnectOptions, PgSslMode},
};
use tokio::time::{Instant, sleep};
use tracing::{error, info, warn};

use self::{
    config::{
        MAX_BACKOFF, MAX_RESTARTS, MIN_BACKOFF, NAME, POLL_INTERVAL, START_TIMEOUT, WATCH_INTERVAL,
    },
    data_dir::{DataDir, DirLocks},
    programs::Programs,
};

/// Returns the options by which sqlx connects to the database `tochki` at a socket in this folder.
fn options_at(socket: &Path) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(socket)
        .port(PORT)
        .username(NAME)
        .database(NAME)
        .ssl_mode(PgSslMode::Disable)
}

/// The port, which is part of a Unix socket's name, even though no TCP port is opened.
const PORT: u16 = 5432;

/// The script that starts Postgres (`$@`) in its own process and leaves beside it a watchdog that asks it to stop when standard
/// input ends. That input is a pipe whose other end the server alone holds, so it ends with the server however the server ends,
/// also by SIGKILL. The watchdog is the child of a child that has exited, so that Postgres does not meet a child it never made.
const WATCHDOG_SCRIPT: &str = r#"
exec 3<&0 </dev/null
( { read -r _; kill -INT $$; } <&3 2>/dev/null & )
exec "$@" 3<&-
"#;

/// A running embedded Postgres, which stops when this value is dropped, or waited for with [`OwnPostgres::stop`].
#[derive(Debug)]
pub struct OwnPostgres {
    /// The postmaster. Its standard input is the pipe that keeps it up: closing that is asking it to stop. The process is waited
    /// for only then, so its id cannot become someone else's before.
    postmaster: Child,
    /// The folder of the Unix socket, which only Postgres's account (and root) can enter.
    socket: PathBuf,
    data_dir: DataDir,
    programs: Programs,
    /// The locks on the folder, held as long as we use it.
    uses: DirLocks,
}

impl OwnPostgres {
    /// Starts Postgres with its data in `postgres/` under `folder`, made on the first call and kept for the next.
    ///
    /// A Postgres still ending after its server was killed is waited for; a folder that a living server uses is refused
    /// with [`StartError::InUse`]. As root, Postgres runs as the account `postgres` or `nobody`, and where that account
    /// cannot reach `folder` the data go under `/var/lib/tochki`, which a log line says.
    pub async fn start(folder: &Path) -> Result<Self, StartError> {
        let data_dir = DataDir::open(folder)?;
        let programs = Programs::find(
            data_dir.cluster(),
            data_dir.version(),
            &data_dir.os_user(),
            data_dir.programs(),
        )
        .await?;
        let uses = data_dir.take(&programs).await?;
        if !data_dir.has_cluster() {
            data_dir.make_cluster(&programs).await?;
        }
        let socket = data_dir.socket_folder()?;

        info!(version = programs.version, data = %data_dir.cluster().display(), "starting the embedded Postgres");
        let postmaster = spawn(&data_dir, &programs, &socket, &uses)?;
        let mut own = Self {
            postmaster,
            socket,
            data_dir,
            programs,
            uses,
        };
        own.wait_until_ready().await?;
        own.make_database().await?;
        if !own.has_checksums().await? {
            warn!(
                data = %own.data_dir.cluster().display(),
                "the database was made without data checksums, so damage on the disk may stay unseen: stop the server and run \
                 pg_checksums --enable, or restore a backup into a new folder"
            );
        }
        Ok(own)
    }

    /// Returns whether Postgres checks the pages that it reads from the disk, as in every cluster that this crate makes now.
    pub async fn has_checksums(&self) -> sqlx::Result<bool> {
        let mut connection = self.options().database("postgres").connect().await?;
        let on = sqlx::query_scalar("SELECT current_setting('data_checksums') = 'on'")
            .fetch_one(&mut connection)
            .await?;
        connection.close().await?;
        Ok(on)
    }

    /// Returns the options by which sqlx connects to the database `tochki`.
    pub fn options(&self) -> PgConnectOptions {
        options_at(&self.socket)
    }

    /// Returns the options by which sqlx connects to the database of a server that is running with its data under `folder`, if
    /// there is one.
    pub async fn of_running_server(folder: &Path) -> Result<Option<PgConnectOptions>, StartError> {
        let data_dir = DataDir::open(folder)?;
        if !data_dir.has_cluster() {
            return Ok(None);
        }
        let options = options_at(&data_dir.socket_folder()?);
        match options.connect().await {
            Ok(connection) => {
                connection.close().await?;
                Ok(Some(options))
            }
            // Nobody listens there.
            Err(sqlx::Error::Io(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the address of the database as a `DATABASE_URL`, for psql and for sqlx's macros.
    pub fn url(&self) -> String {
        let socket = percent_encoded(&self.socket);
        format!("postgres://{NAME}@{socket}:{PORT}/{NAME}?sslmode=disable")
    }

    /// Watches Postgres, and starts it again whenever it has ended: at once, then with growing pauses. `on_restart` is called
    /// for each new start. A future that is dropped leaves a Postgres that [`OwnPostgres::stop`] can stop.
    ///
    /// A full disk keeps Postgres from starting. As long as it is full, the start is tried again without a bound.
    ///
    /// # Errors
    /// When Postgres could not be started [`MAX_RESTARTS`] times in a row although the disk had room. Then there is no Postgres
    /// any more.
    pub async fn keep_running(&mut self, mut on_restart: impl FnMut()) -> StartError {
        loop {
            self.wait_until_gone().await;
            error!("the embedded Postgres has ended; it is started again");
            let mut pause = MIN_BACKOFF;
            let mut failures = 0;
            while let Err(failure) = self.restart().await {
                if self.data_dir.is_full() {
                    warn!(%failure, "the embedded Postgres does not start, because the disk is full; trying again");
                    failures = 0;
                } else {
                    failures += 1;
                    if failures == MAX_RESTARTS {
                        return failure;
                    }
                    warn!(%failure, "the embedded Postgres does not start; trying again");
                }
                sleep(pause).await;
                pause = MAX_BACKOFF.min(pause * 2);
            }
            on_restart();
            info!("the embedded Postgres runs again");
        }
    }

    /// Waits until the postmaster has ended. The process is not waited for as a child: as long as it is not, nobody else can have
    /// its process id, which its watchdog is about to signal.
    async fn wait_until_gone(&self) {
        let pid = Pid::from_raw(self.postmaster.id().cast_signed());
        let pid = pid.expect("a child has a process id");
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        while let Ok(None) = waitid(WaitId::Pid(pid), look) {
            sleep(WATCH_INTERVAL).await;
        }
    }

    async fn restart(&mut self) -> Result<(), StartError> {
        // Lets the watchdog of the old one end.
        drop(self.postmaster.stdin.take());
        // The other processes of a killed Postgres notice that and end; until then a new one would refuse.
        self.data_dir.wait_for_processes(&mut self.uses).await?;
        let new = spawn(&self.data_dir, &self.programs, &self.socket, &self.uses)?;
        let mut old = std::mem::replace(&mut self.postmaster, new);
        let ready = self.wait_until_ready().await;
        // By now the watchdog has ended.
        let _ = old.try_wait();
        ready
    }

    /// Ends open connections and stops Postgres; returns once it has gone.
    pub async fn stop(self) {
        let Self {
            mut postmaster,
            socket,
            ..
        } = self;
        drop(postmaster.stdin.take());
        let deadline = Instant::now() + START_TIMEOUT;
        while matches!(postmaster.try_wait(), Ok(None)) {
            if Instant::now() > deadline {
                warn!(
                    "the embedded Postgres has not stopped within {START_TIMEOUT:?}; it is left to finish by itself"
                );
                return;
            }
            sleep(POLL_INTERVAL).await;
        }
        // Made anew at the next start; one under `/tmp` should not stay for ever.
        let _ = std::fs::remove_dir(socket);
        info!("the embedded Postgres has stopped");
    }

    /// Waits for the first accepted connection, or for Postgres to give up.
    async fn wait_until_ready(&mut self) -> Result<(), StartError> {
        let deadline = Instant::now() + START_TIMEOUT;
        while let Err(refused) = self.try_maintenance().await {
            if let Ok(Some(status)) = self.postmaster.try_wait() {
                return Err(StartError::Refused {
                    program: "postgres",
                    status,
                    output: self.data_dir.log_tail(),
                });
            }
            match refused {
                // No socket yet, or nobody listening on one that a crash left behind.
                sqlx::Error::Io(_) => {}
                // 57P03, `cannot_connect_now`: it is there and still starting up or recovering.
                sqlx::Error::Database(ref said) if said.code().as_deref() == Some("57P03") => {}
                other => return Err(other.into()),
            }
            if Instant::now() > deadline {
                return Err(StartError::Silent(self.data_dir.log_tail()));
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Connects to the database `postgres`, which every cluster has, and leaves again.
    async fn try_maintenance(&self) -> sqlx::Result<()> {
        self.options()
            .database("postgres")
            .connect()
            .await?
            .close()
            .await
    }

    /// Makes the database `tochki` unless an earlier start did.
    async fn make_database(&self) -> sqlx::Result<()> {
        let mut maintenance = self.options().database("postgres").connect().await?;
        let there: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
                .bind(NAME)
                .fetch_one(&mut maintenance)
                .await?;
        if !there {
            // A statement about a database takes its name as part of the text; ours is a constant.
            sqlx::raw_sql("CREATE DATABASE tochki")
                .execute(&mut maintenance)
                .await?;
        }
        maintenance.close().await
    }
}

/// Starts Postgres and its watchdog.
fn spawn(
    data_dir: &DataDir,
    programs: &Programs,
    socket: &Path,
    uses: &DirLocks,
) -> Result<Child, StartError> {
    (data_dir.os_user().command("sh"))
        .args(["-c", WATCHDOG_SCRIPT, "sh"])
        .arg(programs.path("postgres"))
        .arg("-D")
        .arg(data_dir.cluster())
        .arg("-k")
        .arg(socket)
        .args(["-p", &PORT.to_string()])
        .args(["-c", "listen_addresses="])
        .args(["-c", "unix_socket_permissions=0700"])
        // A statement that fails is told to whoever sent it; the values in it do not belong in a second log.
        .args(["-c", "log_min_messages=log"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(uses.log_for_postgres()?)
        .spawn()
        .map_err(StartError::at(&programs.path("postgres")))
}

/// Encodes a path as the host of a URL: every byte but letters, digits and `-._` as `%XX`.
fn percent_encoded(path: &Path) -> String {
    use std::{fmt::Write as _, os::unix::ffi::OsStrExt as _};
    path.as_os_str()
        .as_bytes()
        .iter()
        .fold(String::new(), |mut url, &byte| {
            if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
                url.push(byte.into());
            } else {
                write!(url, "%{byte:02X}").expect("a String takes every write");
            }
            url
        })
}

/// Compiles and runs the example of the README as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
