//! Notifications of what happened while the visitor was away: the list, and the switches of their kinds. Plain forms, no islands.

mod page;
mod switches;
mod words;

pub(crate) use page::NotificationsPage;
pub(crate) use switches::SwitchForms;
