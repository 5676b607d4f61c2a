//! The data folder of our own Postgres: its lock, its layout, and its initialization.
//!
//! ```text
//! <data folder>/postgres/
//!   server.lock    locked by the server that uses the folder
//!   postgres.log   the log of Postgres since its last start; locked as long as a process of it lives
//!   cluster/       the data; belongs to the account that runs Postgres
//!   socket/        the Unix socket; likewise
//! ```

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{self, ErrorKind},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    },
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{
    process::Command,
    time::{Instant, sleep},
};
use tracing::{info, warn};

use crate::config::{MIN_FREE_BYTES, NAME, POLL_INTERVAL, SERVER_LOCK_TIMEOUT, START_TIMEOUT};
use crate::os_user::OsUser;
use crate::programs::Programs;
use crate::start_error::StartError;

/// The folder for the data of a folder that Postgres's account cannot reach.
const SHARED_DATA_DIR: &str = "/var/lib/tochki";
/// The longest path of a Unix socket on every system we know (108 bytes with the final zero on Linux, 104 on a Mac).
const MAX_SOCKET_PATH: usize = 103;

/// The folder, and the account that runs Postgres in it.
#[derive(Debug)]
pub(super) struct DataDir {
    path: PathBuf,
    os_user: OsUser,
}

/// The locks of a server on its home.
#[derive(Debug)]
pub(super) struct DirLocks {
    /// The lock of the server: a second server on the same folder finds it locked.
    _server: File,
    /// The log, locked. Every process of Postgres inherits it as standard error, and a lock stays as long as any process holds
    /// the file open: so it tells whether some Postgres still lives here, after whatever kind of crash.
    log: File,
}

impl DirLocks {
    /// Returns the log as a standard error for Postgres.
    pub(super) fn log_for_postgres(&self) -> Result<Stdio, StartError> {
        self.log
            .try_clone()
            .map(Stdio::from)
            .map_err(StartError::at(Path::new("postgres.log")))
    }
}

impl DataDir {
    /// Makes the folder if need be, in a place that Postgres's account can reach.
    pub(super) fn open(folder: &Path) -> Result<Self, StartError> {
        let folder = std::path::absolute(folder).map_err(StartError::at(folder))?;
        let asked = folder.join("postgres");
        let os_user = OsUser::for_data(&asked.join("cluster"))?;
        make_folder(&folder, 0o755)?;
        let empty = fs::read_dir(&folder).is_ok_and(|mut names| names.next().is_none());
        if empty {
            // A folder that holds nothing yet, such as mktemp's, gives nothing away when it is opened for others.
            open_to(os_user, &folder)?;
        }
        let path = if os_user.reaches(&folder) {
            asked
        } else {
            elsewhere(os_user, &folder)?
        };
        let os_user = OsUser::for_data(&path.join("cluster"))?;
        make_folder(&path, 0o755)?;
        open_to(os_user, &path)?;
        Ok(Self { path, os_user })
    }

    /// Returns the account that runs Postgres here.
    pub(super) fn os_user(&self) -> OsUser {
        self.os_user
    }

    /// Returns the folder for copies of programs that the account cannot reach.
    pub(super) fn programs(&self) -> PathBuf {
        self.path.join("programs")
    }

    /// Returns the data folder of Postgres.
    pub(super) fn cluster(&self) -> PathBuf {
        self.path.join("cluster")
    }

    /// Returns whether the data folder has been made.
    pub(super) fn has_cluster(&self) -> bool {
        self.cluster().exists()
    }

    /// Returns the major version of Postgres that wrote the data, if there are any.
    pub(super) fn version(&self) -> Option<u32> {
        fs::read_to_string(self.cluster().join("PG_VERSION"))
            .ok()?
            .trim()
            .parse()
            .ok()
    }

    /// Returns whether the disk below the data has no room in which Postgres could start: for its account, which may not use the
    /// space that is reserved for root.
    pub(super) fn is_full(&self) -> bool {
        let Ok(disk) = rustix::fs::statvfs(self.cluster()) else {
            return false;
        };
        // Some file systems do not count files.
        let no_files = disk.f_files > 0 && disk.f_favail == 0;
        no_files || disk.f_bavail.saturating_mul(disk.f_frsize) < MIN_FREE_BYTES
    }

