//! The operating-system user that runs Postgres: the server's own, or another account if that is root, which Postgres refuses.

use std::{
    fs, io,
    os::unix::{fs::MetadataExt as _, fs::chown, process::CommandExt as _},
    path::Path,
    process::{Command, Stdio},
};

use crate::start_error::StartError;

/// The account that runs Postgres and owns its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OsUser {
    /// The account that runs the server.
    Same,
    /// Another account, which only root can choose.
    Other {
        /// The user.
        user: u32,
        /// The user's main group.
        group: u32,
    },
}

impl OsUser {
    /// Returns the owner of the data where there are some, else our own account, else (as root) `postgres` or `nobody`.
    pub(super) fn for_data(cluster: &Path) -> Result<Self, StartError> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Self::Same);
        }
        if let Ok(data) = fs::metadata(cluster) {
            return Ok(Self::Other {
                user: data.uid(),
                group: data.gid(),
            });
        }
        let users =
            fs::read_to_string("/etc/passwd").map_err(StartError::at(Path::new("/etc/passwd")))?;
        ["postgres", "nobody"]
            .iter()
            .find_map(|name| Self::among(&users, name))
            .ok_or(StartError::NoAccount)
    }

    /// Reads an account from lines of `name:password:user:group:…`.
    fn among(users: &str, name: &str) -> Option<Self> {
        users.lines().find_map(|line| {
            let mut fields = line.split(':');
            let named = fields.next() == Some(name);
            let user = fields.nth(1)?.parse().ok()?;
            let group = fields.next()?.parse().ok()?;
            named.then_some(Self::Other { user, group })
        })
    }

    /// Returns a command that runs under this account, in a process group of its own: Ctrl-C in the terminal reaches the server,
    /// which still needs its database to finish what it has in hand.
    pub(super) fn command(self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        // Messages in English, whatever the machine speaks; and a folder that every account may be in.
        command
            .env("LC_ALL", "C")
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::null());
        if let Self::Other { user, group } = self {
            command.uid(user).gid(group);
        }
        command
    }

    /// Returns whether this account may go into `folder` (all folders above it included) or run the program of that path.
    pub(super) fn reaches(self, path: &Path) -> bool {
        let test = self
            .command("test")
            .arg("-x")
            .arg(path)
            .stderr(Stdio::null())
            .status();
        test.is_ok_and(|status| status.success())
    }

    /// Hands `path` over to this account.
    pub(super) fn own(self, path: &Path) -> io::Result<()> {
        match self {
            Self::Same => Ok(()),
            Self::Other { user, group } => chown(path, Some(user), Some(group)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OsUser;

    #[test]
    fn an_account_is_found_by_its_whole_name() {
        let users = "root:x:0:0::/root:/bin/sh\npostgresql:x:7:8::/:\nbroken\npostgres:x:101:104:admin:/:/bin/bash\n";
        assert_eq!(
            OsUser::among(users, "postgres"),
            Some(OsUser::Other {
                user: 101,
                group: 104
            })
        );
        assert_eq!(OsUser::among(users, "nobody"), None);
        assert_eq!(OsUser::among(users, "broken"), None);
    }
}
