//! A file that has its name only once it is complete and on the disk.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// A file that is being written. A file that is dropped before it is complete is removed.
pub struct PartialFile {
    /// The file, to be written into.
    pub file: File,
    partial: PathBuf,
    path: PathBuf,
    is_complete: bool,
}

/// Adds the path to an error.
fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

impl PartialFile {
    /// Begins a file, beside the path that it will have.
    ///
    /// The file is always a new one: something of the name that is there already, such as a link, or a file of somebody else who
    /// could read on, is removed and not written into.
    pub fn create(path: &Path, mode: u32) -> io::Result<Self> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        match std::fs::remove_file(&partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(at(&partial)(error));
            }
            _ => {}
        }
        // Which follows no link.
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(&partial)
            .map_err(at(&partial))?;
        Ok(Self {
            file,
            partial,
            path: path.to_owned(),
            is_complete: false,
        })
    }

    /// Gives the file its name, and returns its length in bytes.
    pub fn complete(mut self) -> io::Result<u64> {
        self.file.sync_all().map_err(at(&self.partial))?;
        if !self.has_its_name().map_err(at(&self.partial))? {
            let taken = io::Error::other("another file has taken its place");
            return Err(at(&self.partial)(taken));
        }
        std::fs::rename(&self.partial, &self.path).map_err(at(&self.path))?;
        self.is_complete = true;
        // The new name is kept, too.
        let folder = std::path::absolute(&self.path).map_err(at(&self.path))?;
        let folder = folder.parent().unwrap_or(Path::new("/"));
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(at(folder))?;
        Ok(self.file.metadata().map_err(at(&self.path))?.len())
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
