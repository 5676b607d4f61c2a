//! The audit log.

use crate::ui::operator::paged_table::PagedTable;
use crate::ui::text::time::DateTime;
use crate::ui::text::{Language, language, t};
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
            title=t!(language, operator.audit)
            empty=t!(language, operator.nothing_done)
            columns=vec![
                t!(language, operator.when), t!(language, operator.who), t!(language, operator.what),
                t!(language, operator.whom), t!(language, operator.why),
            ]
            rows=rows.collect()
            page more
            ways=[t!(language, operator.newer), t!(language, operator.older)]
            to=|page| format!("/operator?page={page}")
            note=t!(language, operator.kept)
        />
    }
}

fn act(language: Language, done: &AuditEntry) -> String {
    let text = match done.act {
        ModerationAction::Annulled => {
            let id = done.match_id.map_or_else(String::new, |id| id.to_string());
            return t!(language, operator.did_annul, id = id);
        }
        ModerationAction::Dismissed => t!(language, operator.did_dismiss),
        ModerationAction::MutedHour => t!(language, operator.did_mute_hour),
        ModerationAction::MutedDay => t!(language, operator.did_mute_day),
        ModerationAction::MutedEver => t!(language, operator.did_mute_ever),
        ModerationAction::Unmuted => t!(language, operator.did_unmute),
        ModerationAction::Closed => t!(language, operator.did_close),
        ModerationAction::Opened => t!(language, operator.did_open),
        ModerationAction::MessageRemoved => t!(language, operator.did_remove),
        ModerationAction::AllAnnulled => t!(language, operator.did_annul_all),
        ModerationAction::OperatorAdded => t!(language, operator.did_appoint),
        ModerationAction::OperatorRemoved => t!(language, operator.did_dismiss_operator),
        ModerationAction::Established => t!(language, operator.did_establish),
        ModerationAction::EstablishedRevoked => t!(language, operator.did_revoke_established),
    };
    text.to_owned()
}
