//! What lies on the operator's desk. It is forms alone, and needs no scripts.

mod page;
pub(crate) use page::Operator;
mod audit;
mod found;
mod measures;
mod reports;

pub(crate) use audit::Audit;
pub(crate) use found::Found;
pub(crate) use reports::Reports;

use crate::ui::text::{Language, say};
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
