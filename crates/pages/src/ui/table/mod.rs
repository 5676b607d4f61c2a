//! The page of a table, rendered by the server without islands. With scripts, `public/open_table.js` fetches the page
//! again after each event and replaces the parts whose `data-live` differs.

mod page;
pub(crate) use page::TablePage;
mod actions;
mod guest;
mod invite;
mod seats;

pub(crate) use actions::TableActions;
pub(crate) use guest::GuestForm;
pub(crate) use invite::Invite;
pub(crate) use seats::Seats;
