//! The audit log.

use crate::ui::operator::paged_table::PagedTable;
use crate::ui::text::time::DateTime;
use crate::ui::text::{Language, language, say};
use crate::ui::view::view;
use crate::ui::widgets::player_name::Name;
use leptos::prelude::*;
use tochki_protocol::{AuditEntry, ModerationAction};

/// A page of the log, latest first.
#[component]
pub(crate) fn AuditLog(acts: Vec<AuditEntry>, page: u32, more: bool) -> impl IntoView {
    let language = language();
    let rows = acts.into_iter().map(|done| {
        let name = done.name.clone();
        view! {
            <tr>
                <td>
                    <DateTime at=done.at />
                </td>
                <td><Name name=done.operator.clone() /></td>
                <td>{act(language, &done)}</td>
                <td>{name.map(|name| view! { <Name name /> })}</td>
                <td dir="auto">{done.why}</td>
            </tr>
        }
    });
    view! {
        <PagedTable
            id="audit"
            title=say!(language, operator.audit)
            empty=say!(language, operator.nothing_done)
            columns=vec![
                say!(language, operator.when), say!(language, operator.who), say!(language, operator.what),
                say!(language, operator.whom), say!(language, operator.why),
            ]
            rows=rows.collect()
            page more
            ways=[say!(language, operator.newer), say!(language, operator.older)]
            to=|page| format!("/operator?page={page}")
            note=say!(language, operator.kept)
        />
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
        ModerationAction::AllAnnulled => say!(language, operator.did_annul_all),
        ModerationAction::OperatorAdded => say!(language, operator.did_appoint),
        ModerationAction::OperatorRemoved => say!(language, operator.did_dismiss_operator),
        ModerationAction::Established => say!(language, operator.did_establish),
        ModerationAction::EstablishedRevoked => say!(language, operator.did_revoke_established),
    };
    text.to_owned()
}
