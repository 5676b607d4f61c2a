//! What the waiting room is made of.
//!
//! `choice` and `filter` are drawn by the server and stand in one form, whose fields are also the address; in a browser
//! `wishes` reads them. `room` is what the stream keeps up, and `calls`, `players`, `games` and `tables` are what is seen of
//! it.

mod page;
pub(crate) use page::WaitingRoom;
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
mod players;
mod room;
mod tables;
mod track;
mod wishes;

use alert::TellMe;
pub(crate) use alert::alert;
pub(crate) use asked::Asked;
pub(crate) use calls::Calls;
pub(crate) use choice_form::{AskForm, ChoiceForm};
pub(crate) use endings::Endings;
pub(crate) use filter::FilterPanel;
pub(crate) use games::Games;
pub(crate) use players::Players;
pub(crate) use room::{Room, table_of};
pub(crate) use tables::{OpenForm, Tables};
pub(crate) use track::follow_thumbs;
pub(crate) use wishes::Wishes;
