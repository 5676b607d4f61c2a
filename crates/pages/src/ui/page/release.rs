//! The release that the pages belong to, and the script that keeps it for use offline.

use crate::ui::fingerprint::versioned_url;
use crate::ui::view::view;
use leptos::prelude::*;

/// The script of pages that work offline. Its address changes with its content.
const OFFLINE: &str = include_str!("../../../../../public/offline.js");

/// The release, as a context of every page.
#[derive(Clone, Debug, Default)]
pub struct Release {
    /// The version, which changes with every file that pages load.
    pub version: String,
    /// The version of the engines, which changes with their files; empty if there are none.
    pub engines: String,
}

/// Adds the script that keeps this release for use offline. For pages that work without a server.
#[component]
pub(crate) fn OfflineScript() -> impl IntoView {
    view! { <script type="module" src=offline_script_path()></script> }
}

/// The address of the script.
pub(crate) fn offline_script_path() -> String {
    versioned_url("/offline.js", OFFLINE)
}
