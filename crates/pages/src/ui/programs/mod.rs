//! `/programs`: how a program plays here. Its samples are files of their own, which tests run as they are.

mod page;
mod reference;

pub(crate) use page::ProgramsPage;
use reference::Reference;
pub use reference::{Operation, ProgramsContext};
