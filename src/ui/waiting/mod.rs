//! What the waiting room is made of.

mod calls;
mod choice;
mod games;
mod players;
mod room;

pub(super) use calls::Calls;
pub(super) use choice::{Choice, ChoicePanel};
pub(super) use games::Games;
pub(super) use players::Players;
pub(super) use room::{Room, table_of};
