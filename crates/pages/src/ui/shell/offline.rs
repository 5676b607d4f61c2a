//! The pages and files that are kept for use offline.

use crate::ui::page::release::offline_script_path;
use crate::ui::page::settings_form;
use crate::ui::shell::start;
use crate::ui::{board, computer, page};
use tochki_rules::GameKind;

/// Returns the paths of the pages that work offline.
pub fn offline_pages() -> Vec<String> {
    let mut pages = [
        "/computer",
        "/computer/game",
        "/analysis",
        "/rules",
        "/keys",
    ]
    .map(str::to_owned)
    .to_vec();
    for game in GameKind::ALL {
        let of_game = ["/computer", "/analysis", "/rules"];
        pages.extend(of_game.map(|page| format!("{page}/{game}")));
    }
    pages
}

/// Returns the paths of the files that these pages load besides the site's `/pkg/` and `/engines/`. The texts of the visitor's language
/// are not among them: the service worker finds their address in the pages.
pub fn offline_files() -> Vec<String> {
    let mut files = vec![
        offline_script_path(),
        board::script_path(),
        page::info_stylesheet::path(),
        computer::worker_path(),
        computer::progress_script(),
        settings_form::script_path(),
    ];
    files.extend(start::script_paths());
    files.extend(board::later_script_paths());
    let unversioned = [
        "/sound.js",
        "/board_keys.js",
        "/settings_preview.svg",
        "/icon.svg",
        "/manifest.webmanifest",
    ];
    files.extend(unversioned.map(str::to_owned));
    files
}
