//! The lobby: the choice of a game and its terms, the waiting players, open challenges, open tables and running matches of one
//! game.
//!
//! 1. The choice and the filter of the players are fields of one HTML form (`choice_form`, `filter`), and its fields are the
//!    query string (`query`). The server renders the form, and it works by being submitted. With scripts `controller` reads the
//!    same fields at every change, so there is no second copy of them. The fields of a choice depend on the game
//!    (`games::SetupFields`).
//! 2. A cookie keeps the last choice of each game, the last game first. Opening another game's lobby is a choice, too.
//! 3. The page gets all players and filters them itself (`tochki_protocol::Filter`, the same code as in the API), because
//!    players who join later must be filtered, too.
//! 4. `sync` follows the event stream and updates `state`. The stream also brings the scores of running matches, at most once
//!    in `limits::SCORES_INTERVAL`. After `limits::STREAM_IDLE_TIMEOUT` without events or heartbeats the page connects again.
//! 5. A visitor without a session gets a form that makes a guest (`guest_entry`). A quick game (`quick_game`) is seen in the row of
//!    the player who waits for it. The house bots are one row with a level to choose (`bots`).
//! 6. Challenges by correspondence are rendered by the server alone (`correspondence`); tables by correspondence are a list of their own.
//! 7. A challenge may end while nothing is received, after a lost connection or on a page without scripts. Its ending is asked of
//!    `api::challenge_outcomes`, which covers `limits::LOBBY_HISTORY`.

mod page;
pub(crate) use page::LobbyPage;
mod bots;
mod challenges;
mod choice;
mod choice_form;
mod clock;
mod controller;
mod correspondence;
mod ended_challenges;
mod filter;
mod finished_matches;
mod form_dom;
mod guest_entry;
mod notifications;
mod players;
mod query;
mod quick_game;
mod rating_slider;
mod running_matches;
mod state;
mod sync;
mod system_notifications;
mod tables;

pub(crate) use bots::{BotForm, BotRow};
pub(crate) use challenges::{Challenges, asks};
pub(crate) use choice_form::{ChallengeForm, ChoiceForm};
pub(crate) use clock::{ClockFields, read as read_clock};
pub(crate) use controller::LobbyController;
pub(crate) use correspondence::{CorrespondenceChallenges, CorrespondenceForm};
pub(crate) use ended_challenges::EndedChallenges;
pub(crate) use filter::FilterPanel;
pub(crate) use finished_matches::FinishedMatches;
pub(crate) use guest_entry::GuestEntry;
use notifications::NotificationPermissionButton;
pub(crate) use notifications::{notify_arrival, notify_challenges};
pub(crate) use players::Players;
pub(crate) use query::LobbyQuery;
pub(crate) use quick_game::{QuickGameCard, QuickGameForms};
pub(crate) use rating_slider::sync_rating_slider;
pub(crate) use running_matches::RunningMatches;
use state::other_person_waiting;
pub(crate) use state::{LobbyState, match_of};
use system_notifications::{close_notification, show_notification};
pub(crate) use tables::{CreateTableForm, Tables};
