//! A file that has its name only once it is complete and on the disk.

use anyhow::Context as _;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// A file that is being written. Dropped before it is complete, it is removed.
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
    /// Begins a file that will be at this path, beside it.
    pub(crate) fn create(path: &Path, mode: u32) -> anyhow::Result<Self> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
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

    /// Gives it its name; its length in bytes.
    pub(crate) fn complete(mut self) -> anyhow::Result<u64> {
        self.file.sync_all().with_context(|| at(&self.partial))?;
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

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.is_complete {
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}
