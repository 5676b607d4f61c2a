//! The number of connections for which a process has files.

/// The number of files that a process keeps for other things than the connections of a test.
const RESERVED_FILES: usize = 1000;

/// Returns as many connections as are wanted and a process may have files for. A smaller number than the wanted one is printed.
pub(crate) fn bounded(what: &str, wanted: usize, files: usize) -> usize {
    let most = files.saturating_sub(RESERVED_FILES).max(1);
    if wanted > most {
        eprintln!("{most} {what} in place of {wanted}: a process may open {files} files");
    }
    wanted.min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_bounded_by_files() {
        assert_eq!(bounded("streams", 5000, 20_000), 5000);
        assert_eq!(bounded("streams", 50_000, 20_000), 19_000);
        assert_eq!(bounded("streams", 5000, 1024), 24);
        assert_eq!(bounded("streams", 5000, 256), 1);
    }
}
