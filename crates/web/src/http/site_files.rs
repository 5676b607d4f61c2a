//! The files of the site, and the code of the previous release: an open page loads islands and engines when it needs them,
//! which may be after an upgrade. All other files are loaded with the page, except the chat of the waiting rooms at a match.

use super::release;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use leptos::config::LeptosOptions;
use std::path::{Path, PathBuf};
use tochki_server::settings::Settings;
use tower::ServiceExt as _;
use tower_http::services::ServeDir;

/// A request without its body, which no file needs.
pub(super) type Head = axum::http::Request<()>;

/// Returns the head of a request.
pub(super) fn head_of(request: &Request) -> Head {
    let mut head = Head::default();
    *head.method_mut() = request.method().clone();
    *head.uri_mut() = request.uri().clone();
    *head.headers_mut() = request.headers().clone();
    head
}

/// The folders of both sites.
#[derive(Clone)]
pub(super) struct SiteFiles {
    current: ServeDir,
    previous: ServeDir,
    /// The versions (`?v=`) of the current and of the previous engines.
    engines: [String; 2],
}

impl SiteFiles {
    /// The site, and the one before it, which need not be there.
    pub(super) fn of(options: &LeptosOptions, settings: &Settings) -> Self {
        let current = Path::new(&*options.site_root);
        let previous = settings
            .previous_site
            .clone()
            .unwrap_or_else(|| beside(current));
        // A folder is no file. With an index, `//pkg` would be redirected to `//pkg/`, which is another site.
        let folder = |site: &Path| {
            ServeDir::new(site)
                .append_index_html_on_directories(false)
                .precompressed_br()
                .precompressed_gzip()
        };
        Self {
            engines: [
                release::release(options).engines.clone(),
                release::engines_version(&previous),
            ],
            current: folder(current),
            previous: folder(&previous),
        }
    }

    /// Returns the requested file.
    ///
    /// Names in `/pkg/` have a hash, so a file is the same in whichever site it is. Names in `/engines/` have none: there the
    /// version behind `?v=` says which site is meant, and a file of another version is none.
    pub(super) async fn find(&self, head: Head) -> Option<Response> {
        let path = head.uri().path();
        if path.starts_with("/engines/") {
            let [current, previous] = &self.engines;
            let site = match version(&head) {
                None => &self.current,
                Some(version) if version == current => &self.current,
                Some(version) if version == previous => &self.previous,
                Some(_) => return None,
            };
            return read(site, &head).await;
        }
        let found = read(&self.current, &head).await;
        if found.is_none() && path.starts_with("/pkg/") {
            return read(&self.previous, &head).await;
        }
        found
    }
}

/// Returns the path `site.previous` beside `site`.
fn beside(site: &Path) -> PathBuf {
    let mut name = site.file_name().unwrap_or_default().to_owned();
    name.push(".previous");
    site.with_file_name(name)
}

/// Returns the version behind `?v=` in an address.
fn version(head: &Head) -> Option<&str> {
    let query = head.uri().query()?;
    query.split('&').find_map(|pair| pair.strip_prefix("v="))
}

async fn read(site: &ServeDir, head: &Head) -> Option<Response> {
    let found = site.clone().oneshot(head.clone()).await.ok()?;
    // A name that no file can have, such as one too long, is an error of the file system.
    let is_there = found.status() != StatusCode::NOT_FOUND && !found.status().is_server_error();
    is_there.then(|| found.map(Body::new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_folder_is_no_file_and_leads_nowhere() {
        let root = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(root.path().join("pkg")).expect("a folder");
        std::fs::write(root.path().join("pkg/a.js"), "a").expect("a file");
        let site = root.path().to_str().expect("a name");
        let options = LeptosOptions::builder()
            .output_name("tochki")
            .site_root(site)
            .build();
        let files = SiteFiles::of(&options, &Settings::default());
        for (path, is_there) in [
            ("/pkg/a.js", true),
            ("/pkg", false),
            ("//pkg", false),
            ("//pkg//", false),
            ("/./pkg", false),
            ("//evil.example/..", false),
        ] {
            let mut head = Head::default();
            *head.uri_mut() = axum::http::Uri::builder()
                .path_and_query(path)
                .build()
                .expect("an address");
            assert_eq!(files.find(head).await.is_some(), is_there, "{path}");
        }
    }

    #[test]
    fn the_previous_site_is_beside_the_site() {
        for (site, previous) in [
            ("target/site", "target/site.previous"),
            ("/srv/tochki/site/", "/srv/tochki/site.previous"),
            ("site", "site.previous"),
        ] {
            assert_eq!(beside(Path::new(site)), Path::new(previous), "{site}");
        }
    }
}