    /// Returns the end of the log, for an error message.
    pub(super) fn log_tail(&self) -> String {
        let log = fs::read(self.path.join("postgres.log")).unwrap_or_default();
        last_lines(&String::from_utf8_lossy(&log))
    }

    /// Takes the folder for this server and sees to it that no Postgres runs on it.
    pub(super) async fn take(&self, programs: &Programs) -> Result<DirLocks, StartError> {
        let server = self.lock_file("server.lock")?;
        if !lock_within(&server, SERVER_LOCK_TIMEOUT)
            .await
            .map_err(StartError::at(&self.path))?
        {
            return Err(StartError::InUse(self.path.clone()));
        }
        let log = self.lock_file("postgres.log")?;
        if !lock_within(&log, Duration::ZERO)
            .await
            .map_err(StartError::at(&self.path))?
        {
            info!("waiting for the Postgres of a server that is gone");
            self.stop_orphan(programs).await;
            if !lock_within(&log, START_TIMEOUT)
                .await
                .map_err(StartError::at(&self.path))?
            {
                return Err(StartError::InUse(self.path.clone()));
            }
        }
        log.set_len(0).map_err(StartError::at(&self.path))?;
        self.remove_stale_pid_file();
        Ok(DirLocks {
            _server: server,
            log,
        })
    }

    /// Waits until no process of a Postgres lives here whose postmaster has ended, and takes its log for the next.
    pub(super) async fn wait_for_processes(&self, uses: &mut DirLocks) -> Result<(), StartError> {
        // A lock belongs to whoever inherited the open file, so ours has to be given up first.
        uses.log = self.lock_file("postgres.log")?;
        if !lock_within(&uses.log, START_TIMEOUT)
            .await
            .map_err(StartError::at(&self.path))?
        {
            return Err(StartError::InUse(self.path.clone()));
        }
        self.remove_stale_pid_file();
        Ok(())
    }

    /// Removes the process-id file that a crash left of a Postgres when its process id has gone to some other program since:
    /// Postgres would take that program for a living Postgres and refuse. All other cases it judges better than we could.
    fn remove_stale_pid_file(&self) {
        let file = self.cluster().join("postmaster.pid");
        let Ok(lines) = fs::read_to_string(&file) else {
            return;
        };
        let pid = lines.lines().next().unwrap_or_default().trim();
        // Every process of a Postgres works in its data folder. Without `/proc` there is nothing to read here.
        let works_in = fs::read_link(format!("/proc/{pid}/cwd"));
        let cluster = fs::canonicalize(self.cluster());
        if let (Ok(works_in), Ok(cluster)) = (works_in, cluster)
            && works_in != cluster
            && let Err(error) = fs::remove_file(&file)
        {
            warn!(%error, file = %file.display(), "could not remove");
        }
    }

    /// Asks a Postgres whose server and watchdog were both killed to stop. The process may be gone before the signal arrives.
    async fn stop_orphan(&self, programs: &Programs) {
        let mut stop = self.os_user.command(programs.path("pg_ctl"));
        stop.args(["stop", "--mode=fast", "--silent", "-D"])
            .arg(self.cluster());
        stop.stdout(Stdio::null()).stderr(Stdio::null());
        if let Err(error) = Command::from(stop).status().await {
            warn!(%error, "could not ask it to stop");
        }
    }

    /// Opens a file of ours in this folder, which is ours too, so nobody else can have put a link in its place.
    fn lock_file(&self, name: &str) -> Result<File, StartError> {
        let path = self.path.join(name);
        OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(&path)
            .map_err(StartError::at(&path))
    }

