//! The audit log.

use crate::ui::text::time::DateTime;
use crate::ui::text::{Language, language, say};
use crate::ui::view::view;
use crate::ui::widgets::player_name::display_name;
use leptos::prelude::*;
use tochki_protocol::{AuditEntry, ModerationAction};

/// A page of the log, latest first.
#[component]
pub(crate) fn AuditLog(acts: Vec<AuditEntry>, page: u32, more: bool) -> impl IntoView {
    let language = language();
    let empty = acts
        .is_empty()
        .then(|| view! { <p class="empty">{say!(language, operator.nothing_done)}</p> });
    let rows = acts.into_iter().map(|done| {
        let name = done.name.as_ref().map(|name| display_name(language, name));
        view! {
            <tr>
                <td>
                    <DateTime at=done.at />
                </td>
                <td>{done.operator.clone()}</td>
                <td>{act(language, &done)}</td>
                <td>{name}</td>
                <td dir="auto">{done.why}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let way = |page: u32, text: &'static str| view! { <a href=format!("/operator?page={page}")>{text}</a> };
    let newer = (page > 0).then(|| way(page - 1, say!(language, operator.newer)));
    let older = more.then(|| way(page + 1, say!(language, operator.older)));
    view! {
        <section class="card" aria-labelledby="audit">
            <h2 id="audit">{say!(language, operator.audit)}</h2>
            {empty}
            <div class="audit" tabindex="0" role="region" aria-labelledby="audit">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{say!(language, operator.when)}</th>
                            <th scope="col">{say!(language, operator.who)}</th>
                            <th scope="col">{say!(language, operator.what)}</th>
                            <th scope="col">{say!(language, operator.whom)}</th>
                            <th scope="col">{say!(language, operator.why)}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="button-row">{newer} {older}</p>
            <p class="note">{say!(language, operator.kept)}</p>
        </section>
    }
}

fn act(language: Language, done: &AuditEntry) -> String {
    let text = match done.act {
        ModerationAction::Annulled => {
            let id = done.match_id.map_or_else(String::new, |id| id.to_string());
            return say!(language, operator.did_annul, id = id);
        }
        ModerationAction::Dismissed => say!(language, operator.did_dismiss),
        ModerationAction::MutedHour => say!(language, operator.did_mute_hour),
        ModerationAction::MutedDay => say!(language, operator.did_mute_day),
        ModerationAction::MutedEver => say!(language, operator.did_mute_ever),
        ModerationAction::Unmuted => say!(language, operator.did_unmute),
        ModerationAction::Closed => say!(language, operator.did_close),
        ModerationAction::Opened => say!(language, operator.did_open),
        ModerationAction::MessageRemoved => say!(language, operator.did_remove),
        ModerationAction::OperatorAdded => say!(language, operator.did_appoint),
        ModerationAction::OperatorRemoved => say!(language, operator.did_dismiss_operator),
        ModerationAction::Established => say!(language, operator.did_establish),
        ModerationAction::EstablishedRevoked => say!(language, operator.did_revoke_established),
    };
    text.to_owned()
}
