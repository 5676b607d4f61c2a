//! The page of a match, and its island: controller, optimistic match, and the components around the board.

mod page;
pub(crate) use page::MatchPage;
mod absence;
mod announcer;
mod clock;
mod controller;
mod heartbeat;
mod hint;
mod move_entry;
mod move_limit;
mod offers;
mod optimistic_match;
mod player_panel;
mod rematch;
mod resign;
mod result;
mod send_move;
mod spoken_status;
mod sync;
mod turn;

pub(crate) use absence::AbsenceNotice;
pub(crate) use announcer::Announcer;
pub(crate) use clock::ClockView;
pub(crate) use controller::{Authority, MatchController};
pub use heartbeat::beat;
pub(crate) use hint::Hint;
pub(crate) use move_entry::MoveEntry;
pub(crate) use move_limit::MoveLimit;
pub(crate) use offers::Offers;
pub(crate) use optimistic_match::PendingMove;
pub(crate) use player_panel::PlayerPanel;
pub(crate) use rematch::Rematch;
pub(crate) use resign::ResignButton;
pub(crate) use result::ResultCard;
pub(crate) use spoken_status::{clock_times, score_and_turn};
pub(crate) use turn::TurnIndicator;