    /// Makes the data folder: under another name first, so that a folder left half made is never taken for a whole one.
    pub(super) async fn make_cluster(&self, programs: &Programs) -> Result<(), StartError> {
        info!(data = %self.cluster().display(), "making a database; this happens once");
        // C.UTF-8 knows the letters of all languages and sorts the same everywhere. Where the system lacks it, C.
        for (locale, last) in [("C.UTF-8", false), ("C", true)] {
            let growing = self.path.join("cluster.new");
            match fs::remove_dir_all(&growing) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(StartError::at(&growing)(error));
                }
                _ => self.private_folder(&growing)?,
            }
            let mut initdb = self.os_user.command(programs.path("initdb"));
            // Accounts that can enter the socket's folder may connect: that is this account, and root.
            initdb.args([
                "--encoding=UTF8",
                "--auth=trust",
                "--data-checksums",
                &format!("--username={NAME}"),
            ]);
            initdb
                .arg(format!("--locale={locale}"))
                .arg("-D")
                .arg(&growing);
            let made = Command::from(initdb)
                .output()
                .await
                .map_err(StartError::at(&programs.path("initdb")))?;
            if made.status.success() {
                return fs::rename(&growing, self.cluster()).map_err(StartError::at(&growing));
            }
            let output = last_lines(&String::from_utf8_lossy(&made.stderr));
            if last {
                return Err(StartError::Refused {
                    program: "initdb",
                    status: made.status,
                    output,
                });
            }
            warn!(locale, output, "initdb refused; trying the plain locale");
        }
        unreachable!("the last locale returns either way")
    }

    /// Returns the folder for the socket: beside the data, or, where that makes too long a path, a short one under `/tmp` that
    /// follows from ours.
    pub(super) fn socket_folder(&self) -> Result<PathBuf, StartError> {
        let beside = self.path.join("socket");
        let socket = beside.join(".s.PGSQL.5432");
        let folder = if socket.as_os_str().len() <= MAX_SOCKET_PATH {
            beside
        } else {
            let mut hasher = DefaultHasher::new();
            self.path.hash(&mut hasher);
            PathBuf::from(format!("/tmp/tochki-{:016x}", hasher.finish()))
        };
        self.private_folder(&folder)?;
        Ok(folder)
    }

    /// Makes a folder that the account alone may enter, or makes sure that an existing one is such.
    fn private_folder(&self, path: &Path) -> Result<(), StartError> {
        if make_folder(path, 0o700)? {
            return self.os_user.own(path).map_err(StartError::at(path));
        }
        let found = fs::symlink_metadata(path).map_err(StartError::at(path))?;
        let owner = match self.os_user {
            OsUser::Same => rustix::process::geteuid().as_raw(),
            OsUser::Other { user, .. } => user,
        };
        let private = found.mode().trailing_zeros() >= 6;
        if found.is_dir() && found.uid() == owner && private {
            return Ok(());
        }
        Err(StartError::at(path)(io::Error::other(
            "is there already and belongs to someone else",
        )))
    }
}

/// Creates a folder and its parents; returns whether it is new.
fn make_folder(path: &Path, mode: u32) -> Result<bool, StartError> {
    if let Some(above) = path.parent() {
        DirBuilder::new()
            .recursive(true)
            .create(above)
            .map_err(StartError::at(above))?;
    }
    match DirBuilder::new().mode(mode).create(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(StartError::at(path)(error)),
    }
}

/// Lets an account pass through a folder of ours that the umask made too narrow for it.
fn open_to(os_user: OsUser, folder: &Path) -> Result<(), StartError> {
    if os_user.reaches(folder) {
        return Ok(());
    }
    fs::set_permissions(folder, Permissions::from_mode(0o711)).map_err(StartError::at(folder))
}

/// Returns the home of a folder that Postgres's account cannot reach, such as one under `/root`.
fn elsewhere(os_user: OsUser, folder: &Path) -> Result<PathBuf, StartError> {
    let shared = Path::new(SHARED_DATA_DIR);
    make_folder(shared, 0o755)?;
    open_to(os_user, shared)?;
    let name = String::from_utf8_lossy(folder.as_os_str().as_bytes())
        .trim_matches('/')
        .replace('/', "-");
    let data_dir = shared.join(name);
    warn!(
        asked = %folder.display(),
        instead = %data_dir.display(),
        "Postgres cannot run as root, and the account that runs it cannot reach the data folder; its data go elsewhere"
    );
    Ok(data_dir)
}

/// Tries to take a lock until a timeout; returns whether it was taken.
async fn lock_within(file: &File, time: Duration) -> io::Result<bool> {
    let deadline = Instant::now() + time;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Ok(false),
            Err(TryLockError::WouldBlock) => sleep(POLL_INTERVAL).await,
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// Returns as much of the end of a program's output as an error message can carry.
fn last_lines(output: &str) -> String {
    let lines: Vec<&str> = output
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    lines[lines.len().saturating_sub(6)..].join("\n")
}
