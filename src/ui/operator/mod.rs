//! What lies on the operator's desk. It is forms alone, and needs no scripts.

mod audit;
mod found;
mod measures;
mod reports;

pub(super) use audit::Audit;
pub(super) use found::Found;
pub(super) use reports::Reports;

use crate::ui::texts::{Language, say};
use tochki_play::Timestamp;
use tochki_play::date;
use tochki_protocol::ModeratedPlayer;

/// What holds for a player now, if anything does.
fn standing(language: Language, judged: &ModeratedPlayer, now: Timestamp) -> Option<String> {
    if judged.closed_at.is_some() {
        return Some(say!(language, operator.is_closed).to_owned());
    }
    let until = judged.muted_until.filter(|until| *until > now)?;
    Some(if until >= ModeratedPlayer::EVER {
        say!(language, operator.is_muted).to_owned()
    } else {
        let time = date::minute(until);
        say!(language, operator.is_muted_until, time = time)
    })
}
