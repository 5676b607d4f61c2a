//! A file that has its name only once it is complete and on the disk.

use anyhow::Context as _;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// A file that is being written. A file that is dropped before it is complete is removed.
pub(crate) struct PartialFile {
    pub(crate) file: File,
    partial: PathBuf,
    path: PathBuf,
    is_complete: bool,
}

fn at(path: &Path) -> String {
    path.display().to_string()
}

impl PartialFile {
    /// Begins a file, beside the path that it will have.
    ///
    /// The file is always a new one: something of the name that is there already, such as a link, or a file of somebody else who
    /// could read on, is removed and not written into.
    pub(crate) fn create(path: &Path, mode: u32) -> anyhow::Result<Self> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        match std::fs::remove_file(&partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| at(&partial));
            }
            _ => {}
        }
        // Which follows no link.
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(&partial)
            .with_context(|| at(&partial))?;
        Ok(Self {
            file,
            partial,
            path: path.to_owned(),
            is_complete: false,
        })
    }

    /// Gives the file its name, and returns its length in bytes.
    pub(crate) fn complete(mut self) -> anyhow::Result<u64> {
        self.file.sync_all().with_context(|| at(&self.partial))?;
        anyhow::ensure!(
            self.has_its_name().with_context(|| at(&self.partial))?,
            "{}: another file has taken its place",
            at(&self.partial)
        );
        std::fs::rename(&self.partial, &self.path).with_context(|| at(&self.path))?;
        self.is_complete = true;
        // The new name is kept, too.
        let folder = std::path::absolute(&self.path).with_context(|| at(&self.path))?;
        let folder = folder.parent().unwrap_or(Path::new("/"));
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.with_context(|| at(folder))?;
        Ok(self.file.metadata().with_context(|| at(&self.path))?.len())
    }
}

impl PartialFile {
    /// Returns whether the name still belongs to this file.
    fn has_its_name(&self) -> io::Result<bool> {
        let (own, named) = (
            self.file.metadata()?,
            std::fs::symlink_metadata(&self.partial)?,
        );
        Ok((own.dev(), own.ino()) == (named.dev(), named.ino()))
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.is_complete && self.has_its_name().unwrap_or(false) {
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn what_somebody_has_prepared_is_neither_followed_nor_written_into() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, victim) = (folder.path().join("dump"), folder.path().join("victim"));
        let partial = folder.path().join("dump.partial");
        std::fs::write(&victim, "mine").expect("a file");
        symlink(&victim, &partial).expect("a link");
        let mut file = PartialFile::create(&path, 0o600).expect("a new file");
        file.file.write_all(b"secret").expect("written");
        file.complete().expect("complete");
        assert_eq!(std::fs::read(&victim).expect("still there"), b"mine");
        assert_eq!(std::fs::read(&path).expect("the dump"), b"secret");

        std::fs::write(&partial, "left over, and longer").expect("a file");
        let open = std::fs::Permissions::from_mode(0o666);
        std::fs::set_permissions(&partial, open).expect("readable by all");
        let reader = File::open(&partial).expect("somebody reads on");
        let mut file = PartialFile::create(&path, 0o600).expect("a new file");
        file.file.write_all(b"new").expect("written");
        file.complete().expect("complete");
        let mode = std::fs::metadata(&path).expect("the dump").permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
        assert_eq!(std::fs::read(&path).expect("the dump"), b"new");
        let read = std::io::read_to_string(reader).expect("the old file");
        assert_eq!(read, "left over, and longer");
    }

    #[test]
    fn two_at_once_do_not_take_each_others_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("dump");
        let first = PartialFile::create(&path, 0o600).expect("a new file");
        let second = PartialFile::create(&path, 0o600).expect("a new file");
        assert!(first.complete().is_err());
        second.complete().expect("complete");
        assert!(path.exists());
    }
}
