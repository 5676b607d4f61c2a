//! Notifications in words: one line says what happened.

use crate::ui::games;
use crate::ui::text::names::display_name;
use crate::ui::text::{Isolated, Language, t};
use tochki_protocol::{
    CloseReason, DELETED, ModerationAction, Notification, NotificationKind, PlayerOutcome,
    TournamentNotice,
};

/// Returns what happened.
pub(super) fn headline(language: Language, notification: &Notification) -> String {
    let name = notification.player.as_ref();
    let name = name.map_or(DELETED, |player| &player.name);
    let name = display_name(language, name);
    let name = Isolated(&name);
    match notification.kind {
        NotificationKind::YourTurn if notification.live => t!(language, notifications.live, name),
        NotificationKind::YourTurn => t!(language, notifications.your_turn, name),
        NotificationKind::Challenge if notification.match_id.is_some() => {
            t!(language, notifications.rematch, name)
        }
        NotificationKind::Challenge => match notification.why {
            None => t!(language, notifications.challenge, name),
            Some(CloseReason::Declined) => t!(language, notifications.declined, name),
            Some(CloseReason::TermsChanged) => t!(language, notifications.terms_changed, name),
            Some(_) => t!(language, notifications.expired, name),
        },
        NotificationKind::GameOver => match notification.outcome {
            Some(PlayerOutcome::Won) => t!(language, notifications.won, name),
            Some(PlayerOutcome::Drawn) => t!(language, notifications.drawn, name),
            Some(PlayerOutcome::Lost) => t!(language, notifications.lost, name),
            None => t!(language, notifications.aborted, name),
        },
        NotificationKind::TournamentSoon => {
            let name = tournament_name(language, notification);
            let name = Isolated(&name);
            t!(language, notifications.tournament_soon, name)
        }
        NotificationKind::Operator => match notification.act {
            Some(ModerationAction::MutedHour) => t!(language, notifications.muted_hour).to_owned(),
            Some(ModerationAction::MutedDay) => t!(language, notifications.muted_day).to_owned(),
            Some(ModerationAction::MutedEver) => t!(language, notifications.muted_ever).to_owned(),
            Some(ModerationAction::Unmuted) => t!(language, notifications.unmuted).to_owned(),
            Some(ModerationAction::MessageRemoved) => {
                t!(language, notifications.message_removed).to_owned()
            }
            Some(ModerationAction::Annulled | ModerationAction::AllAnnulled) => {
                t!(language, notifications.annulled, name)
            }
            _ => t!(language, notifications.opened).to_owned(),
        },
        NotificationKind::Tournament => of_tournament(language, notification),
    }
}

fn tournament_name(language: Language, notification: &Notification) -> String {
    let tournament = notification.tournament.as_ref();
    tournament.map_or_else(
        || t!(language, tournaments.one).to_owned(),
        |tournament| tournament.name.clone(),
    )
}

/// Returns what was done to a tournament.
fn of_tournament(language: Language, notification: &Notification) -> String {
    let name = tournament_name(language, notification);
    let name = Isolated(&name);
    match notification.notice {
        Some(TournamentNotice::Removed) => t!(language, notifications.tournament_removed, name),
        Some(TournamentNotice::EntriesClosed) => t!(language, notifications.entries_closed, name),
        Some(TournamentNotice::EntriesOpened) => t!(language, notifications.entries_opened, name),
        Some(TournamentNotice::Unqualified) => {
            t!(language, notifications.tournament_unqualified, name)
        }
        Some(TournamentNotice::RoundBegun) => t!(language, notifications.round_begun, name),
        Some(TournamentNotice::TimeProposed) => t!(language, notifications.time_proposed, name),
        Some(TournamentNotice::TimeAgreed) => t!(language, notifications.time_agreed, name),
        Some(TournamentNotice::GameInADay) => t!(language, notifications.game_in_a_day, name),
        Some(TournamentNotice::GameInAnHour) => {
            t!(language, notifications.game_in_an_hour, name)
        }
        Some(TournamentNotice::Cancelled) | None => {
            t!(language, notifications.tournament_cancelled, name)
        }
    }
}

/// Returns the name of the game that it is about.
pub(super) fn game_name(language: Language, notification: &Notification) -> Option<&'static str> {
    notification.game.map(|game| games::title(language, game))
}

/// Returns the name of a kind, in the settings.
pub(super) fn kind_name(language: Language, kind: NotificationKind) -> &'static str {
    match kind {
        NotificationKind::YourTurn => t!(language, notifications.kind_your_turn),
        NotificationKind::Challenge => t!(language, notifications.kind_challenge),
        NotificationKind::GameOver => t!(language, notifications.kind_game_over),
        NotificationKind::TournamentSoon => t!(language, notifications.kind_tournament_soon),
        NotificationKind::Operator => t!(language, notifications.kind_operator),
        NotificationKind::Tournament => t!(language, notifications.kind_tournament),
    }
}
