//! What the page of an open table is made of. The server draws all of it; with scripts `public/open_table.js` fetches the
//! page again when something changes, and takes over the parts that are named `data-live` and look different.

mod page;
pub(crate) use page::TablePage;
mod actions;
mod chairs;
mod guest;
mod invite;

pub(crate) use actions::Actions;
pub(crate) use chairs::Chairs;
pub(crate) use guest::GuestForm;
pub(crate) use invite::Invite;
