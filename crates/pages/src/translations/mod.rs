//! The texts of all languages, as the server has them. Pages find them by `t!` of `ui/text`, browsers get those of islands as a
//! script.
//!
//! A language is a file in `locales/`: nothing else names it. Its texts are in the program as one string, which is cut into lines
//! when the first page is rendered. So a further language costs neither time of the compiler nor code.

mod negotiation;
pub mod overlay;
pub mod plurals;
mod pseudo;
pub(crate) mod scripts;
pub(crate) mod tables;

pub use scripts::{script_at, script_paths};
