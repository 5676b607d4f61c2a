//! The notice of a page with an event stream when the server is of another release than the page.

use crate::ui::fingerprint::versioned_url;
use crate::ui::page::current_url;
use crate::ui::page::release::Release;
use crate::ui::shell::has_event_stream;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// The script. Its address changes with its content.
const SCRIPT: &str = include_str!("../../../../../public/new_release.js");

/// A status that is empty until `public/new_release.js` shows the template in it. `public/chat.js` and `public/open_table.js`
/// load that script when the stream tells another release than `data-release`.
#[component]
pub(crate) fn NewRelease() -> impl IntoView {
    let language = language();
    let release = use_context::<Release>().unwrap_or_default();
    has_event_stream(&current_url()).then(|| {
        view! {
            <div
                id="new-release"
                role="status"
                data-release=release.version
                data-script=versioned_url("/new_release.js", SCRIPT)
            >
                <template>
                    <p class="notice">
                        {t!(language, site.new_version)} " "
                        <button type="button" class="quiet">
                            {t!(language, site.reload)}
                        </button>
                    </p>
                </template>
            </div>
        }
    })
}
