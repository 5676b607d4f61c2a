//! The client programs of Postgres, such as `pg_dump`: finding them, and the environment that names the database.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use url::Url;

use crate::programs::{USUAL, matching, version_of};
use crate::start_error::StartError;

/// Returns the path of a client program for a server of this major version: of the same version, else of the next newer one. An
/// older program does not know the server.
///
/// # Errors
/// [`StartError::NoClient`].
pub async fn client_program(name: &'static str, server: u32) -> Result<PathBuf, StartError> {
    let mut newer: Option<(u32, PathBuf)> = None;
    for folder in folders() {
        let program = folder.join(name);
        let version = if program.is_file() {
            version_of(&program).await
        } else {
            None
        };
        match version {
            Some(version) if version == server => return Ok(program),
            Some(version)
                if version > server && newer.as_ref().is_none_or(|(best, _)| version < *best) =>
            {
                newer = Some((version, program));
            }
            _ => {}
        }
    }
    match newer {
        Some((_, program)) => Ok(program),
        None => Err(StartError::NoClient { name, server }),
    }
}

/// Returns the folders to look in. Those of one version come before `PATH`, where Debian has a script that chooses a version
/// itself.
fn folders() -> impl Iterator<Item = PathBuf> {
    let named = env::var_os("POSTGRES_BIN").filter(|named| !named.is_empty());
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = env::split_paths(&path).collect();
    let usual = USUAL.iter().flat_map(|pattern| matching(pattern));
    let all = named.map(PathBuf::from).into_iter().chain(usual);
    all.chain(on_path)
        .filter_map(|folder| std::path::absolute(folder).ok())
}

/// Returns the environment variables by which a client program connects to the same database. Every user of the machine can read
/// the arguments of a process, so nothing goes there.
///
/// `url` is the address that the options were read from, if they were: the options do not give their password back.
pub fn client_environment(
    options: &PgConnectOptions,
    url: Option<&str>,
) -> Vec<(&'static str, OsString)> {
    let host = options
        .get_socket()
        .map_or_else(|| options.get_host().into(), Into::into);
    let mut variables: Vec<(&str, OsString)> = vec![
        ("PGHOST", host),
        ("PGPORT", options.get_port().to_string().into()),
        ("PGUSER", options.get_username().into()),
        ("PGSSLMODE", ssl_mode(options.get_ssl_mode()).into()),
        ("PGDATABASE", database(options).into()),
    ];
    let Some(url) = url.and_then(|url| Url::parse(url).ok()) else {
        return variables;
    };
    if let Some(password) = url.password() {
        let password = percent_encoding::percent_decode_str(password).decode_utf8_lossy();
        variables.push(("PGPASSWORD", password.as_ref().into()));
    }
    for (key, value) in url.query_pairs() {
        let variable = match &*key {
            "password" => "PGPASSWORD",
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" => "PGSSLROOTCERT",
            "sslcert" | "ssl-cert" => "PGSSLCERT",
            "sslkey" | "ssl-key" => "PGSSLKEY",
            _ => continue,
        };
        variables.push((variable, value.as_ref().into()));
    }
    variables
}

/// Returns the name of the database; without one Postgres takes that of the user.
pub fn database(options: &PgConnectOptions) -> &str {
    options
        .get_database()
        .unwrap_or_else(|| options.get_username())
}

fn ssl_mode(mode: PgSslMode) -> &'static str {
    match mode {
        PgSslMode::Disable => "disable",
        PgSslMode::Allow => "allow",
        PgSslMode::Prefer => "prefer",
        PgSslMode::Require => "require",
        PgSslMode::VerifyCa => "verify-ca",
        PgSslMode::VerifyFull => "verify-full",
    }
}

/// Returns a file as an argument: an absolute path is never taken for an option.
pub fn file_argument(file: &Path) -> Result<PathBuf, StartError> {
    std::path::absolute(file).map_err(StartError::at(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &[(&str, &str)]) {
        let options: PgConnectOptions = url.parse().expect("a URL");
        let found = client_environment(&options, Some(url));
        for (name, value) in expected {
            // A later one wins, as in the environment of a process.
            let last = found.iter().rev().find(|(found, _)| found == name);
            let last = last.map(|(_, value)| value.to_str().expect("UTF-8"));
            assert_eq!(last, Some(*value), "{name} of {url}");
        }
    }

    #[test]
    fn a_url_becomes_variables() {
        check(
            "postgres://ann:p%40ss@db.example:6543/arena?sslmode=require",
            &[
                ("PGHOST", "db.example"),
                ("PGPORT", "6543"),
                ("PGUSER", "ann"),
                ("PGPASSWORD", "p@ss"),
                ("PGDATABASE", "arena"),
                ("PGSSLMODE", "require"),
            ],
        );
        check(
            "postgres://ann@%2Frun%2Fpostgresql?password=secret",
            &[
                ("PGHOST", "/run/postgresql"),
                ("PGPORT", "5432"),
                ("PGPASSWORD", "secret"),
                ("PGDATABASE", "ann"),
            ],
        );
    }
}
