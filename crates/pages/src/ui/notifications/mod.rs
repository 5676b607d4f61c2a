//! Notifications of what happened while the visitor was away: the list, and the switches of their kinds. Plain forms, no islands.

mod page;
mod push;
mod switches;
mod words;

pub(crate) use page::NotificationsPage;
pub(crate) use push::PushCard;
#[cfg(feature = "ssr")]
pub use push::push_words;
pub(crate) use switches::SwitchForms;
