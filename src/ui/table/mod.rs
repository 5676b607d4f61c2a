//! What a table is made of: the match as this page knows it, and the things round the board.

mod answers;
mod away;
mod clock;
mod entry;
mod follow;
mod hint;
mod lost;
mod mirror;
mod offers;
mod rematch;
mod resign;
mod result;
mod sides;
mod speech;
mod turn;

pub(super) use answers::{clocks_aloud, standing};
pub(super) use away::Away;
pub(super) use clock::ClockFace;
pub(super) use entry::MoveEntry;
pub(super) use follow::MatchController;
pub(super) use hint::Hint;
pub(super) use lost::LostLine;
pub(super) use offers::Offers;
pub(super) use rematch::Rematch;
pub(super) use resign::ResignButton;
pub(super) use result::ResultCard;
pub(super) use sides::Side;
pub(super) use speech::Speech;
pub(super) use turn::Turn;
