//! What a table is made of: the match as this page knows it, and the things round the board.

mod page;
pub(crate) use page::MatchPage;
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

pub(crate) use answers::{clocks_aloud, standing};
pub(crate) use away::Away;
pub(crate) use clock::ClockFace;
pub(crate) use entry::MoveEntry;
pub(crate) use follow::MatchController;
pub(crate) use hint::Hint;
pub(crate) use lost::LostLine;
pub(crate) use offers::Offers;
pub(crate) use rematch::Rematch;
pub(crate) use resign::ResignButton;
pub(crate) use result::ResultCard;
pub(crate) use sides::Side;
pub(crate) use speech::Speech;
pub(crate) use turn::Turn;
