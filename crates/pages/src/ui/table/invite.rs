//! The invitation to a table: the link to copy or share, and a QR code.

use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::Invitation;

/// The invitation. Space for the buttons that need scripts is reserved, so nothing shifts.
#[component]
pub(crate) fn Invite(invitation: Invitation) -> impl IntoView {
    let language = language();
    let Invitation {
        address,
        squares,
        dark,
    } = invitation;
    view! {
        <section id="invite" class="card invite" aria-labelledby="invite-title">
            <h2 id="invite-title">{t!(language, open_table.invite)}</h2>
            <label for="link">{t!(language, open_table.link)}</label>
            <input id="link" type="text" value=address readonly spellcheck="false" />
            <div class="button-row with-scripts">
                <button
                    id="copy"
                    type="button"
                    class="quiet"
                    data-done=t!(language, open_table.copied)
                    data-else=t!(language, open_table.select)
                >
                    {t!(language, open_table.copy)}
                </button>
                <button id="share" type="button" class="quiet unseen">
                    {t!(language, open_table.share)}
                </button>
                <span id="copied" role="status"></span>
            </div>
            // Dark on light in both themes: many cameras read no other code.
            <svg
                class="code"
                viewBox=format!("0 0 {squares} {squares}")
                width="200"
                height="200"
                role="img"
                aria-label=t!(language, open_table.code)
                shape-rendering="crispEdges"
            >
                <rect width=squares height=squares fill="#fff" />
                <path d=dark fill="#000" />
            </svg>
            <p class="note">{t!(language, open_table.scan)}</p>
        </section>
    }
}
