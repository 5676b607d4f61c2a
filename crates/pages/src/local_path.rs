//! Validation of paths for redirects and links: only paths of this site.

/// Returns whether a path stays on this site. Browsers read `//host` and `/\host` as addresses of another host.
pub(crate) fn is_local_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(|c: char| c == '\\' || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_hosts_are_rejected() {
        for path in ["/", "/play", "/match/12?x=1#y"] {
            assert!(is_local_path(path), "{path}");
        }
        for path in [
            "",
            "play",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a\r\nb",
        ] {
            assert!(!is_local_path(path), "{path:?}");
        }
    }
}
