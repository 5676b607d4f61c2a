//! What the waiting room is made of.
//!
//! `choice` and `filter` are drawn by the server and stand in one form, whose fields are also the address; in a browser
//! `wishes` reads them. `room` is what the stream keeps up, and `calls`, `players`, `games` and `tables` are what is seen of
//! it.

mod alert;
mod asked;
mod calls;
mod choice;
mod choice_form;
mod clock;
mod endings;
mod filter;
mod form;
mod games;
mod last_choice;
mod players;
mod room;
mod tables;
mod track;
mod wishes;

use alert::TellMe;
pub(super) use alert::alert;
pub(super) use asked::Asked;
pub(super) use calls::Calls;
pub(super) use choice_form::{AskForm, ChoiceForm};
pub(super) use endings::Endings;
pub(super) use filter::FilterPanel;
pub(super) use games::Games;
pub use last_choice::LastChoices;
pub(super) use players::Players;
pub(super) use room::{Room, table_of};
pub(super) use tables::{OpenForm, Tables};
pub(super) use track::follow_thumbs;
pub(super) use wishes::Wishes;
