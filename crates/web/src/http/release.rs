//! The release: its version, which pages and event streams announce, and the pages and files that the service worker
//! (`public/service_worker.js`) caches for use offline.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use leptos::config::LeptosOptions;
use serde::Serialize;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::Path;
use std::sync::OnceLock;
use std::{fs, io};
use tochki_pages::translations;
use tochki_pages::ui::{self, Release};

/// The response header with the version of a page that is to be kept.
pub(super) const VERSION_HEADER: &str = "x-release";

/// The release of this process, with the paths of its files.
static RELEASE: OnceLock<(Release, Vec<String>)> = OnceLock::new();

/// The release. The first call reads the files of the site.
pub(super) fn release(options: &LeptosOptions) -> &'static Release {
    &with_files(options).0
}

/// `GET /release.js`: the script that the service worker imports. Browsers compare it byte by byte, so another release installs
/// another service worker.
pub(super) fn script(options: &LeptosOptions) -> Response {
    #[derive(Serialize)]
    struct Kept<'a> {
        version: &'a str,
        pages: Vec<String>,
        files: &'a [String],
    }
    let (release, files) = with_files(options);
    let kept = Kept {
        version: &release.version,
        pages: ui::offline_pages(),
        files,
    };
    // Strings always serialize.
    let kept = serde_json::to_string(&kept).unwrap_or_default();
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, format!("self.RELEASE={kept};\n")).into_response()
}

fn with_files(options: &LeptosOptions) -> &'static (Release, Vec<String>) {
    RELEASE.get_or_init(|| {
        let site = Path::new(&*options.site_root);
        let engines = engines_version(site);
        let pkg = file_names(&site.join("pkg"));
        let mut files: Vec<String> = pkg.iter().map(|name| format!("/pkg/{name}")).collect();
        let engine_files = file_names(&site.join("engines"))
            .into_iter()
            .map(|name| format!("/engines/{name}?v={engines}"));
        files.extend(engine_files);
        files.extend(ui::offline_files());
        let mut hasher = DefaultHasher::new();
        files.hash(&mut hasher);
        // An operator may have changed texts, which are in the pages.
        translations::script_paths().for_each(|path| path.hash(&mut hasher));
        program(&mut hasher);
        let version = format!("{:x}", hasher.finish());
        (Release { version, engines }, files)
    })
}

/// The version of the engines, for `?v=` in their URLs. Empty if there are none.
pub(super) fn engines_version(site: &Path) -> String {
    let folder = site.join("engines");
    let names = file_names(&folder);
    if names.is_empty() {
        return String::new();
    }
    let mut hasher = DefaultHasher::new();
    for name in names {
        name.hash(&mut hasher);
        fs::read(folder.join(name))
            .unwrap_or_default()
            .hash(&mut hasher);
    }
    format!("{:x}", hasher.finish())
}

/// The names of the files in a folder, without compressed copies, in alphabetical order.
fn file_names(folder: &Path) -> Vec<String> {
    let list = || -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if [".js", ".wasm", ".css", ".json"]
                .iter()
                .any(|end| name.ends_with(end))
            {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    };
    // Without the folder there are no files, as in a development build.
    list().unwrap_or_default()
}

/// The program renders the pages, so another program is another release.
fn program(hasher: &mut DefaultHasher) {
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    if cfg!(debug_assertions) {
        // Its content is large, and hashed slowly.
        let about = fs::metadata(program).map(|about| (about.len(), about.modified().ok()));
        about.ok().hash(hasher);
    } else {
        fs::read(program).unwrap_or_default().hash(hasher);
    }
}
