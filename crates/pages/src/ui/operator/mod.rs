//! The operator's page: reports, player search, audit log. Plain forms, no islands.

mod page;
pub(crate) use page::OperatorPage;
mod activity_page;
mod annulment_form;
mod annulments;
mod audit;
mod league_form;
mod marked_names;
mod moderation_form;
mod paged_table;
mod player_search;
mod reports;
mod rings_page;

pub(crate) use activity_page::ActivityPage;
pub(crate) use annulment_form::{AnnulmentForm, can_be_annulled};
pub(crate) use annulments::Annulments;
pub(crate) use audit::AuditLog;
pub(crate) use league_form::LeagueForm;
pub(crate) use marked_names::MarkedNames;
pub(crate) use player_search::PlayerSearch;
pub(crate) use reports::Reports;
pub(crate) use rings_page::RingsPage;

use crate::ui::text::{Language, t};
use tochki_play::Timestamp;
use tochki_play::date;
use tochki_protocol::ModeratedPlayer;

/// The current restriction of a player, if any.
fn restriction(language: Language, judged: &ModeratedPlayer, now: Timestamp) -> Option<String> {
    if judged.closed_at.is_some() {
        return Some(t!(language, operator.is_closed).to_owned());
    }
    let until = judged.muted_until.filter(|until| *until > now)?;
    let mut text = if until >= ModeratedPlayer::EVER {
        t!(language, operator.is_muted).to_owned()
    } else {
        let time = date::minute(until);
        t!(language, operator.is_muted_until, time = time)
    };
    if let Some(name) = &judged.sanction_of {
        text.push(' ');
        text.push_str(&t!(language, operator.as_sanction, name = name));
    }
    Some(text)
}
